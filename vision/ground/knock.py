"""How a camera was knocked between two looks: where the one view lies in the other.

Measured by whatever is fixed in both pictures: a printed board, cloth, wood, a mat.
What was thrown or moved meanwhile disagrees and is left out.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np

from companion.table import BoxPx
from vision.arrays import Floats, Indices, Picture

_COARSE, _FINE = (640, 800), (960, 2000)
"""Width of the pictures that are compared, and the corners that are looked for. Coarse
will do for dice, in a quarter of the time: in the middle of pictures of 1280 px that is
good to 0.8 px, fine to 0.2 (drawn tables, two boards and tiles, knocked by 3 % and 3
degrees)."""

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

PLAINER, MANY = 0.8, 150
"""A shift and turn alone is believed where it has such a share of the corners that
agree on a view at will, and these are not many: from few corners a view is guesswork
beyond them. From many a shift and turn alone puts corners of a board 3 px beside their
places, where the camera leans."""

REACH = 0.08
"""Share of the picture's width that a corner moves by at most: 3 % and 3 degrees move
the picture's own corners by 0.06. Forty backs of cards in rows look all alike: without
this limit 132 of 875 pairs agree on one view, and the knock is not believed."""

MOST_SHIFT, MOST_TURN_DEG, MOST_GROWTH = 0.12, 12.0, 1.12
"""A knock moves the middle of the picture by no more of its width. A camera that
was put up anew is another matter: then nothing is known."""


class Landmarks(NamedTuple):
    """Corners by which the view of a picture is known again.

    Attributes:
        points: ``(N, 2)``, px of the small picture.
        marks: How each looks, ``(N, 32)``, uint8.
        shape: Of the whole picture.
        scale: Pixels of the small picture for one of the whole.
    """

    points: Floats
    marks: Picture
    shape: tuple[int, ...]
    scale: float


def find_knock(before: Landmarks, now: Landmarks) -> Floats | None:
    """Return the homography ``(3, 3)``, px, from *before* to *now*, if there is one."""
    if before.shape != now.shape or min(len(before.points), len(now.points)) < LEAST:
        return None
    pairs = _match(before, now)
    if len(pairs) < LEAST:
        return None
    here, there = before.points[pairs[:, 0]], now.points[pairs[:, 1]]
    small, agree = _fit_view(here, there)
    if small is None or not _is_background(here[agree], len(here), before):
        return None
    grow = np.diag([before.scale, before.scale, 1.0])
    knock = np.linalg.inv(grow) @ small @ grow
    return np.asarray(knock, np.float32) if _is_a_knock(knock, before.shape) else None


def shrink_to_know(picture: Picture) -> Picture:
    """Return a picture as small as it may be kept to know its view again."""
    scale = min(1.0, _FINE[0] / picture.shape[1])
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def find_move(before: Picture, now: Picture) -> Floats | None:
    """Return how the camera was moved between two pictures, if that can be told.

    Args:
        before: As `shrink_to_know` keeps one.
        now: A picture of any size.

    Returns:
        The homography ``(3, 3)`` from *before* to *now*, in parts of the picture.
    """
    here, there = (find_landmarks(shrink_to_know(p), fine=True) for p in (before, now))
    knock = find_knock(here, there)
    if knock is None:
        return None
    high, wide = here.shape[:2]
    part = np.diag([1 / wide, 1 / high, 1.0])
    return np.asarray(part @ knock @ np.linalg.inv(part), np.float32)


def _match(before: Landmarks, now: Landmarks) -> Indices:
    """Return the pairs that are each other's likest among those near, ``(N, 2)``."""
    # A maximum of two arrays: NumPy takes ten times as long along an axis of two.
    off = np.maximum(
        *(
            np.abs(b[:, None] - n)
            for b, n in zip(before.points.T, now.points.T, strict=True)
        )
    )
    near = (off < REACH * before.shape[1] * before.scale).astype(np.uint8)
    # OpenCV cannot check crosswise with a mask.
    matcher = cv2.BFMatcher(cv2.NORM_HAMMING)
    back = matcher.match(now.marks, before.marks, np.ascontiguousarray(near.T))
    likest = {pair.queryIdx: pair.trainIdx for pair in back}
    pairs = [
        (pair.queryIdx, pair.trainIdx)
        for pair in matcher.match(before.marks, now.marks, near)
        if likest.get(pair.trainIdx) == pair.queryIdx
    ]
    return np.array(pairs, np.int64).reshape(-1, 2)


def find_landmarks(
    picture: Picture, boxes: Sequence[BoxPx] = (), *, fine: bool = False
) -> Landmarks:
    """Return the corners of a picture ``(h, w, 3)``, uint8, BGR.

    Those in and about *boxes* are left out.
    """
    wide_px, most = _FINE if fine else _COARSE
    scale = min(1.0, wide_px / picture.shape[1])
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    background = np.full(small.shape[:2], 255, np.uint8)
    for box in boxes:
        more = AROUND * max(box[2] - box[0], box[3] - box[1])
        left, top = (max(0, round((edge - more) * scale)) for edge in box[:2])
        right, bottom = (max(0, round((edge + more) * scale)) for edge in box[2:])
        background[top:bottom, left:right] = 0
    orb = cv2.ORB.create(most, fastThreshold=_FAINT)
    points, marks = orb.detectAndCompute(small, background)
    at = np.array([point.pt for point in points], np.float32).reshape(-1, 2)
    # OpenCV gives no marks at all where there are no points.
    seen = marks if points else np.zeros((0, 32), np.uint8)
    return Landmarks(at, np.asarray(seen, np.uint8), picture.shape, scale)


def _fit_view(here: Floats, there: Floats) -> tuple[Floats | None, Any]:
    """Return the view ``(3, 3)`` on which most corners agree, and which do."""
    # OpenCV gives no view at all when no corners agree; its types do not say so.
    found: tuple[Any, Any] = cv2.findHomography(
        here, there, cv2.USAC_MAGSAC, AGREE_PX, maxIters=2000, confidence=0.999
    )
    many = 0 if found[0] is None else int(found[1].sum())
    if many < MANY:
        turn: tuple[Any, Any] = cv2.estimateAffinePartial2D(
            here, there, ransacReprojThreshold=AGREE_PX, maxIters=2000
        )
        if turn[0] is not None and int(turn[1].sum()) >= PLAINER * many:
            return np.vstack([turn[0], (0.0, 0.0, 1.0)]), turn[1].ravel() > 0
    return found[0], None if found[0] is None else found[1].ravel() > 0


def _is_background(agreeing: Floats, paired: int, before: Landmarks) -> bool:
    """Tell whether those that agree are many, and lie all over the picture."""
    if len(agreeing) < max(LEAST, LEAST_SHARE * paired):
        return False
    size = np.array(before.shape[1::-1]) * before.scale
    return bool((np.ptp(agreeing, axis=0) / size > SPREAD).all())


def _is_a_knock(knock: Floats, shape: tuple[int, ...]) -> bool:
    high, wide = shape[:2]
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
