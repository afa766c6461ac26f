"""What is worth remembering of each stored game, reckoned once and kept.

A game's throws and points are read from its log; nothing of it is stored a second time.
"""

import logging
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from msgspec import Struct

from companion.dashboard.view.moves import AnyGame
from companion.running.snapshot import RunningTable, StoredGame
from companion.story.duration import minutes_played
from companion.story.log import Story
from companion.table import TRAY, Face, Piece, Shown

logger = logging.getLogger(__name__)

BUDGET_S = 0.4
"""How long one page may reckon; the rest waits for the next look. A game takes 10 to
60 ms on a laptop."""

Variant: TypeAlias = tuple[tuple[str, str], ...]


class Seated(Struct, frozen=True, gc=False):
    """How a game ended for one player."""

    name: str
    points: int
    won: bool


class ThrowCounts(Struct, frozen=True, gc=False):
    """How often a die showed each face, and how often a fair one would have."""

    piece: Piece
    faces: tuple[tuple[Face, int, float], ...]


class Played(Struct, frozen=True):
    """One stored game. *seats* is empty for a game that is not over.

    *variant* is what the table had set other than the rulebook, so that games by
    different rules are never counted together. It was played for so many *minutes*.
    """

    id: str
    game: str
    variant: Variant
    seats: tuple[Seated, ...]
    throws: tuple[ThrowCounts, ...]
    minutes: int = 0


def sum_up(game_id: str, story: Story) -> Played:
    """Return what is remembered of one game."""
    game, outcome = story.game, story.game.outcome(story.state)
    names, winners = story.header.players, outcome.winners if outcome else ()
    scores = game.scores(story.state) if outcome else ()
    return Played(
        id=game_id,
        game=game.id,
        variant=_variant(story),
        seats=tuple(Seated(names[s.seat], s.low, s.seat in winners) for s in scores),
        throws=_throws(story),
        minutes=minutes_played(story),
    )


def _variant(story: Story) -> Variant:
    default = {ruling.id: ruling.default for ruling in story.game.rulings}
    return tuple(
        (ruling, choice)
        for ruling, choice in story.header.options
        if choice != default.get(ruling)
    )


def _throws(story: Story) -> tuple[ThrowCounts, ...]:
    seen: Counter[tuple[Piece, Face]] = Counter()
    fair: defaultdict[tuple[Piece, Face], float] = defaultdict(float)
    states = (story.start, *(step.state for step in story.steps))
    for state, step in zip(states, story.steps, strict=False):
        if step.made.move is None:
            continue  # the table was set right by hand
        shown = _in_tray(story.game, state, step.made.move)
        if shown:
            seen.update(shown)
            for face, share in _odds(story.game, state, type(step.made.move)):
                fair[face] += share
    pieces = dict.fromkeys(piece for piece, _ in fair)
    return tuple(
        ThrowCounts(
            wanted,
            tuple(
                (face, seen[piece, face], share)
                for (piece, face), share in fair.items()
                if piece == wanted
            ),
        )
        for wanted in pieces
    )


def _in_tray(game: AnyGame, state: Any, move: Any) -> list[tuple[Piece, Face]]:
    """Return the faces of dice that *move* showed."""
    return [
        (sight.piece, sight.face)
        for sight in game.evidence(state, move)
        if isinstance(sight, Shown) and sight.place == TRAY
    ]


def _odds(
    game: AnyGame, state: Any, kind: type
) -> Iterator[tuple[tuple[Piece, Face], float]]:
    """Yield each face that a throw may show, with its chance.

    Where a game gives no odds, as a hand may do something else than throw, a die is
    fair over the faces that its throws may show.
    """
    odds = [(move, share) for move, share in game.chance(state) if type(move) is kind]
    if odds:
        for move, share in odds:
            for face in _in_tray(game, state, move):
                yield face, float(share)
        return
    faces = dict.fromkeys(
        face
        for move in game.legal(state)
        if type(move) is kind
        for face in _in_tray(game, state, move)
    )
    of_die = Counter(piece for piece, _ in faces)
    yield from ((face, 1 / of_die[face[0]]) for face in faces)


class GameSummaries:
    """Sums up stored games, each once; safe in any thread.

    Args:
        table: Gives the games.
        clock: Seconds that only ever grow, for the budget.
        budget_s: How long one call may reckon.
    """

    def __init__(
        self,
        table: RunningTable,
        clock: Callable[[], float],
        budget_s: float = BUDGET_S,
    ) -> None:
        self._table = table
        self._clock = clock
        self._budget_s = budget_s
        self._lock = threading.Lock()
        self._known: dict[tuple[str, int, tuple[str, ...]], Played | None] = {}

    def played(self) -> tuple[tuple[Played, ...], int]:
        """Return the games that are put away or over, and how many are still to sum up.

        A game that cannot be read any more is left out.
        """
        with self._lock:
            wanted = {self._key(game): game.id for game in self._settled()}
            kept = {key: self._known[key] for key in wanted if key in self._known}
            self._known = kept
            ends = self._clock() + self._budget_s
            for key, game_id in wanted.items():
                if key not in self._known:
                    self._known[key] = self._summed(game_id)
                    if self._clock() >= ends:
                        break
            found = [self._known[key] for key in wanted if key in self._known]
        return tuple(game for game in found if game), len(wanted) - len(found)

    def _settled(self) -> Iterator[StoredGame]:
        """Yield what changes no more: counting a running game would never end."""
        story, running = self._table.snapshot.story, self._table.snapshot.game_id
        over = story is None or story.game.outcome(story.state) is not None
        return (game for game in self._table.games() if game.id != running or over)

    def _summed(self, game_id: str) -> Played | None:
        try:
            return sum_up(game_id, self._table.story(game_id))
        except LookupError:
            return None
        except Exception:
            # A fault of ours with one game must not take the figures of all others.
            logger.exception("game %s could not be summed up", game_id)
            return None

    @staticmethod
    def _key(game: StoredGame) -> tuple[str, int, tuple[str, ...]]:
        return game.id, game.entries, game.players
