"""Which move of Dragorun is likeliest: one's own dragon ahead, the others behind."""

from typing import Any

from companion.dashboard.boards.likely import Likely
from companion.games.dragorun.state import (
    Deal,
    Decide,
    DrawEgg,
    MoveDragon,
    Place,
    RaceAgain,
    ReturnEggs,
    State,
    Swap,
    Throw,
    ThrowColour,
    ThrowStep,
)

DO = "dragorun.do"
ASKED = (
    (f"{DO}.place", (Place,)),
    (f"{DO}.deal", (Deal,)),
    (f"{DO}.choose", (Deal,)),
    (f"{DO}.turn", (Throw, Swap)),
    (f"{DO}.throw", (Throw,)),
    (f"{DO}.to_cell", (MoveDragon,)),
    (f"{DO}.to_finish", (MoveDragon,)),
    (f"{DO}.to_snail_cell", (MoveDragon,)),
    (f"{DO}.stay", (MoveDragon,)),
    (f"{DO}.joker", (MoveDragon,)),
    (f"{DO}.may_throw_again", (Throw, ThrowColour, ThrowStep)),
    (f"{DO}.draw", (DrawEgg,)),
    (f"{DO}.decide", (Decide,)),
    (f"{DO}.again", (RaceAgain,)),
    (f"{DO}.may_return", (ReturnEggs,)),
)


def worth(state: State, move: Any) -> int:
    """Return the cells that a move gains on the others, or that a taken dragon is on.

    Everybody sees who rides which dragon, and the first at the finish ends the race for
    whoever rides it (rulebook l. 152).
    """
    match move:
        case MoveDragon():
            index = state.index(move.dragon)
            ahead = move.cell - state.cells[index]
            return ahead if index == state.mine else -ahead
        case Swap():
            return state.cells[state.index(move.dragon)]
        case _:
            return 0


LIKELY = Likely(ASKED, worth)
