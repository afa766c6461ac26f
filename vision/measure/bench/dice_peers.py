"""The usual recipe for counting pips, as many tutorials have it.

Round dark or light blobs of the picture, put together by how near they lie (DBSCAN with
one blob a core): each heap of one to six is a die. It never asks.
"""

import cv2
import numpy as np

from vision.arrays import Floats, Picture
from vision.pips.contest import DetectedDie

LONGEST_PX = 800
"""The recipe is written for small camera pictures; larger ones are shrunk to this."""

_NEAR_PX = 40.0
"""Reach of a heap at that size, as the recipe has it."""


def blobs_and_heaps(picture: Picture) -> tuple[DetectedDie, ...]:
    """Return the dice that the recipe sees in a picture ``(H, W, 3)``, uint8, BGR."""
    shrink = min(1.0, LONGEST_PX / max(picture.shape[:2]))
    small = cv2.resize(
        picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA
    )
    blurred = cv2.medianBlur(small, 7)
    spots = [
        spot.pt for colour in (0, 255) for spot in _detector(colour).detect(blurred)
    ]
    points = np.array(spots, np.float32).reshape(-1, 2)
    return tuple(_die(heap / shrink) for heap in _heaps(points) if 1 <= len(heap) <= 6)


def _detector(colour: int) -> cv2.SimpleBlobDetector:
    params = cv2.SimpleBlobDetector.Params()
    params.filterByInertia = True
    params.minInertiaRatio = 0.6
    params.filterByColor = True
    params.blobColor = colour
    return cv2.SimpleBlobDetector.create(params)


def _heaps(points: Floats) -> list[Floats]:
    """Return points that hang together by steps of at most ``_NEAR_PX``."""
    left = set(range(len(points)))
    heaps = []
    while left:
        heap = [left.pop()]
        for index in heap:
            off = np.linalg.norm(points - points[index], axis=1)
            near = {other for other in left if off[other] <= _NEAR_PX}
            left -= near
            heap += near
        heaps.append(points[heap])
    return heaps


def _die(pips: Floats) -> DetectedDie:
    """Return a die of these pips; its box reaches a little beyond them."""
    low, high = pips.min(0), pips.max(0)
    more = max(20.0, 0.4 * float((high - low).max()))
    left, top = (low - more).tolist()
    right, bottom = (high + more).tolist()
    box = (round(left), round(top), round(right), round(bottom))
    return DetectedDie(((len(pips), 1.0),), True, box, right - left)
