"""Straighten cards to small pictures of one size, and turn their colours into tones.

A tone is the logarithm of a colour, so that light, which multiplies colours, only adds
to tones. What a card shows is not looked at.
"""

from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np

from vision.arrays import Floats, Picture

RASTER_PX = 3456
"""Pixels of a straightened card, 72 x 48 for most. With 92 rows a tuning draw read 92 %
rather than 90 %, but playing cards from one shot four fewer of 18: corners are found to
a pixel or two. Fine stripes become a tint, which is enough."""

THUMB_PX = (24, 16)

_DARK = 60.0
"""Added to colours of 0 to 255 before the logarithm, or black print would be all noise:
with 10, 60 and 120 the best face was wrong for 15, 8 and 7 of 249 crops."""

_OPPONENT = np.array([[1 / 3, 1 / 3, 1 / 3], [0, -1, 1], [1, -1, 0]], np.float32)
"""From the logarithms of B, G, R to brightness, red less green and blue less green."""

_MARGIN = 0.04
"""Part of each side left out: round corners and what lies beside the card."""


class RasterGrid(NamedTuple):
    """Coordinates of a raster; arrays are ``(H, W)``, float32.

    Attributes:
        columns: Column of each pixel, px.
        rows: Row of each pixel, px.
        x: From -1 at the left to 1 at the right.
        y: From -1 at the top to 1 at the bottom.
        slow: Terms of a slowly changing light at the inner pixels ``(N, 6)``.
        inner: Where the raster is looked at.
    """

    columns: Floats
    rows: Floats
    x: Floats
    y: Floats
    slow: Floats
    inner: tuple[slice, slice]


@lru_cache(maxsize=8)
def raster_grid(size: tuple[int, int]) -> RasterGrid:
    """Return the coordinates of a raster of *size* (rows, columns)."""
    height, width = size
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    columns, rows = np.meshgrid(
        np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32)
    )
    margin = max(1, round(_MARGIN * max(size)))
    inner = (slice(margin, height - margin), slice(margin, width - margin))
    return RasterGrid(
        columns, rows, x, y, slow_terms(x, y)[inner].reshape(-1, 6), inner
    )


def slow_terms(x: Floats, y: Floats) -> Floats:
    """Return constant, slopes and bends ``(..., 6)`` of a slowly changing light."""
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], -1)


def raster_size(aspect: float) -> tuple[int, int]:
    """Return rows and columns of cards with this width over height, at most 1."""
    rows = round(float(np.sqrt(RASTER_PX / max(aspect, 0.3))))
    return rows, round(RASTER_PX / rows)


def picture_corners(picture: Picture) -> Floats:
    """Return the corners ``(4, 2)`` of a picture that one card fills."""
    height, width = picture.shape[:2]
    return np.array(
        [[0, 0], [width, 0], [width, height], [0, height]], np.float32
    ) - np.float32(0.5)


def rectify_card(picture: Picture, corners: Floats, size: tuple[int, int]) -> Picture:
    """Return what lies between four corners as a small picture.

    Args:
        picture: ``(H, W, 3)``, uint8, BGR.
        corners: ``(4, 2)`` in px; the first two become the top, left to right.
        size: Rows and columns of the result.
    """
    left, top = np.maximum(np.floor(corners.min(0)).astype(int) - 4, 0)
    right, bottom = np.ceil(corners.max(0)).astype(int) + 5
    cut = picture[top:bottom, left:right]
    if min(cut.shape[:2], default=0) < 2:
        return np.zeros((*size, 3), np.uint8)
    side = float(np.linalg.norm(corners - np.roll(corners, -1, 0), axis=1).max())
    # Shrinking in one go would skip pixels, so first to about twice the raster.
    shrink = min(1.0, 2 * max(size) / max(side, 1.0))
    if shrink < 1:
        cut = np.asarray(
            cv2.resize(cut, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA),
            np.uint8,
        )
    height, width = 2 * size[0], 2 * size[1]
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    source = ((corners - (left, top) + 0.5) * shrink).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(source - 0.5, target - 0.5)
    large = cv2.warpPerspective(
        cut, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(
        cv2.resize(large, size[::-1], interpolation=cv2.INTER_AREA), np.uint8
    )


def turn_plane(plane: Floats, quarters: int) -> Floats:
    """Return a raster ``(h, w, ...)`` turned clockwise, of the same size."""
    height, width = plane.shape[:2]
    turned = np.ascontiguousarray(np.rot90(plane, -quarters))
    if turned.shape == plane.shape:
        return turned
    return np.asarray(cv2.resize(turned, (width, height)), np.float32)


def to_tones(raster: Picture) -> Floats:
    """Return the tones ``(h, w, 3)``, float32, of a raster, uint8, BGR.

    Brightness, red less green, blue less green; twice the natural logarithm.
    """
    logs = 2 * np.log((raster.astype(np.float32) + _DARK) / (255 + _DARK))
    return np.asarray(logs @ _OPPONENT.T, np.float32)


def even_light(shown: Floats) -> Floats:
    """Return tones ``(h, w, 3)`` without the slowly changing light on them.

    The light is fitted to what most of the card agrees on, its ground.
    """
    lattice = raster_grid((shown.shape[0], shown.shape[1]))
    every = slow_terms(lattice.x, lattice.y)
    even = shown.copy()
    for channel in range(3):
        tone = shown[lattice.inner][..., channel].ravel()
        weight = np.ones_like(tone)
        for _ in range(5):
            light = _fit_light(lattice.slow, tone, weight)
            off = tone - lattice.slow @ light
            spread = max(1.48 * float(np.median(np.abs(off))), 0.01)
            weight = 1 / (1 + (off / (1.5 * spread)) ** 2)
        even[..., channel] -= every @ light
    return even


def match_light(shown: Floats, model: Floats, weight: Floats) -> Floats:
    """Return tones under the light of others, ``(h, w, 3)``.

    Args:
        shown: Tones to change, ``(h, w, 3)``.
        model: Tones of the same card in the light that is wanted.
        weight: Trust in each inner pixel, ``(N, 3)``.
    """
    lattice = raster_grid((shown.shape[0], shown.shape[1]))
    every = slow_terms(lattice.x, lattice.y)
    off = (shown - model)[lattice.inner].reshape(-1, 3)
    even = shown.copy()
    for channel in range(3):
        light = _fit_light(lattice.slow, off[:, channel], weight[:, channel])
        even[..., channel] -= every @ light
    return even


def _fit_light(terms: Floats, tone: Floats, weight: Floats) -> Floats:
    """Return the ``(6,)`` shares of *terms* that come nearest to *tone*."""
    weighted = terms * weight[:, None]
    return np.asarray(
        np.linalg.solve(terms.T @ weighted + 1e-6 * np.eye(6), weighted.T @ tone),
        np.float32,
    )


def thumbnail(even: Floats) -> Floats:
    """Return tones ``(h, w, 3)`` in even light as a short vector ``(924,)``."""
    small = cv2.resize(even, THUMB_PX[::-1], interpolation=cv2.INTER_AREA)
    return np.asarray(small[1:-1, 1:-1], np.float32).ravel()
