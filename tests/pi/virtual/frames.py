"""Draws the pictures that libcamera's virtual camera shows: a table in known colours.

Run it with a folder; it writes 0.jpg, 1.jpg and so on.
"""

import sys
from pathlib import Path

import cv2
import numpy as np

SIZE = (720, 1280)

PATCHES_BGR = {
    "blue": (200, 60, 30),
    "green": (60, 160, 50),
    "red": (40, 50, 200),
    "white": (230, 230, 230),
}
"""From left to right; a camera that mixes up its bytes shows them in other colours."""

FRAMES = 4


def patch(picture: np.ndarray, number: int) -> np.ndarray:
    """Return the middle of the patch with that number, ``(80, 80, 3)``."""
    left = 100 + number * 280
    return picture[320:400, left + 60 : left + 140]


def draw(number: int) -> np.ndarray:
    """Return one picture, with the noise of a sensor that no other one shares."""
    picture = np.full((*SIZE, 3), 110, np.float32)
    for place, colour in enumerate(PATCHES_BGR.values()):
        left = 100 + place * 280
        picture[260:460, left : left + 200] = colour
    picture += np.random.default_rng(number).normal(0, 3, picture.shape)
    return np.clip(picture, 0, 255).astype(np.uint8)


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(FRAMES):
        best = [cv2.IMWRITE_JPEG_QUALITY, 98]
        assert cv2.imwrite(str(folder / f"{number}.jpg"), draw(number), best)
