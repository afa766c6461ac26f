"""A USB camera through OpenCV, known by its name and not by its number.

Whoever pulls a plug and puts it back may find the camera under another number: the
kernel's names in ``/dev/v4l/by-id`` stay.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import cv2
import numpy as np

from vision.camera.device import DeviceFacts, StampedPicture
from vision.camera.port import CameraMissing

DEVICES = Path("/dev")

CLASSES = Path("/sys/class/video4linux")

WANTED = "MJPG"
"""Packed pictures. USB 2 carries 10 unpacked ones of 1280 x 720 a second, 30 packed."""

WANTED_FPS = 30

LEAST_FPS = 15
"""Fewer pictures, and a throw is seen late."""

Opener: TypeAlias = Callable[[str | int | Path], Any]


class UsbCameras:
    """Opens one USB camera, again and again, wherever it is plugged in.

    Args:
        wanted: A number as in ``/dev/video0``, or a path of a device.
        devices: Folder of the devices, ``/dev``.
        opener: Opens a path or a number; OpenCV's by default.
        size: Height and width that are asked for.
    """

    def __init__(
        self,
        wanted: int | Path,
        devices: Path = DEVICES,
        opener: Opener | None = None,
        size: tuple[int, int] = (720, 1280),
    ) -> None:
        self._wanted = wanted
        self._devices = devices
        self._opener = opener or _open_v4l
        self._size = size
        self.identity: Path | None = None

    def open(self) -> "UsbCamera":
        """Return the camera, opened.

        Once it was seen, the same camera is opened under whatever number it has now.

        Raises:
            CameraMissing: It is not plugged in, or does not answer.
        """
        path = self._path()
        if self.identity is None:
            self.identity = lasting_name(path, self._devices)
        if self.identity is not None:
            path = self.identity
        # Only Linux names its cameras there; elsewhere the number is all there is.
        if not path.exists() and sys.platform == "linux":
            raise CameraMissing(
                f"{path.name} is not plugged in; check its cable, or try another number"
            )
        target = str(path.resolve()) if path.exists() else self._wanted
        return UsbCamera(self._opener(target), path.name, self._size)

    def _path(self) -> Path:
        if isinstance(self._wanted, Path):
            return self._wanted
        return self._devices / f"video{self._wanted}"


def lasting_name(path: Path, devices: Path = DEVICES) -> Path | None:
    """Return the lasting name of the camera at *path*, None if it has none.

    By the name that its maker gave it; two of one make share that, so that the name of
    the plug comes second.
    """
    target = path.resolve()
    for kind in ("by-id", "by-path"):
        folder = devices / "v4l" / kind
        names = sorted(folder.iterdir()) if folder.is_dir() else []
        for name in names:
            if name.resolve() == target:
                return name
    return None


def list_webcams(devices: Path = DEVICES, classes: Path = CLASSES) -> tuple[str, ...]:
    """Return the numbers of the USB cameras that are plugged in, the lowest first.

    On a Pi most of ``/dev/video*`` are its decoders, and each camera has a second
    device that gives no pictures: the kernel knows which is what.
    """
    numbers = [path.name.removeprefix("video") for path in devices.glob("video*")]
    known = sorted((one for one in numbers if one.isdigit()), key=int)
    return tuple(one for one in known if _is_webcam(classes / f"video{one}"))


def _is_webcam(node: Path) -> bool:
    if not node.exists():
        return True  # a system that does not say
    try:
        index = (node / "index").read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        index = "0"
    bus = node / "device" / "subsystem"
    return index == "0" and (not bus.exists() or bus.resolve().name == "usb")


def fourcc_text(code: int) -> str:
    """Return the four letters of a format: ``"MJPG"``; ``"?"`` where none is given."""
    text = code.to_bytes(4, "little", signed=code < 0).decode("latin-1").strip("\0 ")
    return text if text.isprintable() and text else "?"


class UsbCamera:
    """A USB camera that is open; exposure and colours are its own affair."""

    def __init__(self, device: Any, name: str, size: tuple[int, int]) -> None:
        """Take an OpenCV capture.

        Raises:
            CameraMissing: It is not open.
        """
        self._device, self._name = device, name
        if not device.isOpened():
            device.release()
            raise CameraMissing(
                f"{name} does not answer; plug it in, or try another number"
            )
        # Format first: sizes and speeds are those of the format.
        device.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*WANTED))
        device.set(cv2.CAP_PROP_FRAME_HEIGHT, size[0])
        device.set(cv2.CAP_PROP_FRAME_WIDTH, size[1])
        device.set(cv2.CAP_PROP_FPS, WANTED_FPS)
        # One picture in the queue: an older one would show the table before the throw.
        device.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def shoot(self) -> StampedPicture:
        """Return the next picture, with the kernel's time of it.

        Raises:
            CameraMissing: There is none; it was unplugged.
        """
        got, picture = self._device.read()
        if not got or picture is None:
            raise CameraMissing(f"{self._name} gives no picture; check its cable")
        # V4L2 dates pictures on the clock of time.monotonic; 0 or less is no date.
        stamp_ms = float(self._device.get(cv2.CAP_PROP_POS_MSEC) or 0.0)
        stamp_s = stamp_ms / 1000 if stamp_ms > 0 else None
        return StampedPicture(np.asarray(picture, np.uint8), stamp_s)

    def adapt(self) -> None:
        """Do nothing: it adapts by itself."""

    def facts(self) -> DeviceFacts:
        """Return the mode that it gives, which may not be the one asked for.

        Its format fixes the order of colours, which nothing else proves.
        """
        width = int(self._device.get(cv2.CAP_PROP_FRAME_WIDTH) or 0)
        height = int(self._device.get(cv2.CAP_PROP_FRAME_HEIGHT) or 0)
        fps = float(self._device.get(cv2.CAP_PROP_FPS) or 0.0)
        format_ = fourcc_text(int(self._device.get(cv2.CAP_PROP_FOURCC) or 0))
        speed = f", {fps:.0f} pictures a second" if fps > 0 else ""
        mode = f"{format_}, {width}x{height}{speed}"
        return DeviceFacts(mode, slow=0 < fps < LEAST_FPS)

    def abandon(self) -> None:
        """Do nothing: OpenCV's camera stands only one thread at a time."""

    def close(self) -> None:
        """Release the device."""
        self._device.release()


def _open_v4l(target: str | int | Path) -> Any:
    # OpenCV waits ten seconds for a picture that never comes unless told otherwise.
    os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "2")
    if isinstance(target, str):
        return cv2.VideoCapture(target, cv2.CAP_V4L2)
    return cv2.VideoCapture(target)
