"""Find the cards in a plain picture: four corners each, at any angle on any ground.

No marker and no kit is needed. What a card shows is not looked at.
"""

from collections.abc import Iterable

import cv2
import numpy as np
from msgspec import Struct

from companion.table import BoxPx
from vision.arrays import Floats, Indices, Mask, Picture
from vision.cards.best_outlines import choose_cards, choose_of_size
from vision.cards.limits import QuadLimits, card_limits
from vision.cards.outlines import CardSize, find_outlines, find_outlines_of_size

WORK_PX = 1000
"""Pictures are searched with their longer side at this many pixels."""

_SAMPLES = 32

_SIZE_OFF = 0.2
"""Natural logarithm by which a side may differ from the known one: seen from above, no
side in `cards_fixed_camera` is more than 0.1 off the median."""

_GUESSED = 0.05
"""Support by which an outline that was guessed from one corner counts less: it is no
better than its angle, and knows no perspective."""

_LEAST_CHANGE = 9
"""Change across a side, in any of L, a and b of 0 to 255, that counts as an edge; seen
to hold for brown cards on a dark mat and pale ones on pale cloth."""


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


def find_cards(
    picture: Picture,
    size: CardSize | None = None,
    limits: QuadLimits | None = None,
) -> tuple[Quad, ...]:
    """Return the cards in a picture ``(H, W, 3)``, uint8, BGR, the largest first.

    A card may lie at any angle, be seen askance, be cut by the rim of the picture or
    touch another a little. What lies on a card is no card.

    Args:
        picture: ``(H, W, 3)``, uint8, BGR.
        size: Of a card in this picture, None where nobody knows: a fixed camera shows
            all cards of a deck in the size in which they were taught.
        limits: Limits.
    """
    limits = limits or card_limits().quads
    scale = min(1.0, WORK_PX / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    work = np.asarray(small, np.uint8)
    if size is None:
        corners, support, kept = _find_any(work, limits)
    else:
        corners, support, kept = _find_of_size(
            work, (size[0] * scale, size[1] * scale), limits
        )
    # Half a pixel: corners are given between pixels, as cv2.resize scales them.
    full = (corners + 0.5) / scale - 0.5
    return tuple(
        Quad(tuple((float(x), float(y)) for x, y in full[index]), float(support[index]))
        for index in kept
    )


def usual_size(cards: Iterable[Quad]) -> CardSize:
    """Return the size of a card where these lie, px: medians of their sides."""
    sides = [
        np.linalg.norm(card.array() - np.roll(card.array(), -1, 0), axis=1)
        for card in cards
    ]
    pairs = np.sort([(four[::2].mean(), four[1::2].mean()) for four in sides], axis=1)
    short, long = np.median(pairs, axis=0).tolist()
    return short, long


def _find_any(picture: Picture, limits: QuadLimits) -> tuple[Floats, Floats, Indices]:
    """Return outlines ``(N, 4, 2)``, their support ``(N,)``, and which are cards."""
    corners = find_outlines(picture)
    corners = corners[_has_card_shape(corners, limits)]
    support, crisp = _support(picture, corners)
    good = support > limits.support
    corners, support, crisp = corners[good], support[good], crisp[good]
    pixels = picture.shape[0] * picture.shape[1]
    return corners, support, choose_cards(corners, support, crisp, pixels, limits)


def _find_of_size(
    picture: Picture, size: CardSize, limits: QuadLimits
) -> tuple[Floats, Floats, Indices]:
    """Return outlines, their support, and which are cards, as `_find_any` does."""
    whole, guessed = find_outlines_of_size(picture, size)
    whole = whole[_has_card_shape(whole, limits) & _has_size(whole, size)]
    # What runs over the rim of the picture shows too little to be guessed.
    inside = (guessed > 0) & (guessed < np.array(picture.shape[1::-1], np.float32))
    guessed = guessed[inside.all((1, 2))]
    corners = np.concatenate([whole, guessed])
    support, crisp = _support(picture, corners)
    support[len(whole) :] -= _GUESSED
    good = support > limits.support
    corners, support, crisp = corners[good], support[good], crisp[good]
    area = size[0] * size[1]
    return corners, support, choose_of_size(corners, support, crisp, area)


def _has_card_shape(corners: Floats, limits: QuadLimits) -> Mask:
    """Return where opposite sides are alike and no side is a mere strip, ``(N,)``."""
    sides = np.linalg.norm(corners - np.roll(corners, -1, 1), axis=2)
    if not len(sides):
        return np.zeros(0, np.bool_)
    pairs = np.stack([sides[:, :2], sides[:, 2:]])
    alike = (pairs.min(0) / pairs.max(0)).min(1) > limits.opposite
    means = pairs.mean(0)
    slender = means.min(1) / means.max(1) > limits.slender
    return np.asarray(alike & slender, np.bool_)


def _has_size(corners: Floats, size: CardSize) -> Mask:
    """Return where both sides are about as long as a card's, ``(N,)``."""
    sides = np.linalg.norm(corners - np.roll(corners, -1, 1), axis=2)
    means = np.sort((sides[:, :2] + sides[:, 2:]) / 2, axis=1)
    return np.asarray(
        (np.abs(np.log(means / np.array(size))) < _SIZE_OFF).all(1), np.bool_
    )


def _support(picture: Picture, corners: Floats) -> tuple[Floats, Floats]:
    """Return the part of each outline that is an edge, and how crisply, both ``(N,)``.

    The weakest side counts as much as all four together: a strip between two cards has
    two sides that are nobody's. Crispness is the mean change right on the line.
    """
    if not len(corners):
        return np.zeros(0, np.float32), np.zeros(0, np.float32)
    lab = cv2.cvtColor(cv2.GaussianBlur(picture, (0, 0), 1.0), cv2.COLOR_BGR2LAB)
    share = np.linspace(0.12, 0.88, _SAMPLES, dtype=np.float32)
    start, end = corners[:, :, None], np.roll(corners, -1, 1)[:, :, None]
    points = start + (end - start) * share[None, None, :, None]
    length = np.linalg.norm(end - start, axis=3, keepdims=True)
    along = (end - start) / np.maximum(length, 1)
    aside = np.stack([-along[..., 1], along[..., 0]], -1)
    steps = np.arange(-4, 5, dtype=np.float32)
    places = points[..., None, :] + aside[..., None, :] * steps[:, None]
    colours = _sample_colours(np.asarray(lab, np.uint8), places)
    # Edges lie on the line, give or take two pixels: changes over three pixels.
    change = np.abs(colours[..., 3:, :] - colours[..., :-3, :]).max(-1)
    step = change[..., 1:5].max(-1)
    here = (step > _LEAST_CHANGE).mean(-1)
    inside = _inside(points, picture.shape[:2])
    here = np.where(inside > 0.5, here, 0.6)
    outside = inside <= 0.5
    across = outside[:, 0] & outside[:, 2] | outside[:, 1] & outside[:, 3]
    here = np.where(across[:, None], 0.0, here)
    crisp = change[..., 2:4].min(-1).mean((1, 2))
    return (0.5 * here.min(1) + 0.5 * here.mean(1)), crisp


def _sample_colours(picture: Picture, places: Floats) -> Floats:
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
