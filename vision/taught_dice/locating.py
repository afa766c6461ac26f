"""Find the one die of a photograph that is shown without a box.

On even ground it is what differs from the ground that is seen along the rim; in a tray,
whose rim is seen instead, it is the strongest spot.
"""

import cv2
import numpy as np
from msgspec.structs import replace

from companion.table import BoxPx
from vision.arrays import Floats, Mask, Picture
from vision.pips.limits import pip_limits
from vision.pips.spots import find_spots

_SIDE = 0.92
"""Side of a die over the square root of what is seen of it: its upper side and, from a
camera that leans by a few degrees, a fifth as much of the others."""

_SPOTS_PX = 640
_LEAST_RADIUS, _MOST_RADIUS = 0.018, 0.2
"""Radius of a die over the longer side of a photograph that is taken to teach it."""

_ROUGHEST = 0.3
"""Spread of the edge of a die about an ellipse, in radii: more than that of a pip."""

_CLEARER = 1.25
"""How much better than any other spot the die must be."""

_EVEN = 0.12
"""Spread of the rim, in logarithms of light, up to which it is all one ground: wood has
0.05 and less, the surroundings of trays 0.4 and more."""

_WORK_PX = 320
_RIM = 0.06
"""Part of the shorter side that shows the ground all about; a die may reach into it."""

_ROUGH = 6.0
"""Times by which a die differs from its ground more than half of the rim does."""

_TINT, _LEVEL, _DARK = 0.10, 0.25, 0.45
"""Least difference of a die in colour and brightness, in logarithms; and what is left
of the light in a shadow at least."""

_COLOURED = 0.5
"""Part of what differs from the ground that has clearly another colour, if the die
has."""

_LEAST, _MOST = 0.002, 0.5
"""Part of a photograph that the die covers."""

_COMPACT = 0.75
"""Part of its own hull that a die covers: of shadows and rims less."""

_CLEARLY = 1.8
"""Times as large as any other thing that the die must be."""


def locate_die(picture: Picture) -> BoxPx | None:
    """Return where the only die of a picture ``(H, W, 3)`` lies, px.

    None where there is none, or several things that may be it.
    """
    factor = min(1.0, _WORK_PX / max(picture.shape[:2]))
    small = cv2.resize(
        picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA
    )
    mask = _off_the_ground(np.asarray(cv2.blur(small, (3, 3)), np.float32))
    if mask is None:
        return _strongest_spot(picture)
    count, names, stats, _ = cv2.connectedComponentsWithStats(
        np.asarray(mask, np.uint8)
    )
    things = []
    for number in range(1, count):
        filled, hull = _areas(np.asarray(names == number, np.uint8))
        if _LEAST < filled / mask.size < _MOST and filled > _COMPACT * hull:
            things.append((filled, number))
    things.sort(reverse=True)
    if not things or (len(things) > 1 and things[0][0] < _CLEARLY * things[1][0]):
        return None
    area, best = things[0]
    half = _SIDE * float(np.sqrt(area)) / 2 / factor
    left, top, wide, high = (int(v) for v in stats[best][:4])
    # The middle of its outline: signs make holes in it.
    x, y = (left + wide / 2) / factor, (top + high / 2) / factor
    rows, columns = picture.shape[:2]
    return (
        max(0, round(x - half)),
        max(0, round(y - half)),
        min(columns, round(x + half)),
        min(rows, round(y + half)),
    )


def _off_the_ground(soft: Floats) -> Mask | None:
    """Return what differs from the ground that is seen along the rim, ``(h, w)``.

    None where the rim shows no even ground.
    """
    high, wide = soft.shape[:2]
    rim = max(2, round(_RIM * min(high, wide)))
    outer = np.ones((high, wide), np.bool_)
    outer[rim:-rim, rim:-rim] = False
    light = np.log(soft + 6)
    y, x = np.mgrid[-1 : 1 : high * 1j, -1 : 1 : wide * 1j]
    ways = np.stack([np.ones_like(x), x, y], -1)
    good = outer
    # Light falls off to one side; what lies in the rim is left out the second time.
    for _ in range(2):
        plane = np.linalg.lstsq(ways[good], light[good], rcond=None)[0]
        off = light - ways @ plane
        away = np.abs(off).max(-1)
        good = outer & (away <= 2.5 * np.median(away[good]) + 0.02)
    if float(np.median(np.abs(off)[outer])) > _EVEN:
        return None
    level = off.mean(-1)
    tint = np.abs(off - level[..., None]).max(-1)
    rough = max(_TINT, _ROUGH * float(np.median(tint[good])))
    uneven = max(_LEVEL, _ROUGH * float(np.median(np.abs(level[good]))))
    every = _cleaned((tint > rough) | (level > uneven) | (level < np.log(_DARK)))
    # A shadow has no colour of its own: where the die has one, that is all of it.
    coloured = _cleaned(tint > 2 * rough)
    return coloured if coloured.sum() > _COLOURED * every.sum() else every


def _cleaned(apart: Mask) -> Mask:
    near = np.ones((3, 3), np.uint8)
    mask = cv2.morphologyEx(apart.astype(np.uint8), cv2.MORPH_OPEN, near)
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    return np.asarray(mask > 0, np.bool_)


def _areas(mask: Picture) -> tuple[float, float]:
    """Return the area of a thing with its holes filled, and that of its hull."""
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    outline = max(outlines, key=cv2.contourArea)
    return cv2.contourArea(outline), cv2.contourArea(cv2.convexHull(outline))


def _strongest_spot(picture: Picture) -> BoxPx | None:
    high, wide = picture.shape[:2]
    factor = min(1.0, _SPOTS_PX / max(high, wide))
    small = cv2.resize(
        picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA
    )
    limits = replace(pip_limits().spots, roundness=_ROUGHEST)
    spots = find_spots(np.asarray(small, np.uint8), limits)
    size = spots.radii / max(small.shape[:2])
    strength = np.sqrt((spots.inks**2).sum(-1))
    middle = np.array([small.shape[1], small.shape[0]]) / 2
    off = np.abs(spots.centres / middle - 1).max(-1)
    worth = strength * spots.radii * (1.2 - spots.roundness * 2) * (1.2 - off)
    worth = np.where((size > _LEAST_RADIUS) & (size < _MOST_RADIUS), worth, 0)
    if not len(worth) or worth.max() <= 0:
        return None
    best = int(worth.argmax())
    gap = np.hypot(*(spots.centres - spots.centres[best]).T)
    others = worth[gap > spots.radii[best] * 1.2]
    if len(others) and worth[best] < _CLEARER * others.max():
        return None
    # A square makes a spot whose radius is 0.56 of its side.
    half = spots.radii[best] / factor * 1.1
    x, y = spots.centres[best] / factor
    return (
        max(0, round(float(x - half))),
        max(0, round(float(y - half))),
        min(wide, round(float(x + half))),
        min(high, round(float(y + half))),
    )
