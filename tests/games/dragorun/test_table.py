"""What lies on the table, how moves look there, how they are written and said."""

import pytest

from companion.games.core import NotAMove
from companion.games.dragorun import GAME
from companion.games.dragorun.lines import cell_value, step_name
from companion.games.dragorun.pieces import Step
from companion.table import Flipped, Moved, Placed, Removed, Shown, Word
from tests.games.dragorun.tables import asked, lined_up, new_game, play, scene

FAR = (8, 6, 5, 4, 3)


def looks(state, text):
    """Return how a move looks on the table."""
    return GAME.evidence(state, GAME.parse(state, text))


class TestLayout:
    def test_everything_lies_in_its_place(self):
        state = scene(
            (8, 6, 5, 4, 0), hidden={1}, eggs=("red snail", "red"), dice="white -1"
        )

        assert GAME.layout(state) == {
            ("colour", "white", "tray"),
            ("move", "-1", "tray"),
            ("red", None, "track/8"),
            ("green", None, "track/6"),
            ("blue", None, "track/5"),
            ("yellow", None, "track/4"),
            ("violet", None, "track/0"),
            ("marker/red", "front", "seat/0"),
            ("marker/green", "back", "seat/1"),
            ("marker/blue", "front", "pool"),
            ("marker/yellow", "front", "pool"),
            ("marker/violet", "front", "pool"),
            ("egg", "red", "egg/0/1"),
            ("egg", "snail", "egg/0/2"),
            ("egg", "red", "egg/1/1"),
        }


class TestEvidence:
    def test_a_throw_shows_both_dice(self):
        both = {Shown("colour", "red", "tray"), Shown("move", "+1", "tray")}

        assert looks(scene(FAR), "throw red +1") == both

    def test_one_die_thrown_again_shows_itself_alone(self):
        state = scene(FAR, dice="red +1")

        assert looks(state, "colour blue") == {Shown("colour", "blue", "tray")}
        assert looks(state, "step -1") == {Shown("move", "-1", "tray")}

    def test_a_dragon_moves_unless_it_stays(self):
        state = scene(FAR, dice="white trophy")

        assert looks(state, "move blue 9") == {Moved("blue", "track/5", "track/9")}
        assert looks(state, "move red 8") == frozenset()
        assert looks(state, "move pink 8") == frozenset()
        assert looks(new_game(), "move red 8") == frozenset()

    def test_two_markers_change_places_and_one_lies_face_down(self):
        assert looks(scene(FAR), "swap green") == {
            Moved("marker/green", "seat/1", "seat/0"),
            Flipped("marker/green", "back", "seat/0"),
            Moved("marker/red", "seat/0", "seat/1"),
        }
        assert Moved("marker/red", "seat/0", "pool") in looks(scene(FAR), "swap blue")
        assert looks(lined_up(), "swap blue") == frozenset()
        assert looks(scene(FAR), "swap pink") == frozenset()

    def test_an_egg_shows_next_to_those_already_drawn(self):
        state = play(scene(FAR, eggs=("red",)), "swap blue")

        assert looks(state, "egg red") == {Shown("egg", "red", "egg/0/2")}

    def test_eggs_put_back_are_gone(self):
        state = scene(FAR, riders="violet red", eggs=("red snail",))

        assert looks(state, "return") == {
            Removed("egg", "egg/0/1"),
            Removed("egg", "egg/0/2"),
        }

    def test_the_set_up_shows(self):
        assert looks(new_game(), "place red 3") == {Placed("red", None, "track/3")}
        assert looks(lined_up(), "deal 0 red") == {
            Placed("marker/red", "front", "seat/0")
        }

    def test_what_is_only_said_leaves_no_trace(self):
        assert looks(new_game(), "again") == frozenset()
        assert looks(new_game(), "decide 0") == frozenset()


class TestNotation:
    @pytest.mark.parametrize(
        "text",
        [
            "place red 3",
            "deal 0 red",
            "throw white snail",
            "colour blue",
            "step +2",
            "move green 14",
            "swap yellow",
            "egg mushroom",
            "return",
            "decide 1",
            "again",
        ],
    )
    def test_each_kind_of_move_reads_back(self, text):
        state = new_game()

        assert GAME.notate(state, GAME.parse(state, text)) == text

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "move",
            "move green +1",
            "move green 01",
            "move green ²",
            "throw red 2",
            "throw red",
            "egg white",
            "return 3",
            "again now",
            "swap red blue",
            "step 2",
            "deal x red",
            "colour pale",
        ],
    )
    def test_anything_else_is_no_move(self, text):
        with pytest.raises(NotAMove, match="is no move of Dragorun"):
            GAME.parse(new_game(), text)


