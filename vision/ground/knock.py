"""How a camera was knocked between two looks: where the one view lies in the other.

Measured by whatever is fixed in both pictures: a printed board, cloth, wood, a mat.
What was thrown or moved meanwhile disagrees and is left out.
"""

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np

from companion.table import BoxPx
from vision.arrays import Floats, Picture

WIDE_PX = 960
"""Pictures are compared at this width."""

_POINTS = 2000
"""Corners that are looked for: a printed table has as many, felt next to none."""

_FAINT = 5
"""Grey values by which a corner stands out at least: felt and bare wood are faint."""

AROUND = 0.6
"""So much of its longer side about a die is left out too: its shadow goes with it."""

AGREE_PX = 1.5
"""How well corners must agree on one view, in pixels of the small picture."""

LEAST, LEAST_SHARE = 16, 0.3
"""So many corners, and such a share of all that were found again, must agree. On drawn
felt in a wooden rim 60 to 300 do, of two pictures of noise at most 7."""

SPREAD = 0.25
"""Share of the picture's width and height that they must span: a thing that somebody
moved is smaller."""

PLAINER = 0.8
"""A shift and turn alone is believed where it has such a share of the corners that
agree on a view at will: from few corners the latter is guesswork beyond them."""

MOST_SHIFT, MOST_TURN_DEG, MOST_GROWTH = 0.12, 12.0, 1.12
"""A knock moves the middle of the picture by no more of its width. A camera that
was put up anew is another matter: then nothing is known."""


def find_knock(
    before: Picture, now: Picture, boxes: Sequence[BoxPx] = ()
) -> Floats | None:
    """Return the homography ``(3, 3)``, px, from *before* to *now*; None without one.

    Args:
        before: ``(h, w, 3)``, uint8, BGR.
        now: Of the same size.
        boxes: What is left out of both pictures.
    """
    if before.shape != now.shape:
        return None
    scale = min(1.0, WIDE_PX / before.shape[1])
    (old, old_marks), (new, new_marks) = (
        _corners(one, scale, boxes) for one in (before, now)
    )
    if min(len(old), len(new)) < LEAST:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(old_marks, new_marks)
    here = np.array([old[pair.queryIdx] for pair in pairs], np.float32)
    there = np.array([new[pair.trainIdx] for pair in pairs], np.float32)
    if len(here) < LEAST:
        return None
    small, agree = _fit_view(here, there)
    if small is None or not _is_background(here, agree, before, scale):
        return None
    grow = np.diag([scale, scale, 1.0])
    knock = np.linalg.inv(grow) @ small @ grow
    return np.asarray(knock, np.float32) if _is_a_knock(knock, before) else None


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


def _fit_view(here: Floats, there: Floats) -> tuple[Floats | None, Any]:
    """Return the view ``(3, 3)`` on which most corners agree, and which do."""
    # OpenCV gives no view at all when no corners agree; its types do not say so.
    found: tuple[Any, Any] = cv2.findHomography(
        here, there, cv2.USAC_MAGSAC, AGREE_PX, maxIters=2000, confidence=0.999
    )
    turn: tuple[Any, Any] = cv2.estimateAffinePartial2D(
        here, there, ransacReprojThreshold=AGREE_PX, maxIters=2000
    )
    many = 0 if found[0] is None else int(found[1].sum())
    if turn[0] is not None and int(turn[1].sum()) >= PLAINER * many:
        return np.vstack([turn[0], (0.0, 0.0, 1.0)]), turn[1].ravel() > 0
    return found[0], None if found[0] is None else found[1].ravel() > 0


def _is_background(here: Floats, agree: Any, picture: Picture, scale: float) -> bool:
    """Tell whether those that agree are many, and lie all over the picture."""
    count = int(agree.sum())
    if count < max(LEAST, LEAST_SHARE * len(here)):
        return False
    span = np.ptp(here[agree], axis=0) / (np.array(picture.shape[1::-1]) * scale)
    return bool((span > SPREAD).all())


def _is_a_knock(knock: Floats, picture: Picture) -> bool:
    high, wide = picture.shape[:2]
    ends = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    seen = move_points(ends, knock)
    (right, down), (was_right, was_down) = (
        (many[1] + many[2] - many[0] - many[3], many[2] + many[3] - many[0] - many[1])
        for many in (seen, ends)
    )
    growths = (
        float(np.linalg.norm(right) / np.linalg.norm(was_right)),
        float(np.linalg.norm(down) / np.linalg.norm(was_down)),
    )
    shift = float(np.linalg.norm(seen.mean(0) - ends.mean(0)))
    return (
        all(1 / MOST_GROWTH < growth < MOST_GROWTH for growth in growths)
        and abs(float(np.degrees(np.arctan2(right[1], right[0])))) < MOST_TURN_DEG
        and shift < MOST_SHIFT * wide
    )


def move_points(points: Floats, knock: Floats) -> Floats:
    """Return where points ``(N, 2)``, px, of the picture before lie now."""
    many = np.asarray(points, np.float32).reshape(-1, 1, 2)
    seen = cv2.perspectiveTransform(many, np.asarray(knock, np.float64))
    return np.asarray(seen.reshape(-1, 2), np.float32)


def move_box(box: BoxPx, knock: Floats) -> BoxPx:
    """Return where a box of the picture before lies now, px; it keeps its size."""
    middle = np.array([((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)], np.float32)
    x, y = (move_points(middle, knock) - middle)[0]
    x_px, y_px = round(float(x)), round(float(y))
    return box[0] + x_px, box[1] + y_px, box[2] + x_px, box[3] + y_px


def move_picture(picture: Picture, knock: Floats) -> Picture:
    """Return the picture before as the camera would see it now."""
    size = (picture.shape[1], picture.shape[0])
    moved = cv2.warpPerspective(picture, knock, size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)
