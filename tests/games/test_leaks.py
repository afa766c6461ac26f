"""Whatever somebody cannot know may be otherwise, and not a byte of their view changes.

Each viewer's view is taken twice: of the true state, and of one in which everything
hidden from that viewer was dealt anew.
"""

import random

import pytest

from companion.games import GAMES
from companion.games.hidden import (
    redact,
)
from tests.games import contract

GAMES_EACH = 1000
MOMENTS = 3
"""Moments that are looked at in each game."""

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


def view(game, state, viewer):
    """Return what a phone is made of: state, offers, prompts, points and layout."""
    seen = redact(state, viewer)
    return (
        contract.coded(seen),
        tuple(game.notate(seen, move) for move in game.legal(seen)),
        contract.coded(contract.prompts_for(game, seen, viewer)),
        contract.coded(game.scores(seen)),
        sorted(game.layout(seen), key=repr),
    )


def changed(game, seed):
    """Look at some moments of one game; return how many had something to hide."""
    dice = random.Random(f"leaks/{seed}")
    seats = game.seats[seed % len(game.seats)]
    steps = list(contract.steps(game, contract.config(game, seats), seed))
    secret = 0
    for step in dice.sample(steps, min(MOMENTS, len(steps))):
        for viewer in contract.viewers(seats):
            other = game.resample(step.after, viewer, dice.randrange(1 << 30))
            assert game.check(other) == ()
            assert view(game, other, viewer) == view(game, step.after, viewer)
            secret += other != step.after
    return secret


@each_game
def test_no_view_of_ten_games_tells_what_was_hidden(game):
    hidden = sum(changed(game, seed) for seed in range(10))

    # Dragorun hides nothing from anybody; in all other games something was hidden.
    assert (hidden == 0) == (game.id == "dragorun")


@pytest.mark.long
@each_game
def test_no_view_of_a_thousand_games_tells_what_was_hidden(game, record_property):
    hidden = sum(changed(game, seed) for seed in range(GAMES_EACH))

    assert (hidden == 0) == (game.id == "dragorun")
    record_property(
        "figures",
        f"{GAMES_EACH} games; {hidden} views of a state with other secrets, all equal",
    )
