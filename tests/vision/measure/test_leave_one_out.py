"""Limits are chosen on some sets for another one."""

import pytest

from vision.measure.counts import Tally
from vision.measure.fit_limits import TRIED, draw_scenes
from vision.measure.leave_one_out import best_limits, limits_in_words
from vision.pips.limits import pip_limits

SOME = {"accept": (0.97, 0.95, 0.9), "alike": (1.1, 1.2)}


class TestLimitsThatOtherSetsChoose:
    def test_loosen_as_long_as_nothing_is_wrong(self):
        def counted(limits):
            taken = limits.accept <= 0.95
            wrong = int(limits.accept <= 0.9)
            return [Tally(8 + taken, 2 - taken - wrong, 0, wrong)]

        assert best_limits(pip_limits(), SOME, [counted]).accept == 0.95

    def test_stay_strict_where_loosening_gains_nothing(self):
        limits = best_limits(pip_limits(), SOME, [lambda limits: [Tally(10, 0, 0, 0)]])

        assert limits_in_words(limits, SOME) == "accept 0.97, alike 1.1"

    def test_weigh_sets_alike_and_one_wrong_as_twenty_right(self):
        # Nineteen more of a hundred right, but one wrong: 19 - 20 is less than nothing.
        def many(limits):
            loose = limits.alike == 1.2
            return [Tally(50 + 19 * loose, 50 - 20 * loose, 0, int(loose))]

        assert best_limits(pip_limits(), SOME, [many]).alike == 1.1


def test_every_limit_that_is_tried_is_tried_at_what_is_used_too():
    limits = pip_limits()

    assert {name: getattr(limits, name) in some for name, some in TRIED.items()} == (
        dict.fromkeys(TRIED, True)
    )


@pytest.mark.slow
def test_drawn_scenes_are_read_as_they_lie():
    scenes = draw_scenes(3)
    tallies = [scene.tally(pip_limits()) for scene in scenes]

    dice = sum(len(scene.truth) for scene in scenes)
    assert dice == sum(
        one.right + one.asked + one.missed + one.wrong for one in tallies
    )
    assert sum(one.right for one in tallies) > dice / 2
    assert sum(one.wrong for one in tallies) == 0
