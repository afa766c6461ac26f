"""Rulings DH1 to DH11: a choice with its outcomes, a fixed rule with its case."""

from msgspec.structs import replace

from companion.games.drachenhort.box import draw_board
from companion.games.drachenhort.state import DRAGON, FLIP, OFF, THROW
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


class TestDH1:
    """Is moving compulsory?"""

    def test_by_default_nobody_passes_who_could_move(self):
        state = play(new_game(), "throw 3")

        assert "pass" not in legal(state)
        assert refused(state, "pass") == ("DH1", "must_advance", (91, 91))

    def test_optional_lets_one_pass(self):
        state = play(new_game(options={"DH1": "optional"}), "throw 3")

        assert "pass" in legal(state)
        assert play(state, "pass").seat == 1

    def test_who_may_pass_is_not_told_to_advance(self):
        state = play(new_game(options={"DH1": "optional"}), "throw 3")

        assert refused(state, "dragon")[1] == "somebody_in_light"
        assert refused(state, "flip") == ("DH1", "waits_advance_or_pass", (91, 105))

    def test_a_pass_needs_a_throw(self):
        state = new_game(options={"DH1": "optional"})

        assert refused(state, "pass")[1] == "waits_throw"


class TestDH2:
    """Nobody can move with the throw."""

    def test_by_default_the_turn_is_over(self):
        state = scene("........dd..", dragon=1, green="9d", red="10d")

        assert story(state, "throw 3") == ["thrown 3", "stuck 3", "dragon_woken"]
        assert play(state, "throw 3").phase is DRAGON

    def test_reroll_lets_the_same_seat_throw_again(self):
        state = scene(
            "........dd..", dragon=1, green="9d", red="10d", options={"DH2": "reroll"}
        )

        state = play(state, "throw 3")

        assert (state.phase, state.seat) == (THROW, 0)

    def test_reroll_gives_up_when_no_throw_could_help(self):
        options = {"DH2": "reroll", "DH12": "exact"}
        state = scene("..........dd", dragon=1, green="11d", red="12d", options=options)

        # Only a 2 leaves the shadow, and both need exactly 1 to leave.
        assert play(state, "throw 2").phase is DRAGON


class TestDH3:
    """All are still in shadow after the dragon."""

    BOARD = "........dd.."

    def test_by_default_the_next_seat_plays_first(self):
        state = scene(self.BOARD, dragon=1, green="9d", red="10d")

        state = play(state, "throw 3", "dragon")

        assert (state.phase, state.seat, state.dragon) == (THROW, 1, 6)

    def test_repeat_moves_the_dragon_on_at_once(self):
        state = scene(
            self.BOARD, dragon=1, green="9d", red="10d", options={"DH3": "repeat"}
        )

        state = play(state, "throw 3", "dragon")

        assert (state.phase, state.seat, state.dragon) == (DRAGON, 0, 6)
        assert where(play(state, "dragon"), "green") == "off"


class TestDH4:
    """Who is in full light or at the start keeps the dragon away."""

    def test_somebody_on_a_wholly_lit_cell_keeps_it_away(self):
        state = scene(".....l......", green="6", red="8", pips=1)

        assert play(state, "advance red").phase is THROW

    def test_somebody_at_the_start_keeps_it_away(self):
        state = scene(green="start", red="8", pips=1)

        assert play(state, "advance red").phase is THROW


class TestDH5:
    """The captured do not count."""

    def test_the_dragon_wakes_though_five_are_off_the_board(self):
        state = play(scene(green="3d", red="8", pips=1), "advance red")

        assert state.cells.count(OFF) == 5
        assert state.phase is DRAGON


class TestDH6:
    """A trap while the dragon is in the hall."""

    def test_by_default_an_empty_start_room_counts(self):
        state = scene("....t.......", green="1", red="10", pips=4)

        assert where(play(state, "advance green"), "green") == "2d"  # start, 1, 2

    def test_never_leaves_it_out(self):
        state = scene(
            "....t.......", green="1", red="10", pips=4, options={"DH6": "never"}
        )

        assert where(play(state, "advance green"), "green") == "3d"  # 1, 2, 3

    def test_a_start_room_with_somebody_in_it_is_stepped_over(self):
        state = scene("....t.......", green="1", red="start", pips=4)

        assert where(play(state, "advance green"), "green") == "3d"


