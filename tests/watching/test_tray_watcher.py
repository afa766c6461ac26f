"""Whoever looks hands over one reading for each that is awaited."""

import cv2
import numpy as np
import pytest

from companion.running.snapshot import CameraStatus
from companion.table import Claim, Glimpse, LinePart, Reading, Shown, UnsureSight
from companion.watching.live_tray_watcher import LiveTrayWatcher
from companion.watching.tray_watcher import RecordedTrayWatcher
from companion.watching.watcher import Hooks
from tests.running.table_setup import SETUP, running
from vision.camera.port import Frame
from vision.camera.stillness import StillnessLimits

BLANK = np.zeros((40, 60, 3), np.uint8)


def frame(position, face):
    """Return a frame that `read` finds *face* in; None cannot be opened."""
    picture = None if face is None else BLANK
    return Frame(picture, 0.0, position, f"{face}.png", None)


def read(seen: Frame) -> Reading:
    face = seen.name.removesuffix(".png")
    if face == "nothing":
        return Reading(())
    if face == "bang":
        raise ZeroDivisionError
    return Reading((Glimpse(Shown("d6", face, "tray"), 0.99, (0, 0, 9, 9)),))


class Recorded:
    """A recorded camera that shows these faces."""

    def __init__(self, *faces):
        self.faces = faces
        self.position = 0

    def read(self):
        if self.position >= len(self.faces):
            return None
        self.position += 1
        return frame(self.position - 1, self.faces[self.position - 1])

    def close(self):
        """Nothing to let go of."""


def until(table, true):
    """Wait until the table shows what is *true* of it."""
    shown = table.snapshot
    while not true(shown):
        newer = table.wait(shown.version, 10.0)
        assert newer.version != shown.version, f"nothing happened after {shown}"
        shown = newer
    return shown


@pytest.fixture(autouse=True)
def _soon(monkeypatch):
    """Let a watcher that waits for the table notice at once that it is to stop."""
    monkeypatch.setattr("companion.watching.tray_watcher.LOOK_S", 0.01)


@pytest.fixture
def table(tmp_path):
    with running(tmp_path) as table:
        table.open_game(SETUP)
        yield table


def looking(table, *faces):
    watcher = RecordedTrayWatcher(table, "folder", read, Recorded(*faces))
    watcher.start()
    return watcher


class TestARecordedCamera:
    def test_each_awaited_throw_takes_one_picture(self, table):
        watcher = looking(table, "3", "6")
        first = until(table, lambda shown: shown.story.seq == 1)
        table.act(Claim("advance green", 0, 1, "k"))
        second = until(table, lambda shown: shown.story.seq == 3)
        watcher.stop()

        assert first.story.state.pips == 3
        assert second.story.state.pips == 6
        made = second.story.steps[-1].made
        assert (made.position, made.evidence) == (1, ("6.png",))
        assert watcher.jpeg().startswith(b"\xff\xd8")

    def test_with_an_album_the_entry_names_a_picture_of_the_die_alone(self, table):
        kept = []
        hooks = Hooks(keep=lambda jpeg: (kept.append(jpeg), "3" * 24)[1])
        watcher = RecordedTrayWatcher(table, "folder", read, Recorded("3"), hooks)
        watcher.start()
        shown = until(table, lambda shown: shown.story.seq == 1)
        watcher.stop()

        assert shown.story.steps[0].made.evidence == ("3" * 24,)
        # The die's 9 pixels and 8 more, of a picture of 60 x 40.
        (jpeg,) = kept
        size = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR).shape
        assert size == (17, 17, 3)

    def test_an_ordinary_five_is_a_two(self, table):
        watcher = looking(table, "5")
        shown = until(table, lambda shown: shown.story.seq == 1)
        watcher.stop()

        assert shown.story.state.pips == 2

    @pytest.mark.parametrize(
        ("faces", "why"),
        [
            (("nothing",), "core.ask.nothing"),
            ((None,), "core.ask.no_picture"),
            (("bang",), "core.ask.no_picture"),
            ((), "core.ask.no_more_pictures"),
        ],
    )
    def test_what_shows_no_throw_is_asked_once_and_answered_by_a_tap(
        self, table, faces, why
    ):
        watcher = looking(table, *faces)
        asked = until(table, lambda shown: shown.story.asked is not None)
        table.act(Claim("throw 4", 0, asked.story.seq, "k"))
        shown = until(table, lambda shown: shown.story.steps)
        watcher.stop()

        assert asked.story.asked.why == LinePart(why)
        assert shown.story.state.pips == 4
        assert len(shown.story.entries) == 3  # header, question, answer

    def test_a_pause_uses_up_no_picture(self, table):
        table.rest(pause=True)
        watcher = looking(table, "3")
        table.rest(pause=False)
        shown = until(table, lambda shown: shown.story.steps)
        watcher.stop()

        assert shown.story.steps[0].made.position == 0
        assert shown.story.state.pips == 3

    def test_after_a_restart_the_next_picture_is_taken(self, tmp_path):
        with running(tmp_path) as table:
            table.open_game(SETUP)
            watcher = looking(table, "3", "6")
            until(table, lambda shown: shown.story.seq == 1)
            watcher.stop()

        with running(tmp_path) as table:
            watcher = looking(table, "3", "6")
            table.act(Claim("advance green", 0, 1, "k"))
            shown = until(table, lambda shown: shown.story.seq == 3)
            watcher.stop()

        assert shown.story.state.pips == 6


