"""What to lay where before the first turn, and who begins.

Source: rulebook l. 41-56.
"""

from companion.games.core import Cite, Config, SetupStep
from companion.games.dragon_run.box import INVISIBILITY, REDIRECTION, Box
from companion.games.dragon_run.options import BOOK
from companion.games.dragon_run.pieces import ANGER, HAND, PLACES, SEATS
from companion.table import LinePart, Params, Value


def setting_up(config: Config) -> tuple[SetupStep, ...]:
    """Return the steps for this many players.

    With two, two talismans leave the game, and do so before the treasures are
    shuffled, whatever the place of that sentence.

    Source: rulebook l. 41-56; rulings RN1, RN23.
    """
    return (
        _step("dragon", 41, 45, ("number", ANGER[config.seats])),
        _step("heroes", 46, 47),
        _step("places", 48, 48, ("number", PLACES)),
        *_without_two_talismans(config),
        _step("treasures", 54, 54, ("number", HAND)),
        SetupStep(LinePart(f"{BOOK}.setup.first"), Cite(BOOK, 56, 56), config.first),
    )


def _without_two_talismans(config: Config) -> tuple[SetupStep, ...]:
    if config.seats > SEATS.start:
        return ()
    box: Box = config.box
    names = {special.id: special.name for special in box.specials}
    return (
        _step(
            "talismans",
            54,
            54,
            ("one", names[REDIRECTION]),
            ("other", names[INVISIBILITY]),
        ),
    )


def _step(name: str, first: int, last: int, *params: tuple[str, Value]) -> SetupStep:
    values: Params = params
    return SetupStep(LinePart(f"{BOOK}.setup.{name}", values), Cite(BOOK, first, last))
