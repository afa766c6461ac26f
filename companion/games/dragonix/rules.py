"""What a move brings about, and whose it is; a game's functions under one roof.

The set-up is in `dealing`, a turn in `turns`, the tokens in `tokens`, what fits where
in `stacks` and `reach`, what is legal in `offers`, why a move is refused in `refusals`.
Nothing here shuffles.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from companion.games.core import NotNow, with_value
from companion.games.dragonix import dealing, tokens, turns
from companion.games.dragonix.cards import DECK
from companion.games.dragonix.dealing import (
    SEATS,
    leaders,
    next_army,
    next_to_reveal,
    setup,
)
from companion.games.dragonix.events import CardNoted, Event, TokenNoted
from companion.games.dragonix.moves import (
    Begin,
    Enough,
    Fly,
    Insert,
    Move,
    NoteCard,
    NoteToken,
    Play,
    PlayToken,
    Recolour,
    Recruit,
    Reveal,
    Soar,
    Strike,
    Summon,
    Swap,
    TakeBack,
    TurnUp,
)
from companion.games.dragonix.odds import chance
from companion.games.dragonix.offers import legal, may_fly
from companion.games.dragonix.pieces import (
    ROWS,
    UNDEAD,
    Token,
)
from companion.games.dragonix.state import (
    BEGIN,
    DEAL,
    EFFECT,
    FLY,
    MORE,
    OVER,
    PLAY,
    RECRUIT,
    REVEAL,
    Phase,
    State,
)
from companion.games.hidden import (
    Hidden,
)
from companion.table import Seat

__all__ = ["SEATS", "actor", "apply", "chance", "legal", "setup"]

Events = list[Event]


def _is_place(_state: State, move: Play | Swap | Insert) -> bool:
    return move.card in DECK and 0 <= move.row < len(ROWS)


def _flies_now(state: State, move: Fly) -> bool:
    return state.phase is (FLY if move.dragon == UNDEAD else PLAY)


def _may_be_inserted(state: State, move: Insert) -> bool:
    return state.turn.pending is Token.VOLUNTEERS and _is_place(state, move)


def _lies_open(token: Token) -> Callable[[State, Any], bool]:
    return lambda state, _move: state.turn.pending is token


def _note(state: State, move: NoteCard, events: Events) -> State:
    """Keep what a seat says of its own hand, for that seat's eyes only."""
    seat, card = move.seat, move.card
    known = card.value is None or card.value in DECK
    if not known or seat not in range(len(state.sides)) or state.sides[seat].closed < 1:
        raise NotNow(f"seat {seat} has no card to note")
    events.append(CardNoted(seat, card))
    if card.value is None:  # somebody else's note, as one sees it who may not know
        return state
    side = state.sides[seat]
    noted = tuple(sorted((*(side.noted.value or ()), card.value)))
    side = replace(side, noted=Hidden(noted, (seat,)))
    return replace(state, sides=with_value(state.sides, seat, side))


def _note_token(state: State, move: NoteToken, events: Events) -> State:
    """Keep what a seat says of its own tokens, for that seat's eyes only."""
    seat, token = move.seat, move.token
    if seat not in range(len(state.sides)) or state.sides[seat].closed_tokens < 1:
        raise NotNow(f"seat {seat} has no token to note")
    events.append(TokenNoted(seat, token))
    if token.value is None:
        return state
    side = state.sides[seat]
    noted = tuple(sorted((*(side.noted_tokens.value or ()), token.value)))
    side = replace(side, noted_tokens=Hidden(noted, (seat,)))
    return replace(state, sides=with_value(state.sides, seat, side))


ANY = tuple(Phase)
EFFECTS = (EFFECT, MORE)

ACTS: dict[
    type[Move],
    tuple[
        tuple[Phase, ...],
        Callable[[State, Any], bool] | None,
        Callable[[State, Any, Events], State],
    ],
] = {
    TurnUp: ((DEAL,), lambda s, m: m.row == next_army(s), dealing.turn_up),
    Reveal: ((REVEAL,), lambda s, m: m.seat == next_to_reveal(s), dealing.reveal),
    Begin: ((BEGIN,), lambda s, m: m.seat in leaders(s), dealing.begin),
    Play: ((PLAY,), _is_place, turns.play),
    Swap: ((PLAY,), _is_place, turns.swap),
    TakeBack: ((PLAY,), None, turns.take_back),
    PlayToken: ((PLAY, RECRUIT), None, tokens.play_token),
    Strike: (EFFECTS, _lies_open(Token.PLAGUE), tokens.strike),
    Recolour: (EFFECTS, _lies_open(Token.COUNTER), tokens.recolour),
    Summon: (EFFECTS, _lies_open(Token.UNDEAD), tokens.summon),
    Soar: (EFFECTS, _lies_open(Token.FLIGHT), tokens.soar),
    Insert: (EFFECTS, _may_be_inserted, tokens.insert),
    Enough: ((MORE,), None, tokens.enough),
    Fly: ((PLAY, FLY), _flies_now, turns.fly),
    Recruit: ((RECRUIT,), None, turns.recruit),
    NoteCard: (ANY, None, _note),
    NoteToken: (ANY, None, _note_token),
}
"""When each move makes sense, what else it needs for that, and what carries it out."""


def apply(state: State, move: Move) -> tuple[State, tuple[Event, ...]]:
    """Return the state after *move* and what happened, in the order it happened.

    Rules are not judged here, so that a table may accept what `judge` refuses: a card
    out of order lies where it was laid and counts what is printed on it.

    Raises:
        NotNow: The move makes no sense here.
    """
    phases, makes_sense, carry_out = ACTS[type(move)]
    if state.phase not in phases or (makes_sense and not makes_sense(state, move)):
        raise NotNow(f"{move} makes no sense while the table waits: {state.phase}")
    events: Events = []
    after = carry_out(state, move, events)
    if isinstance(move, BINDING) and after.phase is not OVER and _noted(after):
        after = _able_to_go_on(after)
    return after, tuple(events)


BINDING = (Play, Swap, TakeBack, PlayToken)
"""What only a hand may do that lets one go on after it (rulings DX10, DX14)."""


def _noted(state: State) -> bool:
    return bool(state.side.noted.value)


def _able_to_go_on(state: State) -> State:
    """Return *state*, without the notes of the active seat where these leave no way on.

    What was done was seen, so the notes were wrong; nobody else is told.
    """
    if (state.phase is PLAY and may_fly(state)) or any(True for _ in legal(state)):
        return state
    side = replace(state.side, noted=Hidden((), (state.seat,)))
    return replace(state, sides=with_value(state.sides, state.seat, side))


def actor(state: State, move: Move) -> Seat | None:
    """Return the seat that may make *move*; None where any hand may."""
    match move:
        case TurnUp():
            return None
        case Begin():
            return None
        case Reveal() | NoteCard() | NoteToken():
            return move.seat
        case _:
            return state.seat
