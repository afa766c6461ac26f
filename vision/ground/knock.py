"""How the whole picture has slid between two looks, as where a camera was knocked.

Measured by what lies behind the dice: cloth with a print, wood, a board, a mat. Dice
are left out, as they may have been thrown.
"""

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np

from companion.table import BoxPx
from vision.arrays import Floats, Picture

WIDE_PX = 640
"""Pictures are compared at this width."""

_POINTS = 800
"""Corners that are looked for: a printed table has as many, felt next to none."""

_FAINT = 5
"""Grey values by which a corner stands out at least: felt and bare wood are faint."""

AROUND = 0.6
"""So much of its longer side about a die is left out too: its shadow goes with it."""

AGREE_PX = 1.5
"""How well corners must agree on one shift and turn, in pixels of the small picture."""

LEAST, LEAST_SHARE = 16, 0.3
"""So many corners, and such a share of all that were found again, must agree. On drawn
felt in a wooden rim 60 to 300 do, of two pictures of noise at most 7."""

SPREAD = 0.25
"""Share of the picture's width and height that they must span: a thing that somebody
moved is smaller."""

MOST_SHIFT, MOST_TURN_DEG, MOST_GROWTH = 0.12, 12.0, 1.12
"""A knock moves the middle of the picture by no more of its width. A camera that
was put up anew is another matter: then nothing is known."""


def find_slide(
    before: Picture, now: Picture, boxes: Sequence[BoxPx] = ()
) -> Floats | None:
    """Return the affine map ``(2, 3)``, px, from *before* to *now*; None without one.

    Args:
        before: ``(h, w, 3)``, uint8, BGR.
        now: Of the same size.
        boxes: What is left out of both pictures.
    """
    if before.shape != now.shape:
        return None
    scale = min(1.0, WIDE_PX / before.shape[1])
    found = [_corners(one, scale, boxes) for one in (before, now)]
    (old, old_marks), (new, new_marks) = found
    if min(len(old), len(new)) < LEAST:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(old_marks, new_marks)
    here = np.array([old[pair.queryIdx] for pair in pairs], np.float32)
    there = np.array([new[pair.trainIdx] for pair in pairs], np.float32)
    if len(here) < LEAST:
        return None
    # OpenCV gives no turn at all when no two corners agree; its types do not say so.
    fit: tuple[Any, Any] = cv2.estimateAffinePartial2D(
        here, there, ransacReprojThreshold=AGREE_PX, maxIters=4000
    )
    turn, agree = fit
    if turn is None or not _is_background(here, agree.ravel() > 0, before, scale):
        return None
    turn[:, 2] /= scale
    return np.asarray(turn, np.float32) if _is_a_knock(turn, before) else None


def _corners(
    picture: Picture, scale: float, boxes: Sequence[BoxPx]
) -> tuple[list[tuple[float, float]], Any]:
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    background = np.full(small.shape[:2], 255, np.uint8)
    for box in boxes:
        more = AROUND * max(box[2] - box[0], box[3] - box[1])
        left, top = (max(0, round((edge - more) * scale)) for edge in box[:2])
        right, bottom = (max(0, round((edge + more) * scale)) for edge in box[2:])
        background[top:bottom, left:right] = 0
    points, marks = cv2.ORB.create(_POINTS, fastThreshold=_FAINT).detectAndCompute(
        small, background
    )
    return [(point.pt[0], point.pt[1]) for point in points], marks


def _is_background(here: Floats, agree: Any, picture: Picture, scale: float) -> bool:
    """Tell whether those that agree are many, and lie all over the picture."""
    count = int(agree.sum())
    if count < max(LEAST, LEAST_SHARE * len(here)):
        return False
    span = np.ptp(here[agree], axis=0) / (np.array(picture.shape[1::-1]) * scale)
    return bool((span > SPREAD).all())


def _is_a_knock(turn: Any, picture: Picture) -> bool:
    growth = float(np.hypot(turn[0, 0], turn[1, 0]))
    angle = float(np.degrees(np.arctan2(turn[1, 0], turn[0, 0])))
    middle = np.array(picture.shape[1::-1], np.float32) / 2
    shift = float(np.linalg.norm(turn[:, :2] @ middle + turn[:, 2] - middle))
    return (
        1 / MOST_GROWTH < growth < MOST_GROWTH
        and abs(angle) < MOST_TURN_DEG
        and shift < MOST_SHIFT * picture.shape[1]
    )


def slide_box(box: BoxPx, turn: Floats) -> BoxPx:
    """Return where a box of the picture before lies now, px; it keeps its size."""
    middle = np.array([(box[0] + box[2]) / 2, (box[1] + box[3]) / 2], np.float32)
    x, y = turn[:, :2] @ middle + turn[:, 2] - middle
    x_px, y_px = round(float(x)), round(float(y))
    return box[0] + x_px, box[1] + y_px, box[2] + x_px, box[3] + y_px


def slide_picture(picture: Picture, turn: Floats) -> Picture:
    """Return the picture before as the camera would see it now."""
    size = (picture.shape[1], picture.shape[0])
    moved = cv2.warpAffine(picture, turn, size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)
