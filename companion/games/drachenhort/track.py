"""Counting cells: where a throw, a trap and the dragon lead.

Nothing is moved here; every function answers with the number of a cell. Numbers past
`Board.last` lie outside: the first of them is the exit, the others are steps to spare.
"""

from companion.games.drachenhort.box import Board
from companion.games.drachenhort.pieces import (
    ANY_LIGHT,
    DRAGON_FIRST,
    DRAGON_LATER,
    HALVES,
    LIT,
    TRAP_STEPS,
)
from companion.games.drachenhort.state import HALL, OFF, START, State


def walk(last: int, others: tuple[int, ...], here: int, steps: int) -> int:
    """Return the cell that lies *steps* free cells ahead of *here*.

    Cells where *others* stand are stepped over and not counted. Past the *last* cell
    everything is free.

    Source: rulebook l. 107; ruling DH12 for the cells past the last.
    """
    while steps and here < last:
        here += 1
        if here not in others:
            steps -= 1
    return here + steps


def others(state: State, index: int) -> tuple[int, ...]:
    """Return the cells of everybody else.

    The cell that the adventurer itself is leaving counts as free (ruling DH29).
    """
    return state.cells[:index] + state.cells[index + 1 :]


def is_trap(board: Board, cell: int) -> bool:
    """Tell whether *cell*, counted from 1, is a trap."""
    return cell <= board.last and board.cells[cell - 1].trap


def spring(state: State, taken: tuple[int, ...], trap: int) -> int:
    """Return the cell where a trap puts its victim.

    Three free cells ahead of the dragon, whose own cell never counts; from another trap
    one on. That may lie ahead of the trap, or past the last cell.

    Source: rulebook l. 119; rulings DH6, DH7, DH8, DH13, DH27, DH29.
    """
    board, options = state.board, state.setting.options
    dragon = state.dragon if options.start_counts else max(state.dragon, START)
    there = walk(board.last, taken, dragon, TRAP_STEPS)
    while is_trap(board, there):
        there = there + 1 if options.next_cell else walk(board.last, taken, there, 1)
    return there if options.trap_forward else min(there, trap)


def is_lit(board: Board, cell: int, *, arriving: bool) -> bool:
    """Tell whether an adventurer on *cell* stands in light.

    Who arrives goes into the dark half where the cell has one; before the dragon
    moves, everybody goes into the lit half where there is one. The start room is lit.

    Source: rulebook l. 91, 109, 147, 153; rulings DH4, DH9, DH21.
    """
    if cell == OFF:
        return False
    if cell == START:
        return True
    light = board.cells[cell - 1].light
    return light is LIT or (light is HALVES and not arriving)


def movers(state: State) -> list[int]:
    """Return which adventurers the throw may move.

    Source: rulebook l. 91-93, 103-105, 157; rulings DH12, DH24.
    """
    if state.pips == ANY_LIGHT:
        able = [index for index, cell in enumerate(state.cells) if cell != OFF]
    else:
        able = [index for index, lit in enumerate(state.lit) if lit]
    if state.setting.options.exact_exit:
        out = state.board.last + 1
        able = [index for index in able if destination(state, index) <= out]
    return able


def destination(state: State, index: int) -> int:
    """Return the cell that the throw leads an adventurer to, before any trap.

    Source: rulebook l. 107.
    """
    taken = others(state, index)
    return walk(state.board.last, taken, state.cells[index], state.pips)


def dragon_stop(state: State) -> int:
    """Return the cell where the dragon's next move ends.

    One cell out of the hall, later five; the first adventurer stops it. The dragon
    counts all cells, traps and dark ones too.

    Source: rulebook l. 148, 154, 187; rulings DH14, DH16.
    """
    steps = DRAGON_FIRST if state.dragon == HALL else DRAGON_LATER
    reach = state.dragon + steps
    ahead = (cell for cell in state.cells if state.dragon < cell <= reach)
    return min(ahead, default=reach)
