"""Between points of a picture and the board's own measure, by its four corners.

A board is flat, so that four corners give where every space of it is seen, however the
camera leans.
"""

from collections.abc import Sequence
from typing import TypeAlias

import cv2
import numpy as np

from vision.arrays import Floats, Picture

Point: TypeAlias = tuple[float, float]

_LIT_AND_DARK = ((120, 240, 255), (70, 30, 20))
"""B, G, R of the dots of a lit and of a dark half."""

_UNIT = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)


def to_board(corners: Sequence[Point], at: Point) -> Point:
    """Return a point of the picture in the board's measure.

    Args:
        corners: The board's, from its upper left around with the clock, as parts of
            the picture's width and height.
        at: As parts of the picture too.
    """
    place = cv2.getPerspectiveTransform(np.array(corners, np.float32), _UNIT)
    return _transform(np.asarray(place, np.float64), [at])[0]


def to_picture(corners: Sequence[Point], points: Sequence[Point]) -> list[Point]:
    """Return points of the board as parts of the picture."""
    place = cv2.getPerspectiveTransform(_UNIT, np.array(corners, np.float32))
    return _transform(np.asarray(place, np.float64), points) if points else []


def draw_dots(
    picture: Picture,
    points: Sequence[Point],
    guesses: Sequence[Point] = (),
    halves: Sequence[tuple[Point, Point]] = (),
) -> Picture:
    """Return a copy of a picture with a dot at each point, parts of its sides.

    Where a point is only a guess, there is a ring. Of two *halves* the first has a
    light dot, the other one a dark dot.
    """
    drawn = picture.copy()
    high, wide = picture.shape[:2]
    size = max(4, round(wide / 160))
    for some, colour, inner in (
        (guesses, (60, 190, 255), max(2, size // 3)),
        (points, (80, 230, 90), -1),
    ):
        for x, y in some:
            at = round(x * wide), round(y * high)
            cv2.circle(drawn, at, size + 2, (20, 20, 20), inner + 3, cv2.LINE_AA)
            cv2.circle(drawn, at, size, colour, inner, cv2.LINE_AA)
    for both in halves:
        for (x, y), colour, rim in zip(
            both, _LIT_AND_DARK, _LIT_AND_DARK[::-1], strict=True
        ):
            at = round(x * wide), round(y * high)
            cv2.circle(drawn, at, size, rim, -1, cv2.LINE_AA)
            cv2.circle(drawn, at, size - 2, colour, -1, cv2.LINE_AA)
    return drawn


def draw_areas(picture: Picture, areas: Sequence[tuple[Point, Point]]) -> Picture:
    """Return a copy of a picture with a frame between two corners of each area."""
    drawn = picture.copy()
    high, wide = picture.shape[:2]
    line = max(2, round(wide / 480))
    for ends in areas:
        one, other = ((round(x * wide), round(y * high)) for x, y in ends)
        cv2.rectangle(drawn, one, other, (20, 20, 20), line + 2, cv2.LINE_AA)
        cv2.rectangle(drawn, one, other, (80, 230, 90), line, cv2.LINE_AA)
    return drawn


def _transform(place: Floats, points: Sequence[Point]) -> list[Point]:
    many = np.array(points, np.float32).reshape(-1, 1, 2)
    seen = cv2.perspectiveTransform(many, place).reshape(-1, 2)
    return [(float(x), float(y)) for x, y in seen]
