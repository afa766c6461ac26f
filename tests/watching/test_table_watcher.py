"""Whoever looks at the whole table tells what is new, once, and takes an answer."""

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from companion.corrections.misplaced import find_misplaced
from companion.table import Claim, LinePart, Moved, Placed, Removed, UnsurePiece
from tests.running.table_setup import GAME, SETUP, played, running
from tests.watching.scene import Scene, at, lying, still
from vision.board.obstacle import Obstacle
from vision.camera.port import Frame
from vision.tabletop.seen import TableReading


@pytest.fixture
def kept():
    """Return the pictures that the scene's eye has kept."""
    return []


@pytest.fixture
def scene(tmp_path, kept):
    with running(tmp_path) as table:
        table.open_game(SETUP)
        yield Scene(
            table, keep=lambda jpeg: (kept.append(jpeg), f"{len(kept):024x}")[1]
        )


def test_a_throw_and_a_move_are_believed_as_they_are_seen(scene):
    die = at("d6", "tray", "3")
    thrown = scene.show(lying(scene.story, die))
    moved = scene.show(lying(thrown, die, at("red", "cell/3/dark"), without=["red"]))

    assert thrown.state.pips == 3
    assert [GAME.notate(thrown.state, step.made.move) for step in moved.steps[1:]] == [
        "advance red"
    ]
    assert moved.steps[-1].made.source == "camera"


def test_a_move_names_the_pictures_of_where_it_was_seen(kept, scene):
    die = at("d6", "tray", "3")
    thrown = scene.show(lying(scene.story, die))
    moved = lying(thrown, die, at("red", "cell/3/dark"), without=["red"])

    story = scene.show(moved)

    assert [step.made.evidence for step in story.steps] == [
        (f"{1:024x}",),
        (f"{2:024x}",),
    ]
    assert all(jpeg.startswith(b"\xff\xd8") for jpeg in kept)


def test_the_picture_that_is_kept_is_that_of_the_look_which_is_believed(kept, scene):
    doubt = UnsurePiece("cell/9", (), (60, 60, 90, 90))
    dark, bright = (np.full((120, 160, 3), grey, np.uint8) for grey in (60, 200))
    tells_more = TableReading(lying(scene.story).found, (doubt,))

    scene.reader.seen = tells_more
    scene.eye.look(dark, first=True)
    scene.reader.seen = TableReading(tells_more.found[1:], (doubt,))
    scene.eye.look(bright, first=False)
    scene.eye.hand_over(scene.table.snapshot, 1.0)

    shown = cv2.imdecode(np.frombuffer(kept[0], np.uint8), cv2.IMREAD_COLOR)
    assert len(kept) == 1
    assert shown.min() < 70
    assert shown.max() < 150


def test_a_question_is_asked_once_though_each_look_has_other_pictures(kept, scene):
    blob = UnsurePiece("cell/9", (), (3, 3, 9, 9))
    seen = TableReading(lying(scene.story).found, (blob,))
    asked = scene.show(seen)

    again = scene.show(seen)

    assert asked.asked.reading.choices[0].evidence_id == f"{1:024x}"
    assert again.seq == asked.seq


def test_a_table_that_lies_as_it_should_is_read_once_and_told_to_nobody(scene):
    before = scene.story.seq

    scene.show(lying(scene.story))

    assert scene.reader.looks == 1
    assert scene.story.seq == before
    assert scene.eye.delays_s == []


def test_a_hand_that_rests_is_told_of_after_a_while_and_until_it_is_gone(scene):
    lies, hand = lying(scene.story), TableReading(hand=True)

    def trouble():
        assert scene.story is not None  # everything before was heard
        return scene.table.snapshot.camera.trouble

    scene.show(hand, times=15 * 5)  # at rest for less than five seconds
    assert trouble() is None
    scene.show(hand, times=15 * 6)
    assert trouble() == LinePart("core.eye.hand")
    scene.show(lies)
    assert trouble() is None


