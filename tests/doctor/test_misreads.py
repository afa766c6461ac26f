"""Some rolls of a die say how many of a hundred would be misread in their light."""

import cv2
import numpy as np
import pytest

from companion.doctor.misreads import (
    JudgedRoll,
    compare,
    highest_share,
    misreads,
    percent_asked,
)
from companion.kits.next_step import RollVerdict
from companion.table import Glimpse, Reading, Shown, UnsureSight
from vision.drawn.dice import draw_roll
from vision.reader import Awaited, Reader

SURE = JudgedRoll(RollVerdict.RIGHT, 0.02)
ASKED = JudgedRoll(RollVerdict.ASKED, 0.0)
WRONG = JudgedRoll(RollVerdict.WRONG, 1.0)


def reading(*taken, unsure=0, trouble=None):
    glimpses = tuple(Glimpse(Shown("d6", face, "tray"), sure) for face, sure in taken)
    doubts = (UnsureSight("d6", "tray", (("3", 0.5), ("2", 0.4))),) * unsure
    return Reading(glimpses, doubts, 0.0, "camera", None, trouble)


class TestOneRoll:
    def test_the_true_face_is_right_and_doubted_as_far_as_it_is_not_sure(self):
        assert compare(reading(("4", 0.75)), "4") == JudgedRoll(RollVerdict.RIGHT, 0.25)

    def test_another_face_is_wrong_however_sure(self):
        assert compare(reading(("5", 0.99)), "4") == WRONG

    def test_a_second_die_that_is_not_there_is_wrong_even_with_the_same_face(self):
        assert compare(reading(("4", 0.99), ("4", 0.99)), "4") == WRONG

    @pytest.mark.parametrize(
        "unclear",
        [
            reading(),
            reading(unsure=1),
            reading(("4", 0.99), unsure=1),
            reading(trouble="no_picture"),
        ],
        ids=["nothing found", "unsure", "something unsure beside it", "no picture"],
    )
    def test_what_is_not_taken_is_asked(self, unclear):
        assert compare(unclear, "4") == ASKED


class TestAHundredRolls:
    def test_ten_sure_rolls_are_about_two_misreads_and_at_most_26(self):
        # Ten times 0.02 of doubt; none of ten: 1 - 0.05 ** (1 / 10) = 0.259.
        rate = misreads([SURE] * 10)

        assert rate.about == pytest.approx(2.0)
        assert rate.at_most == pytest.approx(25.9, abs=0.05)

    def test_one_wrong_roll_of_ten_is_about_twelve(self):
        # 1 + 9 x 0.02 = 1.18 of ten; one of ten: at most 39.4.
        rate = misreads([WRONG, *[SURE] * 9])

        assert rate.about == pytest.approx(11.8)
        assert rate.at_most == pytest.approx(39.4, abs=0.05)

    def test_questions_are_no_misreads_but_counted_for_themselves(self):
        rolls = [ASKED] * 3 + [SURE] * 7

        assert misreads(rolls).about == pytest.approx(1.4)
        assert percent_asked(rolls).about == pytest.approx(30.0)
        assert percent_asked(rolls).at_most == pytest.approx(60.7, abs=0.05)

    def test_a_hundred_rolls_bound_what_ten_cannot(self):
        # The rule of three: none of n is at most about 3 / n.
        assert misreads([SURE] * 100).at_most == pytest.approx(2.95, abs=0.05)

    def test_the_bound_is_never_below_what_is_likely(self):
        rate = misreads([JudgedRoll(RollVerdict.RIGHT, 0.5)] * 200)
        assert rate.about <= rate.at_most

    def test_no_rolls_say_nothing(self):
        with pytest.raises(ValueError, match="at least once"):
            misreads([])


class TestTheBound:
    @pytest.mark.parametrize(
        ("count", "of", "share"),
        [
            (0, 1, 0.95),
            (0, 10, 0.2589),
            (1, 10, 0.3942),
            (2, 10, 0.5069),
            (5, 100, 0.1023),
        ],
    )
    def test_is_that_of_clopper_and_pearson(self, count, of, share):
        # 1 of 10: (1 - p)^10 + 10 p (1 - p)^9 = 0.05 at p = 0.3942. The others are from
        # tables of the beta distribution.
        assert highest_share(count, of) == pytest.approx(share, abs=5e-4)

    def test_is_everything_where_all_were_counted(self):
        assert highest_share(10, 10) == 1.0


@pytest.mark.slow
class TestDrawnDice:
    def rolls(self, spoil):
        reader = Reader()
        rolls = []
        for seed in range(10):  # faces 1 to 6, then 1 to 4
            face = str(seed % 6 + 1)
            picture = draw_roll((face,), seed, (540, 960))
            spoiled = spoil(picture, np.random.default_rng(seed))
            rolls.append(compare(reader.read(spoiled, Awaited()), face))
        return rolls

    def test_in_good_light_ten_rolls_are_read_and_few_would_be_misread(self):
        rolls = self.rolls(lambda picture, _: picture)

        # Both lone aces too: a round spot is no die yet, but they are looked at whole.
        assert [roll.verdict for roll in rolls] == [RollVerdict.RIGHT] * 10
        assert misreads(rolls).about < 1.0

    def test_in_near_darkness_the_table_asks_and_does_not_guess(self):
        def dark(picture, random):
            noise = random.normal(0.0, 6.0, picture.shape)
            return np.clip(picture * 0.07 + noise, 0, 255).astype(np.uint8)

        rolls = self.rolls(dark)

        assert percent_asked(rolls).about >= 50.0
        assert all(roll.verdict is not RollVerdict.WRONG for roll in rolls)

    def test_out_of_focus_the_table_asks_and_does_not_guess(self):
        def soft(picture, _):
            return np.asarray(cv2.GaussianBlur(picture, (0, 0), 9.0), np.uint8)

        rolls = self.rolls(soft)

        assert percent_asked(rolls).about >= 50.0
        assert all(roll.verdict is not RollVerdict.WRONG for roll in rolls)
