import cv2
import numpy as np
import pytest

from vision.cards.quads import find_cards

pytestmark = pytest.mark.slow


class TestFindingCards:
    @pytest.mark.parametrize("degrees", [0, 17, 45, 80, 130])
    def test_a_card_is_found_at_any_angle(self, drawing, degrees):
        picture = drawing.table((drawing.card(), 450, 350, degrees))

        (quad,) = find_cards(picture)

        centre = quad.array().mean(0)
        assert np.abs(centre - (450, 350)).max() < 2
        sides = np.linalg.norm(quad.array() - np.roll(quad.array(), -1, 0), axis=1)
        assert np.abs(np.sort(sides) - (160, 160, 240, 240)).max() < 5

    def test_cards_that_lie_close_are_two(self, drawing):
        one, other = drawing.card(), drawing.card("square", "green", 2)
        picture = drawing.table((one, 300, 350, 0), (other, 466, 350, 0))

        assert len(find_cards(picture)) == 2

    def test_the_print_of_a_card_is_no_card(self, drawing):
        picture = drawing.table((drawing.card("square", "blue", 3), 450, 350, 5))

        assert len(find_cards(picture)) == 1

    def test_the_edge_of_a_shadow_does_not_cut_a_card(self, drawing):
        picture = drawing.table((drawing.card(), 450, 350, 0))
        picture[:, 470:] = picture[:, 470:] // 2

        (quad,) = find_cards(picture)

        assert quad.box[2] - quad.box[0] > 150

    def test_an_empty_table_holds_none(self, drawing):
        assert find_cards(drawing.table()) == ()

    def test_a_table_that_reaches_from_rim_to_rim_is_no_card(self, drawing):
        picture = drawing.table((drawing.card(), 300, 300, 20))
        picture[:25] = picture[-25:] = (160, 190, 200)

        (quad,) = find_cards(picture)

        assert np.abs(quad.array().mean(0) - (300, 300)).max() < 2

    def test_a_table_wholly_in_view_is_no_card(self, drawing):
        floor = np.full((1000, 1200, 3), (160, 190, 200), np.uint8)
        small = [drawing.card(shape)[::2, ::2] for shape in drawing.SHAPES]
        floor[100:900, 150:1050] = drawing.table(
            *((card, 200 + 160 * i, 400, 8 * i) for i, card in enumerate(small)),
            size=(800, 900),
        )

        assert len(find_cards(floor)) == 4

    def test_of_a_known_size_one_card_on_a_table_is_enough(self, drawing):
        floor = np.full((1000, 1200, 3), (160, 190, 200), np.uint8)
        floor[100:900, 150:1050] = drawing.table(
            (drawing.card("square", "blue", 3)[::2, ::2], 300, 400, 30), size=(800, 900)
        )

        (quad,) = find_cards(floor, size=(80, 120))

        assert np.abs(quad.array().mean(0) - (450, 500)).max() < 2

    @pytest.mark.parametrize("degrees", [10, 25, 60])
    def test_of_a_known_size_the_upper_of_two_that_overlap_is_found(
        self, drawing, degrees
    ):
        under, upper = drawing.card("square", "green", 2), drawing.card()
        picture = drawing.table((under, 360, 350, 0), (upper, 450, 380, degrees))

        found = find_cards(picture, size=(160, 240))

        off = [np.abs(quad.array().mean(0) - (450, 380)).max() for quad in found]
        assert min(off) < 3

    def test_of_a_known_size_a_card_under_a_token_is_found(self, drawing):
        picture = drawing.table((drawing.card(), 450, 350, 12))
        cv2.circle(picture, (480, 230), 50, (40, 120, 30), -1)

        (quad,) = find_cards(picture, size=(160, 240))

        assert np.abs(quad.array().mean(0) - (450, 350)).max() < 3

    def test_of_a_known_size_nothing_larger_or_smaller_is_a_card(self, drawing):
        picture = drawing.table((drawing.card(), 450, 350, 0))

        assert find_cards(picture, size=(110, 165)) == ()
        assert find_cards(picture, size=(230, 350)) == ()

    @pytest.mark.parametrize("size", [(16, 16), (1, 1), (3, 900), (40, 40)])
    def test_tiny_pictures_hold_none(self, size):
        assert find_cards(np.zeros((*size, 3), np.uint8)) == ()

    def test_mere_noise_does_no_harm(self):
        noise = np.random.default_rng(5).integers(0, 256, (300, 400, 3), np.uint8)

        assert len(find_cards(noise)) <= 1
