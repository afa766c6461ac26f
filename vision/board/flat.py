"""A board seen from above, whose four corners were tapped, and where its spaces are."""

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from msgspec import Struct

from companion.table import BoxPx, Place
from vision.arrays import Floats, Indices, Mask, Picture
from vision.board.corners import Point, to_picture
from vision.ground.upper_side import PointBelow

WIDE_PX = 900
"""A board is looked at with this width: a space of 20 mm on 60 cm has 30 pixels."""

MARGIN = 0.08
"""Part of its sides that is looked at around a board: hands reach in over it."""

_RIM = 0.015
"""Part of its sides beyond which something stands beside a board: 5 mm of 30 cm, and
corners are tapped 3 mm off."""

REACH = 1.5
"""A space ends where another one is nearer, or so many distances between neighbours
away: the halves of a room are long and narrow."""

_LONG = 0.85
"""Focal length in widths of the picture: 61 degrees from side to side, between the
lenses of a Pi's camera and those of webcams. Only used for which way figures lean."""

_EDGE_PX = 3
"""Width of the band at the edge of the picture that is not looked at: what lies beyond
is blurred into it."""

_STEEP_DEG = 62.0
"""Tilt of the camera from which on figures hide the spaces behind theirs: one as high
as two neighbours are apart covers 1.9 times that. First guess."""

_UNIT = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)

DARK = 40.0
"""A board whose brightest hundredth is darker cannot be compared."""


class BoardLayout(Struct, frozen=True):
    """The spaces of a flat board.

    Attributes:
        places: Names of the spaces, in order.
        nearest: ``(H, W)``, int64: number of the space at each pixel, -1 for none.
        gap_px: ``(N,)`` distance of each space to the nearest other one.
        middles: ``(N, 2)``, x and y, pixels.
        nadir: The point of the board below the camera, pixels; figures lean away from
            it.
        visible: ``(H, W)``, what the camera sees of it, less a narrow band.
    """

    places: tuple[Place, ...]
    nearest: Indices
    gap_px: Floats
    middles: Floats
    nadir: Floats
    visible: Mask

    def neighbours(self) -> dict[Place, frozenset[Place]]:
        """Return the neighbours of each space."""
        apart = np.linalg.norm(self.middles[:, None] - self.middles[None], axis=-1)
        close = apart < 2 * np.minimum(self.gap_px[:, None], self.gap_px[None])
        np.fill_diagonal(close, val=False)
        return {
            place: frozenset(self.places[k] for k in np.flatnonzero(row))
            for place, row in zip(self.places, close, strict=True)
        }


def rectify_board(
    picture: Picture, corners: Sequence[Point], size: tuple[int, int] | None = None
) -> Floats:
    """Return the board of a picture ``(h, w, 3)``, uint8, BGR, from above, float32.

    What lies beyond the picture is black.

    Args:
        picture: The whole picture.
        corners: The board's, from its upper left around with the clock, as parts of the
            picture's width and height.
        size: Width and height of what is returned; else as the corners say.
    """
    size = size or _flat_size(picture.shape, corners)
    place = _to_flat(picture.shape, corners, size)
    return np.asarray(cv2.warpPerspective(picture, place, size), np.float32)


def is_on_board(at: Floats, flat: tuple[int, ...]) -> bool:
    """Tell whether a point ``(2,)`` of a flat board of some shape, px, lies on it."""
    part = at / np.array(flat[1::-1]) * (1 + 2 * MARGIN) - MARGIN
    return bool((part > -_RIM).all() and (part < 1 + _RIM).all())


def flat_to_picture(
    corners: Sequence[Point], points: Sequence[Point], flat: tuple[int, ...]
) -> list[Point]:
    """Return points of a flat board of some shape, px, as parts of the picture."""
    high, wide = flat[:2]
    parts = [
        ((x / wide) * (1 + 2 * MARGIN) - MARGIN, (y / high) * (1 + 2 * MARGIN) - MARGIN)
        for x, y in points
    ]
    return to_picture(corners, parts)


def _flat_size(picture: tuple[int, ...], corners: Sequence[Point]) -> tuple[int, int]:
    seen = _in_px(picture, corners)
    sides = np.linalg.norm(seen - np.roll(seen, -1, axis=0), axis=1)
    tall = round(WIDE_PX * float(sides[1] + sides[3]) / float(sides[0] + sides[2]))
    return WIDE_PX, max(1, tall)


def _to_flat(
    picture: tuple[int, ...], corners: Sequence[Point], size: tuple[int, int]
) -> Floats:
    """Return the homography ``(3, 3)`` from the picture to the flat one, px."""
    flat = _with_margin(_UNIT) * np.array(size, np.float32)
    place = cv2.getPerspectiveTransform(_in_px(picture, corners), flat)
    return np.asarray(place, np.float64)


def _in_px(picture: tuple[int, ...], corners: Sequence[Point]) -> Floats:
    size = np.array(picture[1::-1], np.float32)
    return np.array(corners, np.float32) * size


def _with_margin(points: Floats) -> Floats:
    """Return points in the board's own measure as parts of its flat picture."""
    return np.asarray((points + MARGIN) / (1 + 2 * MARGIN), np.float32)


