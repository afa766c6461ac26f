"""Counts on real photographs of dice that were shown before."""

import pytest

from tests.photographs import FOLDER, ON_PHOTOGRAPHS
from vision.measure.taught_dice import measure_folds, measure_numerals, measure_turned

pytestmark = [*ON_PHOTOGRAPHS, pytest.mark.slow]


@pytest.mark.long
def test_pips_are_read_with_what_the_other_half_of_the_photographs_taught(
    record_property,
):
    figures = measure_folds(FOLDER, "pi_pips")

    record_property("figures", f"{figures.right} of {figures.dice} right")
    assert (figures.right, figures.wrong) == (60, 0), figures


def test_numerals_are_read_after_three_shots_a_face():
    # Two of the ten choices, those that hold all three that are asked of 120;
    # `python -m vision.measure.taught_dice` tries all ten.
    figures = measure_numerals(FOLDER, most=2)

    assert figures.wrong == 0, figures
    assert figures.right >= 21, figures  # of 24: two choices, two shots of six faces


def test_nothing_is_wrong_among_ten_faces():
    figures = measure_turned(FOLDER, "d10")

    assert (figures.right, figures.wrong) == (30, 0), figures


@pytest.mark.long
def test_clear_blue_dice_are_read_with_what_the_other_half_taught(record_property):
    figures = measure_folds(FOLDER, "blue_dice_symbol_six")

    told = f"{figures.right} of {figures.dice} right, {figures.asked} asked"
    record_property("figures", f"{told}, {figures.wrong} wrong")
    assert figures.wrong == 0, figures
    assert figures.right >= 0.9 * figures.dice, figures


@pytest.mark.long
def test_numerals_are_read_over_all_choices_of_three_of_five_shots(record_property):
    figures = measure_numerals(FOLDER)

    told = f"{figures.right} of {figures.dice} right, {figures.asked} asked"
    record_property("figures", f"{told}, {figures.wrong} wrong")
    assert figures.wrong == 0, figures
    assert figures.right >= 0.97 * figures.dice, figures
