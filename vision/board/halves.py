"""Which half of each room of a board is the brighter one, seen in a picture.

Pure. Rooms of a way lie about as far from each other as they are wide, and one half of
a room is printed light, the other dark: which way it gets brighter, its floor says.
"""

from collections.abc import Sequence
from functools import partial

import cv2
import numpy as np

from vision.arrays import Floats, Picture
from vision.board.corners import Point

REACH = 0.42
"""Radius in which a floor is looked at, in the distance of two rooms: its rim is wall.
First guess."""

HALF = 0.25
"""How far the middle of a half is from that of its room, in the same measure."""

LEAST_CONTRAST = 0.15
"""Logarithm of grey by which two halves differ at least. On traced and drawn boards in
six lamps they do by 0.29 and more, rooms of one light by 0.08 at most."""

SNAP_DEG = 30.0
"""Halves that lie so nearly along the way, or across it, do so. First guess."""

_POINTS = 17


def find_lit_ways(picture: Picture, rooms: Sequence[Point]) -> list[Point]:
    """Return the way from the middle of each room to that of its brighter half.

    A room of one light is taken to be parted as the one before it, or beside it.

    Args:
        picture: ``(h, w, 3)``, uint8, BGR, of the bare board.
        rooms: Their middles along the way, parts of the picture's sides; two at least.

    Returns:
        Ways in parts of the picture's sides.
    """
    size = np.array(picture.shape[1::-1], np.float64)
    middles = np.array(rooms, np.float64) * size
    apart = np.linalg.norm(middles[:, None] - middles[None], axis=-1)
    np.fill_diagonal(apart, np.inf)
    wide_px = float(np.median(apart.min(1)))
    floors, around = _look_at(picture, middles, REACH * wide_px)
    on = np.gradient(middles, axis=0)
    seen = [_lit_way(*one, around) for one in zip(floors, on, strict=True)]
    known = [n for n, way in enumerate(seen) if way is not None]
    nearest = (
        min(known, key=partial(_places_off, n), default=n) for n in range(len(on))
    )
    back = -on / np.maximum(np.linalg.norm(on, axis=1, keepdims=True), 1e-9)
    ways = [back[n] if seen[n] is None else seen[n] for n in nearest]
    parts = HALF * wide_px * np.array(ways) / size
    return [(x, y) for x, y in parts.tolist()]


def _places_off(one: int, other: int) -> tuple[int, int]:
    """Return how far a place of the way is from another one; of two the earlier."""
    return abs(other - one), other


def _lit_way(floor: Floats, on: Floats, around: Floats) -> Floats | None:
    """Return the way of length 1 in which a floor gets brighter, None if it does not.

    Args:
        floor: Logarithms of grey ``(M,)``.
        on: How the way goes on there ``(2,)``.
        around: Where the floor was seen ``(M, 2)``, from its middle.
    """
    way = around.T @ (floor - floor.mean())
    way /= max(float(np.linalg.norm(way)), 1e-9)
    far = around @ way
    if floor[far > 0].mean() - floor[far < 0].mean() < LEAST_CONTRAST:
        return None
    return _snapped(way, on)


def _look_at(picture: Picture, middles: Floats, radius: float) -> tuple[Floats, Floats]:
    """Return floors ``(N, M)``, logarithms of grey, and their points ``(M, 2)``, px."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    step = 2 * radius / _POINTS
    grey = cv2.GaussianBlur(grey, (0, 0), max(0.5, step / 2))
    x, y = np.meshgrid(*[np.linspace(-radius, radius, _POINTS)] * 2)
    around = np.stack([x.ravel(), y.ravel()], 1)
    around = around[np.linalg.norm(around, axis=1) <= radius]
    x, y = np.moveaxis(middles[:, None] + around[None], -1, 0).astype(np.float32)
    seen = cv2.remap(grey, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.log(seen.astype(np.float64) + 10), around


def _snapped(way: Floats, along: Floats) -> Floats:
    """Return a way of length 1, along another one or across it if it nearly is so."""
    one = along / max(float(np.linalg.norm(along)), 1e-9)
    for other in (one, -one, np.array((-one[1], one[0])), np.array((one[1], -one[0]))):
        if float(way @ other) > np.cos(np.radians(SNAP_DEG)):
            return other
    return way
