"""The stand-in tables: where each game's pieces lie when no box is there.

Values only: places in millimetres and what our own pieces look like. The drawn table is
drawn from them, and the camera reads by them.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from companion.demo.tables import (
    drachenhort,
    dragon_run,
    dragonix,
    dragorun,
    eight_dragons,
)
from vision.tabletop.plan import Plan


class DrawnGame(Struct, frozen=True):
    """One game's table: its plan for a box, and the ground that lies under a state."""

    game: str
    table: Callable[[Any], Plan]
    ground: Callable[[Any], str]


DRAWN_GAMES = (
    DrawnGame("drachenhort", drachenhort.table, drachenhort.ground),
    DrawnGame("dragon_run", dragon_run.table, dragon_run.ground),
    DrawnGame("dragonix", dragonix.table, dragonix.ground),
    DrawnGame("dragorun", dragorun.table, dragorun.ground),
    DrawnGame("eight_dragons", eight_dragons.table, eight_dragons.ground),
)


def find(game: str) -> DrawnGame | None:
    """Return the table of a game; None for one that has none yet."""
    return next((one for one in DRAWN_GAMES if one.game == game), None)
