"""Setting a race up, beginning a turn, and who has won when a dragon finishes.

Source: rulebook l. 70-75, 81, 121, 139, 152-154.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.core import NotNow, with_value
from companion.games.dragorun import eggs
from companion.games.dragorun.box import UNPLACED, Cell
from companion.games.dragorun.events import (
    Disqualified,
    DragonFinished,
    DragonPlaced,
    Event,
    MarkerDealt,
    MarkerTurnedUp,
    NobodyWon,
    RaceCalled,
    RaceTied,
    RaceWon,
)
from companion.games.dragorun.pieces import DRAGONS, Colour, Egg
from companion.games.dragorun.state import (
    AGAIN,
    DEAL,
    DECIDE,
    EGG,
    NONE,
    OVER,
    PLACE,
    TURN,
    Setting,
    State,
    next_seat,
    seat_of,
)
from companion.table import Seat


def first_race(setting: Setting) -> State:
    """Return the first position: nothing stands on the track yet.

    Source: rulebook l. 70-75.
    """
    seats = setting.seats
    return State(
        setting=setting,
        race=1,
        phase=PLACE,
        seat=setting.first,
        colour=None,
        step=None,
        cells=(UNPLACED,) * DRAGONS,
        line=(),
        markers=(NONE,) * seats,
        hidden=(False,) * seats,
        eggs=((),) * seats,
        drawn=0,
        winners=(),
    )


def places_free(state: State) -> Iterator[tuple[int, Cell]]:
    """Yield each dragon to be lined up with each free start cell, foremost first.

    Source: rulebook l. 72.
    """
    for cell in reversed(state.setting.box.starts):
        if cell not in state.cells:
            for index, here in enumerate(state.cells):
                if here == UNPLACED:
                    yield index, cell


def place(state: State, dragon: Colour, cell: Cell, events: list[Event]) -> State:
    """Line a dragon up; after the fifth, the markers are dealt.

    Source: rulebook l. 72; ruling DG33.
    """
    index = state.index(dragon)
    if (index, cell) not in places_free(state):
        raise NotNow(f"the {dragon} dragon cannot be placed on cell {cell}")
    events.append(DragonPlaced(dragon, cell))
    cells = with_value(state.cells, index, cell)
    if UNPLACED in cells:
        return replace(state, cells=cells)
    placed = replace(state, cells=cells, phase=DEAL)
    return placed if NONE in state.markers else begin_turn(placed, state.seat, events)


def next_dealt(state: State) -> Seat:
    """Return the seat that gets its first marker next, clockwise from the first."""
    seats = state.setting.seats
    order = [(state.seat + n) % seats for n in range(seats)]
    return next(seat for seat in order if state.markers[seat] == NONE)


def deal(state: State, seat: Seat, dragon: Colour, events: list[Event]) -> State:
    """Give a seat its first marker; after the last one, the race begins.

    Source: rulebook l. 73-75; ruling DG22.
    """
    index = state.index(dragon)
    if index in state.markers or seat != next_dealt(state):
        raise NotNow(f"seat {seat} cannot get the {dragon} marker now")
    events.append(MarkerDealt(seat, dragon))
    dealt = replace(state, markers=with_value(state.markers, seat, index))
    return dealt if NONE in dealt.markers else begin_turn(dealt, state.seat, events)


def begin_turn(state: State, seat: Seat, events: list[Event]) -> State:
    """Hand the dice on; a marker that lay face down comes up first.

    Source: rulebook l. 81, 121; ruling DG13.
    """
    hidden = state.hidden
    if hidden[seat]:
        events.append(MarkerTurnedUp(seat, state.setting.dragons[state.markers[seat]]))
        hidden = with_value(hidden, seat, False)
    return replace(state, phase=TURN, seat=seat, colour=None, step=None, hidden=hidden)


def finish(state: State, index: int, events: list[Event]) -> State:
    """End the race that a dragon has just finished, whoever moved it.

    Source: rulebook l. 139, 152-154; rulings DG5, DG8, DG19.
    """
    events.append(DragonFinished(state.setting.dragons[index]))
    rider = _rider(state, index)
    if rider is None:
        return _nobody(state, events)
    if Egg.MUSHROOM not in state.eggs[rider]:
        return _won(state, (rider,), events)
    events.append(Disqualified(rider, state.setting.dragons[index]))
    return _won_by_second(state, heirs(state), events)


def _won_by_second(
    state: State, riders: tuple[Seat, ...], events: list[Event]
) -> State:
    tie = state.setting.options.tie
    if not riders or (len(riders) > 1 and tie == "rerun"):
        return _nobody(state, events)
    if len(riders) > 1 and tie == "decide":
        events.append(RaceTied())
        return replace(state, phase=DECIDE, colour=None, step=None, winners=riders)
    return _won(state, riders, events)


def _rider(state: State, index: int) -> Seat | None:
    """Return who wins with a dragon; a face-down marker counts too (ruling DG9)."""
    seat = seat_of(state, index)
    if seat is None or (state.hidden[seat] and not state.setting.options.hidden_counts):
        return None
    return seat


def heirs(state: State) -> tuple[Seat, ...]:
    """Return who wins once the first dragon is disqualified; several on a tie.

    Source: rulebook l. 139, 152; rulings DG5, DG19, DG20.
    """
    places = sorted(set(state.cells), reverse=True)[1:]
    considered = places[:2] if state.setting.options.third_wins else places[:1]
    for cell in considered:
        there = (index for index in range(DRAGONS) if state.cells[index] == cell)
        riders = [_rider(state, index) for index in there]
        found = sorted(seat for seat in riders if seat is not None)
        if found:
            return tuple(found)
    return ()


def decide(state: State, seat: Seat, events: list[Event]) -> State:
    """Let the table name the winner among those that are level (ruling DG5)."""
    if seat not in state.winners:
        raise NotNow(f"seat {seat} is not among those that are level")
    return _won(state, (seat,), events)


def _won(state: State, winners: tuple[Seat, ...], events: list[Event]) -> State:
    events.extend(RaceWon(seat) for seat in winners)
    return replace(state, phase=OVER, colour=None, step=None, winners=winners)


def _nobody(state: State, events: list[Event]) -> State:
    """End a race without a winner; an egg that was the last still brings all back.

    Source: rulebook l. 143, 154; rulings DG16, DG20.
    """
    events.append(NobodyWon())
    if state.phase is EGG:
        state = eggs.collect(state, events)
    return replace(state, phase=AGAIN, colour=None, step=None)


def set_up_again(state: State, events: list[Event]) -> State:
    """Set up another race, which the next player begins.

    Source: rulebook l. 70-75, 154; ruling DG21.
    """
    seat = next_seat(state)
    events.append(RaceCalled(state.race + 1, seat))
    fresh = replace(first_race(state.setting), race=state.race + 1, seat=seat)
    if not state.setting.options.rerun_keeps:
        return fresh
    return replace(
        fresh,
        markers=state.markers,
        hidden=state.hidden,
        eggs=state.eggs,
        drawn=state.drawn,
    )
