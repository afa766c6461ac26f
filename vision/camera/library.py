"""Loads picamera2, or says what is wrong with it and what to do.

It is half Python and half what apt brings: a venv that does not see the system's
packages has no libcamera, and one whose numpy is newer than what simplejpeg was built
for cannot load it.
"""

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from vision.camera.port import CameraMissing

APT = Path("/usr/lib/python3/dist-packages/picamera2")
"""Where apt puts it, seen by this Python or not."""

_VENV = "make the venv with `python3 -m venv --system-site-packages`"

_OTHER_NUMPY = (
    "numpy.dtype size changed",
    "numpy.ufunc size changed",
    "binary incompatibility",
    "compiled using NumPy",
    "numpy.core.multiarray failed to import",
)
"""What extensions say that were built for another numpy.

Source: numpy, "Troubleshooting ImportError"; picamera2 issues 1211, 1170, 1088.
"""


class LibraryMissing(CameraMissing):
    """picamera2 cannot be used: *evidence* says why, *remedy* what to do.

    *installed* says whether it lies there all the same.
    """

    def __init__(self, evidence: str, remedy: str, *, installed: bool) -> None:
        super().__init__(f"{evidence}; {remedy}")
        self.evidence, self.remedy, self.installed = evidence, remedy, installed


def load_picamera2(
    load: Callable[[str], Any] = importlib.import_module, apt: Path = APT
) -> Any:
    """Return the library.

    Raises:
        LibraryMissing: It is not installed, or does not load.
    """
    try:
        return load("picamera2")
    except Exception as error:
        # Extensions raise what they like: ValueError for another numpy, OSError for a
        # shared object, AttributeError for another libcamera.
        raise _explain_failure(error, apt) from error


def camera_modules(library: Any) -> tuple[str, ...]:
    """Return the names of the camera modules that libcamera knows, without opening one.

    Raises:
        LibraryMissing: It cannot even list them.
    """
    try:
        found = library.Picamera2.global_camera_info()
        # A USB camera's id is its place on the bus: .../usb@0,0-1.3:1.0-046d:0825.
        modules = (one for one in found if "usb" not in str(one.get("Id", "")).lower())
        return tuple(str(one.get("Model", "a camera")) for one in modules)
    except Exception as error:
        raise LibraryMissing(
            f"picamera2 loads, but cannot list cameras: {_line(error)}",
            "run `rpicam-hello --list-cameras` and see what it says",
            installed=True,
        ) from error


def _explain_failure(error: Exception, apt: Path) -> LibraryMissing:
    missing = error.name if isinstance(error, ModuleNotFoundError) else None
    if missing == "picamera2":
        return _not_there(apt)
    said = _line(error)
    if missing is not None:
        return LibraryMissing(
            f"picamera2 is installed but does not load: {missing} is not there",
            "run `sudo apt install python3-picamera2`, as pip cannot install "
            f"libcamera, and {_VENV}",
            installed=True,
        )
    if any(sign in said for sign in _OTHER_NUMPY):
        return LibraryMissing(
            f"picamera2 is installed but does not load: {said}",
            'run `pip install --upgrade "simplejpeg>=1.8"` in the venv made with '
            "`--system-site-packages`, as the system's was built for another numpy",
            installed=True,
        )
    return LibraryMissing(
        f"picamera2 is installed but does not load: {said}",
        f"run `sudo apt install --reinstall python3-picamera2`, and {_VENV}",
        installed=True,
    )


def _not_there(apt: Path) -> LibraryMissing:
    if apt.exists():
        return LibraryMissing(
            f"picamera2 lies in {apt.parent}, but {sys.prefix} does not see it",
            f"{_VENV}, or run `sudo make pi-install`",
            installed=True,
        )
    return LibraryMissing(
        "picamera2 is not installed",
        f"on a Raspberry Pi run `sudo apt install python3-picamera2` and {_VENV}, "
        "elsewhere use --camera 0",
        installed=False,
    )


def _line(error: Exception) -> str:
    return " ".join(str(error).split()).rstrip(".") or type(error).__name__
