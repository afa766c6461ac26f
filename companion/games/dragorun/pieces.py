"""What is printed on the pieces of the box; where the cells lie is in `box`.

Source: rulebook l. 42-62 (the parts), 91-109 (the dice), 127-139 (the eggs).
"""

from enum import StrEnum


class Colour(StrEnum):
    """The colour of a dragon, or the white face of the colour die.

    The rulebook names four colours; the fifth dragon's is a box fact, so every colour
    that it may have is listed. Source: rulebook l. 36, 91, 115, 146.
    """

    RED = "red"  # rouge: Diego
    GREEN = "green"  # vert: Dragobert
    BLUE = "blue"  # bleu: Didi
    YELLOW = "yellow"  # jaune: Danny
    VIOLET = "violet"  # violet: Dragma, like all that follow
    ORANGE = "orange"  # orange
    PINK = "pink"  # rose
    TURQUOISE = "turquoise"  # turquoise
    BLACK = "black"  # noir
    GREY = "grey"  # gris
    WHITE = "white"  # blanc: the joker, on the die alone


NAMED = tuple(Colour)[:4]
"""The dragons whose colour the rulebook tells."""

FIFTHS = tuple(Colour)[4:-1]
"""The colours that the fifth dragon may have."""

WHITE = Colour.WHITE

DRAGONS = 5
"""How many run in every game, however many play. Source: rulebook l. 46, 72."""


class Step(StrEnum):
    """The six faces of the movement die, each once. Source: rulebook l. 97-109."""

    ONE = "+1"
    TWO = "+2"
    THREE = "+3"
    BACK = "-1"
    TROPHY = "trophy"  # trophée
    SNAIL = "snail"  # escargot


ONE, TWO, THREE, BACK, TROPHY, SNAIL = Step

STEPS = tuple(Step)

AHEAD = {ONE: 1, TWO: 2, THREE: 3}
"""How many free cells ahead a face leads. Source: rulebook l. 97."""


class Egg(StrEnum):
    """What is under an egg: one step for a dragon, a snail or the mushroom.

    Source: rulebook l. 127-139.
    """

    RED = "red"  # +1 rouge
    GREEN = "green"  # +1 vert
    BLUE = "blue"  # +1 bleu
    YELLOW = "yellow"  # +1 jaune
    VIOLET = "violet"  # +1 violet
    ORANGE = "orange"  # +1 orange
    PINK = "pink"  # +1 rose
    TURQUOISE = "turquoise"  # +1 turquoise
    BLACK = "black"  # +1 noir
    GREY = "grey"  # +1 gris
    SNAIL = "snail"  # escargot
    MUSHROOM = "mushroom"  # champignon vénéneux


EGGS = 12
"""Eggs in the box. Source: rulebook l. 42."""

EGGS_OF_EACH = 2
"""Eggs of each dragon; what is left is one snail, one mushroom. Source: l. 131."""
