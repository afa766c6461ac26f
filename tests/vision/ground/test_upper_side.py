"""The upper side of a die is found wherever it lies below a camera."""

import cv2
import numpy as np
import pytest

from vision.ground.upper_side import PointBelow, find_upper_side, point_below

SIZE = 960, 540
"""Width and height of the picture, px."""

FOCAL_PX = 640.0
"""A lens that sees 74 degrees across."""

HIGH_MM, SIDE_MM = 470.0, 16.0


def seen_die(x_mm, y_mm, degrees):
    """Return the mask of a die on the table, and the corners of its upper side, px."""
    angle = np.radians(degrees + np.array([45, 135, 225, 315]))
    flat = np.stack([np.cos(angle), np.sin(angle)], 1) * SIDE_MM / np.sqrt(2)
    middle = np.array([SIZE[0] / 2, SIZE[1] / 2])
    low, top = (
        np.add(flat, (x_mm, y_mm)) * FOCAL_PX / (HIGH_MM - height) + middle
        for height in (0.0, SIDE_MM)
    )
    hull = cv2.convexHull(np.vstack([low, top]).astype(np.float32))
    mask = np.zeros(SIZE[::-1], np.uint8)
    cv2.fillConvexPoly(mask, np.rint(hull).astype(np.int32), 1)
    return mask > 0, top.astype(np.float32)


@pytest.mark.parametrize("degrees", [0, 20, 45])
@pytest.mark.parametrize(
    ("x_mm", "y_mm"), [(0, 0), (60, -40), (-200, 30), (320, 180), (10, 170)]
)
def test_it_is_pushed_away_from_the_point_below_the_camera(x_mm, y_mm, degrees):
    mask, top = seen_die(x_mm, y_mm, degrees)

    found = find_upper_side(mask, point_below(mask.shape))

    side = float(np.sqrt(cv2.contourArea(top)))
    away = np.hypot(*(top.mean(0) - (found.x, found.y)))
    assert away < 0.08 * side
    assert found.side == pytest.approx(side, rel=0.1)


def test_in_a_part_of_a_picture_it_is_the_same():
    mask, _ = seen_die(320, 180, 20)

    whole = find_upper_side(mask, point_below(mask.shape))
    part = find_upper_side(mask[300:, 600:], point_below(mask.shape).within(600, 300))

    assert np.subtract(whole, part) == pytest.approx((600, 300, 0), abs=1e-3)


def test_a_long_thing_below_the_camera_is_no_die_seen_askew():
    mask = np.zeros(SIZE[::-1], np.bool_)
    mask[255:285, 450:510] = True  # 60 wide, 30 high, in the very middle

    found = find_upper_side(mask, point_below(mask.shape))

    assert (found.x, found.y) == pytest.approx((480, 270), abs=0.5)


def test_the_point_below_grows_with_the_picture():
    below = point_below((540, 960)).within(100, 50)

    assert below == PointBelow(380, 220, 960)
    assert below.scaled(2) == PointBelow(760, 440, 1920)
