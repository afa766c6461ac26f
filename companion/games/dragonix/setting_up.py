"""What to lay where before the first turn; who begins shows itself at the end of it.

Source: rulebook l. 23-30, 100, 118.
"""

from companion.games.core import Cite, Config, SetupStep
from companion.games.dragonix.options import BOOK, resolve
from companion.games.dragonix.pieces import ARMIES, HAND, HERO_AT_START, HEROES, TROOPS
from companion.table import LinePart, Params


def setting_up(config: Config) -> tuple[SetupStep, ...]:
    """Return the steps for this many players, or for one who plays alone.

    Source: rulebook l. 23-30, 100, 117-118; rulings DX32, DX35.
    """
    if config.seats == 1:
        return _alone(config)
    three = config.seats == 3
    heroes = HEROES // config.seats
    cards = (TROOPS + HEROES - len(ARMIES)) // config.seats
    tokens = "tokens_two" if config.seats == 2 else "tokens"
    return (
        _step("board", 23),
        _step("heroes_three" if three else "heroes", 24, ("n", heroes)),
        _step("armies_three" if three else "armies", 25),
        _step("camps", 26, ("number", cards)),
        _step(tokens, 27, to=28),
        _step("red", 29),
        _step("first", 30, ("number", HAND), ("value", HERO_AT_START)),
    )


def _alone(config: Config) -> tuple[SetupStep, ...]:
    cards = TROOPS + HEROES - len(ARMIES)
    both = resolve(config).variant
    return (
        _step("board", 23),
        _step("heroes_alone", 24),
        _step("armies", 25),
        _step("camp_alone", 100, ("number", cards)),
        _step("tokens_alone", 100),
        _step("both_dragons", 118) if both else _step("red", 102),
        _step("hand_alone", 90, ("number", HAND)),
    )


def _step(name: str, line: int, *params: tuple[str, int], to: int = 0) -> SetupStep:
    values: Params = params
    cite = Cite(BOOK, line, max(line, to))
    return SetupStep(LinePart(f"{BOOK}.setup.{name}", values), cite)
