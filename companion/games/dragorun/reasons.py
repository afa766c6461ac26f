"""By which rule a dragon goes where it goes, or stays where it is.

A ruling is named only where it speaks of the case at hand: the book itself is plain
about a leader that the trophy leaves in front.
"""

from companion.games.core import Cite, Grounds
from companion.games.dragorun.box import SNAIL_CELL
from companion.games.dragorun.events import Why
from companion.games.dragorun.options import BOOK
from companion.games.dragorun.pieces import BACK, SNAIL, TROPHY, Step
from companion.games.dragorun.state import DRAW, EGG, State


def grounds_on(first: int, last: int, *rulings: int) -> Grounds:
    """Return grounds by the lines and the numbers of their rulings."""
    return Grounds(Cite(BOOK, first, last), tuple(f"DG{n}" for n in rulings))


def why_there(state: State, step: Step, wanted: int) -> Grounds:
    """Return by what a face of the die leads to the cell *wanted*.

    Source: rulebook l. 97-113, 131, 135; rulings DG1, DG2, DG3, DG15, DG25.
    """
    if state.phase is EGG:
        return grounds_on(135, 135, 3) if step is SNAIL else grounds_on(131, 131, 15)
    # Whoever goes to the snail cell may find others there.
    joins = wanted == SNAIL_CELL == min(state.cells)
    if step is BACK:
        return grounds_on(97, 101, 2) if joins else grounds_on(101, 101, 1)
    if step is TROPHY:
        level = len(set(state.cells)) == 1
        return grounds_on(105, 113, 25) if level else grounds_on(105, 105)
    if step is SNAIL:
        return grounds_on(109, 113) if joins else grounds_on(109, 109, 3)
    return grounds_on(97, 97)


def why_it_stays(state: State, index: int, why: Why) -> Grounds:
    """Return by what a dragon stays.

    Source: rulebook l. 101-113, 135, 152; rulings DG1, DG2, DG4, DG6, DG7, DG14, DG25.
    """
    match why:
        case Why.FIRST:
            level = len(set(state.cells)) == 1
            return grounds_on(105, 113, 25) if level else grounds_on(105, 105)
        case Why.LAST:
            return _last(state)
        case Why.NO_WAY_BACK:
            return _no_way_back(state, state.cells[index])
        case Why.NOT_EXACT:
            return grounds_on(152, 152, 7)
        case _:  # barred from the finish
            return grounds_on(105, 105, 6)


def _last(state: State) -> Grounds:
    if state.phase in (DRAW, EGG):
        return grounds_on(135, 135, 14)
    if state.cells.count(min(state.cells)) == 1:
        return grounds_on(109, 109)
    # On the snail cell several are last together, as long as a table says so.
    together = state.setting.options.last_on_snail == "all"
    return grounds_on(109, 113, 4) if together else grounds_on(109, 113)


def _no_way_back(state: State, here: int) -> Grounds:
    if here == SNAIL_CELL:
        return grounds_on(101, 101)  # nothing lies behind it
    if here - 1 > SNAIL_CELL and not state.setting.options.back_skips:
        return grounds_on(101, 101, 1)
    return grounds_on(97, 101, 2)
