"""Every broken invariant is named; a sound state has none."""

import pytest
from msgspec.structs import replace

from companion.games.dragorun import GAME
from companion.games.dragorun.pieces import Colour, Egg, Step
from companion.games.dragorun.state import (
    AGAIN,
    DEAL,
    DECIDE,
    DRAW,
    EGG,
    KEEP,
    OVER,
    PLACE,
    TURN,
)
from tests.games.dragorun.tables import lined_up, new_game, play, scene

FAR = (8, 6, 5, 4, 3)
SCENE = scene(FAR)
THROWN = scene(FAR, dice="red +1")
ALL_EGGS = (Egg.RED,) * 2 + (Egg.GREEN,) * 2 + (Egg.BLUE,) * 2 + (Egg.YELLOW,) * 2
ALL_EGGS += (Egg.VIOLET,) * 2 + (Egg.SNAIL, Egg.MUSHROOM)


def codes(state, **changes):
    """Return what is wrong with *state* once it is changed."""
    return {violation.code for violation in GAME.check(replace(state, **changes))}


def test_a_sound_state_has_no_fault():
    for state in (new_game(), lined_up(), SCENE, THROWN):
        assert codes(state) == set()


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"cells": FAR[:4]}, "dragon_missing"),
        ({"markers": (0,)}, "seat_missing"),
        ({"hidden": (False,) * 3}, "seat_missing"),
        ({"eggs": ((),)}, "seat_missing"),
        ({"seat": 2}, "no_such_seat"),
        ({"winners": (4,)}, "no_such_seat"),
        ({"cells": (13, 6, 5, 4, 3)}, "no_such_cell"),
        ({"cells": (-2, 6, 5, 4, 3)}, "no_such_cell"),
        ({"markers": (0, 5)}, "no_such_marker"),
        ({"race": 0}, "no_such_race"),
        ({"cells": (6, 6, 5, 4, 3)}, "two_on_one_cell"),
        ({"cells": (0, 6, 5, 4, 3)}, "line_is_not_who_stands_there"),
        ({"line": (3,)}, "line_is_not_who_stands_there"),
        ({"cells": (-1, 6, 5, 4, 3)}, "dragon_not_placed"),
        ({"phase": PLACE}, "dragon_not_placed"),
        ({"phase": DEAL}, "not_on_a_start_cell"),
        ({"markers": (2, 2)}, "marker_twice"),
        ({"markers": (0, -1)}, "marker_missing"),
        ({"phase": DEAL}, "marker_dealt_unnoticed"),
        ({"markers": (0, -1), "hidden": (False, True)}, "hidden_without_marker"),
        ({"hidden": (True, False)}, "own_marker_hidden"),
        ({"phase": DRAW}, "new_marker_not_hidden"),
        ({"eggs": ((Egg.PINK,), ())}, "no_such_egg"),
        ({"eggs": ((Egg.RED,) * 3, ()), "drawn": 3}, "egg_too_many"),
        ({"eggs": ((Egg.MUSHROOM,) * 2, ()), "drawn": 2}, "egg_too_many"),
        ({"eggs": ((Egg.RED,), ())}, "eggs_drawn_do_not_add_up"),
        ({"eggs": (ALL_EGGS, ()), "drawn": 12}, "eggs_not_returned"),
        ({"colour": Colour.RED}, "dice_out_of_turn"),
        ({"phase": KEEP}, "dice_out_of_turn"),
        ({"phase": EGG, "hidden": (True, False)}, "no_egg_to_follow"),
        ({"cells": (12, 6, 5, 4, 3)}, "finish_unnoticed"),
        ({"phase": AGAIN}, "nobody_at_the_finish"),
        ({"phase": OVER, "cells": (12, 6, 5, 4, 3)}, "winners_out_of_place"),
        ({"winners": (0,)}, "winners_out_of_place"),
    ],
)
def test_what_cannot_be_in_a_turn(changes, code):
    assert code in codes(SCENE, **changes)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"colour": Colour.PINK}, "no_such_face"),
        ({"step": None}, "dice_out_of_turn"),
        ({"phase": TURN}, "dice_out_of_turn"),
    ],
)
def test_what_cannot_be_after_a_throw(changes, code):
    assert code in codes(THROWN, **changes)


def test_a_second_throw_that_moves_nobody_is_not_waited_for():
    bound = scene(FAR, dice="red +1", bound=True)

    assert codes(bound, step=Step.TROPHY) == {"throw_moves_nobody"}


def test_an_egg_that_moves_nobody_is_not_waited_for():
    state = play(SCENE, "swap blue", "egg snail")

    assert codes(state, cells=(8, 6, 2, 4, 3)) == {"egg_moves_nobody"}
    assert codes(state, eggs=((Egg.MUSHROOM,), ())) == {"no_egg_to_follow"}
    assert codes(state, eggs=((Egg.PINK,), ())) == {"no_such_egg"}


def test_a_tie_needs_two():
    over = play(scene((11, 6, 5, 4, 3), dice="red +1"), "move red 12")

    assert codes(over) == set()
    assert codes(over, phase=DECIDE) == {"nothing_to_decide"}


def test_a_dragon_placed_off_the_start_is_noticed_at_once():
    assert codes(play(new_game(), "place red 1"), cells=(7, -1, -1, -1, -1)) == {
        "not_on_a_start_cell"
    }


def test_dealt_out_of_the_set_up_is_noticed():
    assert codes(lined_up(), markers=(0, 1)) == {"marker_dealt_unnoticed"}
