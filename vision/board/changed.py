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

_STEEP = 0.07
"""The same from which no slope explains it: three times that of any shadow. A small
white figure on a dark space has 0.083 on a traced table."""

_LEAST_PX = 12
"""Inner pixels by which a spread is measured; what is smaller is taken for a shadow."""

_CLOSED = 0.2
"""Distances between neighbours up to which a gap in the rim of a shady thing is closed.
First guess."""

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
    gap_px = float(np.median(layout.gap_px))
    return (differs & ~shady) | _solid(
        _fill(shady, gap_px) & differs, soft, ground, gap_px
    )


def _fill(shady: Mask, gap_px: float) -> Mask:
    """Return a mask with what it surrounds: of a white figure only the rim is shady."""
    side = max(3, round(_CLOSED * gap_px))
    whole = cv2.morphologyEx(shady.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3)))
    whole = cv2.morphologyEx(whole, cv2.MORPH_CLOSE, np.ones((side, side)))
    edges, _ = cv2.findContours(whole, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(whole, edges, -1, 1, cv2.FILLED)
    return np.asarray(whole > 0, np.bool_)


def _solid(shady: Mask, soft: Floats, ground: Floats, gap_px: float) -> Mask:
    """Return what of a mask is no shadow, as it is uneven inside."""
    whole = shady.astype(np.uint8)
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
    return bool(
        light.std() > _STEEP or (light.std() > _UNEVEN and crooked.std() > _CROOKED)
    )
