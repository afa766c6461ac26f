"""How blurred a picture without markers is: by its own strongest edges."""

import cv2
import numpy as np

from vision.camera.stillness import Grey

_FINE_PX, _COARSE_PX = 1.0, 2.0

STRONGEST = 0.003
"""Share of pixels that count as edges: rims of markers, cards and dice."""


def measure_blur_px(grey: Grey) -> float:
    """Return the standard deviation of the blur of a picture, px; about 0.5 is sharp.

    A step that is blurred by s and again by t has a slope as 1 / sqrt(s^2 + t^2): from
    the slopes at two t, s follows, whatever the height of the step. Soft things with no
    step at all make a picture look blurred, as they should.

    Args:
        grey: ``(H, W)``, uint8.
    """
    fine, coarse = (_slope(grey, by) for by in (_FINE_PX, _COARSE_PX))
    strong = fine >= np.quantile(fine, 1 - STRONGEST)
    ratio = float(np.median(fine[strong] / np.maximum(coarse[strong], 1e-3)))
    square = ratio * ratio
    if square <= 1.001:
        return 20.0
    if square >= (_COARSE_PX / _FINE_PX) ** 2:
        return 0.0
    return float(np.sqrt((_COARSE_PX**2 - square * _FINE_PX**2) / (square - 1)))


def _slope(
    grey: Grey, by_px: float
) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    soft = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), by_px)
    across = cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=3)
    down = cv2.Sobel(soft, cv2.CV_32F, 0, 1, ksize=3)
    return np.asarray(cv2.magnitude(across, down), np.float32)