def test_what_differs_from_one_picture_to_the_next_no_hand_has_moved(scene):
    """A lamp is lit between two pictures, a fifteenth of a second; a hand takes six."""
    scene.show(lying(scene.story))
    for number, place in enumerate((30, 34, 38, 42, 46, *[50] * 8), scene.number + 1):
        scene.eye.see(Frame(still(place), number / 15, None, ""))
    scene.number = number
    scene.show(lying(scene.story))

    # Before the first look of all nobody saw anything.
    assert scene.reader.untouched == [False, True, False, True]


def test_what_nobody_saw_come_may_have_been_moved(scene):
    scene.eye.miss()

    scene.show(lying(scene.story))

    assert scene.reader.untouched == [False, False]


def test_a_die_that_was_not_moved_is_no_new_throw(scene):
    die = at("d6", "tray", "3")
    thrown = scene.show(lying(scene.story, die))
    moved = lying(thrown, die, at("red", "cell/3/dark"), without=["red"])
    after = scene.show(moved)

    again = scene.show(lying(after, die))

    assert again.seq == after.seq

    elsewhere = at("d6", "tray", "3", (40, 0, 49, 9))
    assert scene.show(lying(after, elsewhere)).state.pips == 3


class TestABoardThatCannotBeCompared:
    def seen(self, scene, *dice, line="core.eye.lamp"):
        return replace(lying(scene.story, *dice), obstacle=line)

    def said(self, scene):
        scene.table.sync()
        return scene.table.snapshot.camera.trouble

    def test_is_said_to_be_so_at_once_and_a_thing_on_it_after_a_while(self, scene):
        scene.show(self.seen(scene))
        assert self.said(scene) == LinePart("core.eye.lamp")
        scene.show(lying(scene.story))
        assert self.said(scene) is None
        scene.show(self.seen(scene, line="core.eye.thing"), times=15 * 4)
        assert self.said(scene) is None
        scene.show(self.seen(scene, line="core.eye.thing"), times=15 * 6)
        assert self.said(scene) == LinePart("core.eye.thing")

    def test_swallows_no_throw(self, scene):
        before = len(scene.story.steps)

        scene.show(self.seen(scene, at("d6", "tray", "3")))

        assert len(scene.story.steps) == before + 1

    def test_answers_no_question(self, scene):
        """What lies there is only what was believed before."""
        wrong = lying(scene.story, at("red", "cell/9/dark"), without=("red",))
        scene.show(wrong)
        assert scene.story.asked is not None

        scene.show(self.seen(scene))

        assert scene.story.asked is not None


def test_while_a_hand_rests_on_the_table_nothing_is_told(scene):
    story = scene.show(TableReading(hand=True))

    assert (story.seq, scene.eye.delays_s) == (0, [])


def test_what_two_pictures_leave_in_doubt_is_asked(scene):
    doubt = UnsurePiece("tray", (("d6", "3", 0.5), ("d6", "6", 0.4)), (0, 0, 9, 9))

    story = scene.show(TableReading(lying(scene.story).found, (doubt,)))

    assert scene.reader.looks == 2
    assert story.asked is not None
    assert story.asked.options[0] == "throw 3"


def test_once_people_have_answered_the_table_is_read_again_as_it_lies(scene):
    """Else what they said would come into sight only with the next move."""
    doubt = UnsurePiece("tray", (("d6", "3", 0.5), ("d6", "6", 0.4)), (0, 0, 9, 9))
    unclear = TableReading(lying(scene.story).found, (doubt,))
    asked = scene.show(unclear)
    assert scene.rest(unclear).seq == asked.seq
    assert scene.reader.looks == 2

    scene.table.act(Claim("throw 3", None, asked.seq, "tap"))
    scene.rest(lying(scene.story, at("d6", "tray", "3")))

    assert scene.reader.looks == 3


def test_what_one_picture_leaves_in_doubt_and_the_next_shows_is_taken(scene):
    record = scene.story
    doubt = UnsurePiece("tray", (("d6", "3", 0.5), ("d6", "6", 0.4)), (0, 0, 9, 9))
    unclear = TableReading(lying(record).found, (doubt,))

    story = scene.show([unclear, lying(record, at("d6", "tray", "3"))])

    assert (story.asked, story.state.pips) == (None, 3)


