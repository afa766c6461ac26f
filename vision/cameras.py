"""Cameras as one port: a folder of pictures, a webcam and the Pi's own camera.

A camera hands over pictures and never reads them.
"""

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
from msgspec import Struct

from vision.arrays import Picture
from vision.pictures import PictureUnreadable, VisionError, open_picture

PICTURE_ENDINGS = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp"})


class CameraMissing(VisionError, OSError):
    """There is no such camera, or it gives no pictures."""


class Frame(Struct, frozen=True):
    """One picture of the table.

    Attributes:
        picture: ``(h, w, 3)``, uint8, BGR; None when it could not be opened.
        taken_at: Seconds on the clock that the camera was given.
        position: Number of the picture in a recorded camera, None for a live one.
        name: What the picture is called, for the log.
        trouble: One line of why there is no picture.
    """

    picture: Picture | None
    taken_at: float
    position: int | None
    name: str
    trouble: str | None = None


class Camera(Protocol):
    """Anything that pictures of the table come from."""

    def read(self) -> Frame | None:
        """Return the next picture, or None when there will be no more."""

    def close(self) -> None:
        """Let go of the device."""


class FolderCamera:
    """Pictures of a folder in name order, one for each reading that is awaited.

    Attributes:
        position: Number of the picture that comes next; kept with a game, it makes a
            restart go on where it was.
    """

    def __init__(
        self, folder: Path, position: int = 0, clock: Callable[[], float] = lambda: 0.0
    ) -> None:
        """List the folder.

        Raises:
            CameraMissing: No such folder, or no picture in it.
        """
        if not folder.is_dir():
            raise CameraMissing(f"{folder} is no folder; give one with pictures in it")
        self._paths = tuple(
            path
            for path in sorted(folder.iterdir())
            if path.suffix.lower() in PICTURE_ENDINGS and not path.name.startswith(".")
        )
        if not self._paths:
            endings = ", ".join(sorted(PICTURE_ENDINGS))
            raise CameraMissing(f"{folder} holds no pictures; put some in ({endings})")
        self._clock = clock
        self.position = max(0, position)

    @property
    def exhausted(self) -> bool:
        """Whether all pictures have been handed over."""
        return self.position >= len(self._paths)

    def read(self) -> Frame | None:
        """Return the next picture, or None after the last one.

        A file that cannot be opened becomes a frame with a trouble: the game goes on
        and asks.
        """
        if self.exhausted:
            return None
        number, path = self.position, self._paths[self.position]
        self.position += 1
        try:
            picture = open_picture(path).picture
        except PictureUnreadable as error:
            return Frame(None, self._clock(), number, path.name, str(error))
        return Frame(picture, self._clock(), number, path.name)

    def close(self) -> None:
        """Do nothing: a folder needs no closing."""


class WebcamCamera:
    """A USB camera, through OpenCV."""

    def __init__(
        self,
        number: int,
        clock: Callable[[], float],
        size: tuple[int, int] = (720, 1280),
        opener: Callable[[int], Any] = cv2.VideoCapture,
    ) -> None:
        """Open the camera; *size* is the height and width that are asked for.

        Raises:
            CameraMissing: There is no camera with this number.
        """
        self._device, self._clock, self._name = (
            opener(number),
            clock,
            f"webcam {number}",
        )
        if not self._device.isOpened():
            raise CameraMissing(
                f"{self._name} does not answer; plug it in, or try another number"
            )
        self._device.set(cv2.CAP_PROP_FRAME_HEIGHT, size[0])
        self._device.set(cv2.CAP_PROP_FRAME_WIDTH, size[1])
        # One picture in the queue: an older one would show the table before the throw.
        self._device.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def read(self) -> Frame | None:
        """Return the newest picture, with a trouble when the camera gave none."""
        got, picture = self._device.read()
        if not got or picture is None:
            trouble = f"{self._name} gives no picture; check its cable"
            return Frame(None, self._clock(), None, self._name, trouble)
        return Frame(np.asarray(picture, np.uint8), self._clock(), None, self._name)

    def close(self) -> None:
        """Release the device."""
        self._device.release()


class PiCamera:
    """A Raspberry Pi camera module, through picamera2."""

    def __init__(
        self, clock: Callable[[], float], size: tuple[int, int] = (1296, 2304)
    ) -> None:
        """Start the camera; *size* is height and width.

        Raises:
            CameraMissing: picamera2 is not installed or finds no camera.
        """
        try:
            library = importlib.import_module("picamera2")
        except ImportError as error:
            raise CameraMissing(
                "picamera2 is not installed; on a Raspberry Pi run "
                "'sudo apt install python3-picamera2', elsewhere use --camera 0"
            ) from error
        try:
            self._device = library.Picamera2()
        except (IndexError, RuntimeError) as error:
            raise CameraMissing(
                "no Pi camera answers; check its ribbon cable and 'rpicam-hello'"
            ) from error
        # libcamera names bytes from the top of a word: its RGB888 is BGR in memory.
        main = {"size": size[::-1], "format": "RGB888"}
        self._device.configure(self._device.create_video_configuration(main=main))
        self._device.start()
        self._clock = clock

    def read(self) -> Frame | None:
        """Return the newest picture."""
        picture = np.asarray(self._device.capture_array("main"), np.uint8)
        return Frame(picture, self._clock(), None, "pi camera")

    def close(self) -> None:
        """Stop the camera."""
        self._device.stop()
        self._device.close()
