"""Looks at the table while a reading is awaited, and hands over what it sees.

Runs in a thread of its own; only puts readings into the table's inbox. A recorded
camera gives one picture for each reading that is awaited; `live_lookout` reads a live
one whenever the table has come to rest.
"""

import logging
import threading
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from msgspec.structs import replace

from companion.referee.referee import awaited
from companion.running.snapshot import Eye, Snapshot
from companion.story.log import Story
from companion.table import LinePart, Reading
from vision.arrays import Picture
from vision.camera.evidence import Framing, Keep, as_jpeg, illustrate
from vision.camera.port import Frame

logger = logging.getLogger(__name__)

LOOK_S = 0.5
"""How long a lookout waits for news before it checks whether it should stop."""

KEPT_PICTURES = 4

NOT_YET = "core.eye.not_yet"
"""A camera that could not be opened since the start; it is tried again all the time."""


class RecordedCamera(Protocol):
    """A camera whose pictures have numbers and can be asked for again."""

    position: int

    def read(self) -> Frame | None:
        """Return the next picture, or None when there will be no more."""

    def close(self) -> None:
        """Let go of it."""


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


class Lookout:
    """A thread that looks; `latest` is the newest picture, for the page.

    Args:
        table: Who hears the readings.
        name: What the camera is called on the page.
    """

    # Keeps lamps that shine into the tray as they are while a picture is read.
    steady: Callable[[], AbstractContextManager[None]] = staticmethod(nullcontext)
    # Remembers the pictures that readings rest on; None where nobody keeps any.
    keep: Keep | None = None

    # Is shown every picture: whoever teaches the table a copy.
    shown_to: Callable[[Frame], object] = staticmethod(bool)

    # Tells whether only the end of the program gives the camera back.
    is_stuck: Callable[[], bool] = staticmethod(lambda: False)

    def __init__(self, table: Hears, name: str) -> None:
        self._table = table
        self._name = name
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
            None if frame is None or frame.picture is None else as_jpeg(frame.picture)
        )

    def _say(self, trouble: LinePart | None, why: str | None = None) -> None:
        eye = Eye(self._name, trouble, why)
        if self._table.snapshot.eye != eye:
            self._table.notice_eye(eye)

    def _run(self) -> None:
        # Each kind of camera looks in its own way; this class alone is never started.
        raise NotImplementedError


class DiceLookout(Lookout):
    """A lookout that reads the tray alone; *read* reads one frame."""

    def __init__(
        self, table: Hears, name: str, read: Callable[[Frame], Reading]
    ) -> None:
        super().__init__(table, name)
        self._read = read
        # The pictures of the last two throws: people may teach the table by them.
        self._pictures: deque[Frame] = deque(maxlen=KEPT_PICTURES)

    def picture_of(self, taken_at: float) -> Picture | None:
        """Return the picture of a reading, None when it is kept no more."""
        kept = {frame.taken_at: frame.picture for frame in list(self._pictures)}
        return kept.get(taken_at)

    def _look(self, frame: Frame) -> Reading:
        """Read a frame; one that could not be opened is a reading with trouble."""
        if frame.picture is None:
            return _trouble(frame)
        self.latest = frame
        self._pictures.append(frame)
        try:
            with self.steady():
                reading = self._read(frame)
        except Exception:
            # A fault of the reader must not end the game: the throw is asked for, and
            # the log has the trace and the picture's name.
            logger.exception("the picture %s could not be read", frame.name)
            return _trouble(frame)
        reading = replace(reading, taken_at=frame.taken_at, position=frame.position)
        if self.keep is not None:
            # Where the tray ends nobody has told: a die and what is close around it.
            return illustrate(reading, frame.picture, self.keep, Framing())
        named = tuple(replace(g, evidence_id=frame.name) for g in reading.glimpses)
        return replace(reading, glimpses=named)


def _trouble(frame: Frame) -> Reading:
    return Reading(
        (),
        taken_at=frame.taken_at,
        position=frame.position,
        trouble="core.ask.no_picture",
    )


class RecordedLookout(DiceLookout):
    """Takes one picture for each reading that is awaited, where the game left off."""

    def __init__(
        self,
        table: Hears,
        name: str,
        read: Callable[[Frame], Reading],
        camera: RecordedCamera,
    ) -> None:
        super().__init__(table, name, read)
        self._camera = camera

    def _run(self) -> None:
        version = -1
        looked_for: tuple[str | None, int] | None = None
        while not self._stop.is_set():
            shown = self._table.wait(version, LOOK_S)
            version = shown.version
            story = shown.story
            if story is None or not _waits(story):
                continue
            if looked_for == (shown.game_id, story.seq):
                continue
            looked_for = (shown.game_id, story.seq)
            self._camera.position = story.position
            self._table.hear(self._next_reading(), story.seq)

    def _next_reading(self) -> Reading:
        frame = self._camera.read()
        if frame is None:
            return Reading((), trouble="core.ask.no_more_pictures")
        return self._look(frame)


def _waits(story: Story) -> bool:
    return story.asked is None and bool(awaited(story))
