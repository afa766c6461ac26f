"""Measures in one plain picture whether the table can be read: light, glare, focus.

Needs no markers, so that it can help while the table is still being set up.
"""

import cv2
import numpy as np
from msgspec import Struct

from vision.arrays import Picture

WIDTH_PX = 640
"""Pictures are judged at this width, so that limits hold for every camera."""

DARK = 96.0
"""Brightness of the brightest hundredth, 0 to 255. The darkest of 1406 photographs of
dice and cards, all of them usable, has 96."""

GLARE = 0.05
"""Share of burnt-out pixels. The brightest of those photographs has 0.033."""

SHARP = 0.13
"""Steepness of the sharpest edges. Of every tenth photograph the softest has 0.151;
with a blur of four pixels the sharpest has 0.123 (see the test of this module)."""

FAINT = 15.0
"""Grey levels that an edge must span before its focus is judged. Two photographs of a
bare dark table and of bare paper have 8 and 10; the least of every tenth photograph,
blurred by four pixels, has 21 (see the test of this module)."""

STEEPEST = 99.5
"""Percentile of the slopes that are looked at: the edges of pips, signs and boards."""


class PictureQuality(Struct, frozen=True):
    """Light, glare and focus of a picture.

    Attributes:
        brightest: Grey value, 0 to 255, that a hundredth of the picture exceeds.
        burnt: Share of pixels that are burnt out, 0 to 1.
        sharpness: Share of an edge's height that it rises within one pixel, 0 to 1.
        contrast: How many grey levels, 0 to 255, those edges span.
    """

    brightest: float
    burnt: float
    sharpness: float
    contrast: float

    @property
    def is_dark(self) -> bool:
        """Tell whether more light would help."""
        return self.brightest < DARK

    @property
    def is_dazzled(self) -> bool:
        """Tell whether a lamp shines into the camera or off the table."""
        return self.burnt > GLARE

    @property
    def is_blurred(self) -> bool:
        """Tell whether the camera is out of focus or moves.

        On a bare table nothing has an edge to tell it by.
        """
        return self.sharpness < SHARP and self.contrast >= FAINT


def measure_quality(picture: Picture) -> PictureQuality:
    """Return light, glare and focus of *picture*, ``(h, w, 3)``, uint8, BGR."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    height_px = max(1, round(grey.shape[0] * WIDTH_PX / grey.shape[1]))
    grey = cv2.resize(grey, (WIDTH_PX, height_px), interpolation=cv2.INTER_AREA)
    levels = np.asarray(grey, np.uint8)
    sharpness, contrast = _edges(levels)
    return PictureQuality(
        brightest=float(np.percentile(levels, 99)),
        burnt=float(np.mean(levels >= 250)),
        sharpness=sharpness,
        contrast=contrast,
    )


def _edges(grey: np.ndarray) -> tuple[float, float]:
    """Return how steep the sharpest edges of *grey* are, and how high."""
    soft = np.asarray(cv2.GaussianBlur(grey, (0, 0), 0.8), np.float32)
    # Sobel's kernel adds up to eight times the slope.
    across = np.asarray(cv2.Sobel(soft, cv2.CV_32F, 1, 0)) / 8
    down = np.asarray(cv2.Sobel(soft, cv2.CV_32F, 0, 1)) / 8
    slope = np.hypot(across, down)
    around = np.ones((15, 15), np.uint8)
    height = np.asarray(cv2.dilate(soft, around)) - np.asarray(cv2.erode(soft, around))
    steepest = slope >= np.percentile(slope, STEEPEST)
    sharpness = np.median((slope / np.maximum(height, 1.0))[steepest])
    return float(sharpness), float(np.median(height[steepest]))
