"""A Pi's camera against a picamera2 that behaves as the manual says.

The real library on a virtual camera is opened by tests/pi.
"""

import sys
import time
import tracemalloc
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from vision.camera.formats import is_red_third, to_bgr
from vision.camera.pi import PiCamera, WarmUp, hold_controls
from vision.camera.port import CameraMissing

ORANGE_BGR = (20, 90, 240)

GAINS = (1.8, 1.4)
"""Of red and blue, that its white balance finds."""


class Request:
    def __init__(self, camera):
        self._camera = camera
        camera.requests_held += 1

    def make_array(self, stream):
        camera = self._camera
        red = ORANGE_BGR[2] * camera.gains[0] / GAINS[0]
        pixel = np.array((*ORANGE_BGR[:2], red)).round().astype(np.uint8)
        if camera.given["format"] == "BGR888" or camera.mixed_up:
            pixel = pixel[::-1]
        picture = np.empty((*camera.given["size"][::-1], 3), np.uint8)
        picture[:] = pixel
        return picture

    def get_metadata(self):
        return self._camera.facts()

    def release(self):
        self._camera.requests_held -= 1


class Picamera2:
    """Adapts its exposure by a tenth with every picture until it fits."""

    camera_controls = dict.fromkeys(
        ("AeEnable", "AwbEnable", "ExposureTime", "AnalogueGain", "ColourGains",
         "AfMode", "AfTrigger", "LensPosition")
    )  # fmt: skip
    silent = False
    mixed_up = False
    own_format = None
    search = (1, 1, 1, 1, 2)
    """How a search for focus goes: 1 is scanning, 2 focused, 3 failed."""

    def __init__(self, number=0):
        self.gains, self.queued = GAINS, []
        self.exposure_us, self.controls, self.log = 4_000.0, {}, []
        self.requests_held, self.pictures = 0, 0
        self.searches, self.af_state, self.searching = 0, 0, iter(())

    def create_video_configuration(self, main):
        return main

    def configure(self, main):
        self.given = main | ({"format": self.own_format} if self.own_format else {})

    sensor_resolution = (256, 144)
    still_padding = 0

    def create_still_configuration(self, main, controls, buffer_count):
        assert set(controls) <= set(self.camera_controls)
        return {"main": main, "controls": controls, "buffer_count": buffer_count}

    def switch_mode_and_capture_arrays(self, config, names, wait):
        if self.silent:
            raise TimeoutError
        self.log.append("still")
        self.still = config
        # The video goes on with what it was configured with, which is nothing.
        self.controls = {}
        width, height = config["main"]["size"]
        long = width + self.still_padding
        colour = cv2.cvtColor(np.uint8([[ORANGE_BGR]]), cv2.COLOR_BGR2YCrCb)[0, 0]
        array = np.zeros((height * 3 // 2, long), np.uint8)
        array[:height, :width] = colour[0]
        # Cb, then Cr: each of half the width, two rows of it in one of the array.
        for number, value in enumerate((colour[2], colour[1])):
            plane = array[height:].reshape(2, height // 2, long // 2)[number]
            plane[:, : width // 2] = value
        assert names == ["main"]
        return [array], self.facts()

    def camera_configuration(self):
        return {"main": self.given}

    def start(self):
        self.log.append("start")

    def stop(self):
        self.log.append("stop")

    def close(self):
        self.log.append("close")

    def set_controls(self, controls):
        assert set(controls) <= set(self.camera_controls)
        self.controls |= controls
        if "AfTrigger" in controls:
            self.searches += 1
            self.searching = iter(self.search)

    def capture_request(self, wait):
        if self.silent:
            raise TimeoutError
        self.pictures += 1
        self.af_state = next(self.searching, self.af_state)
        # Asked-for gains are in the third picture after.
        self.queued.append(self.controls.get("ColourGains", GAINS))
        self.gains = self.queued[-3] if len(self.queued) > 2 else GAINS
        if self.controls.get("AeEnable", True):
            self.exposure_us = min(self.exposure_us * 1.1, 18_000.0)
        return Request(self)

    def facts(self):
        return {
            "SensorTimestamp": time.clock_gettime_ns(time.CLOCK_BOOTTIME),
            "ExposureTime": round(self.exposure_us),
            "AnalogueGain": 2.0,
            "ColourGains": self.gains,
            "AfState": self.af_state,
            "LensPosition": self.controls.get("LensPosition", 3.1),
        }


@pytest.fixture
def library(monkeypatch):
    """Install the pretended library; return the class that stands for its cameras."""

    class Ours(Picamera2):
        made = []  # noqa: RUF012

        def __init__(self, number=0):
            super().__init__(number)
            self.made.append(self)

    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=Ours))
    return Ours


class TestWarmingUp:
    def test_exposure_and_colours_are_held_once_they_are_calm(self, library):
        PiCamera((72, 128))
        (device,) = library.made

        # 4 ms grow by a tenth a picture to 18 ms: 16 pictures, and 5 calm ones. To see
        # which colour is red takes 1 + 3 + 3.
        assert 27 <= device.pictures <= 30
        assert device.controls["AeEnable"] is device.controls["AwbEnable"] is False
        assert device.controls["ColourGains"] == (1.8, 1.4)
        # 18 ms at gain 2 are 20 ms, two flickers of the lamps, at gain 1.8.
        assert device.controls["ExposureTime"] == 20_000
        assert device.controls["AnalogueGain"] == pytest.approx(1.8)
        assert device.requests_held == 0

    def test_light_that_never_settles_ends_it_after_two_seconds(self, library):
        library.facts = lambda self: {
            "ExposureTime": 10_000 if self.pictures % 2 else 20_000,
            "AnalogueGain": 1.0,
        }

        PiCamera((72, 128), WarmUp(most=60))

        assert library.made[0].pictures == 60  # two seconds at 30 a second

    def test_it_focuses_once_and_stays(self, library):
        camera = PiCamera((72, 128))
        (device,) = library.made

        # 0 is "manual": the lens stands where the search ended, for every hand.
        assert device.controls["AfMode"] == 0
        assert device.controls["LensPosition"] == 3.1
        camera.adapt()
        assert device.searches == 1
        assert device.controls["AfMode"] == 0

    def test_a_search_for_focus_is_waited_for(self, library):
        library.search = (1,) * 40 + (2,)

        PiCamera((72, 128))

        # 41 pictures, though the light was calm after 21; and seven for the colours.
        assert 41 <= library.made[0].pictures <= 50
        assert library.made[0].controls["LensPosition"] == 3.1

    @pytest.mark.parametrize("search", [(1, 1, 3), (1,) * 200])
    def test_where_nothing_is_sharp_the_lens_stands_at_the_masts_height(
        self, library, caplog, search
    ):
        library.search = search

        PiCamera((72, 128))

        assert library.made[0].controls["AfMode"] == 0
        # 1 / 0.47 m.
        assert library.made[0].controls["LensPosition"] == pytest.approx(2.13, abs=0.05)
        assert "found no focus" in caplog.text

    def test_a_camera_without_these_controls_is_taken_as_it_is(self, library):
        library.camera_controls = {"FrameDurationLimits": None}
        library.facts = lambda self: {"SensorTimestamp": 5}

        PiCamera((72, 128))

        assert library.made[0].controls == {}
        assert library.made[0].pictures == 8

    def test_when_the_light_has_changed_it_adapts_and_holds_anew(self, library):
        camera = PiCamera((72, 128))
        (device,) = library.made
        device.exposure_us = 2_000.0

        camera.adapt()

        assert device.controls["AeEnable"] is False
        assert device.controls["ExposureTime"] == 20_000

    def test_a_lens_whose_height_is_known_is_not_searched_for(self, library):
        camera = PiCamera((72, 128), height_mm=470.3)
        (device,) = library.made

        assert device.searches == 0
        # 1 / 0.4703 m.
        assert device.controls["LensPosition"] == pytest.approx(2.126, abs=0.001)
        assert device.controls["AfMode"] == 0
        camera.adapt()
        assert device.controls["LensPosition"] == pytest.approx(2.126, abs=0.001)


class TestStills:
    @pytest.mark.parametrize("padding", [0, 64])
    def test_a_still_has_all_the_sensors_pixels_and_true_colours(
        self, library, padding
    ):
        library.still_padding = padding
        camera = PiCamera((72, 128))

        shot = camera.still()

        assert shot.picture.shape == (144, 256, 3)
        # Rounding of light and colour costs a grey value or two.
        assert np.abs(shot.picture.astype(int) - ORANGE_BGR).max() <= 2
        assert 0 <= time.monotonic() - shot.stamp_s < 5

    def test_light_colours_and_focus_stay_as_they_were_before_and_after(self, library):
        camera = PiCamera((72, 128))
        (device,) = library.made
        held = dict(device.controls)

        camera.still()

        kept = ("AeEnable", "AwbEnable", "ExposureTime", "AnalogueGain", "ColourGains",
                "AfMode", "LensPosition")  # fmt: skip
        for name in kept:
            assert device.still["controls"][name] == held[name]
            assert device.controls[name] == held[name]
        # Nothing adapts or searches anew.
        assert device.controls["AeEnable"] is False
        assert device.searches == 1

    @pytest.mark.parametrize(
        ("sensor", "still"),
        [
            ((4608, 2592), (4608, 2592)),  # Module 3
            ((4056, 3040), (4056, 2282)),  # HQ: 4056 * 9 / 16 is 2281.5
            ((1456, 1088), (1456, 820)),  # global shutter: 819
            ((1000, 500), (888, 500)),  # wider than the video: 500 * 16 / 9 is 888.9
        ],
    )
    def test_a_still_has_the_sides_of_the_video(self, library, sensor, still):
        library.sensor_resolution = sensor
        camera = PiCamera((72, 128))

        camera.still()

        assert library.made[0].still["main"]["size"] == still

    def test_video_goes_on_afterwards(self, library):
        camera = PiCamera((72, 128))
        camera.still()
        assert camera.shoot().picture.shape == (72, 128, 3)

    def test_light_and_focus_are_held_again_after_one_that_failed(self, library):
        camera = PiCamera((72, 128))
        (device,) = library.made
        held = dict(device.controls)

        def fail(config, names, wait):
            device.controls = {}  # the modes were switched to and fro
            raise TimeoutError

        device.switch_mode_and_capture_arrays = fail
        with pytest.raises(CameraMissing, match="no still"):
            camera.still()

        assert device.controls == {
            name: held[name] for name in held if name != "AfTrigger"
        }

    def test_a_still_of_12_megapixels_takes_little_more_memory_than_itself(self):
        array = np.full((2592 * 3 // 2, 4608), 128, np.uint8)
        tracemalloc.start()

        picture = to_bgr(array, "YUV420", (2592, 4608))

        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert picture.shape == (2592, 4608, 3)
        assert (picture == 128).all()
        # 4608 x 2592 x 3 are 35.8 MB; a strip of 256 rows is 3.5 MB, three times.
        assert most < 50e6

    def test_a_still_that_does_not_come_is_said(self, library):
        camera = PiCamera((72, 128))
        library.made[0].silent = True
        with pytest.raises(CameraMissing, match="no still"):
            camera.still()


class TestHolding:
    @pytest.mark.parametrize(
        ("exposure_us", "gain", "to_us", "to_gain"),
        [
            (33_000, 1.0, 30_000, 1.1),
            (9_000, 2.0, 10_000, 1.8),
            # No gain is below 1: what is too bright for a whole flicker stays.
            (9_000, 1.0, 9_000, 1.0),
            (600, 1.0, 600, 1.0),
        ],
    )
    def test_a_long_exposure_becomes_a_whole_number_of_flickers(
        self, exposure_us, gain, to_us, to_gain
    ):
        controls = hold_controls({"ExposureTime": exposure_us, "AnalogueGain": gain})

        assert controls["ExposureTime"] == to_us
        assert controls["AnalogueGain"] == pytest.approx(to_gain)


class TestTheOrderOfColours:
    """Whatever the driver calls its format: with less red, red must fade."""

    def test_one_that_gives_what_it_says_is_proven_right(self, library):
        camera = PiCamera((72, 128))

        assert camera.facts().order is True
        assert library.made[0].controls["ColourGains"] == GAINS
        assert tuple(camera.shoot().picture[0, 0]) == ORANGE_BGR

    def test_one_that_gives_red_for_blue_is_put_right_from_its_first_picture(
        self, library, caplog
    ):
        library.mixed_up = True
        camera = PiCamera((72, 128))

        assert tuple(camera.shoot().picture[0, 0]) == ORANGE_BGR
        assert camera.facts().order is False
        assert "red for blue" in caplog.text

    def test_one_that_was_asked_for_another_format_than_it_gives_is_believed(
        self, library
    ):
        library.own_format = "BGR888"
        camera = PiCamera((72, 128))

        assert camera.facts().order is True
        assert camera.facts().mode == "BGR888, 128x72"
        assert tuple(camera.shoot().picture[0, 0]) == ORANGE_BGR

    def test_gains_that_never_come_prove_nothing_and_are_not_waited_for(self, library):
        camera = PiCamera((72, 128))
        library.made[0].facts = lambda: {"ColourGains": (9.0, 9.0)}
        before = library.made[0].pictures

        camera._prove_order()

        assert library.made[0].pictures - before == 12

    @pytest.mark.parametrize(
        ("before", "less_red", "third_is_red"),
        [
            ((60, 70, 90), (60, 70, 63), True),
            ((60, 70, 90), (42, 70, 90), False),
            # A lamp is dimmed meanwhile: both fade.
            ((60, 70, 90), (42, 49, 63), None),
            ((5, 4, 3), (5, 4, 2), None),  # the cap is on
            ((60, 70, 90), (58, 70, 84), None),
        ],
    )
    def test_only_a_clear_difference_tells(self, before, less_red, third_is_red):
        one, other = (np.array(mean, np.float32) for mean in (before, less_red))

        assert is_red_third(one, other) is third_is_red


class TestPictures:
    def test_they_are_blue_green_red_with_the_sensors_time(self, library):
        camera = PiCamera((72, 128))

        shot = camera.shoot()

        assert shot.picture.shape == (72, 128, 3)
        assert tuple(shot.picture[0, 0]) == ORANGE_BGR
        assert 0 <= time.monotonic() - shot.stamp_s < 5
        assert library.made[0].requests_held == 0

    @pytest.mark.parametrize(
        ("format_", "pixel"),
        [
            ("RGB888", ORANGE_BGR),
            ("BGR888", ORANGE_BGR[::-1]),
            ("XRGB8888", (*ORANGE_BGR, 255)),
            ("XBGR8888", (*ORANGE_BGR[::-1], 255)),
        ],
    )
    def test_every_order_of_bytes_ends_as_blue_green_red(self, format_, pixel):
        array = np.full((4, 6, len(pixel)), pixel, np.uint8)

        assert tuple(to_bgr(array, format_, (4, 6))[0, 0]) == ORANGE_BGR

    def test_padding_at_the_end_of_rows_is_cut_off(self):
        assert to_bgr(np.zeros((4, 8, 3)), "RGB888", (4, 6)).shape == (4, 6, 3)

    def test_an_unknown_format_is_said(self):
        with pytest.raises(CameraMissing, match="MJPEG"):
            to_bgr(np.zeros((4, 6)), "MJPEG", (4, 6))


class TestWhatIsMissing:
    def test_without_picamera2_it_says_what_to_install(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "picamera2", None)

        with pytest.raises(CameraMissing, match="python3-picamera2"):
            PiCamera()

    def test_without_a_camera_it_says_what_to_look_at(self, library):
        def none_found(self, number=0):
            raise RuntimeError("No camera number 0 found")

        library.__init__ = none_found

        with pytest.raises(CameraMissing, match="ribbon cable"):
            PiCamera()

    def test_a_camera_that_gives_no_picture_is_closed_again(self, library):
        library.silent = True

        with pytest.raises(CameraMissing, match="no picture"):
            PiCamera()

        assert library.made[0].log == ["start", "stop", "close"]
