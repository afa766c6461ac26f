"""Where things lie on the table, and how a move looks there.

Places: ``tray`` for the dice, ``track/0`` for the snail cell and so on to the finish,
``seat/1`` for a player's marker, ``pool`` for the markers beside the board and
``egg/1/3`` for a player's third egg. Eggs in the supply have no place.
"""

from collections.abc import Iterator

from companion.games.dragorun.box import UNPLACED, Cell
from companion.games.dragorun.pieces import Colour
from companion.games.dragorun.state import (
    NONE,
    TURN,
    Deal,
    DrawEgg,
    Move,
    MoveDragon,
    Place,
    ReturnEggs,
    State,
    Swap,
    Throw,
    ThrowColour,
    ThrowStep,
    seat_of,
)
from companion.table import (
    TRAY,
    Face,
    Flipped,
    Layout,
    Moved,
    Piece,
    Placed,
    Removed,
    Seat,
    Shown,
    Sight,
)
from companion.table import Place as Spot

POOL = "pool"
MOVE_DIE = "move"
COLOUR_DIE = "colour"
EGG = "egg"
FRONT, BACK = "front", "back"
"""The two sides of a marker; the pale one protects it. Source: rulebook l. 121."""


def layout(state: State) -> Layout:
    """Return what lies on the table: dice, dragons, markers, and eggs of players."""
    return frozenset(_lying(state))


def _lying(state: State) -> Iterator[tuple[Piece, Face | None, Spot]]:
    yield COLOUR_DIE, None if state.colour is None else state.colour.value, TRAY
    yield MOVE_DIE, None if state.step is None else state.step.value, TRAY
    for index, dragon in enumerate(state.setting.dragons):
        cell = state.cells[index]
        if cell != UNPLACED:
            yield dragon.value, None, track_place(cell)
        seat = seat_of(state, index)
        if seat is not None:
            side = BACK if state.hidden[seat] else FRONT
            yield marker(dragon), side, seat_place(seat)
        elif NONE not in state.markers:
            yield marker(dragon), FRONT, POOL
    for seat, held in enumerate(state.eggs):
        for number, egg in enumerate(held, start=1):
            yield EGG, egg.value, egg_place(seat, number)


def track_place(cell: Cell) -> Spot:
    """Return the place of a cell; the snail cell is the first, the finish the last."""
    return f"track/{cell}"


def seat_place(seat: Seat) -> Spot:
    """Return the place of a player's marker."""
    return f"seat/{seat}"


def egg_place(seat: Seat, number: int) -> Spot:
    """Return the place of a player's egg, the first one drawn being number 1."""
    return f"egg/{seat}/{number}"


def marker(dragon: Colour) -> Piece:
    """Return the name of a dragon's marker."""
    return f"marker/{dragon}"


def evidence(state: State, move: Move) -> frozenset[Sight]:
    """Return every change on the table that *move* makes; none if it is only entered.

    A dragon that stays leaves no trace; a second throw shows the dice that it changed.
    """
    return frozenset(_sights(state, move))


def _sights(state: State, move: Move) -> Iterator[Sight]:
    match move:
        case Throw():
            yield Shown(COLOUR_DIE, move.colour.value, TRAY)
            yield Shown(MOVE_DIE, move.step.value, TRAY)
        case ThrowColour():
            yield Shown(COLOUR_DIE, move.colour.value, TRAY)
        case ThrowStep():
            yield Shown(MOVE_DIE, move.step.value, TRAY)
        case MoveDragon():
            yield from _ride(state, move)
        case Swap():
            yield from _swap(state, move)
        case _:
            yield from _seldom(state, move)


def _seldom(state: State, move: Move) -> Iterator[Sight]:
    seat = state.seat
    match move:
        case Place():
            yield Placed(move.dragon.value, None, track_place(move.cell))
        case Deal():
            yield Placed(marker(move.dragon), FRONT, seat_place(move.seat))
        case DrawEgg():
            spot = egg_place(seat, len(state.eggs[seat]) + 1)
            yield Shown(EGG, move.egg.value, spot)
        case ReturnEggs():
            for number in range(1, len(state.eggs[seat]) + 1):
                yield Removed(EGG, egg_place(seat, number))
        case _:
            return


def _ride(state: State, move: MoveDragon) -> Iterator[Sight]:
    if move.dragon in state.setting.dragons:
        here = state.cells[state.index(move.dragon)]
        if here not in (move.cell, UNPLACED):
            yield Moved(move.dragon.value, track_place(here), track_place(move.cell))


def _swap(state: State, move: Swap) -> Iterator[Sight]:
    """Show two markers that change places, and the new one turned face down."""
    if state.phase is not TURN or move.dragon not in state.setting.dragons:
        return
    mine = seat_place(state.seat)
    rider = seat_of(state, state.index(move.dragon))
    there = POOL if rider is None else seat_place(rider)
    given = marker(state.setting.dragons[state.mine])
    yield Moved(marker(move.dragon), there, mine)
    yield Flipped(marker(move.dragon), BACK, mine)
    yield Moved(given, mine, there)
    if rider is not None and state.setting.options.both_hidden:
        yield Flipped(given, BACK, there)
