"""How the drawn table is lit and how its camera spoils the picture.

Six kinds of light, as they stand over tables; each differs a little from picture to
picture, by the seed.
"""

from types import MappingProxyType

import cv2
import numpy as np
from msgspec import Struct

from vision.arrays import Floats, Picture


class Light(Struct, frozen=True):
    """One kind of light.

    Attributes:
        colour: How bright white paper is in the middle: B, G, R of 0 to 1.
        slope: Change of brightness from left to right and from top to bottom.
        vignette: How much darker the corners are.
        fall: Where a shadow goes: right and down in mm for each mm of height.
        shade: Light that is left in a shadow, 0 to 1.
        flicker: Spread of the brightness from picture to picture.
        noise: Spread of the sensor's noise, grey values.
        jpeg: Quality, 0 to 100.
    """

    colour: tuple[float, float, float]
    slope: tuple[float, float] = (0.0, 0.0)
    vignette: float = 0.1
    fall: tuple[float, float] = (0.3, 0.2)
    shade: float = 0.72
    flicker: float = 0.004
    noise: float = 1.6
    jpeg: int = 88


LIGHTS: MappingProxyType[str, Light] = MappingProxyType(
    {
        "good": Light((0.88, 0.89, 0.89)),
        "warm": Light((0.62, 0.80, 0.93), slope=(-0.08, 0.05), fall=(-0.4, 0.3)),
        "cool": Light((0.95, 0.86, 0.74), slope=(0.06, -0.05), fall=(0.2, -0.4)),
        "dim": Light((0.40, 0.43, 0.46), noise=3.4, jpeg=80, flicker=0.008),
        "side": Light(
            (0.78, 0.80, 0.80), slope=(0.28, 0.05), fall=(-0.9, 0.1), shade=0.6
        ),
        "mixed": Light(
            (0.80, 0.80, 0.86), slope=(-0.15, 0.15), flicker=0.02, noise=2.2, jpeg=75
        ),
    }
)
"""The kinds by name; the first is what a lamp over a table gives."""


def light_field(light: Light, size: tuple[int, int]) -> Floats:
    """Return how bright white paper is at each pixel, ``(h, w, 3)`` of 0 to 1."""
    y, x = np.mgrid[-1 : 1 : size[0] * 1j, -1 : 1 : size[1] * 1j].astype(np.float32)
    level = 1 + light.slope[0] * x + light.slope[1] * y
    level = level - light.vignette * (x * x + y * y) / 2
    return np.asarray(level[:, :, None] * np.array(light.colour, np.float32))


class Sensor:
    """Turns what reaches the lens into pictures: blur, noise, compression.

    Noise is taken from one large sheet at a place that chance gives: making fresh noise
    for each picture would take most of the time.
    """

    def __init__(self, light: Light, size: tuple[int, int], seed: int) -> None:
        self._light = light
        self._size = size
        self._random = np.random.default_rng(seed)
        sheet = self._random.normal(0, light.noise, (size[0] + 64, size[1] + 64, 3))
        self._sheet = np.asarray(np.rint(sheet), np.int16)

    def expose(self, lit: Picture) -> Picture:
        """Return one picture of a lit table ``(h, w, 3)``, uint8, BGR."""
        gain = float(1 + self._random.normal(0, self._light.flicker))
        top, left = (int(edge) for edge in self._random.integers(0, 64, 2))
        noise = self._sheet[top : top + self._size[0], left : left + self._size[1]]
        bright = cv2.convertScaleAbs(lit, alpha=gain)
        spoilt = cv2.add(bright, noise, dtype=cv2.CV_8U)
        quality = [cv2.IMWRITE_JPEG_QUALITY, self._light.jpeg]
        _, coded = cv2.imencode(".jpg", spoilt, quality)
        return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
