"""Find the cards in a plain picture: four corners each, at any angle on any ground.

No marker and no kit is needed. What a card shows is not looked at.
"""

import cv2
import numpy as np
from msgspec import Struct

from companion.table import BoxPx
from vision.arrays import Floats, Indices, Mask, Picture
from vision.cards.outlines import find_outlines
from vision.cards.rules import QuadRules, usual_rules

WORK_PX = 1000
"""Pictures are searched with their longer side at this many pixels."""

_SAMPLES = 32

_SAME = 0.85
"""Intersection over union from which two outlines are of the same thing: a card and its
printed frame have 0.8."""

_FRAME_SHARE = 0.3
"""Part of a mat that its cards cover at least; three signs on a card cover less."""

_SURE = 0.95
"""Support of an outline that something surely has."""

_NO_GAP = 0.985
"""Part of a card that its halves cover when only a shadow parts them."""

_MOST_RIM = 2
"""Sides of a card that may lie on the rim of the picture: it is cut there."""

_LEAST_CHANGE = 9
"""Change across a side, in any of L, a and b of 0 to 255, that counts as an edge: a
brown card on a dark mat has 12, cloth from fold to fold 6."""


class Quad(Struct, frozen=True):
    """Where a card lies.

    Attributes:
        corners: Four points (x, y), px of the given picture, clockwise on the screen.
        support: Part of its outline that is an edge in the picture, 0 to 1.
    """

    corners: tuple[tuple[float, float], ...]
    support: float

    @property
    def box(self) -> BoxPx:
        """Left, top, right, bottom in px."""
        xs, ys = zip(*self.corners, strict=True)
        return round(min(xs)), round(min(ys)), round(max(xs)), round(max(ys))

    def array(self) -> Floats:
        """Return the corners as ``(4, 2)``, float32."""
        return np.array(self.corners, np.float32)


