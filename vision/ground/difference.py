"""Where a view differs from an earlier one, and where that may be a mere shadow."""

from collections.abc import Callable
from typing import NamedTuple

import cv2
import numpy as np

from vision.arrays import Floats, Mask

PLAIN = 26.0
"""Grey values, of 255 in even light, by which a piece differs from the ground under it.
Noise of the dim light of the drawn table comes to 9 after evening (3.4 x 2.4)."""

_SHADOW = (0.42, 1.04)
"""What a shadow leaves of the light, of all three channels alike."""

_SHADOW_TINT = 0.16
"""Difference between the channels up to which it is a shadow and not a colour."""

_FLOOR = 6.0
"""Grey values added before dividing, so that noise in the dark stays small."""


class Difference(NamedTuple):
    """Where two views differ, and where that may be a shadow; both ``(h, w)``."""

    differs: Mask
    shadow: Mask


def soften(view: Floats) -> Floats:
    """Return a view softened, as printed lines need not meet to the pixel."""
    return np.asarray(cv2.blur(view, (3, 3)), np.float32)


def find_difference(soft: Floats, ground: Floats, plain: float = PLAIN) -> Difference:
    """Return where a softened view ``(h, w, 3)`` differs from an earlier one.

    A shadow that came darkens all channels alike; one that went is none here.
    """
    differs = _over_channels(np.asarray(cv2.absdiff(soft, ground)), np.maximum) > plain
    # Most of a table lies bare, and need not be asked for shadows.
    ratio = (soft[differs] + np.float32(_FLOOR)) / (
        ground[differs] + np.float32(_FLOOR)
    )
    low, high = _over_channels(ratio, np.minimum), _over_channels(ratio, np.maximum)
    shadow = np.zeros_like(differs)
    shadow[differs] = (
        (low > _SHADOW[0]) & (high < _SHADOW[1]) & (high - low < _SHADOW_TINT)
    )
    return Difference(np.asarray(differs, np.bool_), np.asarray(shadow, np.bool_))


def difference_mask(seen: Floats, ground: Floats) -> Mask:
    """Return where two views ``(h, w, 3)`` of one scale differ, but for shadows."""
    differs, shadow = find_difference(soften(seen), soften(ground))
    return differs & ~shadow


def _over_channels(planes: Floats, pick: Callable[[Floats, Floats], Floats]) -> Floats:
    # Channel by channel: numpy's reduction over three values takes ten times longer.
    return pick(pick(planes[..., 0], planes[..., 1]), planes[..., 2])
