"""What may happen next: every legal move of a position.

Source: rulebook l. 22-154; what fits where is in `stacks` and `reach`.
"""

from collections.abc import Iterator, Sequence

from companion.games.dragonix import dealing, hands, prepared, reach, tokens, turns
from companion.games.dragonix.hands import Hand
from companion.games.dragonix.moves import Enough, Move, Recruit
from companion.games.dragonix.pieces import (
    HERO,
    PEOPLES,
    RED,
    TOWER,
    UNDEAD,
    Row,
    Token,
)
from companion.games.dragonix.state import (
    BEGIN,
    DEAL,
    EFFECT,
    FLY,
    MORE,
    PLAY,
    RECRUIT,
    REVEAL,
    Side,
    State,
)
from companion.table import Seat

ENOUGH, RECRUITS = Enough(), Recruit()
SETTING_UP = (DEAL, REVEAL, BEGIN)


def legal(state: State) -> Iterator[Move]:
    """Return every move that the rules allow here.

    A seat may note its cards at any time of others' turns, whatever others have noted,
    so that what is offered tells nothing about their cards.
    """
    phase = state.phase
    found: list[Move] = []
    if phase is PLAY:
        _step_a(state, found)
    elif phase is RECRUIT:
        found += _token_plays(state, None)
        found.append(RECRUITS)
    elif phase is EFFECT or phase is MORE:
        found += _effects(state)
    elif phase is FLY:
        found += _flights(state)
    else:
        return iter(_set_up(state))
    for seat, side in enumerate(state.sides):
        # Spelled out, as this is asked of every seat in every position.
        if side.hand > len(side.shown) + len(side.noted.value or ()) or (
            side.tokens > len(side.open_tokens) + len(side.noted_tokens.value or ())
        ):
            _notes(state, seat, side, found)
    return iter(found)


def _set_up(state: State) -> Sequence[Move]:
    """Return what the pile, the camps and the draw may show."""
    if state.phase is DEAL:
        return prepared.turn_ups(dealing.next_army(state), state.unseen)
    if state.phase is REVEAL:
        bits = hands.bits_of((HERO,)) * dealing.may_show_hero(state)
        return prepared.reveals(dealing.next_to_reveal(state), state.unseen | bits)
    if state.phase is BEGIN:
        return tuple(prepared.BEGINS[seat] for seat in dealing.leaders(state))
    return ()


def _step_a(state: State, found: list[Move]) -> None:
    """Gather what may be done in step A, and the flight that ends it.

    Source: rulebook l. 42-84.
    """
    hand = hands.hand_of(state, state.seat)
    turn = state.turn
    rows = reach.rows_now(state)
    for row in rows:
        if bits := reach.playable(state, row, hand):
            found += prepared.plays(row, bits)
        if not turn.swapped and row != TOWER and HERO in state.rows[row].cards:
            found += _swaps(state, row, hand)
    if not turn.placed:
        found += _take_backs(state, rows, hand)
    found += _token_plays(state, hand)
    if may_fly(state):
        found += _flights(state)


def _take_backs(state: State, rows: tuple[Row, ...], hand: Hand) -> list[Move]:
    filled = [row for row in rows if row != TOWER and state.rows[row].cards]
    # It does not matter which of the open armies is asked about (ruling DX13).
    if filled and reach.may_take_back(state, filled[0], hand):
        return [prepared.TAKE_BACKS[row] for row in filled]
    return []


def _swaps(state: State, row: Row, hand: Hand) -> Iterator[Move]:
    for card in sorted(hand.cards & reach.swappable(state, row)):
        if reach.may_swap(state, row, hand, card):
            yield prepared.SWAPS[row][card]


def _token_plays(state: State, hand: Hand | None) -> list[Move]:
    if not state.side.tokens:
        return []
    hand = hand or hands.hand_of(state, state.seat)
    return [
        prepared.TOKEN_PLAYS[token]
        for token in hands.tokens_of(state, state.seat)
        if tokens.works(state, token, hand)
    ]


def may_fly(state: State) -> bool:
    """Tell whether step A is done, or cannot be as volunteers took the last card.

    Source: rulebook l. 44, 84; rulings DX10, DX38.
    """
    turn = state.turn
    return turn.ghost is None and (turn.placed or not state.side.hand)


def _flights(state: State) -> list[Move]:
    dragon = UNDEAD if state.phase is FLY else RED
    flies = prepared.FLIES[dragon]
    return [flies[row] for row in turns.flights(state, dragon)]


def _effects(state: State) -> Iterator[Move]:
    """Yield how the token that was laid open may be carried out."""
    match state.turn.pending:
        case Token.PLAGUE:
            yield from (prepared.STRIKES[row] for row in tokens.strikes(state))
        case Token.VOLUNTEERS:
            hand = hands.hand_of(state, state.seat)
            for card, row, slot in tokens.inserts(state, hand):
                yield prepared.INSERTS[card][row][slot]
        case Token.COUNTER:
            yield from _recolours(state)
        case Token.UNDEAD:
            yield from (prepared.SUMMONS[row] for row in tokens.summons(state))
        case _:
            yield from (prepared.SOARS[dragon] for dragon in tokens.soars(state))
    if state.phase is MORE:
        yield ENOUGH


def _recolours(state: State) -> Iterator[Move]:
    for row in tokens.recolours(state):
        for colour in range(len(PEOPLES)):
            if colour != state.rows[row].colour:  # ruling DX39
                yield prepared.RECOLOURS[row][colour]


def may_note(state: State, seat: Seat) -> bool:
    """Tell whether a seat may note cards now.

    The active player finishes first what a token or a card taken back has begun.
    """
    return seat != state.seat or (
        state.turn.ghost is None and state.turn.pending is None
    )


def _notes(state: State, seat: Seat, side: Side, found: list[Move]) -> None:
    if side.closed > 0 and may_note(state, seat):
        found += prepared.notes(seat, hands.pool_bits(state, seat))
    if side.closed_tokens > 0:
        mine = prepared.TOKEN_NOTES[seat]
        found += [mine[token] for token in hands.token_pool(state, side)]
