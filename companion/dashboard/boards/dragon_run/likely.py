"""Which move of Dragon Run is likeliest: the exact price, and whoever holds most."""

from typing import Any

from companion.dashboard.boards.likely import Likely
from companion.games.dragon_run.box import worth as points
from companion.games.dragon_run.state import (
    PAY,
    Annul,
    Cry,
    Deal,
    Discard,
    LetPass,
    Pass,
    Point,
    Roll,
    ShowCard,
    Sneak,
    State,
    Turn,
    UsePower,
)

DO = "dragon_run.do"
ASKED = (
    (f"{DO}.deal", (Deal,)),
    (f"{DO}.act", (Turn, Sneak, Cry)),
    (f"{DO}.forced", (Turn,)),
    (f"{DO}.again", (Turn,)),
    (f"{DO}.choice", (Turn, Pass)),
    (f"{DO}.sneaked", (Turn, Pass)),
    (f"{DO}.roll", (Roll,)),
    (f"{DO}.roll_with", (Roll,)),
    (f"{DO}.roll_in_vain", (Roll,)),
    (f"{DO}.pay", (Discard,)),
    (f"{DO}.cried", (Pass,)),
    (f"{DO}.answer", (LetPass, Annul)),
    (f"{DO}.discard", (Discard,)),
    (f"{DO}.steal", (Point,)),
    (f"{DO}.swap", (Point,)),
    (f"{DO}.redirect", (Point,)),
    (f"{DO}.show", (ShowCard,)),
    (f"{DO}.power", (UsePower,)),
)


def worth(state: State, move: Any) -> int:
    """Return how many cards there are to get, or how little a payment loses.

    The backs of all hands are seen; what is paid too much is lost (rulebook l. 103).
    """
    match move:
        case Point():
            return state.hands[move.seat]
        case Discard() if state.phase is PAY:
            return -abs(points(move.treasure) - (state.need - state.paid))
        case Discard():
            return -points(move.treasure)
        case _:
            return 0


LIKELY = Likely(ASKED, worth)
