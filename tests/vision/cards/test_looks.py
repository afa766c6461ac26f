import numpy as np
import pytest

from vision.cards.looks import changed, commonest, look_at, look_difference
from vision.cards.quads import Quad


def at(x, y, degrees=0, wide=160, high=240, support=1.0):
    turn = np.radians(-degrees)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    half = np.array([(-wide, -high), (wide, -high), (wide, high), (-wide, high)]) / 2
    corners = half @ axes + (x - 0.5, y - 0.5)
    return Quad(tuple((float(a), float(b)) for a, b in corners), support)


def shadow(picture):
    """Return a picture with a bluish shadow whose edge runs across the card."""
    shaded = picture.astype(np.float32)
    down, across = np.mgrid[: picture.shape[0], : picture.shape[1]]
    shaded[across + 0.6 * down > 650] *= (0.62, 0.57, 0.52)
    return shaded.astype(np.uint8)


PLACE = (450, 350)


class TestTheSameCard:
    @pytest.fixture
    def before(self, drawing):
        picture = drawing.table((drawing.card("cross", "red", 2), *PLACE, 4))
        return look_at(picture, {0: at(*PLACE, 4)})

    def test_looks_the_same_after_it_slid_and_turned(self, drawing, before):
        picture = drawing.table((drawing.card("cross", "red", 2), 300, 330, 31))

        assert changed(before, look_at(picture, {0: at(300, 330, 31)})) == set()

    def test_looks_the_same_upside_down(self, drawing, before):
        picture = drawing.table((drawing.card("cross", "red", 2), *PLACE, 182))

        assert changed(before, look_at(picture, {0: at(*PLACE, 2)})) == set()

    def test_looks_the_same_under_a_yellow_lamp(self, drawing, before):
        picture = drawing.table((drawing.card("cross", "red", 2), *PLACE, 4))

        lit = drawing.lit(picture, gains=(0.5, 0.8, 0.95))

        assert changed(before, look_at(lit, {0: at(*PLACE, 4)})) == set()

    @pytest.mark.parametrize("face", [("cross", "red", 2), ("disc", "green", 0)])
    def test_looks_the_same_with_the_edge_of_a_shadow_on_it(self, drawing, face):
        picture = drawing.table((drawing.card(*face), *PLACE, 4))
        before = look_at(picture, {0: at(*PLACE, 4)})

        now = look_at(shadow(picture), {0: at(*PLACE, 4)})

        assert changed(before, now) == set()

    def test_looks_the_same_where_its_outline_is_two_pixels_off(self, drawing, before):
        picture = drawing.table((drawing.card("cross", "red", 2), *PLACE, 4))

        assert changed(before, look_at(picture, {0: at(452, 348, 4)})) == set()


class TestAnotherCard:
    @pytest.mark.parametrize("other", [("disc", "green", 1), ("square", "red", 2)])
    def test_that_lies_there_now_is_a_change(self, drawing, other):
        cards = drawing.card("cross", "red", 2), drawing.card(*other)
        one, two = (
            look_at(drawing.table((card, *PLACE, 4)), {0: at(*PLACE, 4)})
            for card in cards
        )

        assert changed(one, two) == {0}
        assert look_difference(one[0], two[0]) > 0.8

    def test_under_another_lamp_too(self, drawing):
        blank, printed = (
            drawing.table((drawing.card(*face), *PLACE, 4))
            for face in [("disc", "green", 0), ("disc", "green", 2)]
        )

        now = look_at(shadow(drawing.lit(printed)), {0: at(*PLACE, 4)})

        assert changed(look_at(blank, {0: at(*PLACE, 4)}), now) == {0}


class TestAHand:
    def test_over_a_card_is_no_turned_card(self, drawing):
        picture = drawing.table((drawing.card(), *PLACE, 4))
        before = look_at(picture, {0: at(*PLACE, 4)})

        assert changed(before, look_at(picture, {})) == set()

    def test_over_half_a_card_is_none_either(self, drawing):
        picture = drawing.table((drawing.card(), *PLACE, 4))
        before = look_at(picture, {0: at(*PLACE, 4)})
        picture[:, 450:] = (120, 150, 200)

        now = look_at(picture, {0: at(*PLACE, 4, support=0.72)})

        assert changed(before, now) == set()


class TestWhatMostCardsShow:
    def test_is_the_back_that_nobody_taught(self, drawing):
        faces = [("square", "blue", 1)] * 3 + [("disc", "red", 1), ("cross", "red", 3)]
        looks = {
            number: look_at(
                drawing.table((drawing.card(*face), *PLACE, 5 * number), seed=number),
                {0: at(*PLACE, 5 * number)},
            )[0]
            for number, face in enumerate(faces)
        }

        assert commonest(looks) == {0, 1, 2}

    def test_is_nothing_where_all_cards_differ(self, drawing):
        faces = [("square", "blue", 1), ("disc", "red", 3), ("cross", "green", 2)]
        looks = {
            face: look_at(
                drawing.table((drawing.card(*face), *PLACE, 0)), {0: at(*PLACE)}
            )[0]
            for face in faces
        }

        assert commonest(looks) == set()
