"""Reads a position off the table, where that and not the record is right.

What a hand cannot have left there is not sorted out here but reported by `checks`.
"""

from itertools import count, takewhile

from msgspec.structs import replace

from companion.games.dragorun.box import SNAIL_CELL, UNPLACED
from companion.games.dragorun.layout import (
    BACK,
    EGG,
    FRONT,
    egg_place,
    marker,
    seat_place,
    track_place,
)
from companion.games.dragorun.pieces import EGGS, Egg
from companion.games.dragorun.state import NONE, State
from companion.table import Face, Layout, Seat

EGG_OF: dict[Face | None, Egg] = {egg.value: egg for egg in Egg}


def adopt(state: State, lying: Layout) -> State | None:
    """Return *state* as it would be if this lies there; None if that is open.

    Two dragons that come to the snail cell at once leave open which one came last
    (DG4), and eggs that would now be all drawn ask to be put back (DG16).

    Source: rulebook l. 97-113 (the track), 121 (the markers), 125-148 (the eggs).
    """
    seats = range(state.setting.seats)
    where = {piece: place for piece, _, place in lying}
    tracks = {track_place(c): c for c in range(state.setting.box.finish + 1)}
    dragons = state.setting.dragons
    cells = tuple(tracks.get(where.get(d.value, ""), UNPLACED) for d in dragons)
    rear = [index for index, cell in enumerate(cells) if cell == SNAIL_CELL]
    came = [index for index in rear if index not in state.line]
    eggs = tuple(_eggs(lying, seat) for seat in seats)
    drawn = state.drawn + max(0, sum(map(len, eggs)) - sum(map(len, state.eggs)))
    if len(came) > 1 or drawn > max(state.drawn, EGGS - 1):
        return None
    return replace(
        state,
        cells=cells,
        line=(*(index for index in state.line if index in rear), *came),
        markers=tuple(_marker(state, lying, seat) for seat in seats),
        hidden=tuple(_lies_down(state, lying, seat) for seat in seats),
        eggs=eggs,
        drawn=drawn,
    )


def _marker(state: State, lying: Layout, seat: Seat) -> int:
    """Return which dragon the marker of a seat is for, by its number."""
    return next(
        (
            index
            for index, dragon in enumerate(state.setting.dragons)
            for side in (FRONT, BACK)
            if (marker(dragon), side, seat_place(seat)) in lying
        ),
        NONE,
    )


def _lies_down(state: State, lying: Layout, seat: Seat) -> bool:
    return any(
        (marker(dragon), BACK, seat_place(seat)) in lying
        for dragon in state.setting.dragons
    )


def _eggs(lying: Layout, seat: Seat) -> tuple[Egg, ...]:
    """Return the eggs of a seat, from its first place to the first empty one."""
    shown = {
        place: EGG_OF[face]
        for piece, face, place in lying
        if piece == EGG and face in EGG_OF
    }
    places = (egg_place(seat, number) for number in count(1))
    return tuple(shown[place] for place in takewhile(shown.__contains__, places))
