"""Opens the camera that was asked for, with the reader behind it."""

import importlib
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from companion.cli.errors import BadInput
from companion.games.copy import Kind
from companion.kits.curriculum import course
from companion.kits.own_dice import LearnedKits
from companion.running.missing import MissingParts
from companion.running.service import Table
from companion.story.log import Story
from companion.table import LinePart, Reading
from companion.watching.awaited_watcher import AwaitedWatcher
from companion.watching.for_game import BoardWatchers
from companion.watching.live_tray_watcher import LiveTrayWatcher
from companion.watching.plain_dice import read_plain_dice
from companion.watching.still_reader import OwnDiceReader
from companion.watching.tray_watcher import RecordedTrayWatcher
from companion.watching.watcher import NO_HOOKS, Hooks, WatchedTable, Watcher
from companion.words.said import say
from vision.camera.device import CameraDevice
from vision.camera.feed import Feed
from vision.camera.folder import MOST_FPS, STILLS, LiveFolder
from vision.camera.library import load_picamera2
from vision.camera.pi import PiCamera
from vision.camera.port import Camera, FolderCamera, Frame
from vision.camera.stillness import StillnessLimits
from vision.camera.stills import Stills
from vision.camera.usb import UsbCameras
from vision.mat.order import swaps_red_and_blue
from vision.mat.pose import Rig, camera_mm
from vision.mat.reading import MatReader
from vision.mat.rig_file import RigUnreadable, load_rig
from vision.reader import Reader

DEVICES = Path("/dev")

