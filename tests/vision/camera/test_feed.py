"""A live camera may do what it likes: the table is told within a second, and reads on.

No test here waits for time to pass: each picture, fault and second is handed over.
"""

import threading
from pathlib import Path

import numpy as np
import pytest

from tests.vision.camera.faulty import Clock as SteppedClock
from tests.vision.camera.faulty import FaultyDevice, scene
from vision.camera.device import FeedLimits, StampedPicture
from vision.camera.feed import Feed
from vision.camera.health import Fault
from vision.camera.port import CameraMissing

BANNER_S = 1.0
"""How long people may be left without a word. Source: issue 7."""

BACK_S = 5.0
"""How long after its return a camera may take to be read. Source: issue 7."""


class Bench:
    """A feed on devices that the test hands out, one for each time it opens."""

    def __init__(self, **limits: float) -> None:
        self.clock = SteppedClock()
        self.patches: list[bool | None] = []
        self.devices: list[FaultyDevice] = []
        self.pauses: list[float] = []
        self.gone_until_s = 0.0
        self.frames = 0
        self.feed = Feed(
            "webcam",
            self._open,
            self.clock,
            FeedLimits(**limits),
            rest=self._rest,
            patches=lambda picture: self.patches.pop(0) if self.patches else None,
        )

    def _open(self) -> FaultyDevice:
        if self.clock() < self.gone_until_s:
            raise CameraMissing("video0 is not plugged in")
        self.devices.append(FaultyDevice())
        self.opened.release()
        return self.devices[-1]

    def _rest(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.clock.pass_by(seconds)

    def start(self) -> FaultyDevice:
        self.opened = threading.Semaphore(0)
        self.feed.start()
        return self.device()

    def device(self) -> FaultyDevice:
        """Return the next device that is opened, once it waits for a picture."""
        assert self.opened.acquire(timeout=10)
        device = self.devices[-1]
        device.until_it_waits()
        return device

    def picture(self, device: FaultyDevice, **changes) -> StampedPicture:
        """Give one picture, taken just now unless the test says otherwise."""
        self.frames += 1
        self.clock.pass_by(1 / 30)
        shot = StampedPicture(scene(self.frames), self.clock())
        device.give(
            StampedPicture(
                **{"picture": shot.picture, "stamp_s": shot.stamp_s} | changes
            )
        )
        device.until_it_waits()
        return shot

    def seconds_until_it_is_said(self, fault: Fault, each=lambda: None) -> float:
        """Let time pass until the feed tells of *fault*; return how long it took."""
        began_s = self.clock()
        while self.clock() - began_s < 60:
            each()
            frame = self.feed.poll()
            if frame is not None and frame.fault == fault:
                return self.clock() - began_s
            self.clock.pass_by(0.05)
        raise AssertionError(f"{fault} was never said")


def open_bench():
    made = Bench()
    yield made
    for device in made.devices:
        device.give(OSError("the test is over"))
    made.feed.close()


bench = pytest.fixture(open_bench)


def open_files() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


class TestAGoodCamera:
    def test_its_newest_picture_is_handed_over_once_with_the_sensors_time(self, bench):
        device = bench.start()
        bench.picture(device)
        newest = bench.picture(device, stamp_s=bench.clock() - 0.1)

        frame = bench.feed.read()

        assert (frame.picture == newest.picture).all()
        assert frame.trouble is frame.fault is None
        assert frame.taken_at < bench.clock()
        assert bench.feed.poll() is None

    def test_a_picture_that_nobody_fetched_in_time_is_not_handed_over(self, bench):
        device = bench.start()
        bench.picture(device)
        bench.clock.pass_by(1.1)

        assert bench.feed.poll().picture is None

    def test_before_its_first_picture_it_is_starting(self, bench):
        bench.start()

        assert bench.feed.poll().fault == Fault.STARTING

    def test_a_still_table_is_no_frozen_sensor(self, bench):
        device = bench.start()
        for _ in range(300):  # ten seconds of the same table with other noise
            bench.picture(device)
            assert bench.feed.poll().fault is None


def repeat(bench, device):
    shot = StampedPicture(scene(1), bench.clock())
    return lambda: (device.give(shot), device.until_it_waits())


class TestEveryFaultIsSaidWithinASecond:
    def test_an_error_of_the_driver(self, bench):
        device = bench.start()
        bench.picture(device)
        bench.feed.poll()
        bench.gone_until_s = bench.clock() + 3600
        bench.feed._rest = bench.feed._stop.wait
        device.give(OSError(5, "Input/output error"))

        frame = bench.feed.read()

        assert frame.fault == Fault.LOST
        assert frame.picture is None
        assert "Input/output error" in frame.trouble

    def test_a_driver_that_never_answers(self, bench):
        device = bench.start()
        bench.picture(device)
        bench.feed.poll()

        assert bench.seconds_until_it_is_said(Fault.LOST) <= BANNER_S
        assert bench.seconds_until_it_is_said(Fault.HANGS) <= 5.0

    def test_a_frozen_sensor(self, bench):
        device = bench.start()
        bench.picture(device)
        again = repeat(bench, device)

        assert bench.seconds_until_it_is_said(Fault.FROZEN, again) <= BANNER_S

    def test_a_driver_that_repeats_a_picture_under_new_times(self, bench):
        device = bench.start()
        still = scene(1)

        def each() -> None:
            bench.picture(device, picture=still)

        assert bench.seconds_until_it_is_said(Fault.FROZEN, each) <= BANNER_S

    @pytest.mark.parametrize(
        ("picture", "fault"),
        [
            (scene() // 40, Fault.DARK),
            (np.full((144, 256, 3), 255, np.uint8), Fault.BRIGHT),
        ],
    )
    def test_a_black_or_a_dazzled_one_that_still_shows_its_picture(
        self, bench, picture, fault
    ):
        device = bench.start()
        bench.picture(device)
        bench.picture(device, picture=picture)

        frame = bench.feed.read()

        assert frame.fault == fault
        assert (frame.picture == picture).all()

    def test_an_old_picture_of_a_full_buffer(self, bench):
        device = bench.start()
        bench.picture(device)
        bench.picture(device, stamp_s=bench.clock() - 3.0)

        frame = bench.feed.read()

        assert frame.fault == Fault.LATE
        assert frame.picture is None

    @pytest.mark.parametrize(
        ("changed", "fault"),
        [
            (lambda picture: picture[..., ::-1], Fault.COLOURS),
            (lambda picture: picture[::-1, ::-1], Fault.TURNED),
            (np.rot90, Fault.TURNED),
        ],
    )
    def test_one_that_comes_back_with_other_colours_or_turned(
        self, bench, changed, fault
    ):
        device = bench.start()
        for _ in range(3):
            bench.picture(device)
        device.give(OSError("unplugged"))
        again = bench.device()
        changed_picture = np.ascontiguousarray(changed(scene(99)))
        bench.picture(again, picture=changed_picture)

        assert bench.feed.read().fault == fault

        bench.picture(again)
        assert bench.feed.read().fault is None


class TestTheOrderOfColours:
    """Proven at each opening by the mat's patches, as soon as some are seen."""

    def test_red_for_blue_is_put_right_from_the_first_picture_and_logged(
        self, bench, caplog
    ):
        bench.patches = [True]
        device = bench.start()
        for _ in range(3):
            given = bench.picture(device)

            frame = bench.feed.read()

            assert frame.fault is None
            assert (frame.picture == given.picture[..., ::-1]).all()
        assert len(caplog.records) == 1
        assert "red for blue" in caplog.text

    def test_hands_on_the_patches_only_put_it_off(self, bench):
        bench.patches = [None, None, True]
        device = bench.start()
        told = []
        for _ in range(4):
            given = bench.picture(device)
            told.append((bench.feed.read().picture != given.picture).any())

        assert told == [False, False, True, True]

    def test_a_right_order_is_believed_and_not_asked_again(self, bench):
        bench.patches = [False, True]
        device = bench.start()
        for _ in range(3):
            given = bench.picture(device)
            assert (bench.feed.read().picture == given.picture).all()
        assert bench.patches == [True]

    def test_a_driver_that_comes_back_mixed_up_is_put_right_too(self, bench):
        bench.patches = [False]
        device = bench.start()
        bench.picture(device)
        bench.patches = [True]
        device.give(OSError("unplugged"))
        again = bench.device()
        mixed = np.ascontiguousarray(scene(99)[..., ::-1])
        bench.picture(again, picture=mixed)

        frame = bench.feed.read()

        assert frame.fault is None
        assert (frame.picture == scene(99)).all()


class TestACameraThatComesBack:
    @pytest.mark.parametrize("away_s", [0.1, 1.0, 7.0, 60.0, 3600.0])
    def test_it_is_read_within_five_seconds(self, bench, away_s):
        device = bench.start()
        bench.picture(device)
        bench.gone_until_s = bench.clock() + away_s
        device.give(OSError("unplugged"))

        bench.picture(bench.device())

        frame = bench.feed.read()
        assert frame.fault is None
        assert frame.taken_at - bench.gone_until_s <= BACK_S

    def test_it_is_tried_ever_more_rarely_but_at_least_every_two_seconds(self, bench):
        device = bench.start()
        bench.picture(device)
        bench.gone_until_s = bench.clock() + 10
        device.give(OSError("unplugged"))
        bench.device()

        assert bench.pauses == [0.25, 0.5, 1.0, 2.0, 2.0, 2.0, 2.0, 2.0]

    def test_a_hundred_times_without_a_thread_or_a_file_more(self, bench):
        device = bench.start()
        bench.picture(device)
        threads, files = threading.active_count(), open_files()

        for _ in range(100):
            device.give(OSError("unplugged"))
            device = bench.device()
            bench.picture(device)

        assert bench.feed.read().fault is None
        assert len(bench.devices) == 101
        assert threading.active_count() <= threads
        assert open_files() == files
        assert bench.feed.threads == 1

    def test_one_that_hung_is_left_behind_and_ends_when_it_answers(self, bench):
        hanging = bench.start()
        bench.picture(hanging)
        bench.seconds_until_it_is_said(Fault.HANGS)

        fresh = bench.device()
        bench.picture(fresh)
        assert bench.feed.read().fault is None
        assert bench.feed.threads == 2

        late = scene(1000)
        hanging.give(StampedPicture(late, bench.clock()))
        bench.feed._threads[0].join(10)
        assert hanging.closed
        assert bench.feed.threads == 1
        assert bench.feed.poll() is None  # its picture is not shown any more

    def test_drivers_that_hang_for_ever_cannot_pile_up(self, bench, caplog):
        bench.start()
        for _ in range(3):
            bench.clock.pass_by(20.0)
            assert bench.feed.poll().fault == Fault.HANGS
            bench.device()
        for _ in range(10):
            bench.clock.pass_by(20.0)
            assert bench.feed.poll().fault == Fault.HELD

        # Each told once, however often somebody looks.
        assert len(caplog.records) == 2
        # Three that hang and the one that tries.
        assert bench.feed.threads == 4
        # It never gave a picture: a new program would not get one either.
        assert not bench.feed.is_stuck

    def test_only_one_that_gave_pictures_is_worth_a_new_program(self, bench):
        device = bench.start()
        bench.picture(device)
        assert bench.feed.poll().fault is None
        for _ in range(3):
            bench.clock.pass_by(20.0)
            bench.feed.poll()
            bench.device()
        bench.clock.pass_by(20.0)
        assert bench.feed.poll().fault == Fault.HELD
        assert not bench.feed.is_stuck  # it may still come back

        bench.clock.pass_by(31.0)  # FeedRules().held_s is 30

        assert bench.feed.is_stuck

    def test_one_that_cannot_be_closed_is_left_behind_and_another_is_opened(
        self, bench
    ):
        device = bench.start()
        bench.picture(device)
        closes, ends = threading.Event(), threading.Event()

        def close():
            closes.set()
            assert ends.wait(10)

        device.close = close
        device.give(OSError("the cable was pulled"))
        assert closes.wait(10)
        assert bench.seconds_until_it_is_said(Fault.LOST) <= BANNER_S
        began_s = bench.clock()
        while len(bench.devices) == 1 and bench.clock() - began_s < 60:
            assert bench.feed.poll().fault == Fault.LOST  # with what to do, all along
            bench.clock.pass_by(0.5)
            if bench.feed.threads == 2:
                bench.device()

        # FeedRules().close_s is 4: 4.5 is the first half second after it.
        assert bench.clock() - began_s <= 5.0
        bench.picture(bench.devices[-1])
        assert bench.feed.read().fault is None
        ends.set()
        bench.feed._threads[0].join(10)
        assert bench.feed.threads == 1


class TestTheLight:
    def test_a_camera_that_stays_dark_adapts_and_not_for_a_passing_sleeve(self, bench):
        device = bench.start()
        bench.picture(device)
        for _ in range(30):
            bench.picture(device, picture=scene(light=0.02))
        assert device.adapted == 0

        for _ in range(60):
            bench.picture(device, picture=scene(light=0.02))
        assert device.adapted == 1


def test_a_closed_feed_has_no_more_pictures(bench):
    device = bench.start()
    bench.picture(device)
    device.give(OSError("over"))
    bench.feed.close()

    assert bench.feed.read() is None
