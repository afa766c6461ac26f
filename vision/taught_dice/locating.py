"""Find the one die of a photograph that is shown without a box."""

import cv2
import numpy as np
from msgspec.structs import replace

from companion.table import BoxPx
from vision.arrays import Picture
from vision.pips.limits import pip_limits
from vision.pips.spots import find_spots

_WORK_PX = 640
_LEAST, _MOST = 0.018, 0.2
"""Radius of a die over the longer side of a photograph that is taken to teach it."""

_ROUGHEST = 0.3
"""Spread of the edge of a die about an ellipse, in radii: more than that of a pip."""

_CLEARLY = 1.25
"""How much better than any other spot the die must be."""


def locate_die(picture: Picture) -> BoxPx | None:
    """Return where the only die of a picture ``(H, W, 3)`` lies, px.

    None where there is none, or several things that may be it.
    """
    high, wide = picture.shape[:2]
    factor = min(1.0, _WORK_PX / max(high, wide))
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
    worth = np.where((size > _LEAST) & (size < _MOST), worth, 0)
    if not len(worth) or worth.max() <= 0:
        return None
    best = int(worth.argmax())
    gap = np.hypot(*(spots.centres - spots.centres[best]).T)
    others = worth[gap > spots.radii[best] * 1.2]
    if len(others) and worth[best] < _CLEARLY * others.max():
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
