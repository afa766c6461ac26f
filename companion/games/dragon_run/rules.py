"""What a game begins with, what may happen next, and what a move brings about.

How a turn runs is in `turns`, what cards do in `effects`, how dragon and game end in
`flow`, why a move is refused in `refusals`. Nothing here rolls a die or draws a card.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from companion.games.core import (
    BadSetup,
    Config,
    NotNow,
    with_value,
)
from companion.games.dragon_run import effects, flow, hands, scoring, turns
from companion.games.dragon_run.box import (
    ANNULMENT,
    DRAGON_CARD,
    INVISIBILITY,
    REDIRECTION,
    Box,
)
from companion.games.dragon_run.events import Dealt, Event
from companion.games.dragon_run.options import Options, resolve
from companion.games.dragon_run.pieces import ANGER, FIT, HAND, SEATS, Kind
from companion.games.dragon_run.state import (
    ACT,
    ANSWER,
    CHOICE,
    CORRECTING,
    CRIED,
    DEAL,
    EFFECT,
    NOBODY,
    OPEN,
    PAY,
    REDIRECT,
    ROLL,
    SHOW,
    SNEAKED,
    TURNING,
    Annul,
    Cry,
    Deal,
    Discard,
    ForgetNotes,
    LetPass,
    Move,
    NoteCard,
    Pass,
    Phase,
    Play,
    Point,
    Roll,
    Setting,
    ShowCard,
    Sneak,
    State,
    Turn,
    UsePower,
)
from companion.games.hidden import (
    Hidden,
)
from companion.table import Seat

Events = list[Event]


def setup(config: Config) -> State:
    """Return the first position: all treasures dealt, no character yet.

    Raises:
        BadSetup: The seats, the first seat or an option cannot be.

    Source: rulebook l. 41-56; rulings RN1, RN23, RN33.
    """
    seats = config.seats
    if seats not in SEATS:
        raise BadSetup(f"{seats} cannot play Dragon Run; 2 to 5 can")
    if config.first not in range(seats):
        raise BadSetup(
            f"seat {config.first} cannot begin; choose one of 0 to {seats - 1}"
        )
    setting = _setting(config, resolve(config))
    return State(
        setting=setting,
        phase=DEAL,
        seat=config.first,
        anger=ANGER[seats],
        heroes=(NOBODY,) * seats,
        health=(FIT,) * seats,
        tilted=(False,) * seats,
        pile=setting.whole_pile,
        turned=(),
        since=0,
        stock=sum(setting.copies) - HAND * seats,
        unseen=setting.copies,
        loose=tuple(kind for kind, left in enumerate(setting.copies) if left),
        hands=(HAND,) * seats,
        noted=tuple(Hidden((), (seat,)) for seat in range(seats)),
        fronts=((),) * seats,
        discard=(),
        shown=((),) * seats,
    )


def _setting(config: Config, options: Options) -> Setting:
    box: Box = config.box
    ids = [box.treasure_id(kind) for kind in box.kinds]
    # With two, nobody else is there for these two talismans to lead the dragon to.
    out = (REDIRECTION, INVISIBILITY) if config.seats == SEATS.start else ()
    copies = zip(ids, box.copies, strict=True)
    return Setting(
        seats=config.seats,
        first=config.first,
        box=box,
        options=options,
        copies=tuple(0 if name in out else count for name, count in copies),
        whole_pile=tuple(card.count for card in box.places),
        no_crying=tuple(
            place
            for place, card in enumerate(box.places)
            if any(effect.kind is Kind.NO_CRYING for effect in card.effects)
        ),
        dragon=[card.id for card in box.places].index(DRAGON_CARD),
        annulment=ids.index(ANNULMENT),
    )


def apply(state: State, move: Move) -> tuple[State, tuple[Event, ...]]:
    """Return the state after *move* and what happened, in the order it happened.

    Rules are not judged here, so that a table may accept what `judge` refuses, such as
    a card that contradicts its owner's notes.

    Raises:
        NotNow: The move makes no sense here.
    """
    phases, carry_out = ACTS[type(move)]
    if state.phase not in phases:
        raise NotNow(f"{move} makes no sense while the table waits: {state.phase}")
    events: Events = []
    after = carry_out(state, move, events)
    return after, tuple(events)


def _deal(state: State, move: Deal, events: Events) -> State:
    """Give the next seat a character, face up. Source: rulebook l. 46-47."""
    box, hero = state.setting.box, move.hero
    if not 0 <= hero < len(box.heroes) or hero in state.heroes:
        raise NotNow(f"character {hero} cannot be dealt")
    seat = state.heroes.index(NOBODY)
    events.append(Dealt(seat, box.heroes[hero].name))
    heroes = with_value(state.heroes, seat, hero)
    phase = DEAL if NOBODY in heroes else ACT
    return replace(state, heroes=heroes, phase=phase)


def _discard(state: State, move: Discard, events: Events) -> State:
    if state.phase is EFFECT:
        return effects.discard(state, move.treasure, events)
    return turns.pay(state, move.treasure, events)


def _point(state: State, move: Point, events: Events) -> State:
    if state.phase is EFFECT:
        return effects.take_unseen(state, move.seat, events)
    return flow.redirect(state, move.seat, events)


ACTS: dict[
    type[Move], tuple[frozenset[Phase], Callable[[State, Any, Events], State]]
] = {
    Deal: (frozenset({DEAL}), _deal),
    Turn: (TURNING, turns.turn),
    Sneak: (frozenset({ACT, CHOICE}), turns.sneak),
    Cry: (frozenset({ACT, CHOICE}), turns.cry),
    Discard: (frozenset({PAY, ROLL, CRIED, EFFECT}), _discard),
    Roll: (frozenset({ROLL}), turns.roll),
    Pass: (frozenset({CHOICE, SNEAKED, CRIED}), turns.leave),
    UsePower: (frozenset({ACT}), turns.use_power),
    Play: (OPEN, turns.play),
    Annul: (frozenset({ANSWER}), turns.annul),
    LetPass: (frozenset({ANSWER}), turns.let_pass),
    Point: (frozenset({EFFECT, REDIRECT}), _point),
    NoteCard: (OPEN, hands.note),
    ForgetNotes: (CORRECTING, hands.take_back),
    ShowCard: (frozenset({SHOW}), scoring.show),
}
"""When each move makes sense, and what carries it out."""


def actor(state: State, move: Move) -> Seat | None:
    """Return the seat that may make *move*; None where any hand may."""
    match move:
        case NoteCard() | ForgetNotes() | ShowCard() | Annul():
            return move.seat
        case LetPass() if move.seat != NOBODY:
            return move.seat
        case Deal() | LetPass():
            return None
        case _:
            return state.seat
