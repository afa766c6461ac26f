"""A folder is a camera that never stops: pictures follow each other, the last stays.

No test waits: the folder's clock moves only where it rests.
"""

import logging
import shutil
import threading

import cv2
import numpy as np
import pytest

from tests.vision.camera.faulty import WAIT_S, Clock, scene
from vision.camera.device import StampedPicture
from vision.camera.feed import Feed
from vision.camera.folder import STILLS, LiveFolder
from vision.camera.health import Fault, Health, judge_picture
from vision.camera.port import CameraMissing


def put(folder, name, level, size=(40, 60)):
    """Put a plain picture of a grey level into a folder; return its file."""
    path = folder / name
    assert cv2.imwrite(str(path), np.full((*size, 3), level, np.uint8))
    return path


class Watched:
    """A folder that is looked at for some seconds, and what was seen."""

    def __init__(self, folder, a_second):
        self.clock = Clock()
        self.folder = LiveFolder(folder, a_second, self.clock, self.clock.pass_by)
        self.device = self.folder.open()
        self.shots = []

    def look(self, seconds) -> list[int]:
        """Return the grey levels that were shown, each with how often."""
        until_s = self.clock() + seconds
        shots = []
        while self.clock() < until_s:
            shots.append(self.device.shoot())
        self.shots += shots
        return [int(shot.picture[0, 0, 0]) for shot in shots]


def runs(levels):
    """Return the levels in their order, without repeats."""
    return [
        now for now, old in zip(levels, [None, *levels], strict=False) if now != old
    ]


class TestItsPictures:
    def test_follow_each_other_by_name_and_the_last_one_stays(self, tmp_path):
        for name, level in (("b.png", 80), ("a.png", 40), ("c.png", 120)):
            put(tmp_path, name, level)

        watched = Watched(tmp_path, 2)
        levels = watched.look(5)

        assert runs(levels) == [40, 80, 120]
        # Half a second each at 15 pictures a second.
        assert levels.count(40) == pytest.approx(7.5, abs=1)
        assert levels.count(80) == pytest.approx(7.5, abs=1)

    @pytest.mark.parametrize("a_second", [0.5, 10, 15, 40])
    def test_are_shown_as_fast_as_was_asked(self, tmp_path, a_second):
        for number in range(30):
            put(tmp_path, f"{number:02}.png", 5 * number)

        levels = Watched(tmp_path, a_second).look(20 / a_second)

        assert len(runs(levels)) == pytest.approx(20, abs=2)

    def test_are_given_at_least_fifteen_times_a_second_each_dated_anew(self, tmp_path):
        put(tmp_path, "a.png", 40)

        watched = Watched(tmp_path, 0.1)
        watched.look(2)

        stamps = [shot.stamp_s for shot in watched.shots]
        assert len(stamps) == pytest.approx(30, abs=1)
        assert stamps == sorted(set(stamps))

    def test_that_are_added_later_are_shown_whatever_their_name(self, tmp_path):
        put(tmp_path, "img_9.png", 40)
        watched = Watched(tmp_path, 5)
        assert runs(watched.look(1)) == [40]

        put(tmp_path, "img_10.png", 80)

        assert runs(watched.look(1)) == [40, 80]

    def test_are_not_hurried_after_a_long_pause(self, tmp_path):
        put(tmp_path, "a.png", 40)
        watched = Watched(tmp_path, 1)
        watched.look(60)
        for name, level in (("b.png", 80), ("c.png", 120), ("d.png", 160)):
            put(tmp_path, name, level)

        levels = watched.look(5)

        assert runs(levels) == [40, 80, 120, 160]
        assert levels.count(80) == pytest.approx(15, abs=1)

    def test_are_those_with_the_name_of_a_picture(self, tmp_path):
        put(tmp_path, "a.png", 40)
        put(tmp_path, ".b.png", 80)
        (tmp_path / "c.txt").write_text("taken by the window")

        assert runs(Watched(tmp_path, 5).look(5)) == [40]


