"""Pixels in the order that a camera gives them become blue, green, red.

What a driver calls its format is believed first; `is_red_third` proves it by a
change that was asked for, whatever lies on the table.
"""

from typing import Any

import cv2
import numpy as np

from vision.arrays import Floats, Picture
from vision.camera.port import CameraMissing

LESS_RED = 0.7
"""How much of its red gain a camera keeps while the order is proven."""

CLEARLY = 0.1
"""How much more than the other a colour must fade, of the 0.3 that were taken away."""

STRIP_PX = 256
"""Rows of a still that are turned into colours at a time: three whole planes of one of
12 megapixels are 36 MB, and a Pi has them once in the still already."""

DARK = 8.0
"""Mean grey value below which noise is all there is to compare."""


def is_red_third(before: Floats, less_red: Floats) -> bool | None:
    """Return whether red is the third colour of a picture; None if that stays open.

    Args:
        before: Mean of each colour, ``(3,)``, in the order that the camera gave.
        less_red: The same while the camera amplified red by `LESS_RED`.
    """
    first, third = before[0], before[2]
    if min(first, third) < DARK:
        return None
    faded = less_red / before
    if faded[0] - faded[2] > CLEARLY:
        return True
    return False if faded[2] - faded[0] > CLEARLY else None


def mean_colours(picture: Picture) -> Floats:
    """Return the mean of each colour of ``(h, w, 3)``, uint8; ``(3,)``, float32."""
    return np.asarray(picture[::8, ::8].reshape(-1, 3).mean(axis=0), np.float32)


def to_bgr(array: Any, format_: str, size: tuple[int, int]) -> Picture:
    """Return libcamera's pixels as ``(h, w, 3)``, uint8, BGR.

    Args:
        array: What picamera2 made of the stream.
        format_: The format that the stream truly has, which may not be the one that
            was asked for.
        size: Height and width of the picture.

    Raises:
        CameraMissing: We do not know the format.

    Source: Picamera2 manual, appendix A: names go from the high byte to the low one.
    """
    height, width = size
    pixels = np.asarray(array, np.uint8)
    if format_ in ("RGB888", "XRGB8888"):
        return np.ascontiguousarray(pixels[:height, :width, :3])
    if format_ in ("BGR888", "XBGR8888"):
        return np.ascontiguousarray(pixels[:height, :width, 2::-1])
    if format_ == "YUV420":
        return _from_yuv420(pixels, height, width)
    if format_ == "NV12":
        return _from_nv12(pixels, height, width)
    raise CameraMissing(
        f"the camera gives {format_} pictures, which are not known here; "
        "try a webcam with --camera 0"
    )


def _from_yuv420(pixels: Picture, height: int, width: int) -> Picture:
    """Return BGR of a plane of light and two of colour, each half its size.

    Full range, as stills have it. Rows may be padded: those of colour by half as much,
    two of them in one row of the array.

    Source: libcamera, formats::YUV420 and ColorSpace::Sycc.
    """
    long = pixels.shape[1]
    planes = pixels[height : height + height // 2].reshape(2, height // 2, long // 2)
    picture = np.empty((height, width, 3), np.uint8)
    for top in range(0, height, STRIP_PX):
        bottom = min(top + STRIP_PX, height)
        blue, red = (
            cv2.resize(
                plane[top // 2 : bottom // 2, : width // 2],
                (width, bottom - top),
                interpolation=cv2.INTER_NEAREST,
            )
            for plane in planes
        )
        strip = np.dstack([pixels[top:bottom, :width], red, blue])
        picture[top:bottom] = cv2.cvtColor(strip, cv2.COLOR_YCrCb2BGR)
    return picture


def _from_nv12(pixels: Picture, height: int, width: int) -> Picture:
    """Return BGR of a plane of light and one of colour at half its size.

    Full range: what libcamera's virtual camera gives, whatever its colour space says.
    OpenCV's own conversion takes video range and turns (40, 90, 20) into (28, 85, 5).
    """
    light = pixels[:height, :width]
    half = pixels[height : height + height // 2, :width].reshape(
        height // 2, width // 2, 2
    )
    colour = cv2.resize(half, (width, height), interpolation=cv2.INTER_NEAREST)
    # Cb comes first in NV12, Cr in OpenCV.
    whole = np.dstack([light, colour[..., 1], colour[..., 0]])
    return np.asarray(cv2.cvtColor(whole, cv2.COLOR_YCrCb2BGR), np.uint8)
