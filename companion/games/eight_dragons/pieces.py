"""What is printed on the cards, how many there are, and where they can lie.

Source: rulebook l. 53-66 (the cards), 70 (the rectangle), 92-96 (the points), 118 (the
short game).
"""

from enum import StrEnum


class Colour(StrEnum):
    """The dragon that a part belongs to. Source: rulebook l. 59."""

    RED = "red"  # rouge
    GREEN = "green"  # vert
    GOLD = "gold"  # or
    MULTI = "multi"  # multicolore, diapré
    SILVER = "silver"  # argent


class Part(StrEnum):
    """One of the four parts of a dragon. Source: rulebook l. 57."""

    TAIL = "tail"  # queue
    LEGS = "legs"  # pattes arrière
    CLAWS = "claws"  # griffes, also called bras (ruling ED38)
    HEAD = "head"  # tête


class Card(StrEnum):
    """What a card shows. Source: rulebook l. 57-66."""

    RED_TAIL = "red_tail"
    RED_LEGS = "red_legs"
    RED_CLAWS = "red_claws"
    RED_HEAD = "red_head"
    GREEN_TAIL = "green_tail"
    GREEN_LEGS = "green_legs"
    GREEN_CLAWS = "green_claws"
    GREEN_HEAD = "green_head"
    GOLD_TAIL = "gold_tail"
    GOLD_LEGS = "gold_legs"
    GOLD_CLAWS = "gold_claws"
    GOLD_HEAD = "gold_head"
    MULTI_TAIL = "multi_tail"
    MULTI_LEGS = "multi_legs"
    MULTI_CLAWS = "multi_claws"
    MULTI_HEAD = "multi_head"
    SILVER_TAIL = "silver_tail"
    SILVER_LEGS = "silver_legs"
    SILVER_CLAWS = "silver_claws"
    SILVER_HEAD = "silver_head"
    DIAMOND = "diamond"  # carte gain : 1 diamant
    DIAMONDS = "diamonds"  # carte gain : 2 diamants
    GRAB = "grab"  # carte gain : tête de dragon multicolore
    FIREBALL = "fireball"  # carte piège : 1 boule de feu
    FIREBALLS = "fireballs"  # carte piège : 2 boules de feu
    TWIN = "twin"  # carte dont le recto est identique au verso


CARDS = tuple(Card)
ORDER = {card: index for index, card in enumerate(CARDS)}
PARTS = CARDS[:20]
"""The cards that a dragon is made of."""

COLOUR = {card: Colour(card.partition("_")[0]) for card in PARTS}
PART = {card: Part(card.partition("_")[2]) for card in PARTS}
CARD = {(COLOUR[card], PART[card]): card for card in PARTS}

DIAMONDS = {Card.DIAMOND: 1, Card.DIAMONDS: 2}
"""How many cards each lets one draw. Source: rulebook l. 102."""

FIREBALLS = {Card.FIREBALL: 1, Card.FIREBALLS: 2}
"""How many cards each makes one give. Source: rulebook l. 106."""

DRAGONS = {
    Colour.RED: 3,
    Colour.GREEN: 2,
    Colour.GOLD: 1,
    Colour.MULTI: 1,
    Colour.SILVER: 1,
}
"""How many dragons of each colour there are. Source: rulebook l. 59."""

SPECIALS = {
    Card.DIAMOND: 4,
    Card.DIAMONDS: 1,
    Card.GRAB: 1,
    Card.FIREBALL: 2,
    Card.FIREBALLS: 1,
    Card.TWIN: 1,
}
"""How many of the other cards there are. Source: rulebook l. 61-66."""

LONG = tuple(
    DRAGONS[COLOUR[card]] if card in COLOUR else SPECIALS[card] for card in CARDS
)
"""How many of each card the long game has, in the order of `CARDS`: 42."""

LEFT_OUT = {
    **{card: 1 for card in PARTS if COLOUR[card] is Colour.GOLD},
    Card.DIAMOND: 1,
    Card.FIREBALL: 1,
}

SHORT = tuple(
    count - LEFT_OUT.get(card, 0) for card, count in zip(CARDS, LONG, strict=True)
)
"""The same for the short game: 36. Source: rulebook l. 118."""

WORTH = {
    Colour.RED: 15,
    Colour.GREEN: 20,
    Colour.GOLD: 30,
    Colour.MULTI: 30,
    Colour.SILVER: 40,
}
"""What a whole dragon is worth. Source: rulebook l. 92-96."""

SILVER_COSTS = 5
"""Points less for a dragon with a silver part in it. Source: rulebook l. 88."""

HAND_LIMIT = 4
"""Source: rulebook l. 82."""

FEW_FREE = 4
"""How few free cards let the game end. Source: rulebook l. 124."""

ROWS = 6
"""Rows of the rectangle; it has seven columns, six in the short game (l. 70, 118)."""

COLUMNS = "abcdefg"
SQUARES = tuple(f"{column}{row}" for column in COLUMNS for row in range(1, ROWS + 1))
"""The names of the places, column by column; a place is an index of this."""

PLACES = tuple(range(len(SQUARES)))
"""All places of the long game; the short game has the first 36."""
