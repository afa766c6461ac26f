"""While a camera fails people are told, the table plays on, and it reads on after."""

import queue

import pytest

from companion.running.snapshot import CameraStatus
from companion.table import Claim, Glimpse, LinePart, Pressed, Reading, Shown
from companion.watching.live_tray_watcher import LiveTrayWatcher
from tests.running.table_setup import SETUP, running
from tests.vision.camera.faulty import WAIT_S, Clock, FaultyDevice, scene
from vision.camera.device import FeedLimits, StampedPicture
from vision.camera.feed import Feed
from vision.camera.port import Frame
from vision.camera.stillness import StillnessLimits
from vision.mat.order import swaps_red_and_blue

AT_REST = 8
"""Pictures, 15 a second, after which a die that came to lie has surely been read."""


@pytest.fixture
def stand(tmp_path):
    with running(tmp_path) as table:
        table.open_game(SETUP)
        stand = Stand(table)
        yield stand
        stand.end()


class Stand:
    """A running table whose camera the test feeds and breaks."""

    def __init__(self, table) -> None:
        self.table, self.clock, self.pictures = table, Clock(), 0
        self.opened: queue.Queue[FaultyDevice] = queue.Queue()
        self.over = False
        rules = FeedLimits(look_s=0.01)
        feed = Feed(
            "webcam",
            self._open,
            self.clock,
            rules,
            rest=self.clock.pass_by,
            patches=swaps_red_and_blue,
        )
        self.eye = Watched(table, "webcam", read, feed.start(), StillnessLimits())
        self.eye.blink_s = 0.0
        self.eye.start()
        self.plugged_in()

    def _open(self) -> FaultyDevice:
        if self.over:
            raise OSError("the test is over")
        device = FaultyDevice()
        self.opened.put(device)
        return device

    def plugged_in(self) -> None:
        """Wait until the camera was opened and a picture is awaited of it."""
        self.device = self.opened.get(timeout=WAIT_S)
        self.device.until_it_waits()

    def show(self, die_at: int | None, pictures: int = AT_REST) -> None:
        """Let the camera see the table for some pictures, each of them looked at."""
        for _ in range(pictures):
            self.pictures += 1
            self.clock.pass_by(1 / 15)
            picture = scene(self.pictures)
            if die_at is not None:
                picture[70:90, die_at : die_at + 20] = 250
            self.device.give(StampedPicture(picture, self.clock()))
            while self.eye.looked.get(timeout=WAIT_S).picture is not picture:
                pass
            self.device.until_it_waits()

    def until(self, true):
        """Return the table once something is *true* of it."""
        shown = self.table.snapshot
        while not true(shown):
            newer = self.table.wait(shown.version, WAIT_S)
            assert newer.version != shown.version, f"nothing happened after {shown}"
            shown = newer
        return shown

    def banner(self, line: str | None):
        trouble = None if line is None else LinePart(line)
        return self.until(lambda shown: shown.camera == CameraStatus("webcam", trouble))

    def end(self) -> None:
        self.over = True
        self.device.give(OSError("the test is over"))
        self.eye.stop()


class Watched(LiveTrayWatcher):
    """Tells the test of each frame once it was looked at."""

    def __init__(self, *arguments) -> None:
        super().__init__(*arguments)
        self.looked: queue.Queue[Frame] = queue.Queue()

    def see(self, frame):
        super().see(frame)
        self.looked.put(frame)

    def miss(self, frame):
        super().miss(frame)
        self.looked.put(frame)


def read(seen: Frame) -> Reading:
    """Find the white die, which shows a three."""
    white = seen.picture.min(axis=2) > 240
    if not white.any():
        return Reading(())
    columns = white.any(axis=0).nonzero()[0]
    box = (int(columns.min()), 70, int(columns.max()), 90)
    return Reading((Glimpse(Shown("d6", "3", "tray"), 0.99, box),))


def test_a_throw_is_read_from_the_feed(stand):
    stand.show(die_at=None)
    stand.show(die_at=40)

    shown = stand.until(lambda shown: shown.story.seq == 1)
    assert shown.story.state.pips == 3
    assert stand.eye.jpeg().startswith(b"\xff\xd8")


def test_a_pulled_cable_is_said_and_phones_and_buttons_work_on(stand):
    stand.show(die_at=None, pictures=2)
    stand.device.give(OSError(19, "No such device"))
    stand.banner("core.eye.lost")
    assert stand.eye.jpeg() is None  # no picture of a table that is over

    stand.table.act(Claim("throw 4", 0, 0, "k"))
    stand.table.hear(Reading((Glimpse(Pressed("undo", None), 1.0),), source="button"))

    assert stand.until(lambda shown: shown.story.seq == 2).story.state.pips == 0


def test_a_hanging_driver_is_said_and_phones_work_on(stand):
    stand.show(die_at=None, pictures=2)
    stand.clock.pass_by(0.8)
    stand.banner("core.eye.lost")

    stand.table.act(Claim("throw 4", 0, 0, "k"))

    assert stand.table.snapshot.story.state.pips == 4


def test_once_it_is_back_the_next_throw_is_read(stand):
    stand.show(die_at=None, pictures=2)
    stand.device.give(OSError(19, "No such device"))
    stand.banner("core.eye.lost")
    stand.plugged_in()
    came_back_s = stand.clock()
    stand.show(die_at=None)
    stand.show(die_at=40)

    assert stand.until(lambda shown: shown.story.seq == 1).story.state.pips == 3
    assert stand.clock() - came_back_s <= 5.0
    stand.banner(None)


def test_a_die_that_lay_there_before_is_no_new_throw_after_it_came_back(stand):
    stand.show(die_at=None)
    stand.show(die_at=40)
    stand.until(lambda shown: shown.story.seq == 1)
    stand.table.act(Claim("advance green", 0, 1, "k"))
    stand.device.give(OSError(19, "No such device"))
    stand.banner("core.eye.lost")
    stand.plugged_in()
    stand.show(die_at=40)
    stand.banner(None)

    assert stand.table.snapshot.story.seq == 2


def test_a_covered_lens_is_said_and_its_picture_stays_on_the_page(stand):
    stand.show(die_at=None, pictures=2)
    stand.clock.pass_by(1 / 15)
    stand.device.give(StampedPicture(scene(light=0.02), stand.clock()))

    stand.banner("core.eye.dark")
    assert stand.eye.jpeg() is not None
