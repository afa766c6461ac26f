"""What a lesson asks next, from what was shown; no picture is needed to say so."""

import pytest

from companion.dashboard.pages.teaching import task_text
from companion.games import GAMES, find
from companion.games.copy import Item
from companion.games.dragorun.pieces import Colour
from companion.kits.curriculum import RollStep, course
from companion.kits.next_step import (
    PieceAudit,
    Progress,
    RollVerdict,
    after_audit,
    after_shot,
    faces_to_retake,
    judge_roll,
    leave_to_people,
    missing,
    one_step_back,
    rolls_wanted,
    shots_taken,
    shots_wanted,
    skip,
    start_over,
    step_of,
)
from companion.teaching.page import Lesson
from companion.words import LANGUAGES, Words

DRACHENHORT = course("drachenhort", find("drachenhort").stand_in)
DRAGORUN = course("dragorun", find("dragorun").stand_in)
EIGHT = course("eight_dragons", find("eight_dragons").stand_in)
DIE_ROLL = 5
"""Number of the test roll of Drachenhort's die: after its five faces."""


def all_shown(lesson_course):
    return {item.key: shots_wanted(item) for item in lesson_course.items}


class TestTheCourse:
    def test_each_side_of_a_die_is_shown_three_times(self):
        faces = [(item.face, shots_wanted(item)) for item in DRACHENHORT.of("die")]

        # 1, 2, 2, 3, 4, 6: two sides show a two.
        assert faces == [("1", 3), ("2", 6), ("3", 3), ("4", 3), ("6", 3)]

    def test_each_die_ends_with_a_roll(self):
        assert DRAGORUN.dice == ("move", "colour")
        assert isinstance(DRAGORUN.steps[6], RollStep)
        assert shots_taken(DRAGORUN, {}) == (0, 18 + 18 + 21)

    def test_a_copy_with_another_fifth_dragon_is_asked_for_its_colour(self):
        box = find("dragorun").box_type((1, 2, 3, 4, 5), 25, Colour.PINK)

        faces = [item.face for item in course("dragorun", box).of("colour")]

        assert faces == ["red", "green", "blue", "yellow", "pink", "white"]

    def test_each_card_is_shown_three_times(self):
        # 25 faces of cards, their back and a token.
        assert shots_taken(EIGHT, {}) == (0, 27 * 3)

    @pytest.mark.parametrize("game", [game.id for game in GAMES])
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_everything_it_asks_has_words(self, game, language):
        steps = course(game, find(game).stand_in)
        words = Words(language, strict=True)

        for at in range(len(steps.steps) + 1):
            lesson = Lesson(
                "k", steps, Progress(at=at), all_shown(steps), bare=True, tray=True
            )
            for line in task_text(lesson):
                assert words.say(line.line, line.params)
        for item in steps.items:
            assert words.text(item.name)


class TestGoingOn:
    def test_the_next_face_comes_after_the_third_shot(self):
        key = DRACHENHORT.items[0].key

        two = after_shot(DRACHENHORT, {key: 2}, Progress())
        three = after_shot(DRACHENHORT, {key: 3}, Progress())

        assert (two.at, three.at) == (0, 1)

    def test_back_and_on_again_ends_at_the_rims(self):
        assert one_step_back(Progress()).at == 0
        assert one_step_back(Progress(at=3)).at == 2
        assert step_of(DRACHENHORT, skip(DRACHENHORT, Progress(at=DIE_ROLL))) is None

    def test_a_face_that_was_retaken_leads_back_to_the_roll(self):
        progress = after_shot(DRACHENHORT, all_shown(DRACHENHORT), Progress(at=1))

        assert progress.at == DIE_ROLL

    def test_doubtful_faces_are_asked_again_one_after_the_other(self):
        counts = all_shown(DRACHENHORT)
        three, four = DRACHENHORT.items[2].key, DRACHENHORT.items[3].key
        bad = PieceAudit(("shots/a.png", "shots/b.png"))

        progress = after_audit(
            DRACHENHORT, Progress(at=DIE_ROLL), "die", bad, ("3", "4")
        )  # fmt: skip
        assert progress.at == 2
        progress = after_shot(DRACHENHORT, {**counts, four: 2}, progress)
        assert progress.at == 3
        assert progress.again == (("die", "4"),)
        progress = after_shot(DRACHENHORT, counts, progress)

        assert progress.at == DIE_ROLL
        assert counts[three] == 3

    def test_pairs_that_cannot_be_told_apart_are_listed(self):
        found = PieceAudit((), (("3", "4"),))

        progress = after_audit(DRACHENHORT, Progress(at=DIE_ROLL), "die", found, ())

        assert progress.alike == (("die", "3", "4"),)
        assert progress.at == DIE_ROLL

    def test_what_is_missing_is_counted(self):
        counts = {**all_shown(DRACHENHORT), DRACHENHORT.items[1].key: 4}

        assert missing(DRACHENHORT, counts, "die") == 2


