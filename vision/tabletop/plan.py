"""What lies on a table and where, in millimetres, as plain values that know no game.

A game's kit says where its places lie and what its pieces look like; the drawn table
draws by these values and the eye reads by them. Points are (x, y) on the table seen
from above: x to the right, y down the picture, z up from the table.
"""

from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct

from companion.table import Face, Piece, Place

Bgr: TypeAlias = tuple[int, int, int]
"""Blue, green, red, 0 to 255, as they look in even white light."""


class Shape(StrEnum):
    """How a piece stands on the table and is recognised."""

    FIGURE = (
        "figure"  # stands upright, one of its kind; known by the colours of its top
    )
    GEM = "gem"  # small, many alike; known by its colour
    TOKEN = "token"  # round and flat; known by its print, however turned
    CARD = "card"  # flat and square; known by its print
    DIE = "die"  # has pips and lies in a tray; read by whoever reads dice
    CUBE = "cube"  # a die whose faces carry print or colour; known by its top
    D10 = "d10"  # a die of ten kites; known by the print of its top


FIGURE, GEM, TOKEN, CARD, DIE, CUBE, D10 = Shape

DICE = (DIE, CUBE, D10)


class Thing(Struct, frozen=True, gc=False):
    """A kind of piece.

    *width_mm* is its diameter or its side from left to right, *height_mm* the side of
    a card from top to bottom, *tall_mm* how far it stands up from the table, *reach_mm*
    how far from its middle it ever reaches, wings and all; 0 for half its width.
    """

    piece: Piece
    shape: Shape
    width_mm: float
    height_mm: float = 0.0
    tall_mm: float = 0.0
    reach_mm: float = 0.0


class Spot(Struct, frozen=True, gc=False):
    """A rectangle in which pieces of a place lie: its middle, width and height.

    A place may have several spots, such as one for the figure and one for its medal.
    *holds* names the pieces that may lie there.
    """

    place: Place
    holds: tuple[Piece, ...]
    x_mm: float
    y_mm: float
    width_mm: float
    height_mm: float

    def depth_mm(self, x_mm: float, y_mm: float) -> float:
        """Return how far a point lies inside; negative outside."""
        beside = self.width_mm / 2 - abs(x_mm - self.x_mm)
        along = self.height_mm / 2 - abs(y_mm - self.y_mm)
        return min(beside, along)


class Tile(Struct, frozen=True, gc=False):
    """Something printed on a ground: a rectangle in a colour, with a sign on it.

    *sign* names what `vision.drawn.artwork` can print: ``""`` nothing, ``"felt"``,
    ``"web"``, or any short text.
    """

    x_mm: float
    y_mm: float
    width_mm: float
    height_mm: float
    colour: Bgr
    sign: str = ""
    ink: Bgr = (40, 40, 40)


class Ground(Struct, frozen=True, gc=False):
    """What lies under the pieces: one side of a board and all around it."""

    name: str
    tiles: tuple[Tile, ...]


class PieceLook(Struct, frozen=True, gc=False):
    """How the stand-in of a piece, or of one of its faces, is painted.

    *colour* is its rim or body, *second* its middle, *sign* a short text on it. A face
    of a `CUBE` without a sign is all *second* within a rim of *colour*; with one, the
    sign is written in *second* on *colour*. *quarter* is 1 for a card that shows this
    face by lying across, a quarter turn clockwise from upright; it is printed as the
    face *same_as*. Which way up a card lies otherwise says nothing.
    """

    piece: Piece
    face: Face | None
    colour: Bgr
    second: Bgr
    sign: str = ""
    quarter: int = 0
    same_as: Face | None = None


class Plan(Struct, frozen=True):
    """A whole table: its size, what may lie where, and white paper to measure light.

    *whites* are squares of *white_mm* with bare white paper, by their middles.
    """

    width_mm: float
    height_mm: float
    spots: tuple[Spot, ...]
    things: tuple[Thing, ...]
    grounds: tuple[Ground, ...]
    looks: tuple[PieceLook, ...]
    whites: tuple[tuple[float, float], ...]
    white_mm: float = 12.0

    def thing(self, piece: Piece) -> Thing:
        """Return the kind that a piece is of.

        Raises:
            KeyError: No such piece is on this table.
        """
        for thing in self.things:
            if thing.piece == piece:
                return thing
        raise KeyError(piece)

    def is_paper(self, x_mm: float, y_mm: float) -> bool:
        """Return whether a point is white paper."""
        half = self.white_mm / 2
        return any(
            abs(x - x_mm) <= half and abs(y - y_mm) <= half for x, y in self.whites
        )

    def spots_of(self, piece: Piece, place: Place | None = None) -> tuple[Spot, ...]:
        """Return the spots that may hold a piece, of one place or of all."""
        return tuple(
            spot
            for spot in self.spots
            if piece in spot.holds and place in (None, spot.place)
        )
