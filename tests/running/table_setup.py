"""Ready-made stories and readings for the tests of the core."""

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from companion.games import find
from companion.kits.kit import plain_die
from companion.referee.decisions import Thresholds
from companion.running.service import Table
from companion.running.snapshot import Setup
from companion.running.storage.store import Store
from companion.running.wishes import Clock, TableWitness
from companion.story.log import Header, Made, Story, begin, extend
from companion.table import Claim, Cue, Glimpse, Reading, Shown, UnsureSight

GAME = find("drachenhort")
PLAIN_DIE = plain_die(GAME)
SETUP = Setup("drachenhort", ("Ana", "Bo", "Cy"))


def new_story(players: tuple[str, ...] = ("Ana", "Bo", "Cy")) -> Story:
    header = Header("drachenhort", players, GAME.stand_in, meanings=PLAIN_DIE)
    return begin(GAME, header, at=0.0)


def played(story: Story, *moves: str) -> Story:
    """Return the story after some moves, given as notations."""
    for text in moves:
        move = GAME.parse(story.state, text)
        story = extend(story, Made(move, "test"), at=1.0)
    return story


def saw(
    *faces: str, confidence: float = 0.99, piece: str = "die", **more: Any
) -> Reading:
    glimpses = tuple(
        Glimpse(Shown(piece, face, "tray"), confidence, (0, 0, 40, 40))
        for face in faces
    )
    return Reading(glimpses, **more)


def doubted(*faces: tuple[str, float], piece: str = "die") -> Reading:
    return Reading((), (UnsureSight(piece, "tray", faces),))


def claim(story: Story, move: str, key: str, seat: int | None = None) -> Claim:
    return Claim(move, seat, story.seq, key)


@contextmanager
def running(
    folder: Path,
    cues: Callable[[Cue], object] = lambda cue: None,
    witness: TableWitness | None = None,
    monotonic: Callable[[], float] = lambda: 0.0,
) -> Iterator[Table]:
    """Run a real table on a store in *folder*, with a clock that stands still."""
    names = (f"game-{number}" for number in itertools.count(1))
    store = Store(folder / "table.sqlite3")
    fixed = Clock(monotonic=monotonic, wall=lambda: 1_000.0)
    taken = {game.id for game in store.games()}
    table = Table(
        store, {}, fixed, lambda: next(n for n in names if n not in taken),
        lambda cue, _: cues(cue), Thresholds(), witness=witness,
    )  # fmt: skip
    table.start()
    try:
        yield table
    finally:
        table.stop()
        store.close()
