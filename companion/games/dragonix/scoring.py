"""How a game stands and how it ended: cards left, or deserters when playing alone.

Source: rulebook l. 17, 104-111; rulings DX29, DX30.
"""

from companion.games.core import Cite, Outcome, Score
from companion.games.dragonix.options import BOOK
from companion.games.dragonix.pieces import HERO
from companion.games.dragonix.state import OVER, State
from companion.table import LinePart

GRADES = ((0, "none"), (4, "few"), (8, "fair"), (15, "failure"))
"""The most deserters of each grade but the worst. Source: rulebook l. 106-111."""

WORST = "carnage"
GOOD = ("none", "few", "fair")
"""The grades that the book does not call a failure."""


def deserters(state: State) -> int:
    """Return how many cards beside the board count. Source: l. 104; ruling DX30."""
    if state.setting.options.heroes_desert:
        return len(state.deserters)
    return sum(card != HERO for card in state.deserters)


def grade(number: int, *, nine_is_fair: bool) -> str:
    """Return the grade of a number of deserters.

    The book leaves nine out, and fifteen is not yet more than fifteen.

    Source: rulebook l. 106-111; ruling DX29.
    """
    if nine_is_fair and number == GRADES[2][0] + 1:
        return GRADES[2][1]
    return next((name for most, name in GRADES if number <= most), WORST)


def scores(state: State) -> tuple[Score, ...]:
    """Return how many cards each seat has left, or the deserters of one alone.

    Fewer is better. Both are open to all, so they are always exact.
    """
    if state.setting.solo:
        n = deserters(state)
        part = LinePart("dragonix.part.deserters", (("n", n),))
        return (Score(0, n, n, ((part, n),)),)
    left = (side.hand + side.camp for side in state.sides)
    return tuple(
        Score(seat, n, n, ((LinePart("dragonix.part.cards_left", (("n", n),)), n),))
        for seat, n in enumerate(left)
    )


def outcome(state: State) -> Outcome | None:
    """Return who has no card left or, alone, how well it went.

    Source: rulebook l. 17, 104-111; rulings DX1, DX29, DX31.
    """
    if state.phase is not OVER:
        return None
    if not state.setting.solo:
        return Outcome((state.seat,), "dragonix.end.no_card_left", Cite(BOOK, 17, 17))
    n = deserters(state)
    name = grade(n, nine_is_fair=state.setting.options.nine_is_fair)
    winners = (0,) if name in GOOD else ()
    reason = f"dragonix.end.{name}"
    return Outcome(winners, reason, Cite(BOOK, 104, 111), (("n", n),))
