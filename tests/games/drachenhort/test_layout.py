"""Where things lie, and how moves look to a camera."""

from msgspec.structs import replace

from companion.games.drachenhort import GAME
from companion.table import Moved, Placed, Removed, Shown
from tests.games.drachenhort.tables import new_game, play, scene


def look(state, text):
    return GAME.evidence(state, GAME.parse(state, text))


class TestTable:
    def test_a_new_game_lies_like_this(self):
        assert GAME.layout(new_game("..j.........")) == {
            ("die", None, "tray"),
            ("dragon", None, "hall"),
            ("jewel", None, "cell/3"),
            *((hero, None, "start") for hero in new_game().setting.box.adventurers),
        }

    def test_adventurers_lie_in_halves_and_the_captured_on_the_score_board(self):
        state = scene(dragon=1, green="4", red="6d", pips=3)

        layout = GAME.layout(state)

        assert ("die", "3", "tray") in layout
        assert ("dragon", None, "cell/1") in layout
        assert ("green", None, "cell/4/light") in layout
        assert ("red", None, "cell/6/dark") in layout
        assert ("blue", None, "score/blue") in layout
        assert ("silver/1", None, "score/blue") in layout

    def test_the_dragon_in_the_start_room_has_a_place(self):
        state = replace(scene(green="4", red="6d"), dragon=0)

        assert ("dragon", None, "start") in GAME.layout(state)


class TestEvidence:
    def test_a_throw_shows_the_die(self):
        assert look(new_game(), "throw 4") == {Shown("die", "4", "tray")}

    def test_an_advance_moves_one_piece_and_takes_the_jewel(self):
        state = scene("......j.....", green="4", red="9", pips=3)
        state = replace(state, jewels=(7,))

        assert look(state, "advance green") == {
            Moved("green", "cell/4/light", "cell/7/dark"),
            Removed("jewel", "cell/7"),
        }

    def test_a_trap_that_leads_back_to_the_own_cell_leaves_no_trace(self):
        state = scene(".....t......", dragon=1, green="4d", red="11", pips=2)

        assert look(state, "advance green") == frozenset()

    def test_the_dragon_comes_with_the_shift_the_capture_and_the_medal(self):
        state = scene(dragon=1, green="8", red="4d", blue="11d", pips=1)

        assert look(play(state, "advance green"), "dragon") == {
            Moved("green", "cell/9/dark", "cell/9/light"),
            Moved("blue", "cell/11/dark", "cell/11/light"),
            Moved("dragon", "cell/1", "cell/4"),
            Moved("red", "cell/4/dark", "score/red"),
            Placed("silver/5", None, "score/red"),
        }

    def test_an_escape_shows_all_medals(self):
        state = scene(green="11", red="4", pips=4)

        assert look(state, "advance green") == {
            Moved("green", "cell/11/light", "score/green"),
            Placed("silver/8", None, "score/green"),
            Placed("silver/6", None, "score/red"),
        }

    def test_the_second_side_comes_with_its_jewels(self):
        state = new_game("j...........", ".j..........")
        state = replace(scene(green="11", red="4", pips=4), setting=state.setting)
        state = play(replace(state, jewels=(1,)), "advance green")

        sights = look(state, "flip")

        assert Removed("jewel", "cell/1") in sights
        assert Placed("jewel", None, "cell/2") in sights
        assert Moved("green", "score/green", "start") in sights
        assert Moved("red", "cell/4/light", "start") in sights

    def test_what_makes_no_sense_looks_like_nothing(self):
        assert look(new_game(), "flip") == frozenset()
