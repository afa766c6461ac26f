"""Choose among outlines those that are cards: disjoint, of one size, nothing printed.

Whether an outline is an edge in the picture was decided in quads.py.
"""

import cv2
import numpy as np

from vision.arrays import Floats, Indices
from vision.cards.limits import QuadLimits

_SAME = 0.85
"""Intersection over union from which two outlines are of the same thing; a printed
frame a tenth inside a card has 0.64."""

_FRAME_SHARE = 0.3
"""Part of a mat that its cards cover at least; three signs on a card cover less."""

_TABLE_SHARE = 0.45
"""Part of the picture from which what holds small cards is a table: those of
`cards_overlapping` fill 0.51 to 0.58, one card of `playing_cards` with frames 0.41."""

_SMALL, _SMALL_SLANT = 0.04, 12.0
"""Part of a table that one card covers at most, and degrees by which its corners are
off: a playing card on a card table covers 0.02."""

_SURE = 0.95
"""Support of an outline that something surely has."""

_NO_GAP = 0.985
"""Part of a card that its halves cover when only a shadow parts them."""


def choose_cards(
    corners: Floats, support: Floats, crisp: Floats, pixels: int, limits: QuadLimits
) -> Indices:
    """Return which outlines are cards, the largest first.

    *pixels* is how many the picture has.
    """
    areas = np.array([cv2.contourArea(quad) for quad in corners], np.float32)
    distinct = _distinct(corners, areas, support, crisp)
    distinct = _without_frames(distinct, corners, areas)
    distinct = _without_tables(distinct, corners, areas, support, pixels)
    distinct = _without_pairs(distinct, corners, areas, support)
    kept = _of_one_size(distinct, corners, areas, support, limits)
    kept = _without_insides(kept, corners, areas)
    return np.array(sorted(kept, key=lambda index: -areas[index]), np.int64)


def choose_of_size(
    corners: Floats, support: Floats, crisp: Floats, area: float
) -> Indices:
    """Return which outlines are cards of one known area, px, the largest first.

    All outlines are of about that size: what a card bears, a table and pairs are not.
    """
    areas = np.array([cv2.contourArea(quad) for quad in corners], np.float32)
    distinct = _distinct(corners, areas, support, crisp)
    off = np.abs(np.log(areas / area))
    # A fifth in area off weighs as much as a tenth of the outline that is no edge.
    distinct.sort(key=lambda index: float(off[index] * 0.5 - support[index]))
    kept = _disjoint(distinct, corners)
    return np.array(sorted(kept, key=lambda index: -areas[index]), np.int64)


def _distinct(
    corners: Floats, areas: Floats, support: Floats, crisp: Floats
) -> list[int]:
    """Return one outline of each place, the one that fits best.

    Masks swell and shrink: of outlines of the same thing the crispest fits best.
    """
    places: list[list[int]] = []
    for index in np.lexsort((-areas, -np.round(support * 20))):
        for place in places:
            if _overlap(corners[index], corners[place[0]]) > _SAME:
                place.append(int(index))
                break
        else:
            places.append([int(index)])
    return [
        max(
            (index for index in place if support[index] > support[place[0]] - 0.03),
            key=lambda index: float(crisp[index]),
        )
        for place in places
    ]


def _overlap(one: Floats, other: Floats) -> float:
    """Return intersection over union of two convex quads."""
    both = cv2.intersectConvexConvex(one, other)[0]
    if both <= 0:
        return 0.0
    return float(both / (cv2.contourArea(one) + cv2.contourArea(other) - both))


def _within(inner: Floats, outer: Floats) -> float:
    """Return the part of *inner* that lies in *outer*."""
    both = cv2.intersectConvexConvex(inner, outer)[0]
    return float(both / max(cv2.contourArea(inner), 1.0))


def _without_frames(kept: list[int], corners: Floats, areas: Floats) -> list[int]:
    """Return the outlines that do not hold three or more of about one size.

    A mat or a table holds cards; a card holds a picture and a text, of two sizes. What
    is printed on a card may be slanted, but cards on a mat are as upright as the mat.
    """
    slant = _slant(corners)
    frames = set()
    for outer in kept:
        inner = [
            index
            for index in kept
            if 0.01 < areas[index] / areas[outer] < 0.7
            and slant[index] < slant[outer] + 15
            and _within(corners[index], corners[outer]) > 0.9
        ]
        alike = max(
            (
                len(_disjoint([i for i in inner if _alike(areas, i, j)], corners))
                for j in inner
            ),
            default=0,
        )
        if alike >= 3 and alike * np.median(areas[inner]) > _FRAME_SHARE * areas[outer]:
            frames.add(outer)
    return [index for index in kept if index not in frames]


