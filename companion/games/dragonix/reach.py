"""Where the active player may place cards, and whether any of them fits.

Where a hand is not told, a thing is possible if some hand allows it: a card that fits,
or cards none of which do.

Source: rulebook l. 44-86; rulings DX6, DX9, DX10, DX13, DX14, DX37, DX43.
"""

from companion.games.dragonix.hands import NOTHING, Hand, bits_of, cards_in
from companion.games.dragonix.pieces import ARMIES, FULL, HERO, TOWER, Card, Row
from companion.games.dragonix.stacks import (
    Cards,
    exchanged,
    place,
    replaces,
    slots,
    takes,
    takes_bits,
)
from companion.games.dragonix.state import (
    EMPTY,
    NOWHERE,
    Stack,
    State,
)


def under_dragon(state: State, row: Row) -> bool:
    """Tell whether a dragon keeps cards off an army.

    Source: rulebook l. 46, 86, 154; ruling DX20.
    """
    return (row == state.red and not state.red_off) or (
        row == state.undead and not state.undead_off
    )


def is_open(state: State, row: Row) -> bool:
    """Tell whether nothing on the table keeps cards off a row.

    Source: rulebook l. 46-47, 126; ruling DX44.
    """
    if row == TOWER:
        return state.prison_by is None
    return not under_dragon(state, row)


def _open_rows(red: Row, undead: Row, tower: bool) -> tuple[Row, ...]:
    armies = tuple(row for row in ARMIES if row not in (red, undead))
    return (*armies, TOWER) if tower else armies


OPEN_ROWS = tuple(
    tuple(
        tuple(_open_rows(red, undead, tower) for tower in (False, True))
        for undead in (*ARMIES, NOWHERE)
    )
    for red in (*ARMIES, NOWHERE)
)
"""The open rows, by where the dragons have an effect and whether the tower is open."""


def rows_now(state: State) -> tuple[Row, ...]:
    """Return the rows where the active player may still place cards this turn.

    All of a turn go to one army; the tower takes a single one.

    Source: rulebook l. 46-47, 80; rulings DX6, DX7.
    """
    bound = state.turn.bound
    if bound == NOWHERE:
        red = NOWHERE if state.red_off else state.red
        undead = NOWHERE if state.undead_off else state.undead
        return OPEN_ROWS[red][undead][state.prison_by is None]
    return (bound,) if bound != TOWER and is_open(state, bound) else ()


def playable(state: State, row: Row, hand: Hand) -> int:
    """Return what of a hand may be placed on *row*, one of `rows_now`, as bits."""
    stack = state.rows[row]
    bits = hand.bits & takes_bits(row, stack)
    ghost = state.turn.ghost
    if ghost is None or not bits:
        return bits
    return sum(
        1 << card for card in cards_in(bits) if _settles(row, stack, ghost, hand, card)
    )


def _settles(row: Row, low: Stack, high: Stack, hand: Hand, card: Card) -> bool:
    """Tell whether *card*, with others after it, needed the last card taken back."""
    if card not in takes(row, high):
        return True
    if len(high.cards) == FULL - 1:
        return False  # it would have filled the row, so nothing was in the way
    return separates(
        row, place(row, low, card), place(row, high, card), hand.without(card)
    )


def separates(row: Row, low: Stack, high: Stack, hand: Hand) -> bool:
    """Tell whether cards of the hand, one after another, fit on *low*, not on *high*.

    So a card may be taken back only if it is in the way of the cards then placed: of
    the first of them, or of one after a hero, which counts less on the shorter row.

    Source: rulebook l. 66, 70; ruling DX10.
    """
    fitting = hand.cards & takes(row, low)
    if not fitting <= takes(row, high):
        return True
    if hand.size <= 1:
        return False
    # A troop at both ends would leave no difference for those after it.
    return HERO in fitting and _settles(row, low, high, hand, HERO)


def in_the_way(state: State, row: Row, hand: Hand) -> bool:
    """Tell whether the last card of an army is in the way of cards of the hand."""
    return separates(row, EMPTY, state.rows[row], hand)


