"""A Raspberry Pi's camera module through picamera2, exposure and colours held still.

A camera that keeps adapting makes a white die grey while a hand passes. So it adapts
for a moment, and then stays as it is until the light of the room changes.
"""

import importlib
import logging
import time
from typing import Any

import cv2
import numpy as np
from msgspec import Struct

from vision.arrays import Picture
from vision.camera_device import Shot
from vision.camera_holds import IN_THIS_PROGRAM, CameraHeld, Holds
from vision.cameras import CameraMissing

logger = logging.getLogger(__name__)

SIZE = (1296, 2304)
"""Height and width: the half resolution of Camera Module 3, which it gives quickest."""

FLICKER_US = 10_000
"""Lamps on 50 Hz mains flicker a hundred times a second: a whole number of flickers in
each picture makes them all equally bright."""

PICTURE_S = 2.0
"""A picture that takes longer will not come any more."""


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
    """A camera module that is open; implements `vision.camera_device.Device`."""

    def __init__(
        self,
        size: tuple[int, int] = SIZE,
        warm_up: WarmUp | None = None,
        number: int = 0,
        holds: Holds = IN_THIS_PROGRAM,
    ) -> None:
        """Start the camera, let it adapt, and hold it still.

        Args:
            size: Height and width of its pictures.
            warm_up: How it adapts.
            number: Which camera, where a Pi has two.
            holds: What this program holds of the Pi's cameras.

        Raises:
            CameraMissing: picamera2 is not installed, finds no camera, or the camera
                is in use or gives no picture.
            CameraHeld: It is in use by this program: its driver hangs.
        """
        library = load_picamera2()
        self._warm_up = warm_up or WarmUp()
        self._holds = holds
        holds.release_all()
        with holds.opening() as hold:
            self._device = hold.device = self._opened(library, number)
        try:
            self._start(size)
            self.adapt()
        except BaseException:
            self.close()
            raise

    def shoot(self) -> Shot:
        """Return the next picture and when the sensor took it.

        Raises:
            CameraMissing: None came in time.
        """
        picture, facts = self._capture()
        taken_ns = facts.get("SensorTimestamp")
        # libcamera dates pictures on the clock that also runs while a machine sleeps.
        ahead_s = time.clock_gettime(time.CLOCK_BOOTTIME) - time.monotonic()
        stamp_s = None if taken_ns is None else taken_ns / 1e9 - ahead_s
        return Shot(picture, stamp_s)

    def adapt(self) -> None:
        """Let exposure, colours and focus find themselves, then hold them still."""
        self._set({"AeEnable": True, "AwbEnable": True})
        self._focus()
        calm, before = 0, None
        for taken in range(self._warm_up.most):
            _, facts = self._capture()
            calm = calm + 1 if _is_calm(before, facts, self._warm_up.calm) else 0
            before = facts
            if taken + 1 >= self._warm_up.least and calm >= self._warm_up.in_a_row:
                break
        if before is not None:
            self._set(held(before))

    def close(self) -> None:
        """Let go of the camera; one whose driver hangs is left behind."""
        if not self._holds.release(self._device):
            logger.warning("the Pi camera's driver does not let go of it")

    def _opened(self, library: Any, number: int) -> Any:
        try:
            return library.Picamera2(number)
        except (IndexError, RuntimeError) as error:
            if len(self._holds) > 1:  # more than the attempt itself
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
        return as_bgr(array, self._format, self._size), facts

    def _focus(self) -> None:
        if "AfMode" not in self._device.camera_controls:
            return  # a lens that is turned by hand
        # 1 is AfModeEnum.Auto, 0 AfTriggerEnum.Start: one search, then it stays.
        self._set({"AfMode": 1, "AfTrigger": 0})

    def _set(self, controls: dict[str, Any]) -> None:
        known = self._device.camera_controls
        wanted = {name: value for name, value in controls.items() if name in known}
        if wanted:
            self._device.set_controls(wanted)


def load_picamera2() -> Any:
    """Return the library.

    Raises:
        CameraMissing: It is not installed, with what to do.
    """
    try:
        return importlib.import_module("picamera2")
    except (ImportError, ValueError) as error:
        # ValueError: a numpy that is newer than the one simplejpeg was built for.
        raise CameraMissing(
            "picamera2 is not installed; on a Raspberry Pi run "
            "'sudo apt install python3-picamera2', elsewhere use --camera 0"
        ) from error


def held(facts: dict[str, Any]) -> dict[str, Any]:
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


def as_bgr(array: Any, format_: str, size: tuple[int, int]) -> Picture:
    """Return libcamera's pixels as ``(h, w, 3)``, uint8, BGR.

    Args:
        array: What picamera2 made of the stream.
        format_: The format that the stream truly has, which may not be the one that
            was asked for.
        size: Height and width of the picture.

    Raises:
        CameraMissing: We do not know the format.

    Source: Picamera2 manual, appendix A: names go from the high byte to the low one.
    """
    height, width = size
    pixels = np.asarray(array, np.uint8)
    if format_ in ("RGB888", "XRGB8888"):
        return np.ascontiguousarray(pixels[:height, :width, :3])
    if format_ in ("BGR888", "XBGR8888"):
        return np.ascontiguousarray(pixels[:height, :width, 2::-1])
    if format_ == "NV12":
        return _from_nv12(pixels, height, width)
    raise CameraMissing(
        f"the camera gives {format_} pictures, which are not known here; "
        "try a webcam with --camera 0"
    )


def _from_nv12(pixels: Picture, height: int, width: int) -> Picture:
    """Return BGR of a plane of light and one of colour at half its size.

    Full range: what libcamera's virtual camera gives, whatever its colour space says.
    OpenCV's own conversion takes video range and turns (40, 90, 20) into (28, 85, 5).
    """
    light = pixels[:height, :width]
    half = pixels[height : height + height // 2, :width].reshape(
        height // 2, width // 2, 2
    )
    colour = cv2.resize(half, (width, height), interpolation=cv2.INTER_NEAREST)
    # Cb comes first in NV12, Cr in OpenCV.
    whole = np.dstack([light, colour[..., 1], colour[..., 0]])
    return np.asarray(cv2.cvtColor(whole, cv2.COLOR_YCrCb2BGR), np.uint8)
