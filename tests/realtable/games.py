"""The traced tables by name, which begins with that of their game."""

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from companion.games import find
from tests.realtable import drachenhort, dragorun, eight_dragons, other_games
from tests.realtable.tables import RealTable

TABLES: dict[str, Callable[[Any], RealTable]] = {
    "drachenhort": drachenhort.table,
    "drachenhort-pips": partial(drachenhort.table, pips=True),
    "dragon_run": partial(other_games.table, "dragon_run"),
    "dragonix": partial(other_games.table, "dragonix"),
    "dragorun": dragorun.table,
    "eight_dragons": eight_dragons.table,
}


@cache
def traced_table(name: str) -> RealTable:
    """Return a table with the stand-in's facts."""
    return TABLES[name](find(name.partition("-")[0]).stand_in)
