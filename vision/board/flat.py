"""A board seen from above, whose four corners were tapped, and where its spaces are."""

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from msgspec import Struct

from companion.table import BoxPx, Place
from vision.arrays import Floats, Indices, Mask, Picture
from vision.board.corners import Point, to_picture

WIDE_PX = 900
"""A board is looked at with this width: a space of 20 mm on 60 cm has 30 pixels."""

MARGIN = 0.08
"""Part of its sides that is looked at around a board: hands reach in over it."""

REACH = 1.5
"""A space ends where another one is nearer, or so many distances between neighbours
away: the halves of a room are long and narrow."""

_LONG = 0.85
"""Focal length in widths of the picture: 61 degrees from side to side, between the
lenses of a Pi's camera and those of webcams. Only used for which way figures lean."""

_LOST_PX = 14
"""Width of the band at the edge that may be lost when a knock is taken back: a percent
of the picture and a degree, on a board that fills it."""

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
        rim: ``(H, W)``, the edge of that.
    """

    places: tuple[Place, ...]
    nearest: Indices
    gap_px: Floats
    middles: Floats
    nadir: Floats
    visible: Mask
    rim: Mask

    def neighbours(self) -> dict[Place, frozenset[Place]]:
        """Return the neighbours of each space."""
        apart = np.linalg.norm(self.middles[:, None] - self.middles[None], axis=-1)
        close = apart < 2 * np.minimum(self.gap_px[:, None], self.gap_px[None])
        np.fill_diagonal(close, val=False)
        return {
            place: frozenset(self.places[k] for k in np.flatnonzero(row))
            for place, row in zip(self.places, close, strict=True)
        }


def rectify_board(picture: Picture, corners: Sequence[Point]) -> Floats:
    """Return the board of a picture ``(h, w, 3)``, uint8, BGR, from above, float32.

    What lies beyond the picture is black.

    Args:
        picture: The whole picture.
        corners: The board's, from its upper left around with the clock, as parts of the
            picture's width and height.
    """
    seen, flat, size = _sides(picture.shape, corners)
    place = cv2.getPerspectiveTransform(seen, flat)
    return np.asarray(cv2.warpPerspective(picture, place, size), np.float32)


def _sides(
    picture: tuple[int, ...], corners: Sequence[Point]
) -> tuple[Floats, Floats, tuple[int, int]]:
    """Return a board's corners in the picture and on its flat picture, and its size."""
    high, wide = picture[:2]
    seen = np.array([(x * wide, y * high) for x, y in corners], np.float32)
    sides = np.linalg.norm(seen - np.roll(seen, -1, axis=0), axis=1)
    tall = round(WIDE_PX * float(sides[1] + sides[3]) / float(sides[0] + sides[2]))
    size = (WIDE_PX, max(1, tall))
    unit = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    return seen, _with_margin(unit) * np.array(size, np.float32), size


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
    y, x = np.mgrid[0:high, 0:wide].astype(np.float32)
    near = np.full((high, wide), -1, np.int64)
    least = np.full((high, wide), np.inf, np.float32)
    for k, (a, b) in enumerate(at):
        far = np.hypot(x - a, y - b)
        mine = (far < least) & (far < REACH * gap_px[k])
        near[mine], least[mine] = k, far[mine]
    below = _with_margin(_nadir(corners, picture)) * np.array((wide, high), np.float32)
    seen, rim = _rim(corners, picture)
    return BoardLayout(
        tuple(points), near, gap_px.astype(np.float32), at, below, seen, rim
    )


def _rim(corners: Sequence[Point], picture: tuple[int, ...]) -> tuple[Mask, Mask]:
    """Return what is seen of a board and its margin, and the edge of that, ``(H, W)``.

    A band is left out that may be lost when a knock is taken back.
    """
    seen, flat, size = _sides(picture, corners)
    place = cv2.getPerspectiveTransform(seen, flat)
    there = cv2.warpPerspective(np.ones(picture[:2], np.uint8), place, size)
    inside, inner = (
        cv2.erode(there, np.ones((2 * band + 1,) * 2), borderValue=0) > 0
        for band in (_LOST_PX, _LOST_PX + 4)
    )
    return np.asarray(inside, np.bool_), np.asarray(inside & ~inner, np.bool_)


def _nadir(corners: Sequence[Point], picture: tuple[int, ...]) -> Floats:
    """Return the point below the camera, in the board's measure.

    The normal of a plane follows from its homography and the focal length alone, and
    whatever stands upright in the picture points to where that normal vanishes.
    """
    high, wide = picture[:2]
    seen = np.array([(x * wide, y * high) for x, y in corners], np.float32)
    seen -= (wide / 2, high / 2)
    unit = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    plane = cv2.getPerspectiveTransform(unit, seen)
    lens = np.diag([_LONG * wide, _LONG * wide, 1.0])
    across, down = (np.linalg.inv(lens) @ plane)[:, :2].T
    vanishing = lens @ np.cross(across, down)
    x, y, w = np.linalg.inv(plane) @ vanishing
    return np.array((x / w, y / w), np.float32)


def box_about_space(
    corners: Sequence[Point], at: Point, shape: tuple[int, ...]
) -> BoxPx:
    """Return a box about a space in the whole picture, for people to see."""
    high, wide = shape[:2]
    ((x, y),) = to_picture(corners, [at])
    half = max(16, wide // 40)
    left, top = round(x * wide) - half, round(y * high) - half
    return max(0, left), max(0, top), left + 2 * half, top + 2 * half


def is_dark(board: Floats) -> bool:
    """Tell whether a flat board is too dark to be compared."""
    return bool(np.percentile(board[::4, ::4].max(-1), 99) < DARK)


def estimate_knock(now: Floats, before: Floats) -> Floats | None:
    """Return the homography ``(3, 3)``, px, from a board before to the same board now.

    A camera that was pushed sees another view, so a shift and a turn are not enough.
    None where the two have nothing in common.
    """
    some, other = _small(now), _small(before)
    warp = np.eye(3, dtype=np.float32)
    whole = np.ones_like(other, np.uint8)
    ends = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 60, 1e-5)
    try:
        _, found = cv2.findTransformECC(
            other, some, warp, cv2.MOTION_HOMOGRAPHY, ends, whole, 5
        )
    except cv2.error:
        return None
    scale = now.shape[1] / some.shape[1]
    large = np.diag([scale, scale, 1.0])
    return np.asarray(large @ found @ np.linalg.inv(large), np.float32)


def undo_knock(now: Floats, moved: Floats) -> Floats:
    """Return a flat board as it lay before a knock, a homography ``(3, 3)``."""
    way = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (now.shape[1], now.shape[0])
    back = cv2.warpPerspective(
        now, moved, size, flags=way, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(back, np.float32)


def _small(board: Floats) -> Floats:
    grey = cv2.cvtColor(board, cv2.COLOR_BGR2GRAY)
    wide = 450
    high = max(1, round(wide * board.shape[0] / board.shape[1]))
    return np.asarray(cv2.resize(grey, (wide, high), interpolation=cv2.INTER_AREA))
