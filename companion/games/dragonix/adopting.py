"""Reads a position off the table, where that and not the record is right.

What a hand cannot have left there is not sorted out here but reported by `checks`.
"""

from msgspec.structs import replace

from companion.games.core import NotNow
from companion.games.dragonix import hands
from companion.games.dragonix.layout import CARD, row_place
from companion.games.dragonix.offers import SETTING_UP
from companion.games.dragonix.pieces import (
    ARMIES,
    CARDS,
    HERO,
    RED,
    RISING,
    TOWER,
    UNDEAD,
    VALUE,
    Card,
    Row,
)
from companion.games.dragonix.stacks import row_of
from companion.games.dragonix.state import (
    EMPTY,
    NOWHERE,
    Stack,
    State,
)
from companion.table import Layout

NUMBERS = {face: card for card, face in enumerate(CARDS)}


def adopt(state: State, lying: Layout) -> State | None:
    """Return *state* as it would be if this lies there; None if that is open.

    A card that has come from nowhere in sight was in the hand of the seat in turn;
    before the first turn nobody plays from a hand. A row from which a card was just
    taken back waits for others first (DX9).

    Source: rulebook l. 46-66 (the rows), 84-94, 144 (the dragons).
    """
    where = {piece: place for piece, _, place in lying}
    armies = {row_place(row): row for row in ARMIES}
    rows = tuple(_row(lying, row, stack) for row, stack in enumerate(state.rows))
    known = [row for row in rows if row is not None]
    if len(known) < len(rows) or state.turn.ghost is not None:
        return None
    after = replace(
        state,
        rows=tuple(known),
        red=armies.get(where.get(RED.value, ""), NOWHERE),
        undead=armies.get(where.get(UNDEAD.value, ""), NOWHERE),
    )
    lay = [card for stack in state.rows for card in stack.cards]
    for card in (card for stack in known for card in stack.cards):
        if card in lay:
            lay.remove(card)
            continue
        if state.phase in SETTING_UP:
            return None
        try:
            after = hands.use_card(after, state.seat, card)
        except NotNow:
            return None
    return after


def _row(lying: Layout, row: Row, stack: Stack) -> Stack | None:
    """Return a row as it lies there; None where it is open what lies last.

    Armies lie in the order of their values; what a new hero counts hangs on where
    among them it was put (DX3). On the tower a new card lies last.

    Source: rulebook l. 46-64.
    """
    place = row_place(row)
    there = {
        NUMBERS[face]
        for piece, face, spot in lying
        if (piece, spot) == (CARD, place) and face in NUMBERS
    }
    kept = [
        (card, value)
        for card, value in zip(stack.cards, stack.values, strict=True)
        if card in there
    ]
    came = sorted(there - set(stack.cards))
    if HERO in came or (row == TOWER and len(came) > 1):
        return None
    cards: list[tuple[Card, int]] = [*kept, *((card, VALUE[card]) for card in came)]
    if row in ARMIES:
        cards.sort(key=lambda laid: laid[1], reverse=not RISING[row])
    if not cards:
        return EMPTY
    return row_of(
        row, tuple(card for card, _ in cards), tuple(value for _, value in cards), stack
    )
