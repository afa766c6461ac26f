import cv2
import numpy as np
import pytest

from vision.drawn.dice import draw_roll
from vision.pips.reader import pip_limits, read_dice
from vision.pips.spots import find_spots


def _faces(picture):
    dice = read_dice(picture, pip_limits())
    return sorted(die.faces[0][0] for die in dice if die.sure)


@pytest.mark.slow
class TestDrawnThrows:
    @pytest.mark.parametrize("seed", range(4))
    def test_are_read_face_by_face(self, seed):
        roll = draw_roll(("1", "2", "3", "4", "5", "6"), seed, (540, 960))

        assert _faces(roll) == [1, 2, 3, 4, 5, 6]

    def test_are_drawn_alike_for_the_same_seed(self):
        once, again = (draw_roll(("3",), 7, (180, 320)) for _ in range(2))

        assert np.array_equal(once, again)

    def test_need_faces_that_a_die_has(self):
        with pytest.raises(ValueError, match="'1' to '6'"):
            draw_roll(("7",), 0)

    def test_have_boxes_about_their_dice(self):
        picture = draw_roll(("5",), 3)

        (die,) = read_dice(picture, pip_limits())

        left, top, right, bottom = die.box
        assert 0 <= left < right <= picture.shape[1]
        assert 0 <= top < bottom <= picture.shape[0]
        # A die is a sixteenth of the distance wide; half of its box is its own colour.
        assert 50 < right - left < 140


@pytest.mark.slow
class TestPicturesWithoutDice:
    @pytest.mark.parametrize("grey", [0, 128, 255])
    def test_of_one_colour_show_nothing(self, grey):
        assert read_dice(np.full((300, 400, 3), grey, np.uint8), pip_limits()) == ()

    def test_of_noise_show_nothing(self):
        noise = np.random.default_rng(0).integers(0, 256, (300, 400, 3), np.uint8)

        assert _faces(noise) == []

    def test_of_words_show_no_dice(self):
        page = np.full((400, 600, 3), 240, np.uint8)
        for row in range(8):
            foot = (10, 40 + 45 * row)
            cv2.putText(page, "8 dragons: 6 oo %", foot, 0, 1.4, (20, 20, 20), 3)

        assert _faces(page) == []

    def test_of_dots_in_rows_show_no_dice(self):
        dotted = np.full((400, 600, 3), 230, np.uint8)
        for x in range(20, 600, 30):
            for y in range(20, 400, 30):
                cv2.circle(dotted, (x, y), 6, (30, 30, 30), -1, cv2.LINE_AA)

        assert _faces(dotted) == []

    @pytest.mark.parametrize("size", [(16, 16), (16, 900), (900, 16)])
    def test_may_be_very_small_or_thin(self, size):
        assert read_dice(np.zeros((*size, 3), np.uint8), pip_limits()) == ()


class TestSpots:
    @pytest.mark.parametrize("radius", [3, 6, 12, 25, 50])
    @pytest.mark.parametrize(
        "colours", [((250,) * 3, (20,) * 3), ((30, 20, 160), (200, 40, 30))]
    )
    def test_are_found_at_any_size_and_in_any_colours(self, radius, colours):
        ground, ink = colours
        picture = np.full((400, 400, 3), ground, np.uint8)
        cv2.circle(picture, (200, 190), radius, ink, -1, cv2.LINE_AA)

        spots = find_spots(picture, pip_limits().spots)

        off = np.abs(spots.centres - (200, 190)).max(1)
        best = off.argmin()
        assert off[best] < 1.0
        assert spots.radii[best] == pytest.approx(radius, rel=0.15, abs=0.6)
