"""What is printed on the pieces of the box; where each cell lies is in `box`.

Source: rulebook l. 48-55 (the parts), 91-107 (the die), 95 (the medals).
"""

from enum import StrEnum


class Adventurer(StrEnum):
    """One of the seven figures, by colour; the rulebook names the first five.

    The two others are a box fact, so every colour that they may have is listed.
    Source: rulebook l. 50, 163-167, 209-211.
    """

    GREEN = "green"  # vert
    RED = "red"  # rouge
    BLUE = "blue"  # bleu
    ORANGE = "orange"  # orange
    WHITE = "white"  # blanc
    YELLOW = "yellow"  # jaune
    VIOLET = "violet"  # violet
    BLACK = "black"  # noir
    PINK = "pink"  # rose
    BROWN = "brown"  # brun
    GREY = "grey"  # gris
    TURQUOISE = "turquoise"  # turquoise


NAMED = tuple(Adventurer)[:5]
"""The adventurers that the rulebook names."""

ADVENTURERS = 7
"""How many run in every game, however many play. Source: rulebook l. 73."""


class Light(StrEnum):
    """How a cell is lit. Source: rulebook l. 65-67, 109."""

    HALVES = "halves"  # partie éclairée et partie sombre
    DARK = "dark"  # entièrement sombre
    LIT = "lit"  # totalement illuminée


HALVES, DARK, LIT = Light


class Metal(StrEnum):
    """The medals of the first and of the second round. Source: rulebook l. 95."""

    SILVER = "silver"  # argent
    GOLD = "gold"  # or


DIE = (1, 2, 2, 3, 4, 6)
"""The six sides of the die. Source: rulebook l. 55."""

FACES = (1, 2, 3, 4, 6)
"""What the die can show."""

ANY_LIGHT = 2
"""The throw that also moves who stands in shadow. Source: rulebook l. 103-105."""

MEDALS = (1, 2, 3, 4, 5, 6, 8)
"""The values of each metal, lowest first. Source: rulebook l. 95."""

JEWELS = 12
"""Jewels laid out a round, of 24 in the box. Source: rulebook l. 54, 79, 183."""

DRAGON_FIRST = 1
"""Cells of the dragon's first move of a round. Source: rulebook l. 148, 187."""

DRAGON_LATER = 5
"""Cells of each later one. Source: rulebook l. 154."""

TRAP_STEPS = 3
"""How far ahead of the dragon a trap puts its victim. Source: rulebook l. 119."""
