import cv2
import numpy as np
import pytest

from vision.camera.port import CameraMissing
from vision.camera.usb import UsbCamera, UsbCameras, lasting_name, list_webcams

SIZE = (720, 1280)


class Capture:
    """What OpenCV gives for a camera."""

    def __init__(self, opened=True, picture=None, stamp_ms=0.0):
        self.opened, self.picture, self.stamp_ms = opened, picture, stamp_ms
        self.settings = {}
        self.tells = {}

    def isOpened(self):  # noqa: N802 - OpenCV's name
        return self.opened

    def set(self, key, value):
        self.settings[key] = value

    def get(self, key):
        return self.stamp_ms if key == cv2.CAP_PROP_POS_MSEC else self.tells.get(key, 0)

    def read(self):
        return self.picture is not None, self.picture

    def release(self):
        self.opened = False


@pytest.fixture
def devices(tmp_path):
    """Return a folder like /dev: one camera under two lasting names."""
    (tmp_path / "video0").touch()
    for kind, name in (("by-id", "usb-Maker_C270"), ("by-path", "pci-usb-0:1")):
        folder = tmp_path / "v4l" / kind
        folder.mkdir(parents=True)
        (folder / f"{name}-video-index0").symlink_to(tmp_path / "video0")
    return tmp_path


def plug_into(devices, number):
    """Unplug the camera and plug it in again, under another number."""
    for old in devices.glob("video*"):
        old.unlink()
    (devices / f"video{number}").touch()
    for name in devices.glob("v4l/*/*"):
        name.unlink()
        name.symlink_to(devices / f"video{number}")


class TestAUsbCamera:
    def test_gives_its_picture_with_the_kernels_time_of_it(self):
        picture = np.zeros((4, 6, 3), np.uint8)
        capture = Capture(picture=picture, stamp_ms=12_500.0)

        shot = UsbCamera(capture, "video0", SIZE).shoot()

        assert shot.picture.shape == (4, 6, 3)
        assert shot.stamp_s == 12.5
        # An older picture in the queue would show the table before the throw.
        assert capture.settings[cv2.CAP_PROP_BUFFERSIZE] == 1

    def test_tells_no_time_where_the_driver_has_none(self):
        capture = Capture(picture=np.zeros((4, 6, 3), np.uint8))

        assert UsbCamera(capture, "video0", SIZE).shoot().stamp_s is None

    def test_says_when_it_does_not_answer_or_gives_no_picture(self):
        with pytest.raises(CameraMissing, match="video0 does not answer"):
            UsbCamera(Capture(opened=False), "video0", SIZE)
        with pytest.raises(CameraMissing, match="check its cable"):
            UsbCamera(Capture(), "video0", SIZE).shoot()


class TestItsMode:
    def capture(self, letters, fps, size=(1280, 720)):
        capture = Capture()
        capture.tells = {
            cv2.CAP_PROP_FOURCC: float(cv2.VideoWriter.fourcc(*letters)),
            cv2.CAP_PROP_FRAME_WIDTH: float(size[0]),
            cv2.CAP_PROP_FRAME_HEIGHT: float(size[1]),
            cv2.CAP_PROP_FPS: fps,
        }
        return capture

    def test_packed_pictures_are_asked_for_before_their_size(self):
        capture = self.capture("MJPG", 30.0)
        UsbCamera(capture, "video0", SIZE)

        asked = list(capture.settings)
        packed = cv2.VideoWriter.fourcc(*"MJPG")
        assert capture.settings[cv2.CAP_PROP_FOURCC] == packed
        assert asked.index(cv2.CAP_PROP_FOURCC) < asked.index(cv2.CAP_PROP_FRAME_WIDTH)
        assert asked.index(cv2.CAP_PROP_FOURCC) < asked.index(cv2.CAP_PROP_FRAME_HEIGHT)

    def test_what_it_gives_is_told_and_not_what_was_asked_for(self):
        facts = UsbCamera(self.capture("YUYV", 10.0), "video0", SIZE).facts()

        assert facts.mode == "YUYV, 1280x720, 10 pictures a second"
        assert facts.slow
        assert facts.order is None

    def test_a_driver_that_tells_nothing_is_not_called_slow(self):
        facts = UsbCamera(Capture(), "video0", SIZE).facts()

        assert facts.mode == "?, 0x0"
        assert not facts.slow


class TestWhichArePlugged:
    """On a Pi most of /dev/video* are its decoders."""

    @pytest.fixture
    def plug(self, tmp_path):
        devices, classes = tmp_path / "dev", tmp_path / "class"
        devices.mkdir()

        def one(number, bus=None, index="0"):
            (devices / f"video{number}").touch()
            if bus is not None:
                node = classes / f"video{number}"
                (node / "device").mkdir(parents=True)
                (node / "index").write_text(f"{index}\n")
                (tmp_path / "bus" / bus).mkdir(parents=True, exist_ok=True)
                (node / "device" / "subsystem").symlink_to(tmp_path / "bus" / bus)
            return list_webcams(devices, classes)

        return one

    def test_decoders_and_second_devices_are_no_webcams(self, plug):
        plug(19, "platform")
        plug(10, "usb")
        plug(11, "usb", "1")

        assert plug(2, "usb") == ("2", "10")

    def test_a_system_that_does_not_tell_is_believed(self, plug):
        plug(10)

        assert plug(2) == ("2", "10")


class TestWhichCamera:
    def cameras(self, devices, wanted=0):
        self.opened = []

        def opener(target):
            self.opened.append(str(target))
            return Capture()

        return UsbCameras(wanted, devices, opener)

    def test_it_is_known_by_its_makers_name_whatever_its_number_becomes(self, devices):
        cameras = self.cameras(devices)
        cameras.open()
        plug_into(devices, 2)
        cameras.open()

        assert cameras.identity.name == "usb-Maker_C270-video-index0"
        assert self.opened == [str(devices / "video0"), str(devices / "video2")]

    def test_another_camera_that_takes_its_number_is_not_taken_for_it(self, devices):
        cameras = self.cameras(devices)
        cameras.open()
        for name in devices.glob("v4l/*/*"):
            name.unlink()  # it was unplugged, and a second camera is video0 now

        with pytest.raises(CameraMissing, match=r"C270.* is not plugged in"):
            cameras.open()

    def test_it_may_be_asked_for_by_its_lasting_name(self, devices):
        name = devices / "v4l" / "by-id" / "usb-Maker_C270-video-index0"

        self.cameras(devices, name).open()

        assert self.opened == [str(devices / "video0")]

    def test_one_that_is_not_there_yet_is_found_once_it_is(self, devices):
        cameras = self.cameras(devices, 2)
        with pytest.raises(CameraMissing, match="video2 is not plugged in"):
            cameras.open()

        plug_into(devices, 2)
        cameras.open()

        assert self.opened == [str(devices / "video2")]

    def test_without_lasting_names_the_number_must_do(self, tmp_path):
        (tmp_path / "video0").touch()

        assert lasting_name(tmp_path / "video0", tmp_path) is None
