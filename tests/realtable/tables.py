"""What a traced table is: places in millimetres, art, and what pieces are made of."""

from collections.abc import Callable
from typing import Any

import numpy as np
from msgspec import Struct

from companion.table import Face, Piece, Place
from tests.realtable.artwork import PX_PER_MM, write
from tests.realtable.solids import Mesh
from vision.arrays import Picture
from vision.tabletop.plan import Plan

Rgb = tuple[float, float, float]
"""What a surface gives back of red, green and blue light, 0 to 1."""


class Solid(Struct, frozen=True):
    """A piece as it stands about the origin.

    *print_* is a picture on it, RGB, instead of *paint*; *rough* is 0 for a mirror and
    1 for chalk, None for cloth or paper.
    """

    mesh: Mesh
    paint: Rgb = (0.5, 0.5, 0.5)
    print_: Picture | None = None
    rough: float | None = 0.2


class RealTable(Struct, frozen=True):
    """A table of one game, unlike the drawn one.

    Attributes:
        game: Whose it is.
        plan: Where places lie, from the upper left corner, y down; `Plan.looks` says
            only which faces there are.
        ground: Paints what lies under the pieces, by the name of a side of the board.
        varnish: How rough the ground is (`Solid.rough`).
        fixed: What stands there all the time.
        solid: What a piece that shows a face is made of.
        corners: Of the board, from its upper left around with the clock, mm.
        taps: Where an owner taps each printed space, mm.
        tray: Left, top, right, bottom of where dice fall, mm.
        ground_of: Names the ground under a state.
        view_mm: How much of the table the camera sees from left to right.
    """

    game: str
    plan: Plan
    ground: Callable[[str], Picture]
    varnish: float | None
    fixed: tuple[tuple[Solid, float, float], ...]
    solid: Callable[[Piece, Face | None], Solid]
    corners: tuple[tuple[float, float], ...]
    taps: dict[Place, tuple[float, float]]
    tray: tuple[float, float, float, float] | None
    ground_of: Callable[[Any], str]
    view_mm: float

    def world(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        """Return a point of the plan in the measure of the camera."""
        return x_mm - self.plan.width_mm / 2, self.plan.height_mm / 2 - y_mm


def px(*lengths_mm: float) -> tuple[int, ...]:
    """Return lengths on a painted ground."""
    return tuple(round(length * PX_PER_MM) for length in lengths_mm)


def die_print(signs: tuple[str, ...], body: Rgb, ink: Rgb) -> Picture:
    """Return the six faces of a die side by side, RGB, for `traced.rounded_cube`."""
    side = 160
    faces = []
    for sign in signs:
        face = np.full((side, side, 3), body, np.float32)
        coded = np.asarray(255 * face ** (1 / 2.2), np.uint8)
        shade = tuple(int(255 * part ** (1 / 2.2)) for part in ink)
        write(coded, sign, (side / 2, side / 2), side * 0.92, shade, bold=11)
        faces.append(coded)
    return np.concatenate(faces, 1)[::-1]
