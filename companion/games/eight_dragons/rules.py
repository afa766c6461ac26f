"""What a game begins with, what may happen next, and what a move brings about.

How a turn runs is in `turns`, what gains and traps do in `gains`, how a turn and the
game end in `ends`, why a move is refused in `refusals`. Nothing here shuffles.
"""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from companion.games.core import BadSetup, Config, NotNow
from companion.games.eight_dragons import ends, gains, lying, turns
from companion.games.eight_dragons.events import Event
from companion.games.eight_dragons.offers import DRAWS, legal
from companion.games.eight_dragons.options import resolve
from companion.games.eight_dragons.state import (
    AFTER,
    ASK,
    BACK,
    DRAW,
    FACE_DOWN,
    FIRST,
    GIVE,
    GRAB,
    LOOK,
    MOST_SEATS,
    PAIR,
    SECOND,
    Decide,
    Decline,
    Draw,
    EndTurn,
    FreeToken,
    Grab,
    Lay,
    Miss,
    Move,
    Phase,
    PlaceToken,
    Report,
    Return,
    Setting,
    Shift,
    State,
    Swap,
    Take,
    Turn,
    TurnBack,
)
from companion.table import Seat

__all__ = ["SEATS", "actor", "apply", "chance", "legal", "setup"]

SEATS = range(2, MOST_SEATS + 1)
"""How many may play. The rulebook names only the most (l. 68); its gains and traps need
an opponent (l. 102-106)."""


def setup(config: Config) -> State:
    """Return the first position: every card face down, a token for each seat.

    Raises:
        BadSetup: The seats, the first seat or an option cannot be.

    Source: rulebook l. 70, 118; ruling ED27.
    """
    if config.seats not in SEATS:
        raise BadSetup(f"{config.seats} cannot play 8 Dragons; 2 to {MOST_SEATS} can")
    if config.first not in range(config.seats):
        raise BadSetup(
            f"seat {config.first} cannot begin; choose one of 0 to {config.seats - 1}"
        )
    setting = Setting(config.seats, config.first, resolve(config))
    return State(
        setting=setting,
        phase=FIRST,
        seat=config.first,
        grid=(FACE_DOWN,) * sum(setting.counts),
        up=(),
        match=None,
        kept=0,
        freed=False,
        stop=None,
        again=False,
        draws=0,
        hands=((),) * config.seats,
        laid=((),) * config.seats,
        tokens=(1,) * config.seats,
        blocked=(),
        held=0,
        took=False,
        moved_on=False,
        left=(),
        quiet=0,
        answered=None,
        looked=False,
        end=None,
    )


OWN_TIME = (FIRST, PAIR, AFTER)
WHEN: dict[type, tuple[Phase, ...]] = {
    Turn: (FIRST, SECOND, AFTER),
    Miss: (FIRST, AFTER),
    Take: (PAIR,),
    TurnBack: (SECOND, PAIR, BACK),
    Shift: (PAIR,),
    Swap: (PAIR,),
    Return: OWN_TIME,
    Draw: (DRAW, GIVE),
    Grab: (GRAB,),
    Decline: (DRAW, GRAB),
    PlaceToken: OWN_TIME,
    FreeToken: OWN_TIME,
    Lay: OWN_TIME,
    EndTurn: (FIRST, AFTER),
    Report: (LOOK,),
    Decide: (ASK, FIRST),
}
"""When a move makes sense at all, even for a table that bends the rules."""


def _turn(state: State, move: Turn, events: list[Event]) -> State:
    shown = turns.as_shown(state, move.place, move.card.value)
    after = turns.turn(shown, move.place, move.card.value, events)
    if shown is state:
        lying.note_turn(state, move.place, after)
    return after


def _turn_back(state: State, move: TurnBack, events: list[Event]) -> State:
    after = turns.turn_back(state, move.place, events)
    lying.note_turn(state, move.place, after)
    return after


HOW: dict[type, Callable[[State, Any, list[Event]], State]] = {
    Turn: _turn,
    Miss: lambda s, _, events: turns.miss(s, events),
    Take: lambda s, move, events: turns.take(s, move.place, events),
    TurnBack: _turn_back,
    Shift: lambda s, move, events: turns.shift(s, move.place, move.there, events),
    Swap: lambda s, _, events: turns.swap(s, events),
    Return: lambda s, m, events: turns.return_card(s, m.card.value, m.place, events),
    Draw: lambda s, move, events: gains.draw(s, move.source, move.card.value, events),
    Grab: lambda s, move, events: gains.grab(s, move.source, events),
    Decline: lambda s, _, events: gains.decline(s, events),
    PlaceToken: lambda s, move, events: turns.place_token(s, move.place, events),
    FreeToken: lambda s, move, events: turns.free_token(s, move.place, events),
    Lay: lambda s, move, events: turns.lay(s, move.cards, events),
    EndTurn: lambda s, _, events: ends.end_turn(s, events),
    Report: lambda s, move, events: ends.answer_looking(s, move.pair, events),
    Decide: lambda s, move, events: ends.decide(s, move.over, events),
}
"""What each move brings about; trying one class after another takes far longer."""


def apply(state: State, move: Move) -> tuple[State, tuple[Event, ...]]:
    """Return the state after *move* and what happened, in the order it happened.

    Rules are not judged here, so that a table may accept what `judge` refuses.

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
        case Report() | Decide():
            return None
        case Draw():
            return gains.drawer(state)
        case _:
            return state.seat


def chance(state: State) -> tuple[tuple[Move, Fraction], ...]:
    """Return the odds of a blind draw after a trap, where no hand decides anything.

    Everywhere else a hand chooses: a place to turn, or whom to draw from.

    Source: rulebook l. 106; ruling ED37.
    """
    hand = state.hands[state.seat]
    if state.phase is not GIVE or any(held.value is None for held in hand):
        return ()
    draws = DRAWS[gains.drawer(state)][state.seat]
    counts = Counter(held.value for held in hand)
    return tuple(
        (draws[card], Fraction(count, len(hand)))
        for card, count in counts.items()
        if card is not None
    )