def fitting_now(state: State) -> Cards:
    """Return the cards that, had one any of them, would forbid to take cards back.

    Source: rulebook l. 66; rulings DX9, DX43.
    """
    return NOTHING.union(*(takes(row, state.rows[row]) for row in _rows_to_try(state)))


def fitting_bits(state: State) -> int:
    """Return the same as bits, as it is asked whenever no card was placed yet."""
    bits = 0
    for row in _rows_to_try(state):
        bits |= takes_bits(row, state.rows[row])
    return bits


def _rows_to_try(state: State) -> tuple[Row, ...]:
    rows = rows_now(state)
    if state.setting.options.tower_counts:
        return rows
    return tuple(row for row in rows if row != TOWER)


def may_be_stuck(state: State, hand: Hand) -> bool:
    """Tell whether nothing that the hand may hold can be placed anywhere.

    Source: rulebook l. 66; rulings DX9, DX13, DX33, DX37, DX43.
    """
    known = bits_of(hand.known) if hand.unknown else hand.bits
    if fitting_bits(state) & known:
        return False
    if not hand.unknown and HERO not in hand.known:
        return bool(hand.known)
    fitting = fitting_now(state)
    openers = NOTHING if HERO in fitting else _openers(state)
    misfits = hand.pool - fitting - {HERO}
    heroes = hand.heroes if HERO in hand.pool - fitting else 0
    if HERO not in hand.known:
        if len(misfits) >= hand.unknown:
            return True
        if not heroes:
            return False
    # With a hero in hand, no other card may open an army for it by an exchange.
    enough = len(misfits - openers) + heroes >= hand.unknown
    return enough and openers.isdisjoint(hand.known)


def _openers(state: State) -> Cards:
    """Return the troops that, put in the place of a hero, let another hero go on.

    Source: rulebook l. 64; ruling DX37.
    """
    if state.turn.swapped:
        return NOTHING
    return frozenset(
        card
        for row in rows_now(state)
        for card in swappable(state, row)
        if HERO in takes(row, exchanged(row, state.rows[row], card))
    )


def swappable(state: State, row: Row) -> Cards:
    """Return the troops that fit in the place of an army's hero."""
    return replaces(row, state.rows[row], state.setting.options.swap_same)


def may_swap(state: State, row: Row, hand: Hand, card: Card) -> bool:
    """Tell whether after an exchange on an open army the turn can go on as it must.

    Source: rulebook l. 64; rulings DX14, DX37, DX43, DX45.
    """
    rest = hand.without(card)
    after = exchanged(row, state.rows[row], card)
    ghost = state.turn.ghost
    if ghost is not None:
        return bool(rest.size) and separates(
            row, after, exchanged(row, ghost, card), rest
        )
    if state.turn.placed or state.setting.options.swap_alone:
        return True
    if not rest.size:
        return False
    if not rest.cards.isdisjoint(takes(row, after)):
        return True
    return may_be_stuck(state, hand.told(card))


def may_take_back(state: State, row: Row, hand: Hand) -> bool:
    """Tell whether the last card of a filled, open army may be taken back.

    Source: rulebook l. 66; rulings DX9, DX10, DX11, DX13, DX43.
    """
    if state.turn.placed or not hand.size:
        return False
    if state.turn.ghost is None:
        return may_be_stuck(state, hand)
    return in_the_way(state, row, hand)


def insertable(state: State, row: Row, hand: Hand) -> tuple[tuple[Card, int], ...]:
    """Return the cards that may be put between two of an army, and where.

    Source: rulebook l. 150; rulings DX23, DX38.
    """
    stack = state.rows[row]
    return tuple(
        (card, slot) for card in sorted(hand.cards) for slot in slots(row, stack, card)
    )


def insert_rows(state: State) -> tuple[Row, ...]:
    """Return the armies that volunteers may go to."""
    return tuple(row for row in rows_now(state) if row != TOWER)
