"""What a game begins with, what may happen next, and what a move brings about.

How a turn runs is in `turns`, how a round ends in `rounds`, why a move is refused in
`refusals`, the groups and the points in `scoring`. Nothing here rolls a die.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, assert_never

from companion.games.core import (
    BadSetup,
    Config,
    NotNow,
)
from companion.games.drachenhort import rounds, scoring, track, turns
from companion.games.drachenhort.events import Event
from companion.games.drachenhort.options import resolve
from companion.games.drachenhort.pieces import ADVENTURERS, DIE, FACES, Adventurer
from companion.games.drachenhort.state import (
    ADVANCE,
    DRAGON,
    FLIP,
    HALL,
    OVER,
    RANK,
    SHOW,
    START,
    THROW,
    Advance,
    FlipBoard,
    Move,
    MoveDragon,
    NoteGroup,
    Pass,
    Phase,
    Rank,
    Setting,
    ShowGroup,
    State,
    Throw,
)
from companion.games.hidden import (
    Hidden,
)
from companion.table import Seat

SEATS = range(2, 8)
"""How many may play. Source: rulebook l. 33."""

ADVANCES = {hero: Advance(hero) for hero in Adventurer}
THROWS = tuple(Throw(pips) for pips in FACES)
ODDS = tuple((throw, Fraction(DIE.count(throw.pips), len(DIE))) for throw in THROWS)
NOTES = tuple(
    tuple(NoteGroup(seat, Hidden(group, (seat,))) for group in range(ADVENTURERS))
    for seat in range(SEATS.stop)
)


def setup(config: Config) -> State:
    """Return the first position of the first round.

    Raises:
        BadSetup: The seats, the first seat or an option cannot be.

    Source: rulebook l. 71-79, 89.
    """
    if config.seats not in SEATS:
        raise BadSetup(f"{config.seats} cannot play Drachenhort; 2 to 7 can")
    if config.first not in range(config.seats):
        raise BadSetup(
            f"seat {config.first} cannot begin; choose one of 0 to {config.seats - 1}"
        )
    return State(
        setting=Setting(config.seats, config.first, config.box, resolve(config)),
        round=1,
        phase=THROW,
        seat=config.first,
        pips=0,
        cells=(START,) * ADVENTURERS,
        lit=(True,) * ADVENTURERS,
        dragon=HALL,
        jewels=config.box.front.jewels,
        won=(0,) * config.seats,
        removed=0,
        medals=((0,) * ADVENTURERS, (0,) * ADVENTURERS),
        noted=tuple(Hidden(None, (seat,)) for seat in range(config.seats)),
        shown=(None,) * config.seats,
    )


def legal(state: State) -> Iterator[Move]:
    """Return every move that the rules allow here.

    A seat may note its group at any time before the groups are laid open, whatever
    others have noted, so that what is offered tells nothing about their cards.
    """
    moves: list[Move]
    if state.phase is THROW:
        moves = [*THROWS]
    elif state.phase is ADVANCE:
        heroes = state.setting.box.adventurers
        moves = [ADVANCES[heroes[index]] for index in track.movers(state)]
        if state.setting.options.may_pass:
            moves.append(Pass())
    else:
        moves = [*_legal_between_turns(state)]
    if state.phase is not SHOW and state.phase is not OVER:
        for seat, noted in enumerate(state.noted):
            if noted.value is None:
                moves += NOTES[seat]
    return iter(moves)


def _legal_between_turns(state: State) -> Iterator[Move]:
    if state.phase is DRAGON:
        yield MoveDragon()
    elif state.phase is RANK:
        for index in rounds.level_heroes(state):
            yield Rank(state.setting.box.adventurers[index])
    elif state.phase is FLIP:
        yield FlipBoard()
    elif state.phase is SHOW:
        groups = scoring.groups_left(state)
        for seat in scoring.seats_to_show(state):
            yield from (ShowGroup(seat, group) for group in groups)


HOW: dict[type, Callable[[State, Any, list[Event]], State]] = {
    Throw: lambda s, move, events: turns.throw(s, move.pips, events),
    Advance: lambda s, move, events: turns.advance(s, move.adventurer, events),
    Pass: lambda s, _, events: turns.leave(s, events),
    MoveDragon: lambda s, _, events: turns.move_dragon(s, events),
    Rank: lambda s, move, events: turns.rank(s, move.adventurer, events),
    FlipBoard: lambda s, _, events: rounds.flip(s, events),
    NoteGroup: lambda s, move, events: scoring.note(s, move.seat, move.group, events),
    ShowGroup: lambda s, move, events: scoring.show(s, move.seat, move.group, events),
}
"""What each move brings about; trying one class after another takes far longer."""

WHEN: dict[type, Phase] = {
    Throw: THROW,
    Advance: ADVANCE,
    Pass: ADVANCE,
    MoveDragon: DRAGON,
    Rank: RANK,
    FlipBoard: FLIP,
}
"""When a move makes sense at all; `scoring` looks itself at when groups are told."""


def apply(state: State, move: Move) -> tuple[State, tuple[Event, ...]]:
    """Return the state after *move* and what happened, in the order it happened.

    Rules are not judged here, so that a table may accept what `judge` refuses: an
    adventurer moved out of the shadow goes where the throw leads.

    Raises:
        NotNow: The move makes no sense here.
    """
    kind = type(move)
    if state.phase is not WHEN.get(kind, state.phase):
        raise NotNow(f"{move} makes no sense while the table waits: {state.phase}")
    events: list[Event] = []
    after = HOW[kind](state, move, events)
    return after, tuple(events)


def actor(state: State, move: Move) -> Seat | None:
    """Return the seat that may make *move*; None where any hand may."""
    match move:
        case Throw() | Advance() | Pass():
            return state.seat
        case NoteGroup() | ShowGroup():
            return move.seat
        case Rank():
            return state.seat if state.setting.options.exiter_ranks else None
        case MoveDragon() | FlipBoard():
            return None
        case _:
            assert_never(move)


def chance(state: State) -> tuple[tuple[Move, Fraction], ...]:
    """Return how likely each thing is that no hand decides.

    Source: rulebook l. 55; ruling DH17.
    """
    if state.phase is THROW:
        return ODDS
    if state.phase is RANK and not state.setting.options.exiter_ranks:
        heroes = state.setting.box.adventurers
        tied = rounds.level_heroes(state)
        return tuple((Rank(heroes[index]), Fraction(1, len(tied))) for index in tied)
    return ()
