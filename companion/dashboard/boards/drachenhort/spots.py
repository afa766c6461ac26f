"""Which places of Drachenhort's board a move concerns, and where they are drawn."""

from typing import Any

from companion.dashboard.boards import way
from companion.dashboard.boards.drachenhort.draw import (
    EXIT_Y,
    FIRST_ROW_Y,
    ROOM_Y,
    Passage,
)
from companion.dashboard.boards.tapping import Area, Spots
from companion.games.drachenhort.rules import apply
from companion.games.drachenhort.state import (
    HALL,
    OFF,
    START,
    Advance,
    MoveDragon,
    Rank,
    State,
)
from companion.words import Words

EXIT = "exit"


def spots(state: State, move: Any) -> Spots:
    """Return where a figure stands and where it comes to stand, as cells.

    The halves of a cell are too small for a finger.
    """
    match move:
        case Advance():
            index = state.setting.box.adventurers.index(move.adventurer)
            after, _ = apply(state, move)
            cell = after.cells[index]
            out = cell == OFF or after.round != state.round
            return _spot(state.cells[index]), EXIT if out else _spot(cell)
        case Rank():
            index = state.setting.box.adventurers.index(move.adventurer)
            return () if state.cells[index] == OFF else (_spot(state.cells[index]),)
        case MoveDragon():
            return (_spot(state.dragon),)
        case _:
            return ()


def _spot(cell: int) -> str:
    return f"cell-{cell}"


def areas(state: State, drawing: Passage, words: Words) -> dict[str, Area]:
    """Return where every cell lies, with both rooms and the way out."""
    (hall, *_), (start, *_), (leave, x, y) = drawing.labels
    found = {
        _spot(HALL): Area(hall, 52, 39, 92, 66),
        _spot(START): Area(start, 231, 39, 246, 66),
    }
    for number in range(1, len(state.board.cells) + 1):
        x, y = way.middle(number, FIRST_ROW_Y)
        name = words.say("boards.tap.cell", {"number": number})
        found[_spot(number)] = Area(name, x, y, 56, 68)
    found[EXIT] = Area(leave, x, y + EXIT_Y, 60, 46)
    assert ROOM_Y < FIRST_ROW_Y
    return found
