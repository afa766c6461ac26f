"""Our camera on the real Picamera2 and libcamera, whose virtual camera shows a table.

Runs in a userland of tests/pi/make_root.sh; elsewhere it is skipped and says so.
"""

import threading
import time
from concurrent.futures import CancelledError

import pytest

from tests.pi.virtual.frames import PATCHES_BGR, SIZE, patch
from vision.camera.feed import Feed
from vision.camera.holds import IN_THIS_PROGRAM
from vision.camera.pi import PiCamera
from vision.camera.port import CameraMissing


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


def test_a_still_has_the_colours_of_the_table_and_video_goes_on(camera):
    still = camera.still().picture

    for number, (name, bgr) in enumerate(PATCHES_BGR.items()):
        found = patch(still, number).reshape(-1, 3).mean(axis=0)
        assert found == pytest.approx(bgr, abs=4), name
    assert camera.shoot().picture.shape == (*SIZE, 3)


def test_a_second_program_at_the_same_camera_is_told(camera):
    with pytest.raises(CameraMissing, match="end what else uses it"):
        PiCamera(SIZE)


def test_a_camera_that_is_not_there_is_said(picamera2):
    with pytest.raises(CameraMissing, match="ribbon cable"):
        PiCamera(SIZE, number=7)


def test_the_feed_keeps_it_running_and_lets_it_go(picamera2):
    feed = Feed(
        "pi camera", lambda: PiCamera(SIZE), time.monotonic, patches=lambda _: None
    ).start()
    frames = [feed.read() for _ in range(40)]
    feed.close()

    good = [frame for frame in frames if frame.picture is not None]
    assert good
    assert all(frame.fault is None for frame in good)
    # Closed for good: it can be opened anew.
    camera = PiCamera(SIZE)
    camera.close()


@pytest.fixture
def pulled(monkeypatch):
    """Return a way to pull a cable: whatever is asked for, no picture comes."""

    def pull(camera):
        monkeypatch.setattr(camera._device, "capture_request_", lambda: (False, None))

    return pull


def until_it_fails(camera, told):
    try:
        for _ in range(50):
            camera.shoot()
    except (CameraMissing, CancelledError) as error:
        told.append(error)


def test_a_camera_that_gives_no_more_pictures_is_let_go_of_and_opened_again(
    picamera2, pulled
):
    camera, told = PiCamera(SIZE), []
    pulled(camera)
    until_it_fails(camera, told)
    assert "gives no picture" in str(told[0])

    camera.close()

    assert len(IN_THIS_PROGRAM) == 0
    again = PiCamera(SIZE)
    assert again.shoot().picture.shape == (*SIZE, 3)
    again.close()


def test_a_capture_that_hangs_comes_back_when_it_is_abandoned(
    picamera2, pulled, monkeypatch
):
    camera, told = PiCamera(SIZE), []
    monkeypatch.setattr("vision.camera.pi.PICTURE_S", None)  # wait for ever
    pulled(camera)
    thread = threading.Thread(target=until_it_fails, args=(camera, told), daemon=True)
    thread.start()
    thread.join(1.0)
    assert thread.is_alive()

    camera.abandon()

    thread.join(5.0)
    assert isinstance(told[0], CancelledError)
    monkeypatch.undo()
    again = PiCamera(SIZE)
    assert again.shoot().picture.shape == (*SIZE, 3)
    again.close()
