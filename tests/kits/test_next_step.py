"""What a lesson asks next, from what was shown; no picture is needed to say so."""

import pytest

from companion.dashboard.pages.teaching import task_text
from companion.games import GAMES, find
from companion.games.copy import Item
from companion.games.dragorun.pieces import Colour
from companion.kits.curriculum import RollStep, course
from companion.kits.next_step import (
    Audit,
    Progress,
    RollVerdict,
    after_audit,
    after_shot,
    judge_roll,
    missing,
    one_step_back,
    shots_taken,
    shots_wanted,
    skip,
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
    return {item.key: shots_wanted(item, Progress()) for item in lesson_course.items}


class TestTheCourse:
    def test_each_side_of_a_die_is_shown_three_times(self):
        faces = [
            (item.face, shots_wanted(item, Progress()))
            for item in DRACHENHORT.of("die")
        ]

        # 1, 2, 2, 3, 4, 6: two sides show a two.
        assert faces == [("1", 3), ("2", 6), ("3", 3), ("4", 3), ("6", 3)]

    def test_each_die_ends_with_a_roll(self):
        assert DRAGORUN.dice == ("move", "colour")
        assert isinstance(DRAGORUN.steps[6], RollStep)
        assert shots_taken(DRAGORUN, {}, Progress()) == (0, 18 + 18 + 7)

    def test_a_copy_with_another_fifth_dragon_is_asked_for_its_colour(self):
        box = find("dragorun").box_type((1, 2, 3, 4, 5), 25, Colour.PINK)

        faces = [item.face for item in course("dragorun", box).of("colour")]

        assert faces == ["red", "green", "blue", "yellow", "pink", "white"]

    def test_a_card_is_shown_once_and_thrice_where_it_looks_like_another(self):
        head, tail = EIGHT.items[0], EIGHT.items[1]

        progress = after_audit(
            EIGHT, Progress(), "card", Audit((), ((head.face, tail.face),)), ()
        )

        assert [shots_wanted(item, progress) for item in EIGHT.items[:3]] == [3, 3, 1]

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
        bad = Audit(("shots/a.png", "shots/b.png"))

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
        found = Audit((), (("3", "4"),))

        progress = after_audit(DRACHENHORT, Progress(at=DIE_ROLL), "die", found, ())

        assert progress.alike == (("die", "3", "4"),)
        assert progress.at == DIE_ROLL

    def test_what_is_missing_is_counted(self):
        counts = {**all_shown(DRACHENHORT), DRACHENHORT.items[1].key: 4}

        assert missing(DRACHENHORT, counts, Progress(), "die") == 2


class TestTheTestRoll:
    at_roll = Progress(at=DIE_ROLL)

    def test_one_that_is_read_right_ends_the_die(self):
        progress, verdict = judge_roll(DRACHENHORT, self.at_roll, "die", "3", "3")

        assert verdict is RollVerdict.RIGHT
        assert progress.passed == ("die",)
        assert step_of(DRACHENHORT, progress) is None

    def test_one_that_is_asked_is_rolled_again(self):
        progress, verdict = judge_roll(DRACHENHORT, self.at_roll, "die", None, "3")

        assert verdict is RollVerdict.ASKED
        assert progress == self.at_roll

    def test_one_that_is_misread_leads_back_to_its_face(self):
        progress, verdict = judge_roll(DRACHENHORT, self.at_roll, "die", "2", "3")

        assert verdict is RollVerdict.WRONG
        step = step_of(DRACHENHORT, progress)
        assert isinstance(step, Item)
        assert step.face == "3"
        assert progress.passed == ()
