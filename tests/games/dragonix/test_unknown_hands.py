"""A hand that nobody has told: allowed is what some hand allows, and nothing else."""

import random
from itertools import combinations

import pytest
from msgspec.structs import replace

from companion.games.core import (
    Config,
    with_value,
)
from companion.games.dragonix import GAME
from companion.games.dragonix.cards import A_HERO, in_order
from companion.games.dragonix.hands import hand_of
from companion.games.dragonix.moves import NoteCard, NoteToken
from companion.games.dragonix.pieces import HERO
from companion.games.dragonix.state import (
    PLAY,
)
from companion.games.hidden import (
    Hidden,
)

MANY = 1100
"""No more hands than these are gone through in one position."""


def positions(seed, options=()):
    """Yield positions of step A in which up to two cards of the hand are not told."""
    dice = random.Random(seed)
    state = GAME.setup(Config(1 + seed % 4, GAME.stand_in, options))
    while moves := list(GAME.legal(state)):
        if state.phase is PLAY and 1 <= hand_of(state, state.seat).unknown <= 2:
            yield state
        notes = [m for m in moves if isinstance(m, NoteCard | NoteToken)]
        others = [m for m in moves if m not in notes]
        wanted = notes if notes and dice.random() < 0.25 else others
        state, _ = GAME.apply(state, dice.choice(wanted))


def hands(state):
    """Yield the position with each hand that it may be."""
    hand = hand_of(state, state.seat)
    pool = [*in_order(hand.pool & ~A_HERO), *(HERO,) * hand.heroes]
    for more in dict.fromkeys(combinations(pool, hand.unknown)):
        side = state.side
        noted = Hidden(tuple(sorted((*side.noted.value, *more))), (state.seat,))
        told = replace(side, noted=noted)
        yield replace(state, sides=with_value(state.sides, state.seat, told))


def offered(state):
    return {
        move for move in GAME.legal(state) if not isinstance(move, NoteCard | NoteToken)
    }


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(
    "options",
    [(), (("DX9", "armies_only"), ("DX14", "alone"))],
    ids=["defaults", "other options"],
)
def test_a_move_is_offered_exactly_when_some_hand_allows_it(seed, options):
    for state in positions(seed, options):
        every = [offered(told) for told in hands(state)]
        if len(every) > MANY:
            continue
        if state.turn.ghost is None and not state.turn.swapped:
            assert offered(state) == set().union(*every)
        else:  # some of these hands would never have begun what was begun
            assert offered(state) <= set().union(*every)
