"""Tell from the printed colour patches whether a camera mixes up red and blue.

Whatever a driver calls the order of its bytes: what is printed red must come out red.
"""

from vision.arrays import Picture
from vision.mat.calibrate import calibrate
from vision.mat.limits import mat_limits


def swaps_red_and_blue(picture: Picture) -> bool | None:
    """Return whether red patches look blue and blue ones red; None if that is open.

    It stays open where fewer than four markers are in view, no patch lies free, or the
    light is too odd.

    Args:
        picture: ``(H, W, 3)``, uint8, BGR or not.
    """
    lighting = calibrate(picture, "unknown", 100.0, mat_limits().check).lighting
    return None if lighting is None else lighting.swapped
