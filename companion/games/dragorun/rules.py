"""What a game begins with, what may happen next, and what a move brings about.

How a turn runs is in `turns`, how a race begins and ends in `races`, where a throw
leads in `track`, why a move is refused in `refusals`. Nothing here rolls a die.
"""

from collections.abc import Iterator
from fractions import Fraction

from companion.games.core import BadSetup, Config
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
    NotNow,
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
    """Yield every move that the rules allow here.

    The second throw needs no word before it: it is legal as long as the first has not
    been used, and moving a dragon is what uses a throw.
    """
    phase = state.phase
    if phase is TURN:
        if eggs.may_put_back(state):
            yield ReturnEggs()
        yield from THROWS[state.setting.box.fifth]
        swaps = SWAPS[state.setting.box.fifth]
        for index in takeable(state):
            yield swaps[index]
    elif phase is KEEP or phase is BOUND or phase is EGG:
        for index, cell in track.targets(state):
            yield MoveDragon(state.setting.dragons[index], cell)
        if phase is KEEP:
            yield from RETHROWS[state.setting.box.fifth]
    else:
        yield from _legal_seldom(state)


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


def apply(state: State, move: Move) -> tuple[State, tuple[Event, ...]]:
    """Return the state after *move* and what happened, in the order it happened.

    Rules are not judged here, so that a table may accept what `judge` refuses: a dragon
    may be set on any cell that has room.

    Raises:
        NotNow: The move makes no sense here.
    """
    told: list[Event] = []
    phase = state.phase
    match move:
        case Throw() if phase is TURN:
            after = turns.throw(state, move.colour, move.step, told)
        case Throw() if phase is KEEP:
            after = turns.throw_again(state, move.colour, move.step, told)
        case MoveDragon() if phase is KEEP or phase is BOUND or phase is EGG:
            after = turns.move(state, move.dragon, move.cell, told)
        case _:
            after = _apply_seldom(state, move, told)
    return after, tuple(told)


def _apply_seldom(state: State, move: Move, told: list[Event]) -> State:
    phase = state.phase
    match move:
        case ThrowColour() if phase is KEEP:
            _, step = track.thrown(state)
            return turns.throw_again(state, move.colour, step, told)
        case ThrowStep() if phase is KEEP:
            colour, _ = track.thrown(state)
            return turns.throw_again(state, colour, move.step, told)
        case Swap() if phase is TURN:
            return turns.swap(state, move.dragon, told)
        case DrawEgg() if phase is DRAW:
            return turns.draw(state, move.egg, told)
        case ReturnEggs() if phase is TURN:
            return eggs.put_back(state, told)
        case _:
            return _apply_between_turns(state, move, told)


def _apply_between_turns(state: State, move: Move, told: list[Event]) -> State:
    phase = state.phase
    match move:
        case Place() if phase is PLACE:
            return races.place(state, move.dragon, move.cell, told)
        case Deal() if phase is DEAL:
            return races.deal(state, move.seat, move.dragon, told)
        case Decide() if phase is DECIDE:
            return races.decide(state, move.seat, told)
        case RaceAgain() if phase is AGAIN:
            return races.again(state, told)
        case _:
            raise NotNow(f"{move} makes no sense while the table waits: {phase}")


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
        left = eggs.left(state)
        odds = ((egg, count) for egg, count in eggs.supply(state) if count)
        return tuple((DrawEgg(egg), Fraction(count, left)) for egg, count in odds)
    if state.phase is DEAL and not state.setting.options.markers_chosen:
        deals = tuple(legal(state))
        return tuple((deal, Fraction(1, len(deals))) for deal in deals)
    if state.phase is TURN and not eggs.may_put_back(state) and not takeable(state):
        throws = THROWS[state.setting.box.fifth]
        return tuple((throw, Fraction(1, len(throws))) for throw in throws)
    return ()
