"""Decide from distances to taught prints what a piece is, or what it may be."""

from collections.abc import Callable

import numpy as np

from companion.table import BoxPx, SurePiece, UnsurePiece
from vision.arrays import Floats
from vision.tabletop.figures import SURE
from vision.tabletop.plan import Spot
from vision.tabletop.prints import PrintBank, Ranked, rank_by_differences


def decide_piece(
    taught: PrintBank, ranked: Ranked, spot: Spot, box: BoxPx
) -> SurePiece | UnsurePiece:
    """Return which piece of those that a spot may hold was seen."""
    own = [(name, gap) for name, gap in ranked if name[0] in spot.holds]
    room = taught.distance_to_other(own[0][0], spot.holds)
    safe = min(taught.limits.near * room, taught.farthest)
    return _decide(own, safe, taught.limits.ratio, spot, box)


def decide_card(
    taught: PrintBank,
    ranked: Ranked,
    closer: Callable[[], list[Floats]],
    spot: Spot,
    box: BoxPx,
) -> SurePiece | UnsurePiece:
    """Return which card was seen; those that look alike by where they differ.

    *closer* gives the card once more in fine steps, where that is wanted.
    """
    own = [(name, gap) for name, gap in ranked if name[0] in spot.holds]
    best, gap = own[0]
    if len(taught.lookalikes(best)) < 2:
        return decide_piece(taught, ranked, spot, box)
    if gap > taught.farthest:
        return UnsurePiece(spot.place, (), box)
    alike, room = rank_by_differences(taught, closer(), best)
    alike = [pair for pair in alike if pair[0][0] in spot.holds]
    limits = taught.limits
    return _decide(alike, limits.alike_near * room, limits.alike_ratio, spot, box)


def _decide(
    own: Ranked, safe: float, ratio: float, spot: Spot, box: BoxPx
) -> SurePiece | UnsurePiece:
    (best, gap), rest = own[0], own[1:]
    other = rest[0][1] if rest else 1e3
    if gap < safe and gap < ratio * other:
        return SurePiece(best[0], best[1], spot.place, SURE, box)
    near = [(name, gap) for name, gap in own[:3] if gap < 2 * safe]
    weights = [np.exp(-3 * gap / max(safe, 1e-6)) for _, gap in near]
    choices = tuple(
        (name[0], name[1], round(0.9 * float(weight / sum(weights)), 3))
        for (name, _), weight in zip(near, weights, strict=True)
    )
    return UnsurePiece(spot.place, choices, box)
