"""A Raspberry Pi's camera module through picamera2, exposure and colours held still.

A camera that keeps adapting makes a white die grey while a hand passes. So it adapts
for a moment, and then stays as it is until the light of the room changes.
"""

import logging
import time
from typing import Any

import numpy as np
from msgspec import Struct

from vision.arrays import Floats, Picture
from vision.camera.device import DeviceFacts, StampedPicture
from vision.camera.formats import LESS_RED, is_red_third, mean_colours, to_bgr
from vision.camera.holds import IN_THIS_PROGRAM, CameraHeld, Hold, Holds
from vision.camera.library import load_picamera2
from vision.camera.port import CameraMissing

logger = logging.getLogger(__name__)

SIZE = (1296, 2304)
"""Height and width: the half resolution of Camera Module 3, which it gives quickest."""

FLICKER_US = 10_000
"""Lamps on 50 Hz mains flicker a hundred times a second: a whole number of flickers in
each picture makes them all equally bright."""

GAINS_COME = 12
"""Pictures after which asked-for gains are there: some wait in the queue with the old
ones, and the sensor takes a few more."""

FOCUSED, NOT_FOCUSED = 2, 3
"""How a search for focus ended. Source: libcamera, AfStateEnum."""

USUAL_DIOPTRES = 2.1
"""Where the lens stands if nothing is sharp: 1 / 0.47 m, three sections of the mast.
From there 0.43 to 0.52 m is sharp: 470^2 / 4457 mm each way (tests/hardware)."""

PICTURE_S = 2.0
"""A picture that takes longer will not come any more."""


STILL_S = 5.0
"""A still that takes longer will not come: twice over the sensor changes its mode."""


class WarmUp(Struct, frozen=True):
    """How the camera finds its exposure and colours.

    Attributes:
        least, most: Pictures that it may take. At 30 a second the longest takes 2 s.
        calm: Share by which exposure and colour gains may change between pictures.
        in_a_row: So many calm pictures end it.
    """

    least: int = 8
    most: int = 60
    calm: float = 0.02
    in_a_row: int = 5


