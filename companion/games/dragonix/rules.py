"""What a move brings about, and whose it is; a game's functions under one roof.

The set-up is in `dealing`, a turn in `turns`, the tokens in `tokens`, what fits where
in `stacks` and `reach`, what is legal in `offers`, why a move is refused in `refusals`.
Nothing here shuffles.
"""

from msgspec.structs import replace

from companion.games.core import Hidden
from companion.games.dragonix import dealing, moves, tokens, turns
from companion.games.dragonix.dealing import SEATS, setup
from companion.games.dragonix.events import CardNoted, Event, TokenNoted
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
    Begin,
    Enough,
    Fly,
    Insert,
    Move,
    NoteCard,
    NoteToken,
    NotNow,
    Play,
    PlayToken,
    Recolour,
    Recruit,
    Reveal,
    Soar,
    State,
    Strike,
    Summon,
    Swap,
    TakeBack,
    TurnUp,
    put,
)
from companion.table import Seat

__all__ = ["SEATS", "actor", "apply", "chance", "legal", "setup"]


def apply(state: State, move: Move) -> tuple[State, tuple[Event, ...]]:
    """Return the state after *move* and what happened, in the order it happened.

    Rules are not judged here, so that a table may accept what `judge` refuses: a card
    out of order lies where it was laid and counts what is printed on it.

    Raises:
        NotNow: The move makes no sense here.
    """
    told: list[Event] = []
    match move:
        case Play() | Fly() | Recruit() | TakeBack() | Swap():
            after = _apply_turn(state, move, told)
        case NoteCard():
            after = _note(state, move.seat, move.card, told)
        case NoteToken():
            after = _note_token(state, move.seat, move.token, told)
        case TurnUp() | Reveal() | Begin():
            after = dealing.deal(state, move, told)
        case _:
            after = _apply_token(state, move, told)
    return after, tuple(told)


def _apply_turn(state: State, move: Move, told: list[Event]) -> State:
    phase = state.phase
    match move:
        case Play() if phase is PLAY and _is_place(move.card, move.row):
            return turns.play(state, move.card, move.row, told)
        case Swap() if phase is PLAY and _is_place(move.card, move.row):
            return turns.swap(state, move.card, move.row, told)
        case TakeBack() if phase is PLAY:
            return turns.take_back(state, move.row, told)
        case Fly() if phase is (FLY if move.dragon == UNDEAD else PLAY):
            return turns.fly(state, move.dragon, move.row, told)
        case Recruit() if phase is RECRUIT:
            return turns.recruit(state, told)
        case _:
            raise _out_of_turn(state, move)


def _apply_token(state: State, move: Move, told: list[Event]) -> State:
    pending = state.turn.pending
    match move:
        case PlayToken() if state.phase in (PLAY, RECRUIT):
            return tokens.play_token(state, move.token, told)
        case Strike() if pending is Token.PLAGUE:
            return tokens.strike(state, move.row, told)
        case Recolour() if pending is Token.COUNTER:
            return tokens.recolour(state, move.row, move.people, told)
        case Summon() if pending is Token.UNDEAD:
            return tokens.summon(state, move.row, told)
        case Soar() if pending is Token.FLIGHT:
            return tokens.soar(state, move.dragon, told)
        case Insert() if pending is Token.VOLUNTEERS and _is_place(move.card, move.row):
            return tokens.insert(state, move.card, move.row, move.slot, told)
        case Enough() if state.phase is MORE:
            return tokens.resume(state)
        case _:
            raise _out_of_turn(state, move)


def _is_place(card: Card, row: Row) -> bool:
    return card in moves.DECK and row in range(len(ROWS))


def _out_of_turn(state: State, move: Move) -> NotNow:
    return NotNow(f"{move} makes no sense while the table waits: {state.phase}")


def _note(state: State, seat: Seat, card: Hidden[Card], told: list[Event]) -> State:
    """Keep what a seat says of its own hand, for that seat's eyes only."""
    known = card.value is None or card.value in moves.DECK
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
