"""Find the upper side of a die in what is seen of it.

A camera looks askew at a die that does not lie right below it: it sees one or two
other sides too, and the upper one is pushed away from the point below the camera. What
is seen is the square of the die, swept along that way.

Pure.
"""

from typing import NamedTuple

import cv2
import numpy as np

from vision.arrays import Floats, Mask

STEEPEST = 2.5
"""How far the upper side is pushed at most, in its width, over how far the die lies
from the point below the camera, in widths of the picture: 2.47 for a lens that sees 102
degrees, 1.5 for one that sees 74."""


_LIT = 0.5
"""Part of a thing that is no shadow, unless it is a dark die. First guess."""


FRAME = 0.15
"""Width of what is dark beyond the bright sides of a die and may be its frame, over the
square root of what is seen of it: 0.05 to 0.1 on the traced die of colours, shadows of
a second lamp 0.2 and more."""


class PointBelow(NamedTuple):
    """The point of the table below a camera.

    *x* and *y*, px, are in the part of the picture that is looked at; *wide_px* is the
    width of the whole picture.
    """

    x: float
    y: float
    wide_px: float

    def scaled(self, factor: float) -> "PointBelow":
        """Return it in a picture that was made larger by a factor."""
        return PointBelow(self.x * factor, self.y * factor, self.wide_px * factor)

    def within(self, left: int, top: int) -> "PointBelow":
        """Return it in a part of the picture that begins at *left*, *top*."""
        return PointBelow(self.x - left, self.y - top, self.wide_px)


def point_below(shape: tuple[int, ...]) -> PointBelow:
    """Return it in a picture ``(h, w, …)`` of a camera that looks straight down."""
    high, wide = shape[:2]
    return PointBelow(wide / 2, high / 2, float(wide))


class UpperSide(NamedTuple):
    """Where the upper side of a die is, px: its middle and how long its sides are."""

    x: float
    y: float
    side: float


def find_upper_side(mask: Mask, below: PointBelow) -> UpperSide:
    """Return the upper side of a cube of which a mask ``(h, w)`` shows all.

    A square reaches as far along any way as across it; along the way from the point
    below the camera what is seen reaches farther, by what is seen of the other sides.
    """
    y, x = np.nonzero(mask)
    points: Floats = np.stack([x, y], 1).astype(np.float32) + np.float32(0.5)
    off = points.mean(0) - np.array([below.x, below.y], np.float32)
    far = float(np.hypot(*off))
    way = off / far if far > 1.0 else np.array([1.0, 0.0], np.float32)
    beside = np.array([-way[1], way[0]], np.float32)
    along, across = points @ way, points @ beside
    reach, width = float(np.ptp(along)) + 1, float(np.ptp(across)) + 1
    most = STEEPEST * far / below.wide_px * width
    pushed = min(max(reach - width, 0.0), most)
    # Signs and glints may make holes in it.
    hull = cv2.convexHull(points)
    area = cv2.contourArea(hull) + cv2.arcLength(hull, closed=True) / 2 + 1
    side = float(np.sqrt(max(area - pushed * width, area / 4)))
    ahead = float(along.max() + along.min() + pushed) / 2
    aside = float(across.max() + across.min()) / 2
    middle = ahead * way + aside * beside
    return UpperSide(float(middle[0]), float(middle[1]), side)


def without_shadow(thing: Mask, lit: Mask) -> Mask:
    """Return a thing without its own shadow, which is darker in all channels.

    Where two lamps differ a shadow has a colour. A dark die is darker too, all over:
    then nothing is left out; nor is a dark frame about its bright sides.

    Args:
        thing: ``(h, w)``, where it differs from its ground.
        lit: ``(h, w)``, where some channel is brighter than the ground.
    """
    bright = thing & lit
    if float(bright.sum()) <= _LIT * float(thing.sum()):
        return thing
    within = np.zeros(thing.shape, np.uint8)
    y, x = np.nonzero(bright)
    hull = cv2.convexHull(np.stack([x, y], 1).astype(np.int32))
    cv2.fillConvexPoly(within, hull, 1)
    beyond = (thing & (within == 0)).astype(np.uint8)
    wide = max(3, round(FRAME * float(np.sqrt(thing.sum()))))
    shadow = cv2.morphologyEx(beyond, cv2.MORPH_OPEN, np.ones((wide, wide), np.uint8))
    # Its corners too: a die's sides are where the farthest of its pixels are.
    about = cv2.dilate(shadow, np.ones((wide, wide), np.uint8))
    return np.asarray(thing & ((about & beyond) == 0), np.bool_)
