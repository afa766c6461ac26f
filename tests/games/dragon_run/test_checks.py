"""Every invariant is broken once, and told."""

import pytest
from msgspec.structs import replace

from companion.games.dragon_run import GAME
from companion.games.dragon_run.box import Effect
from companion.games.dragon_run.pieces import FIT, OUT, Kind
from companion.games.dragon_run.state import Phase
from companion.games.hidden import (
    Hidden,
)
from tests.games.dragon_run.tables import kinds, new_game, play, scene

NINE_OPEN = "room room room room room bridge crypt chest mirror"
STATE = scene(noted={0: "gold-1 light"})
PAY = scene(noted={0: "gold-1 gold-1"}, phase="pay", need=2)
ENDED = play(scene(seats=2, anger=1, noted={0: "gold-1"}), "turn dragon")
OVER = play(scene(seats=2, anger=1, noted={0: "gold-1", 1: ""}), "turn dragon")
LANGUOR = kinds("languor")


def broken(state=STATE, **changes):
    return {violation.code for violation in GAME.check(replace(state, **changes))}


def note(*kinds, seen_by=(0,)):
    return (Hidden(kinds, seen_by), *STATE.noted[1:])


@pytest.mark.parametrize("state", [STATE, PAY, ENDED, OVER, new_game()])
def test_a_sound_state_has_no_violation(state):
    assert GAME.check(state) == ()


@pytest.mark.parametrize(
    ("code", "state", "changes"),
    [
        ("seat_missing", STATE, {"health": (FIT, FIT)}),
        ("seat_missing", STATE, {"fronts": ((), ())}),
        ("no_such_seat", STATE, {"seat": 3}),
        ("kind_missing", STATE, {"pile": (5, 1)}),
        ("kind_missing", STATE, {"unseen": (5, 1)}),
        ("no_such_place", STATE, {"turned": (9,)}),
        ("no_such_treasure", STATE, {"discard": (14,)}),
        ("no_such_treasure", STATE, {"noted": note(14)}),
        ("places_do_not_add_up", STATE, {"pile": (4, 1, 1, 1, 1, 1)}),
        ("places_do_not_add_up", STATE, {"pile": (5, 2, 0, 1, 1, 1), "turned": (2,)}),
        ("dragon_lies_open", STATE, {"pile": (5, 1, 1, 1, 1, 0), "turned": (5,)}),
        ("turn_began_later", STATE, {"since": 1}),
        ("treasures_do_not_add_up", STATE, {"discard": (0,)}),
        ("hidden_treasures_do_not_add_up", STATE, {"stock": 3}),
        ("hidden_treasures_do_not_add_up", STATE, {"discard": (None,)}),
        ("loose_kinds_wrong", STATE, {"loose": (0, 1)}),
        ("no_talisman_in_front", STATE, {"fronts": ((0,), (), ())}),
        ("note_not_secret", STATE, {"noted": note(0, seen_by=())}),
        ("more_noted_than_held", STATE, {"noted": note(0, 0, 0)}),
        ("notes_out_of_order", STATE, {"noted": note(1, 0)}),
        ("noted_what_lies_open", STATE, {"noted": note(5, 5)}),
        ("hero_twice", STATE, {"heroes": (1, 1, 2)}),
        ("no_such_hero", STATE, {"heroes": (1, 7, 2)}),
        ("hero_missing", STATE, {"heroes": (1, 2, -1)}),
        ("hero_missing", STATE, {"phase": Phase.DEAL}),
        ("burned_with_treasures", STATE, {"health": (FIT, OUT, FIT)}),
        ("no_such_anger", STATE, {"anger": 9}),
        ("payment_for_nothing", PAY, {"need": 3}),
        ("payment_short", PAY, {"paid": 2}),
        ("payment_short", PAY, {"phase": Phase.ROLL}),
        ("payment_cannot_end", PAY, {"noted": note(0), "hands": (1, 4, 4)}),
        ("payment_out_of_turn", STATE, {"paid": 1}),
        ("turn_of_a_burned", STATE, {"health": (OUT, FIT, FIT)}),
        ("no_such_face", STATE, {"rolled": 10}),
        ("effect_asks_nothing", STATE, {"phase": Phase.EFFECT}),
        ("effect_left_over", STATE, {"todo": (Effect(Kind.DISCARD),)}),
        ("potion_without_effect", STATE, {"phase": Phase.ANSWER}),
        ("game_over_unnoticed", STATE, {"anger": 0}),
        ("game_over_unnoticed", STATE, {"health": (OUT, OUT, OUT)}),
        ("game_over_unnoticed", ENDED, {"hands": (0, 0)}),
        ("dragon_awake", OVER, {"anger": 1}),
        ("treasures_not_shown", ENDED, {"phase": Phase.OVER}),
        ("shown_too_early", STATE, {"shown": ((0,), (), ())}),
    ],
)
def test_what_cannot_be_is_told(code, state, changes):
    assert code in broken(state, **changes)


def test_the_dragon_may_lie_open_while_it_is_redirected():
    state = play(scene(fronts={0: "redirection"}), "turn dragon")

    assert GAME.check(state) == ()


def test_a_potion_may_come_between_payment_and_roll():
    state = scene(noted={0: "gold-1 fingers"}, discard="annulment")

    state = play(state, "sneak", "discard gold-1", "play fingers")
    assert state.phase == "effect"
    assert GAME.check(state) == ()
