"""Every fault that a state can have is found; a sound state has none."""

import pytest
from msgspec.structs import replace

from companion.games.drachenhort import GAME
from companion.games.drachenhort.state import (
    ADVANCE,
    DRAGON,
    FLIP,
    OFF,
    OVER,
    SHOW,
    THROW,
)
from companion.games.hidden import (
    Hidden,
)
from tests.games.drachenhort.tables import new_game, scene

NONE = (0,) * 7
ALL = (8, 6, 5, 4, 3, 2, 1)

START = new_game("..j.........")
RUN = scene("..j....l.d..", green="4", red="6d", blue="start", pips=0)
AFTER = replace(RUN, phase=FLIP, medals=(ALL, NONE))
SECOND = replace(START, round=2, medals=(ALL, NONE), jewels=(), removed=1)
LAST = replace(SECOND, phase=SHOW, medals=(ALL, ALL))


def cells(**heroes):
    """Return RUN with heroes elsewhere, whatever the light."""
    index = {"green": 0, "red": 1, "blue": 2}
    moved = list(RUN.cells)
    for hero, cell in heroes.items():
        moved[index[hero]] = cell
    return replace(RUN, cells=tuple(moved))


def silver(*medals):
    return replace(RUN, medals=(medals, NONE))


BROKEN = {
    "adventurer_missing": [
        replace(RUN, cells=RUN.cells[:6]),
        replace(RUN, lit=RUN.lit[:6]),
        replace(RUN, medals=(ALL[:6], NONE)),
        replace(RUN, medals=(ALL, (*NONE, 0))),
    ],
    "seat_missing": [
        replace(RUN, won=(0,)),
        replace(RUN, noted=RUN.noted[:1]),
        replace(RUN, shown=(None,) * 3),
    ],
    "no_such_seat": [replace(RUN, seat=2), replace(RUN, seat=-1)],
    "no_such_round": [replace(RUN, round=3), replace(RUN, round=0)],
    "no_such_cell": [cells(green=13), cells(green=-1), cells(green=-3)],
    "two_on_one_cell": [cells(green=6)],
    "half_that_the_cell_lacks": [
        cells(green=10),  # wholly dark, yet in light
        cells(red=8),  # wholly lit, yet in shadow
        replace(RUN, lit=(True, False, False, *RUN.lit[3:])),  # shadow at the start
        replace(RUN, lit=(*RUN.lit[:6], True)),  # off the board, yet in light
    ],
    "dragon_off_the_board": [replace(AFTER, dragon=13), replace(RUN, dragon=-2)],
    "dragon_passed_somebody": [replace(RUN, dragon=0), replace(RUN, dragon=5)],
    "no_such_medal": [silver(0, 0, 0, 1, 2, 3, 7)],
    "medal_twice": [silver(0, 0, 0, 1, 2, 3, 3)],
    "gold_too_early": [replace(RUN, medals=(RUN.medals[0], RUN.medals[0]))],
    "medals_left_over": [
        replace(AFTER, medals=((*ALL[:6], 0), NONE)),
        replace(SECOND, medals=((*ALL[:6], 0), NONE)),
        replace(LAST, medals=(ALL, (*ALL[:6], 0))),
    ],
    "medals_out_of_order": [silver(0, 0, 0, 1, 2, 3, 5), silver(0, 0, 0, 2, 3, 4, 5)],
    "captured_without_medal": [
        silver(0, 0, 0, 0, 1, 2, 3),
        silver(1, 0, 0, 0, 2, 3, 4),
    ],
    "round_over_unnoticed": [
        replace(
            RUN,
            cells=(4, *(OFF,) * 6),
            lit=(True, *(False,) * 6),
            medals=((0, 1, 2, 3, 4, 5, 6), NONE),
        )
    ],
    "jewels_do_not_add_up": [
        replace(RUN, won=(1, 0)),
        replace(RUN, jewels=()),
        replace(RUN, removed=1),
        replace(RUN, won=(-1, 1)),
        replace(RUN, removed=-1, won=(1, 0)),
        replace(SECOND, removed=0),
    ],
    "jewel_where_none_is_laid": [replace(RUN, jewels=(4,))],
    "throw_out_of_turn": [
        replace(RUN, pips=3),
        replace(RUN, phase=ADVANCE),
        replace(RUN, phase=ADVANCE, pips=5),
        replace(RUN, pips=5),
    ],
    "nobody_can_advance": [
        replace(
            RUN,
            phase=ADVANCE,
            pips=3,
            cells=(4, 6, 7, *RUN.cells[3:]),
            lit=(False,) * 7,
        )
    ],
    "dragon_while_somebody_is_in_light": [replace(RUN, phase=DRAGON)],
    "flip_in_second_round": [replace(SECOND, phase=FLIP, medals=(ALL, ALL))],
    "no_such_group": [
        replace(LAST, shown=(7, None)),
        replace(RUN, noted=(Hidden(9, (0,)), RUN.noted[1])),
    ],
    "group_twice": [replace(LAST, shown=(2, 2), phase=OVER)],
    "group_shown_too_early": [replace(RUN, shown=(2, None))],
    "group_open": [replace(LAST, phase=OVER, shown=(2, None))],
    "game_over_unnoticed": [replace(LAST, shown=(2, 3))],
    "group_not_secret": [
        replace(RUN, noted=(Hidden(2, (0, 1)), RUN.noted[1])),
        replace(RUN, noted=(Hidden(2), RUN.noted[1])),
    ],
}


def codes(state):
    return [violation.code for violation in GAME.check(state)]


@pytest.mark.parametrize(
    "state",
    [START, RUN, AFTER, SECOND, LAST, replace(LAST, phase=OVER, shown=(2, 3))],
    ids=["start", "run", "after", "second", "last", "over"],
)
def test_a_sound_state_has_no_fault(state):
    assert codes(state) == []


@pytest.mark.parametrize(
    ("code", "state"),
    [(code, state) for code, states in BROKEN.items() for state in states],
    ids=[f"{code}-{n}" for code, states in BROKEN.items() for n in range(len(states))],
)
def test_a_broken_state_is_told(code, state):
    assert code in codes(state)


def test_two_may_share_a_cell_where_the_second_trap_is_taken_by_the_letter():
    shared = scene(green="4", red="4d", blue="start", options={"DH7": "next_cell"})

    assert codes(shared) == []


def test_several_faults_are_all_told():
    state = replace(RUN, won=(1, 0), dragon=5, phase=THROW)

    assert {"jewels_do_not_add_up", "dragon_passed_somebody"} <= set(codes(state))
