"""Where the active player may place cards, and whether any of them fits.

Where a hand is not told, a thing is possible if some hand allows it: a card that fits,
or cards none of which do.

Source: rulebook l. 44-86; rulings DX6, DX9, DX10, DX13, DX14, DX37, DX43.
"""

from functools import reduce
from operator import or_
from typing import TypeAlias

from companion.games.dragonix.cards import (
    A_HERO,
    ALL_TROOPS,
    NOTHING,
    Cards,
    cards_of,
    in_order,
)
from companion.games.dragonix.hands import Hand
from companion.games.dragonix.pieces import (
    ARMIES,
    COLOUR,
    COLOURED,
    FULL,
    HERO,
    PEOPLES,
    RISING,
    TOWER,
    TROOPS,
    VALUE,
    VALUES,
    Card,
    Row,
)
from companion.games.dragonix.stacks import (
    OF_VALUE,
    clear_row,
    exchange_hero,
    fitting_cards,
    fitting_heroes,
    next_value,
    place,
    slots,
)
from companion.games.dragonix.state import (
    EMPTY,
    NOWHERE,
    Stack,
    State,
)

Fits: TypeAlias = dict[Row, Cards]
"""What goes on each of some rows."""

OF_PEOPLE = tuple(
    cards_of(card for card in range(TROOPS) if COLOUR[card] == people)
    for people in range(len(PEOPLES))
)
"""The troops of each people."""


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


def fits_now(state: State) -> Fits:
    """Return for each of `rows_now` what goes on it."""
    rows = state.rows
    return {row: fitting_cards(row, rows[row]) for row in rows_now(state)}


def settling(state: State, row: Row, hand: Hand, fitting: Cards) -> Cards:
    """Return which of the *fitting* cards may be placed after cards were taken back.

    These are the cards that the last card taken back was in the way of, and those of a
    set that it was in the way of (ruling DX10).
    """
    ghost = state.turn.ghost
    if ghost is None:
        return fitting
    needed = fitting & ~fitting_cards(row, ghost)
    for card in in_order(fitting & ~needed):
        if _leads_on(state, row, hand, card):
            needed |= 1 << card
    return needed


def _leads_on(state: State, row: Row, hand: Hand, card: Card) -> bool:
    """Tell whether *card*, which fits on the ghost too, begins a set that does not."""
    ghost = state.turn.ghost
    assert ghost is not None
    if len(ghost.cards) == FULL - 1:
        return False  # it would have filled the row, so nothing was in the way
    high, spare = ghost_with(row, ghost, state.turn.spare, card)
    if high is None:
        return True
    low = clear_row(place(row, state.rows[row], card))
    return separates(row, low, high, spare, hand.without(card))


def ghost_with(
    row: Row, ghost: Stack, spare: bool, card: Card
) -> tuple[Stack | None, bool]:
    """Return the row with *card* as if the last card taken back still lay there.

    None once the cards placed since would not all have fitted there in any order: then
    that card was in their way. A hero would have fitted behind the others or into any
    gap between them, so it is kept apart, as *spare*, and counts only where the troops
    leave no value free up to the last one.

    Source: rulebook l. 62, 66, 70; ruling DX10.
    """
    if not fitting_cards(row, ghost) >> card & 1 or len(ghost.cards) == FULL - 1:
        return None, False
    if card == HERO:
        return ghost, True
    longer = place(row, ghost, card)
    if spare:
        spare = VALUE[card] == next_value(row, ghost.values[-1])
        if spare and not fitting_cards(row, longer) & A_HERO:
            return None, False
    return longer, spare


def ghost_exchanged(
    row: Row, ghost: Stack, spare: bool, card: Card
) -> tuple[Stack | None, bool]:
    """Return the same once a hero was exchanged for *card*.

    A hero placed since gives way to a card placed since; else it is a hero that lay
    there before, or one of the volunteers, which the ghost knows nothing of.
    """
    if spare:
        return ghost_with(row, ghost, False, card)
    return (exchange_hero(row, ghost, card) if HERO in ghost.cards else ghost), False


def separates(row: Row, low: Stack, high: Stack, spare: bool, hand: Hand) -> bool:
    """Tell whether a set of cards of the hand fits on *low* and in no order on *high*.

    So a card may be taken back only if it is in the way of the set that is then placed:
    of one card of it, or of a hero together with troops that leave it no value.

    Source: rulebook l. 66, 70; ruling DX10.
    """
    fitting = hand.cards & fitting_cards(row, low)
    if fitting & ~fitting_cards(row, high):
        return True
    if spare:
        return _leaves_no_value(row, low, high, hand)
    if not fitting & A_HERO or hand.size <= 1:
        return False
    low = clear_row(place(row, low, HERO))
    return _leaves_no_value(row, low, high, hand.without(HERO))


