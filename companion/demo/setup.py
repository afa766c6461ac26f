"""Sets a drawn table up under a camera, with a reader that was taught its pieces."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from companion.demo.drawn_table import PICTURES_S, DrawnTable
from companion.demo.simulated_players import SimulatedPlayers
from companion.demo.tables import DrawnGame
from companion.running.service import Table
from companion.watching.table_watcher import TableWatcher
from companion.watching.watcher import Hooks
from vision.camera.stillness import StillnessLimits
from vision.drawn.lessons import draw_lessons, random_pose
from vision.drawn.light import LIGHTS
from vision.drawn.tabletop import Tabletop
from vision.pips.reader import pip_limits, read_dice
from vision.tabletop.reader import TableReader
from vision.tabletop.teaching import teach_pieces

TAUGHT_WITH = 4_000
"""Added to the seed for lessons: another camera place than that of play."""


def drawn_table(
    stand_in: DrawnGame,
    box: Any,
    seed: int,
    light: str,
    pace: Callable[[], None] = lambda: None,
) -> tuple[DrawnTable, TableReader]:
    """Return a drawn table and the reader over it.

    The pieces are taught in pictures of their own, in good light and from other places
    of the camera. Each ground is seen once without pieces as the table is set up.

    Args:
        stand_in: The game's table.
        box: The copy that is played.
        seed: Any whole number: camera, crooked hands, noise.
        light: One of `vision.drawn.light.LIGHTS`.
        pace: Called before each picture.
    """
    plan = stand_in.table(box)
    pose = random_pose(plan, seed)
    tabletop = Tabletop(plan, pose, LIGHTS[light], seed)
    taught = teach_pieces(plan, draw_lessons(plan, seed + TAUGHT_WITH))
    bare = {ground.name: tabletop.picture(ground.name, ()) for ground in plan.grounds}
    rules = pip_limits()
    reader = TableReader(
        plan, pose, taught, bare, lambda picture: read_dice(picture, rules)
    )
    return DrawnTable(plan, tabletop, seed, pace), reader


THINK_S = 2.5
"""How long people of a demo think: time to look from the table to the page."""


class Watched:
    """A demo game that is refereed by sight: table, watcher and players.

    Args:
        stand_in: The game's table.
        box: The copy that is played.
        seed: Any whole number; the same one plays the same game.
        light: One of `vision.drawn.light.LIGHTS`.
        live: Whether people watch: pictures then come at their pace, and players think.
    """

    def __init__(
        self, stand_in: DrawnGame, box: Any, seed: int, light: str, live: bool
    ) -> None:
        self._stand_in = stand_in
        self._seed = seed
        self._live = live
        pace = partial(time.sleep, 1 / PICTURES_S) if live else _at_once
        self._drawn, self._reader = drawn_table(stand_in, box, seed, light, pace)
        self._watcher: TableWatcher | None = None
        self._players: SimulatedPlayers | None = None

    def watcher(self, table: Table, hooks: Hooks) -> TableWatcher:
        """Return the watcher of the drawn table for *table*."""
        rules, rim = StillnessLimits(), self._reader.framing
        self._watcher = TableWatcher(
            table, "drawn", self._drawn, self._reader, rules, framing=rim, hooks=hooks
        )
        return self._watcher

    def players(
        self, table: Table, most_acts: int | None, slips: float
    ) -> SimulatedPlayers:
        """Return the players of the game that lies on *table*; *slips* is a share."""
        story = table.snapshot.story
        assert story is not None
        self._players = SimulatedPlayers(
            table,
            self._drawn,
            self._stand_in.ground,
            story.header.meanings,
            self._seed,
            most_acts,
            partial(time.sleep, THINK_S) if self._live else _at_once,
            slips,
        )
        return self._players

    def figures(self) -> dict[str, Any]:
        """Return what came of the game, as the command prints it."""
        assert self._players is not None
        assert self._watcher is not None
        counts = self._players.counts
        delays = sorted(self._watcher.delays_s) or [0.0]
        return {
            "acts": counts.acts,
            "readings": counts.shown,
            "asked": counts.asked,
            "wrong_accepted": counts.wrong_accepted,
            "illegal": counts.illegal,
            "illegal_flagged": counts.illegal_flagged,
            "settle_to_page_ms": {
                "p50": round(1000 * delays[len(delays) // 2]),
                "p95": round(1000 * delays[int(0.95 * (len(delays) - 1))]),
            },
        }


def _at_once() -> None:
    """Wait for nobody."""