class PiCamera:
    """A camera module that is open; implements `vision.camera.device.CameraDevice`."""

    def __init__(
        self,
        size: tuple[int, int] = SIZE,
        warm_up: WarmUp | None = None,
        number: int = 0,
        holds: Holds = IN_THIS_PROGRAM,
        height_mm: float | None = None,
    ) -> None:
        """Start the camera, let it adapt, and hold it still.

        Args:
            size: Height and width of its pictures.
            warm_up: How it adapts.
            number: Which camera, where a Pi has two.
            holds: What this program holds of the Pi's cameras.
            height_mm: Of the lens above the table, where that was measured: the focus
                is then set by it and not searched for.

        Raises:
            CameraMissing: picamera2 is not installed, finds no camera, or the camera
                is in use or gives no picture.
            CameraHeld: It is in use by this program: its driver hangs.
        """
        library = load_picamera2()
        self._warm_up = warm_up or WarmUp()
        self._holds = holds
        with holds.opening(number) as hold:
            self._device = hold.device = self._opened(library, number, hold)
        self._order: bool | None = None
        self._gains: tuple[float, float] | None = None
        self._dioptres = None if height_mm is None else 1_000.0 / height_mm
        self._held: dict[str, Any] = {}
        try:
            self._start(size)
            self.adapt()
            self._prove_order()
            hold.ready = True
        except BaseException:
            self.close()
            raise

    def shoot(self) -> StampedPicture:
        """Return the next picture and when the sensor took it.

        Raises:
            CameraMissing: None came in time.
        """
        picture, facts = self._capture()
        return StampedPicture(picture, _stamp_s(facts))

    def still(self) -> StampedPicture:
        """Return a picture in the sensor's full resolution, of what the video shows.

        Exposure, colours and focus are those of the video, which stands meanwhile, for
        about a second. YUV420, as three bytes a pixel are 36 MB at 12 megapixels.

        Raises:
            CameraMissing: None came in time.
        """
        device = self._device
        width, height = _sides_as(self._size, device.sensor_resolution)
        main = {"size": (width, height), "format": "YUV420"}
        config = device.create_still_configuration(
            main=main, controls=self._known(self._held), buffer_count=1
        )
        try:
            (array,), facts = device.switch_mode_and_capture_arrays(
                config, ["main"], wait=STILL_S
            )
        except TimeoutError as error:
            raise CameraMissing(
                "the Pi camera gives no still; check its ribbon cable"
            ) from error
        finally:
            # The mode of the video began anew, with no more than it was configured
            # with: it must not adapt to a hand, whether the still came or not.
            self._set(self._held)
        given = config["main"]
        size = int(given["size"][1]), int(given["size"][0])
        picture = to_bgr(array, str(given["format"]), size)
        if self._order is False:
            picture = np.ascontiguousarray(picture[..., ::-1])
        return StampedPicture(picture, _stamp_s(facts))

    def adapt(self) -> None:
        """Let exposure and colours find themselves, then hold them still.

        The first time it also focuses, and waits until that is done. The table does not
        come nearer: another search later would only let the lens hunt for a hand.
        """
        self._set({"AeEnable": True, "AwbEnable": True})
        focuses = self._dioptres is None and self._focus()
        if self._dioptres is not None:
            self._set(_lens_controls(self._dioptres))
        calm, before = 0, None
        for taken in range(self._warm_up.most):
            _, facts = self._capture()
            calm = calm + 1 if _is_calm(before, facts, self._warm_up.calm) else 0
            before = facts
            settled = calm >= self._warm_up.in_a_row and not (
                focuses and facts.get("AfState") not in (FOCUSED, NOT_FOCUSED)
            )
            if taken + 1 >= self._warm_up.least and settled:
                break
        if before is not None:
            self._gains = before.get("ColourGains")
            if focuses:
                self._hold_focus(before)
            self._held = hold_controls(before)
            if self._dioptres is not None:
                self._held |= _lens_controls(self._dioptres)
            self._set(self._held)

    def facts(self) -> DeviceFacts:
        """Return what was given where the usual was asked for."""
        height, width = self._size
        return DeviceFacts(f"{self._format}, {width}x{height}", self._order)

    def close(self) -> None:
        """Let go of the camera; one whose driver hangs is left behind."""
        if not self._holds.release(self._device):
            logger.warning("the Pi camera's driver does not let go of it")

    def abandon(self) -> None:
        """Let go of it for the thread that hangs in it, which then comes back."""
        self.close()

    def _opened(self, library: Any, number: int, hold: Hold) -> Any:
        try:
            return library.Picamera2(number)
        except (IndexError, RuntimeError) as error:
            if self._holds.left_behind(hold):
                raise CameraHeld(
                    "the camera's driver hangs in this program and holds the camera; "
                    "start the table again"
                ) from error
            raise CameraMissing(
                "no Pi camera answers; check its ribbon cable and 'rpicam-hello', "
                "and end what else uses it"
            ) from error

    def _start(self, size: tuple[int, int]) -> None:
        # libcamera names bytes from the top of a word: its RGB888 is BGR in memory.
        main = {"size": size[::-1], "format": "RGB888"}
        self._device.configure(self._device.create_video_configuration(main=main))
        self._device.start()
        given = self._device.camera_configuration()["main"]
        self._format = str(given["format"])
        # Some cameras give another size or format than they were asked for.
        self._size = (int(given["size"][1]), int(given["size"][0]))

    def _capture(self) -> tuple[Picture, dict[str, Any]]:
        try:
            request = self._device.capture_request(wait=PICTURE_S)
        except TimeoutError as error:
            raise CameraMissing(
                "the Pi camera gives no picture; check its ribbon cable"
            ) from error
        try:
            array, facts = request.make_array("main"), request.get_metadata()
        finally:
            request.release()
        picture = to_bgr(array, self._format, self._size)
        if self._order is False:
            picture = np.ascontiguousarray(picture[..., ::-1])
        return picture, facts

    def _prove_order(self) -> None:
        """Take some red away for some pictures, and see which colour fades."""
        gains = self._gains
        if gains is None or "ColourGains" not in self._device.camera_controls:
            return
        found = []
        for red in (1.0, LESS_RED, 1.0):
            mean = self._means_at((gains[0] * red, gains[1]))
            if mean is None:
                self._set({"ColourGains": gains})
                return
            found.append(mean)
        before, less_red, after = found
        # Between the two at full red: light that changes meanwhile cancels out.
        self._order = is_red_third((before + after) / 2, less_red)
        if self._order is False:
            logger.warning("the Pi camera gives red for blue; put right")

    def _means_at(self, gains: tuple[float, float]) -> Floats | None:
        """Return the mean colours at some gains, None where they do not come."""
        self._set({"ColourGains": gains})
        for _ in range(GAINS_COME):
            picture, facts = self._capture()
            given = facts.get("ColourGains") or (0.0, 0.0)
            if np.allclose(given, gains, rtol=0.02):
                return mean_colours(picture)
        return None

    def _focus(self) -> bool:
        """Begin a search for focus; False for a lens that is turned by hand."""
        if "AfMode" not in self._device.camera_controls:
            return False
        # 1 is AfModeEnum.Auto, 0 AfTriggerEnum.Start: one search.
        self._set({"AfMode": 1, "AfTrigger": 0})
        return True

    def _hold_focus(self, facts: dict[str, Any]) -> None:
        """Note where the search ended: there the lens stays, whatever comes near."""
        found = facts.get("LensPosition")
        if facts.get("AfState") != FOCUSED or found is None:
            logger.warning(
                "the Pi camera found no focus; it is set to 47 cm. Lay something with "
                "print under it and start again"
            )
            found = USUAL_DIOPTRES
        self._dioptres = float(found)

    def _known(self, controls: dict[str, Any]) -> dict[str, Any]:
        known = self._device.camera_controls
        return {name: value for name, value in controls.items() if name in known}

    def _set(self, controls: dict[str, Any]) -> None:
        if wanted := self._known(controls):
            self._device.set_controls(wanted)


