"""Counts on real photographs of boards; the folder is named by DRAGON_TABLE_PHOTOS."""

import cv2
import numpy as np
import pytest

from tests.photographs import FOLDER, ON_PHOTOGRAPHS
from vision.board.memory import BoardMemory
from vision.camera.files import open_picture
from vision.measure.board import measure_board, read_stands

pytestmark = [*ON_PHOTOGRAPHS, pytest.mark.slow]


def test_under_a_lamp_of_another_colour_no_stone_seems_to_have_moved():
    figures = measure_board(FOLDER, "board_light", every=29)

    assert figures.looks >= 10
    assert figures.false == 0
    assert set(figures.why) <= {"coloured", "lamp"}


def test_men_that_stand_still_are_compared_and_none_seems_to_have_moved():
    figures = measure_board(FOLDER, "board_still", every=29)

    assert figures.compared == figures.looks >= 3
    assert figures.false == 0


def test_a_white_man_is_seen_to_leave_a_light_square_for_another():
    figures = measure_board(FOLDER, "board_white_on_light")

    assert figures.compared == 2
    assert (figures.right, figures.missed, figures.false) == (4, 0, 0)


def knocked(picture, chance):
    """Return a picture as after a knock of up to 3 % and 3 degrees, seen askance."""
    high, wide = picture.shape[:2]
    turn, growth = chance.uniform(-3, 3), chance.uniform(0.98, 1.02)
    way = cv2.getRotationMatrix2D((wide / 2, high / 2), turn, growth)
    way[:, 2] += chance.uniform(-0.03, 0.03) * wide, chance.uniform(-0.02, 0.02) * high
    way = np.vstack([way, (*chance.uniform(-1e-5, 1e-5, 2), 1.0)])
    seen = cv2.warpPerspective(picture, way, (wide, high))
    noise = chance.normal(0, 1.5, seen.shape)
    return np.clip(seen * chance.uniform(0.6, 1.0) + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("name", ["board_light", "board_still", "board_white_on_light"])
def test_a_knocked_camera_is_followed_on_a_real_board(name):
    """In less light too: 361 points, or 64 squares, and a man that has moved."""
    chance = np.random.default_rng(2)
    stand = next(iter(read_stands(FOLDER, name)))
    first, last = (
        open_picture(FOLDER / stand.photos[n if stand.moved else 0]).picture
        for n in (0, -1)
    )
    known = BoardMemory(first, stand.corners, stand.points)

    for _ in range(4):
        found = known.look(knocked(last, chance)).changes
        assert found.obstacle is None
        assert {p for p, one in found.changes.items() if one.feet} == stand.moved
