"""Our camera on the real Picamera2 and libcamera, whose virtual camera shows a table.

Runs in a userland of tests/pi/make_root.sh; elsewhere it is skipped and says so.
"""

import time

import pytest

from tests.pi.virtual.frames import PATCHES_BGR, SIZE, patch
from vision.camera_feed import Feed
from vision.camera_pi import PiCamera
from vision.cameras import CameraMissing


@pytest.fixture
def camera(picamera2):
    camera = PiCamera(SIZE)
    yield camera
    camera.close()


def test_its_pictures_have_the_colours_of_the_table(camera):
    picture = camera.shoot().picture

    assert picture.shape == (*SIZE, 3)
    for number, (name, bgr) in enumerate(PATCHES_BGR.items()):
        found = patch(picture, number).reshape(-1, 3).mean(axis=0)
        # JPEG and the sensor's noise cost a grey value or two; another order, 160.
        assert found == pytest.approx(bgr, abs=4), name


def test_its_pictures_are_dated_and_each_is_newer_than_the_one_before(camera):
    stamps = [camera.shoot().stamp_s for _ in range(6)]

    assert stamps == sorted(set(stamps))
    assert abs(stamps[-1] - time.monotonic()) < 5.0


def test_it_can_be_opened_again_and_again(picamera2):
    for _ in range(5):
        camera = PiCamera(SIZE)
        assert camera.shoot().picture.shape == (*SIZE, 3)
        camera.close()


def test_a_second_program_at_the_same_camera_is_told(camera):
    with pytest.raises(CameraMissing, match="end what else uses it"):
        PiCamera(SIZE)


def test_a_camera_that_is_not_there_is_said(picamera2):
    with pytest.raises(CameraMissing, match="ribbon cable"):
        PiCamera(SIZE, number=7)


def test_the_feed_keeps_it_running_and_lets_it_go(picamera2):
    feed = Feed("pi camera", lambda: PiCamera(SIZE), time.monotonic).start()
    frames = [feed.read() for _ in range(40)]
    feed.close()

    good = [frame for frame in frames if frame.picture is not None]
    assert good
    assert all(frame.fault is None for frame in good)
    # Closed for good: it can be opened anew.
    camera = PiCamera(SIZE)
    camera.close()
