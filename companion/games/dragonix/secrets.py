"""Other tables that look the same to a viewer: who else could hold what.

Source: rulebook l. 26-30 (who sees which cards and tokens), 136.
"""

from typing import TypeVar

from msgspec.structs import replace

from companion.games.dragonix.cards import in_order
from companion.games.dragonix.offers import may_note
from companion.games.dragonix.pieces import HERO, Card, Token
from companion.games.dragonix.state import Side, State
from companion.games.hidden import (
    Hidden,
    Viewer,
)
from companion.table import Seat

MASK = (1 << 64) - 1

T = TypeVar("T")


def resample(state: State, viewer: Viewer, seed: int) -> State:
    """Return *state* with fresh hands and tokens for all that *viewer* cannot know.

    Every other seat is given whole hands, as if it had noted all of them, out of the
    cards that nobody has shown and that *viewer* does not hold. But whoever has to end
    what was begun, a token or a removal, stays without notes: the hand dealt might not
    be one that can. The same seed gives the same hands on every machine.
    """
    deck = [*in_order(state.unseen), *(HERO,) * state.heroes]
    tokens = list(state.tokens)
    if viewer is not None:
        _take_own(state.sides[viewer], deck, tokens)
    seed = _shuffle(deck, seed)
    seed = _shuffle(tokens, seed)
    sides = []
    for seat, side in enumerate(state.sides):
        if seat != viewer:
            seed = _mix(seed)
            # Each side is dealt anew in turn; the old one is not needed again.
            side = _deal(side, seat, deck, tokens, seed)  # noqa: PLW2901
            if seat == state.seat and not may_note(state, seat):
                side = replace(side, noted=Hidden((), (seat,)))  # noqa: PLW2901
        sides.append(side)
    return replace(state, sides=tuple(sides))


def _take_own(side: Side, deck: list[Card], tokens: list[Token]) -> None:
    """Take out of deck and tokens what the viewer has noted as its own."""
    mixed = list(side.mixed)
    for card in side.noted.value or ():
        (mixed if card in mixed else deck).remove(card)
    for token in side.noted_tokens.value or ():
        tokens.remove(token)


def _deal(
    side: Side, seat: Seat, deck: list[Card], tokens: list[Token], seed: int
) -> Side:
    """Return a side with a hand and tokens dealt from the end of *deck* and *tokens*.

    Its mixed cards may be in the hand as well as in the camp, so both are dealt and
    only the hand is kept.
    """
    in_hand = side.hand - len(side.shown)
    face_down = in_hand + side.camp - len(side.under)
    cards = [*side.mixed, *(deck.pop() for _ in range(face_down - len(side.mixed)))]
    _shuffle(cards, seed)
    count = side.tokens - len(side.open_tokens)
    dealt = tuple(sorted(tokens.pop() for _ in range(count)))
    return replace(
        side,
        noted=Hidden(tuple(sorted(cards[:in_hand])), (seat,)),
        noted_tokens=Hidden(dealt, (seat,)),
    )


def _shuffle(things: list[T], seed: int) -> int:
    """Shuffle in place; return a number to go on with."""
    for top in range(len(things) - 1, 0, -1):
        seed = _mix(seed)
        other = seed % (top + 1)
        things[top], things[other] = things[other], things[top]
    return seed


def _mix(number: int) -> int:
    """Return 64 bits that look random; equal for equal numbers.

    Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
    OOPSLA 2014, the finishing step of SplitMix64.
    """
    z = number + 0x9E3779B97F4A7C15 & MASK
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31