class TestTheTestRoll:
    at_roll = Progress(at=DIE_ROLL)

    def rolled(self, *reads, progress=at_roll):
        """Return what rolls of a three come to that were read as said."""
        for read in reads:
            progress, verdict = judge_roll(DRACHENHORT, progress, "die", read, "3")
        return progress, verdict

    def test_three_that_are_read_right_end_the_die(self):
        two, _ = self.rolled("3", "3")
        three, verdict = self.rolled("3", progress=two)

        assert (two.passed, two.at, rolls_wanted(two, "die")) == ((), DIE_ROLL, 1)
        assert verdict is RollVerdict.RIGHT
        assert three.passed == ("die",)
        assert step_of(DRACHENHORT, three) is None

    def test_one_that_is_asked_is_rolled_again(self):
        progress, verdict = self.rolled(None)

        assert verdict is RollVerdict.ASKED
        assert (progress.at, progress.passed, progress.left) == (DIE_ROLL, (), ())

    @pytest.mark.parametrize(("read", "first"), [("2", "2"), ("4", "3")])
    def test_one_that_is_misread_leads_back_to_the_earlier_of_two(self, read, first):
        progress, verdict = self.rolled("3", read)

        assert verdict is RollVerdict.WRONG
        step = step_of(DRACHENHORT, progress)
        assert isinstance(step, Item)
        assert step.face == first
        assert progress.passed == ()
        assert rolls_wanted(progress, "die") == 3  # what was right before is void

    @pytest.mark.parametrize("read", ["2", "4"])
    def test_both_faces_of_a_misread_are_shown_before_the_die_is_rolled(self, read):
        progress, _ = self.rolled(read)
        dropped, shown = {"3", read}, []
        counts = {
            key: 0 if key[2] in dropped else count
            for key, count in all_shown(DRACHENHORT).items()
        }

        while isinstance(step := step_of(DRACHENHORT, progress), Item):
            shown.append(step.face)
            counts[step.key] = 99
            progress = after_shot(DRACHENHORT, counts, progress)

        assert sorted(shown) == sorted(dropped)
        assert missing(DRACHENHORT, counts, "die") == 0

    def test_a_second_misread_leaves_the_die_to_people(self):
        progress, _ = self.rolled("2")
        progress = after_shot(DRACHENHORT, all_shown(DRACHENHORT), progress)
        progress, _ = self.rolled("3", "4", progress=progress)

        assert (progress.left, progress.passed) == (("die",), ())
        assert step_of(DRACHENHORT, progress) is None

    def test_six_rolls_of_which_two_are_read_leave_the_die_to_people(self):
        progress, _ = self.rolled("3", None, None, "3", None, None)

        assert (progress.left, progress.passed) == (("die",), ())
        assert step_of(DRACHENHORT, progress) is None

    def test_a_die_that_was_left_is_tested_anew_when_a_face_is_shown_again(self):
        left, _ = self.rolled(*[None] * 6)

        progress = start_over(DRACHENHORT, left, "die", "4")
        progress = after_shot(DRACHENHORT, all_shown(DRACHENHORT), progress)

        assert (progress.at, progress.left) == (DIE_ROLL, ())
        assert rolls_wanted(progress, "die") == 3


class TestALessonEnds:
    """No face is asked a third time: what is doubtful twice is what the camera sees."""

    def test_a_face_that_was_asked_again_once_is_not_asked_again(self):
        bad = PieceAudit(("shots/a.png",))
        progress = after_audit(
            DRACHENHORT, Progress(at=DIE_ROLL), "die", bad, ("3",)
        )  # fmt: skip

        assert faces_to_retake(Progress(), "die", ("3", "4")) == ("3", "4")
        assert faces_to_retake(progress, "die", ("3", "4")) == ("4",)

    def test_it_is_asked_again_once_people_show_it_anew(self):
        progress = Progress(retaken=(("die", "3"), ("other", "3")))

        progress = start_over(DRACHENHORT, progress, "die", "3")

        assert progress.retaken == (("other", "3"),)

    def test_a_die_that_cannot_be_read_is_left_and_the_next_one_asked(self):
        # Six faces, their test, six colours, their test.
        progress = leave_to_people(Progress(at=6), "move")

        assert progress.left == ("move",)
        assert step_of(DRAGORUN, progress) == DRAGORUN.of("colour")[0]
