"""Which cards a row takes, and what it is once a card has come, gone or changed.

A row never knows whose turn it is, who holds what or where the dragons are.

Source: rulebook l. 53-64, 150; rulings DX3, DX4, DX5, DX15, DX40.
"""

from itertools import pairwise

from companion.games.core import with_value
from companion.games.dragonix.cards import A_HERO, ALL_TROOPS, NOTHING, Cards, cards_of
from companion.games.dragonix.pieces import (
    ARMIES,
    COLOUR,
    COLOURED,
    FULL,
    HERO,
    NO_COLOUR,
    PEOPLES,
    RISING,
    ROWS,
    TOWER,
    TROOPS,
    VALUE,
    VALUES,
    Card,
    Row,
)
from companion.games.dragonix.state import (
    EMPTY,
    Stack,
)

OF_VALUE = tuple(
    cards_of(card for card in range(TROOPS) if VALUE[card] == value)
    for value in range(VALUES + 1)
)
"""The troops of each value."""

NO_END = 0
"""Stands for the value of a neighbour that is not there."""


def next_value(row: Row, end: int) -> int:
    """Return what a hero counts behind a card of value *end*.

    On an empty army it takes the value that leaves most room. Beyond 12 or below 1 no
    value is left, so a hero that a table forces there keeps the last one.

    Source: rulebook l. 62-64; rulings DX3, DX4, DX5.
    """
    if RISING[row]:
        return min(end + 1, VALUES)
    return max(end - 1, 1) if end else VALUES


def _goes_on(row: Row, end: int, value: int) -> bool:
    if row == TOWER or not end:
        return True
    return value > end if RISING[row] else value < end


def _right_colour(row: Row, colour: int, card: Card) -> bool:
    return not COLOURED[row] or colour in (NO_COLOUR, COLOUR[card])


def _takes(row: Row, has_hero: bool, end: int, colour: int) -> Cards:
    troops = cards_of(
        card
        for card in range(TROOPS)
        if _goes_on(row, end, VALUE[card]) and _right_colour(row, colour, card)
    )
    last = VALUES if RISING[row] else 1
    hero = row in ARMIES and not has_hero and end != last
    return troops | A_HERO if hero else troops


TAKES = tuple(
    tuple(
        tuple(
            # The last colour is that of NO_COLOUR, which -1 finds from the end.
            tuple(
                _takes(row, has_hero, end, colour)
                for colour in (*range(len(PEOPLES)), NO_COLOUR)
            )
            for end in range(VALUES + 1)
        )
        for has_hero in (False, True)
    )
    for row in range(len(ROWS))
)
"""What goes on a row, by row, whether it has a hero, end value (0: empty), colour."""


GOES_BEFORE = tuple(
    tuple(
        cards_of(
            card
            for card in range(TROOPS)
            if not value or _goes_on(row, VALUE[card], value)
        )
        for value in range(VALUES + 1)
    )
    for row in range(len(ROWS))
)
"""The troops that a card of some value goes on, by row and value."""


def fitting_cards(row: Row, stack: Stack) -> Cards:
    """Return the cards that may be placed at the end of a row.

    Source: rulebook l. 46-64.
    """
    end = stack.values[-1] if stack.values else NO_END
    return TAKES[row][HERO in stack.cards][end][stack.colour]


def place(row: Row, stack: Stack, card: Card) -> Stack:
    """Return the row with *card* at its end, which may make it full."""
    end = stack.values[-1] if stack.values else NO_END
    colour = stack.colour
    if colour == NO_COLOUR and COLOURED[row]:
        colour = COLOUR[card]
    return Stack(
        (*stack.cards, card),
        (*stack.values, VALUE[card] or next_value(row, end)),
        colour,
        stack.ordered,
    )


def clear_row(stack: Stack) -> Stack:
    """Return the row, or an empty one where it has six cards.

    Source: rulebook l. 61; ruling DX7.
    """
    return EMPTY if len(stack.cards) >= FULL else stack


def without_last(row: Row, stack: Stack) -> Stack:
    """Return the row without its last card.

    Source: rulebook l. 66, 132; rulings DX11, DX21.
    """
    if len(stack.cards) == 1:
        return EMPTY
    return row_of(row, stack.cards[:-1], stack.values[:-1], stack)


def exchange_hero(row: Row, stack: Stack, card: Card) -> Stack:
    """Return the row with *card* in the place of its hero."""
    spot = stack.cards.index(HERO)
    cards = with_value(stack.cards, spot, card)
    return row_of(row, cards, with_value(stack.values, spot, VALUE[card]), stack)


def insert_card(row: Row, stack: Stack, card: Card, slot: int) -> Stack:
    """Return the row with *card* after its first *slot* cards."""
    value = VALUE[card] or next_value(row, stack.values[slot - 1])
    return row_of(
        row,
        (*stack.cards[:slot], card, *stack.cards[slot:]),
        (*stack.values[:slot], value, *stack.values[slot:]),
        stack,
    )


def recolour_row(stack: Stack, colour: int) -> Stack:
    """Return the row as it asks for another colour (ruling DX21)."""
    return Stack(stack.cards, stack.values, colour, True)


def row_of(
    row: Row, cards: tuple[Card, ...], values: tuple[int, ...], old: Stack
) -> Stack:
    """Return a row of these cards; its colour is an order's or else its first troop's.

    Source: rulebook l. 55-57; rulings DX4, DX21.
    """
    if old.ordered or not COLOURED[row]:
        return Stack(cards, values, old.colour, old.ordered)
    colour = next((COLOUR[card] for card in cards if card != HERO), NO_COLOUR)
    return Stack(cards, values, colour, False)


def _between(row: Row, before: int, after: int, colour: int) -> Cards:
    """Return the troops for a place between two values, `NO_END` for none."""
    behind = TAKES[row][False][before][colour] & ALL_TROOPS
    return behind & GOES_BEFORE[row][after]


def fitting_heroes(row: Row, stack: Stack, same_value: bool) -> Cards:
    """Return the troops that may take the place of an army's hero.

    Between its neighbours, or of its value, as the table chose.

    Source: rulebook l. 64; rulings DX15, DX17.
    """
    if row == TOWER or HERO not in stack.cards:
        return NOTHING
    spot = stack.cards.index(HERO)
    values = (NO_END, *stack.values, NO_END)
    fit = _between(row, values[spot], values[spot + 2], stack.colour)
    return fit & OF_VALUE[stack.values[spot]] if same_value else fit


def slots(row: Row, stack: Stack, card: Card) -> tuple[int, ...]:
    """Return between which cards of an army *card* may be inserted.

    Source: rulebook l. 150; rulings DX23, DX38.
    """
    fits = enumerate(fit_between(row, stack), start=1)
    return tuple(slot for slot, cards in fits if cards >> card & 1)


def fit_between(row: Row, stack: Stack) -> tuple[Cards, ...]:
    """Return what may be inserted after the first card of an army, the second, ...

    Source: rulebook l. 150; rulings DX23, DX38.
    """
    if row == TOWER:
        return ()
    has_hero = HERO in stack.cards
    return tuple(
        _fits(row, before, after, stack.colour, has_hero)
        for before, after in pairwise(stack.values)
    )


def _fits(row: Row, before: int, after: int, colour: int, has_hero: bool) -> Cards:
    troops = _between(row, before, after, colour)
    room = (after - before if RISING[row] else before - after) > 1
    return troops | A_HERO if room and not has_hero else troops