def test_an_illegal_move_is_asked_about_once_and_put_right_by_putting_it_back(scene):
    die = at("d6", "tray", "3")
    thrown = scene.show(lying(scene.story, die))
    wrong = lying(thrown, die, at("red", "cell/9/dark"), without=["red"])

    asked = scene.show(wrong, times=20)
    right = lying(thrown, die, at("red", "cell/3/dark"), without=["red"])
    after = scene.show(right)

    assert asked.seq == thrown.seq + 1
    assert asked.asked.why.line == "core.ask.table_unexpected"
    assert asked.asked.reading.glimpses[0].sight == Moved("red", "start", "cell/9/dark")
    assert (after.asked, after.seq) == (None, asked.seq + 1)


def test_after_an_answer_the_eye_does_not_insist_on_what_it_saw(scene):
    """It misses the jewel of room 4, which somebody says was taken."""
    die = at("d6", "tray", "4")
    thrown = scene.show(lying(scene.story, die))
    blob = UnsurePiece("cell/4", (), (3, 3, 9, 9))
    seen = lying(thrown, die, at("red", "cell/4/dark"), without=["red"])
    asked = scene.show(TableReading(seen.found, (blob,)))
    scene.table.act(Claim("advance red", 0, asked.seq, "tap"))

    after = scene.show(TableReading(seen.found, (blob,)))

    assert asked.asked is not None
    assert after.seq == asked.seq + 1
    # Another thing somewhere else is news again.
    other = UnsurePiece("cell/9", (), (50, 50, 59, 59))
    assert scene.show(TableReading(seen.found, (blob, other))).asked is not None


def test_what_was_clear_meanwhile_is_asked_about_when_it_is_unclear_again(scene):
    """Else a card that comes to that place later would be taken for the old one."""
    die = at("d6", "tray", "4")
    thrown = scene.show(lying(scene.story, die))
    blob = UnsurePiece("cell/4", (), (3, 3, 9, 9))
    seen = lying(thrown, die, at("red", "cell/4/dark"), without=["red"])
    unclear = TableReading(seen.found, (blob,))
    asked = scene.show(unclear)
    scene.table.act(Claim("advance red", 0, asked.seq, "tap"))
    assert scene.show(unclear).asked is None
    scene.show(seen)

    assert scene.show(unclear).asked is not None


def test_what_was_unclear_and_is_gone_was_taken_away(scene):
    """What nobody can tell is missed too: until then people know that it lies there."""
    die = at("d6", "tray", "4")
    thrown = scene.show(lying(scene.story, die))
    blob = UnsurePiece("start", (), (3, 3, 9, 9))
    seen = lying(thrown, die, without=["red"])
    unclear = TableReading(seen.found, (blob,))
    asked = scene.show(unclear)
    scene.table.act(Claim("advance blue", 0, asked.seq, "tap"))
    moved = lying(scene.story, die, without=["red"])
    assert scene.show(TableReading(moved.found, (blob,))).asked is None

    gone = scene.show(moved)

    (glimpse,) = gone.asked.reading.glimpses
    assert glimpse.sight == Removed("red", "start", None)


def test_a_hand_over_what_is_unclear_makes_nobody_be_asked_anew(scene):
    die = at("d6", "tray", "4")
    thrown = scene.show(lying(scene.story, die))
    blob = UnsurePiece("cell/4", (), (3, 3, 9, 9))
    seen = lying(thrown, die, at("red", "cell/4/dark"), without=["red"])
    unclear = TableReading(seen.found, (blob,))
    asked = scene.show(unclear)
    scene.table.act(Claim("advance red", 0, asked.seq, "tap"))
    scene.show(unclear)
    scene.show(TableReading(seen.found, obstacle=Obstacle.HAND))

    assert scene.show(unclear).seq == asked.seq + 1