class TestWords:
    def said(self, state, text):
        part = GAME.describe_move(state, GAME.parse(state, text))
        return part.line.removeprefix("dragorun.move."), dict(part.params)

    def test_a_button_names_the_cell_or_that_the_dragon_stays(self):
        state = scene((8, 6, 5, 4, 0), dice="white +1")

        assert self.said(state, "move red 9")[0] == "to_cell"
        assert self.said(state, "move red 12")[0] == "to_finish"
        assert self.said(state, "move red 0")[0] == "to_snail_cell"
        assert self.said(state, "move red 8")[0] == "stay"
        assert self.said(state, "move pink 8")[0] == "to_cell"

    def test_a_second_throw_is_called_one(self):
        assert self.said(scene(FAR), "throw red +1")[0] == "throw"
        assert self.said(scene(FAR, dice="red +1"), "throw red +1") == (
            "throw_again",
            {"colour": Word("dragorun.colour.red"), "step": "+1"},
        )

    def test_a_swap_names_whose_marker_it_is(self):
        assert self.said(scene(FAR), "swap green") == (
            "swap",
            {"dragon": Word("dragorun.dragon.green"), "other_seat": 1},
        )
        assert self.said(scene(FAR), "swap blue")[0] == "take"
        assert self.said(scene(FAR), "swap pink")[0] == "take"

    def test_the_two_named_cells_have_words(self):
        state = scene(FAR)

        assert cell_value(state, 0) == Word("dragorun.cell.snail")
        assert cell_value(state, 12) == Word("dragorun.cell.finish")
        assert cell_value(state, 7) == 7
        assert step_name(Step.TROPHY) == Word("dragorun.step.trophy")

    def test_some_events_shine_and_sound_and_others_are_only_told(self):
        _, (thrown,) = GAME.apply(scene(FAR), GAME.parse(None, "throw red +1"))
        _, (taken,) = GAME.apply(scene(FAR), GAME.parse(None, "swap blue"))

        assert GAME.cue(thrown).spoken is None
        assert GAME.cue(taken).spoken == GAME.describe_event(taken)
        assert GAME.cue(taken).sound == "swap"


class TestExpectations:
    def test_the_set_up_is_asked_for(self):
        assert asked(new_game()) == ["place", "lay_eggs"]
        assert [prompt.reminder for prompt in GAME.expects(new_game())] == [False, True]
        assert asked(lined_up()) == ["deal"]

    def test_a_turn_reminds_of_eggs_mushroom_and_shelter(self):
        state = scene(
            FAR, riders="violet green blue", eggs=("red", "mushroom"), hidden={2}
        )

        assert asked(state) == ["turn", "may_return", "mushroom", "out_of_reach"]
        reminders = [prompt.reminder for prompt in GAME.expects(state)]
        assert reminders == [False, True, True, True]
        assert asked(scene(FAR)) == ["turn"]

    @pytest.mark.parametrize(
        ("dice", "line", "params"),
        [
            ("green +1", "to_cell", {"cell": 7}),
            ("red trophy", "stay", {}),
            ("white snail", "joker", {"step": Word("dragorun.step.snail")}),
        ],
    )
    def test_a_throw_names_the_dragon_and_the_cell(self, dice, line, params):
        state = scene(FAR, dice=dice)

        assert asked(state) == [line, "may_throw_again"]
        assert [prompt.reminder for prompt in GAME.expects(state)] == [False, True]
        assert dict(GAME.expects(state)[0].params).items() >= params.items()

    def test_the_two_named_cells_are_named(self):
        assert asked(scene((8, 11, 5, 4, 3), dice="green +1"))[0] == "to_finish"
        assert asked(scene((8, 6, 5, 4, 0), dice="green snail"))[0] == "to_snail_cell"

    def test_a_second_throw_reminds_that_it_binds(self):
        assert asked(scene(FAR, dice="red +1", bound=True)) == ["to_cell", "bound"]

    def test_a_swap_reminds_to_lay_the_marker_face_down(self):
        state = play(scene(FAR), "swap blue")

        assert asked(state) == ["draw", "lay_face_down"]
        assert [prompt.reminder for prompt in GAME.expects(state)] == [False, True]
        assert asked(play(state, "egg green")) == ["to_cell"]

    def test_the_end_of_a_race_is_settled_by_all(self):
        nobody = play(scene((6, 5, 11, 4, 3), dice="blue +1"), "move blue 12")
        tie = scene(
            (11, 0, 0, 0, 0),
            riders="red green blue",
            dice="red +1",
            eggs=("mushroom",),
            options={"DG5": "decide"},
        )

        assert asked(nobody) == ["again"]
        assert asked(play(tie, "move red 12")) == ["decide"]
