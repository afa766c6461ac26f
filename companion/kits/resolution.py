"""What a camera can read from where it stands, by how large one die looks to it.

Values only; the sizes of pieces are those in shops, as no form asks for them.
"""

from enum import StrEnum

from msgspec import Struct

from companion.games.copy import Item, Kind

DIE_MM = 16.0
"""Side of an ordinary die, and of the square that is as large as what is seen of a
ten-sided one. Dice of 12 to 19 mm are sold too: what is said is off by a quarter."""

LEAST = {"marks": 1.8, "digits": 3.2}
"""Pixels a millimetre from which pips, symbols, colours and cards are read, and digits
on ten facets."""


class Legible(StrEnum):
    """How much a camera can read from where it stands."""

    ALL = "all"
    MARKS = "marks"  # pips, symbols, colours and cards, no digits on ten facets
    LITTLE = "little"


class Resolution(Struct, frozen=True):
    """What was measured on one die.

    Attributes:
        px_per_mm: Pixels a millimetre of the table.
        legible: What can be read.
        closer: Part of its distance to which the camera must come to read more; 1 where
            all is read.
    """

    px_per_mm: float
    legible: Legible
    closer: float


def resolution_of(item: Item, side_px: float) -> Resolution | None:
    """Return what can be read where a die is so wide; None for what has no known size.

    *side_px* is the side of the square as large as what is seen of it.
    """
    if item.kind not in (Kind.DIE, Kind.COLOUR):
        return None
    seen = side_px / DIE_MM
    if seen < LEAST["marks"]:
        return Resolution(seen, Legible.LITTLE, seen / LEAST["marks"])
    if seen < LEAST["digits"]:
        return Resolution(seen, Legible.MARKS, seen / LEAST["digits"])
    return Resolution(seen, Legible.ALL, 1.0)
