"""Chances add up, repeat, and betray nothing."""

import pytest

from companion.games import GAMES, find
from companion.games.core import Config
from companion.story.odds import chances, play_on
from tests.running.table_setup import new_story, played


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_the_chances_of_all_seats_add_up_to_one(game):
    state = game.setup(Config(max(game.seats), game.stand_in))

    found = chances(game, state, None, seed=1, plays=12)

    assert found.plays + found.left_out == 12
    if found.wins and all(win > 0 for win in found.wins):
        assert sum(found.wins) == pytest.approx(1)
    assert all(0 <= win <= 1 for win in found.wins)


def test_the_same_seed_gives_the_same_chances():
    game, story = find("drachenhort"), new_story()

    first = chances(game, story.state, None, seed=5, plays=4)

    assert first == chances(game, story.state, None, seed=5, plays=4)
    assert first.wins != ()


def test_a_group_that_was_noted_in_private_changes_no_spectators_chances():
    # Two games that look the same to a spectator: other groups were noted.
    game = find("drachenhort")
    one = played(new_story(), "note 0 0", "note 1 1", "note 2 2").state
    other = played(new_story(), "note 0 4", "note 1 5", "note 2 6").state

    first = chances(game, one, None, seed=3, plays=40)
    second = chances(game, other, None, seed=3, plays=40)

    assert first == second


def test_a_game_that_is_over_is_won_by_whom_it_was_won(monkeypatch):
    game = find("drachenhort")
    monkeypatch.setattr("companion.story.odds.MOST_STEPS", 0)

    assert play_on(game, new_story().state, None) is None
