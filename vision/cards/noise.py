"""What the same card looks like again: how far off is still the same card.

Learned from shots of the same cards when a deck is taught, or the usual values where
there are too few. Nothing here knows a deck.
"""

import cv2
import numpy as np
from msgspec import Struct

from vision.arrays import Floats
from vision.cards.raster import raster_grid

FINE_PX, COARSE_PX = 5, 9
"""Residuals are averaged in squares of these sides: 6 mm and 11 mm of most cards."""

_REGION_PX = {FINE_PX: 7, COARSE_PX: 5}
"""Side of the region in which residuals of that square are taken together."""

_MOST = 100.0
"""Most that one pixel may count, in variances: glare is not worse than that."""

_HUE_LIMIT = 3.0
_CONTRAST_LIMIT = 3.0


class Noise(Struct, frozen=True):
    """How far apart two pictures of the same card are.

    Each row of *fine_table* and *coarse_table* is one tone (brightness, red less green,
    blue less green): variance anywhere, per square of slope, per square of ink.

    Attributes:
        fine_table: For squares of FINE_PX.
        coarse_table: For squares of COARSE_PX.
        usual: Usual size of blur, contrast and the two shifts of hue.
        contrast: Standard deviation of contrast.
        along: Variance of hue toward or from grey: fixed, per square of the ink's hue.
        across: Variance of hue turned into another colour, likewise.
        limits: Least strangeness in fine and in coarse squares that is too much.
        shots: How many left-out shots it was learned from, 0 for the usual values.
    """

    fine_table: tuple[tuple[float, float, float], ...]
    coarse_table: tuple[tuple[float, float, float], ...]
    usual: tuple[float, float, float, float]
    contrast: float
    along: tuple[float, float]
    across: tuple[float, float]
    limits: tuple[float, float]
    shots: int = 0

    @property
    def fine(self) -> Floats:
        """Return *fine_table* as ``(3, 3)``, float32."""
        return np.array(self.fine_table, np.float32)


class ResidualVariance(Struct, frozen=True):
    """Variance of residuals of one reference, ``(h', w', 3)``, for each square."""

    fine: Floats
    coarse: Floats


class Strangeness(Struct, frozen=True):
    """How little a reference explains a seen card; 1 is the limit for each.

    Attributes:
        fine: In the worst region, in small squares.
        coarse: In the worst region, in large squares.
        hue: Colour of what is printed.
        contrast: Fading of what is printed.
    """

    fine: float
    coarse: float
    hue: float
    contrast: float

    @property
    def worst(self) -> float:
        """The largest but for contrast, which any blur or mist may change."""
        return max(self.fine, self.coarse, self.hue)


def slope_and_ink(even: Floats, square_px: int) -> tuple[Floats, Floats]:
    """Return square of slope and of ink about each inner pixel, ``(h', w', 3)``."""
    along = cv2.Sobel(even, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
    down = cv2.Sobel(even, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
    paper = np.median(even.reshape(-1, 3), 0)
    tile = (square_px + 2, square_px + 2)
    inner = raster_grid((even.shape[0], even.shape[1])).inner
    steep = cv2.blur(along * along + down * down, tile)
    printed = cv2.blur((even - paper) ** 2, tile)
    return np.asarray(steep[inner]), np.asarray(printed[inner])


def residual_variance(even: Floats, noise: Noise) -> ResidualVariance:
    """Return the usual variance of residuals of a reference ``(h, w, 3)``."""
    planes = []
    for square_px, rows in (
        (FINE_PX, noise.fine_table),
        (COARSE_PX, noise.coarse_table),
    ):
        steep, printed = slope_and_ink(even, square_px)
        table = np.array(rows, np.float32)
        planes.append(table[:, 0] + table[:, 1] * steep + table[:, 2] * printed)
    return ResidualVariance(*planes)


def deviation_map(residual: Floats, usual: Floats, square_px: int) -> Floats:
    """Return how strange each region is, ``(h', w')``, in standard deviations."""
    tile = (square_px, square_px)
    strange = np.minimum(cv2.blur(residual, tile) ** 2 / usual, _MOST).mean(-1)
    side = _REGION_PX[square_px]
    return np.asarray(np.sqrt(cv2.blur(strange, (side, side))), np.float32)


def measure_strangeness(
    residual: Floats,
    hues: Floats,
    contrast: float,
    ink: Floats,
    usual: ResidualVariance,
    noise: Noise,
) -> Strangeness:
    """Return how little a reference explains a seen card.

    Args:
        residual: What it leaves over, ``(h', w', 3)``.
        hues: Shift of the ink's hue, ``(2,)``.
        contrast: Change of contrast, 0 for none.
        ink: The reference's hue per brightness, ``(2,)``.
        usual: Variance of residuals of this reference.
        noise: Of this deck.
    """
    fine = float(deviation_map(residual, usual.fine, FINE_PX).max())
    coarse = float(deviation_map(residual, usual.coarse, COARSE_PX).max())
    return Strangeness(
        fine / noise.limits[0],
        coarse / noise.limits[1],
        _hue(hues, ink, noise) / _HUE_LIMIT,
        abs(contrast) / noise.contrast / _CONTRAST_LIMIT,
    )


def split_hue(hues: Floats, ink: Floats) -> tuple[float, float]:
    """Return a shift of hue as a part along the ink's own hue and one across it."""
    own = ink / max(float(np.linalg.norm(ink)), 1e-6)
    return float(hues @ own), float(hues[0] * own[1] - hues[1] * own[0])


def _hue(hues: Floats, ink: Floats, noise: Noise) -> float:
    """Return a shift of hue in standard deviations.

    Light and camera make colours paler or richer, but seldom turn red into purple.
    """
    along, across = split_hue(hues, ink)
    own = float(ink @ ink)
    return float(
        np.sqrt(
            along**2 / (noise.along[0] + noise.along[1] * own)
            + across**2 / (noise.across[0] + noise.across[1] * own)
        )
    )
