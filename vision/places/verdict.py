"""From distances to taught prints: what a piece is, or what it may be."""

import numpy as np

from companion.table import BoxPx
from vision.places.figures import SURE
from vision.places.prints import Bank, Ranked
from vision.places.seen import Doubt, Found
from vision.plan import Spot

NEAR, RATIO = 0.75, 0.8
"""A print is sure when its distance is below NEAR of the way to the nearest other
print, and below RATIO of the next best distance."""


def told(taught: Bank, ranked: Ranked, spot: Spot, box: BoxPx) -> Found | Doubt:
    """Return which piece of those that a spot may hold was seen."""
    own = [(name, gap) for name, gap in ranked if name[0] in spot.holds]
    (best, gap), rest = own[0], own[1:]
    safe = NEAR * taught.room(best, spot.holds)
    other = rest[0][1] if rest else 1e3
    if gap < safe and gap < RATIO * other:
        return Found(best[0], best[1], spot.place, SURE, box)
    near = [(name, gap) for name, gap in own[:3] if gap < 2 * safe]
    weights = [np.exp(-3 * gap / max(safe, 1e-6)) for _, gap in near]
    choices = tuple(
        (name[0], name[1], round(0.9 * float(weight / sum(weights)), 3))
        for (name, _), weight in zip(near, weights, strict=True)
    )
    return Doubt(spot.place, choices, box)