class TestAPictureThatIsStillWritten:
    @pytest.mark.parametrize("ending", ["jpg", "png", "webp", "bmp"])
    def test_is_shown_once_it_is_whole(self, tmp_path, ending):
        put(tmp_path, f"a.{ending}", 40)
        whole = put(tmp_path, f"b.{ending}", 120).read_bytes()
        later = tmp_path / f"b.{ending}"
        later.write_bytes(whole[: len(whole) // 2])
        watched = Watched(tmp_path, 5)
        assert set(watched.look(1)) == {40}

        later.write_bytes(whole[:-1])
        assert set(watched.look(1.5)) == {40}
        later.write_bytes(whole)

        assert runs(watched.look(1)) == [120]

    def test_is_waited_for_by_those_behind_it(self, tmp_path):
        put(tmp_path, "a.jpg", 40)
        whole = put(tmp_path, "b.jpg", 80).read_bytes()
        (tmp_path / "b.jpg").write_bytes(whole[:100])
        put(tmp_path, "c.jpg", 120)
        watched = Watched(tmp_path, 5)
        assert set(watched.look(1)) == {40}

        (tmp_path / "b.jpg").write_bytes(whole)

        assert runs(watched.look(2)) == [80, 120]

    def test_and_never_becomes_whole_is_left_out_and_said(self, tmp_path, caplog):
        put(tmp_path, "a.png", 40)
        (tmp_path / "b.png").write_text("no picture")
        put(tmp_path, "c.png", 120)

        with caplog.at_level(logging.WARNING):
            levels = Watched(tmp_path, 5).look(4)

        assert runs(levels) == [40, 120]
        (said,) = caplog.messages
        assert "b.png is no picture" in said
        assert said.endswith("it is left out")

    def test_may_be_taken_away_again(self, tmp_path):
        put(tmp_path, "a.png", 40)
        torn = tmp_path / "b.png"
        torn.write_bytes(b"\x89PNG")
        put(tmp_path, "c.png", 120)
        watched = Watched(tmp_path, 5)
        watched.look(0.5)

        torn.unlink()

        assert runs(watched.look(0.5)) == [120]


class TestTheFolder:
    def test_must_exist_and_hold_pictures(self, tmp_path):
        with pytest.raises(CameraMissing, match="no folder"):
            LiveFolder(tmp_path / "nowhere", 5, Clock()).open()
        with pytest.raises(CameraMissing, match="no pictures"):
            LiveFolder(tmp_path, 5, Clock()).open()

    def test_that_was_empty_is_a_camera_once_a_picture_comes(self, tmp_path):
        clock = Clock()
        folder = LiveFolder(tmp_path, 5, clock)
        with pytest.raises(CameraMissing):
            folder.open()

        put(tmp_path, "a.png", 40)
        clock.pass_by(1)

        assert folder.open().shoot().picture[0, 0, 0] == 40

    def test_that_is_gone_is_missed_and_goes_on_when_it_is_back(self, tmp_path):
        here, away = tmp_path / "stick", tmp_path / "away"
        here.mkdir()
        put(here, "a.png", 40)
        put(here, "b.png", 80)
        watched = Watched(here, 5)
        assert runs(watched.look(1)) == [40, 80]
        shutil.move(here, away)
        with pytest.raises(CameraMissing, match="no folder"):
            watched.look(1)

        shutil.move(away, here)
        watched.clock.pass_by(1)
        watched.device = watched.folder.open()

        assert runs(watched.look(1)) == [80]
        put(here, "c.png", 120)
        assert runs(watched.look(1)) == [80, 120]

    def test_has_pictures_of_one_size(self, tmp_path, caplog):
        put(tmp_path, "a.png", 40)
        put(tmp_path, "b.png", 80, size=(60, 40))
        put(tmp_path, "c.png", 120)

        with caplog.at_level(logging.WARNING):
            levels = Watched(tmp_path, 5).look(2)

        assert runs(levels) == [40, 120]
        assert caplog.messages == [
            "b.png has 40x60 pixels and those before 60x40; it is left out"
        ]

    def test_tells_what_it_gives(self, tmp_path):
        put(tmp_path, "a.png", 40)
        facts = Watched(tmp_path, 0.5).device.facts()

        assert facts.mode == "folder, 60x40, 0.5 pictures a second"
        assert not facts.slow


def test_a_picture_that_stays_is_no_sensor_that_hangs():
    shot, health = scene(1), Health()
    for second in range(60):
        judged = judge_picture(
            health, StampedPicture(shot, float(second)), float(second), STILLS,
            lambda _: None,
        )  # fmt: skip
        health = judged.health
        assert judged.fresh


class Steps:
    """Lets a camera's thread go on from one rest to the next."""

    def __init__(self) -> None:
        self.clock = Clock()
        self._rests, self._go = threading.Semaphore(0), threading.Semaphore(0)
        self._over = False

    def rest(self, seconds: float) -> None:
        self.clock.pass_by(seconds)
        self._rests.release()
        if not self._over:
            assert self._go.acquire(timeout=WAIT_S)

    def until(self, feed, true):
        """Return the first frame of a feed for which something is true."""
        for _ in range(100):
            assert self._rests.acquire(timeout=WAIT_S)
            frame = feed.poll()
            self._go.release()
            if frame is not None and true(frame):
                return frame
        raise AssertionError("it never came")

    def end(self) -> None:
        self._over = True
        self._go.release(2)


def test_a_feed_tells_of_a_folder_that_is_gone_and_reads_on_when_it_is_back(tmp_path):
    here, away = tmp_path / "stick", tmp_path / "away"
    here.mkdir()
    assert cv2.imwrite(str(here / "a.png"), scene(1))
    steps = Steps()
    feed = Feed(
        "folder", LiveFolder(here, 5, steps.clock, steps.rest).open, steps.clock,
        health=STILLS, rest=steps.rest, patches=lambda _: None,
    ).start()  # fmt: skip
    try:
        seen = steps.until(feed, lambda frame: frame.picture is not None)
        assert seen.trouble is None

        shutil.move(here, away)
        gone = steps.until(feed, lambda frame: frame.picture is None)
        assert "no folder" in gone.trouble
        assert gone.fault == Fault.LOST

        shutil.move(away, here)
        again = steps.until(feed, lambda frame: frame.picture is not None)
        assert again.trouble is None
    finally:
        steps.end()
        feed.close()
