import numpy as np
import pytest

from vision.taught_dice.locating import locate_die
from vision.taught_dice.reader import read_taught_dice, teach_die
from vision.taught_dice.serialise import DieUnreadable, decode_die, encode_die

pytestmark = pytest.mark.slow


def _sure(dice):
    return sorted(die.faces[0][0] for die in dice if die.sure)


class TestReading:
    def test_dice_are_read_in_any_turn(self, drawing, die):
        picture = drawing.table(
            ("moon", 120, 120, 33), ("bar", 500, 140, 110), ("4", 300, 350, 251)
        )

        assert _sure(read_taught_dice(picture, die)) == ["4", "bar", "moon"]

    def test_dice_that_touch_are_told_apart(self, drawing, die):
        picture = drawing.table(("moon", 280, 240, 0), ("arrow", 362, 240, 90))

        assert _sure(read_taught_dice(picture, die)) == ["arrow", "moon"]

    def test_the_box_lies_about_the_die(self, drawing, die):
        dice = read_taught_dice(drawing.table(("bar", 200, 300, 20)), die)

        left, top, right, bottom = next(one.box for one in dice if one.sure)
        assert abs((left + right) / 2 - 200) < 8
        assert abs((top + bottom) / 2 - 300) < 8
        assert 70 < right - left < 120

    def test_a_face_that_was_never_shown_is_not_taken(self, drawing, die):
        for sign in ("8", "S"):
            dice = read_taught_dice(drawing.table((sign, 320, 240, 15)), die)
            assert _sure(dice) == []

    def test_an_empty_table_holds_no_die(self, drawing, die):
        assert _sure(read_taught_dice(drawing.table(), die)) == []


class TestTheAudit:
    def test_six_and_nine_without_a_line_are_always_asked(self, drawing, shots):
        model = teach_die(
            [*shots("6"), *shots("9", "6", (180, 20, 300)), *shots("bar")]
        )

        assert model.always_ask == (("6", "9"),)
        dice = read_taught_dice(drawing.table(("6", 320, 240, 40)), model)
        assert _sure(dice) == []
        assert {face for face, _ in dice[0].faces[:2]} == {"6", "9"}

    def test_a_shot_of_another_face_is_left_out(self, shots):
        good = [shot for face in ("moon", "arrow") for shot in shots(face)]
        wrong = shots("arrow", "moon", (45,))

        model = teach_die([*good, *wrong])

        assert [number for number, _ in model.mistaken] + list(model.bad) == [6]

    def test_two_looks_of_one_face_are_both_kept(self, drawing, shots):
        model = teach_die(
            [*shots("2", "moon"), *shots("2", "bar"), *shots("3", "arrow")]
        )

        picture = drawing.table(("moon", 150, 200, 10), ("bar", 450, 250, 60))
        assert _sure(read_taught_dice(picture, model)) == ["2", "2"]

    def test_a_look_that_was_shown_only_once_is_told_and_asked_about(
        self, drawing, shots
    ):
        once = shots("2", "bar", (45,))

        model = teach_die([*shots("2", "8"), *once, *shots("3", "arrow")])

        assert model.bad == (3,)
        (die,) = read_taught_dice(drawing.table(("bar", 450, 250, 80)), model)
        assert (die.sure, die.faces[0][0]) == (False, "2")


class TestATaughtDieAsAFile:
    def test_reads_as_before(self, drawing, die):
        again = decode_die(encode_die(die))

        picture = drawing.table(("moon", 120, 120, 33), ("4", 300, 350, 251))
        assert _sure(read_taught_dice(picture, again)) == ["4", "moon"]
        assert (again.safe, again.pips) == (die.safe, die.pips)

    @pytest.mark.parametrize("content", [b"", b"no die", b"PK\x03\x04broken"])
    def test_that_is_none_is_refused(self, content):
        with pytest.raises(DieUnreadable, match="learn it again"):
            decode_die(content)


class TestADieShownWithoutABox:
    def test_is_found(self, drawing):
        box = locate_die(drawing.table(("4", 200, 300, 30)))

        assert box is not None
        assert abs((box[0] + box[2]) / 2 - 200) < 12
        assert abs((box[1] + box[3]) / 2 - 300) < 12

    def test_is_not_guessed_among_two(self, drawing):
        assert (
            locate_die(drawing.table(("4", 200, 240, 30), ("4", 440, 240, 30))) is None
        )

    def test_is_not_found_on_bare_ground(self):
        assert locate_die(np.full((200, 300, 3), 90, np.uint8)) is None
