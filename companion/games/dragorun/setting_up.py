"""What to lay where before the race, and who begins.

Source: rulebook l. 70-75.
"""

from companion.games.core import Cite, Config, SetupStep
from companion.games.dragorun.options import BOOK, resolve
from companion.games.dragorun.pieces import DRAGONS
from companion.table import LinePart


def setting_up(config: Config) -> tuple[SetupStep, ...]:
    """Return the steps for this many players.

    Source: rulebook l. 70-75; ruling DG22.
    """
    spare = DRAGONS - config.seats
    chosen = resolve(config).markers_chosen
    return (
        _step("board", 70),
        _step("eggs", 71),
        _step("dragons", 72),
        _step("markers_chosen" if chosen else "markers_dealt", 73),
        *([_step("spare", 74, ("n", spare))] if spare else []),
        SetupStep(LinePart(f"{BOOK}.setup.first"), Cite(BOOK, 75, 75), config.first),
    )


def _step(name: str, line: int, *params: tuple[str, int]) -> SetupStep:
    return SetupStep(LinePart(f"{BOOK}.setup.{name}", params), Cite(BOOK, line, line))
