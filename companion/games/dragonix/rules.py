"""What a move brings about, and whose it is; a game's functions under one roof.

The set-up is in `dealing`, a turn in `turns`, the tokens in `tokens`, what fits where
in `stacks` and `reach`, what is legal in `offers`, why a move is refused in `refusals`.
Nothing here shuffles.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from companion.games.core import Hidden
from companion.games.dragonix import dealing, prepared, tokens, turns
from companion.games.dragonix.dealing import SEATS, setup
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
from companion.games.dragonix.offers import legal
from companion.games.dragonix.pieces import (
    ROWS,
    UNDEAD,
    Card,
    Row,
    Token,
)
from companion.games.dragonix.state import (
    FLY,
    MORE,
    PLAY,
    RECRUIT,
    NotNow,
    Phase,
    State,
    put,
)
from companion.table import Seat

__all__ = ["SEATS", "actor", "apply", "chance", "legal", "setup"]


HOW: dict[type, Callable[[State, Any, list[Event]], State]] = {
    Play: lambda s, move, told: turns.play(s, move.card, move.row, told),
    Swap: lambda s, move, told: turns.swap(s, move.card, move.row, told),
    TakeBack: lambda s, move, told: turns.take_back(s, move.row, told),
    Fly: lambda s, move, told: turns.fly(s, move.dragon, move.row, told),
    Recruit: lambda s, _, told: turns.recruit(s, told),
    NoteCard: lambda s, move, told: _note(s, move.seat, move.card, told),
    NoteToken: lambda s, move, told: _note_token(s, move.seat, move.token, told),
    TurnUp: dealing.deal,
    Reveal: dealing.deal,
    Begin: dealing.deal,
    PlayToken: lambda s, move, told: tokens.play_token(s, move.token, told),
    Strike: lambda s, move, told: tokens.strike(s, move.row, told),
    Recolour: lambda s, move, told: tokens.recolour(s, move.row, move.people, told),
    Summon: lambda s, move, told: tokens.summon(s, move.row, told),
    Soar: lambda s, move, told: tokens.soar(s, move.dragon, told),
    Insert: lambda s, m, told: tokens.insert(s, m.card, m.row, m.slot, told),
    Enough: lambda s, _move, _told: tokens.resume(s),
}
"""What each move brings about; trying one class after another takes far longer."""

WHEN: dict[type, tuple[Phase, ...]] = {
    Play: (PLAY,),
    Swap: (PLAY,),
    TakeBack: (PLAY,),
    Recruit: (RECRUIT,),
    PlayToken: (PLAY, RECRUIT),
    Enough: (MORE,),
}
"""When a move makes sense at all; what is not here looks at it itself."""

EFFECTS: dict[type, Token] = {
    Strike: Token.PLAGUE,
    Recolour: Token.COUNTER,
    Summon: Token.UNDEAD,
    Soar: Token.FLIGHT,
    Insert: Token.VOLUNTEERS,
}
"""The token that each move carries out."""


def apply(state: State, move: Move) -> tuple[State, tuple[Event, ...]]:
    """Return the state after *move* and what happened, in the order it happened.

    Rules are not judged here, so that a table may accept what `judge` refuses: a card
    out of order lies where it was laid and counts what is printed on it.

    Raises:
        NotNow: The move makes no sense here.
    """
    if not _makes_sense(state, move):
        raise NotNow(f"{move} makes no sense while the table waits: {state.phase}")
    told: list[Event] = []
    after = HOW[type(move)](state, move, told)
    return after, tuple(told)


def _makes_sense(state: State, move: Any) -> bool:
    kind = type(move)
    if kind is Fly:
        return state.phase is (FLY if move.dragon == UNDEAD else PLAY)
    if kind in EFFECTS and state.turn.pending is not EFFECTS[kind]:
        return False
    if kind in (Play, Swap, Insert) and not _is_place(move.card, move.row):
        return False
    return kind not in WHEN or state.phase in WHEN[kind]


def _is_place(card: Card, row: Row) -> bool:
    return card in prepared.DECK and 0 <= row < len(ROWS)


def _note(state: State, seat: Seat, card: Hidden[Card], told: list[Event]) -> State:
    """Keep what a seat says of its own hand, for that seat's eyes only."""
    known = card.value is None or card.value in prepared.DECK
    if not known or seat not in range(len(state.sides)) or state.sides[seat].closed < 1:
        raise NotNow(f"seat {seat} has no card to note")
    told.append(CardNoted(seat, card))
    if card.value is None:  # somebody else's note, as one sees it who may not know
        return state
    side = state.sides[seat]
    noted = tuple(sorted((*(side.noted.value or ()), card.value)))
    side = replace(side, noted=Hidden(noted, (seat,)))
    return replace(state, sides=put(state.sides, seat, side))


def _note_token(
    state: State, seat: Seat, token: Hidden[Token], told: list[Event]
) -> State:
    """Keep what a seat says of its own tokens, for that seat's eyes only."""
    if seat not in range(len(state.sides)) or state.sides[seat].closed_tokens < 1:
        raise NotNow(f"seat {seat} has no token to note")
    told.append(TokenNoted(seat, token))
    if token.value is None:
        return state
    side = state.sides[seat]
    noted = tuple(sorted((*(side.noted_tokens.value or ()), token.value)))
    side = replace(side, noted_tokens=Hidden(noted, (seat,)))
    return replace(state, sides=put(state.sides, seat, side))


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
