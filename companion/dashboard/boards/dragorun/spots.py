"""Which places of Dragorun's track a move concerns, and where they are drawn."""

from typing import Any

from companion.dashboard.boards.dragorun.draw import Track
from companion.dashboard.boards.tapping import Area, Spots
from companion.games.dragorun.box import SNAIL_CELL, UNPLACED
from companion.games.dragorun.state import Deal, MoveDragon, Place, State, Swap
from companion.words import Words


def spots(state: State, move: Any) -> Spots:
    """Return the cell of the dragon that is meant, and the one that it goes to."""
    match move:
        case MoveDragon():
            return (*_under(state, move.dragon), _spot(move.cell))
        case Place():
            return (_spot(move.cell),)
        case Swap() | Deal():
            return _under(state, move.dragon)
        case _:
            return ()


def _under(state: State, dragon: Any) -> Spots:
    cell = state.cells[state.index(dragon)]
    return () if cell == UNPLACED else (_spot(cell),)


def _spot(cell: int) -> str:
    return f"cell-{cell}"


def areas(_state: State, drawing: Track, words: Words) -> dict[str, Area]:
    """Return where every cell lies, and the snail's field."""
    snail = words.say("boards.tap.snail")
    found = {_spot(SNAIL_CELL): Area(snail, 180, drawing.snail_y, 344, 60)}
    for number, cell in enumerate(drawing.cells, start=1):
        name = words.say("boards.tap.cell", {"number": number})
        found[_spot(number)] = Area(name, cell.x, cell.y)
    return found
