"""The demo's players know what truly lies in the tray, and count what was misread."""

from companion.demo.drawn_dice import DicePlayers, DrawnDice, ThrowCount, tally
from companion.story.log import PAUSE, Asked, Made, Noted, extend
from companion.table import LinePart, Reading
from tests.running.table_setup import GAME, PLAIN_DIE, new_story, played

DICE = DrawnDice(7, lambda: 0.0, draw=lambda faces, seed: (faces, seed))
MEANS = {meaning.seen[1]: meaning.means[1] for meaning in PLAIN_DIE}


def players(**more):
    return DicePlayers(None, DICE, PLAIN_DIE, 7, 0.0, **more)


def throw(story, text: str, position: int):
    move = GAME.parse(story.state, text)
    return extend(story, Made(move, "camera", position=position), 1.0)


def noted():
    return played(new_story(), "note 0 0", "note 1 1", "note 2 2")


class TestDrawnDice:
    def test_the_same_seed_throws_the_same_dice_wherever_one_begins(self):
        first = [DICE.shows(number) for number in range(50)]

        again = DrawnDice(7, lambda: 0.0, draw=lambda faces, seed: faces)
        again.position = 20

        assert again.read().picture == (first[20],)
        assert again.read().position == 21
        assert set(first) == set("123456")


class TestChoosing:
    def test_each_player_notes_another_group_first(self):
        story = new_story()
        for _ in range(3):
            story = extend(story, Made(players().chooses(story), "x"), 0.0)

        notes = [step.made.move for step in story.steps]
        assert [note.seat for note in notes] == [0, 1, 2]
        assert len({note.group.value for note in notes}) == 3

    def test_while_the_camera_is_awaited_nobody_acts(self):
        assert players().chooses(noted()) is None

    def test_in_a_pause_nobody_acts(self):
        story = extend(played(noted(), "throw 3"), Noted(PAUSE), 1.0)

        assert players().chooses(story) is None

    def test_a_question_is_answered_by_what_truly_lies_there(self):
        reading = Reading((), position=4)
        story = extend(noted(), Asked(reading, LinePart("core.ask.nothing"), ()), 1.0)

        answer = players().chooses(story)

        assert str(answer.pips) == MEANS[DICE.shows(4)]

    def test_after_a_throw_somebody_is_moved(self):
        story = played(noted(), "throw 3")

        assert players().chooses(story) in list(GAME.legal(story.state))


class TestCounting:
    def test_a_throw_that_was_read_right_is_not_wrong(self):
        story = throw(noted(), f"throw {MEANS[DICE.shows(0)]}", 0)

        assert tally(story, DICE) == ThrowCount(readings=1)

    def test_a_throw_that_was_misread_is_counted(self):
        other = next(face for face in "12346" if face != MEANS[DICE.shows(0)])

        assert tally(throw(noted(), f"throw {other}", 0), DICE).wrong_accepted == 1

    def test_a_question_is_a_reading_that_was_asked(self):
        reading = Reading((), position=0)
        story = extend(noted(), Asked(reading, LinePart("core.ask.nothing"), ()), 1.0)

        assert tally(story, DICE) == ThrowCount(readings=1, asked=1)
