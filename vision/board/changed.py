"""Where a board has changed: by what differs, and by what no shadow would do."""

import cv2
import numpy as np

from vision.arrays import Floats, Mask
from vision.board.flat import DARK, BoardLayout
from vision.ground.difference import find_difference, soften

_BRIGHT = 235.0
"""The brightest hundredth of a board is brought to this, so that the limits of
`vision.ground.difference` hold in any light."""

_INSIDE = 0.15
"""Distances between neighbours from its edge from which on a shadow is even: its soft
edge lies outside."""

_UNEVEN, _CROOKED = 0.04, 0.025
"""Spread of the logarithm of brightness inside, as it is and with an even slope taken
out, from which it is no shadow: 0.024 and 0.023 at most in shadows of the drawn lights,
some of them as large as a figure. A white chess man on a light square has 0.053 and
0.030."""

_LEAST_PX = 12
"""Inner pixels by which a spread is measured; what is smaller is taken for a shadow."""

_LARGE = 1.5
"""Squared distances between neighbours from which it is too large for a figure: the
shadow of an arm, or of somebody who leans over the board."""


def changed_mask(now: Floats, before: Floats, layout: BoardLayout) -> Mask:
    """Return where a flat board ``(H, W, 3)`` has changed, ``(H, W)``.

    Args:
        now: The board.
        before: The same one earlier, in the light of now.
        layout: Its spaces.
    """
    bright = max(float(np.percentile(now[::4, ::4].max(-1), 99)), DARK)
    scale = np.float32(_BRIGHT / bright)
    soft, ground = soften(now * scale), soften(before * scale)
    came, went = find_difference(soft, ground), find_difference(ground, soft)
    differs = came.differs & layout.visible
    shady = differs & (came.shadow | went.shadow)
    return (differs & ~shady) | _solid(shady, soft, ground, layout)


def _solid(shady: Mask, soft: Floats, ground: Floats, layout: BoardLayout) -> Mask:
    """Return what of a mask is no shadow, as it is uneven inside."""
    gap_px = float(np.median(layout.gap_px))
    whole = cv2.morphologyEx(shady.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3)))
    deep = cv2.distanceTransform(whole, cv2.DIST_L2, 3) > _INSIDE * gap_px
    _, labels, stats, _ = cv2.connectedComponentsWithStats(whole)
    solid = np.zeros_like(shady)
    for number in np.unique(labels[deep]):
        left, top, wide, high, area = stats[number]
        if number == 0 or area > _LARGE * gap_px**2:
            continue
        here = slice(top, top + high), slice(left, left + wide)
        mine = labels[here] == number
        inner = mine & deep[here]
        if inner.sum() >= _LEAST_PX and _is_uneven(soft[here], ground[here], inner):
            solid[here] |= mine
    return solid


def _is_uneven(soft: Floats, ground: Floats, inner: Mask) -> bool:
    """Tell whether brightness has changed unevenly inside a mask."""
    light = np.log((soft[inner].mean(-1) + 6) / (ground[inner].mean(-1) + 6))
    y, x = np.nonzero(inner)
    terms = np.column_stack([np.ones(len(x)), x - x.mean(), y - y.mean()])
    slope, *_ = np.linalg.lstsq(terms, light, rcond=None)
    crooked = light - terms @ slope
    return bool(light.std() > _UNEVEN and crooked.std() > _CROOKED)
