"""Tell from the printed colour patches whether a camera mixes up red and blue.

Whatever a driver calls the order of its bytes: what is printed red must come out red.
"""

import cv2
import numpy as np

from vision.arrays import Picture
from vision.rig.calibrate import calibrate
from vision.rig.rules import usual_rules

WIDTH_PX = 960
"""Width that is looked at: at 450 mm a marker's cell still has 6 pixels, where 3 are
enough, and markers are found in half the time."""


def is_swapped(picture: Picture) -> bool | None:
    """Return whether red patches look blue and blue ones red; None if nothing tells.

    Nothing tells where fewer than four markers are in view, no patch lies free, or the
    light is too odd.

    Args:
        picture: ``(H, W, 3)``, uint8, BGR or not.
    """
    shrink = WIDTH_PX / picture.shape[1]
    if shrink < 1:
        smaller = cv2.resize(
            picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA
        )
        picture = np.asarray(smaller, np.uint8)
    lighting = calibrate(picture, "unknown", 100.0, usual_rules().check).lighting
    return None if lighting is None else lighting.swapped
