"""Pictures of a part of the table seen from straight above, in millimetres.

On the height where the thing lies: 0 for cards, the height of a die for its top. What
stands higher or lower than that is shown a little to the side of where it is.
"""

from functools import lru_cache

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.arrays import Picture
from vision.mat.lens import Points
from vision.mat.mat import RectMm
from vision.mat.pose import Rig, project, px_per_mm


class Window(Struct, frozen=True, gc=False):
    """A rectangle of the table to be looked at.

    Attributes:
        rect_mm: Left, top, right, bottom.
        px_per_mm: Resolution of its picture, 0.5 to 10.
        z_mm: Height above the table of what is to be seen straight.
    """

    rect_mm: RectMm
    px_per_mm: float = 2.0
    z_mm: float = 0.0

    @property
    def size(self) -> tuple[int, int]:
        """Height and width of its picture, px."""
        left, top, right, bottom = self.rect_mm
        return (
            round((bottom - top) * self.px_per_mm),
            round((right - left) * self.px_per_mm),
        )


def rectify_window(picture: Picture, rig: Rig, window: Window) -> Picture:
    """Return what lies in a window, as ``(H, W, 3)``, uint8, BGR.

    Where the camera sees nothing, the picture is black. Pixel (0, 0) is the square of
    a side of 1 / px_per_mm at the window's top left corner; see `to_mm`.

    Args:
        picture: ``(H, W, 3)``, uint8, BGR, of the size that the rig was solved for.
        rig: Of the camera.
        window: What to show.

    Raises:
        ValueError: The picture has not the size that the rig was solved for.
    """
    if picture.shape[:2] != rig.lens.size:
        raise ValueError(
            f"the picture is {picture.shape[1]}x{picture.shape[0]} and the rig was "
            f"solved for {rig.lens.size[1]}x{rig.lens.size[0]}; calibrate again"
        )
    fine, spots, shares = _maps(rig, window)
    seen = cv2.remap(picture, spots, shares, cv2.INTER_LINEAR)
    if fine > 1:
        height, width = window.size
        seen = cv2.resize(seen, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(seen, np.uint8)


@lru_cache(maxsize=16)
def _maps(
    rig: Rig, window: Window
) -> tuple[int, NDArray[np.int16], NDArray[np.uint16]]:
    """Return how much finer to look, and where, in OpenCV's fixed point.

    Fixed point is half the memory and twice the speed of floats, right to 1/32 px.
    """
    left, top, right, bottom = window.rect_mm
    middle = ((left + right) / 2, (top + bottom) / 2)
    # Looking at every second pixel only would let fine print flicker.
    fine = max(1, round(px_per_mm(rig, middle, window.z_mm) / window.px_per_mm))
    height, width = (fine * side for side in window.size)
    y, x = np.mgrid[0:height, 0:width]
    places = to_mm(
        np.stack([x.ravel(), y.ravel()], 1).astype(float),
        Window(window.rect_mm, window.px_per_mm * fine),
    )
    at = project(rig, places, window.z_mm).reshape(height, width, 2).astype(np.float32)
    spots, shares = cv2.convertMaps(at[..., 0], at[..., 1], cv2.CV_16SC2)
    return fine, np.asarray(spots, np.int16), np.asarray(shares, np.uint16)


def to_mm(pixels: Points, window: Window) -> Points:
    """Return the places ``(N, 2)`` on the table of pixels ``(N, 2)`` of a window."""
    return np.asarray((pixels + 0.5) / window.px_per_mm + window.rect_mm[:2])


def to_px(places: Points, window: Window) -> Points:
    """Return the pixels ``(N, 2)`` of a window for places ``(N, 2)`` on the table."""
    return np.asarray((places - window.rect_mm[:2]) * window.px_per_mm - 0.5)
