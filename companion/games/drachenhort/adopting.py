"""Reads a position off the table, where that and not the record is right.

What a hand cannot have left there is not sorted out here but reported by `checks`.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.core import with_value
from companion.games.drachenhort.layout import DRAGON, JEWEL, dragon_place
from companion.games.drachenhort.pieces import MEDALS, Metal
from companion.games.drachenhort.state import (
    HALL,
    OFF,
    START,
    State,
)
from companion.table import Layout, Piece, Place


def adopt(state: State, lying: Layout) -> State | None:
    """Return *state* as it would be if this lies there; None if a figure is nowhere.

    A jewel that is gone was won by the seat in turn, as nobody else takes one; one that
    lies there again is given back by it.

    Source: rulebook l. 95 (the medals), 107-109 (the halves), 113 (the jewels).
    """
    where = {piece: place for piece, _, place in lying}
    spots = dict(_spots(state.board.last))
    heroes = state.setting.box.adventurers
    stands = [
        (OFF, False) if where[hero] == f"score/{hero}" else spots.get(where[hero])
        for hero in heroes
        if hero in where
    ]
    found = [stand for stand in stands if stand is not None]
    dragon = _dragon(state.board.last, where)
    if dragon is None or len(found) < len(heroes):
        return None
    jewels = _jewels(state.board.last, lying)
    taken = len(state.jewels) - len(jewels)
    return replace(
        state,
        cells=tuple(cell for cell, _ in found),
        lit=tuple(lit for _, lit in found),
        dragon=dragon,
        jewels=jewels,
        won=with_value(state.won, state.seat, state.won[state.seat] + taken),
        medals=(_medals(state, lying, Metal.SILVER), _medals(state, lying, Metal.GOLD)),
    )


def _spots(last: int) -> Iterator[tuple[Place, tuple[int, bool]]]:
    """Yield each place of an adventurer, with its cell and whether it is lit."""
    yield "start", (START, True)
    for cell in range(1, last + 1):
        yield f"cell/{cell}/light", (cell, True)
        yield f"cell/{cell}/dark", (cell, False)


def _dragon(last: int, where: dict[Piece, Place]) -> int | None:
    cells = range(HALL, last + 1)
    return next((c for c in cells if dragon_place(c) == where.get(DRAGON)), None)


def _jewels(last: int, lying: Layout) -> tuple[int, ...]:
    cells = range(START, last + 1)
    return tuple(cell for cell in cells if (JEWEL, None, f"cell/{cell}") in lying)


def _medals(state: State, lying: Layout, metal: Metal) -> tuple[int, ...]:
    return tuple(
        next((m for m in MEDALS if (f"{metal}/{m}", None, f"score/{hero}") in lying), 0)
        for hero in state.setting.box.adventurers
    )
