"""How a camera's lens maps directions to pixels, for cameras that people have.

Nominal values from data sheets: the single copy may differ by some per cent, which
`vision.mat.pose` learns from the markers. Nothing here opens a camera.
"""

from math import radians, tan
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Points: TypeAlias = NDArray[np.float64]
"""Points ``(N, 2)`` or ``(N, 3)``, float64; px or mm as said."""

Bend: TypeAlias = tuple[float, float, float, float, float]
"""k1, k2, p1, p2, k3 of OpenCV's model of distortion; all 0 for a perfect lens."""

STRAIGHT: Bend = (0.0, 0.0, 0.0, 0.0, 0.0)


class Lens(Struct, frozen=True, gc=False):
    """A lens together with the size of the pictures behind it.

    Attributes:
        name: A key of `CAMERAS`, or ``"unknown"``.
        size: Height and width of a picture, px.
        focal_px: Focal length in pixels of that picture.
        centre_px: Where the optical axis meets the picture, (x, y), px; the middle of
            the top left pixel is (0, 0).
        bend: Distortion.
        spread: Usual relative error of *focal_px*, one standard deviation; 0 when it
            was measured.
    """

    name: str
    size: tuple[int, int]
    focal_px: float
    centre_px: tuple[float, float]
    bend: Bend = STRAIGHT
    spread: float = 0.03

    @property
    def matrix(self) -> Points:
        """The camera matrix ``(3, 3)``."""
        x, y = self.centre_px
        f = self.focal_px
        return np.array([[f, 0.0, x], [0.0, f, y], [0.0, 0.0, 1.0]])


class Optics(Struct, frozen=True, gc=False):
    """From a data sheet: focal length over picture width, and how sure it is."""

    focal_per_width: float
    spread: float


def _field(horizontal_deg: float) -> float:
    return 0.5 / tan(radians(horizontal_deg) / 2)


CAMERAS: MappingProxyType[str, Optics] = MappingProxyType(
    {
        # 3.04 mm behind 3280 pixels of 1.12 um; stated as 62.2 degrees.
        "module2": Optics(3.04 / (3280 * 1.12e-3), 0.02),
        # 4.74 mm behind 4608 pixels of 1.4 um is 68.5 degrees, stated are 66: between.
        "module3": Optics((4.74 / (4608 * 1.4e-3) + _field(66.0)) / 2, 0.03),
        # 2.75 mm is 99 degrees, stated are 102.
        "module3wide": Optics((2.75 / (4608 * 1.4e-3) + _field(102.0)) / 2, 0.04),
        # With the 6 mm lens, behind 4056 pixels of 1.55 um.
        "hq6mm": Optics(6.0 / (4056 * 1.55e-3), 0.03),
        # Owners' published calibrations: 1430 at 1280 pixels, 1391 at 1920.
        "c270": Optics(1430.0 / 1280, 0.02),
        "c920": Optics(1391.0 / 1920, 0.03),
        # Phones and webcams see 55 to 80 degrees across a wide picture.
        "unknown": Optics(_field(66.0), 0.15),
    }
)
"""Cameras by the name that ``dragon-table calibrate --lens`` takes. The whole width of
the sensor must be in the picture; a mode that crops it at the sides is 'unknown'.

Source: Raspberry Pi, camera hardware specification (focal lengths, pixel sizes, fields
of view); Logitech's cameras from calibrations that their owners published.
"""


def nominal_lens(camera: str, size: tuple[int, int]) -> Lens:
    """Return the usual lens of a camera for pictures of *size* (height, width), px.

    The longer side is taken as the width: a phone held upright turns its picture.

    Raises:
        KeyError: There is no such camera in `CAMERAS`.
    """
    optics = CAMERAS[camera]
    height, width = size
    focal = optics.focal_per_width * max(height, width)
    centre = ((width - 1) / 2, (height - 1) / 2)
    return Lens(camera, size, focal, centre, STRAIGHT, optics.spread)


def distort(lens: Lens, rays: Points) -> Points:
    """Return distorted pixels ``(N, 2)`` for rays ``(N, 2)``: x and y at distance 1.

    Source: OpenCV, camera calibration, equations of radial and tangential distortion.
    """
    k1, k2, p1, p2, k3 = lens.bend
    x, y = rays[:, 0], rays[:, 1]
    r2 = x * x + y * y
    radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
    u = x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)
    v = y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y
    return np.asarray(np.stack([u, v], 1) * lens.focal_px + lens.centre_px)


def undistort(lens: Lens, pixels: Points) -> Points:
    """Return undistorted rays ``(N, 2)``, x and y at distance 1, for pixels ``(N, 2)``.

    Undoes `distort` to below a hundredth of a pixel within the picture.
    """
    seen = (np.asarray(pixels, float) - lens.centre_px) / lens.focal_px
    rays = seen.copy()
    if lens.bend == STRAIGHT:
        return rays
    # Distortion is a small pull: walking back what is still amiss settles quickly.
    for _ in range(30):
        off = (distort(lens, rays) - lens.centre_px) / lens.focal_px - seen
        rays -= off
        if float(np.abs(off).max(initial=0.0)) < 1e-7:
            break
    return rays
