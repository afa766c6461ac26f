"""Pictures as they are kept and shown: small JPEGs."""

import cv2
import numpy as np

from vision.arrays import Picture

LONGEST_PX = 1280
"""A phone shows less than half of this; the crop of a die stays readable."""

QUALITY = 80
"""JPEG quality, 0 to 100: 1280x720 of felt and dice is then about 90 kB."""


def as_jpeg(picture: Picture) -> bytes:
    """Return a picture ``(h, w, 3)``, uint8, BGR, as a JPEG of at most LONGEST_PX."""
    scale = LONGEST_PX / max(picture.shape[:2])
    if scale < 1:
        size = (round(picture.shape[1] * scale), round(picture.shape[0] * scale))
        picture = np.asarray(
            cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8
        )
    done, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    assert done, "OpenCV codes every uint8 picture"
    return np.asarray(coded).tobytes()
