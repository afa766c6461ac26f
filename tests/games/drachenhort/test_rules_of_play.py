"""Set-up, turns and the dragon in the order of the rulebook, l. 46-157."""

import pytest

from companion.games.core import BadSetup, Config
from companion.games.drachenhort import GAME
from companion.games.drachenhort.box import STAND_IN
from companion.games.drachenhort.state import (
    DRAGON,
    HALL,
    START,
    THROW,
)
from tests.games.drachenhort.tables import (
    legal,
    medal,
    new_game,
    play,
    refused,
    scene,
    story,
    where,
)

SEVEN_ASIDE = {
    "green": "7d",
    "red": "8d",
    "blue": "9d",
    "orange": "10d",
    "white": "11d",
    "yellow": "12d",
}


class TestContentsAndSetUp:
    """« Contenu », « Préparation », l. 46-79."""

    def test_all_seven_adventurers_stand_in_the_start_room_whoever_plays(self):
        for seats in range(2, 8):
            state = GAME.setup(Config(seats, STAND_IN))

            assert state.cells == (START,) * 7
            assert state.dragon == HALL

    def test_twelve_jewels_are_laid_and_twelve_wait_for_the_second_round(self):
        state = GAME.setup(Config(4, STAND_IN))

        assert state.jewels == STAND_IN.front.jewels
        assert len(state.jewels) == 12
        assert len(STAND_IN.back.jewels) == 12

    def test_the_first_seat_is_the_one_that_is_named(self):
        assert new_game(seats=4, first=2).seat == 2

    @pytest.mark.parametrize("seats", [1, 8])
    def test_two_to_seven_play(self, seats):
        with pytest.raises(BadSetup, match="2 to 7 can"):
            GAME.setup(Config(seats, STAND_IN))

    def test_a_first_seat_that_is_not_at_the_table_is_told(self):
        with pytest.raises(BadSetup, match="choose one of 0 to 2"):
            GAME.setup(Config(3, STAND_IN, first=3))


class TestThrowing:
    """« Première manche », l. 89-105."""

    def test_the_die_shows_1_2_3_4_or_6(self):
        expected = {"throw 1", "throw 2", "throw 3", "throw 4", "throw 6"}
        assert legal(new_game()) == expected

    def test_a_2_comes_up_once_in_three_throws(self):
        odds = {move.pips: part for move, part in GAME.chance(new_game())}

        assert odds[2] * 3 == 1
        assert all(odds[pips] * 6 == 1 for pips in (1, 3, 4, 6))

    def test_a_5_is_not_on_the_die(self):
        assert refused(new_game(), "throw 5") == (
            "drachenhort",
            "no_such_face",
            (55, 55),
        )

    def test_nobody_throws_twice(self):
        state = play(new_game(), "throw 3")

        refusal = refused(state, "throw 3")

        assert refusal == ("drachenhort", "thrown_already", (89, 89))

    def test_nobody_advances_before_the_throw(self):
        refusal = refused(new_game(), "advance green")

        assert refusal == ("drachenhort", "waits_throw", (89, 89))

    def test_play_goes_clockwise_and_around(self):
        state = new_game(seats=3, first=1)

        seats = [state.seat]
        for hero in ("green", "red", "blue"):
            state = play(state, "throw 1", f"advance {hero}")
            seats.append(state.seat)

        assert seats == [1, 2, 0, 1]


class TestAdvancing:
    """L. 91-109."""

    def test_who_is_in_light_or_at_the_start_may_move_with_any_throw(self):
        state = scene(green="4", red="start", blue="6d", pips=3)

        assert legal(state) == {"advance green", "advance red"}

    def test_who_is_in_shadow_needs_a_2(self):
        state = scene(green="4d", red="start", pips=3)

        assert refused(state, "advance green") == ("drachenhort", "in_shadow", (93, 93))

    def test_a_2_moves_anybody(self):
        state = scene(green="4", red="start", blue="6d", pips=2)

        assert legal(state) == {"advance green", "advance red", "advance blue"}

    def test_taken_cells_are_stepped_over_and_not_counted(self):
        state = scene(green="1", red="2d", blue="4d", pips=3)

        state = play(state, "advance green")

        assert where(state, "green") == "6d"  # 3, 5, 6; 2 and 4 are taken

    def test_the_start_room_holds_any_number(self):
        state = play(new_game(), "throw 1", "advance green")

        assert where(state, "green") == "1d"
        assert where(state, "red") == "start"

    def test_who_arrives_goes_into_the_dark_half(self):
        state = play(scene(green="1", red="start", pips=3), "advance green")

        assert where(state, "green") == "4d"

    def test_who_arrives_on_a_wholly_lit_cell_stays_in_light(self):
        state = scene("...l........", green="1", red="9d", pips=3)

        assert where(play(state, "advance green"), "green") == "4"

    def test_who_arrives_on_a_wholly_dark_cell_is_in_shadow(self):
        state = scene("...d........", green="1", red="9", pips=3)

        assert where(play(state, "advance green"), "green") == "4d"

    def test_who_was_captured_does_not_move(self):
        state = scene(green="1", red="3", pips=2)

        assert refused(state, "advance blue") == (
            "drachenhort", "off_the_board", (157, 157)
        )  # fmt: skip

    def test_a_colour_of_another_copy_does_not_move(self):
        state = scene(green="1", red="3", pips=2)

        refusal = refused(state, "advance pink")

        assert refusal == ("drachenhort", "no_such_adventurer", (50, 50))


