"""Counting cells: where a throw or an egg leads a dragon, and who is first and last.

Nothing is moved here. A number past the finish never comes out: crossing the line is
reaching the finish cell (ruling DG7).
"""

from companion.games.core import with_value
from companion.games.dragorun.box import SNAIL_CELL, Cell
from companion.games.dragorun.events import Why
from companion.games.dragorun.pieces import (
    AHEAD,
    BACK,
    DRAGONS,
    ONE,
    SNAIL,
    TROPHY,
    WHITE,
    Colour,
    Egg,
    Step,
)
from companion.games.dragorun.state import (
    EGG,
    State,
)

ALL = range(DRAGONS)


def targets(state: State) -> tuple[tuple[int, Cell], ...]:
    """Return which dragons the throw or the egg may move, each with its cell.

    A cell of its own means that the dragon stays. Only in a turn that waits for it.

    Source: rulebook l. 91, 131, 135; rulings DG15, DG23, DG31, DG32.
    """
    if state.phase is EGG:
        index, step = egg_orders(state)
        return ((index, destination(state, index, step)),)
    colour, step = dice_shown(state)
    if colour is not WHITE:
        index = state.setting.dragons.index(colour)
        return ((index, destination(state, index, step)),)
    every = [(index, destination(state, index, step)) for index in ALL]
    if state.setting.options.joker_must_move:
        moving = [target for target in every if not stays(state, target)]
        every = moving or every
    return tuple(every)


def stays(state: State, target: tuple[int, Cell]) -> bool:
    """Tell whether a target of `targets` leaves its dragon where it is."""
    index, cell = target
    return state.cells[index] == cell


def moves_nobody(state: State) -> bool:
    """Tell whether the throw leaves every dragon that it may move where it is.

    Source: rulebook l. 101, 105, 109.
    """
    colour, step = dice_shown(state)
    named = ALL if colour is WHITE else (state.setting.dragons.index(colour),)
    return all(destination(state, index, step) == state.cells[index] for index in named)


def dice_shown(state: State) -> tuple[Colour, Step]:
    """Return what the dice show, in a turn where they have been thrown."""
    assert state.colour is not None  # for the type checker: `check` tells else
    assert state.step is not None
    return state.colour, state.step


def egg_orders(state: State) -> tuple[int, Step]:
    """Return which dragon the egg just drawn moves, and as which face of the die.

    The snail strikes the dragon that its finder has just taken over.

    Source: rulebook l. 131, 135; ruling DG10.
    """
    egg = state.eggs[state.seat][-1]
    if egg is Egg.SNAIL:
        return state.mine, SNAIL
    return state.setting.dragons.index(Colour(egg.value)), ONE


def destination(state: State, index: int, step: Step) -> Cell:
    """Return the cell where a face of the movement die leads a dragon.

    Source: rulebook l. 97-113.
    """
    here = state.cells[index]
    if step is BACK:
        return _back(state, here)
    if step is TROPHY:
        return _to_the_front(state, here)
    if step is SNAIL:
        return _to_the_rear(state, here)
    return _ahead(state, here, AHEAD[step])


def _ahead(state: State, here: Cell, steps: int) -> Cell:
    """Return the cell that lies *steps* free cells ahead, or the finish before it.

    Source: rulebook l. 97, 152; rulings DG7, DG15.
    """
    taken, finish = state.cells, state.setting.box.finish
    cell = here
    while steps:
        cell += 1
        if cell == finish:
            too_far = steps > 1 and state.setting.options.exact_finish
            return here if too_far else finish
        if cell not in taken:
            steps -= 1
    return cell


def _back(state: State, here: Cell) -> Cell:
    """Return the nearest free cell behind; the snail cell always has room.

    Source: rulebook l. 97, 101; rulings DG1, DG2.
    """
    if here == SNAIL_CELL:
        return here
    taken, options = state.cells, state.setting.options
    cell = here - 1
    while options.back_skips and cell > SNAIL_CELL and cell in taken:
        cell -= 1
    if cell not in taken or (cell == SNAIL_CELL and options.back_shares):
        return cell
    return here


def _to_the_front(state: State, here: Cell) -> Cell:
    """Return the cell just ahead of the first dragon.

    Source: rulebook l. 105; rulings DG6, DG25.
    """
    options = state.setting.options
    first = max(state.cells)
    if here == first and (
        state.cells.count(first) == 1 or not options.trophy_parts_all
    ):
        return here
    if first + 1 == state.setting.box.finish and not options.trophy_finishes:
        return here
    return first + 1


def _to_the_rear(state: State, here: Cell) -> Cell:
    """Return the cell just behind the last dragon, the snail cell at the most.

    Source: rulebook l. 109, 113; rulings DG3, DG4, DG14.
    """
    last = min(state.cells)
    if here == last:
        return here
    if last == SNAIL_CELL or state.setting.options.snail_to_end:
        return SNAIL_CELL
    return last - 1


def why_stays(state: State, index: int, step: Step) -> Why:
    """Return why that face of the die leaves a dragon where it is."""
    if step in AHEAD:
        return Why.NOT_EXACT
    if step is BACK:
        return Why.NO_WAY_BACK
    if step is SNAIL:
        return Why.LAST
    return Why.FIRST if state.cells[index] == max(state.cells) else Why.BARRED


def is_last(state: State, index: int) -> bool:
    """Tell whether a dragon is last, so that its rider may put eggs back.

    Source: rulebook l. 113, 144; ruling DG4.
    """
    here = state.cells[index]
    if here != min(state.cells):
        return False
    rule = state.setting.options.last_on_snail
    if rule == "all" or state.cells.count(here) == 1:
        return True
    return rule == "newest" and state.line[-1] == index


def put_on(
    state: State, index: int, cell: Cell
) -> tuple[tuple[Cell, ...], tuple[int, ...]]:
    """Return the cells, and the line on the snail cell, once a dragon is moved."""
    cells = with_value(state.cells, index, cell)
    line = state.line
    if index in line:
        line = tuple(other for other in line if other != index)
    if cell == SNAIL_CELL:
        line = (*line, index)
    return cells, line