def test_who_puts_a_figure_back_has_answered_and_tells_something_else_then(scene):
    """Else the next thing that is done would be taken for the eye's own mistake."""
    die = at("d6", "tray", "4")
    thrown = scene.show(lying(scene.story, die))
    wrong = lying(thrown, die, at("red", "cell/9/dark"), without=["red"])
    scene.show(wrong)
    back = scene.show(lying(thrown, die))
    scene.table.act(Claim("advance red", 0, back.seq, "tap"))

    after = scene.show(lying(thrown, die, at("blue", "cell/9/dark"), without=["blue"]))

    assert back.asked is None
    assert after.asked is not None


def test_nor_where_a_pause_lies_between(scene):
    die = at("d6", "tray", "4")
    thrown = scene.show(lying(scene.story, die))
    blob = UnsurePiece("cell/4", (), (3, 3, 9, 9))
    seen = lying(thrown, die, at("red", "cell/4/dark"), without=["red"])
    asked = scene.show(TableReading(seen.found, (blob,)))
    scene.table.rest(pause=True)
    scene.table.rest(pause=False)
    scene.table.act(Claim("advance red", 0, asked.seq + 2, "tap"))

    assert scene.show(TableReading(seen.found, (blob,))).seq == asked.seq + 3


class TestAPause:
    def test_what_hands_did_meanwhile_is_found_when_the_game_goes_on(self, scene):
        die = at("d6", "tray", "3")
        thrown = scene.show(lying(scene.story, die))
        moved = lying(thrown, die, at("red", "cell/3/dark"), without=["red"])
        scene.table.rest(pause=True)
        assert len(scene.show(moved).steps) == 1

        scene.table.rest(pause=False)

        assert len(scene.show(moved).steps) == 2

    def test_a_die_thrown_meanwhile_is_no_throw(self, scene):
        die = at("d6", "tray", "3")
        scene.table.rest(pause=True)
        scene.show(lying(scene.story, die))
        scene.table.rest(pause=False)
        assert scene.show(lying(scene.story, die)).steps == ()

        elsewhere = at("d6", "tray", "4", (40, 0, 49, 9))

        assert scene.show(lying(scene.story, elsewhere)).state.pips == 4


def test_a_dark_table_is_asked_about(scene):
    story = scene.show(TableReading(trouble="core.ask.dark"))

    assert story.asked is not None
    assert story.asked.why.line == "core.ask.dark"


def test_a_five_on_an_ordinary_die_is_news_as_a_second_two(scene):
    story = scene.show(lying(scene.story, at("d6", "tray", "5")))

    assert story.state.pips == 2
    assert story.entries[-1].body.confidence == 0.98


def test_the_delay_is_the_time_from_rest_to_the_telling(scene):
    """Three pictures of rest.

    Rest begins at the second like picture; it holds for 0.133 s, which is two more at
    15 a second: 2 / 15 = 0.133 s.
    """
    scene.show(lying(scene.story, at("d6", "tray", "3")))

    assert scene.eye.delays_s == [pytest.approx(2 / 15)]


def test_sights_of_a_whole_table_name_places(scene):
    story = scene.show(lying(scene.story, at("green", "cell/2/dark", None)))

    assert Placed("green", None, "cell/2/dark") in {
        glimpse.sight for glimpse in story.asked.reading.glimpses
    }


def test_hands_that_have_done_what_they_owed_are_noticed(scene):
    """Red is told to have advanced before a hand moves the figure, and then it does."""
    die = at("d6", "tray", "4")
    thrown = scene.show(lying(scene.story, die))
    scene.table.act(Claim("advance red", 0, thrown.seq, "tap"))
    early = scene.show(lying(thrown, die))
    late = scene.table.snapshot.lying

    after = scene.show(lying(early, die))

    assert ("red", None, "start") in late
    assert scene.table.snapshot.lying == GAME.layout(after.state)
    assert after.asked is None


def told(before, after):
    """Return what was noted between two stories."""
    state, moves = before.state, []
    for step in after.steps[len(before.steps) :]:
        moves.append(GAME.notate(state, step.made.move))
        state = step.state
    return moves


