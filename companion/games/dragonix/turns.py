"""A player's turn: placing, exchanging, taking back, the dragon's flight, recruiting.

Source: rulebook l. 38-92, 98-118.
"""

from msgspec.structs import replace

from companion.games.core import NotNow, with_value
from companion.games.dragonix import hands, reach
from companion.games.dragonix.cards import Cards
from companion.games.dragonix.events import (
    Boxed,
    Deserted,
    Event,
    Flown,
    GameWon,
    HeroPlaced,
    Placed,
    Recruited,
    SoloEnded,
    Swapped,
    SwappedBeside,
    TakenBack,
    TowerOpened,
    TurnBegan,
    UndeadLeft,
)
from companion.games.dragonix.moves import (
    Fly,
    Play,
    Recruit,
    Swap,
    TakeBack,
)
from companion.games.dragonix.pieces import (
    ARMIES,
    HAND,
    HERO,
    TOWER,
    UNDEAD,
    Card,
    Dragon,
    Row,
)
from companion.games.dragonix.scoring import deserters
from companion.games.dragonix.stacks import (
    clear_row,
    exchange_hero,
    place,
    without_last,
)
from companion.games.dragonix.state import (
    EMPTY,
    FLY,
    NEW_TURN,
    NOWHERE,
    OVER,
    PLAY,
    RECRUIT,
    Side,
    Stack,
    State,
    Turn,
)
from companion.table import Seat

Events = list[Event]


def play(state: State, move: Play, events: Events) -> State:
    """Place a card at the end of a row; six of them leave for the box.

    Source: rulebook l. 44-64; rulings DX3, DX7, DX10.
    """
    card, row = move.card, move.row
    if row == TOWER and card == HERO:
        raise NotNow("a hero has no value on the tower")
    after = hands.use_card(state, state.seat, card)
    stack = place(row, state.rows[row], card)
    if card == HERO:
        events.append(HeroPlaced(state.seat, row, stack.values[-1]))
    else:
        events.append(Placed(state.seat, card, row))
    ghost, spare = state.turn.ghost, state.turn.spare
    if ghost is not None:
        ghost, spare = reach.ghost_with(row, ghost, spare, card)
    turn = replace(state.turn, bound=row, placed=True, ghost=ghost, spare=spare)
    after = settle(after, turn, row, stack, events)
    if ghost is not None:
        after = _forgiven(after, row)
    return finish(after, events)


def _forgiven(state: State, row: Row) -> State:
    """Owe nothing any more where a table has accepted what leaves nothing to place."""
    hand = hands.hand_of(state, state.seat)
    if reach.goes_on(state, row, state.rows[row], hand, placed=True):
        return state
    return replace(state, turn=replace(state.turn, ghost=None, spare=False))


def settle(state: State, turn: Turn, row: Row, stack: Stack, events: Events) -> State:
    """Lay the cards of a row down, and box them when there are six.

    Source: rulebook l. 61; ruling DX7.
    """
    left = clear_row(stack)
    if left is stack:
        return replace(state, turn=turn, rows=with_value(state.rows, row, stack))
    events.append(Boxed(row))
    return replace(
        state,
        turn=turn,
        rows=with_value(state.rows, row, EMPTY),
        boxed=(*state.boxed, *stack.cards),
    )


def swap(state: State, move: Swap, events: Events) -> State:
    """Put a card in the place of a hero, which goes under the camp.

    Source: rulebook l. 64; rulings DX14, DX16, DX18, DX36.
    """
    card, row = move.card, move.row
    stack = state.rows[row]
    if row not in ARMIES or HERO not in stack.cards or card == HERO:
        raise NotNow("there is no hero to exchange, or no troop to exchange it for")
    after = hands.use_card(state, state.seat, card)
    beside = state.setting.solo and state.setting.options.hero_beside
    events.append((SwappedBeside if beside else Swapped)(state.seat, card, row))
    turn = state.turn
    ghost, spare = turn.ghost, False
    if ghost is not None:
        ghost, spare = reach.ghost_exchanged(row, ghost, turn.spare, card)
    turn = replace(
        turn,
        bound=row,
        swapped=True,
        placed=turn.placed or state.setting.options.swap_alone,
        ghost=ghost,
        spare=spare,
    )
    rows = with_value(state.rows, row, exchange_hero(row, stack, card))
    after = replace(after, rows=rows, turn=turn)
    if beside:
        return finish(replace(after, deserters=(*after.deserters, HERO)), events)
    return under_camp(after, HERO)


