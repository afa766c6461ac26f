"""What may happen next: every legal move of a position.

Source: rulebook l. 23-154; what fits where is in `stacks` and `reach`.
"""

from collections.abc import Iterator, Sequence

from companion.games.dragonix import dealing, hands, prepared, reach, tokens, turns
from companion.games.dragonix.cards import in_order
from companion.games.dragonix.hands import Hand
from companion.games.dragonix.moves import Enough, Move, Recruit
from companion.games.dragonix.pieces import (
    HERO,
    RED,
    TOWER,
    UNDEAD,
    Row,
    Token,
)
from companion.games.dragonix.reach import Fits
from companion.games.dragonix.state import (
    BEGIN,
    DEAL,
    EFFECT,
    FLY,
    MORE,
    PLAY,
    RECRUIT,
    REVEAL,
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
        if state.sides[state.seat].tokens:
            found += _token_plays(state)
        found.append(RECRUITS)
    elif phase is EFFECT or phase is MORE:
        found += _effects(state)
    elif phase is FLY:
        found += _flights(state)
    else:
        return iter(_set_up(state))
    _notes(state, found)
    return iter(found)


def _set_up(state: State) -> Sequence[Move]:
    """Return what the pile, the camps and the draw may show."""
    if state.phase is DEAL:
        return prepared.moves_about(
            state.unseen, prepared.TURN_UPS[dealing.next_army(state)]
        )
    if state.phase is REVEAL:
        mine = prepared.REVEALS[dealing.next_to_reveal(state)]
        return prepared.moves_about(dealing.may_reveal(state), mine)
    if state.phase is BEGIN:
        return tuple(prepared.BEGINS[seat] for seat in dealing.leaders(state))
    return ()


def _step_a(state: State, found: list[Move]) -> None:
    """Gather what may be done in step A, and the flight that ends it.

    Source: rulebook l. 42-84.
    """
    hand = hands.hand_of(state, state.seat)
    turn = state.turn
    fits = reach.fits_now(state)
    for row, fitting in fits.items():
        if cards := hand.cards & fitting:
            cards = reach.settling(state, row, hand, cards)
            found += prepared.moves_about(cards, prepared.PLAYS[row])
        if HERO in state.rows[row].cards and row != TOWER and not turn.swapped:
            found += _swaps(state, row, hand)
    if not turn.placed:
        found += _take_backs(state, hand, fits)
    if state.sides[state.seat].tokens:
        found += _token_plays(state)
    if may_fly(state):
        found += _flights(state)


def _take_backs(state: State, hand: Hand, fits: Fits) -> list[Move]:
    # It does not matter which of the open armies is asked about (ruling DX13).
    if not reach.may_take_back(state, state.turn.bound, hand, fits):
        return []
    return [
        prepared.TAKE_BACKS[row]
        for row in fits
        if row != TOWER and state.rows[row].cards
    ]


def _swaps(state: State, row: Row, hand: Hand) -> list[Move]:
    cards = hand.cards & reach.swappable(state, row)
    return [
        prepared.SWAPS[row][card]
        for card in in_order(cards)
        if reach.may_swap(state, row, hand, card)
    ]


def _token_plays(state: State) -> list[Move]:
    return [
        prepared.TOKEN_PLAYS[token]
        for token in hands.tokens_of(state, state.seat)
        if tokens.WORKS[token](state)
    ]


def may_fly(state: State) -> bool:
    """Tell whether step A is done, or cannot be as volunteers took the last card.

    Source: rulebook l. 44, 84; rulings DX10, DX38.
    """
    turn = state.turn
    return turn.ghost is None and (turn.placed or not state.side.hand)


def _flights(state: State) -> Sequence[Move]:
    dragon = UNDEAD if state.phase is FLY else RED
    return prepared.flies(dragon, turns.flights(state, dragon))


def _effects(state: State) -> Iterator[Move]:
    """Yield how the token that was laid open may be carried out."""
    match state.turn.pending:
        case Token.PLAGUE:
            yield from (prepared.STRIKES[row] for row in tokens.strikes(state))
        case Token.VOLUNTEERS:
            for card, row, slot in tokens.inserts(state):
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
        for people in tokens.peoples(state, row):
            yield prepared.RECOLOURS[row][people]


def may_note(state: State, seat: Seat) -> bool:
    """Tell whether a seat may note cards now.

    The active player finishes first what a token or a card taken back has begun.
    """
    return seat != state.seat or (
        state.turn.ghost is None and state.turn.pending is None
    )


def _notes(state: State, found: list[Move]) -> None:
    """Gather what each seat may note of its hand and its tokens."""
    # `closed` and `closed_tokens` spelled out: asked of all seats in every position.
    for seat, side in enumerate(state.sides):
        if side.hand > len(side.shown) + len(side.noted.value or ()) and may_note(
            state, seat
        ):
            found += prepared.moves_about(
                hands.pool_of(state, seat), prepared.NOTES[seat]
            )
        if side.tokens and side.tokens > len(side.open_tokens) + len(
            side.noted_tokens.value or ()
        ):
            mine = prepared.TOKEN_NOTES[seat]
            found += [mine[token] for token in hands.token_pool(state, side)]