class TestAStart:
    """The game was resumed: nobody knows what hands did since the power went."""

    PLAYED = ("throw 3", "advance red", "throw 1")

    @pytest.fixture
    def again(self, tmp_path):
        with running(tmp_path) as table:
            table.open_game(SETUP)
            for number, text in enumerate(self.PLAYED):
                table.act(Claim(text, None, number, f"made {number}"))
        with running(tmp_path) as table:
            yield Scene(table)

    def test_a_table_in_order_says_nothing(self, again):
        before = again.story

        assert again.show(lying(before)) == before
        assert again.table.snapshot.notice is None
        assert not again.table.snapshot.unseen

    def test_a_die_that_lies_there_still_is_no_throw(self, tmp_path, again):
        again.table.act(Claim("advance blue", None, 3, "made 3"))
        before = again.story

        assert again.show(lying(before, at("d6", "tray", "1"))).steps == before.steps

    def test_a_figure_that_stands_elsewhere_is_asked_about_and_put_back(self, again):
        before = again.story
        wrong = lying(before, at("green", "cell/9/dark"), without=["green"])

        asked = again.show(wrong)
        (lost,) = find_misplaced(asked, again.table.snapshot.lying)
        after = again.show(lying(asked))

        assert (lost.home, lost.there) == ("start", "cell/9/dark")
        assert asked.steps == before.steps == after.steps
        assert after.asked is None

    def test_a_missed_move_is_found_and_said(self, again):
        before = again.story
        die = at("d6", "tray", "1")

        after = again.show(
            lying(before, die, at("blue", "cell/1/dark"), without=["blue"])
        )

        assert told(before, after) == ["advance blue"]
        assert again.table.snapshot.notice == LinePart("core.caught_up", (("n", 1),))
        elsewhere = at("d6", "tray", "3", (40, 0, 49, 9))
        assert again.show(lying(after, elsewhere)).state.pips == 3
        assert again.table.snapshot.notice is None

    def test_two_missed_moves_are_found_and_said(self, again):
        """Blue went by the one that was noted; then Cy threw a two and moved green."""
        again.table.act(Claim("advance blue", None, 3, "made 3"))
        before = again.story
        ahead = played(before, "throw 2", "advance green")

        after = again.show(lying(ahead, at("d6", "tray", "2")))

        assert told(before, after) == ["throw 2", "advance green"]
        assert again.table.snapshot.notice == LinePart("core.caught_up", (("n", 2),))

    def test_while_record_and_table_disagree_no_throw_is_taken(self, again):
        wrong = lying(again.story, at("green", "cell/9/dark"), without=["green"])
        asked = again.show(wrong)
        die = at("d6", "tray", "4", (40, 0, 49, 9))

        after = again.show(TableReading((*wrong.found, die)))

        assert after.steps == asked.steps
        assert after.asked is not None

    def test_what_the_game_before_left_lying_is_not_believed_to_lie_here(self, again):
        again.show(lying(again.story))
        assert again.table.snapshot.lying is not None

        again.table.open_game(SETUP)

        assert again.table.snapshot.lying is None


class TestAfterAPause:
    def test_two_missed_moves_are_found_and_said(self, scene):
        scene.show(lying(scene.story))
        scene.table.rest(pause=True)
        moved = lying(
            scene.story,
            at("d6", "tray", "3"),
            at("red", "cell/3/dark"),
            without=["red"],
        )
        assert scene.show(moved).steps == ()

        scene.table.rest(pause=False)
        after = scene.show(moved)

        assert [step.made.source for step in after.steps] == ["camera", "camera"]
        assert scene.table.snapshot.notice == LinePart("core.caught_up", (("n", 2),))

    def test_a_table_in_order_says_nothing(self, scene):
        die = at("d6", "tray", "3")
        scene.show(lying(scene.story, die))
        scene.table.rest(pause=True)
        scene.table.rest(pause=False)
        before = scene.story

        assert scene.show(lying(before, die)) == before
        assert scene.table.snapshot.notice is None