def take_back(state: State, move: TakeBack, events: Events) -> State:
    """Take the last card of an army under the camp or, in solo, beside the board.

    Source: rulebook l. 66, 104; rulings DX11, DX12, DX16, DX34.
    """
    row = move.row
    if row not in ARMIES or not state.rows[row].cards:
        raise NotNow("there is no card to take back")
    stack = state.rows[row]
    card = stack.cards[-1]
    after = replace(
        state,
        rows=with_value(state.rows, row, without_last(row, stack)),
        turn=replace(state.turn, bound=row, ghost=stack, barred=_barred(state)),
    )
    if not state.setting.solo:
        events.append(TakenBack(state.seat, card, row))
        return under_camp(after, card)
    after = replace(after, deserters=(*state.deserters, card))
    events.append(Deserted(card, row, deserters(after)))
    return after


def _barred(state: State) -> Cards:
    """Return what the hand cannot hold, as cards are taken back (ruling DX9)."""
    if state.turn.ghost is not None:
        return state.turn.barred
    return reach.fitting_anywhere(state, reach.fits_now(state))


def under_camp(state: State, card: Card) -> State:
    """Put a card that all have seen under the active player's camp."""
    side = state.side
    side = replace(side, camp=side.camp + 1, under=(*side.under, card))
    return replace(state, sides=with_value(state.sides, state.seat, side))


def flights(state: State, dragon: Dragon) -> tuple[Row, ...]:
    """Return where a dragon may fly: to another army, never to the other dragon's.

    Alone, it goes to the next army instead.

    Source: rulebook l. 84, 102, 118; rulings DX26, DX27.
    """
    here, other = state.red, state.undead
    if dragon == UNDEAD:
        here, other = other, here
    if state.setting.solo:
        return ((here + 1) % len(ARMIES),)
    return reach.OPEN_ROWS[here][other][False]


def fly(state: State, move: Fly, events: Events) -> State:
    """Move a dragon to another army. Source: rulebook l. 84, 102, 118."""
    dragon, row = move.dragon, move.row
    if row not in ARMIES:
        raise NotNow("a dragon flies to an army")
    events.append(Flown(dragon, row))
    lasts = state.setting.options.flight_lasts
    if dragon == UNDEAD:
        off = state.undead_off and not lasts
        after = replace(state, undead=row, undead_off=off, phase=RECRUIT)
    else:
        after = replace(
            state,
            red=row,
            red_off=state.red_off and not lasts,
            turn=replace(state.turn, flown=True),
            phase=FLY if state.setting.both_fly else RECRUIT,
        )
    return finish(after, events)


def recruit(state: State, _move: Recruit, events: Events) -> State:
    """Fill the hand up to three cards and pass the turn on.

    Source: rulebook l. 90-92; rulings DX24, DX28.
    """
    side = state.side
    n = min(max(HAND - side.hand, 0), side.camp)
    events.append(Recruited(state.seat, n))
    sides = with_value(state.sides, state.seat, _draw(side, n))
    next_seat = (state.seat + 1) % state.setting.seats
    lasts = state.setting.options.flight_lasts
    after = replace(
        state,
        phase=PLAY,
        seat=next_seat,
        turn=NEW_TURN,
        sides=sides,
        red_off=state.red_off and lasts,
        undead_off=state.undead_off and lasts,
    )
    return _begin_turn(after, next_seat, events)


def _draw(side: Side, n: int) -> Side:
    """Return what a seat holds after drawing *n* cards from the top of its camp."""
    face_down = side.camp - len(side.under)
    known = n - face_down
    if known <= 0:
        return replace(side, hand=side.hand + n, camp=side.camp - n)
    return replace(
        side,
        hand=side.hand + n,
        camp=side.camp - n,
        shown=tuple(sorted((*side.shown, *side.under[:known]))),
        under=side.under[known:],
    )


def _begin_turn(state: State, seat: Seat, events: Events) -> State:
    """Let what a seat brought in for one round of the table leave again.

    Source: rulebook l. 126, 144; ruling DX25.
    """
    if state.setting.solo:
        return state
    events.append(TurnBegan(seat))
    if state.undead_by == seat:
        events.append(UndeadLeft(seat))
        state = replace(state, undead=NOWHERE, undead_by=None, undead_off=False)
    if state.prison_by == seat:
        events.append(TowerOpened(seat))
        state = replace(state, prison_by=None)
    return state


def finish(state: State, events: Events) -> State:
    """End the game when the active player has neither hand nor camp left.

    Source: rulebook l. 17; rulings DX1, DX31.
    """
    side = state.side
    if side.hand or side.camp:
        return state
    if not state.setting.options.win_at_once and state.phase is not RECRUIT:
        return state
    if state.setting.solo:
        events.append(SoloEnded(deserters(state)))
    else:
        events.append(GameWon(state.seat))
    return replace(state, phase=OVER, turn=NEW_TURN)
