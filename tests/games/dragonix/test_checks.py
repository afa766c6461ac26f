"""What can never be: each violation with a state that has it."""

import pytest
from msgspec.structs import replace

from companion.games.core import with_value
from companion.games.dragonix import GAME
from companion.games.dragonix.box import STAND_IN, Box, Colour, check_box
from companion.games.dragonix.pieces import HERO, Token
from companion.games.dragonix.state import (
    EFFECT,
    OVER,
    Stack,
)
from companion.games.hidden import (
    Hidden,
)
from tests.games.dragonix.tables import card, cards, new_game, play, scene, stack

PLAIN = scene(
    hands=("sun5 sun6", "rock1 ?"),
    under=("krak1",),
    I="sun4 hero sun9",
    III="rock4 rock8",
    tower="forest2",
    red="IV",
    tokens=("plague", "undead"),
)
SIDE = PLAIN.sides[0]


def with_row(row, text_or_stack):
    made = text_or_stack
    if isinstance(made, str):
        made = stack(row, made)
    return replace(PLAIN, rows=with_value(PLAIN.rows, row, made))


def with_side(**changes):
    return replace(PLAIN, sides=(replace(SIDE, **changes), PLAIN.sides[1]))


def with_turn(**changes):
    return replace(PLAIN, turn=replace(PLAIN.turn, **changes))


BROKEN = {
    "row_missing": replace(PLAIN, rows=PLAIN.rows[:4]),
    "seat_missing": replace(PLAIN, sides=PLAIN.sides[:1]),
    "no_such_seat": replace(PLAIN, seat=2),
    "dragon_nowhere": replace(PLAIN, red=4),
    "counts_wrong": with_side(camp=0),
    "no_such_card": with_side(shown=(1, 50)),
    "card_twice": with_row(1, "sun5"),
    "unseen_wrong": replace(PLAIN, unseen=PLAIN.unseen | 1 << card("sun5")),
    "heroes_wrong": replace(PLAIN, heroes=1),
    "cards_do_not_add_up": with_side(camp=9),
    "value_missing": with_row(1, Stack(cards("rock3"), ())),
    "row_not_boxed": with_row(1, "sun12 sun11 sun10 rock9 rock7 rock6"),
    "too_many_heroes": with_row(1, "sun12 hero rock9 hero"),
    "value_wrong": with_row(1, Stack(cards("rock3"), (4,))),
    "row_out_of_order": with_row(1, "rock3 rock5"),
    "row_of_two_peoples": with_row(3, "rock3 sun2"),
    "order_without_row": with_row(1, Stack(cards("rock3"), (3,), 2, True)),
    "dragons_meet": replace(PLAIN, undead=3, undead_by=1),
    "undead_of_nobody": replace(PLAIN, undead=2),
    "undead_off_but_gone": replace(PLAIN, undead_off=True),
    "tokens_do_not_add_up": replace(PLAIN, spent=()),
    "too_many_tokens": with_side(tokens=2),
    "note_not_secret": with_side(noted=Hidden((), (0, 1))),
    "note_of_card_in_sight": with_side(
        shown=cards("sun5"), noted=Hidden(cards("sun6"), (0,))
    ),
    "note_of_spent_token": with_side(
        tokens=2, noted_tokens=Hidden((Token.FLIGHT,), (0,))
    ),
    "bound_to_nothing": with_turn(bound=7),
    "token_out_of_turn": with_turn(pending=Token.PLAGUE),
    "aim_out_of_turn": with_turn(aim=1),
    "taken_back_from_nowhere": with_turn(ghost=stack(0, "sun4")),
    "played_before_the_start": replace(
        new_game(), rows=(stack(0, "sun1 sun2"), *new_game().rows[1:])
    ),
    "over_with_cards_left": replace(PLAIN, phase=OVER),
    "game_over_unnoticed": with_side(hand=0, shown=(), camp=0, under=()),
}


@pytest.mark.parametrize("code", BROKEN)
def test_a_broken_state_is_reported(code):
    assert code in {violation.code for violation in GAME.check(BROKEN[code])}


def test_a_sound_state_is_not():
    assert GAME.check(PLAIN) == ()


def test_a_row_of_two_peoples_is_sound_after_a_counter_order():
    state = scene(hands=("sun5",), III="rock4", red="I", tokens=("counter",))

    state = play(state, "token counter", "recolour III sun", "play sun5 III")

    assert GAME.check(state) == ()


def test_a_token_carried_out_needs_a_token():
    state = replace(PLAIN, phase=EFFECT)

    assert "token_out_of_turn" in {fault.code for fault in GAME.check(state)}


def test_a_hero_may_not_be_on_the_tower():
    state = with_row(4, Stack((HERO,), (1,)))

    assert "too_many_heroes" in {fault.code for fault in GAME.check(state)}


class TestBox:
    def test_the_stand_in_is_sound(self):
        assert check_box(STAND_IN) == ()

    def test_four_colours_all_different(self):
        wrong = Box((Colour.RED, Colour.RED, Colour.BLUE))

        assert [fault.code for fault in check_box(wrong)] == [
            "colours_not_four",
            "colour_twice",
        ]
