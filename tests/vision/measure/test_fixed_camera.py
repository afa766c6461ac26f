"""Games from one stand, on photographs; the folder is named by DRAGON_TABLE_PHOTOS."""

import pytest

from tests.photographs import FOLDER, ON_PHOTOGRAPHS
from vision.measure.fixed_camera import measure_cards, measure_tiles

pytestmark = ON_PHOTOGRAPHS


@pytest.mark.slow
def test_a_memory_game_is_followed_turn_by_turn():
    (game,) = measure_tiles(FOLDER, only="strand_1")

    assert (game.cards, game.found) == (14, 14)
    assert (game.right, game.wrong) == (6, 0), game
    assert (game.taken, game.backs) == (0, 0), game


@pytest.mark.long
def test_no_memory_game_asks_about_a_back_and_nearly_all_faces_are_read():
    games = list(measure_tiles(FOLDER))
    again = sum(game.cards - game.first for game in games)

    assert sum(game.cards for game in games) == 88
    assert sum(game.found for game in games) == 88
    assert sum(game.right for game in games) >= 0.85 * again, games
    assert sum(game.wrong + game.taken + game.backs for game in games) == 0, games


@pytest.mark.long
def test_a_card_of_known_size_is_found_beside_its_token_and_on_a_table_in_view():
    games = list(measure_cards(FOLDER))

    assert sum(game.cards for game in games) == 156
    assert sum(game.found for game in games) >= 155, games
    assert sum(game.backs for game in games) == 0, games