def lay_out_spaces(
    points: Mapping[Place, Point],
    corners: Sequence[Point],
    picture: tuple[int, ...],
    flat: tuple[int, ...],
) -> BoardLayout:
    """Return the spaces of a flat board.

    Args:
        points: The spaces in the board's own measure.
        corners: The board's, as parts of the picture.
        picture: Shape of the whole picture.
        flat: Shape of the flat board.
    """
    high, wide = flat[:2]
    parts = np.array(list(points.values()), np.float32)
    at = _with_margin(parts) * np.array((wide, high), np.float32)
    apart = np.linalg.norm(at[:, None] - at[None], axis=-1)
    np.fill_diagonal(apart, np.inf)
    gap_px = np.minimum(apart.min(axis=1, initial=wide / 4), wide / 4)
    near = np.full((high, wide), -1, np.int64)
    least = np.full((high, wide), np.inf, np.float32)
    for k, middle in enumerate(at):
        reach = float(REACH * gap_px[k])
        rows, columns = window_around(middle, reach, flat)
        y, x = np.mgrid[rows, columns].astype(np.float32)
        far = np.hypot(x - middle[0], y - middle[1])
        mine = (far < least[rows, columns]) & (far < reach)
        near[rows, columns][mine], least[rows, columns][mine] = k, far[mine]
    below = _with_margin(_nadir(corners, picture)) * np.array((wide, high), np.float32)
    seen = visible_mask(corners, picture, (wide, high))
    return BoardLayout(tuple(points), near, gap_px.astype(np.float32), at, below, seen)


def window_around(
    at: Floats, reach_px: float, shape: tuple[int, ...]
) -> tuple[slice, slice]:
    """Return the rows and columns of a flat board about a point (x, y)."""
    (x, y), (high, wide) = at, shape[:2]
    rows = slice(max(0, int(y - reach_px)), max(0, min(high, int(y + reach_px) + 2)))
    columns = slice(max(0, int(x - reach_px)), max(0, min(wide, int(x + reach_px) + 2)))
    return rows, columns


def visible_mask(
    corners: Sequence[Point], picture: tuple[int, ...], size: tuple[int, int]
) -> Mask:
    """Return what a picture shows of a board and its margin, ``(H, W)``."""
    place = _to_flat(picture, corners, size)
    there = cv2.warpPerspective(np.ones(picture[:2], np.uint8), place, size)
    return np.asarray(_shrink(np.asarray(there, np.uint8), _EDGE_PX) > 0, np.bool_)


def rim_mask(visible: Mask) -> Mask:
    """Return the edge of what is visible, ``(H, W)``."""
    inner = _shrink(visible.astype(np.uint8), 4) > 0
    return np.asarray(visible & ~inner, np.bool_)


def _shrink(mask: Picture, by_px: int) -> Picture:
    square = np.ones((2 * by_px + 1,) * 2, np.uint8)
    return np.asarray(cv2.erode(mask, square, borderValue=0), np.uint8)


def _nadir(corners: Sequence[Point], picture: tuple[int, ...]) -> Floats:
    """Return the point below the camera, in the board's measure.

    Whatever stands upright in the picture points to where the board's normal vanishes.
    """
    plane, normal = _plane(corners, picture)
    x, y, w = np.linalg.inv(plane) @ normal
    return np.array((x / w, y / w), np.float32)


def _plane(corners: Sequence[Point], picture: tuple[int, ...]) -> tuple[Floats, Floats]:
    """Return a board's homography and its normal, through a lens of known length.

    The normal of a plane follows from its homography and the focal length alone. Both
    are in widths of that length, from the middle of the picture.
    """
    high, wide = picture[:2]
    seen = (_in_px(picture, corners) - (wide / 2, high / 2)) / (_LONG * wide)
    plane = cv2.getPerspectiveTransform(_UNIT, seen.astype(np.float32))
    across, down = plane[:, :2].T
    return np.asarray(plane, np.float64), np.cross(across, down)


def is_steep(corners: Sequence[Point], picture: tuple[int, ...]) -> bool:
    """Tell whether a camera looks so flat over a board that figures hide its spaces."""
    plane, normal = _plane(corners, picture)
    ray = plane @ (0.5, 0.5, 1.0)
    upright = abs(float(ray @ normal))
    upright /= float(np.linalg.norm(ray) * np.linalg.norm(normal))
    return upright < float(np.cos(np.radians(_STEEP_DEG)))


def point_below_board(corners: Sequence[Point], picture: tuple[int, ...]) -> PointBelow:
    """Return the point of a table below the camera, by the corners of a board on it.

    Whatever shape the board has: where lines that run upwards meet in the picture
    depends on how flat it is seen and on the focal length, taken to be _LONG.
    """
    high, wide = picture[:2]
    _, normal = _plane(corners, picture)
    x, y = normal[:2] / normal[2] * _LONG * wide + (wide / 2, high / 2)
    return PointBelow(float(x), float(y), float(wide))


def box_about_space(
    corners: Sequence[Point], at: Point, shape: tuple[int, ...]
) -> BoxPx:
    """Return a box about a space in the whole picture, for people to see."""
    high, wide = shape[:2]
    ((x, y),) = to_picture(corners, [at])
    half = max(16, wide // 40)
    left, top = round(x * wide) - half, round(y * high) - half
    return max(0, left), max(0, top), left + 2 * half, top + 2 * half