class Live:
    """A live camera that has nothing to say; frames are handed in by the test."""

    def read(self):
        return None

    def close(self):
        """Nothing to let go of."""


class TestALiveCamera:
    def watch(self, table, read=None):
        """Return an eye that has seen the bare table for half a second."""
        read = read or read_grey
        watcher = LiveTrayWatcher(table, "webcam", read, Live(), StillnessLimits())
        show(watcher, still(0, at=0), times=8, start=-8)
        return watcher

    def test_a_die_that_came_to_rest_is_a_throw_and_is_not_read_twice(self, table):
        watcher = self.watch(table)
        show(watcher, still(30, at=10), times=8)
        first = until(table, lambda shown: shown.story.seq == 1)
        table.act(Claim("advance green", 0, 1, "k"))
        before = table.snapshot
        # A hand passes; the die still lies where it was.
        show(watcher, still(30, at=10, hand=True), times=1, start=8)
        show(watcher, still(30, at=10), times=8, start=9)

        assert first.story.state.pips == 3
        assert table.snapshot.story.seq == before.story.seq == 2

    def test_a_die_that_was_thrown_again_is_the_next_throw(self, table):
        watcher = self.watch(table)
        show(watcher, still(30, at=10), times=8)
        until(table, lambda shown: shown.story.seq == 1)
        table.act(Claim("advance green", 0, 1, "k"))
        show(watcher, still(30, at=60), times=8, start=8)

        assert until(table, lambda shown: shown.story.seq == 3).story.state.pips == 3

    def test_what_was_thrown_in_a_pause_is_no_throw_after_it(self, table):
        watcher = self.watch(table)
        table.rest(pause=True)
        show(watcher, still(30, at=10), times=8)
        table.rest(pause=False)
        show(watcher, still(30, at=10), times=8, start=8)

        assert table.snapshot.story.steps == ()

        show(watcher, still(30, at=60), times=8, start=16)
        assert until(table, lambda shown: shown.story.steps).story.state.pips == 3

    def test_a_die_in_doubt_is_looked_at_once_more_and_then_asked_about(self, table):
        doubt = UnsureSight("d6", "tray", (("3", 0.6), ("5", 0.3)), (10, 10, 39, 39))
        looks = []

        def read(seen: Frame) -> Reading:
            if not (seen.picture == 220).any():
                return Reading(())
            looks.append(seen.taken_at)
            return Reading((), (doubt,))

        watcher = self.watch(table, read)
        show(watcher, still(30, at=10), times=12)
        asked = until(table, lambda shown: shown.story.asked).story.asked

        assert len(looks) == 2
        assert asked.options[0] == "throw 3"

    def test_a_die_that_only_the_second_look_is_sure_of_is_a_throw(self, table):
        doubt = UnsureSight("d6", "tray", (("3", 0.6), ("5", 0.3)), (10, 10, 39, 39))
        first = [Reading((), (doubt,))]

        def read(seen: Frame) -> Reading:
            plain = read_grey(seen)
            return first.pop() if first and plain.glimpses else plain

        watcher = self.watch(table, read)
        show(watcher, still(30, at=10), times=12)

        thrown = until(table, lambda shown: shown.story.steps).story
        assert (thrown.state.pips, thrown.asked) == (3, None)

    def test_a_mat_that_cannot_be_read_is_said_until_it_can_without_a_hand(self, table):
        moved = [Reading((), trouble="rig.trouble.moved")] * 2

        def read(seen: Frame) -> Reading:
            plain = read_grey(seen)
            return moved.pop() if moved and plain.glimpses else plain

        watcher = self.watch(table, read)
        show(watcher, still(30, at=10), times=5)
        until(table, lambda shown: shown.camera.trouble is not None)
        assert table.snapshot.camera == CameraStatus(
            "webcam", LinePart("rig.trouble.moved")
        )

        # The camera is found again; the die has not been touched since it was thrown.
        show(watcher, still(30, at=10), times=8, start=5)
        thrown = until(table, lambda shown: shown.story.seq == 1)

        assert thrown.story.state.pips == 3
        until(table, lambda shown: shown.camera == CameraStatus("webcam"))

    def test_a_camera_that_is_lost_is_said_and_the_game_goes_on(self, table):
        class Lost(Live):
            left = 2

            def read(self):
                self.left -= 1
                return Frame(None, 0.0, None, "webcam", "gone") if self.left else None

        watcher = LiveTrayWatcher(table, "webcam", read_grey, Lost(), StillnessLimits())
        watcher.blink_s = 0.0
        watcher.start()
        shown = until(table, lambda shown: shown.camera.trouble is not None)
        watcher.stop()

        assert shown.camera == CameraStatus("webcam", LinePart("core.eye.lost"))


