"""Other tables that look the same to a viewer: which card could be where."""

from collections.abc import Iterator
from itertools import islice

from msgspec.structs import replace

from companion.games.eight_dragons.census import unaccounted
from companion.games.eight_dragons.pieces import CARDS, PART, Card
from companion.games.eight_dragons.state import HELD, LYING, Hand, State, rank
from companion.games.hidden import (
    Hidden,
    Viewer,
    redact,
)
from companion.table import Seat

MASK = (1 << 64) - 1


def resample(state: State, viewer: Viewer, seed: int) -> State:
    """Return *state* with every card dealt anew that *viewer* cannot see.

    Hands hold only parts of dragons, so they are dealt first. The same seed gives the
    same table on every machine.

    Source: rulebook l. 98 (spent cards stay in the rectangle).
    """
    seen = redact(state, viewer)
    cards = [
        card
        for card, count in zip(CARDS, unaccounted(seen), strict=True)
        for _ in range(count)
    ]
    _shuffle(cards, seed)
    parts = [card for card in cards if card in PART]
    dealt = sum(len(hand) for seat, hand in enumerate(seen.hands) if seat != viewer)
    held = iter(parts[:dealt])
    hands = tuple(
        hand if seat == viewer else _hand(seat, hand, held)
        for seat, hand in enumerate(seen.hands)
    )
    for card in parts[:dealt]:
        cards.remove(card)
    lying = iter(cards)
    grid = tuple(
        LYING[next(lying)] if isinstance(spot, Hidden) else spot for spot in seen.grid
    )
    return replace(seen, hands=hands, grid=grid)


def _hand(seat: Seat, hand: Hand, cards: Iterator[Card]) -> Hand:
    dealt = [HELD[seat][card] for card in islice(cards, len(hand))]
    return tuple(sorted(dealt, key=rank))


def _shuffle(cards: list[Card], seed: int) -> None:
    for top in range(len(cards) - 1, 0, -1):
        seed = _mix(seed)
        other = seed % (top + 1)
        cards[top], cards[other] = cards[other], cards[top]


def _mix(number: int) -> int:
    """Return 64 bits that look random; equal for equal numbers.

    Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
    OOPSLA 2014, the finishing step of SplitMix64.
    """
    z = number + 0x9E3779B97F4A7C15 & MASK
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31
