"""Guess freely where four-sided outlines could be, in a picture of anything.

Every way to separate a card from what it lies on gives some outlines: brightness, hue,
shadow-proof brightness and edges. Which of them are cards is decided in quads.py.
"""

import math
from collections.abc import Iterator
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Picture

CardSize: TypeAlias = tuple[float, float]
"""Shorter and longer side of a card in a picture, px."""

LEAST_SHARE = 0.0025
"""Part of the picture below which an outline is no card: forty by forty pixels of a
thousand by six hundred."""

MOST_SHARE = 0.97

_LIKE_AREA = 1.5
"""Times that an outline may be larger or smaller than a card of known size: each side
may be a fifth off."""

_BEND, _MOST_BENDS = 0.03, 60
"""Part of a card's width by which a contour may leave its polygon, and bends from which
it is a pattern's."""

_SQUARE_CORNER = 0.12
"""Cosine of an angle that still is a card's corner: 7 degrees off."""

_PART, _WHOLE = 0.3, (0.88, 1.1)
"""Part of a side that is seen at least, and parts of one that is seen whole. Chosen on
`cards_overlapping`: most of its upper cards show a whole side and two ends."""

_LEVELS = 10
"""Thresholds on each channel; two of them fall between any card and ground that differ
by a sixth of the range."""

_LEAST_FILL = 0.94
"""Hull over quad: an oval of double length has 0.89, round corners of a tenth of the
width leave 0.99."""

_LEAST_POINTS = 8
"""Points of a contour that a line needs."""

_LEAST_SOLID = 0.80
"""Contour over hull: a die or a thumb on the rim leaves more."""


def find_outlines(picture: Picture) -> Floats:
    """Return corner points ``(N, 4, 2)``, float32, px, clockwise on the screen.

    *picture* is ``(H, W, 3)``, uint8, BGR, about a thousand pixels long.
    """
    pixels = picture.shape[0] * picture.shape[1]
    least, most = LEAST_SHARE * pixels, MOST_SHARE * pixels
    return _stack(
        [
            quad
            for contour in _contours(picture)
            if (quad := _fit_quad(contour, least, most)) is not None
        ]
    )


def find_outlines_of_size(picture: Picture, size: CardSize) -> tuple[Floats, Floats]:
    """Return outlines of about a known size, and those guessed from one corner each.

    Where cards overlap, one outline runs around them all: a corner, and a side of the
    right length, say where a whole card would lie. Both as `find_outlines` does.
    """
    area = size[0] * size[1]
    whole, guessed = [], []
    for contour in _contours(picture):
        quad = _fit_quad(contour, area / _LIKE_AREA, area * _LIKE_AREA)
        if quad is not None:
            whole.append(quad)
        else:
            guessed += _from_corners(contour, size)
    return _stack(whole), _stack(guessed)


def _contours(picture: Picture) -> Iterator[NDArray[Any]]:
    for mask in _masks(picture):
        yield from cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)[0]


def _stack(quads: list[Floats]) -> Floats:
    return np.array(quads, np.float32).reshape(-1, 4, 2)


def _masks(picture: Picture) -> Iterator[Picture]:
    """Yield pictures ``(H, W)`` of 0 and 255 whose contours may be cards."""
    smooth = cv2.GaussianBlur(picture, (0, 0), 1.2)
    lab = cv2.cvtColor(smooth, cv2.COLOR_BGR2LAB)
    saturation = cv2.cvtColor(smooth, cv2.COLOR_BGR2HSV)[:, :, 1]
    channels = [*cv2.split(lab), saturation]
    tile = np.ones((3, 3), np.uint8)
    for channel in channels:
        low, high = np.percentile(channel, (1, 99))
        if high - low < 8:
            continue
        for level in np.linspace(low, high, _LEVELS + 2)[1:-1]:
            mask = cv2.threshold(channel, float(level), 255, cv2.THRESH_BINARY)[1]
            yield np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, tile), np.uint8)
    # Sun and shadow move brightness as a whole: look at it against its surroundings.
    window = max(31, (max(picture.shape[:2]) // 6) | 1)
    for offset in (-12, 12):
        mask = cv2.adaptiveThreshold(
            channels[0],
            255,
            cv2.ADAPTIVE_THRESH_MEAN_C,
            cv2.THRESH_BINARY,
            window,
            offset,
        )
        yield np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, tile), np.uint8)
    yield from _edge_masks(channels)


def _edge_masks(channels: list[NDArray[Any]]) -> Iterator[Picture]:
    for low, high, width in ((20, 50, 3), (40, 100, 3), (80, 200, 5), (40, 100, 7)):
        edges = np.zeros(channels[0].shape, np.uint8)
        for channel in channels[:3]:
            edges |= np.asarray(cv2.Canny(channel, low, high), np.uint8)
        tile = np.ones((width, width), np.uint8)
        closed = np.asarray(cv2.morphologyEx(edges, cv2.MORPH_CLOSE, tile), np.uint8)
        yield closed
        yield np.asarray(255 - cv2.dilate(closed, np.ones((3, 3), np.uint8)), np.uint8)


def _fit_quad(contour: NDArray[Any], least: float, most: float) -> Floats | None:
    """Return the quad ``(4, 2)`` of a contour ``(N, 1, 2)``, None if it is no quad.

    Its area lies between *least* and *most*, px.
    """
    wide, high = cv2.boundingRect(contour)[2:]
    if wide * high < least or min(wide, high) < 20:
        return None
    hull = cv2.convexHull(contour)
    area = cv2.contourArea(hull)
    if not least < area < most:
        return None
    if cv2.contourArea(contour) < _LEAST_SOLID * area:
        return None
    rough = _four_corners(hull)
    if rough is None:
        return None
    quad = _fit_sides(contour[:, 0].astype(np.float32), rough)
    if quad is None or not cv2.isContourConvex(quad):
        return None
    fill = area / max(cv2.contourArea(quad), 1.0)
    return quad if _LEAST_FILL < fill < 1.06 else None


