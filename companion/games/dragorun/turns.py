"""A player's turn: throw, throw again, move a dragon, swap markers, draw an egg.

Source: rulebook l. 81-148.
"""

from msgspec.structs import replace

from companion.games.core import NotNow, with_value
from companion.games.dragorun import eggs, races, track
from companion.games.dragorun.box import SNAIL_CELL, Cell
from companion.games.dragorun.events import (
    DragonMoved,
    DragonOnSnailCell,
    DragonStayed,
    EggDrawn,
    Event,
    MarkersSwapped,
    MarkerTaken,
    NobodyMoved,
    Thrown,
    ThrownAgain,
)
from companion.games.dragorun.pieces import WHITE, Colour, Egg, Step
from companion.games.dragorun.state import (
    BOUND,
    DRAW,
    EGG,
    KEEP,
    State,
    next_seat,
    seat_of,
)


def throw(state: State, colour: Colour, step: Step, events: list[Event]) -> State:
    """Take note of the first throw; using it or not is open.

    Source: rulebook l. 85.
    """
    _check_face(state, colour)
    events.append(Thrown(state.seat, colour, step))
    return replace(state, phase=KEEP, colour=colour, step=step)


def _check_face(state: State, colour: Colour) -> None:
    if colour is not WHITE:
        state.index(colour)


def throw_again(state: State, colour: Colour, step: Step, events: list[Event]) -> State:
    """Take note of the second throw, which binds; where it moves nobody, go on.

    Source: rulebook l. 85, 105, 109; ruling DG24.
    """
    _check_face(state, colour)
    events.append(ThrownAgain(state.seat, colour, step))
    bound = replace(state, phase=BOUND, colour=colour, step=step)
    if not track.moves_nobody(bound):
        return bound
    if colour is WHITE:
        events.append(NobodyMoved(state.seat))
    else:
        _tell_stay(bound, state.index(colour), step, events)
    return races.begin_turn(bound, next_seat(state), events)


def move(state: State, dragon: Colour, cell: Cell, events: list[Event]) -> State:
    """Set a dragon on a cell, as the throw or the egg wants it, and end the turn.

    Source: rulebook l. 97-113, 131, 135, 152.
    """
    index = state.index(dragon)
    finish = state.setting.box.finish
    if not SNAIL_CELL <= cell <= finish:
        raise NotNow(f"there is no cell {cell} on this track")
    if cell == state.cells[index]:
        if (index, cell) not in track.targets(state):
            raise NotNow(f"the {dragon} dragon has no reason to stay")
        _tell_stay(state, index, _orders(state), events)
        return _done(state, events)
    if cell in state.cells and cell != SNAIL_CELL:
        raise NotNow(f"another dragon stands on cell {cell}")
    if cell == SNAIL_CELL:
        events.append(DragonOnSnailCell(dragon))
    elif cell < finish:
        events.append(DragonMoved(dragon, cell))
    cells, line = track.put_on(state, index, cell)
    moved = replace(state, cells=cells, line=line)
    if cell == finish:
        return races.finish(moved, index, events)
    return _done(moved, events)


def _orders(state: State) -> Step:
    return (
        track.egg_orders(state)[1] if state.phase is EGG else track.dice_shown(state)[1]
    )


def _tell_stay(state: State, index: int, step: Step, events: list[Event]) -> None:
    dragon = state.setting.dragons[index]
    events.append(DragonStayed(dragon, track.why_stays(state, index, step)))


def _done(state: State, events: list[Event]) -> State:
    if state.phase is EGG:
        state = eggs.collect(state, events)
    return races.begin_turn(state, next_seat(state), events)


def swap(state: State, dragon: Colour, events: list[Event]) -> State:
    """Take a dragon's marker and lay it face down; its rider, if any, gets one's own.

    Who is swapped with has no say (DG26) and no shelter (DG11), and keeps the eggs in
    front, as they lie by the player and not by the marker (DG27). A marker left beside
    the board may be taken at once by the next player (DG28).

    Source: rulebook l. 121.
    """
    index, mine, seat = state.index(dragon), state.mine, state.seat
    if index == mine:
        raise NotNow(f"the {dragon} marker is the player's own")
    rider = seat_of(state, index)
    markers, hidden = (
        with_value(state.markers, seat, index),
        with_value(state.hidden, seat, True),
    )
    own = state.setting.dragons[mine]
    if rider is None:
        events.append(MarkerTaken(seat, dragon, own))
    else:
        events.append(MarkersSwapped(seat, dragon, rider, own))
        markers = with_value(markers, rider, mine)
        hidden = with_value(hidden, rider, state.setting.options.both_hidden)
    return replace(state, phase=DRAW, markers=markers, hidden=hidden)


def draw(state: State, egg: Egg, events: list[Event]) -> State:
    """Reveal an egg, which may move a dragon, and keep it.

    A snail that finds its dragon last already moves nothing (ruling DG14).

    Source: rulebook l. 125-139.
    """
    if not dict(eggs.supply(state)).get(egg):
        raise NotNow(f"no {egg} egg is left in the supply")
    events.append(EggDrawn(state.seat, egg))
    held = with_value(state.eggs, state.seat, (*state.eggs[state.seat], egg))
    drawn = replace(state, phase=EGG, eggs=held, drawn=state.drawn + 1)
    if egg is Egg.MUSHROOM:
        return _done(drawn, events)
    target = track.targets(drawn)[0]
    if track.stays(drawn, target):
        _tell_stay(drawn, target[0], track.egg_orders(drawn)[1], events)
        return _done(drawn, events)
    return drawn
