"""Two dice in one tray: each is known to lie where it lay, or to have been thrown."""

import cv2
import numpy as np
import pytest

from companion.running.snapshot import Setup
from companion.table import Claim, Shown, SurePiece, UnsurePiece
from companion.watching.last_throw import DiceInSight, TrayChanges, TrayMemory
from tests.running.table_setup import running
from tests.watching.scene import Scene, at, lying
from vision.ground.knock import move_picture
from vision.tabletop.seen import TableReading

SET_UP = (
    "place red 1", "place green 2", "place blue 3", "place yellow 4", "place violet 5",
    "deal 0 red", "deal 1 green",
)  # fmt: skip


def colour(face, left=0, confidence=0.98):
    """Return the colour die, 20 pixels wide."""
    return at("colour", "tray", face, (left, 0, left + 20, 20), confidence)


def step(face, left=0):
    """Return the movement die, in a row below that of the colour die."""
    return at("move", "tray", face, (left, 50, left + 20, 70))


@pytest.fixture
def scene(tmp_path):
    with running(tmp_path) as table:
        table.open_game(Setup("dragorun", ("Ana", "Bo")))
        for number, move in enumerate(SET_UP):
            seq = table.snapshot.story.seq
            table.act(Claim(move, None, seq, f"set-up/{number}"))
        there = Scene(table)
        assert there.story.state.phase == "turn"
        yield there


def made(story):
    """Return what was done after the set-up, in notation."""
    return [
        story.game.notate(story.state, each.made.move)
        for each in story.steps[len(SET_UP) :]
    ]


def test_both_dice_are_one_throw(scene):
    story = scene.show(lying(scene.story, colour("blue"), step("+2")))

    assert made(story) == ["throw blue +2"]


def test_one_die_is_thrown_again_while_the_other_lies(scene):
    story = scene.show(lying(scene.story, colour("blue"), step("+2")))
    again = scene.show(lying(story, colour("red", 60), step("+2")))

    assert made(again) == ["throw blue +2", "colour red"]


def test_a_die_thrown_again_may_show_the_same_face(scene):
    """It lies 40 pixels to the right, so wholly beside its 20 pixels of before."""
    story = scene.show(lying(scene.story, colour("blue"), step("+2")))
    again = scene.show(lying(story, colour("blue"), step("+2", 40)))

    assert made(again) == ["throw blue +2", "step +2"]


def test_a_sleeve_that_pushes_a_die_throws_nothing(scene):
    """It lies 8 pixels to the right: of 20 + 8 it shares 12, which is 0.43."""
    story = scene.show(lying(scene.story, colour("blue"), step("+2")))
    pushed = scene.show(lying(story, colour("blue", 8), step("+2")))
    moved = lying(pushed, colour("blue", 8), step("+2"),
                  at("blue", "track/7"), without=["blue"])  # fmt: skip
    after = scene.show(moved)

    assert made(after) == ["throw blue +2", "move blue 7"]
    # It lies where it was pushed to when nobody has thrown for the next turn yet.
    later = scene.show(lying(after, colour("blue", 8), step("+2")))
    assert (later.seq, later.asked) == (after.seq, None)


def test_after_the_second_throw_dice_may_be_put_aside(scene):
    story = scene.show(lying(scene.story, colour("blue"), step("+2")))
    bound = scene.show(lying(story, colour("red", 60), step("+2")))

    aside = scene.show(lying(bound, colour("red"), step("+2", 60)))

    assert bound.state.phase == "bound"
    assert (aside.seq, aside.asked) == (bound.seq, None)


def test_the_next_player_throws_what_lay_there_before(scene):
    story = scene.show(lying(scene.story, colour("blue"), step("+2")))
    dice = (colour("blue"), step("+2"))
    after = scene.show(lying(story, *dice, at("blue", "track/7"), without=["blue"]))

    thrown = scene.show(lying(after, colour("blue", 60), step("+2", 60)))

    assert made(thrown)[2:] == ["throw blue +2"]


def test_a_die_that_cannot_be_read_any_more_has_not_been_thrown(scene):
    """A shadow has come over it after the turn; no face of it is awaited."""
    story = scene.show(lying(scene.story, colour("blue"), step("+2")))
    dice = (colour("blue"), step("+2"))
    after = scene.show(lying(story, *dice, at("blue", "track/7"), without=["blue"]))
    either = (("colour", "blue", 0.5), ("move", "+1", 0.3))

    seen = lying(after, step("+2"))
    shaded = scene.show(
        TableReading(seen.found, (UnsurePiece("tray", either, (0, 0, 20, 20)),))
    )

    assert (shaded.seq, shaded.asked) == (after.seq, None)


def test_an_unsure_die_is_asked_and_the_likelier_face_comes_first(scene):
    either = (("colour", "green", 0.6), ("colour", "blue", 0.3))
    seen = lying(scene.story, step("+2"))
    story = scene.show(
        TableReading(seen.found, (UnsurePiece("tray", either, (0, 0, 20, 20)),))
    )

    assert story.asked is not None
    assert story.asked.options[0] == "throw green +2"


def test_a_die_in_a_hand_lies_nowhere(scene):
    """It may have been thrown to where it lay, or a hand has only hidden it."""
    tray, story, there = TrayMemory(), scene.story, DiceInSight((die("blue"),))
    tray.remember(there, None, story)
    assert tray.compare(there, None, story) == TrayChanges()
    aside = tray.compare(DiceInSight((die("blue", 60),)), None, story)
    assert aside.elsewhere == {Shown("colour", "blue", "tray")}

    tray.remember(DiceInSight(), None, story)

    again = tray.compare(there, None, story)
    assert (again.thrown, again.near) == (frozenset(), {"colour"})
    assert tray.compare(DiceInSight((die("red"),)), None, story).thrown == {"colour"}


def test_a_die_that_a_hand_hides_while_the_camera_is_knocked_was_not_thrown(scene):
    """The whole picture is 30 pixels farther right: a die and a half."""
    tray, story = TrayMemory(), scene.story
    felt = np.random.default_rng(1).integers(0, 255, (60, 80, 3)).astype(np.uint8)
    felt = cv2.resize(felt, (640, 480), interpolation=cv2.INTER_CUBIC)
    shift = np.array([(1, 0, 30), (0, 1, 0), (0, 0, 1)], np.float32)
    knocked = move_picture(felt, shift)
    tray.remember(DiceInSight((die("blue", 300),)), felt, story)
    tray.remember(DiceInSight(), knocked, story)

    after = tray.compare(DiceInSight((die("blue", 330),)), knocked, story)
    thrown = tray.compare(DiceInSight((die("blue", 400),)), knocked, story)

    assert (after.thrown, after.near) == (frozenset(), {"colour"})
    assert thrown.thrown == {"colour"}


def die(face, left=0):
    return SurePiece("colour", face, "tray", 0.98, (left, 0, left + 20, 20))
