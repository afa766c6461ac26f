"""The table is right: dragons, markers and eggs as they lie there."""

from companion.corrections.adopt import as_it_lies
from companion.games.dragorun import GAME
from companion.games.dragorun.pieces import Egg
from companion.table import Flipped, Moved, Placed, Removed
from tests.games.dragorun.tables import scene


def lies(state, *sights):
    return as_it_lies(GAME, state, sights)


def test_a_dragon_stands_where_it_was_left():
    state = scene((1, 2, 3, 4, 5), dice="red +1")

    after = lies(state, Moved("red", "track/1", "track/7"))

    assert after.cells == (7, 2, 3, 4, 5)
    assert (after.seat, after.phase, after.step) == (0, state.phase, state.step)


def test_who_comes_to_the_snail_cell_comes_last():
    state = scene((0, 2, 3, 4, 5))

    after = lies(state, Moved("green", "track/2", "track/0"))

    assert after.line == (0, 1)


def test_of_two_on_the_snail_cell_nobody_knows_who_came_last():
    state = scene((1, 2, 3, 4, 5))
    both = [Moved("red", "track/1", "track/0"), Moved("green", "track/2", "track/0")]

    assert lies(state, *both) is None


def test_two_riders_who_changed_their_dragons_keep_them():
    state = scene((1, 2, 3, 4, 5))
    red, green = "marker/red", "marker/green"

    after = lies(
        state, Moved(red, "seat/0", "seat/1"), Moved(green, "seat/1", "seat/0")
    )

    assert after.markers == (1, 0)


def test_a_marker_that_was_turned_down_is_protected():
    state = scene((1, 2, 3, 4, 5))

    after = lies(state, Flipped("marker/green", "back", "seat/1"))

    assert after.hidden == (False, True)


def test_an_egg_more_was_drawn_and_an_egg_less_was_put_back():
    state = scene((1, 2, 3, 4, 5), eggs=("red", ""))

    more = lies(state, Placed("egg", "snail", "egg/1/1"))
    less = lies(state, Removed("egg", "egg/0/1", "red"))

    assert (more.eggs, more.drawn) == (((Egg.RED,), (Egg.SNAIL,)), state.drawn + 1)
    assert (less.eggs, less.drawn) == (((), ()), state.drawn)


def test_the_last_egg_is_not_taken_over_as_all_go_back_then():
    held = ("red red green green blue blue", "yellow yellow violet violet snail")
    state = scene((1, 2, 3, 4, 5), eggs=held)

    assert lies(state, Placed("egg", "mushroom", "egg/1/6")) is None


def test_a_dragon_at_the_finish_ends_the_race_by_a_move_only():
    state = scene((1, 2, 3, 4, 5), finish=12)

    assert lies(state, Moved("red", "track/1", "track/12")) is None
