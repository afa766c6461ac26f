"""What to lay where before the first throw, and who begins.

Source: rulebook l. 63-97, in the order in which hands can follow it.
"""

from companion.games.core import Cite, Config, SetupStep
from companion.games.drachenhort.box import Box
from companion.games.drachenhort.options import BOOK
from companion.games.drachenhort.pieces import JEWELS
from companion.table import LinePart, Params


def setting_up(config: Config) -> tuple[SetupStep, ...]:
    """Return the steps for this many players.

    Source: rulebook l. 63, 71-79, 89, 95-97; ruling DH25.
    """
    box: Box = config.box
    cards = len(box.groups)
    left = cards - config.seats
    groups = "groups_left" if left else "groups"
    return (
        _step("board", 63, 63),
        _step("figures", 71, 73, ("number", len(box.adventurers))),
        _step("jewels", 75, 79, ("number", JEWELS)),
        _step("scores", 95, 95),
        _step(groups, 97, 97, ("number", cards), ("n", left)),
        SetupStep(LinePart(f"{BOOK}.setup.first"), Cite(BOOK, 89, 89), config.first),
    )


def _step(name: str, first: int, last: int, *params: tuple[str, int]) -> SetupStep:
    values: Params = params
    return SetupStep(LinePart(f"{BOOK}.setup.{name}", values), Cite(BOOK, first, last))
