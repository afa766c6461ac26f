"""What a game begins with, what may happen next, and what a move brings about.

How a turn runs is in `turns`, how a race begins and ends in `races`, where a throw
leads in `track`, why a move is refused in `refusals`. Nothing here rolls a die.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from companion.games.core import BadSetup, Config, NotNow
from companion.games.dragorun import eggs, races, track, turns
from companion.games.dragorun.events import Event
from companion.games.dragorun.options import resolve
from companion.games.dragorun.pieces import DRAGONS, FIFTHS, NAMED, STEPS, WHITE, Colour
from companion.games.dragorun.state import (
    AGAIN,
    BOUND,
    DEAL,
    DECIDE,
    DRAW,
    EGG,
    KEEP,
    PLACE,
    TURN,
    Deal,
    Decide,
    DrawEgg,
    Move,
    MoveDragon,
    Phase,
    Place,
    RaceAgain,
    ReturnEggs,
    Setting,
    State,
    Swap,
    Throw,
    ThrowColour,
    ThrowStep,
)
from companion.table import Seat

SEATS = range(2, 6)
"""How many may play. Source: rulebook l. 34."""

FACES = {fifth: (*NAMED, fifth, WHITE) for fifth in FIFTHS}
"""What the colour die shows, by the colour of the fifth dragon. Source: l. 91."""

THROWS = {
    fifth: tuple(Throw(colour, step) for colour in faces for step in STEPS)
    for fifth, faces in FACES.items()
}
RETHROWS: dict[Colour, tuple[Move, ...]] = {
    fifth: (
        *THROWS[fifth],
        *(ThrowColour(colour) for colour in faces),
        *(ThrowStep(step) for step in STEPS),
    )
    for fifth, faces in FACES.items()
}
SWAPS = {
    fifth: tuple(Swap(colour) for colour in faces[:-1])
    for fifth, faces in FACES.items()
}


def setup(config: Config) -> State:
    """Return the first position: a race to be set up.

    Raises:
        BadSetup: The seats, the first seat or an option cannot be.

    Source: rulebook l. 34, 70-75.
    """
    if config.seats not in SEATS:
        raise BadSetup(f"{config.seats} cannot play Dragorun; 2 to 5 can")
    if config.first not in range(config.seats):
        raise BadSetup(
            f"seat {config.first} cannot begin; choose one of 0 to {config.seats - 1}"
        )
    box, options = config.box, resolve(config)
    return races.first_race(
        Setting(config.seats, config.first, box, box.dragons, options)
    )


def legal(state: State) -> Iterator[Move]:
    """Return every move that the rules allow here.

    The second throw needs no word before it: it is legal as long as the first has not
    been used, and moving a dragon is what uses a throw.
    """
    phase = state.phase
    if phase is TURN:
        return iter(_throws_or_swaps(state))
    if phase is KEEP:
        return iter([*_moves(state), *RETHROWS[state.setting.box.fifth]])
    if phase is BOUND or phase is EGG:
        return iter(_moves(state))
    return _legal_seldom(state)


def _throws_or_swaps(state: State) -> list[Move]:
    fifth = state.setting.box.fifth
    found: list[Move] = [ReturnEggs()] if eggs.may_put_back(state) else []
    found += THROWS[fifth]
    swaps = SWAPS[fifth]
    found += [swaps[index] for index in takeable(state)]
    return found


def _moves(state: State) -> list[Move]:
    dragons = state.setting.dragons
    return [MoveDragon(dragons[index], cell) for index, cell in track.targets(state)]


def _legal_seldom(state: State) -> Iterator[Move]:
    phase = state.phase
    if phase is DRAW:
        yield from (DrawEgg(egg) for egg, count in eggs.supply(state) if count)
    elif phase is PLACE or phase is DEAL:
        yield from _legal_set_up(state)
    elif phase is DECIDE:
        yield from (Decide(seat) for seat in state.winners)
    elif phase is AGAIN:
        yield RaceAgain()


def _legal_set_up(state: State) -> Iterator[Move]:
    dragons = state.setting.dragons
    if state.phase is PLACE:
        for index, cell in races.places_free(state):
            yield Place(dragons[index], cell)
    else:
        seat = races.next_dealt(state)
        for index in range(DRAGONS):
            if index not in state.markers:
                yield Deal(seat, dragons[index])


def takeable(state: State) -> tuple[int, ...]:
    """Return the dragons whose marker may be taken: none that lies face down.

    Where all lie face down, there is nothing to swap and one has to throw.

    Source: rulebook l. 121; rulings DG12, DG28.
    """
    markers, hidden = state.markers, state.hidden
    barred = [state.mine]
    if True in hidden:
        barred += [markers[seat] for seat, down in enumerate(hidden) if down]
    return tuple([index for index in range(DRAGONS) if index not in barred])


WHEN: dict[type, tuple[Phase, ...]] = {
    Place: (PLACE,),
    Deal: (DEAL,),
    Throw: (TURN, KEEP),
    ThrowColour: (KEEP,),
    ThrowStep: (KEEP,),
    MoveDragon: (KEEP, BOUND, EGG),
    Swap: (TURN,),
    DrawEgg: (DRAW,),
    ReturnEggs: (TURN,),
    Decide: (DECIDE,),
    RaceAgain: (AGAIN,),
}
"""When a move makes sense at all, even for a table that bends the rules."""


def _throw(state: State, move: Throw, events: list[Event]) -> State:
    throw = turns.throw if state.phase is TURN else turns.throw_again
    return throw(state, move.colour, move.step, events)


def _throw_colour(state: State, move: ThrowColour, events: list[Event]) -> State:
    _, step = track.dice_shown(state)
    return turns.throw_again(state, move.colour, step, events)


def _throw_step(state: State, move: ThrowStep, events: list[Event]) -> State:
    colour, _ = track.dice_shown(state)
    return turns.throw_again(state, colour, move.step, events)


HOW: dict[type, Callable[[State, Any, list[Event]], State]] = {
    Place: lambda s, move, events: races.place(s, move.dragon, move.cell, events),
    Deal: lambda s, move, events: races.deal(s, move.seat, move.dragon, events),
    Throw: _throw,
    ThrowColour: _throw_colour,
    ThrowStep: _throw_step,
    MoveDragon: lambda s, move, events: turns.move(s, move.dragon, move.cell, events),
    Swap: lambda s, move, events: turns.swap(s, move.dragon, events),
    DrawEgg: lambda s, move, events: turns.draw(s, move.egg, events),
    ReturnEggs: lambda s, _, events: eggs.put_back(s, events),
    Decide: lambda s, move, events: races.decide(s, move.seat, events),
    RaceAgain: lambda s, _, events: races.set_up_again(s, events),
}
"""What each move brings about; trying one class after another takes far longer."""


def apply(state: State, move: Move) -> tuple[State, tuple[Event, ...]]:
    """Return the state after *move* and what happened, in the order it happened.

    Rules are not judged here, so that a table may accept what `judge` refuses: a dragon
    may be set on any cell that has room.

    Raises:
        NotNow: The move makes no sense here.
    """
    if state.phase not in WHEN[type(move)]:
        raise NotNow(f"{move} makes no sense while the table waits: {state.phase}")
    events: list[Event] = []
    after = HOW[type(move)](state, move, events)
    return after, tuple(events)


def actor(state: State, move: Move) -> Seat | None:
    """Return the seat that may make *move*; None where any hand may."""
    match move:
        case Place() | Decide() | RaceAgain():
            return None
        case Deal():
            return move.seat if state.setting.options.markers_chosen else None
        case _:
            return state.seat


def chance(state: State) -> tuple[tuple[Move, Fraction], ...]:
    """Return how likely each thing is that no hand decides.

    Between throwing and swapping, or keeping and throwing again, a hand decides; each
    throw of both dice is then as likely as any other.

    Source: rulebook l. 71, 73, 91-97, 125; ruling DG22.
    """
    if state.phase is DRAW:
        left = eggs.eggs_left(state)
        odds = ((egg, count) for egg, count in eggs.supply(state) if count)
        return tuple((DrawEgg(egg), Fraction(count, left)) for egg, count in odds)
    if state.phase is DEAL and not state.setting.options.markers_chosen:
        deals = tuple(legal(state))
        return tuple((deal, Fraction(1, len(deals))) for deal in deals)
    if state.phase is TURN and not eggs.may_put_back(state) and not takeable(state):
        throws = THROWS[state.setting.box.fifth]
        return tuple((throw, Fraction(1, len(throws))) for throw in throws)
    return ()
