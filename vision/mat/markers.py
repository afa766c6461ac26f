"""Find the printed markers in a picture: AprilTag 36h11, through OpenCV.

Says where their corners are, in pixels; what they mean is not known here.
"""

from functools import lru_cache

import cv2
import numpy as np
from msgspec import Struct

from vision.arrays import Picture
from vision.camera.stillness import Grey
from vision.mat.cells import measure_outline, to_linear_light
from vision.mat.lens import Points

SEARCH_PX = 1600
"""Markers are looked for at this length of the longer side, then refined in the whole
picture: a marker of 40 mm in a view of 800 mm still has 10 pixels a cell there."""


class DetectedMarker(Struct, frozen=True):
    """A marker in a picture.

    Attributes:
        number: Which one.
        corners: ``(4, 2)``, float64, px: top left, top right, bottom right and bottom
            left as printed; the middle of the top left pixel of the picture is (0, 0).
        blur_px: Standard deviation of the blur of its edges.
        contrast: White less black, 0 to 1 in linear light.
    """

    number: int
    corners: Points
    blur_px: float = 0.0
    contrast: float = 1.0


def find_markers(picture: Picture) -> tuple[DetectedMarker, ...]:
    """Return the markers in a picture ``(H, W, 3)``, uint8, BGR, by number.

    A number that is seen twice is left out: one of the two is a reflection or a copy.
    So is a marker whose edges cannot be measured.
    """
    grey = as_grey(picture)
    shrink = min(1.0, SEARCH_PX / max(grey.shape))
    small = grey
    if shrink < 1:
        small = np.asarray(
            cv2.resize(grey, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA),
            np.uint8,
        )
    corners, numbers, _ = _detector().detectMarkers(small)
    if numbers is None:
        return ()
    by_number: dict[int, list[Points]] = {}
    for number, found in zip(numbers.ravel().tolist(), corners, strict=True):
        # A pixel's middle moves by half of what a pixel grows.
        at = (np.asarray(found, float).reshape(4, 2) + 0.5) / shrink - 0.5
        by_number.setdefault(int(number), []).append(at)
    light = to_linear_light(grey)
    seen = []
    for number, places in sorted(by_number.items()):
        outline = measure_outline(light, number, places[0])
        if len(places) == 1 and outline is not None:
            seen.append(
                DetectedMarker(
                    number, outline.corners, outline.blur_px, outline.contrast
                )
            )
    return tuple(seen)


def as_grey(picture: Picture) -> Grey:
    """Return a BGR picture ``(H, W, 3)``, or a grey one, as grey ``(H, W)``, uint8."""
    if picture.ndim == 2:
        return picture
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


@lru_cache(maxsize=1)
def _detector() -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    # Blurred white grows into black cells, so only their middles say what they are. Of
    # 72 drawn markers blurred by 1.5 to 3 px this finds 71, OpenCV's usual margin of
    # 0.13 finds 55 with OpenCV 5 and 13 with 4.10.
    parameters.perspectiveRemoveIgnoredMarginPerCell = 0.3
    parameters.perspectiveRemovePixelPerCell = 8
    # Corners are measured afterwards, in the picture at full size.
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_NONE
    return cv2.aruco.ArucoDetector(
        cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11), parameters
    )
