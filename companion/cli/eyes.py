"""Opens the camera that was asked for, with the reader behind it."""

import time
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from companion.boards import Boards
from companion.cli.errors import BadInput
from companion.demo import DrawnDice
from companion.live_lookout import LiveLookout
from companion.lookout import Lookout, RecordedLookout
from companion.ownership import Ownership
from companion.service import Table
from companion.table import Reading
from vision.camera_device import Device
from vision.camera_feed import Feed
from vision.camera_library import load_picamera2
from vision.camera_pi import PiCamera
from vision.camera_usb import UsbCameras
from vision.cameras import CameraMissing, FolderCamera, Frame
from vision.reader import Awaited, Reader
from vision.rig.kept import RigUnreadable, kept_rig
from vision.rig.reading import MatReader
from vision.settle import SettleRules


def open_eye(
    camera: str | None,
    table: Table,
    own: Ownership,
    seed: int = 0,
    rig: Path | None = None,
) -> Lookout | None:
    """Return who looks at the table, not yet looking; None without a camera.

    Args:
        camera: ``pi``, a webcam's number or its path in ``/dev``, ``drawn``, or a
            folder of pictures. A live one may be plugged in later. ``none`` is what
            the service's settings say for a table without one.
        table: Who hears the readings.
        own: The dice that the owner of the table has taught.
        seed: What the drawn dice show.
        rig: File with what ``calibrate --save`` kept of this camera, if it is there.

    Raises:
        BadInput: There is no such camera, or the file holds no rig.
    """
    if camera in (None, "", "none"):
        return None
    read = _reads(table, own)
    try:
        known = kept_rig(rig) if rig is not None and rig.exists() else None
    except RigUnreadable as error:
        raise BadInput(str(error)) from error
    try:
        if camera == "drawn":
            return RecordedLookout(table, camera, read, DrawnDice(seed, time.monotonic))
        feed = _live(camera)
        if feed is not None:
            look = MatReader(read, known)
            live = LiveLookout(table, camera, look, feed.start(), SettleRules())
            live.board = Boards(table, camera, own, look)
            live.is_stuck = lambda: feed.is_stuck
            return live
        folder = FolderCamera(Path(camera), clock=time.monotonic)
        return RecordedLookout(table, camera, read, folder)
    except CameraMissing as error:
        raise BadInput(str(error)) from error


def _reads(table: Table, own: Ownership) -> Callable[[Frame], Reading]:
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
    return Feed(name, opens, time.monotonic)


def device(camera: str) -> Callable[[], Device] | None:
    """Return what opens a live camera, None where a folder was meant.

    Raises:
        CameraMissing: The software for it is not there; a camera that is not there may
            still be plugged in.
    """
    if camera == "pi":
        load_picamera2()
        return PiCamera
    if camera.isdigit():
        return UsbCameras(int(camera)).open
    if Path(camera).is_char_device():
        return UsbCameras(Path(camera)).open
    return None
