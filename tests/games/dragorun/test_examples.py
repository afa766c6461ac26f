"""The worked examples of the rulebook, and what it says in passing."""

from companion.games.dragorun import GAME
from companion.games.dragorun.pieces import Egg
from companion.games.dragorun.state import AGAIN
from tests.games.dragorun.tables import (
    DRAGONS,
    legal,
    play,
    refused,
    rider,
    scene,
    story,
    swaps,
    ways,
    where,
)

FAR = (8, 6, 5, 4, 3)


def test_dr_e1_the_joker_moves_blue_by_two_over_green():
    """Line 115: white and +2; blue on 5 jumps over green on 6 and ends on 8."""
    state = scene((10, 6, 5, 3, 2), riders="blue red", dice="white +2")

    assert "move blue 8" in ways(state)
    assert {way.split()[1] for way in ways(state)} == set(DRAGONS)
    assert where(play(state, "move blue 8"), "blue") == 8


def test_dr_e2_the_green_egg_moves_green_to_the_next_free_cell():
    """Line 131: green on 6, with 7 taken, goes to 8; two eggs of each colour."""
    state = play(scene((7, 6, 5, 4, 3)), "swap blue")

    odds = {move.egg: part for move, part in GAME.chance(state)}
    assert all(odds[Egg(dragon)] * 12 == 2 for dragon in DRAGONS)
    assert legal(play(state, "egg green")) == {"move green 8"}


def test_dr_e3_who_is_given_the_last_dragon_may_put_eggs_back():
    """Line 146: yellow is last and is swapped away."""
    state = scene((8, 6, 5, 2, 3), riders="yellow red", eggs=("", "mushroom"))

    state = play(state, "swap red", "egg blue", "move blue 7")
    assert rider(state, 1) == "yellow"
    assert state.seat == 1
    assert "return" in legal(state)


def test_dr_e4_a_die_may_make_ones_dragon_last():
    """Line 148, first case: an opponent's snail."""
    state = scene(FAR, riders="green red", eggs=("", "blue"))

    state = play(state, "throw red snail", "move red 2")
    assert "return" in legal(state)


def test_dr_e4_who_takes_the_last_dragon_waits_for_the_next_turn():
    """Line 148, second case: and it must still be last then."""
    state = play(scene(FAR), "swap violet", "egg mushroom")

    still = play(state, "throw red +1", "move red 9")
    assert "return" in legal(still)
    no_more = play(state, "throw red snail", "move red 2")
    assert refused(no_more, "return")[1] == "not_last"


def test_dr_e5_a_marker_just_taken_is_out_of_reach_until_ones_turn():
    """Line 121."""
    state = play(scene(FAR, riders="red green blue"), "swap yellow", "egg mushroom")

    assert "yellow" not in swaps(state)
    state = play(state, "throw red +1", "move red 9")
    assert "yellow" not in swaps(state)
    state = play(state, "throw red +1", "move red 10")
    assert state.hidden == (False, False, False)


def test_dr_e6_the_mushroom_bars_the_win():
    """Lines 139 and 152."""
    state = scene((11, 6, 10, 4, 3), riders="red green blue", eggs=("mushroom",))
    state = play(state, "throw red +1", "move red 12")

    assert GAME.outcome(state).winners == (2,)


def test_dr_e7_nobody_rides_the_first_dragon():
    """Line 154."""
    state = play(scene((6, 5, 4, 11, 3)), "throw yellow +1", "move yellow 12")

    assert state.phase is AGAIN


def test_dr_e8_the_twelfth_egg_acts_and_then_all_go_back():
    """Line 143."""
    held = ("red red green green blue blue", "yellow yellow violet snail mushroom")
    state = scene(FAR, eggs=held)

    state = play(state, "swap blue", "egg violet")
    assert sum(map(len, state.eggs)) == 12
    state = play(state, "move violet 7")
    assert state.eggs == ((), ())


def test_dr_e9_the_trophy_on_the_first_and_the_snail_on_the_last_move_nobody():
    """Lines 105 and 109."""
    state = scene(FAR)

    assert story(state, "throw red trophy", "move red 8") == ["dragon_stayed_first red"]
    assert story(state, "throw violet snail", "move violet 3") == [
        "dragon_stayed_last violet"
    ]