def _without_tables(
    kept: list[int], corners: Floats, areas: Floats, support: Floats, pixels: int
) -> list[int]:
    """Return the outlines that are no table on which cards lie, two at least."""
    upright = _slant(corners) < _SMALL_SLANT
    tables = set()
    for outer in kept:
        small = [
            index
            for index in kept
            if areas[index] < _SMALL * areas[outer]
            and upright[index]
            and support[index] > _SURE
            and _within(corners[index], corners[outer]) > 0.9
        ]
        if areas[outer] > _TABLE_SHARE * pixels and any(
            len(_disjoint([i for i in small if _alike(areas, i, j)], corners)) > 1
            for j in small
        ):
            tables.add(outer)
    return [index for index in kept if index not in tables]


def _alike(areas: Floats, one: int, other: int) -> bool:
    return bool(0.67 < areas[one] / areas[other] < 1.5)


def _without_pairs(
    kept: list[int], corners: Floats, areas: Floats, support: Floats
) -> list[int]:
    """Return the outlines that are not just two like ones with a gap between.

    A shadow also cuts a card in two, but leaves no gap.
    """
    pairs = set()
    for outer in kept:
        inner = [
            index
            for index in kept
            if 0.4 < areas[index] / areas[outer] < 0.55
            and support[index] > _SURE
            and _within(corners[index], corners[outer]) > 0.95
        ]
        halves = _disjoint(inner, corners)
        if len(halves) == 2 and areas[halves].sum() < _NO_GAP * areas[outer]:
            pairs.add(outer)
    return [index for index in kept if index not in pairs]


def _slant(corners: Floats) -> Floats:
    """Return how far the worst corner is from a right angle, ``(N,)``, degrees."""
    ahead = np.roll(corners, -1, 1) - corners
    back = np.roll(corners, 1, 1) - corners
    cosine = (ahead * back).sum(-1) / np.maximum(
        np.linalg.norm(ahead, axis=-1) * np.linalg.norm(back, axis=-1), 1e-6
    )
    return np.asarray(np.degrees(np.abs(np.arcsin(np.clip(cosine, -1, 1)))).max(1))


def _without_insides(kept: list[int], corners: Floats, areas: Floats) -> list[int]:
    return [
        index
        for index in kept
        if not any(
            areas[other] > areas[index]
            and _within(corners[index], corners[other]) > 0.6
            for other in kept
        )
    ]


def _of_one_size(
    distinct: list[int],
    corners: Floats,
    areas: Floats,
    support: Floats,
    limits: QuadLimits,
) -> list[int]:
    """Return disjoint outlines of about the one size that explains most.

    Two cards that lie close make an outline of double size, a shadow's edge one of half
    size; but only true cards are many of one size.
    """
    best: list[int] = []
    most = 0.0
    for seed in distinct:
        unlike = np.abs(np.log(areas / areas[seed]))
        near = [i for i in distinct if unlike[i] < np.log(limits.sizes)]
        near.sort(key=lambda i: (-round(float(support[i]) * 20), unlike[i]))
        kept = _disjoint([seed, *near], corners)
        weight = np.exp(-((unlike[kept] / limits.like_size) ** 2) / 2)
        explained = float((areas[kept] * support[kept] ** 2 * weight).sum())
        if explained > most:
            best, most = kept, explained
    return best


def _disjoint(order: list[int], corners: Floats) -> list[int]:
    kept: list[int] = []
    for index in order:
        if all(
            _overlap_of_smaller(corners[index], corners[other]) < 0.4 for other in kept
        ):
            kept.append(index)
    return kept


def _overlap_of_smaller(one: Floats, other: Floats) -> float:
    """Return the part of the smaller of two outlines that lies in the other."""
    both = cv2.intersectConvexConvex(one, other)[0]
    return float(both / max(min(cv2.contourArea(one), cv2.contourArea(other)), 1.0))
