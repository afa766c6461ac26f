"""What has become of a die by where it lay, and whose throw it is by what was told."""

import pytest

from companion.story.log import Made, Noted, extend
from companion.table import Shown
from companion.watching.at_rest import (
    DieFate,
    MovedDice,
    RestingDie,
    ThrowVerdict,
    awaits_the_same,
    fate_of,
    fates_of,
    judge_throw,
    throws_entered_since,
)
from tests.running.table_setup import GAME, doubted, new_story, played, saw

THREE = RestingDie("d6", "3", (100, 100, 120, 120))


def at(x, y=110, face="3", side=20):
    """Return a die whose middle is at x, y."""
    half = side // 2
    return RestingDie("d6", face, (x - half, y - half, x + half, y + half))


class TestFate:
    @pytest.mark.parametrize(
        ("now", "what"),
        [
            (THREE, DieFate.LIES),
            # Shares 19 of 21 pixels of width, 0.90: however it is read now.
            (at(111, face="5"), DieFate.LIES),
            (at(111, face=None), DieFate.LIES),
            # Pushed by 3 pixels, 0.15 of its side, and by 4, 0.2 of it.
            (at(113), DieFate.LIES),
            (at(114), DieFate.LIES),
            # Turned by 30 degrees: the box is 20 (cos 30 + sin 30) = 27 wide.
            (at(110, side=28), DieFate.LIES),
            # Half a side; 20 pixels are a whole one, the limit.
            (at(115), DieFate.NEAR),
            (at(120), DieFate.NEAR),
            (at(130), DieFate.NEAR),
            (at(131), DieFate.ELSEWHERE),
            # Another face is another throw, unless it lies just there.
            (at(114, face="5"), DieFate.ELSEWHERE),
            (at(120, face=None), DieFate.NEAR),
        ],
    )
    def test_a_die_that_showed_three(self, now, what):
        assert fate_of(THREE, now) is what

    def test_another_piece_is_never_the_same_die(self):
        other = RestingDie("colour", "3", THREE.box)

        assert fate_of(THREE, other) is DieFate.ELSEWHERE

    def test_where_the_camera_may_be_adrift_farther_is_near(self):
        assert fate_of(THREE, at(148)) is DieFate.ELSEWHERE
        assert fate_of(THREE, at(148), near_px=40) is DieFate.NEAR
        assert fate_of(THREE, at(148, face="5"), near_px=40) is DieFate.ELSEWHERE


def test_of_two_equal_dice_each_is_one():
    """One lies still; the other was thrown to its side and is nobody else."""
    before = [[at(110)], [at(300)]]

    told = fates_of(before, [at(110), at(130)])

    assert told == [(DieFate.LIES, 0), (DieFate.ELSEWHERE, None)]


class TestWhoseThrow:
    START = new_story()
    TOLD = played(START, "throw 3")
    NEXT = played(TOLD, "advance green")

    def verdict(self, left, story, faces=("3",), near=False, **more):
        reading = saw(*faces, piece="die")
        return judge_throw(MovedDice(reading, left, left, near), story, **more)

    def test_one_that_moved_while_it_was_awaited_is_a_throw(self):
        assert self.verdict(self.START, self.START) is ThrowVerdict.THROWN
        assert self.verdict(self.NEXT, self.NEXT) is ThrowVerdict.THROWN

    def test_one_that_nobody_saw_move_is_open(self):
        assert self.verdict(None, self.NEXT) is ThrowVerdict.OPEN

    def test_what_a_phone_told_meanwhile_is_the_same_act(self):
        """The state after it awaits none, or Bo's throw."""
        assert throws_entered_since(self.START, self.NEXT) == {
            Shown("die", "3", "tray")
        }
        assert self.verdict(self.START, self.TOLD) is ThrowVerdict.NO_THROW
        assert self.verdict(self.START, self.NEXT) is ThrowVerdict.NO_THROW
        unseen = MovedDice(saw("3", piece="die"), None, self.START, near=False)
        assert judge_throw(unseen, self.NEXT) is ThrowVerdict.NO_THROW

    def test_another_face_than_a_phone_told_is_open_once_the_next_is_awaited(self):
        assert self.verdict(self.START, self.TOLD, ("6",)) is ThrowVerdict.NO_THROW
        assert self.verdict(self.START, self.NEXT, ("6",)) is ThrowVerdict.OPEN

    def test_an_unsure_die_that_may_show_what_was_told_is_the_same_act(self):
        for faces, what in (
            ([("3", 0.5), ("5", 0.4)], ThrowVerdict.NO_THROW),
            ([("6", 0.5), ("5", 0.4)], ThrowVerdict.OPEN),
        ):
            moved = MovedDice(doubted(*faces), self.START, None, near=False)
            assert judge_throw(moved, self.NEXT) is what

    def test_one_that_was_moved_too_early_waits_and_is_open_then(self):
        assert self.verdict(self.TOLD, self.TOLD) is ThrowVerdict.LATER
        assert self.verdict(self.TOLD, self.NEXT) is ThrowVerdict.OPEN

    def test_one_that_lies_nearly_there_is_open_where_it_moved_in_time(self):
        assert self.verdict(self.NEXT, self.NEXT, near=True) is ThrowVerdict.OPEN
        assert self.verdict(self.TOLD, self.NEXT, near=True) is ThrowVerdict.NO_THROW
        assert self.verdict(None, self.NEXT, near=True) is ThrowVerdict.NO_THROW

    def test_two_throws_where_one_is_awaited_are_asked_about(self):
        assert self.verdict(self.START, self.START, twice=True) is ThrowVerdict.TWICE

    def test_a_remark_and_a_private_note_leave_the_throw_awaited(self):
        note = next(m for m in GAME.legal(self.NEXT.state)
                    if not GAME.evidence(self.NEXT.state, m))  # fmt: skip
        noted = extend(self.NEXT, Made(note, "phone"), at=1.0)

        assert awaits_the_same(self.NEXT, extend(self.NEXT, Noted("resume"), at=1.0))
        assert awaits_the_same(self.NEXT, noted)
        assert self.verdict(self.NEXT, noted) is ThrowVerdict.THROWN
