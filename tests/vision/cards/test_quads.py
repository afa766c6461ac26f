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

    @pytest.mark.parametrize("size", [(16, 16), (1, 1), (3, 900), (40, 40)])
    def test_tiny_pictures_hold_none(self, size):
        assert find_cards(np.zeros((*size, 3), np.uint8)) == ()

    def test_mere_noise_does_no_harm(self):
        noise = np.random.default_rng(5).integers(0, 256, (300, 400, 3), np.uint8)

        assert len(find_cards(noise)) <= 1
