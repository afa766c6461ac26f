"""What all watchers have in common: a thread, the newest picture, their hooks.

A watcher reads the camera's pictures and puts readings into the table's inbox.
"""

import threading
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from msgspec import Struct, field

from companion.running.snapshot import CameraStatus, Snapshot
from companion.table import LinePart, Reading
from vision.arrays import Picture
from vision.camera.evidence import Keep, encode_jpeg
from vision.camera.port import Frame
from vision.camera.stills import Stills

KEPT_PICTURES = 4
"""The pictures of the last two throws, each read twice where there was doubt."""

NOT_YET = "core.eye.not_yet"
"""A camera that could not be opened since the start; it is tried again all the time."""


class WatchedTable(Protocol):
    """The part of a running table that a watcher uses."""

    @property
    def snapshot(self) -> Snapshot:
        """Return the newest snapshot."""

    def wait(self, version: int, timeout_s: float) -> Snapshot:
        """Return the newest snapshot once it is not *version* any more, or in time."""

    def hear(self, reading: Reading, seq: int | None = None) -> None:
        """Take a reading; *seq* drops it if the table has moved on since."""

    def notice_camera(self, status: CameraStatus) -> None:
        """Take note of how the camera is."""


class LookWitness(Protocol):
    """Notes what a watcher does; each call returns at once and never raises."""

    def note_picture(self, picture: Picture, *, first: bool) -> None:
        """Note a picture of the table alone that was read."""

    def note_handed_over(self, version: int, taken_at: float) -> None:
        """Note that what was read was held against a snapshot."""


class RecentPictures:
    """The pictures of the last readings: people may teach the table by them.

    Safe in any thread.
    """

    def __init__(self) -> None:
        self._frames: deque[Frame] = deque(maxlen=KEPT_PICTURES)

    def add(self, frame: Frame) -> None:
        """Keep the picture of a reading; the oldest is dropped."""
        self._frames.append(frame)

    def taken_at(self, at_s: float) -> Picture | None:
        """Return the picture of a reading, None when it is kept no more."""
        kept = {frame.taken_at: frame.picture for frame in list(self._frames)}
        return kept.get(at_s)


class Hooks(Struct, frozen=True):
    """What a watcher serves beside the table.

    Attributes:
        steady: Keeps lamps that shine into the tray as they are during a reading.
        keep: Remembers the pictures that readings rest on; None where nobody keeps any.
        shown_to: Called with every picture: the lesson, while a copy is taught.
        pictures: The pictures of the last readings, to teach the table by them.
        stills: Gives pictures of a table at rest in full resolution, where the camera
            takes some and what was taught asks for them.
        witness: Notes what is read, so that it can be read again; None where nobody
            does.
    """

    steady: Callable[[], AbstractContextManager[None]] = nullcontext
    keep: Keep | None = None
    shown_to: Callable[[Frame], object] = bool
    pictures: RecentPictures = field(default_factory=RecentPictures)
    stills: Stills = field(default_factory=Stills)
    witness: LookWitness | None = None


NO_HOOKS = Hooks()


class Watcher:
    """A thread that watches; `latest` is the newest picture, for the page.

    Args:
        table: The running table, which takes the readings.
        name: What the camera is called on the page.
        hooks: What it serves beside the table.
    """

    def __init__(self, table: WatchedTable, name: str, hooks: Hooks = NO_HOOKS) -> None:
        self._table = table
        self._name = name
        self._hooks = hooks
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watcher", daemon=True)
        self.latest: Frame | None = None

    def start(self) -> None:
        """Start the thread."""
        self._table.notice_camera(CameraStatus(self._name))
        self._thread.start()

    def stop(self) -> None:
        """Stop, and return when the thread has ended."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def jpeg(self) -> bytes | None:
        """Return the newest picture as JPEG, None before there is one."""
        frame = self.latest
        return (
            None
            if frame is None or frame.picture is None
            else encode_jpeg(frame.picture)
        )

    @property
    def is_stuck(self) -> bool:
        """Tell whether only the end of the program gives the camera back."""
        return False

    def _say(self, trouble: LinePart | None, why: str | None = None) -> None:
        status = CameraStatus(self._name, trouble, why)
        if self._table.snapshot.camera != status:
            self._table.notice_camera(status)

    def _run(self) -> None:
        # Each kind of camera looks in its own way; this class alone is never started.
        raise NotImplementedError
