"""Counts on real photographs; the folder is named by DRAGON_TABLE_PHOTOS."""

import pytest

from tests.photographs import FOLDER, ON_PHOTOGRAPHS
from vision.measure.accuracy import measure_set
from vision.measure.counts import OBLIQUE
from vision.pips.reader import pip_limits

pytestmark = [*ON_PHOTOGRAPHS, pytest.mark.slow]


class TestPipDice:
    """At least so many right, at most so many silently wrong, of the true dice.

    Of the large sets every second or third photograph is read here, and all of them in
    the long suite.
    """

    @pytest.mark.parametrize(
        ("name", "every", "least_right", "most_wrong"),
        [
            ("pi_pips", 1, 0.95, 0),
            ("phone_pips_surfaces", 2, 0.99, 0),
            ("many_colour_pips", 3, 0.85, 2),
            ("blue_dice_symbol_six", 1, 0.73, 0),
            pytest.param("phone_pips_surfaces", 1, 0.99, 0, marks=pytest.mark.long),
            pytest.param("many_colour_pips", 1, 0.85, 2, marks=pytest.mark.long),
        ],
    )
    def test_are_read_right_or_asked(
        self, name, every, least_right, most_wrong, record_property
    ):
        figures = measure_set(FOLDER, name, pip_limits(), every=every)

        told = f"{figures.right} of {figures.dice} right, {figures.asked} asked"
        record_property("figures", f"{told}, {figures.wrong} wrong")
        assert figures.right >= least_right * figures.dice, figures
        assert figures.wrong <= most_wrong, figures

    def test_at_home_are_read_among_boards_and_coins_without_vain_questions(self):
        figures = measure_set(FOLDER, "home_pips", pip_limits())

        assert figures.right >= 0.88 * figures.dice, figures
        assert figures.wrong == 0, figures
        assert figures.vain <= 8, figures

    def test_from_far_off_the_vertical_are_all_asked_about(self):
        figures = measure_set(FOLDER, OBLIQUE, pip_limits())

        assert (figures.right, figures.wrong) == (0, 0), figures
        assert figures.asked > 0


class TestOtherThings:
    @pytest.mark.parametrize(
        ("name", "every"),
        [
            ("pi_numeral_d6", 2),
            ("webcam_d10", 2),
            ("symbol_dice", 1),
            ("playing_cards", 4),
            ("memory_grid", 3),
            ("illustrated_cards", 1),
            ("uno_cards", 4),
            ("set_cards", 40),
            pytest.param("playing_cards", 1, marks=pytest.mark.long),
        ],
    )
    def test_are_never_taken_for_pip_dice(self, name, every):
        figures = measure_set(FOLDER, name, pip_limits(), every=every)

        assert figures.photos > 0
        assert figures.wrong == 0, figures
