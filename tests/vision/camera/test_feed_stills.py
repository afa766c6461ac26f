"""A watcher may ask a live camera for one picture in full resolution, at rest.

The camera's own thread takes it, between two pictures of the video. No test here waits
for time to pass: each picture, still, fault and second is handed over.
"""

import queue
import threading

import numpy as np
import pytest

from tests.vision.camera.faulty import (
    WAIT_S,
    Clock,
    FaultyDevice,
    StillDevice,
    large_scene,
    scene,
)
from vision.camera.device import FeedLimits, StampedPicture
from vision.camera.feed import Feed
from vision.camera.health import Fault


class Bench:
    """A feed on devices of one kind, and a watcher that asks it for stills."""

    def __init__(self, kind=StillDevice) -> None:
        self.clock = Clock()
        self.kind = kind
        self.devices: list[FaultyDevice] = []
        self.patches: bool | None = None
        self.frames = 0
        self.opened = threading.Semaphore(0)
        self.feed = Feed(
            "pi camera", self._open, self.clock, FeedLimits(look_s=0.01),
            rest=self.clock.pass_by, patches=lambda _: self.patches,
        )  # fmt: skip

    def _open(self) -> FaultyDevice:
        self.devices.append(self.kind())
        self.opened.release()
        return self.devices[-1]

    def device(self):
        """Return the next device that is opened, once it waits for a picture."""
        assert self.opened.acquire(timeout=WAIT_S)
        device = self.devices[-1]
        device.until_it_waits()
        return device

    def shot(self, picture, ago_s: float = 0.0) -> StampedPicture:
        return StampedPicture(picture, self.clock() - ago_s)

    def picture(self, device, picture=None, *, waits: bool = True) -> None:
        """Give one picture of the video, taken just now."""
        self.frames += 1
        self.clock.pass_by(1 / 30)
        device.give(self.shot(scene(self.frames) if picture is None else picture))
        if waits:
            device.until_it_waits()

    def ask(self) -> "queue.Queue":
        """Ask for a still as a watcher does; return where the answer comes."""
        asked, may = threading.Event(), self.feed._may_take_still

        def noted(now_s: float) -> bool:
            asked.set()
            return may(now_s)

        self.feed._may_take_still = noted
        answer: queue.Queue = queue.Queue()
        threading.Thread(
            target=lambda: answer.put(self.feed.still()), daemon=True
        ).start()
        assert asked.wait(WAIT_S)
        self.feed._may_take_still = may
        return answer

    def still(self, device, given):
        """Return what a watcher gets that asks for a still, and is given this one."""
        answer = self.ask()
        device.give_still(given)
        self.picture(device)
        return answer.get(timeout=WAIT_S)


@pytest.fixture
def bench():
    made = Bench()
    made.feed.start()
    yield made
    for device in made.devices:
        if isinstance(device, StillDevice):
            device.give_still(OSError("the test is over"))
        device.give(OSError("the test is over"))
    made.feed.close()


class TestAStill:
    def test_has_all_pixels_and_the_sensors_time(self, bench):
        device = bench.device()
        bench.picture(device)
        bench.clock.pass_by(1.0)
        answer = bench.ask()
        bench.picture(device, waits=False)
        device.asked.get(timeout=WAIT_S)
        bench.clock.pass_by(1.0)
        device.give_still(bench.shot(large_scene(7), ago_s=0.5))

        still = answer.get(timeout=WAIT_S)

        assert (still.picture == large_scene(7)).all()
        assert still.taken_at == pytest.approx(bench.clock() - 0.5)
        assert still.trouble is still.fault is None

    def test_is_taken_by_the_thread_that_takes_the_video(self, bench):
        device = bench.device()
        bench.picture(device)

        assert bench.still(device, bench.shot(large_scene(7), ago_s=-0.02)) is not None
        (capturing,) = (one.ident for one in bench.feed._threads)
        assert device.asked.get(timeout=WAIT_S) == capturing

    def test_that_takes_a_second_is_no_loss_of_the_video(self, bench):
        device = bench.device()
        bench.picture(device)
        answer = bench.ask()
        bench.picture(device, waits=False)
        device.asked.get(timeout=WAIT_S)
        bench.feed.poll()

        # The video must not be silent for more than 0.5 s, but while a still is taken.
        bench.clock.pass_by(1.5)
        assert bench.feed.poll() is None

        device.give_still(bench.shot(large_scene(7)))
        assert answer.get(timeout=WAIT_S).picture.shape == (288, 512, 3)
        device.until_it_waits()
        bench.clock.pass_by(0.4)
        assert bench.feed.poll() is None
        bench.picture(device)
        assert bench.feed.read().picture.shape == (144, 256, 3)

    def test_is_asked_for_once_for_each_time(self, bench):
        device = bench.device()
        bench.picture(device)
        for _ in range(2):
            still = bench.still(device, bench.shot(large_scene(7), ago_s=-0.02))
            assert still is not None
        bench.picture(device)
        bench.picture(device)

        assert device.asked.qsize() == 2