NO_CAMERA = (None, "", "none")
"""What stands for a table without a camera."""

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
    pictures_a_second: float | None = None,
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
        pictures_a_second: How fast a folder's pictures are shown that is a live camera;
            None for one whose pictures are asked for, one for each reading.
    """
    if camera in NO_CAMERA:
        return None
    known = _known_rig(rig, missing)
    make = partial(_watcher, camera, table, own, known, seed, hooks, pictures_a_second)
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
    pictures_a_second: float | None,
) -> Watcher:
    """Return what watches the table by a camera.

    Raises:
        CameraMissing: There is no such folder, or no picture in it.
    """
    if camera == "drawn":
        # A table with a camera need not load what draws one.
        from companion.demo.drawn_dice import DrawnDice

        dice = DrawnDice(seed, time.monotonic)
        return RecordedTrayWatcher(
            table, camera, _reads(table, own, hooks.stills), dice, hooks
        )
    feed = _live(camera, pictures_a_second, known)
    if feed is not None:
        hooks.stills.serve(feed.still)
        return live_watcher(
            table, camera, own, known, feed.start(), hooks, lambda: feed.is_stuck
        )
    folder = FolderCamera(Path(camera), clock=time.monotonic)
    return RecordedTrayWatcher(
        table, camera, _reads(table, own, hooks.stills), folder, hooks
    )


def live_watcher(
    table: WatchedTable,
    name: str,
    own: LearnedKits,
    known: Rig | None,
    camera: Camera,
    hooks: Hooks = NO_HOOKS,
    is_stuck: Callable[[], bool] = lambda: False,
) -> LiveTrayWatcher:
    """Return what watches dice and board by a live camera that gives pictures."""
    look = MatReader(_reads(table, own, hooks.stills), known)
    board = BoardWatchers(table, name, own, look, hooks)
    return LiveTrayWatcher(
        table, name, look, camera, StillnessLimits(), board, hooks, is_stuck
    )


def _reads(
    table: WatchedTable, own: LearnedKits, stills: Stills
) -> Callable[[Frame], Reading]:
    """Return what reads a frame: the owner's dice, and an ordinary one in their place.

    The owner's are read in a still where they were taught in some; the mat below them
    and an ordinary die are seen by the video.

    How many ordinary dice lie there is left open: a second one is asked about. Where a
    box has none, none is looked for: that was half the work of 8 Dragons.
    """
    reader, dice = Reader(), OwnDiceReader(own, stills)

    def read(frame: Frame) -> Reading:
        story = table.snapshot.story
        if story is not None and _has_no_dice(story):
            return Reading((), taken_at=frame.taken_at, position=frame.position)
        taught = None
        if story is not None:
            taught = dice.read(story.header.kit, frame)
        if taught is not None and story is not None and not story.header.meanings:
            return replace(taught, taken_at=frame.taken_at)
        tray = None if story is None else own.spaces(story.header.kit).tray
        plain = read_plain_dice(reader, frame, tray)
        if taught is None:
            return plain
        # An ordinary die still stands in for one that was not taught.
        return replace(
            plain,
            glimpses=plain.glimpses + taught.glimpses,
            choices=plain.choices + taught.choices,
        )

    return read


def _has_no_dice(story: Story) -> bool:
    """Tell whether an owner would be led through the pieces of a box, but no dice."""
    items = course(story.game.id, story.header.box).items
    kinds = {item.kind for item in items}
    return bool(kinds) and not kinds & {Kind.DIE, Kind.COLOUR}


def _live(
    camera: str, pictures_a_second: float | None, known: Rig | None
) -> Feed | None:
    """Return the feed of a live camera, None where a recorded folder was meant."""
    opens = device(camera, pictures_a_second, _height_mm(known))
    if opens is None:
        return None
    names = {"pi": "pi camera"}
    name = f"webcam {camera}" if camera.isdigit() else names.get(camera, camera)
    health = None if pictures_a_second is None else STILLS
    return Feed(name, opens, time.monotonic, health=health, patches=swaps_red_and_blue)


def measured_height_mm(rig: Path) -> float | None:
    """Return how high ``calibrate --save`` measured the lens; None where it did not.

    That a file cannot be read is said by whoever needs more of it than this.
    """
    try:
        return _height_mm(load_rig(rig) if rig.exists() else None)
    except (RigUnreadable, OSError):
        return None


def _height_mm(known: Rig | None) -> float | None:
    """Return how high a lens was measured; None where it was not, or cannot hang so."""
    height_mm = None if known is None else camera_mm(known)[2]
    return height_mm if height_mm is not None and 50 < height_mm < 5_000 else None


def check_pace(camera: str | None, pictures_a_second: float | None) -> None:
    """See that only a folder is told how fast to show its pictures, and a fair speed.

    Raises:
        BadInput: One line of what to write instead.
    """
    if pictures_a_second is None:
        return
    if camera in (*NO_CAMERA, "drawn") or device(str(camera)) is not None:
        raise BadInput(say("terminal.pace_folder"))
    # Written so that a speed that is no number is refused too.
    if not 0 < pictures_a_second <= MOST_FPS:
        pace, most = f"{pictures_a_second:g}", f"{MOST_FPS:g}"
        raise BadInput(say("terminal.pace", pace=pace, most=most))


def device(
    camera: str,
    pictures_a_second: float | None = None,
    height_mm: float | None = None,
) -> Callable[[], CameraDevice] | None:
    """Return what opens a live camera, None where a recorded folder was meant.

    Its software may be missing and it may not be plugged in: opening it tells.

    Args:
        camera: As for `open_watcher`.
        pictures_a_second: As for `open_watcher`.
        height_mm: Of the lens above the table, where it was measured: a Pi's camera is
            focused by it, and searches only where it is not known.
    """
    if camera == "pi":
        return PiSoftware(time.monotonic, height_mm).open
    if camera.isdigit():
        return UsbCameras(int(camera)).open
    if DEVICES in Path(camera).parents and not Path(camera).is_dir():
        return UsbCameras(Path(camera)).open
    if pictures_a_second is not None:
        return LiveFolder(Path(camera), pictures_a_second, time.monotonic).open
    return None


class PiSoftware:
    """Opens the Pi's camera; software that does not load is not tried all the time."""

    def __init__(
        self, clock: Callable[[], float], height_mm: float | None = None
    ) -> None:
        self._clock = clock
        self._height_mm = height_mm
        self._failed: tuple[float, Exception] | None = None

    def open(self) -> CameraDevice:
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
        return PiCamera(height_mm=self._height_mm)
