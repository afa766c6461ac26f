"""What drawn tables of taught dice are made of: wood with grain, cloth with print."""

import cv2
import numpy as np

from vision.arrays import Floats
from vision.measure.taught_dice_rays import GROUND_PX, TABLE_MM


def wood(random: np.random.Generator, colour: Floats, grain: float) -> Floats:
    """Return planks ``(h, w, 3)``, linear RGB, with grain along one side."""
    side = round(TABLE_MM * GROUND_PX)
    wide = cv2.resize(random.normal(0, 1, (40, 4)), (side, side))
    fine = cv2.resize(random.normal(0, 1, (side // 2, 12)), (side, side))
    specks = random.normal(0, 1, (side, side))
    uneven = np.exp(grain * (wide + 0.6 * fine + 0.2 * specks))
    return np.asarray(np.clip(colour * uneven[:, :, None], 0, 1), np.float32)


def cloth(random: np.random.Generator, colour: Floats, print_: float) -> Floats:
    """Return cloth ``(h, w, 3)``, linear RGB; with a print, blots of other colours."""
    side = round(TABLE_MM * GROUND_PX)
    threads = random.normal(0, 0.12, (side, side)) + cv2.resize(
        random.normal(0, 0.08, (24, 24)), (side, side)
    )
    blots = cv2.resize(random.normal(0, 1, (14, 14, 3)), (side, side))
    uneven = np.exp(threads[:, :, None] + print_ * blots)
    return np.asarray(np.clip(colour * uneven, 0, 1), np.float32)
