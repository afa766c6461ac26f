"""What to lay where before the first card is turned, and who begins.

Source: rulebook l. 70, 118.
"""

from companion.games.core import Cite, Config, SetupStep
from companion.games.eight_dragons.options import BOOK, resolve
from companion.table import LinePart


def setting_up(config: Config) -> tuple[SetupStep, ...]:
    """Return the steps of the long or the short game, the same for any number.

    Source: rulebook l. 70, 118; rulings ED0, ED27.
    """
    short = resolve(config).short
    laid = [_step("short", 118), _step("square", 118)] if short else [_step("grid", 70)]
    first = LinePart(f"{BOOK}.setup.first")
    return (
        *laid,
        SetupStep(first, Cite(BOOK, 70, 70), config.first),
        _step("tokens", 70),
    )


def _step(name: str, line: int) -> SetupStep:
    return SetupStep(LinePart(f"{BOOK}.setup.{name}"), Cite(BOOK, line, line))
