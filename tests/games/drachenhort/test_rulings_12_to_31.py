"""Rulings DH12 to DH31: a choice with its outcomes, a fixed rule with its case."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from companion.games.drachenhort import GAME
from companion.games.drachenhort.box import STAND_IN, check_box, draw_board
from companion.games.drachenhort.state import FLIP, HALL, SHOW
from tests.games.drachenhort.tables import (
    HEROES,
    box,
    legal,
    medal,
    new_game,
    play,
    refused,
    scene,
    story,
    where,
)

ALL, NONE = (8, 6, 5, 4, 3, 2, 1), (0,) * 7
"""All medals of a metal in the order of the box, and none yet."""


def after_two_rounds(seats=2):
    """Return a position where the groups are to be shown, both rounds ended alike."""
    state = replace(new_game(seats=seats), round=2, phase=SHOW, medals=(ALL, ALL))
    assert not GAME.check(state)
    return state


class TestDH12:
    """More pips than the exit needs."""

    def test_by_default_more_will_do(self):
        state = play(scene(green="11", red="3", pips=6), "advance green")

        assert medal(state, "green") == 8

    def test_exact_refuses_more(self):
        state = scene(green="11", red="3", pips=6, options={"DH12": "exact"})

        assert legal(state) == {"advance red"}
        assert refused(state, "advance green") == ("DH12", "past_the_exit", (107, 107))

    def test_exact_lets_the_exact_number_leave(self):
        state = scene(green="11", red="12", pips=1, options={"DH12": "exact"})

        state = play(state, "advance green")  # 12 is taken, so one step leads out

        assert medal(state, "green") == 8


class TestDH13:
    """The dragon's own cell."""

    def test_it_is_never_one_of_the_three(self):
        state = scene(".......t....", dragon=3, green="4", red="11", pips=4)

        assert where(play(state, "advance green"), "green") == "6d"  # 4, 5, 6


class TestDH14:
    """What the dragon counts."""

    def test_it_counts_traps_and_dark_cells(self):
        state = scene("..tdt.......", dragon=1, green="8", red="10d", pips=1)

        assert play(state, "advance green", "dragon").dragon == 6

    def test_it_counts_cells_up_to_the_first_adventurer_only(self):
        state = scene(dragon=1, green="2", red="10d", pips=2)

        assert play(state, "advance green", "dragon").dragon == 4


class TestDH15:
    """A dragon at the end of the way."""

    def test_a_dragon_beyond_the_last_cell_is_a_fault(self):
        state = replace(scene(green="11", red="12"), dragon=13)

        codes = {violation.code for violation in GAME.check(state)}

        assert "dragon_off_the_board" in codes


class TestDH16:
    """The first step of each round."""

    @pytest.mark.parametrize("number", [1, 2])
    def test_it_is_one_cell_onto_the_empty_start_room(self, number):
        state = new_game("." * 30, "." * 30)
        if number == 2:
            state = play(replace(state, phase=FLIP, medals=(ALL, NONE)), "flip")

        for hero in HEROES:
            state = play(state, "throw 1", f"advance {hero}")

        assert state.dragon == HALL
        assert play(state, "dragon").dragon == 0


LEVEL = {"green": "11", "red": "start", "blue": "start", "orange": "start"}
"""Green can leave while three others have not left the start room."""


class TestDH17:
    """Adventurers level in the start room as a round ends."""

    def test_by_default_lots_are_drawn(self):
        state = play(scene(**LEVEL, pips=4), "advance green")

        odds = {GAME.notate(state, move): part for move, part in GAME.chance(state)}
        assert odds == {
            "rank red": Fraction(1, 3),
            "rank blue": Fraction(1, 3),
            "rank orange": Fraction(1, 3),
        }
        assert GAME.actor(state, GAME.parse(state, "rank red")) is None

    def test_exiter_leaves_it_to_whoever_ended_the_round(self):
        options = {"DH17": "exiter"}
        state = scene(**LEVEL, pips=4, seat=1, options=options)

        state = play(state, "advance green")

        assert GAME.chance(state) == ()
        assert GAME.actor(state, GAME.parse(state, "rank red")) == 1

    def test_the_next_medal_goes_to_the_one_that_is_named_the_last_is_left(self):
        state = play(scene(**LEVEL, pips=4), "advance green")

        told = story(state, "rank blue", "rank orange")

        assert medal(play(state, "rank blue"), "blue") == 6
        assert told == [
            "medal_given orange silver 5",
            "medal_given red silver 4",
            "round_ended 1",
        ]

    def test_who_is_not_level_gets_no_lot(self):
        state = play(scene(**LEVEL, pips=4), "advance green")

        assert refused(state, "rank green") == ("DH18", "not_level", (161, 161))
        assert refused(state, "flip")[1] == "waits_rank"
        assert refused(new_game(), "rank green")[1] == "waits_throw"


class TestDH18:
    """The medals below the 8."""

    def test_the_highest_left_goes_to_the_nearest(self):
        state = play(scene(green="12", red="5", blue="7", pips=1), "advance green")

        assert state.phase is FLIP
        assert (medal(state, "blue"), medal(state, "red")) == (6, 5)


