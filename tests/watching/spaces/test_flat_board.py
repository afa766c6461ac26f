"""A board is seen from above by its four corners; figures lean from the camera."""

import cv2
import numpy as np
import pytest

from vision.board.flat import (
    MARGIN,
    WIDE_PX,
    estimate_knock,
    is_dark,
    lay_out_spaces,
    rectify_board,
    undo_knock,
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

    def test_a_black_one_is_dark(self):
        assert is_dark(np.full((90, 90, 3), 12.0, np.float32))
        assert not is_dark(np.full((90, 90, 3), 120.0, np.float32))


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


def test_a_board_that_was_pushed_is_put_back():
    random = np.random.default_rng(4)
    board = cv2.resize(random.uniform(40, 220, (30, 45, 3)), (900, 600))
    board = board.astype(np.float32)
    turn = cv2.getRotationMatrix2D((450, 300), 1.0, 1.0)
    turn[:, 2] += (9, -5)
    pushed = cv2.warpAffine(board, turn, (900, 600), borderMode=cv2.BORDER_REPLICATE)

    back = undo_knock(pushed, estimate_knock(pushed, board))

    inner = (slice(60, -60), slice(60, -60))
    before = np.abs(pushed[inner] - board[inner]).mean()
    after = np.abs(back[inner] - board[inner]).mean()
    assert after < 0.1 * before
