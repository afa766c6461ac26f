"""What one viewer cannot know may be otherwise, and no channel tells it.

Two games that differ only in what a viewer cannot know are told the same: right and
wrong claims of everybody, undo, amendments, looks back, buttons, readings, questions,
the table being right. Page, display, lamps, voice, answers, exports and chances stay
the same to the byte.
"""

import random

import pytest

from companion.games import GAMES
from tests.secrets.worlds import act, pair

PAIRS = 1_000
FEW, MORE = 8, 40
ACTS = 6
FULL = (1, ACTS - 1)
"""After which acts the pages and voices are compared as well, not the display alone."""

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


def tell_both(game, seed):
    """Tell two worlds the same; return whether they differed at all."""
    both = pair(game, f"{game.id}/{seed}")
    dice = random.Random(f"acts/{seed}")
    differ = both.differ
    for number in range(ACTS):
        both = act(both, dice, f"key/{number}", full=number in FULL)
    return differ


@each_game
@pytest.mark.parametrize("pairs", [FEW, pytest.param(MORE, marks=pytest.mark.slow)])
def test_a_few_pairs_of_worlds_cannot_be_told_apart(game, pairs):
    differed = sum(tell_both(game, seed) for seed in range(pairs))

    # Dragorun hides nothing from anybody.
    assert (differed == 0) == (game.id == "dragorun")


@pytest.mark.long
@each_game
def test_a_thousand_pairs_of_worlds_cannot_be_told_apart(game, record_property):
    differed = sum(tell_both(game, seed) for seed in range(PAIRS))

    assert (differed == 0) == (game.id == "dragorun")
    record_property(
        "figures", f"{PAIRS} pairs, {ACTS} acts each; {differed} differed in secret"
    )
