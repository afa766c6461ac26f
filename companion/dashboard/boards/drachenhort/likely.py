"""Which move of Drachenhort is likeliest: out, to a jewel, into no trap."""

from typing import Any

from companion.dashboard.boards.likely import Likely
from companion.games.drachenhort import track
from companion.games.drachenhort.state import (
    Advance,
    FlipBoard,
    MoveDragon,
    Pass,
    Rank,
    ShowGroup,
    State,
    Throw,
)

DO = "drachenhort.do"
ASKED = (
    (f"{DO}.throw", (Throw,)),
    (f"{DO}.advance_lit", (Advance,)),
    (f"{DO}.advance_any", (Advance,)),
    (f"{DO}.may_pass", (Pass,)),
    (f"{DO}.rank_choose", (Rank,)),
    (f"{DO}.rank_draw", (Rank,)),
    (f"{DO}.dragon_first", (MoveDragon,)),
    (f"{DO}.dragon_later", (MoveDragon,)),
    (f"{DO}.flip", (FlipBoard,)),
    (f"{DO}.show", (ShowGroup,)),
)

OUT, JEWEL, ON, TRAPPED = 3, 2, 1, 0
"""Out is the best medal, a jewel a point, a trap leads back to the dragon.

Source: rulebook l. 113, 119, 159."""


def worth(state: State, move: Any) -> int:
    """Return what a step brings whoever takes it; whose group it is stays a secret."""
    if not isinstance(move, Advance):
        return 0
    index = state.setting.box.adventurers.index(move.adventurer)
    cell = track.destination(state, index)
    if cell > state.board.last:
        return OUT
    if track.is_trap(state.board, cell):
        return TRAPPED  # a jewel there is never won (ruling DH11)
    return JEWEL if cell in state.jewels else ON


LIKELY = Likely(ASKED, worth)