def _sides_as(video: tuple[int, int], sensor: tuple[int, int]) -> tuple[int, int]:
    """Return the width and height of a sensor's still that has the video's sides.

    *video* has height and width, *sensor* width and height, px. A sensor of 4:3 has
    rows above and below that its video of 16:9 does not show. Even, as YUV420 is.
    """
    high, wide = video
    width = min(sensor[0], sensor[1] * wide / high)
    return round(width / 2) * 2, round(width * high / wide / 2) * 2


def _lens_controls(dioptres: float) -> dict[str, Any]:
    # 0 is AfModeEnum.Manual.
    return {"AfMode": 0, "LensPosition": dioptres}


def _stamp_s(facts: dict[str, Any]) -> float | None:
    """Return when the sensor took a picture, on the monotonic clock."""
    taken_ns = facts.get("SensorTimestamp")
    # libcamera dates pictures on the clock that also runs while a machine sleeps.
    ahead_s = time.clock_gettime(time.CLOCK_BOOTTIME) - time.monotonic()
    return None if taken_ns is None else taken_ns / 1e9 - ahead_s


def hold_controls(facts: dict[str, Any]) -> dict[str, Any]:
    """Return the controls that keep a picture with these *facts* as it is.

    An exposure of several flickers becomes a whole number of them, and the gain makes
    up for the difference.
    """
    controls: dict[str, Any] = {}
    if "ExposureTime" in facts and "AnalogueGain" in facts:
        exposure_us, gain = int(facts["ExposureTime"]), float(facts["AnalogueGain"])
        even_us = max(1, round(exposure_us / FLICKER_US)) * FLICKER_US
        if exposure_us >= FLICKER_US / 2:
            # A gain below 1 does not exist: a short exposure must stay as it is.
            fits = exposure_us * gain / even_us >= 1.0
            gain = exposure_us * gain / even_us if fits else gain
            exposure_us = even_us if fits else exposure_us
        controls |= {"AeEnable": False, "ExposureTime": exposure_us}
        controls["AnalogueGain"] = gain
    if "ColourGains" in facts:
        controls |= {"AwbEnable": False, "ColourGains": tuple(facts["ColourGains"])}
    return controls


def _is_calm(before: dict[str, Any] | None, now: dict[str, Any], calm: float) -> bool:
    if before is None:
        return False
    return all(
        abs(one - other) <= calm * max(abs(one), 1e-9)
        for one, other in zip(_light(before), _light(now), strict=True)
    )


def _light(facts: dict[str, Any]) -> tuple[float, ...]:
    """Return brightness and colour gains of a picture; the same for one without."""
    exposure = float(facts.get("ExposureTime", 1)) * float(facts.get("AnalogueGain", 1))
    red, blue = facts.get("ColourGains", (1.0, 1.0))
    return exposure, float(red), float(blue)
