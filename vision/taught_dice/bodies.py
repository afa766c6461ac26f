"""Find what lies in a tray: the bodies of dice, and the upper side of each.

A body is what differs from the ground that is usual about it, in colour or in
brightness, but for shadows; where the bare tray was seen, from that.
"""

from typing import NamedTuple

import cv2
import numpy as np

from companion.table import BoxPx
from vision.arrays import Floats, Mask, Picture
from vision.ground.upper_side import PointBelow, find_upper_side, without_shadow

GROUND = 0.12
"""Distance from the ground's colour above which something lies on it."""

THIN = 2.5
"""Times as long as wide that a body is no die and no two that touch."""

LEAST = 0.6
"""Sides of what is seen over those that were shown, at least."""

BARE = 0.1
"""Part of a box up to which it shows bare ground and noise. First guess."""

_ROUGH = 5.0
"""Times by which a die differs from its ground more than half of the ground does."""

_OTHER_VIEW = 0.3
"""Part of a tray above which it is not the bare one with dice on it: the camera
moved."""

_COARSE_PX = 12
"""Side of a die, px, in which the wide median of a tray is taken."""

_WIDE_PX = 480


class Body(NamedTuple):
    """A box about all that is seen of what lies in a tray, and its upper side, px."""

    box: BoxPx
    top: BoxPx


class SeenGround(NamedTuple):
    """What lies in a tray, and where it is bare.

    *apart* ``(h, w)`` is where the picture, which was made smaller by *factor*, shows
    anything but ground; *is_compared* tells whether that is known from the same tray
    without dice.
    """

    bodies: list[Body]
    apart: Mask
    factor: float
    is_compared: bool

    def is_bare_at(self, box: BoxPx) -> bool:
        """Tell whether a box shows what it shows without dice."""
        left, top, right, bottom = (max(0, round(edge * self.factor)) for edge in box)
        here = self.apart[top : bottom + 1, left : right + 1]
        return self.is_compared and (not here.size or float(here.mean()) < BARE)


def find_bodies(
    picture: Picture,
    side_px: float,
    bare: Picture | None = None,
    below: PointBelow | None = None,
) -> list[Body]:
    """Return what lies in a tray and is at least half as wide as a die.

    Arguments are those of `look_at_bare_ground`.
    """
    return look_at_bare_ground(picture, side_px, bare, below).bodies


def look_at_bare_ground(
    picture: Picture,
    side_px: float,
    bare: Picture | None = None,
    below: PointBelow | None = None,
) -> SeenGround:
    """Return what lies in a tray and is at least half as wide as a die.

    Args:
        picture: The tray, ``(h, w, 3)``, uint8, BGR.
        side_px: Side of the die.
        bare: The same tray without dice: what is printed or grown on the ground is then
            the same in both, and nothing is left of it.
        below: The point below the camera; without it, or where the die is no cube, all
            that is seen of it is taken for its upper side.
    """
    factor = min(1.0, _WIDE_PX / max(picture.shape[:2]))
    ratio = _log_light(picture, factor)
    is_compared = bare is not None and bare.shape == picture.shape
    if bare is not None and is_compared:
        ratio = ratio - _log_light(bare, factor)
    ratio = ratio - _wide_median(ratio, side_px * factor)
    # A shadow changes all channels alike, downward.
    level = ratio.mean(-1)
    tint = np.abs(ratio - level[..., None]).max(-1)
    rough = max(GROUND, _ROUGH * float(np.median(tint)))
    uneven = max(2 * GROUND, _ROUGH * float(np.median(np.abs(level))))
    apart = (tint > rough) | (level > uneven) | (level < np.log(0.4))
    lit = np.asarray(ratio.max(-1) > GROUND / 2, np.bool_)
    if is_compared and apart.mean() > _OTHER_VIEW:
        return look_at_bare_ground(picture, side_px, None, below)
    mask = cv2.morphologyEx(
        apart.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)
    )
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    least = (LEAST * side_px * factor) ** 2 * 0.7
    found = []
    for number, (left, top, wide, high, area) in enumerate(stats[1:].tolist(), 1):
        if area < least or _is_thin(wide, high):
            continue
        upper = box = _grown((left, top, left + wide, top + high), factor)
        if below is not None:
            die = without_shadow(labels == number, lit)
            x, y, side = find_upper_side(die, below.scaled(factor))
            half = side / 2
            upper = _grown((x - half, y - half, x + half, y + half), factor)
        found.append(Body(box, upper))
    return SeenGround(found, mask > 0, factor, is_compared)


def _grown(box: tuple[float, float, float, float], factor: float) -> BoxPx:
    """Return a box of a small picture in the large one."""
    left, top, right, bottom = (round(edge / factor) for edge in box)
    return left, top, right, bottom


def _log_light(picture: Picture, factor: float) -> Floats:
    """Return logarithms ``(h, w, 3)`` of a picture that was shrunk and blurred."""
    way = cv2.INTER_AREA
    small = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=way)
    soft = np.asarray(cv2.blur(small, (3, 3)), np.float32)
    return np.asarray(np.log(soft + 4), np.float32)


def _wide_median(ratio: Floats, side_px: float) -> Floats:
    """Return what is usual about each place ``(h, w, 3)``, wider than any die."""
    high, wide = ratio.shape[:2]
    shrink = max(1.0, side_px / _COARSE_PX)
    size = max(1, round(wide / shrink)), max(1, round(high / shrink))
    small = cv2.resize(ratio, size, interpolation=cv2.INTER_AREA)
    low, step = float(small.min()), max(float(np.ptp(small)) / 255, 1e-6)
    levels = np.asarray(np.rint((small - low) / step), np.uint8)
    # A window of 3.5 sides, so that a die and its shadow fill less than half of it.
    window = 2 * round(1.75 * side_px / shrink) + 1
    usual = cv2.medianBlur(levels, window).astype(np.float32) * step + low
    return np.asarray(cv2.resize(usual, (wide, high)), np.float32)


def _is_thin(wide: int, high: int) -> bool:
    """Tell whether a box is no die's: the rim of a tray, a ruler."""
    return max(wide, high) > THIN * min(wide, high)