class TestDH19:
    """The last two."""

    def test_the_captured_one_gets_6_and_the_free_one_8(self):
        state = scene(dragon=1, green="4", red="9d", pips=1)

        state = play(state, "advance green", "dragon")

        assert (medal(state, "green"), medal(state, "red")) == (6, 8)


class TestDH20:
    """Who begins the second round."""

    def second(self, options):
        state = scene(green="11", red="3", pips=4, seat=1, seats=3, options=options)
        return play(state, "advance green", "flip")

    def test_by_default_it_is_the_next_seat(self):
        assert self.second({}).seat == 2

    def test_oldest_lets_the_first_seat_begin_again(self):
        assert self.second({"DH20": "oldest"}).seat == 0


class TestDH21:
    """Two shifts into the light."""

    def test_one_is_enough_as_the_dragon_moves_nobody(self):
        state = scene(dragon=1, green="9", red="8d", pips=1)

        state = play(state, "advance green", "dragon")

        assert state.lit[:2] == (True, True)


class TestDH22:
    """Equal points."""

    def test_there_are_several_winners(self):
        # heroes are worth 8 6 5 4 3 2 1 a metal: card 0 is green 8 red 6 white 3, card
        # 4 is blue 5 orange 4 green 8, so 17 each; card 1 is red 6 yellow 2 blue 5
        state = after_two_rounds(seats=3)

        state = play(state, "show 0 0", "show 1 4", "show 2 1")

        assert GAME.outcome(state).winners == (0, 1)

    def test_the_reason_says_so(self):
        state = after_two_rounds()

        shared = GAME.outcome(play(state, "show 0 0", "show 1 4"))
        alone = GAME.outcome(play(state, "show 0 0", "show 1 1"))

        assert shared.reason == "drachenhort.end.shared"
        assert alone.reason == "drachenhort.end.most"


class TestDH23:
    """Wholly lit cells of the back."""

    def test_a_box_has_two(self):
        dim = replace(STAND_IN, back=draw_board("j" * 12 + "." * 17 + "l"))

        codes = [violation.code for violation in check_box(dim)]

        assert codes == ["back_lit"]


class TestDH24:
    """A 2 and those in light."""

    def test_a_2_may_move_them_too(self):
        assert "advance green" in legal(scene(green="4", red="6d", pips=2))


class TestDH25:
    """Cards that were not dealt."""

    def test_only_the_cards_of_the_seats_are_asked_for(self):
        state = after_two_rounds()

        prompts = GAME.expects(state)

        assert [prompt.who for prompt in prompts] == [0, 1]
        assert GAME.outcome(play(state, "show 0 0", "show 1 1")) is not None


class TestDH26:
    """An escape while all who remain are in shadow."""

    def test_the_round_ends_without_the_dragon(self):
        state = scene(dragon=1, green="12", red="4d", blue="6d", pips=1)

        told = story(state, "advance green")

        assert "dragon_woken" not in told
        assert told[-1] == "round_ended 1"


class TestDH27:
    """A trap that leads past the last cell."""

    def test_he_escapes(self):
        state = scene("...........t", dragon=8, green="9", red="10", blue="11", pips=1)

        # the trap on 12 is the only free cell ahead; from the dragon 9, 12, out
        assert story(state, "advance green")[:3] == [
            "advanced green 12",
            "trapped green 12",
            "escaped green",
        ]

    def test_he_escapes_over_a_second_trap_too(self):
        state = scene("..........tt", dragon=8, green="9", red="10", pips=1)

        # trap on 11; from the dragon 9, 11, 12, which is a trap; the next is outside
        assert play(state, "advance green").phase is FLIP


class TestDH28:
    """Where the exit is."""

    def test_beyond_the_last_cell_it_takes_one_step_more(self):
        beyond = scene(green="11", red="3", pips=1)
        on_last = scene(green="11", red="3", pips=1, exit_on_last=True)

        assert where(play(beyond, "advance green"), "green") == "12d"
        assert where(play(on_last, "advance green"), "green") == "off"

    def test_a_box_tells_which(self):
        assert box(exit_on_last=True).front.last == 11
        assert box().front.last == 12
        assert STAND_IN.front.last == 30


class TestDH29:
    """The cell that the victim of a trap has left."""

    def test_it_counts_as_free_and_may_be_reached_again(self):
        state = scene(".....t......", dragon=1, green="4", red="11", pips=2)

        assert where(play(state, "advance green"), "green") == "4d"

    def test_the_start_room_is_empty_when_the_last_has_left_it(self):
        state = scene("..t.........", green="start", red="11", pips=3)

        assert where(play(state, "advance green"), "green") == "2d"  # start, 1, 2


class TestDH30:
    """The dragon on a trap or a jewel."""

    @pytest.mark.parametrize("board", [".....t......", ".....j......"])
    def test_nothing_happens(self, board):
        state = scene(board, dragon=1, green="9", red="8d", pips=1)

        after = play(state, "advance green", "dragon")

        assert after.dragon == 6
        assert after.jewels == state.jewels


class TestDH31:
    """Who plays after the dragon."""

    def test_it_is_the_seat_after_whose_turn_woke_it(self):
        state = scene(green="4", red="7d", pips=1, seat=2, seats=4)

        assert play(state, "advance green", "dragon").seat == 3
