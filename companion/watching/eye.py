"""What whoever looks at a table has in common: a thread, the newest picture, its hooks.

Runs in a thread of its own; only puts readings into the table's inbox.
"""

import threading
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from msgspec import Struct, field

from companion.running.snapshot import Eye, Snapshot
from companion.table import LinePart, Reading
from vision.arrays import Picture
from vision.camera.evidence import Keep, encode_jpeg
from vision.camera.port import Frame

KEPT_PICTURES = 4
"""The pictures of the last two throws, each read twice where there was doubt."""

NOT_YET = "core.eye.not_yet"
"""A camera that could not be opened since the start; it is tried again all the time."""


class Hears(Protocol):
    """What a running table is to an eye."""

    @property
    def snapshot(self) -> Snapshot:
        """Return the newest snapshot."""

    def wait(self, version: int, timeout_s: float) -> Snapshot:
        """Return the newest snapshot once it is not *version* any more, or in time."""

    def hear(self, reading: Reading, seq: int | None = None) -> None:
        """Take a reading; *seq* drops it if the table has moved on since."""

    def notice_eye(self, eye: Eye) -> None:
        """Take note of how the camera is."""


class Witness(Protocol):
    """Notes what an eye does; each call returns at once and never raises."""

    def looked(self, picture: Picture, *, first: bool) -> None:
        """Note a picture of the table alone that was read."""

    def handed(self, version: int, taken_at: float) -> None:
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
    """What an eye serves beside the table.

    Attributes:
        steady: Keeps lamps that shine into the tray as they are during a reading.
        keep: Remembers the pictures that readings rest on; None where nobody keeps any.
        shown_to: Is shown every picture: whoever teaches the table a copy.
        pictures: The pictures of the last readings, for whoever teaches by them.
        witness: Notes what is read, so that it can be read again; None where nobody
            does.
    """

    steady: Callable[[], AbstractContextManager[None]] = nullcontext
    keep: Keep | None = None
    shown_to: Callable[[Frame], object] = bool
    pictures: RecentPictures = field(default_factory=RecentPictures)
    witness: Witness | None = None


NO_HOOKS = Hooks()


class Lookout:
    """A thread that looks; `latest` is the newest picture, for the page.

    Args:
        table: Who hears the readings.
        name: What the camera is called on the page.
        hooks: Whom it serves beside the table.
    """

    def __init__(self, table: Hears, name: str, hooks: Hooks = NO_HOOKS) -> None:
        self._table = table
        self._name = name
        self._hooks = hooks
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="lookout", daemon=True)
        self.latest: Frame | None = None

    def start(self) -> None:
        """Begin to look."""
        self._table.notice_eye(Eye(self._name))
        self._thread.start()

    def stop(self) -> None:
        """Stop looking; returns when the thread has ended."""
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
        eye = Eye(self._name, trouble, why)
        if self._table.snapshot.eye != eye:
            self._table.notice_eye(eye)

    def _run(self) -> None:
        # Each kind of camera looks in its own way; this class alone is never started.
        raise NotImplementedError
