"""The table is right: adventurers, jewels and medals as they lie there."""

from companion.corrections.adopt import as_it_lies
from companion.games.drachenhort import GAME
from companion.games.drachenhort.layout import JEWEL
from companion.games.drachenhort.state import OFF
from companion.table import Moved, Placed, Removed
from tests.games.drachenhort.tables import HEROES, scene

ALL = {hero.value: str(number + 3) for number, hero in enumerate(HEROES)}
"""Green on 3, and so on in the order of the box to cell 9."""

WITH_JEWEL = "..j" + "." * 9


def lies(state, *sights):
    return as_it_lies(GAME, state, sights)


def test_an_adventurer_stands_where_it_was_left():
    state = scene(**ALL, pips=3)

    after = lies(state, Moved("green", "cell/3/light", "cell/2/dark"))

    assert after.cells == (2, *state.cells[1:])
    assert after.lit == (False, *state.lit[1:])
    assert (after.seat, after.phase, after.pips) == (0, state.phase, 3)


def test_a_jewel_that_is_gone_was_won_by_who_is_in_turn():
    state = scene(WITH_JEWEL, **ALL, seat=1)

    after = lies(state, Removed(JEWEL, "cell/3"))

    assert state.jewels == (3,)
    assert (after.jewels, after.won) == ((), (0, 1))
    assert lies(after, Placed(JEWEL, None, "cell/3")) == state


def test_nobody_gives_back_a_jewel_that_nobody_has():
    state = scene(WITH_JEWEL, **ALL)

    assert lies(state, Placed(JEWEL, None, "cell/4")) is None


def test_a_captured_adventurer_lies_with_its_medal():
    state = scene(**ALL)
    gone = Moved("green", "cell/3/light", "score/green")

    # The lowest medal is 1: only both together are a capture (l. 155-157).
    after = lies(state, gone, Placed("silver/1", None, "score/green"))

    assert lies(state, gone) is None
    assert (after.cells[0], after.medals[0][0]) == (OFF, 1)


def test_what_stands_nowhere_or_has_no_such_place_is_not_taken_over():
    state = scene(**ALL)

    assert lies(state, Removed("green", "cell/3/light")) is None
    assert lies(state, Moved("green", "cell/3/light", "hall")) is None
    assert lies(state, Removed("dragon", "hall")) is None


def test_the_dragon_passes_nobody():
    state = scene(**ALL)

    assert lies(state, Moved("dragon", "hall", "cell/2")).dragon == 2
    assert lies(state, Moved("dragon", "hall", "cell/5")) is None