class TestDH7:
    """A trap that leads to a trap."""

    BOARD = "...t...t...."

    def test_by_default_one_goes_to_the_next_free_cell(self):
        state = scene(self.BOARD, dragon=1, green="3", red="5d", blue="11", pips=4)

        # 4, 6, 7, 8 is a trap; from the dragon 2, 3, 4 is one too; 5 is taken, so 6
        assert where(play(state, "advance green"), "green") == "6d"

    def test_next_cell_puts_two_on_one_cell(self):
        state = scene(
            self.BOARD,
            dragon=1,
            green="3",
            red="5d",
            blue="11",
            pips=4,
            options={"DH7": "next_cell"},
        )

        after = play(state, "advance green")

        assert where(after, "green") == where(after, "red") == "5d"

    def test_a_third_trap_leads_on_as_well(self):
        state = scene("...tt..t....", dragon=1, green="4", red="11", pips=4)

        assert where(play(state, "advance green"), "green") == "6d"

    def test_the_dragon_catches_two_on_one_cell_one_after_the_other(self):
        state = scene(
            "...t...t....",
            dragon=1,
            green="3",
            red="5d",
            blue="11d",
            pips=4,
            options={"DH7": "next_cell"},
        )

        state = play(state, "advance green", "dragon")

        assert legal(state) == {"rank green", "rank red"}
        assert story(state, "rank red") == [
            "captured red",
            "medal_given red silver 5",
            "captured green",
            "medal_given green silver 6",
            "medal_given blue silver 8",
            "round_ended 1",
        ]

    def test_of_the_last_two_on_one_cell_only_one_is_captured(self):
        state = scene(
            "...t...t....",
            dragon=1,
            green="3",
            red="5d",
            pips=4,
            options={"DH7": "next_cell"},
        )

        state = play(state, "advance green", "dragon", "rank green")

        assert (medal(state, "green"), medal(state, "red")) == (6, 8)
        assert state.phase is FLIP


class TestDH8:
    """A trap less than three cells ahead of the dragon."""

    def test_by_default_it_carries_forward(self):
        state = scene("...t........", dragon=1, green="2", red="3", blue="11", pips=1)

        # one free cell ahead is 4, a trap; from the dragon 2, 4 is the trap: 2, 4, 5
        assert where(play(state, "advance green"), "green") == "5d"

    def test_never_forward_leaves_one_on_the_trap(self):
        state = scene(
            "...t........",
            dragon=1,
            green="2",
            red="3",
            blue="11",
            pips=1,
            options={"DH8": "never_forward"},
        )

        assert where(play(state, "advance green"), "green") == "4d"

    def test_never_forward_still_leads_back(self):
        state = scene(
            ".......t....",
            dragon=1,
            green="4",
            red="11",
            pips=4,
            options={"DH8": "never_forward"},
        )

        assert where(play(state, "advance green"), "green") == "4d"


class TestDH9:
    """The half after a trap."""

    def test_it_is_the_dark_one_if_there_is_one(self):
        halves = scene(".......t....", dragon=1, green="4", red="11", pips=4)
        lit = scene("...l...t....", dragon=1, green="4", red="11", pips=4)

        assert where(play(halves, "advance green"), "green") == "4d"
        assert where(play(lit, "advance green"), "green") == "4"


class TestDH10:
    """A jewel reached through a trap."""

    def test_it_is_won(self):
        state = scene("...j...t....", dragon=1, green="4", red="11", pips=4)

        assert play(state, "advance green").won == (1, 0)


class TestDH11:
    """A jewel that lies on a trap."""

    def test_it_is_not_won_as_the_trap_comes_first(self):
        trapped = draw_board(".......t....").cells
        cells = (*trapped[:7], replace(trapped[7], jewel=True), *trapped[8:])
        state = scene(".......t....", dragon=1, green="4", red="11", pips=4)
        board = replace(state.board, cells=cells)
        copy = replace(state.setting.box, front=board)
        state = replace(state, setting=replace(state.setting, box=copy), jewels=(8,))

        state = play(state, "advance green")

        assert state.won == (0, 0)
        assert state.jewels == (8,)

    def test_not_even_by_staying_on_the_trap(self):
        options = {"DH8": "never_forward"}
        board = draw_board("...t........")
        board = replace(
            board,
            cells=(
                *board.cells[:3],
                replace(board.cells[3], jewel=True),
                *board.cells[4:],
            ),
        )
        state = scene(
            "...t........",
            dragon=1,
            green="3",
            red="2",
            blue="11",
            pips=1,
            options=options,
        )
        copy = replace(state.setting.box, front=board)
        state = replace(state, setting=replace(state.setting, box=copy), jewels=(4,))

        state = play(state, "advance green")

        assert where(state, "green") == "4d"
        assert state.won == (0, 0)
