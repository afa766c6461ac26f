"""The phones that were let in, by the hashes of their tokens.

The writer of the running table alone changes it.
"""

from collections.abc import Iterable

from companion.running.snapshot import PhoneToken
from companion.running.storage.store import Store
from companion.running.unsaved import TokensRevoked, Unsaved
from companion.running.wishes import RevokeTokens


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
            self._of_hash[token.hash] = _without(token, self.with_hash(token.hash))
            self._of_game[token.game_id] = _without(token, self.of_game(token.game_id))


def _without(
    token: PhoneToken, found: tuple[PhoneToken, ...]
) -> tuple[PhoneToken, ...]:
    """Return all but what this phone was let into this game with."""
    at = (token.hash, token.game_id)
    return tuple(one for one in found if (one.hash, one.game_id) != at)
