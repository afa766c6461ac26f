"""Let two look-alikes explain a seen card where they differ, and nowhere else.

Glare, wear and blur hurt both alike, so they cancel out here; whether either explains
the card at all is not asked.
"""

import cv2
import numpy as np

from vision.arrays import Floats
from vision.cards.audit import PreparedReference
from vision.cards.noise import FINE_PX
from vision.cards.raster import turn_plane
from vision.cards.templates import HUES, TemplateMatch, match_template

_MOST = 100.0
"""Most that one pixel may count, in variances."""


_DIFFERS = 9.0
"""Variances from which two references differ in a square."""


def compare_pairwise(
    shown: Floats,
    best: PreparedReference,
    shown_turned: Floats,
    rival: PreparedReference,
    quarters: int,
) -> tuple[float, float]:
    """Return how far a card leans to a rival, 0 to 1, and how much the two differ.

    0 is as if the card were the reference, a half a draw; the second is in variances of
    squares that err alone.

    Args:
        shown: Tones ``(h, w, 3)`` of the seen card, turned as suits the first.
        best: The reference that is tested.
        shown_turned: The same, turned as suits the other.
        rival: The other.
        quarters: Quarter turns clockwise that turn the second onto the first.
    """
    mine = match_template(shown, best.model)
    other = match_template(shown_turned, rival.model)
    usual = turn_plane(rival.usual.fine, quarters)
    return min(
        _contest(
            _squares(mine, best, hue),
            best.usual.fine,
            turn_plane(_squares(other, rival, hue), quarters),
            usual,
        )
        for hue in (False, True)
    )


def _contest(
    mine: Floats, usual: Floats, other: Floats, usual_other: Floats
) -> tuple[float, float]:
    """Return how far residuals lean to the second where both differ, and how much."""
    apart = (mine - other) ** 2 / usual
    apart[apart < _DIFFERS] = 0
    against_mine = np.minimum(mine**2 / usual, _MOST)
    against_other = np.minimum(other**2 / usual_other, _MOST)
    both = float((apart * against_other).sum()) + 1e-9
    ratio = float(np.sqrt((apart * against_mine).sum() / both))
    return ratio / (1 + ratio), float(apart.sum()) / FINE_PX**2


def _squares(found: TemplateMatch, known: PreparedReference, hue: bool) -> Floats:
    """Return residuals ``(h', w', 3)`` averaged in small squares.

    With *hue*, a shift of the ink's hue is left over too: black and red print of one
    shape differ in it alone. Without it, a coloured lamp does not hide the shape.
    """
    residual = found.residual
    if hue:
        shift = (known.model.changes[:, :, HUES] @ found.sizes[HUES]).T
        residual = residual + (shift / known.model.trust).reshape(residual.shape)
    return np.asarray(cv2.blur(residual, (FINE_PX, FINE_PX)), np.float32)
