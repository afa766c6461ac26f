"""A board is seen from above by its four corners; figures lean from the camera."""

import cv2
import numpy as np
import pytest

from vision.board.flat import (
    MARGIN,
    WIDE_PX,
    is_steep,
    lay_out_spaces,
    point_below_board,
    rectify_board,
)

SQUARE = ((0.2, 0.1), (0.8, 0.1), (0.8, 0.9), (0.2, 0.9))
SHAPE = (600, 800, 3)


def part(share):
    """Return where a share of a board's side lies on its flat picture, as a share."""
    return (share + MARGIN) / (1 + 2 * MARGIN)


class TestLaidFlat:
    def test_the_board_fills_the_picture_but_for_a_margin(self):
        picture = np.zeros(SHAPE, np.uint8)
        cv2.rectangle(picture, (160, 60), (640, 540), (200, 200, 200), -1)

        flat = rectify_board(picture, SQUARE)

        # 480 px of 800 wide and 480 of 600 high: as wide as high.
        assert flat.shape == (WIDE_PX, WIDE_PX, 3)
        inside = round(part(0.02) * WIDE_PX)
        outside = round(part(-0.02) * WIDE_PX)
        assert flat[inside, inside, 0] == pytest.approx(200, abs=2)
        assert flat[outside, outside, 0] == pytest.approx(0, abs=2)


POINTS = {"a": (0.1, 0.5), "b": (0.2, 0.5), "c": (0.9, 0.5)}


class TestSpaces:
    def lay(self, corners=SQUARE):
        flat = rectify_board(np.zeros(SHAPE, np.uint8), corners)
        return lay_out_spaces(POINTS, corners, SHAPE, flat.shape)

    def test_each_pixel_belongs_to_the_nearest_space_within_reach(self):
        lay = self.lay()

        def at(x, y):
            return int(lay.nearest[round(part(y) * WIDE_PX), round(part(x) * WIDE_PX)])

        assert [at(0.1, 0.5), at(0.13, 0.55), at(0.17, 0.5)] == [0, 0, 1]
        # 0.2 from b, whose neighbour is 0.1 away, and farther from c than any may be.
        assert at(0.4, 0.5) == -1
        assert lay.neighbours()["a"] == frozenset({"b"})

    def test_the_camera_stands_above_the_middle_of_what_it_sees_straight(self):
        lay = self.lay()

        # The board lies in the middle of the picture, seen straight from above.
        assert lay.nadir == pytest.approx((WIDE_PX / 2, WIDE_PX / 2), abs=2)

    def test_and_on_the_near_side_of_what_it_sees_askance(self):
        far_is_narrow = ((0.3, 0.2), (0.7, 0.2), (0.8, 0.9), (0.2, 0.9))

        lay = self.lay(far_is_narrow)

        assert lay.nadir[1] > 0.7 * lay.nearest.shape[0]


def test_a_camera_low_over_the_table_looks_too_flat():
    """Seen from the front edge, a board of 60 cm is narrow at its far side."""
    low = ((0.35, 0.44), (0.65, 0.44), (0.95, 0.66), (0.05, 0.66))

    assert is_steep(low, SHAPE)
    assert not is_steep(SQUARE, SHAPE)
    assert not is_steep(((0.3, 0.2), (0.7, 0.2), (0.8, 0.9), (0.2, 0.9)), SHAPE)


@pytest.mark.parametrize("wide_mm", [300.0, 500.0])
def test_the_point_below_a_leaning_camera_is_known_by_any_board(wide_mm):
    """It looks 12 degrees past the foot of its stand, 0.85 widths long: 0.181 of 960.

    That is 173 pixels above the middle of a picture 540 high, at 270.
    """
    lean, long_px, high_mm = np.radians(12.0), 0.85 * 960, 600.0
    turn = np.array([(1, 0, 0), (0, np.cos(lean), -np.sin(lean)),
                     (0, np.sin(lean), np.cos(lean))])  # fmt: skip

    def seen(x_mm, y_mm):
        x, y, z = turn @ (x_mm, y_mm, high_mm)
        return (480 + long_px * x / z) / 960, (270 + long_px * y / z) / 540

    half = wide_mm / 2
    corners = [seen(-half, -90), seen(half, -90), seen(half, 60), seen(-half, 60)]

    below = point_below_board(corners, (540, 960, 3))

    assert seen(0, 0) == pytest.approx((below.x / 960, below.y / 540), abs=1e-4)
    assert abs(below.y - 270) == pytest.approx(173, abs=1)