class TestJewels:
    """« Joyau », l. 111-113."""

    def test_who_moves_onto_a_jewel_wins_it(self):
        state = new_game("...j........", seats=3, first=1)

        state = play(state, "throw 4", "advance green")

        assert state.won == (0, 1, 0)
        assert state.jewels == ()

    def test_a_jewel_that_is_stepped_over_stays(self):
        state = play(new_game("..j........."), "throw 4", "advance green")

        assert state.won == (0, 0)
        assert state.jewels == (3,)


class TestTraps:
    """« Piège », l. 117-119."""

    def test_a_trap_puts_one_three_cells_ahead_of_the_dragon(self):
        state = scene(".......t....", dragon=1, green="4", red="10", pips=4)

        state = play(state, "advance green")

        assert where(state, "green") == "4d"  # 2, 3, 4 counted from the dragon on 1

    def test_the_three_cells_step_over_taken_ones(self):
        state = scene(".......t....", dragon=1, green="4", red="2d", blue="3", pips=4)

        state = play(state, "advance green")

        assert where(state, "green") == "6d"  # 4, 5, 6; 2 and 3 are taken

    def test_a_trap_that_leads_to_a_trap_leads_one_further(self):
        state = scene("...t...t....", dragon=1, green="4", red="10", pips=4)

        state = play(state, "advance green")

        assert where(state, "green") == "5d"  # 2, 3, 4 is a trap, so 5

    def test_all_of_it_is_told_in_order(self):
        state = scene("...j...t....", dragon=1, green="4", red="10", pips=4)

        assert story(state, "advance green") == [
            "advanced green 8",
            "trapped green 8",
            "put_ahead green 4",
            "jewel_won 4",
        ]


class TestTheDragon:
    """« Le dragon arrive ! », l. 143-157."""

    def test_it_wakes_when_all_are_in_shadow(self):
        state = scene(**SEVEN_ASIDE, violet="3", pips=1)

        state = play(state, "advance violet")

        assert state.phase is DRAGON
        assert legal(state) == {"dragon"}

    def test_it_sleeps_while_somebody_is_in_light(self):
        state = scene(green="4", red="7d", pips=0)

        refusal = refused(state, "dragon")

        assert refusal == ("drachenhort", "somebody_in_light", (145, 145))

    def test_by_a_ruling_while_somebody_stands_where_there_is_no_dark_half(self):
        start = scene(green="start", red="7d", pips=0)
        lit = scene("...l........", green="4", red="7d", pips=0)

        for state in (start, lit):
            assert refused(state, "dragon") == (
                "DH4", "somebody_in_light", (145, 145)
            )  # fmt: skip

    def test_nobody_throws_before_it_has_moved(self):
        state = play(scene(green="4", red="7d", pips=1), "advance green")

        assert refused(state, "throw 1") == ("drachenhort", "waits_dragon", (145, 145))

    def test_first_everybody_goes_into_the_light(self):
        state = scene(dragon=1, green="10", red="8d", blue="9d", pips=1)

        state = play(state, "advance green", "dragon")

        assert where(state, "green") == "11"
        assert where(state, "red") == "8"
        assert where(state, "blue") == "9"

    def test_on_a_wholly_dark_cell_one_stays_in_shadow(self):
        state = scene(".........d..", dragon=1, green="8", red="10d", pips=1)

        state = play(state, "advance green", "dragon")

        assert where(state, "green") == "9"
        assert where(state, "red") == "10d"

    def test_its_first_step_leads_into_the_start_room(self):
        state = play(scene(green="4", red="7d", pips=1), "advance green", "dragon")

        assert state.dragon == START
        assert where(state, "green") == "5"

    def test_later_it_moves_five_cells(self):
        state = scene(dragon=1, green="9", red="8d", pips=1)

        state = play(state, "advance green", "dragon")

        assert state.dragon == 6

    def test_it_stops_on_the_first_adventurer_and_catches_it(self):
        state = scene(dragon=1, green="4", red="8d", blue="3d", pips=1)

        state = play(state, "advance green", "dragon")

        assert state.dragon == 3
        assert where(state, "blue") == "off"
        assert where(state, "green") == "5"

    def test_the_captured_stay_out_for_the_round(self):
        state = scene(dragon=1, green="4", red="8d", blue="3d", pips=1)

        state = play(state, "advance green", "dragon", "throw 2")

        assert legal(state) == {"advance green", "advance red"}

    def test_the_lowest_medal_goes_to_the_first_captured(self):
        state = scene(
            dragon=0,
            green="3",
            red="8d",
            blue="9d",
            orange="10d",
            white="2d",
            yellow="12d",
            violet="11d",
            pips=1,
        )

        state = play(state, "advance green", "dragon")

        assert medal(state, "white") == 1

    def test_the_dragon_leaves_play_to_the_next_seat(self):
        state = scene(green="4", red="7d", pips=1, seat=1, seats=3)

        state = play(state, "advance green", "dragon")

        assert (state.phase, state.seat) == (THROW, 2)
