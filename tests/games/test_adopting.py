"""The table is right: whatever lies there, a game takes it over soundly or not at all.

Hands do to random positions what no move does, as in `tests.evening.by_sight`.
"""

import random
from collections import Counter

import msgspec
import pytest

from companion.corrections.adopt import as_it_lies
from companion.games import GAMES
from companion.games.hidden import (
    redact,
)
from companion.referee.changes import apply_changes, changes_between
from companion.table import TRAY, Placed, Removed
from tests.games import contract

pytestmark = pytest.mark.slow  # some hundred random slips a game

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)

EVERY = 7
"""Every seventh position is looked at, in one game for each number of seats."""

ACTS = 12
"""So many things hands do to one position."""

PLAYED_ON = 15
"""So many moves are made on from what was taken over."""


def bare(layout):
    return frozenset(thing for thing in layout if thing[2] != TRAY)


def positions(game):
    for seats in game.seats:
        setting = contract.config(game, seats)
        for n, step in enumerate(contract.steps(game, setting, seed=seats)):
            if n % EVERY == 0:
                yield seats, step.before


def false_acts(game, state, dice, places):
    """Yield changes of what lies there: gone, elsewhere, or another of its faces."""
    lying = sorted(bare(game.layout(state)), key=repr)
    faces = {kind.piece: kind.faces for kind in game.pieces}
    for _ in range(ACTS if lying else 0):
        piece, face, here = dice.choice(lying)
        act = [Removed(piece, here, face)]
        kind = dice.random()
        if kind < 0.55:
            act.append(Placed(piece, face, dice.choice(places)))
        elif kind < 0.85 and faces[piece]:
            act.append(Placed(piece, dice.choice(faces[piece]), here))
        elif kind < 0.95:
            # Something comes from nowhere in sight.
            came = faces[piece]
            act = [
                Placed(piece, dice.choice(came) if came else face, dice.choice(places))
            ]
        yield frozenset(act)


@each_game
def test_what_hands_left_is_taken_over_soundly_or_not_at_all(game):
    dice = random.Random(game.id)
    places, told = set(), Counter()
    for seats, state in positions(game):
        places |= {place for _, _, place in bare(game.layout(state))}
        for act in false_acts(game, state, dice, sorted(places)):
            there = apply_changes(game.layout(state), act)
            acts = changes_between(game.layout(state), there)

            adopted = as_it_lies(game, state, acts)

            told[adopted is None] += 1
            if adopted is None:
                continue
            assert game.check(adopted) == ()
            assert decoded(game, adopted) == adopted
            assert bare(game.layout(adopted)) == bare(there)
            assert contract.prompts_for(game, redact(adopted, None), None)
            assert turn(game, adopted) == turn(game, state)
            assert_secrets_kept(game, state, adopted, seats)
            assert_goes_on(game, adopted, dice)
    assert told[False] > 20, "nothing was taken over, so nothing was tested"


def decoded(game, state):
    """Return the state as a stored log gives it back."""
    return msgspec.json.decode(contract.coded(state), type=game.state_type)


def turn(game, state):
    return [(p.who, p.reminder) for p in game.expects(state) if not p.reminder][:1]


def assert_secrets_kept(game, state, adopted, seats):
    """Nobody learns from what was taken over what was hidden before."""
    for viewer in contract.viewers(seats):
        seen = redact(adopted, viewer)
        assert contract.open_secrets(seen, viewer) == []
        other = game.resample(adopted, viewer, 1)
        assert not game.check(other)
        assert contract.coded(redact(other, viewer)) == contract.coded(seen)


def assert_goes_on(game, state, dice):
    for _ in range(PLAYED_ON):
        moves = list(game.legal(state))
        if not moves:
            assert game.outcome(state) is not None
            return
        state, _ = game.apply(state, dice.choice(moves))
        assert game.check(state) == ()


@each_game
def test_what_is_hidden_does_not_decide_whether_the_table_may_be_right(game):
    dice = random.Random(game.id)
    places = set()
    for _, state in positions(game):
        places |= {place for _, _, place in bare(game.layout(state))}
        known = redact(state, None)
        for act in false_acts(game, state, dice, sorted(places)):
            acts = changes_between(
                game.layout(state), apply_changes(game.layout(state), act)
            )

            public = as_it_lies(game, known, acts)
            adopted = as_it_lies(game, state, acts)

            if public is None:
                continue
            if adopted is None:
                # Only a card that the referee saw to be another one contradicts it.
                assert game.id == "eight_dragons"
            else:
                assert redact(adopted, None) == redact(public, None)


@each_game
def test_a_table_in_order_is_nothing_to_take_over(game):
    state = game.setup(contract.config(game, game.seats.start))

    assert as_it_lies(game, state, ()) is None