def still(size: int, at: int, hand: bool = False):
    picture = np.full((120, 160, 3), 90, np.uint8)
    picture[at : at + size, at : at + size] = 220
    if hand:
        picture[:, 100:] = 10
    return picture


def show(watcher, picture, times: int, start: int = 0) -> None:
    for number in range(start, start + times):
        watcher.see(Frame(picture, number / 15, None, "webcam", None))


def read_grey(seen: Frame) -> Reading:
    """Find the bright square: a die that shows three."""
    rows, columns = np.nonzero(seen.picture[:, :, 0] > 200)
    if not rows.size:
        return Reading(())
    box = (int(columns.min()), int(rows.min()), int(columns.max()), int(rows.max()))
    return Reading((Glimpse(Shown("d6", "3", "tray"), 0.99, box),))


def test_whoever_teaches_sees_every_picture_and_finds_the_one_that_was_read(table):
    shown = []
    hooks = Hooks(shown_to=shown.append)
    watcher = LiveTrayWatcher(
        table, "webcam", read_grey, Live(), StillnessLimits(), hooks=hooks
    )

    show(watcher, still(30, 40), times=6)

    assert [frame.taken_at for frame in shown] == [n / 15 for n in range(6)]
    # One picture of a stillness is read; which, is for the settling to say.
    kept = [n / 15 for n in range(6) if hooks.pictures.taken_at(n / 15) is not None]
    assert len(kept) == 1
    assert hooks.pictures.taken_at(99.0) is None
