"""Let two look-alikes explain a seen card where they differ, and nowhere else.

Glare, wear and blur hurt both alike, so they cancel out here; whether either explains
the card at all is not asked.
"""

import cv2
import numpy as np

from vision.arrays import Floats
from vision.cards.audit import Ready
from vision.cards.noise import FINE_PX
from vision.cards.templates import HUES, Match, match

_MOST = 100.0
"""Most that one pixel may count, in variances."""


def duel(shown: Floats, best: Ready, rival: Ready) -> float:
    """Return how much better one reference explains a card than another, 0 to 10.

    0 is as if the card were the reference, 1 a draw, above it the other explains more.

    Args:
        shown: Tones ``(h, w, 3)`` of the seen card, turned as suits the first.
        best: The reference that is tested.
        rival: The other.
    """
    mine, other = match(shown, best.model), match(shown, rival.model)
    return min(
        _contest(_squares(mine, best, hue), best, _squares(other, rival, hue), rival)
        for hue in (False, True)
    )


def _contest(mine: Floats, best: Ready, other: Floats, rival: Ready) -> float:
    """Return leftovers of the first over those of the second where they differ."""
    apart = (mine - other) ** 2 / best.usual.fine
    against_mine = np.minimum(mine**2 / best.usual.fine, _MOST)
    against_other = np.minimum(other**2 / rival.usual.fine, _MOST)
    both = float((apart * against_other).sum()) + 1e-9
    return min(10.0, float(np.sqrt((apart * against_mine).sum() / both)))


def _squares(found: Match, known: Ready, hue: bool) -> Floats:
    """Return leftovers ``(h', w', 3)`` taken together in small squares.

    With *hue*, a shift of the ink's hue is left over too: black and red print of one
    shape differ in it alone. Without it, a coloured lamp does not hide the shape.
    """
    left = found.left
    if hue:
        shift = np.einsum(
            "cnk,k->nc",
            known.model.changes[:, :, HUES],
            found.sizes[HUES],
            optimize=True,
        )
        left = left + (shift / known.model.trust).reshape(left.shape)
    return np.asarray(cv2.blur(left, (FINE_PX, FINE_PX)), np.float32)
