"""Tells whether a camera that came back still shows the table as before.

Pure: compares two small pictures. A camera that was put back upside down, or a driver
that hands its colours over in another order, would have dice misread in silence.
"""

import cv2
import numpy as np

from vision.arrays import Floats, Picture

SIZE = (64, 36)
"""Width and height that views are compared at: a die is a few pixels, noise is gone."""

ALIKE = 0.8
"""Correlation (-1 to 1) above which two views show the same table.

The limits of this module were tried on neighbouring photographs of the four sets that
were taken on a fixed stand: see the test of this module, which prints its count.
"""

CLEARLY = 0.25
"""How much likelier a turned view must be than a straight one."""

COLOURFUL = 4.0
"""Spread of blue minus red, in grey values, below which colours say nothing."""

OPPOSITE = -0.5
"""Correlation of colours below which blue and red changed places."""


def shrink_view(picture: Picture) -> Floats:
    """Return *picture* small, ``(36, 64, 3)``, float32, BGR."""
    shrunk = cv2.resize(picture, SIZE, interpolation=cv2.INTER_AREA)
    return np.asarray(shrunk, np.float32)


def is_turned(before: Floats, now: Floats) -> bool:
    """Return whether *now* shows the table of *before* upside down."""
    lit_before, lit_now = before.mean(axis=2), now.mean(axis=2)
    turned = correlation(lit_before, lit_now[::-1, ::-1])
    return turned > ALIKE and correlation(lit_before, lit_now) < turned - CLEARLY


def is_swapped(before: Floats, now: Floats) -> bool:
    """Return whether *now* is the table of *before* with blue and red exchanged."""
    cold_before, cold_now = (v[..., 0] - v[..., 2] for v in (before, now))
    if min(cold_before.std(), cold_now.std()) < COLOURFUL:
        return False
    # Green stays where it is, whatever order the others come in.
    same_table = correlation(before[..., 1], now[..., 1]) > ALIKE
    return same_table and correlation(cold_before, cold_now) < OPPOSITE


def correlation(one: Floats, other: Floats) -> float:
    """Return the correlation of two maps of one shape, -1 to 1; 0 for a flat one."""
    one, other = one - one.mean(), other - other.mean()
    size = float(np.sqrt((one * one).sum() * (other * other).sum()))
    return float((one * other).sum()) / size if size > 0 else 0.0
