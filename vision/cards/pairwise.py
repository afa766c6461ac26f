"""Let two look-alikes explain a seen card where they differ, and nowhere else.

Glare, wear and blur hurt both alike, so they cancel out here; whether either explains
the card at all is not asked.
"""

import cv2
import numpy as np

from vision.arrays import Floats
from vision.cards.audit import PreparedReference
from vision.cards.noise import FINE_PX
from vision.cards.templates import HUES, TemplateMatch, match_template

_MOST = 100.0
"""Most that one pixel may count, in variances."""


def compare_pairwise(
    shown: Floats, best: PreparedReference, rival: PreparedReference
) -> float:
    """Return the residual of one reference relative to another's, 0 to 10.

    0 is as if the card were the reference, 1 a draw, above it the other explains more.

    Args:
        shown: Tones ``(h, w, 3)`` of the seen card, turned as suits the first.
        best: The reference that is tested.
        rival: The other.
    """
    mine, other = match_template(shown, best.model), match_template(shown, rival.model)
    return min(
        _contest(_squares(mine, best, hue), best, _squares(other, rival, hue), rival)
        for hue in (False, True)
    )


def _contest(
    mine: Floats, best: PreparedReference, other: Floats, rival: PreparedReference
) -> float:
    """Return residuals of the first over those of the second where they differ."""
    apart = (mine - other) ** 2 / best.usual.fine
    against_mine = np.minimum(mine**2 / best.usual.fine, _MOST)
    against_other = np.minimum(other**2 / rival.usual.fine, _MOST)
    both = float((apart * against_other).sum()) + 1e-9
    return min(10.0, float(np.sqrt((apart * against_mine).sum() / both)))


def _squares(found: TemplateMatch, known: PreparedReference, hue: bool) -> Floats:
    """Return residuals ``(h', w', 3)`` averaged in small squares.

    With *hue*, a shift of the ink's hue is left over too: black and red print of one
    shape differ in it alone. Without it, a coloured lamp does not hide the shape.
    """
    residual = found.residual
    if hue:
        shift = np.einsum(
            "cnk,k->nc",
            known.model.changes[:, :, HUES],
            found.sizes[HUES],
            optimize=True,
        )
        residual = residual + (shift / known.model.trust).reshape(residual.shape)
    return np.asarray(cv2.blur(residual, (FINE_PX, FINE_PX)), np.float32)
