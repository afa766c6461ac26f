"""What was counted last is kept, and comes to the same as counting all anew."""

import random

import pytest

from companion.games.eight_dragons import GAME, lying
from companion.games.eight_dragons.pieces import Card
from companion.games.eight_dragons.state import LYING, Turn
from companion.games.hidden import (
    redact,
)
from tests.games.eight_dragons.tables import (
    config,
    keen,
    offered,
    place,
    play,
    start,
    table,
)


def listed(state):
    """Return the turns and the tokens as they are listed."""
    return lying.turns(state), lying.tokens(state)


def counted_anew(state):
    """Return the same with nothing kept; what was kept is put back."""
    kept = [*lying._KEPT]
    lying._KEPT.clear()
    anew = listed(state)
    lying._KEPT[:] = kept
    return anew


@pytest.mark.parametrize("seed", range(4))
def test_a_whole_game_is_followed_move_by_move(seed):
    short = {"ED0": "short"} if seed % 2 else {}

    for step in keen(config(4, **short), seed):
        assert listed(step.after) == counted_anew(step.after)


def test_one_may_jump_between_moves_games_and_what_each_viewer_sees():
    dice = random.Random(1)
    states = [step.after for seed in (1, 2) for step in keen(config(3), seed)]
    states = dice.sample(states, 100)
    views = [redact(state, viewer) for state in states for viewer in (None, 0)]

    for state in dice.sample([*states, *views], 250):
        assert listed(state) == counted_anew(state)


def test_a_card_that_nobody_has_seen_is_left_again_once_its_token_is_off():
    state = table(grid="red_head red_head ? gold_tail", tokens=(1, 1))
    assert "turn a3 twin" in offered(state)

    blocked = play(state, "token a3")

    assert offered(blocked) == {
        "turn a1 red_head",
        "turn a2 red_head",
        "turn a4 gold_tail",
        "miss",
    }
    state = play(
        blocked, "turn a1 red_head", "turn a2 red_head", "take a1", "take a2", "free a3"
    )
    assert "turn a3 twin" in offered(state)
    assert listed(state) == counted_anew(state)


def test_a_table_that_bends_the_rules_is_followed_too():
    state = table(grid="red_head ? ? gold_tail", tokens=(1, 1))
    state = play(state, "token a1")
    other = Turn(place("a4"), LYING[Card.GRAB])
    for move in (Turn(place("a1"), LYING[Card.RED_HEAD]), other):
        assert listed(state) == counted_anew(state)

        after, _ = GAME.apply(state, move)

        assert listed(after) == counted_anew(after)


def test_cards_are_left_once_a_hand_is_not_known():
    state = table(grid="? ?", hands=["gold_tail gold_legs"])
    assert "turn a1 gold_tail" not in offered(state)

    assert "turn a1 gold_tail" in offered(redact(state, None))


def test_while_somebody_else_counts_one_counts_for_oneself():
    state = start()
    before = listed(state)
    lying._KEPT.clear()
    after, _ = GAME.apply(state, Turn(place("a1"), LYING[Card.TWIN]))
    assert listed(state) == before

    lying._KEPT.clear()

    assert lying.turns(after) == [
        Turn(place("a1"), LYING[Card.TWIN]),
        *(turn for turn in before[0] if turn.place and turn.card.value != "twin"),
    ]
