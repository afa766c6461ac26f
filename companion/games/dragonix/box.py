"""What one copy shows and the rulebook does not say: the colours of the four peoples.

Only drawings and words need them; no rule does.
"""

from enum import StrEnum

from msgspec import Struct

from companion.games.core import Violation
from companion.games.dragonix.pieces import PEOPLES


class Colour(StrEnum):
    """A colour that the cards of a people may be printed in."""

    GREEN = "green"  # vert
    RED = "red"  # rouge
    ORANGE = "orange"  # orange
    YELLOW = "yellow"  # jaune
    BLUE = "blue"  # bleu
    VIOLET = "violet"  # violet
    GREY = "grey"  # gris
    BLACK = "black"  # noir
    WHITE = "white"  # blanc
    BROWN = "brown"  # brun


class Box(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One copy: the colour of each people, in the order of `pieces.People`."""

    colours: tuple[Colour, ...]


STAND_IN = Box((Colour.GREEN, Colour.ORANGE, Colour.GREY, Colour.BLUE))
"""A copy of our own invention, so that a first game needs no box."""


def check_box(box: Box) -> tuple[Violation, ...]:
    """Return everything that cannot be about *box*.

    Source: rulebook l. 172-190.
    """
    faults = {
        "colours_not_four": len(box.colours) != len(PEOPLES),
        "colour_twice": len(set(box.colours)) != len(box.colours),
    }
    return tuple(Violation(code) for code, true in faults.items() if true)
