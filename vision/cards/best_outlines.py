"""Choose among outlines those that are cards: disjoint, of one size, nothing printed.

Whether an outline is an edge in the picture was decided in quads.py.
"""

from typing import NamedTuple

import cv2
import numpy as np

from vision.arrays import Floats, Indices
from vision.cards.limits import QuadLimits

_SAME = 0.85
"""Intersection over union from which two outlines are of the same thing; a printed
frame a tenth inside a card has 0.64."""

_SAME_MIDDLE = 0.25
"""Square of the distance of two middles, in areas, from which outlines are not the
same: the middles of two squares that share 0.85 are 0.08 of a side apart."""

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


class _Outlines(NamedTuple):
    """One outline of each place.

    Attributes:
        which: Number of each among all outlines.
        areas: ``(N,)``, px.
        support: Part of each that is an edge, ``(N,)``, 0 to 1.
        slant: How far the worst corner is from a right angle, ``(N,)``, degrees.
        shared: Area that two of them share, ``(N, N)``, px.
    """

    which: Indices
    areas: Floats
    support: Floats
    slant: Floats
    shared: Floats

    def within(self, inner: int, outer: int) -> float:
        """Return the part of *inner* that lies in *outer*."""
        return float(self.shared[inner, outer] / self.areas[inner])

    def alike(self, those: list[int], one: int) -> list[int]:
        """Return which of those have about the area of *one*."""
        return [i for i in those if 0.67 < self.areas[i] / self.areas[one] < 1.5]

    def largest_first(self, kept: list[int]) -> Indices:
        """Return the numbers of some, the largest first."""
        return self.which[sorted(kept, key=lambda one: -self.areas[one])]


def choose_cards(
    corners: Floats, support: Floats, crisp: Floats, pixels: int, limits: QuadLimits
) -> Indices:
    """Return which outlines are cards, the largest first.

    *pixels* is how many the picture has.
    """
    outlines = _distinct(corners, support, crisp)
    kept = list(range(len(outlines.which)))
    kept = _without_frames(kept, outlines)
    kept = _without_tables(kept, outlines, pixels)
    kept = _without_pairs(kept, outlines)
    kept = _of_one_size(kept, outlines, limits)
    return outlines.largest_first(_without_insides(kept, outlines))


def choose_of_size(
    corners: Floats, support: Floats, crisp: Floats, area: float
) -> Indices:
    """Return which outlines are cards of one known area, px, the largest first.

    All outlines are of about that size: what a card bears, a table and pairs are not.
    """
    outlines = _distinct(corners, support, crisp)
    off = np.abs(np.log(outlines.areas / area))
    # A fifth in area off weighs as much as a tenth of the outline that is no edge.
    order = np.argsort(off * 0.5 - outlines.support, kind="stable").tolist()
    return outlines.largest_first(_disjoint(order, outlines))


def _distinct(corners: Floats, support: Floats, crisp: Floats) -> _Outlines:
    """Return one outline of each place, the one that fits best.

    Masks swell and shrink: of outlines of the same thing the crispest fits best.
    """
    if not len(corners):
        none = np.zeros(0, np.float32)
        empty = np.zeros(0, np.int64)
        return _Outlines(empty, none, none, none, none.reshape(0, 0))
    areas = np.array([cv2.contourArea(quad) for quad in corners], np.float32)
    middles = corners.mean(1)
    places: list[list[int]] = []
    for index in np.lexsort((-areas, -np.round(support * 20))).tolist():
        for place in places:
            first = place[0]
            # Far quicker than the overlap, which is small if the middles are apart.
            off = np.abs(middles[index] - middles[first]).max()
            if off**2 > _SAME_MIDDLE * areas[first]:
                continue
            both = _shared_area(corners[index], corners[first])
            if both > _SAME * (areas[index] + areas[first] - both):
                place.append(index)
                break
        else:
            places.append([index])
    best = [
        max(
            (index for index in place if support[index] > support[place[0]] - 0.03),
            key=lambda index: float(crisp[index]),
        )
        for place in places
    ]
    quads = corners[best]
    return _Outlines(
        np.array(best, np.int64),
        np.maximum(areas[best], 1.0),
        support[best],
        _slant(quads),
        _shared_areas(quads),
    )


def _shared_area(one: Floats, other: Floats) -> float:
    return float(cv2.intersectConvexConvex(one, other)[0])


