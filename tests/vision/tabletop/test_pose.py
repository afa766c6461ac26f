"""A camera above a table sees points where geometry says, and finds them again."""

import numpy as np
import pytest

from vision.tabletop.pose import camera_above

POSE = camera_above(
    (720, 1280), 1000.0, (320, 180), 500.0, tilt_deg=8, roll_deg=2, lean_deg=3
)


def points(*rows):
    return np.array(rows, np.float32)


def test_straight_from_above_a_millimetre_is_focal_length_over_distance():
    """1000 px / 500 mm = 2 px/mm: 100 mm to the right of the middle are 200 px."""
    pose = camera_above((720, 1280), 1000.0, (320, 180), 500.0)

    seen = pose.project(points((320, 180, 0), (420, 180, 0), (320, 230, 0)))

    assert seen == pytest.approx(points((640, 360), (840, 360), (640, 460)), abs=1e-3)


def test_what_stands_up_leads_away_from_the_point_below_the_camera():
    """A top 100 mm high is 400 mm away: 1000 / 400 = 2.5 px/mm, 250 px off."""
    pose = camera_above((720, 1280), 1000.0, (320, 180), 500.0)

    assert pose.project(points((420, 180, 100)))[0] == pytest.approx([890, 360])


def test_a_camera_on_the_near_side_sees_tops_further_up():
    foot, top = POSE.project(points((320, 180, 0), (320, 180, 30)))

    assert top[1] < foot[1]


@pytest.mark.parametrize("tall_mm", [0.0, 16.0, 34.0])
def test_going_to_the_picture_and_back_ends_where_it_began(tall_mm):
    corners = points((0, 0), (640, 0), (640, 360), (0, 360), (333, 111))
    tall = np.column_stack([corners, np.full(5, tall_mm)]).astype(np.float32)

    back = POSE.to_table(POSE.project(tall), tall_mm)

    assert np.abs(back - corners).max() < 0.01


def test_a_picture_that_slid_is_the_same_picture_elsewhere():
    slid = camera_above((720, 1280), 1000.0, (320, 180), 500.0)
    moved = type(slid)(slid.size, slid.focal_px, slid.eye_mm, slid.axes, (3.0, -2.0))

    gap = moved.project(points((100, 50, 0))) - slid.project(points((100, 50, 0)))

    assert gap[0] == pytest.approx([3, -2], abs=1e-3)
