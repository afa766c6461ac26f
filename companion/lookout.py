"""Looks at the table while a reading is awaited, and hands over what it sees.

Runs in a thread of its own; only puts readings into the table's inbox. A recorded
camera gives one picture for each reading that is awaited, a live one is read whenever
the table has come to rest.
"""

import logging
import threading
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from msgspec.structs import replace

from companion.log import Story
from companion.referee import awaited
from companion.snapshot import Eye, Snapshot
from companion.table import BoxPx, LinePart, Reading
from vision.arrays import Picture
from vision.believed import MOST_LOOKS, is_sure, surest
from vision.cameras import Camera, Frame
from vision.evidence import Framing, Keep, as_jpeg, illustrate
from vision.settle import SettleRules, Stillness, begin, small, watch

logger = logging.getLogger(__name__)

LOOK_S = 0.5
"""How long a lookout waits for news before it checks whether it should stop."""

SAME_DIE = 0.85
"""Overlap of two boxes above which a die was not thrown again: a thrown die that comes
to rest within a tenth of its width of where it lay is not to be expected."""

KEPT_PICTURES = 4

BLINK_S = 0.1
"""Pause before a camera that gave no picture is asked again."""


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

    def _say(self, trouble: LinePart | None) -> None:
        eye = Eye(self._name, trouble)
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


class LooksAtBoards(Protocol):
    """Who looks at a board whose spaces were tapped, one frame after another."""

    keep: Keep | None
    steady: Callable[[], AbstractContextManager[None]]
    delays_s: list[float]

    def see(self, frame: Frame) -> None:
        """Take one frame into account, and hand over a reading where one is due."""


class LiveLookout(DiceLookout):
    """Reads a camera each time the table has come to rest.

    The dice of the last reading that was handed over are not read again until they
    have been moved: a die that still lies there is not a new throw. While a game is
    played on a board whose spaces were tapped, `board` gives who looks at all of it.
    """

    board: Callable[[], LooksAtBoards | None] = staticmethod(lambda: None)

    def __init__(
        self,
        table: Hears,
        name: str,
        read: Callable[[Frame], Reading],
        camera: Camera,
        rules: SettleRules,
    ) -> None:
        super().__init__(table, name, read)
        self._camera = camera
        self._rules = rules
        self._watch = begin()
        self._looks: tuple[Reading, ...] = ()
        self._settled: Reading | None = None
        self._used: tuple[BoxPx, ...] = ()
        self._unreadable: LinePart | None = None
        self.blink_s = BLINK_S

    def _run(self) -> None:
        while not self._stop.is_set():
            frame = self._camera.read()
            if frame is None:
                return
            if frame.picture is None or frame.trouble is not None:
                self.miss(frame)
                self._stop.wait(self.blink_s)
                continue
            self.see(frame)

    def stop(self) -> None:
        """Let go of the camera and stop looking."""
        self._stop.set()
        # First, as the thread may be waiting for its next picture.
        self._camera.close()
        super().stop()

    def miss(self, frame: Frame) -> None:
        """Take note that the camera shows nothing that can be read.

        The page still shows a picture that is dark or turned, so that people see why;
        it shows none where the camera gives none. Whatever comes next must lie still
        anew before it is read.
        """
        self.latest = frame if frame.picture is not None else None
        self._watch, self._looks, self._settled = begin(), (), None
        self._say(LinePart(frame.fault or "core.eye.lost"))

    def see(self, frame: Frame) -> None:
        """Take one frame into account, and hand over a reading where one is due."""
        assert frame.picture is not None
        self.latest = frame
        self.shown_to(frame)
        board = self.board()
        if board is not None:
            board.keep, board.steady = self.keep, self.steady
            before = len(board.delays_s)
            board.see(frame)
            if len(board.delays_s) > before:
                self._pictures.append(frame)
            return
        self._watch = watch(
            self._watch, small(frame.picture), frame.taken_at, self._rules
        )
        if self._watch.state is Stillness.SETTLED:
            self._settle((self._look(frame),))
        elif self._watch.state is Stillness.MOVING:
            self._looks, self._settled = (), None
        elif self._looks:
            self._settle((*self._looks, self._look(frame)))
        self._say(self._unreadable)
        self._hand_over(self._table.snapshot)

    def _settle(self, looks: tuple[Reading, ...]) -> None:
        """Take the surest of some looks, or wait for another where there is doubt."""
        if len(looks) < MOST_LOOKS and not is_sure(looks[-1]):
            self._looks = looks
            return
        self._looks, self._settled = (), surest(looks)
        why = self._settled.trouble
        self._unreadable = LinePart(why) if why else None
        if why is not None:
            # A pushed camera is found again by the next pictures, a lamp that is
            # lit changes them: look again without waiting for hands.
            self._watch = begin()

    def _hand_over(self, shown: Snapshot) -> None:
        reading, story = self._settled, shown.story
        if reading is None or story is None:
            return
        boxes = _boxes(reading)
        if story.paused:
            # What lies there from a pause is no throw when the game goes on.
            self._used, self._settled = boxes, None
        if not awaited(story) or not boxes or _all_lie_where(boxes, self._used):
            return
        self._used, self._settled = boxes, None
        self._table.hear(reading, story.seq)


def _waits(story: Story) -> bool:
    return story.asked is None and bool(awaited(story))


def _boxes(reading: Reading) -> tuple[BoxPx, ...]:
    found = [g.box_px for g in reading.glimpses] + [c.box_px for c in reading.choices]
    return tuple(box for box in found if box is not None)


def _all_lie_where(boxes: tuple[BoxPx, ...], before: tuple[BoxPx, ...]) -> bool:
    return len(boxes) == len(before) and all(
        any(overlap(box, old) > SAME_DIE for old in before) for box in boxes
    )


def overlap(a: BoxPx, b: BoxPx) -> float:
    """Return the share of two boxes that both cover, 0 to 1."""
    wide = max(0, min(a[2], b[2]) - max(a[0], b[0]))
    high = max(0, min(a[3], b[3]) - max(a[1], b[1]))
    both = wide * high
    areas = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1])
    return both / (areas - both) if areas > both else 1.0
