"""A space has changed or not, in whatever light; shadows and hands are no change."""

import cv2
import numpy as np
import pytest

from vision.board.changes import find_changes
from vision.board.flat import lay_out_spaces, rectify_board
from vision.board.memory import BoardMemory

CORNERS = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))
SHAPE = (720, 1280, 3)
POINTS = {f"track/{n}": (0.1 + 0.1 * n, 0.5) for n in range(8)}

pytestmark = pytest.mark.slow


def at(n):
    """Return where a space is in the picture, pixels."""
    x, y = POINTS[f"track/{n}"]
    return round((0.1 + 0.8 * x) * SHAPE[1]), round((0.1 + 0.8 * y) * SHAPE[0])


def scene(*figures, light=1.0, side=0.0, seed=1):
    """Return a board with figures (space, colour), lit more from one *side*."""
    random = np.random.default_rng(seed)
    picture = np.full(SHAPE, (140, 150, 160), np.float32)
    for n in range(8):
        cv2.circle(picture, at(n), 30, (90, 120, 150), 3)
    for n, colour in figures:
        cv2.circle(picture, at(n), 17, colour, -1)
    slope = np.linspace(1 - side, 1 + side, SHAPE[1])[None, :, None]
    noisy = picture * light * slope + random.normal(0, 3, SHAPE)
    return np.clip(noisy, 0, 255).astype(np.uint8)


def flat(picture):
    return rectify_board(picture, CORNERS)


@pytest.fixture
def lay():
    return lay_out_spaces(POINTS, CORNERS, SHAPE, flat(scene()).shape)


def changed(now, before, lay):
    seen = find_changes(flat(now), flat(before), lay)
    assert not seen.hand
    return {place for place, change in seen.changes.items() if change.feet}


RED, BLUE = (40, 40, 200), (190, 90, 30)


class TestChanges:
    def test_are_where_something_came_and_where_it_went(self, lay):
        before, now = scene((1, RED), (5, BLUE)), scene((3, RED), (5, BLUE), seed=2)

        assert changed(now, before, lay) == {"track/1", "track/3"}

    def test_stay_the_same_in_less_light_and_from_another_side(self, lay):
        before = scene((1, RED), (5, BLUE))
        now = scene((3, RED), (5, BLUE), light=0.6, side=0.2, seed=2)

        assert changed(now, before, lay) == {"track/1", "track/3"}

    def test_are_none_where_nothing_moved(self, lay):
        assert (
            changed(scene((1, RED), light=0.7, seed=3), scene((1, RED)), lay) == set()
        )

    def test_a_shadow_that_comes_or_goes_is_none(self, lay):
        plain, shady = scene(), scene(seed=2).astype(np.float32)
        x, y = at(4)
        shady[y - 40 : y + 40, x - 60 : x + 60] *= 0.7
        shady = shady.astype(np.uint8)

        assert changed(shady, plain, lay) == set()
        assert changed(plain, shady, lay) == set()

    def test_one_beside_another_is_told_from_it(self, lay):
        assert changed(scene((2, RED), seed=2), scene(), lay) == {"track/2"}

    def test_an_arm_over_the_rim_is_a_hand(self, lay):
        now = scene(seed=2)
        x, y = at(4)
        cv2.rectangle(now, (x - 30, 0), (x + 30, y), (120, 150, 210), -1)

        assert find_changes(flat(now), flat(scene()), lay).hand

    def test_a_thing_that_is_laid_beside_the_board_is_none(self, lay):
        now = scene(seed=2)
        cv2.rectangle(now, (300, 0), (460, 60), (120, 150, 210), -1)

        assert changed(now, scene(), lay) == set()


class TestColours:
    def memory(self, lay):
        known = BoardMemory(flat(scene()), lay)
        known.keep_bare(POINTS)
        return known

    def test_a_figure_is_known_by_the_colour_it_is_called_by(self, lay):
        known = self.memory(lay)

        for colour, name in ((RED, "red"), (BLUE, "blue")):
            seen = flat(scene((3, colour), seed=2))
            assert (
                known.recognise_by_colour(seen, "track/3", ["blue", "red", "green"])
                == name
            )

    def test_or_by_the_colour_that_it_had_before(self, lay):
        known = self.memory(lay)
        known.learn_colour(flat(scene((1, RED), seed=2)), "track/1", "Fafnir")
        known.learn_colour(flat(scene((2, BLUE), seed=3)), "track/2", "Nidhogg")

        seen = flat(scene((5, BLUE), seed=4))
        assert (
            known.recognise_by_colour(seen, "track/5", ["Fafnir", "Nidhogg"])
            == "Nidhogg"
        )

    def test_two_of_about_one_colour_are_not_told_apart(self, lay):
        known = self.memory(lay)
        known.learn_colour(flat(scene((1, RED), seed=2)), "track/1", "Fafnir")
        known.learn_colour(
            flat(scene((2, (44, 46, 196)), seed=3)), "track/2", "Nidhogg"
        )

        seen = flat(scene((5, RED), seed=4))
        assert known.recognise_by_colour(seen, "track/5", ["Fafnir", "Nidhogg"]) is None

    def test_where_something_stood_before_no_colour_tells(self, lay):
        known = BoardMemory(flat(scene((3, RED))), lay)

        seen = flat(scene((3, BLUE), seed=2))
        assert known.recognise_by_colour(seen, "track/3", ["red", "blue"]) is None
