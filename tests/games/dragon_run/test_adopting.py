"""The table is right: the dragon, characters and open cards as they lie there."""

from companion.corrections.adopt import as_it_lies
from companion.games.dragon_run import GAME
from companion.games.dragon_run.pieces import WOUNDED
from companion.table import Moved, Placed, Removed
from tests.games.dragon_run.tables import PLACES, TREASURES, new_game, scene


def lies(state, *sights):
    return as_it_lies(GAME, state, sights)


def test_the_dragon_is_as_angry_as_its_figure_stands():
    state = scene(anger=4)

    after = lies(state, Moved("dragon", "anger/4", "anger/3"))

    assert after.anger == 3
    assert (after.seat, after.phase) == (state.seat, state.phase)


def test_a_dragon_that_stands_nowhere_or_sleeps_is_not_taken_over():
    state = scene(anger=4)

    assert lies(state, Removed("dragon", "anger/4")) is None
    # At 0 it sleeps and the game is over (l. 163-171): that takes a move.
    assert lies(state, Moved("dragon", "anger/4", "anger/0")) is None


def test_a_place_card_that_lies_open_is_in_the_pile_no_more():
    state = scene(turned="crypt")
    bridge = PLACES.index("bridge")

    after = lies(state, Placed("place", "bridge", "path/2"))

    assert after.turned == (*state.turned, bridge)
    assert after.pile[bridge] == state.pile[bridge] - 1
    assert lies(after, Removed("place", "path/2", "bridge")) == state


def test_a_card_that_was_read_wrong_is_the_one_that_lies_there():
    state = scene(discard="gold-1", noted={1: "gold-3 gold-3"})
    wrong = [
        Removed("treasure", "discard/1", "gold-1"),
        Placed("treasure", "gold-2", "discard/1"),
    ]

    after = lies(state, *wrong)

    assert after.discard == (TREASURES.index("gold-2"),)
    assert sum(after.unseen) == sum(state.unseen)
    assert after.noted == state.noted


def test_a_treasure_from_nowhere_may_be_from_any_hand_and_is_not_taken_over():
    state = scene(discard="gold-1")

    assert lies(state, Placed("treasure", "gold-2", "discard/2")) is None


def test_a_wounded_character_is_wounded():
    state = scene()
    name = state.setting.box.heroes[state.heroes[1]].id

    after = lies(
        state,
        Removed("character", "seat/1", f"{name}/fit"),
        Placed("character", f"{name}/wounded", "seat/1"),
    )

    assert after.health[1] is WOUNDED


def test_before_the_characters_are_dealt_there_is_none_to_take_over():
    state = new_game()

    assert lies(state, Placed("character", "elf/fit", "seat/0")) is None


def test_a_character_that_lies_across_has_used_its_power():
    state = scene()
    name = state.setting.box.heroes[state.heroes[1]].id
    lay, lies_now = f"{name}/fit", f"{name}/fit/across"

    after = lies(
        state,
        Removed("character", "seat/1", lay),
        Placed("character", lies_now, "seat/1"),
    )

    assert after.tilted == (False, True, False)
