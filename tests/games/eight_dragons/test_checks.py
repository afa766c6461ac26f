"""Every invariant with a position that breaks it."""

import pytest
from msgspec.structs import replace

from companion.games.core import with_value
from companion.games.eight_dragons import GAME
from companion.games.eight_dragons.pieces import Card
from companion.games.eight_dragons.state import (
    AFTER,
    ASK,
    DRAW,
    FIRST,
    HELD,
    LYING,
    OVER,
    PAIR,
    SECOND,
    End,
    Match,
)
from companion.games.hidden import (
    Hidden,
)
from tests.games.eight_dragons.tables import dealt, parts, play, start


def codes(state):
    return [violation.code for violation in GAME.check(state)]


def holding(seat, *names, seats=2):
    """Return a dealt table whose seat holds some of its cards."""
    state = dealt(seats)
    grid, held = list(state.grid), []
    for name in names:
        grid[grid.index(LYING[Card(name)])] = None
        held.append(HELD[seat][Card(name)])
    return replace(
        state, grid=tuple(grid), hands=with_value(state.hands, seat, tuple(held))
    )


def with_spot(state, spot):
    """Return *state* with the first card like *spot* lying open."""
    return replace(
        state, grid=with_value(state.grid, state.grid.index(LYING[spot]), spot)
    )


FIVE = ("red_tail", "red_legs", "red_claws", "red_head", "gold_head")
RED = parts("red_tail", "red_legs", "red_claws", "red_head")
MIXED = parts("red_tail", "red_legs", "red_claws", "gold_head")


def test_a_sound_table_has_no_fault():
    assert codes(start()) == []
    assert codes(dealt(4)) == []
    assert codes(holding(0, *FIVE)) == []
    assert codes(play(start(), "turn a1 red_head", "turn a2 gold_head")) == []


@pytest.mark.parametrize(
    ("code", "state"),
    [
        ("seat_missing", replace(start(), hands=((),))),
        ("no_such_seat", replace(start(), seat=2)),
        ("place_missing", replace(start(), grid=start().grid[:41])),
        ("no_such_place", replace(start(), blocked=((42, 0),), tokens=(0, 1))),
        ("card_twice", replace(start(), grid=(LYING[Card.TWIN],) * 42)),
        ("cards_do_not_add_up", replace(start(), grid=(None, *start().grid[1:]))),
        (
            "card_not_secret",
            replace(dealt(), grid=(Hidden(Card.FIREBALL, (0,)), *dealt().grid[1:])),
        ),
        (
            "hand_not_secret",
            replace(
                holding(0, "red_tail"), hands=((Hidden(Card.RED_TAIL, (0, 1)),), ())
            ),
        ),
        ("special_in_hand", holding(0, "diamond")),
        ("hand_too_big", replace(holding(2, *FIVE, seats=4))),
        (
            "turned_with_excess",
            replace(
                with_spot(holding(0, *FIVE), Card.SILVER_HEAD),
                phase=SECOND,
                up=(dealt().grid.index(LYING[Card.SILVER_HEAD]),),
            ),
        ),
        ("left_face_up", with_spot(dealt(), Card.SILVER_HEAD)),
        ("turned_out_of_turn", replace(start(), phase=SECOND)),
        ("twin_spent", with_spot(dealt(), Card.TWIN)),
        ("no_dragon", replace(start(), laid=((MIXED,), ()))),
        (
            "two_tokens_on_one_card",
            replace(start(), blocked=((3, 0), (3, 1)), tokens=(0, 0)),
        ),
        (
            "token_on_no_card",
            replace(with_spot(dealt(), Card.DIAMOND), blocked=(
                (dealt().grid.index(LYING[Card.DIAMOND]), 0),), tokens=(0, 1)),
        ),
        ("token_too_many", replace(start(), tokens=(1, 2))),
        ("token_missing", replace(start(), tokens=(-1, 1))),
        ("draw_out_of_turn", replace(start(), draws=1)),
        ("draw_out_of_turn", replace(start(), phase=DRAW)),
        (
            "pair_that_is_none",
            replace(play(start(), "turn a1 red_head", "turn a2 red_tail"), match=None),
        ),
        ("replay_out_of_turn", replace(start(), again=True)),
        ("end_unnoticed", replace(start(), end=End.BARREN)),
        ("end_unnoticed", replace(start(), phase=OVER)),
    ],
)  # fmt: skip
def test_a_fault_is_found(code, state):
    assert code in codes(state)


def test_cards_turned_in_the_wrong_phase_are_found():
    turned = play(start(), "turn a1 red_head")

    for phase in (FIRST, AFTER, PAIR):
        found = codes(replace(turned, phase=phase))
        expected = "pair_that_is_none" if phase is PAIR else "turned_out_of_turn"
        assert expected in found


def test_the_next_player_may_hold_too_many_for_a_while():
    assert codes(holding(1, *FIVE, seats=3)) == []


def test_all_faults_are_told_at_once():
    state = replace(start(), draws=1, end=End.BARREN, tokens=(5, -1))

    assert set(codes(state)) == {
        "draw_out_of_turn",
        "end_unnoticed",
        "token_too_many",
        "token_missing",
    }


def test_what_is_asked_and_a_laid_dragon_are_sound():
    asked = replace(start(), phase=ASK, end=End.PAIR_LEFT)

    assert codes(asked) == []
    assert "card_twice" in codes(replace(start(), laid=((RED, RED), (RED, RED))))
    assert Match.SHAPE == "shape"
