"""A Pi's camera comes back after its driver hung, and nobody else is blamed for it.

The pretended library keeps what the real one does: jobs wait in one row, a stop behind
a picture that never comes; and one program can open a camera once.
Source: picamera2/picamera2.py, `process_requests`, `stop`, `cancel_all_and_flush`.
"""

import sys
import threading
from concurrent.futures import CancelledError
from types import SimpleNamespace

import pytest

from tests.vision.camera.faulty import WAIT_S, Clock
from tests.vision.camera.test_pi import Picamera2 as WellBehaved
from vision.camera.device import FeedLimits
from vision.camera.feed import Feed
from vision.camera.health import Fault
from vision.camera.holds import CameraHeld, Holds
from vision.camera.pi import PiCamera
from vision.camera.port import CameraMissing

SIZE = (72, 128)


class Picamera2(WellBehaved):
    """A camera whose driver the library's events hold up."""

    def __init__(self, library):
        super().__init__()
        self._library = library
        self._waits = False
        self.waits = threading.Event()
        self._cancelled = threading.Event()
        self.hangs_in_capture = False

    def capture_request(self, wait):
        if self._library.pictures_come.is_set():
            return super().capture_request(wait)
        self.waits.set()
        self._waits = True  # its job stays in the row
        if not (self.hangs_in_capture or self._library.hangs):
            raise TimeoutError
        assert self._cancelled.wait(WAIT_S)
        raise CancelledError

    def stop(self):
        if self._waits:
            self._library.pictures_come.wait()
        self._library.driver_answers.wait()
        super().stop()

    def close(self):
        self._library.in_use = None
        super().close()


class Newer(Picamera2):
    def cancel_all_and_flush(self):
        self._waits = False
        self._cancelled.set()


class Library:
    """Cameras of one process; a test breaks their driver, and mends it again."""

    def __init__(self) -> None:
        self.made: list[Picamera2] = []
        self.in_use: object | None = None
        self.pictures_come, self.driver_answers = threading.Event(), threading.Event()
        self.pictures_come.set()
        self.driver_answers.set()
        self.can_cancel, self.hangs = True, False

    def make(self, number=0):
        if self.in_use is not None:
            raise RuntimeError("Camera __init__ sequence did not complete.")
        made = (Newer if self.can_cancel else Picamera2)(self)
        self.made.append(made)
        self.in_use = made
        return made


@pytest.fixture
def library(monkeypatch):
    made = Library()
    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=made.make))
    yield made
    made.pictures_come.set()
    made.driver_answers.set()


@pytest.fixture
def holds():
    return Holds(patience_s=0.05)


@pytest.fixture
def opened(library, holds):
    return lambda: PiCamera(SIZE, holds=holds)


def test_a_pulled_cable_stops_no_stop_as_what_waits_for_a_picture_is_dropped(
    library, opened, holds
):
    camera = opened()
    library.pictures_come.clear()
    with pytest.raises(CameraMissing, match="ribbon cable"):
        camera.shoot()

    camera.close()

    assert library.made[0].log == ["start", "stop", "close"]
    assert len(holds) == 0
    library.pictures_come.set()  # it is put back
    assert opened().shoot().picture.shape == (*SIZE, 3)


def test_a_stop_that_never_returns_is_left_behind(library, opened, holds):
    library.can_cancel = False  # as picamera2 before it could
    camera = opened()
    library.pictures_come.clear()
    with pytest.raises(CameraMissing):
        camera.shoot()

    camera.close()

    assert len(holds) == 1
    # Not "end what else uses it": nothing else does.
    with pytest.raises(CameraHeld, match="hangs in this program") as told:
        opened()
    assert "else" not in str(told.value)


def test_once_the_driver_answers_the_camera_is_there_again(library, opened, holds):
    camera = opened()
    library.driver_answers.clear()
    camera.close()
    with pytest.raises(CameraHeld):
        opened()

    library.driver_answers.set()

    assert opened().shoot().picture.shape == (*SIZE, 3)
    assert len(holds) == 1  # the one that is open


def test_an_opening_that_hangs_is_let_go_of_by_the_next_one(library, opened):
    library.hangs = True
    library.pictures_come.clear()
    told = []

    def attempt():
        try:
            opened()
        except CancelledError as error:
            told.append(error)

    thread = threading.Thread(target=attempt)
    thread.start()
    while not library.made:
        thread.join(0.001)
    assert library.made[0].waits.wait(WAIT_S)
    library.pictures_come.set()

    camera = opened()

    thread.join(WAIT_S)
    assert len(told) == 1
    assert library.made[0].log == ["start", "stop", "close"]
    assert camera.shoot().picture.shape == (*SIZE, 3)


def test_closing_again_and_again_hangs_in_one_thread(library, opened, holds):
    camera = opened()
    library.driver_answers.clear()
    before = set(threading.enumerate())
    for _ in range(3):
        camera.close()
        with pytest.raises(CameraHeld):
            opened()

    # Threads of other tests may end meanwhile.
    assert len(set(threading.enumerate()) - before) == 1


def test_a_camera_that_is_open_and_well_is_left_alone(library, opened):
    camera = opened()

    with pytest.raises(CameraMissing, match="what else uses it") as told:
        opened()

    assert not isinstance(told.value, CameraHeld)
    assert camera.shoot().picture.shape == (*SIZE, 3)


def test_another_program_is_named_where_nothing_of_ours_holds_it(library, opened):
    library.in_use = object()

    with pytest.raises(CameraMissing, match="what else uses it") as told:
        opened()
    assert not isinstance(told.value, CameraHeld)


class TestInAFeed:
    """The whole way: a thread that reads, a clock that only the test moves."""

    @pytest.fixture
    def feed(self, opened):
        self.clock = Clock()
        made = Feed(
            "pi camera", opened, self.clock, FeedLimits(look_s=0.01, open_s=1e6),
            rest=lambda _: None, patches=lambda _: None,
        )  # fmt: skip
        yield made.start()
        made.close()

    def until(self, feed, true, step_s=0.5):
        """Let time pass until *true* of what is told; return how long it took."""
        began_s = self.clock()
        wait = threading.Event()
        for _ in range(1000):
            frame = feed.poll()
            if frame is not None and true(frame):
                return self.clock() - began_s
            wait.wait(0.005)  # the other threads go on
            self.clock.pass_by(step_s)
        raise AssertionError("it was never told")

    def test_a_capture_that_never_returns_is_cancelled_and_the_camera_is_back(
        self, feed, library, holds
    ):
        self.until(feed, lambda frame: frame.fault is None, 0.0)
        library.made[0].hangs_in_capture = True
        library.pictures_come.clear()
        said = []
        self.until(
            feed, lambda frame: said.append(frame.fault) or len(library.made) > 1
        )
        library.pictures_come.set()

        self.until(feed, lambda frame: frame.fault is None, 0.0)

        assert Fault.HANGS in said
        assert Fault.HELD not in said
        assert library.made[0].log == ["start", "stop", "close"]

    def test_a_driver_that_holds_the_camera_for_good_is_told_as_that(
        self, feed, library
    ):
        self.until(feed, lambda frame: frame.fault is None, 0.0)
        library.driver_answers.clear()
        library.pictures_come.clear()

        self.until(feed, lambda frame: frame.fault == Fault.HELD, 0.1)
        assert not feed.is_stuck
        self.clock.pass_by(31.0)  # FeedRules().held_s is 30

        assert feed.is_stuck
