"""How often the table is stopped and asked whether the game is over.

Those who play here never say yes: they take pairs, exchange cards and lay dragons until
the book itself ends the game.
"""

import random
from collections import Counter

import pytest

from companion.games.eight_dragons import GAME
from companion.games.eight_dragons.state import ASK, Decide, End
from tests.games.eight_dragons.tables import config, weight

LONGEST = 2_000
"""Some tables could go on for ever, as they never say that the game is over."""


def questions(seed):
    """Yield each question of a game for two, and the tables it was asked about."""
    dice = random.Random(seed)
    state = GAME.setup(config(2))
    for _ in range(LONGEST):
        moves = [move for move in GAME.legal(state) if move != Decide(True)]
        if not moves:
            return
        if state.phase is ASK:
            yield state
        move = dice.choices(moves, [weight(state, move) for move in moves])[0]
        state, _ = GAME.apply(state, move)


def open_table(state):
    """Return what all can see of who holds how much and what can still come."""
    spent = [spot for spot in state.grid if type(spot).__name__ == "Card"]
    hands = [len(hand) for hand in state.hands]
    return hands, sorted(spent), state.laid, state.tokens, state.blocked


def count(seeds):
    """Return how many questions there were by reason; each one is a true one."""
    found = Counter()
    for seed in seeds:
        before = None
        for state in questions(seed):
            found[state.end] += 1
            assert open_table(state) != before, (seed, "asked twice about one table")
            before = open_table(state)
            if state.end is End.PAIR_LEFT:
                assert any(still_there(state, pair) for pair in state.left), seed
    return found


def still_there(state, pair):
    """Tell whether both cards of a pair that the next player left are a pair there."""
    seat, *places = pair
    one, other = (state.grid[n].value for n in places)
    alike = set(one.split("_")) & set(other.split("_"))
    return seat == state.next_seat and bool(alike)


def test_a_game_for_two_is_seldom_stopped():
    assert count(range(2)).total() <= 2 * 6


@pytest.mark.long
def test_a_hundred_games_are_seldom_stopped(record_property):
    found = count(range(100))

    each = {end: n / 100 for end, n in found.items()}
    record_property(
        "figures",
        f"100 games for two: {found.total() / 100:.1f} questions a game, of these "
        f"{each.get(End.PAIR_LEFT, 0):.1f} for a pair left, "
        f"{each.get(End.BARREN, 0):.1f} for a round without gain",
    )
    assert found.total() < 100 * 6
