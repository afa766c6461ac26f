"""What a game owes the table so that nothing hidden is told by what is believed.

Whatever is legal in somebody's view can be carried out in every world that looks so to
them, leaves a sound position with a way on, and what others see of it is the same.
"""

import random

import pytest

from companion.dashboard.door.auth import Who
from companion.dashboard.view.moves import may_make
from companion.games import GAMES
from companion.games.hidden import (
    is_private,
    redact,
)
from tests.games import contract

FEW, MANY = 10, 300
MOMENTS, MOVES = 6, 5
LAID_OPEN = ("show", "over")

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


def believed(game, seed):
    """Make moves that somebody thinks legal in two worlds that look alike."""
    dice = random.Random(f"believed/{seed}")
    seats = game.seats[seed % len(game.seats)]
    steps = list(contract.steps(game, contract.config(game, seats), seed))
    made = 0
    for step in dice.sample(steps, min(MOMENTS, len(steps))):
        viewer = dice.choice(contract.viewers(seats))
        world = game.resample(step.after, None, dice.randrange(1 << 30))
        other = game.resample(world, viewer, dice.randrange(1 << 30))
        for move in thinkable(game, world, dice.choice([None, viewer]), dice):
            ways = [carried_out(game, one, move, viewer) for one in (world, other)]
            if None not in ways and type(move).__name__ != "Grab":
                assert ways[0] == ways[1], move
                made += 1
    return made


def thinkable(game, state, claimant, dice):
    """Return some moves that *claimant* may think legal and may tell."""
    known, who = redact(state, claimant), Who(claimant, host=True)
    moves = [m for m in game.legal(known) if may_make(game, known, m, who)]
    moves = [m for m in moves if claimant is not None or not is_private(m)]
    return dice.sample(moves, min(MOVES, len(moves)))


def carried_out(game, state, move, viewer):
    """Return what *viewer* sees of a move, None where the rules lay all open by it.

    A whole hand that is taken (`Grab`) is seen by whoever takes it.
    """
    after, events = game.apply(state, move)
    assert game.check(after) == (), move
    over = game.outcome(after) is not None
    assert over or tuple(game.legal(after)), move
    if over or str(getattr(after, "phase", "")) in LAID_OPEN:
        return None
    return contract.coded(redact(after, viewer)), contract.coded(redact(events, viewer))


@each_game
def test_what_a_few_tellers_say_is_believed_in_every_world(game):
    assert sum(believed(game, seed) for seed in range(FEW)) > 0


@pytest.mark.long
@each_game
def test_what_many_tellers_say_is_believed_in_every_world(game, record_property):
    made = sum(believed(game, seed) for seed in range(MANY))

    record_property("figures", f"{MANY} games, {made} moves believed in two worlds")
