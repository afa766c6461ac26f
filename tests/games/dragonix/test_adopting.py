"""The table is right: rows and dragons as they lie there."""

from msgspec.structs import replace

from companion.corrections.adopt import as_it_lies
from companion.games.dragonix import GAME
from companion.games.dragonix.state import REVEAL
from companion.games.hidden import (
    Hidden,
)
from companion.table import Moved, Placed, Removed
from tests.games.dragonix.tables import card, cards, scene


def lies(state, *sights):
    return as_it_lies(GAME, state, sights)


def came(name, place):
    return Placed("card", name, place)


def gone(name, place):
    return Removed("card", place, name)


def test_a_card_on_another_army_lies_there_by_its_value():
    # Army I rises, so sun7 lies between forest5 and rock9.
    state = scene(I="forest5 rock9", II="sun7 sun3")

    after = lies(state, gone("sun7", "army/2"), came("sun7", "army/1"))

    assert after.rows[0].cards == cards("forest5 sun7 rock9")
    assert after.rows[1].cards == cards("sun3")
    assert (after.seat, after.phase, after.sides) == (0, state.phase, state.sides)


def test_the_last_card_of_an_army_leaves_it_without_a_people():
    state = scene(III="sun3", II="krak2")

    after = lies(state, gone("sun3", "army/3"), came("sun3", "army/1"))

    assert after.rows[2].cards == ()
    assert after.rows[0].cards == cards("sun3")


def test_a_card_from_nowhere_was_in_the_hand_of_who_is_in_turn():
    state = scene(hands=("forest1 ?", "?"), noted=("sun4",))

    after = lies(state, came("sun4", "army/1"))

    assert after.rows[0].cards == cards("sun4")
    assert after.sides[0].hand == state.sides[0].hand - 1
    assert after.sides[0].noted == Hidden((), (0,))


def test_a_card_that_all_know_in_the_other_hand_is_not_taken_over():
    state = scene(hands=("forest1 ?", "rock1"))

    assert lies(state, came("rock1", "army/1")) is None


def test_a_card_that_is_gone_may_be_anywhere_and_is_not_taken_over():
    state = scene(I="forest5 rock9")

    assert lies(state, gone("rock9", "army/1")) is None


def test_what_a_new_hero_counts_nobody_can_tell():
    state = scene(hands=("hero ?",), I="forest5 rock9")

    assert lies(state, came("hero", "army/1")) is None


def test_of_two_new_cards_on_the_tower_nobody_knows_which_lies_last():
    state = scene(hands=("sun1 sun2 ?",))
    both = (came("sun1", "tower"), came("sun2", "tower"))

    assert lies(state, *both) is None
    assert lies(state, both[0]).rows[4].cards == (card("sun1"),)


def test_a_row_of_two_peoples_is_none_on_army_three():
    state = scene(hands=("sun1 ?",), III="rock1")

    assert lies(state, came("sun1", "army/3")) is None


def test_a_dragon_is_on_the_army_that_it_stands_on():
    state = scene(red="I", hands=("forest1 sun1 rock1 ?",))

    after = lies(state, Moved("red", "army/1", "army/4"))

    assert after.red == 3
    assert lies(state, Moved("red", "army/1", "tower")) is None


def test_nobody_plays_from_a_hand_before_the_start():
    state = replace(scene(hands=("sun1 ?",)), phase=REVEAL)

    assert lies(state, came("sun1", "army/1")) is None
