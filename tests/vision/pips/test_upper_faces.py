"""A die that lies beside the camera's foot shows a side, and the foot tells which."""

import cv2
import numpy as np
import pytest

from vision.ground.upper_side import PointBelow
from vision.pips.reader import pip_limits, read_dice

RED, WHITE, FELT = (50, 40, 190), (235, 235, 235), (55, 75, 45)
SPOTS = {
    5: [(0.25, 0.25), (0.75, 0.25), (0.5, 0.5), (0.25, 0.75), (0.75, 0.75)],
    6: [(x, y) for x in (0.28, 0.72) for y in (0.2, 0.5, 0.8)],
}
TOP = np.array([(700, 300), (760, 300), (760, 360), (700, 360)], np.float32)
SIDE = np.array([(652, 310), (700, 300), (700, 360), (652, 367)], np.float32)


def lay(picture, face, quad, shade=1.0):
    """Draw a face of a die over four corners of a picture."""
    square = np.full((200, 200, 3), np.multiply(RED, shade), np.uint8)
    for x, y in SPOTS[face]:
        pip = np.multiply(WHITE, shade).tolist()
        cv2.circle(square, (round(200 * x), round(200 * y)), 20, pip, -1, cv2.LINE_AA)
    flat = np.array([(0, 0), (200, 0), (200, 200), (0, 200)], np.float32)
    place = cv2.getPerspectiveTransform(flat, quad)
    size = picture.shape[1::-1]
    there = cv2.warpPerspective(np.ones((200, 200), np.float32), place, size)[..., None]
    seen = cv2.warpPerspective(square, place, size, flags=cv2.INTER_AREA)
    picture[:] = (picture * (1 - there) + seen * there).astype(np.uint8)


@pytest.fixture(scope="module")
def picture():
    """Return a die on felt: a six on top, at its left a five that is seen askance."""
    felt = np.random.default_rng(3).normal(FELT, 4, (540, 960, 3))
    felt = felt.clip(0, 255).astype(np.uint8)
    lay(felt, 5, SIDE, 0.7)
    lay(felt, 6, TOP)
    return cv2.GaussianBlur(felt, (3, 3), 0)


def read(picture, below):
    dice = read_dice(picture, pip_limits(), below=below)
    return [(die.faces[0][0], die.sure) for die in dice]


def test_without_the_foot_nobody_can_tell_top_from_side(picture):
    assert sorted(read(picture, None)) == [(5, False), (6, False)]


def test_the_top_is_farther_from_the_foot(picture):
    assert read(picture, PointBelow(300.0, 330.0, 960.0)) == [(6, True)]


def test_a_foot_from_which_neither_is_farther_tells_nothing(picture):
    """It is right below them: straight up is no way from one to the other."""
    below = PointBelow(710.0, 2000.0, 960.0)

    assert sorted(read(picture, below)) == [(5, False), (6, False)]


def test_a_die_right_over_the_foot_shows_no_side(picture):
    """What looks like one is print, or another die: it is 40 pixels away, of 960."""
    assert sorted(read(picture, PointBelow(660.0, 330.0, 960.0))) == [
        (5, False),
        (6, False),
    ]