def _four_corners(hull: NDArray[Any]) -> Floats | None:
    """Return the hull with all but four corners dropped, ``(4, 2)``."""
    around = cv2.arcLength(hull, True)
    for share in (0.02, 0.03, 0.045, 0.06, 0.08, 0.1):
        corners = cv2.approxPolyDP(hull, share * around, True)
        if len(corners) == 4:
            return np.asarray(corners[:, 0], np.float32)
        if len(corners) < 4:
            return None
    return None


def _fit_sides(points: Floats, rough: Floats) -> Floats | None:
    """Return where lines through the middles of the sides cross, ``(4, 2)``.

    The corners of cards are round, so only the middle of a side is fitted.
    """
    lines = []
    for start, end in zip(rough, np.roll(rough, -1, 0), strict=True):
        line = _line(points, start, end)
        if line is None:
            return None
        lines.append(line)
    crossings = _crossings(np.roll(lines, 1, 0), np.array(lines))
    if np.abs(crossings[:, 2]).min() < 1e-9:
        return None
    quad = (crossings[:, :2] / crossings[:, 2:]).astype(np.float32)
    moved = np.linalg.norm(quad - rough, axis=1).max()
    longest = np.linalg.norm(rough - np.roll(rough, -1, 0), axis=1).max()
    return quad if moved < 0.25 * longest else None


def _from_corners(contour: NDArray[Any], size: CardSize) -> list[Floats]:
    """Return where cards ``(4, 2)`` of a size would lie by corners of a contour."""
    wide, high = cv2.boundingRect(contour)[2:]
    if wide * high < size[0] * size[1] / 2 or max(wide, high) < _WHOLE[0] * size[0]:
        return []
    bends = cv2.approxPolyDP(contour, _BEND * size[0], True)[:, 0].astype(np.float32)
    if not 3 <= len(bends) <= _MOST_BENDS:
        return []
    back, ahead = np.roll(bends, 1, 0) - bends, np.roll(bends, -1, 0) - bends
    far = np.linalg.norm([back, ahead], axis=2)
    cosine = (back * ahead).sum(1) / np.maximum(far[0] * far[1], 1e-6)
    points = contour[:, 0].astype(np.float32)
    quads = []
    for index in np.flatnonzero(np.abs(cosine) < _SQUARE_CORNER).tolist():
        for sides in (size, size[::-1]):
            parts = far[:, index] / sides
            if parts.min() < _PART or not _WHOLE[0] < parts.max() < _WHOLE[1]:
                continue
            legs = back[index], ahead[index]
            quad = _from_corner(points, bends[index], legs, sides)
            if quad is not None:
                quads.append(quad)
    return quads


def _from_corner(
    points: Floats, corner: Floats, legs: tuple[Floats, Floats], sides: CardSize
) -> Floats | None:
    """Return the card at a corner whose two legs lie along its sides, ``(4, 2)``."""
    lines = [_line(points, corner, corner + leg) for leg in legs]
    if lines[0] is None or lines[1] is None:
        return None
    crossing = _crossings(lines[0][None], lines[1][None])[0]
    if abs(crossing[2]) < 1e-9:
        return None
    first = crossing[:2] / crossing[2]
    ways = [np.array([line[1], -line[0]]) for line in lines if line is not None]
    if abs(ways[0] @ ways[1]) > _SQUARE_CORNER:
        return None
    one, other = (
        way * np.sign(way @ leg) * side
        for way, leg, side in zip(ways, legs, sides, strict=True)
    )
    quad = np.array([first, first + one, first + one + other, first + other])
    clockwise = one[0] * other[1] > one[1] * other[0]
    return quad if clockwise else quad[::-1]


def _crossings(one: Floats, other: Floats) -> Floats:
    """Return where lines ``(N, 3)`` cross others, homogeneous; np.cross is slower."""
    (a, b, c), (d, e, f) = one.T, other.T
    return np.stack([b * f - c * e, c * d - a * f, a * e - b * d], 1)


def _line(points: Floats, start: Floats, end: Floats) -> Floats | None:
    """Return a line ``(a, b, c)`` through the contour between two rough corners."""
    (ux, uy), (x0, y0) = (end - start).tolist(), start.tolist()
    length = math.hypot(ux, uy)
    if length < 8:
        return None
    ux, uy = ux / length, uy / length
    turn = np.array([(ux, -uy), (uy, ux)], np.float32)
    place, off = ((points - start) @ turn).T
    near = (place > 0.12 * length) & (place < 0.88 * length)
    near &= np.abs(off) < 0.05 * length + 3
    place, off = place[near], off[near]
    if len(off) < _LEAST_POINTS:
        return None
    slope, at = 0.0, float(np.sort(off)[len(off) // 2])
    # Nearer each time: what a thumb or a token leaves on a side is no part of it.
    for reach in (0.03 * length + 2, 1.5):
        near = np.abs(off - at - slope * place) < reach
        if near.sum() < _LEAST_POINTS:
            return None
        slope, at = _fit(place[near], off[near])
    # From along and off the rough side to the picture's x and y.
    nx, ny = -uy - slope * ux, ux - slope * uy
    return np.array([nx, ny, -at - nx * x0 - ny * y0], np.float64)


def _fit(place: Floats, off: Floats) -> tuple[float, float]:
    """Return slope and start of the line nearest to points, least squares."""
    middle, mean = float(place.mean()), float(off.mean())
    away = place - middle
    slope = float(away @ (off - mean)) / max(float(away @ away), 1e-6)
    return slope, mean - slope * middle
