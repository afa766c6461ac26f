"""Counts of cards on real photographs; the folder is named by DRAGON_TABLE_PHOTOS."""

import pytest

from tests.photographs import FOLDER, ON_PHOTOGRAPHS
from vision.measure.cards import (
    REPORT_DRAWS,
    measure_crops,
    measure_found,
    measure_memory,
    measure_playing,
    measure_single,
)

pytestmark = [*ON_PHOTOGRAPHS, pytest.mark.slow]


def test_every_card_of_every_scene_is_found_and_nothing_else():
    figures = measure_found(FOLDER)

    assert figures.cards > 200
    assert figures.right == figures.cards
    assert figures.wrong == 0


@pytest.mark.long
def test_playing_cards_are_read_from_one_picture_each(record_property):
    figures = measure_playing(FOLDER)

    told = f"{figures.right} of {figures.cards} right"
    record_property("figures", f"{told}, {figures.wrong} wrong")
    assert figures.cards == 18
    assert figures.right >= 16, figures
    assert figures.wrong == 0, figures


def test_memory_faces_are_read_and_all_others_are_unknown():
    figures = measure_memory(FOLDER, times_over=1)

    assert figures.right >= 0.9 * figures.cards, figures
    assert figures.wrong == 0, figures
    assert figures.taken == 0, figures


@pytest.mark.long
def test_uno_cards_are_read_turned_and_in_yellow_light():
    figures = measure_single(FOLDER, "uno_cards")

    assert figures.right >= 0.9 * figures.cards, figures
    assert figures.wrong == 0, figures
    assert figures.taken == 0, figures


@pytest.mark.long
def test_look_alikes_in_any_light_are_read_and_siblings_left_alone():
    figures = measure_crops(FOLDER, REPORT_DRAWS)

    assert figures.right >= 0.85 * figures.cards, figures
    assert figures.wrong <= 0.005 * figures.cards, figures
    assert figures.taken <= 0.05 * figures.foreign, figures