def _leaves_no_value(row: Row, low: Stack, high: Stack, hand: Hand) -> bool:
    """Tell whether the hand may hold a troop of each value that *high* leaves free.

    With these there, a hero finds no room on *high*; on *low* it lies before them.
    """
    if not high.values:
        return False
    end = high.values[-1]
    values = range(end + 1, VALUES + 1) if RISING[row] else range(1, end)
    if not values or len(values) > hand.size or len(high.cards) + len(values) >= FULL:
        return False
    fitting = hand.cards & fitting_cards(row, low) & fitting_cards(row, high)
    known = cards_of(hand.known)
    return any(
        all(fitting & cards & OF_VALUE[value] for value in values)
        and sum(not fitting & cards & known & OF_VALUE[value] for value in values)
        <= hand.unknown
        for cards in (OF_PEOPLE if COLOURED[row] else (ALL_TROOPS,))
    )


def in_the_way(state: State, row: Row, hand: Hand) -> bool:
    """Tell whether the last card of an army is in the way of cards of the hand."""
    return separates(row, EMPTY, state.rows[row], False, hand)


def goes_on(state: State, row: Row, stack: Stack, hand: Hand, placed: bool) -> bool:
    """Tell whether cards can follow that the card taken back was in the way of.

    *stack* and *hand* are the row and the hand once a token has changed them, *placed*
    is whether step A is done then, so that no more cards are taken back.

    Source: rulebook l. 66, 76; rulings DX10, DX19.
    """
    turn, stack = state.turn, clear_row(stack)
    if turn.ghost is None or separates(row, stack, turn.ghost, turn.spare, hand):
        return True
    if placed or not stack.cards:
        return False
    return separates(row, EMPTY, stack, False, hand)


def fitting_anywhere(state: State, fits: Fits) -> Cards:
    """Return the cards that, had one any of them, would forbid to take cards back.

    Source: rulebook l. 66; rulings DX9, DX43.
    """
    if not state.setting.options.tower_counts:
        fits = {row: cards for row, cards in fits.items() if row != TOWER}
    return reduce(or_, fits.values(), NOTHING)


def may_be_stuck(state: State, hand: Hand, fits: Fits) -> bool:
    """Tell whether nothing that the hand may hold can be placed anywhere.

    *fits* is what goes on each row now.

    Source: rulebook l. 66; rulings DX9, DX13, DX33, DX37, DX43.
    """
    fitting = fitting_anywhere(state, fits)
    known = cards_of(hand.known) if hand.unknown else hand.cards
    if fitting & known:
        return False
    if not hand.unknown and not known & A_HERO:
        return known != NOTHING
    openers = NOTHING if fitting & A_HERO else _openers(state)
    misfits = hand.pool & ~fitting
    heroes = hand.heroes if misfits & A_HERO else 0
    misfits &= ~A_HERO
    if not known & A_HERO:
        if misfits.bit_count() >= hand.unknown:
            return True
        if not heroes:
            return False
    # With a hero in hand, no other card may open an army for it by an exchange.
    enough = (misfits & ~openers).bit_count() + heroes >= hand.unknown
    return enough and not openers & known


def _openers(state: State) -> Cards:
    """Return the troops that, put in the place of a hero, let another hero go on.

    Source: rulebook l. 64; ruling DX37.
    """
    if state.turn.swapped:
        return NOTHING
    return cards_of(
        card
        for row in rows_now(state)
        for card in in_order(swappable(state, row))
        if fitting_cards(row, exchange_hero(row, state.rows[row], card)) & A_HERO
    )


def swappable(state: State, row: Row) -> Cards:
    """Return the troops that fit in the place of an army's hero."""
    return fitting_heroes(row, state.rows[row], state.setting.options.swap_same)


def may_swap(state: State, row: Row, hand: Hand, card: Card) -> bool:
    """Tell whether after an exchange on an open army the turn can go on as it must.

    Source: rulebook l. 64; rulings DX14, DX37, DX43, DX45.
    """
    ghost = state.turn.ghost
    if ghost is None and (state.turn.placed or state.setting.options.swap_alone):
        return True
    rest = hand.without(card)
    after = exchange_hero(row, state.rows[row], card)
    if ghost is not None:
        high, spare = ghost_exchanged(row, ghost, state.turn.spare, card)
        return high is None or separates(row, after, high, spare, rest)
    if not rest.size:
        return False
    if rest.cards & fitting_cards(row, after):
        return True
    return may_be_stuck(state, hand.with_known(card), fits_now(state))


def may_take_back(state: State, row: Row, hand: Hand, fits: Fits) -> bool:
    """Tell whether the last card of a filled, open army may be taken back.

    Once cards were placed it may not, which the caller has to see.

    Source: rulebook l. 66; rulings DX9, DX10, DX11, DX13, DX43.
    """
    if state.turn.ghost is None:
        return may_be_stuck(state, hand, fits)
    return in_the_way(state, row, hand)


def insertable(state: State, row: Row, hand: Hand) -> tuple[tuple[Card, int], ...]:
    """Return the cards that may be put between two of an army, and where.

    Source: rulebook l. 150; rulings DX23, DX38.
    """
    stack = state.rows[row]
    return tuple(
        (card, slot)
        for card in in_order(hand.cards)
        for slot in slots(row, stack, card)
    )


def insert_rows(state: State) -> tuple[Row, ...]:
    """Return the armies that volunteers may go to."""
    return tuple(row for row in rows_now(state) if row != TOWER)
