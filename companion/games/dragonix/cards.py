"""Sets of cards: whole numbers in which bit n stands for card n.

Which cards fit where and which may be in a hand is asked in every position. Such sets
meet (`&`), join (`|`) and lose members (`& ~`) at a stroke, however large they are.
"""

from collections.abc import Iterable
from typing import TypeAlias

from companion.games.dragonix.pieces import HERO, TROOPS, Card

Cards: TypeAlias = int

NOTHING: Cards = 0
A_HERO: Cards = 1 << HERO
ALL_TROOPS: Cards = (1 << TROOPS) - 1
DECK = range(HERO + 1)

IN_OCTET = tuple(
    tuple(
        tuple(card for card in range(first, first + 8) if octet >> card - first & 1)
        for octet in range(256)
    )
    for first in range(0, len(DECK), 8)
)
"""The cards of each octet of a set: large ones are taken apart eight bits at a time."""

FEW = 4
"""Up to so many members, taking one after another is faster than whole octets."""


def cards_of(members: Iterable[Card]) -> Cards:
    """Return the set of some cards."""
    cards = NOTHING
    for card in members:
        cards |= 1 << card
    return cards


def in_order(cards: Cards) -> list[Card]:
    """Return the members of a set, rising."""
    members: list[Card] = []
    if cards.bit_count() > FEW:
        octets = cards.to_bytes(len(IN_OCTET), "little")
        for table, octet in zip(IN_OCTET, octets, strict=True):
            members += table[octet]
        return members
    while cards:
        lowest = cards & -cards
        members.append(lowest.bit_length() - 1)
        cards ^= lowest
    return members
