"""Cut faces out of a picture, straightened into small squares of one size.

Only geometry happens here; what a patch shows is classified in vision/pips/facenet.py.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Picture
from vision.pips.pip_frames import PipFrames

SIDE = 32
"""Patches are this many pixels wide and high."""

REACH = 0.85
"""Patches show this far from the middle of a face, in die widths: the face (0.5) and
enough around it to see where the die ends and whether this is a side face."""


def pyramid(picture: Picture) -> tuple[Picture, ...]:
    """Return the picture and its halves, down to 16 pixels."""
    levels = [picture]
    while min(levels[-1].shape[:2]) >= 32 and len(levels) < 6:
        levels.append(np.asarray(cv2.pyrDown(levels[-1]), np.uint8))
    return tuple(levels)


def cut_patches(levels: tuple[Picture, ...], frames: PipFrames) -> NDArray[np.uint8]:
    """Return patches ``(N, SIDE, SIDE, 3)``, uint8, BGR, of the faces in *frames*."""
    out = np.zeros((len(frames.faces), SIDE, SIDE, 3), np.uint8)
    fine_px = frames.widths() * (2 * REACH) / SIDE
    level_of = np.clip(np.round(np.log2(np.maximum(fine_px, 1e-3))), 0, len(levels) - 1)
    steps = ((np.arange(SIDE, dtype=np.float32) + 0.5) / SIDE * 2 - 1) * REACH
    u, v = np.meshgrid(steps, steps)
    for level, picture in enumerate(levels):
        here = np.flatnonzero(level_of == level)
        if not here.size:
            continue
        factor = np.float32(2.0**-level)
        across = frames.across[here, None, None] * u[None, :, :, None]
        down = frames.down[here, None, None] * v[None, :, :, None]
        points = (frames.middles[here, None, None] + across + down) * factor
        flat = points.reshape(-1, SIDE, 2).astype(np.float32)
        out[here] = _remap(picture, flat).reshape(-1, SIDE, SIDE, 3)
    return out


def _remap(picture: Picture, points: Floats) -> Picture:
    """Return colours at points ``(R, C, 2)``; OpenCV takes at most 32767 rows."""
    parts = [
        np.asarray(
            cv2.remap(
                picture,
                part[:, :, 0],
                part[:, :, 1],
                cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_REPLICATE,
            ),
            np.uint8,
        )
        for part in np.array_split(points, len(points) // 30000 + 1)
    ]
    return np.concatenate(parts)


def normalise(patches: NDArray[np.uint8]) -> Floats:
    """Return patches ``(N, 3, SIDE, SIDE)``, free of brightness and contrast."""
    planes = patches.transpose(0, 3, 1, 2).astype(np.float32)
    centre = planes[:, :, 6:26, 6:26]
    planes -= centre.mean((2, 3), keepdims=True)
    spread = np.sqrt((planes[:, :, 6:26, 6:26] ** 2).mean((1, 2, 3), keepdims=True))
    return np.asarray(np.clip(planes / (spread + 4.0), -3, 3), np.float32)
