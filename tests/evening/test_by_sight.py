"""Whole games by sight alone, with misreadings and slips of the hand, end right."""

from collections import Counter

import pytest

from companion.games import GAMES
from tests.evening.by_sight import Evening

FEW, SOME, MANY = 4, 6, 400

each_game = pytest.mark.parametrize("game", [game.id for game in GAMES])


def evenings(game, count, **manners):
    told = Counter()
    for seed in range(count):
        told.update(vars(Evening(game, seed, **manners).play()))
    return told


@pytest.mark.slow
@each_game
def test_a_few_games_end_with_the_true_scores(game):
    told = evenings(game, FEW)

    assert told["right"] == FEW
    assert told["illegal"] == told["flagged"] > 0


@pytest.mark.slow
@each_game
def test_a_game_or_two_go_on_from_what_hands_left_where_it_is_called_right(game):
    # In 8 Dragons two moves lead to 6,000 tables, and a false one must be none of them.
    go_on_from_what_hands_left(game, 1 if game == "eight_dragons" else 2)


@pytest.mark.long
@each_game
def test_games_go_on_from_what_hands_left_where_it_is_called_right(game):
    go_on_from_what_hands_left(game, SOME)


def go_on_from_what_hands_left(game, count):
    # Only one game of Dragon Run in six or seven comes to what can be taken over.
    count = 16 if game == "dragon_run" else count
    told = evenings(game, count, illegal=0.2, adopts=1.0)

    assert told["right"] == count
    assert told["illegal"] == told["flagged"] >= told["taken_over"] > 0


@pytest.mark.long
@each_game
def test_four_hundred_games_end_with_the_true_scores(game, record_property):
    told = evenings(game, MANY)

    record_property(
        "figures",
        f"{told['right']} of {MANY} with the true scores; {told['flagged']} of "
        f"{told['illegal']} illegal acts flagged within one act, {told['with_ruling']} "
        f"with a ruling; {told['acts']:,} acts, {told['asked']:,} asked, "
        f"{told['misread']:,} misread, {told['silently_wrong']} of them accepted",
    )
    assert told["right"] >= 0.995 * MANY
    assert told["flagged"] == told["illegal"]
