"""What the table takes out of its memory once a card shows that it was wrong.

Whoever stands at the table tells what lies open there, and is believed: of two cards
of which only one can be there, the one that was remembered in secret goes.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from companion.games.eight_dragons import census
from companion.games.eight_dragons.pieces import ORDER, Card
from companion.games.eight_dragons.state import (
    FACE_DOWN,
    Hand,
    Spot,
    State,
    rank,
)
from companion.games.hidden import (
    Hidden,
)


def without_impossible(
    state: State, cards: Iterable[Card], at: int | None = None
) -> State:
    """Return *state* without what cannot be true of *cards*, now that they are seen.

    A hand forgets only what its owner can see to be wrong, as others' hands must not
    show in it; two hands that claim the same card are both let be. *at* is the place
    where a card was just seen, which stays known.

    Source: rulebook l. 57-66 (how many of each card there are).
    """
    for card in dict.fromkeys(cards):
        if census.unaccounted(state)[ORDER[card]] < 0:
            state = _without_false_hands(state, card)
        if census.unaccounted(state)[ORDER[card]] < 0:
            grid = tuple(
                FACE_DOWN if place != at and _is_known(spot, card) else spot
                for place, spot in enumerate(state.grid)
            )
            state = replace(state, grid=grid)
    return state


def _is_known(spot: Spot, card: Card) -> bool:
    return isinstance(spot, Hidden) and spot.value is card


def _without_false_hands(state: State, card: Card) -> State:
    """Empty the notes of *card* in each hand that says more of it than can be."""
    left = state.setting.counts[ORDER[card]] - _open(state, card)
    hands = tuple(
        _without(hand, card)
        if sum(held.value is card for held in hand) > left
        else hand
        for hand in state.hands
    )
    return replace(state, hands=hands)


def _open(state: State, card: Card) -> int:
    """Return how many of *card* lie open for all to see."""
    laid = (part for dragons in state.laid for dragon in dragons for part in dragon)
    return sum(spot is card for spot in state.grid) + sum(c is card for c in laid)


def _without(hand: Hand, card: Card) -> Hand:
    cards = (Hidden(None, h.seen_by) if h.value is card else h for h in hand)
    return tuple(sorted(cards, key=rank))