def find_cards(picture: Picture, rules: QuadRules | None = None) -> tuple[Quad, ...]:
    """Return the cards in a picture ``(H, W, 3)``, uint8, BGR, the largest first.

    A card may lie at any angle, be seen askance, be cut by the rim of the picture or
    touch another a little. What lies on a card is no card.
    """
    rules = rules or usual_rules().quads
    scale = min(1.0, WORK_PX / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    corners = find_outlines(np.asarray(small, np.uint8))
    corners = corners[_shapely(corners, rules)]
    if not len(corners):
        return ()
    support, crisp = _support(np.asarray(small, np.uint8), corners)
    good = support > rules.support
    corners, support, crisp = corners[good], support[good], crisp[good]
    kept = _select(corners, support, crisp, rules)
    # Half a pixel: corners are given between pixels, as cv2.resize scales them.
    full = (corners + 0.5) / scale - 0.5
    return tuple(
        Quad(tuple((float(x), float(y)) for x, y in full[index]), float(support[index]))
        for index in kept
    )


def _shapely(corners: Floats, rules: QuadRules) -> Mask:
    """Return where opposite sides are alike and no side is a mere strip, ``(N,)``."""
    sides = np.linalg.norm(corners - np.roll(corners, -1, 1), axis=2)
    if not len(sides):
        return np.zeros(0, np.bool_)
    pairs = np.stack([sides[:, :2], sides[:, 2:]])
    alike = (pairs.min(0) / pairs.max(0)).min(1) > rules.opposite
    means = pairs.mean(0)
    slender = means.min(1) / means.max(1) > rules.slender
    return np.asarray(alike & slender, np.bool_)


def _support(picture: Picture, corners: Floats) -> tuple[Floats, Floats]:
    """Return the part of each outline that is an edge, and how crisply, both ``(N,)``.

    The weakest side counts as much as all four together: a strip between two cards has
    two sides that are nobody's. Crispness is the mean change right on the line.
    """
    lab = cv2.cvtColor(cv2.GaussianBlur(picture, (0, 0), 1.0), cv2.COLOR_BGR2LAB)
    share = np.linspace(0.12, 0.88, _SAMPLES, dtype=np.float32)
    start, end = corners[:, :, None], np.roll(corners, -1, 1)[:, :, None]
    points = start + (end - start) * share[None, None, :, None]
    length = np.linalg.norm(end - start, axis=3, keepdims=True)
    along = (end - start) / np.maximum(length, 1)
    across = np.stack([-along[..., 1], along[..., 0]], -1)
    steps = np.arange(-4, 5, dtype=np.float32)
    places = points[..., None, :] + across[..., None, :] * steps[:, None]
    colours = _sampled(np.asarray(lab, np.uint8), places)
    # Edges lie on the line, give or take two pixels: changes over three pixels.
    change = np.abs(colours[..., 3:, :] - colours[..., :-3, :]).max(-1)
    step = change[..., 1:5].max(-1)
    here = (step > _LEAST_CHANGE).mean(-1)
    inside = _inside(points, picture.shape[:2])
    here = np.where(inside > 0.5, here, 0.6)
    cut = (inside <= 0.5).sum(1) > _MOST_RIM
    here = np.where(cut[:, None], 0.0, here)
    crisp = change[..., 2:4].min(-1).mean((1, 2))
    return (0.5 * here.min(1) + 0.5 * here.mean(1)), crisp


def _sampled(picture: Picture, places: Floats) -> Floats:
    """Return colours ``(..., 3)``, float32, at places ``(..., 2)`` (x, y) in px."""
    flat = places.reshape(-1, 2).astype(np.float32)
    # remap takes at most 32767 rows or columns.
    parts = [
        cv2.remap(
            picture,
            part[None, :, 0],
            part[None, :, 1],
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )[0]
        for part in np.array_split(flat, len(flat) // 16000 + 1)
    ]
    colours = np.concatenate(parts).reshape(*places.shape[:-1], 3)
    return colours.astype(np.float32)


def _inside(points: Floats, size: tuple[int, ...]) -> Floats:
    height, width = size[:2]
    x, y = points[..., 0], points[..., 1]
    within = (x > 2) & (y > 2) & (x < width - 3) & (y < height - 3)
    return np.asarray(within.mean(-1), np.float32)


def _select(
    corners: Floats, support: Floats, crisp: Floats, rules: QuadRules
) -> Indices:
    """Return which outlines are cards, the largest first."""
    areas = np.array([cv2.contourArea(quad) for quad in corners], np.float32)
    distinct = _distinct(corners, areas, support, crisp)
    distinct = _without_frames(distinct, corners, areas)
    distinct = _without_pairs(distinct, corners, areas, support)
    kept = _of_one_size(distinct, corners, areas, support, rules)
    kept = _without_insides(kept, corners, areas)
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
                len(
                    _disjoint(
                        [i for i in inner if 0.67 < areas[i] / areas[j] < 1.5], corners
                    )
                )
                for j in inner
            ),
            default=0,
        )
        if alike >= 3 and alike * np.median(areas[inner]) > _FRAME_SHARE * areas[outer]:
            frames.add(outer)
    return [index for index in kept if index not in frames]


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
    rules: QuadRules,
) -> list[int]:
    """Return disjoint outlines of about the one size that explains most.

    Two cards that lie close make an outline of double size, a shadow's edge one of half
    size; but only true cards are many of one size.
    """
    best: list[int] = []
    most = 0.0
    for seed in distinct:
        unlike = np.abs(np.log(areas / areas[seed]))
        near = [i for i in distinct if unlike[i] < np.log(rules.sizes)]
        near.sort(key=lambda i: (-round(float(support[i]) * 20), unlike[i]))
        kept = _disjoint([seed, *near], corners)
        weight = np.exp(-((unlike[kept] / rules.like_size) ** 2) / 2)
        explained = float((areas[kept] * support[kept] ** 2 * weight).sum())
        if explained > most:
            best, most = kept, explained
    return best


def _disjoint(order: list[int], corners: Floats) -> list[int]:
    kept: list[int] = []
    for index in order:
        if all(_lapped(corners[index], corners[other]) < 0.4 for other in kept):
            kept.append(index)
    return kept


def _lapped(one: Floats, other: Floats) -> float:
    """Return the part of the smaller of two outlines that lies in the other."""
    both = cv2.intersectConvexConvex(one, other)[0]
    return float(both / max(min(cv2.contourArea(one), cv2.contourArea(other)), 1.0))