class TestACameraWithoutStills:
    def test_answers_at_once_that_it_has_none(self):
        bench = Bench(FaultyDevice)
        bench.feed.start()
        device = bench.device()
        bench.picture(device)

        assert bench.feed.still() is None

        bench.picture(device)
        assert bench.feed.read().fault is None
        device.give(OSError("the test is over"))
        bench.feed.close()

    def test_nor_has_one_that_gives_no_picture_yet_or_is_dark(self, bench):
        device = bench.device()
        assert bench.feed.still() is None

        bench.picture(device, scene() // 40)
        assert bench.feed.still() is None
        assert device.asked.empty()

    def test_nor_one_that_was_closed(self, bench):
        device = bench.device()
        bench.picture(device)
        device.give(OSError("the test is over"))
        bench.feed.close()

        assert bench.feed.still() is None


class TestAStillThatFails:
    def test_leaves_the_video_as_it_was_and_is_logged(self, bench, caplog):
        device = bench.device()
        bench.picture(device)

        assert bench.still(device, OSError(12, "Cannot allocate memory")) is None

        assert "gave no still: [Errno 12] Cannot allocate memory" in caplog.text
        bench.picture(device)
        assert bench.feed.read().fault is None
        assert len(bench.devices) == 1

    def test_is_not_asked_for_again_for_five_minutes(self, bench):
        device = bench.device()
        bench.picture(device)
        bench.still(device, OSError("no memory"))
        bench.clock.pass_by(299)
        bench.picture(device)
        assert bench.feed.still() is None

        bench.clock.pass_by(2)
        bench.picture(device)
        still = bench.still(device, bench.shot(large_scene(7), ago_s=-0.02))

        assert still.picture.shape == (288, 512, 3)

    def test_one_that_hangs_is_left_behind_after_six_seconds(self, bench):
        device = bench.device()
        bench.picture(device)
        answer = bench.ask()
        bench.picture(device, waits=False)
        device.asked.get(timeout=WAIT_S)
        bench.clock.pass_by(5.9)
        with pytest.raises(queue.Empty):
            answer.get(timeout=0.1)

        bench.clock.pass_by(0.2)

        assert answer.get(timeout=WAIT_S) is None
        again = bench.device()
        bench.picture(again)
        assert bench.feed.read().fault is None
        # The one that hung is not used by two threads: it is closed by its own.
        device.give_still(bench.shot(large_scene(7)))
        assert device.asked.empty()
        assert bench.feed.still() is None  # for five minutes

    def test_a_camera_that_is_lost_meanwhile_keeps_nobody_waiting(self, bench):
        device = bench.device()
        bench.picture(device)
        bench.feed._rest = bench.feed._stop.wait
        bench.feed._open = lambda: (_ for _ in ()).throw(OSError("gone"))
        answer = bench.ask()
        device.give(OSError("unplugged"))

        assert answer.get(timeout=WAIT_S) is None


class TestAStillOfNoUse:
    @pytest.mark.parametrize(
        "spoilt",
        [
            lambda picture: picture // 40,  # dark
            lambda picture: picture[..., ::-1],  # red for blue
            lambda picture: picture[::-1, ::-1],  # upside down
            np.rot90,
            lambda picture: picture[:, 64:-64],  # of a sensor of other sides
            lambda picture: picture[72:-72, 128:-128].repeat(2, 0).repeat(2, 1),
        ],
    )
    def test_shows_something_else_than_the_video(self, bench, spoilt):
        device = bench.device()
        bench.picture(device)
        given = np.ascontiguousarray(spoilt(large_scene(7)))

        assert bench.still(device, bench.shot(given, ago_s=-0.02)) is None
        bench.picture(device)
        assert bench.feed.read().fault is None

    def test_was_taken_before_it_was_asked_for(self, bench):
        device = bench.device()
        bench.picture(device)

        assert bench.still(device, bench.shot(large_scene(7), ago_s=0.5)) is None

    def test_has_the_time_of_the_videos_last_picture(self, bench):
        device = bench.device()
        bench.picture(device)
        answer = bench.ask()
        bench.picture(device, waits=False)
        device.asked.get(timeout=WAIT_S)
        device.give_still(bench.shot(large_scene(7)))

        assert answer.get(timeout=WAIT_S) is None

    def test_after_three_of_them_its_video_is_read_alone(self, bench):
        device = bench.device()
        bench.picture(device)
        for _ in range(3):
            bench.still(device, bench.shot(large_scene(7), ago_s=0.5))
            bench.picture(device)

        assert bench.feed.still() is None
        assert device.asked.qsize() == 3

    def test_a_good_one_between_them_counts(self, bench):
        device = bench.device()
        bench.picture(device)
        for ago_s in (0.5, 0.5, -0.02, 0.5, 0.5):
            bench.still(device, bench.shot(large_scene(7), ago_s=ago_s))

        bench.picture(device)
        assert bench.still(device, bench.shot(large_scene(7), ago_s=-0.02)) is not None

    def test_one_of_a_camera_that_gives_red_for_blue_is_put_right(self, bench):
        bench.patches = True
        device = bench.device()
        bench.picture(device, np.ascontiguousarray(scene(1)[..., ::-1]))
        answer = bench.ask()
        device.give_still(
            bench.shot(np.ascontiguousarray(large_scene(7)[..., ::-1]), ago_s=-0.05)
        )
        mixed = np.ascontiguousarray(scene(2)[..., ::-1])
        bench.picture(device, mixed)

        assert (answer.get(timeout=WAIT_S).picture == large_scene(7)).all()


def test_the_faults_of_a_still_are_no_faults_of_the_camera(bench):
    device = bench.device()
    bench.picture(device)
    bench.still(device, bench.shot(large_scene(7) // 40, ago_s=-0.02))

    assert bench.feed._fault is None
    assert Fault.DARK not in (frame.fault for frame in [bench.feed.read()])
