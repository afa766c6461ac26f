"""Which cards may lie where, which of them are free, and whether they make pairs.

Works on a whole state and on what one viewer sees of it alike: a card whose face is
not known here may be any card that is not accounted for elsewhere.

Source: rulebook l. 55-66, 122-126; ruling ED24.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations, compress
from operator import not_

from companion.games.eight_dragons.pieces import (
    CARD,
    CARDS,
    COLOUR,
    FEW_FREE,
    LONG,
    ORDER,
    PART,
    PLACES,
    SPECIALS,
    Card,
    Colour,
    Part,
)
from companion.games.eight_dragons.state import (
    FACE_DOWN,
    SAME_COLOUR,
    SHAPE,
    Four,
    Hand,
    Match,
    State,
)
from companion.games.hidden import (
    Hidden,
)

DEAD = FEW_FREE + 1
"""More free cards than this are no dead end: of five parts two pair, and the only
other card that may be among them is the twin card (ruling ED29)."""

MANY = sum(LONG)
"""Stands for more free cards than `DEAD`, however many they are."""

MANY_SPECIALS = sum(SPECIALS.values())
"""The most cards that can lie face up for good."""


def unaccounted(state: State) -> list[int]:
    """Return how many of each card are not accounted for, in the order of `CARDS`."""
    left = off_the_grid(state)
    for spot in state.grid:
        if spot is FACE_DOWN or spot is None:
            continue  # most of the cards, for most of the game
        card = spot.value if isinstance(spot, Hidden) else spot
        if card is not None:
            left[ORDER[card]] -= 1
    return left


def off_the_grid(state: State) -> list[int]:
    """Return how many of each card are neither in a hand, as far as known, nor laid."""
    return [*_off_the_grid(state.setting.counts, state.hands, state.laid)]


@lru_cache(1024)
def _off_the_grid(
    counts: tuple[int, ...], hands: tuple[Hand, ...], laid: tuple[tuple[Four, ...], ...]
) -> tuple[int, ...]:
    """Return what is left of *counts*; kept, as most moves change neither."""
    gone = Counter(held.value for hand in hands for held in hand)
    gone.update(card for dragons in laid for dragon in dragons for card in dragon)
    return tuple(count - gone[card] for card, count in zip(CARDS, counts, strict=True))


def blocked_places(state: State) -> tuple[int, ...]:
    """Return the places under a token."""
    return tuple(place for place, _ in state.blocked)


def free_places(state: State) -> list[int]:
    """Return where a card lies face down without a token (rulings ED9, ED19, ED20)."""
    free = [place for place, spot in enumerate(state.grid) if spot.__class__ is Hidden]
    if state.blocked:
        blocked = blocked_places(state)
        return [place for place in free if place not in blocked]
    return free


def empty_places(state: State) -> list[int]:
    """Return the places of the rectangle where no card lies (ruling ED6)."""
    return [*compress(PLACES, map(not_, state.grid))]


def count_free(state: State) -> int:
    """Return how many cards are free as the end of the game counts them.

    The twin card counts even where a table plays it only once: the rulebook names it
    among the free cards.

    Source: rulebook l. 124; rulings ED9, ED10.
    """
    free = len(free_places(state))
    if state.setting.options.twin_spent and Card.TWIN in state.grid:
        return free + 1
    return free


def about_free(state: State) -> int:
    """Return how many cards are free, or `MANY` where no rule asks how many.

    That is so for most of the game: as long as more than `DEAD` are free even if every
    special card lies face up. It spares looking at each place when a turn ends.
    """
    lying = len([*filter(None, state.grid)])  # `count` would compare each with None
    if lying - len(state.up) - len(state.blocked) - MANY_SPECIALS > DEAD:
        return MANY
    return count_free(state)


def match(one: Card, other: Card, *, twins_are_colour: bool) -> Match | None:
    """Return how two cards are alike: the same part counts before the same colour.

    Source: rulebook l. 72-74; rulings ED1, ED38.
    """
    if one not in PART or other not in PART:
        return None
    if COLOUR[one] is COLOUR[other]:
        alike = PART[one] is PART[other] and not twins_are_colour
        return SHAPE if alike else SAME_COLOUR
    return SHAPE if PART[one] is PART[other] else None


def has_pair(cards: Iterable[Card]) -> bool:
    """Tell whether two of *cards* share a part or a colour (ruling ED24)."""
    parts = [card for card in cards if card in PART]
    return len({PART[card] for card in parts}) < len(parts) or (
        len({COLOUR[card] for card in parts}) < len(parts)
    )


def worlds(state: State) -> Iterator[tuple[Card, ...]]:
    """Yield every set of cards that the free places may hold, equal ones too.

    More than one only while the referee has not seen some card that is now blocked.
    """
    known: list[Card] = []
    hidden = 0
    for place in free_places(state):
        spot = state.grid[place]
        assert isinstance(spot, Hidden)
        if spot.value is None:
            hidden += 1
        else:
            known.append(spot.value)
    left = [
        card
        for card, count in zip(CARDS, unaccounted(state), strict=True)
        for _ in range(count)
    ]
    for rest in combinations(left, hidden):
        yield (*known, *rest)


def pair_among_free(state: State) -> bool | None:
    """Tell whether a pair lies among the free cards; None if that cannot be known."""
    found: bool | None = None
    for cards in worlds(state):
        pair = has_pair(cards)
        if found is not None and pair is not found:
            return None
        found = pair
    return found


def is_dead_end(state: State) -> bool:
    """Tell whether nothing that the free cards hold can ever change anything.

    That is where no two of them pair and none is a gain or a trap, the twin card apart.

    Source: rulebook l. 122-126; ruling ED29.
    """
    return all(
        not has_pair(cards) and all(card in PART or card is Card.TWIN for card in cards)
        for cards in worlds(state)
    )


def dragon_colour(cards: Iterable[Card]) -> Colour | None:
    """Return the colour of the dragon that *cards* are, None if they are none.

    Four different parts of one colour, or three with a silver part for the fourth; the
    multicolour dragon takes no silver.

    Source: rulebook l. 80, 88; rulings ED15, ED16, ED17.
    """
    four = tuple(cards)
    if len(four) != len(Part) or any(card not in PART for card in four):
        return None
    if len({PART[card] for card in four}) < len(Part):
        return None
    colours = [COLOUR[card] for card in four]
    others = {colour for colour in colours if colour is not Colour.SILVER}
    if not others:
        return Colour.SILVER
    silver = colours.count(Colour.SILVER)
    if len(others) > 1 or silver > 1 or (silver and Colour.MULTI in others):
        return None
    return others.pop()


def _dragons() -> Iterator[Four]:
    silver = tuple(CARD[Colour.SILVER, part] for part in Part)
    for colour in Colour:
        whole = tuple(CARD[colour, part] for part in Part)
        for swapped in (None, *range(len(Part))):
            cards = [
                silver[index] if index == swapped else card
                for index, card in enumerate(whole)
            ]
            if dragon_colour(cards) is colour:
                one, two, three, four = sorted(cards, key=ORDER.__getitem__)
                yield one, two, three, four


FOURS: tuple[Four, ...] = tuple(dict.fromkeys(_dragons()))
"""Every dragon that can be laid: 5 of one colour, 12 with a silver part."""
