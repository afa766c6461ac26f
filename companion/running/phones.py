"""The phones that were let in, by the hashes of their tokens.

The writer of the running table alone changes it.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from companion.games.player_names import common_form
from companion.running.snapshot import PhoneToken, StoredGame
from companion.running.storage.store import Store
from companion.running.unsaved import TokensRevoked, Unsaved
from companion.running.wishes import RevokeTokens

K = TypeVar("K")


class Phones:
    """What phones were let in with: at once, and for good when the disk takes it.

    Every game that is stored keeps its seats' tokens, so that they are looked up, never
    searched: each phone asks who it is at each move.

    Args:
        store: The open store.
        unsaved: What waits for the disk.
    """

    def __init__(self, store: Store, unsaved: Unsaved) -> None:
        self._store = store
        self._unsaved = unsaved
        self._of_hash: dict[str, tuple[PhoneToken, ...]] = {}
        self._of_game: dict[str | None, tuple[PhoneToken, ...]] = {}
        self.reread()

    # What edges may ask, in any thread.

    @property
    def tokens(self) -> tuple[PhoneToken, ...]:
        """Return what all phones were let in with."""
        return tuple(token for found in [*self._of_hash.values()] for token in found)

    def with_hash(self, digest: str) -> tuple[PhoneToken, ...]:
        """Return what the phone whose token has this hash was let in with, by games."""
        return self._of_hash.get(digest, ())

    def of_game(self, game_id: str | None) -> tuple[PhoneToken, ...]:
        """Return what phones were let into a game with; None for the table itself."""
        return self._of_game.get(game_id, ())

    # What the writer does, alone.

    def carry_out(self, command: PhoneToken | RevokeTokens) -> None:
        """Let a phone in, or some out."""
        if isinstance(command, PhoneToken):
            self._let_in(command)
            self._unsaved.add(command)
        else:
            for digest in command.hashes:
                self._put_out(self.with_hash(digest))
            self._unsaved.add(TokensRevoked(command.hashes))

    def keep_seats(
        self, game_id: str, players: Sequence[str], games: Iterable[StoredGame]
    ) -> None:
        """Let everybody sit at a game whose phone has sat at a table under that name.

        *games* are all that are stored, the newest first.
        """
        for token in kept_seats(game_id, players, games, self.of_game):
            self.carry_out(token)

    def drop_game(self, game_id: str) -> None:
        """Forget who was let in for a game that is no more."""
        self._put_out(self.of_game(game_id))

    def reread(self) -> None:
        """Take what the file holds, where it could not be read before.

        Raises:
            StoreTrouble: It cannot be read now.
        """
        tokens = self._store.tokens()
        self._put_out(self.tokens)
        for token in tokens:
            self._let_in(token)

    def _let_in(self, token: PhoneToken) -> None:
        of_hash = _without(token, self.with_hash(token.hash))
        of_game = _without(token, self.of_game(token.game_id))
        self._of_hash[token.hash] = (*of_hash, token)
        self._of_game[token.game_id] = (*of_game, token)

    def _put_out(self, tokens: Iterable[PhoneToken]) -> None:
        for token in tokens:
            of_hash = _without(token, self.with_hash(token.hash))
            of_game = _without(token, self.of_game(token.game_id))
            _set_or_drop(self._of_hash, token.hash, of_hash)
            _set_or_drop(self._of_game, token.game_id, of_game)


def kept_seats(
    game_id: str,
    players: Sequence[str],
    games: Iterable[StoredGame],
    tokens_of: Callable[[str], Sequence[PhoneToken]],
) -> list[PhoneToken]:
    """Return what lets phones sit at a game under the names that they sat at before.

    A name is looked for in the newest game at which a phone sat for it, whatever was
    played; where the host has freed that seat since, its phone stays away.

    Args:
        game_id: The game that comes to lie on the table.
        players: Its players by seat.
        games: All that are stored, the newest first.
        tokens_of: Gives what phones were let into a game with.
    """
    # A name that was deleted has become a number, of which nobody knows whose it was.
    wanted = {
        common_form(name): n for n, name in enumerate(players) if not name.isdigit()
    }
    kept = []
    for game in games:
        if not wanted:
            break
        if game.id == game_id:
            continue
        tokens = tokens_of(game.id)
        for seat, name in enumerate(game.players):
            sat = [token for token in tokens if token.seat == seat]
            if sat and common_form(name) in wanted:
                place = wanted.pop(common_form(name))
                kept += [
                    PhoneToken(token.hash, token.role, place, game_id)
                    for token in sat
                    if token.role == "seat"
                ]
    return kept


def _set_or_drop(
    found: dict[K, tuple[PhoneToken, ...]], key: K, tokens: tuple[PhoneToken, ...]
) -> None:
    """Keep *tokens*; of none nothing is left, or each that ever came would stay."""
    if tokens:
        found[key] = tokens
    else:
        found.pop(key, None)


def _without(
    token: PhoneToken, found: tuple[PhoneToken, ...]
) -> tuple[PhoneToken, ...]:
    """Return all but what this phone was let into this game with."""
    at = (token.hash, token.game_id)
    return tuple(one for one in found if (one.hash, one.game_id) != at)
