"""Opens the camera that was asked for, with the reader behind it."""

import importlib
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from companion.demo.drawn_dice import DrawnDice
from companion.kits.own_dice import LearnedKits
from companion.running.missing import MissingParts
from companion.running.service import Table
from companion.table import LinePart, Reading
from companion.watching.awaited_watcher import AwaitedWatcher
from companion.watching.for_game import BoardWatchers
from companion.watching.live_tray_watcher import LiveTrayWatcher
from companion.watching.tray_watcher import RecordedTrayWatcher
from companion.watching.watcher import NO_HOOKS, Hooks, Watcher
from vision.camera.device import Device
from vision.camera.feed import Feed
from vision.camera.library import load_picamera2
from vision.camera.pi import PiCamera
from vision.camera.port import FolderCamera, Frame
from vision.camera.stillness import StillnessLimits
from vision.camera.usb import UsbCameras
from vision.mat.order import swaps_red_and_blue
from vision.mat.pose import Rig
from vision.mat.reading import MatReader
from vision.mat.rig_file import RigUnreadable, load_rig
from vision.reader import Awaited, Reader

DEVICES = Path("/dev")

SOFTWARE_S = 30.0
"""Between two tries to load picamera2: where it does not load nobody mends it sooner,
and trying takes a Pi half a second."""


def open_watcher(
    camera: str | None,
    table: Table,
    own: LearnedKits,
    missing: MissingParts,
    seed: int = 0,
    rig: Path | None = None,
    hooks: Hooks = NO_HOOKS,
) -> Watcher | None:
    """Return what watches the table, not yet started; None without a camera.

    A camera that is not there, or cannot be opened, is tried again while the table
    runs.

    Args:
        camera: ``pi``, a webcam's number or its path in ``/dev``, ``drawn``, or a
            folder of pictures. ``none`` is what the service's settings say for a table
            without one.
        table: The running table, which takes the readings.
        own: The dice that the owner of the table has taught.
        missing: Takes note of a rig that cannot be read.
        seed: What the drawn dice show.
        rig: File with what ``calibrate --save`` kept of this camera, if it is there.
        hooks: What the watcher serves beside the table.
    """
    if camera in (None, "", "none"):
        return None
    known = _known_rig(rig, missing)
    make = partial(_watcher, camera, table, own, known, seed, hooks)
    try:
        return make()
    except Exception:  # noqa: BLE001
        # Whatever it is, it is said as soon as it was tried again.
        return AwaitedWatcher(table, camera, make)


def _known_rig(path: Path | None, missing: MissingParts) -> Rig | None:
    """Return the rig that was kept; None where there is none, or none to be read."""
    try:
        return load_rig(path) if path is not None and path.exists() else None
    except (RigUnreadable, OSError) as error:
        missing.note("rig", LinePart("core.missing.rig"), error)
        return None


def _watcher(
    camera: str,
    table: Table,
    own: LearnedKits,
    known: Rig | None,
    seed: int,
    hooks: Hooks,
) -> Watcher:
    """Return what watches the table by a camera.

    Raises:
        CameraMissing: There is no such folder, or no picture in it.
    """
    read = _reads(table, own)
    if camera == "drawn":
        dice = DrawnDice(seed, time.monotonic)
        return RecordedTrayWatcher(table, camera, read, dice, hooks)
    feed = _live(camera)
    if feed is not None:
        look = MatReader(read, known)
        board = BoardWatchers(table, camera, own, look, hooks)
        return LiveTrayWatcher(
            table, camera, look, feed.start(), StillnessLimits(), board, hooks,
            lambda: feed.is_stuck,
        )  # fmt: skip
    folder = FolderCamera(Path(camera), clock=time.monotonic)
    return RecordedTrayWatcher(table, camera, read, folder, hooks)


def _reads(table: Table, own: LearnedKits) -> Callable[[Frame], Reading]:
    """Return what reads a frame: the owner's dice, and an ordinary one in their place.

    How many ordinary dice lie there is left open: a second one is asked about.
    """
    reader = Reader()

    def read(frame: Frame) -> Reading:
        story = table.snapshot.story
        taught = None
        if story is not None and frame.picture is not None:
            taught = own.read(story.header.kit, frame.picture)
        if taught is not None and story is not None and not story.header.meanings:
            return replace(taught, taken_at=frame.taken_at)
        plain = reader.read_frame(frame, Awaited())
        if taught is None:
            return plain
        # An ordinary die still stands in for one that was not taught.
        return replace(
            plain,
            glimpses=plain.glimpses + taught.glimpses,
            choices=plain.choices + taught.choices,
        )

    return read


def _live(camera: str) -> Feed | None:
    """Return the feed of a live camera, None where a folder was meant."""
    opens = device(camera)
    if opens is None:
        return None
    names = {"pi": "pi camera"}
    name = f"webcam {camera}" if camera.isdigit() else names.get(camera, camera)
    return Feed(name, opens, time.monotonic, patches=swaps_red_and_blue)


def device(camera: str) -> Callable[[], Device] | None:
    """Return what opens a live camera, None where a folder was meant.

    Its software may be missing and it may not be plugged in: opening it tells.
    """
    if camera == "pi":
        return PiSoftware(time.monotonic).open
    if camera.isdigit():
        return UsbCameras(int(camera)).open
    if DEVICES in Path(camera).parents and not Path(camera).is_dir():
        return UsbCameras(Path(camera)).open
    return None


class PiSoftware:
    """Opens the Pi's camera; software that does not load is not tried all the time."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._failed: tuple[float, Exception] | None = None

    def open(self) -> Device:
        """Return the camera, opened.

        Raises:
            Exception: It is not there, or its software does not load, however it does.
        """
        if self._failed is not None and self._clock() - self._failed[0] < SOFTWARE_S:
            raise self._failed[1].with_traceback(None)
        try:
            # What was installed meanwhile is found.
            importlib.invalidate_caches()
            load_picamera2()
        except Exception as error:
            self._failed = self._clock(), error
            raise
        self._failed = None
        return PiCamera()