def _shared_areas(quads: Floats) -> Floats:
    """Return the area that two quads share, ``(N, N)``, px."""
    least, most = quads.min(1), quads.max(1)
    near = (least[:, None] < most[None]).all(2)
    near &= near.T
    shared = np.zeros(near.shape, np.float32)
    for one, other in np.argwhere(np.triu(near)).tolist():
        area = _shared_area(quads[one], quads[other])
        shared[one, other] = shared[other, one] = area
    return shared


def _without_frames(kept: list[int], outlines: _Outlines) -> list[int]:
    """Return the outlines that do not hold three or more of about one size.

    A mat or a table holds cards; a card holds a picture and a text, of two sizes. What
    is printed on a card may be slanted, but cards on a mat are as upright as the mat.
    """
    areas, slant = outlines.areas, outlines.slant
    frames = set()
    for outer in kept:
        inner = [
            index
            for index in kept
            if 0.01 < areas[index] / areas[outer] < 0.7
            and slant[index] < slant[outer] + 15
            and outlines.within(index, outer) > 0.9
        ]
        alike = _most_alike(inner, outlines)
        if alike >= 3 and alike * np.median(areas[inner]) > _FRAME_SHARE * areas[outer]:
            frames.add(outer)
    return [index for index in kept if index not in frames]


def _most_alike(those: list[int], outlines: _Outlines) -> int:
    """Return how many of those are disjoint and of about one size."""
    return max(
        (len(_disjoint(outlines.alike(those, one), outlines)) for one in those),
        default=0,
    )


def _without_tables(kept: list[int], outlines: _Outlines, pixels: int) -> list[int]:
    """Return the outlines that are no table on which cards lie, two at least."""
    areas = outlines.areas
    tables = set()
    for outer in kept:
        if areas[outer] < _TABLE_SHARE * pixels:
            continue
        small = [
            index
            for index in kept
            if areas[index] < _SMALL * areas[outer]
            and outlines.slant[index] < _SMALL_SLANT
            and outlines.support[index] > _SURE
            and outlines.within(index, outer) > 0.9
        ]
        if _most_alike(small, outlines) > 1:
            tables.add(outer)
    return [index for index in kept if index not in tables]


def _without_pairs(kept: list[int], outlines: _Outlines) -> list[int]:
    """Return the outlines that are not just two like ones with a gap between.

    A shadow also cuts a card in two, but leaves no gap.
    """
    areas = outlines.areas
    pairs = set()
    for outer in kept:
        inner = [
            index
            for index in kept
            if 0.4 < areas[index] / areas[outer] < 0.55
            and outlines.support[index] > _SURE
            and outlines.within(index, outer) > 0.95
        ]
        halves = _disjoint(inner, outlines)
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


def _without_insides(kept: list[int], outlines: _Outlines) -> list[int]:
    areas = outlines.areas
    return [
        index
        for index in kept
        if not any(
            areas[other] > areas[index] and outlines.within(index, other) > 0.6
            for other in kept
        )
    ]


def _of_one_size(
    distinct: list[int], outlines: _Outlines, limits: QuadLimits
) -> list[int]:
    """Return disjoint outlines of about the one size that explains most.

    Two cards that lie close make an outline of double size, a shadow's edge one of half
    size; but only true cards are many of one size.
    """
    areas, support = outlines.areas, outlines.support
    best: list[int] = []
    most = 0.0
    for seed in distinct:
        unlike = np.abs(np.log(areas / areas[seed]))
        near = [i for i in distinct if unlike[i] < np.log(limits.sizes)]
        near.sort(key=lambda i: (-round(float(support[i]) * 20), unlike[i]))
        kept = _disjoint([seed, *near], outlines)
        weight = np.exp(-((unlike[kept] / limits.like_size) ** 2) / 2)
        explained = float((areas[kept] * support[kept] ** 2 * weight).sum())
        if explained > most:
            best, most = kept, explained
    return best


def _disjoint(order: list[int], outlines: _Outlines) -> list[int]:
    """Return those that lie in none before them, nor over one, by two fifths."""
    areas = outlines.areas
    kept: list[int] = []
    for index in order:
        shared = outlines.shared[index, kept]
        if (shared < 0.4 * np.minimum(areas[index], areas[kept])).all():
            kept.append(index)
    return kept
