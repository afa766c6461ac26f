"""Counts on real photographs of boards; the folder is named by DRAGON_TABLE_PHOTOS."""

import os
from pathlib import Path

import pytest

from vision.measure.board import measure_board

ROOT = Path(__file__).parents[3]
FOLDER = Path(os.environ.get("DRAGON_TABLE_PHOTOS", ROOT / "../shared/photos"))

pytestmark = [
    pytest.mark.photos,
    pytest.mark.slow,
    pytest.mark.skipif(
        not (FOLDER / "labels.csv").is_file(),
        reason=f"no labelled photographs at {FOLDER}; set DRAGON_TABLE_PHOTOS",
    ),
]


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
