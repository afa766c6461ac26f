"""Which move of 8 Dragons is likeliest: a whole dragon, the pair, the fullest hand."""

from typing import Any

from companion.dashboard.boards.likely import Likely
from companion.games.eight_dragons.state import (
    AFTER,
    BACK,
    FIRST,
    Decide,
    Decline,
    Draw,
    EndTurn,
    FreeToken,
    Grab,
    Lay,
    Miss,
    Phase,
    PlaceToken,
    Report,
    Return,
    Shift,
    State,
    Swap,
    Take,
    Turn,
    TurnBack,
)

DO = "eight_dragons.do"
MISS = "eight_dragons.move.miss"
PAIR = (Take, TurnBack, Shift, Swap)
ASKED = (
    (f"{DO}.return", (Return,)),
    (f"{DO}.may_lay", (Lay,)),
    (f"{DO}.turn", (Turn, Miss)),
    (f"{DO}.turn_second", (Turn,)),
    (f"{DO}.nothing_to_turn", (EndTurn,)),
    (f"{DO}.pair_shape", PAIR),
    (f"{DO}.pair_colour", PAIR),
    (f"{DO}.rest_of_pair", PAIR),
    (f"{DO}.turn_back", (TurnBack,)),
    (f"{DO}.draw", (Draw, Decline)),
    (f"{DO}.grab", (Grab, Decline)),
    (f"{DO}.exchange", (Grab, Decline)),
    (f"{DO}.give", (Draw,)),
    (f"{DO}.again", (Turn, Miss, EndTurn)),
    (f"{DO}.end", (EndTurn,)),
    (f"{DO}.look", (Report,)),
    (f"{DO}.ask_pair_left", (Decide,)),
    (f"{DO}.ask_barren", (Decide,)),
    (f"{DO}.ask_dead_end", (Decide,)),
    (f"{DO}.may_block", (PlaceToken,)),
    (f"{DO}.may_free", (FreeToken,)),
)


def worth(state: State, move: Any) -> int:
    """Return how many cards the hand holds that is drawn from; all see their backs."""
    if isinstance(move, Draw | Grab):
        return len(state.hands[move.source])
    return 0


def at_one_go(state: State) -> tuple[str, tuple[Any, ...]]:
    """Return what ends a turn without a pair, or takes both cards of one.

    Without a pair both go back, and nobody has to name them first.

    Source: rulebook l. 72-74.
    """
    if state.phase is Phase.PAIR and len(state.up) == 2:
        return "boards.eight_dragons.take_both", tuple(map(Take, state.up))
    if state.phase is FIRST or (state.phase is AFTER and state.again):
        return MISS, (Miss(),)
    if state.phase is not BACK or len(state.up) != 2:
        return "", ()
    backs = (TurnBack(place) for place in state.up)
    return MISS, (*backs, EndTurn())


LIKELY = Likely(ASKED, worth)
