"""Looks at the tray while a reading is awaited, and hands over what it sees.

A recorded camera gives one picture for each reading that is awaited;
`live_tray_watcher` reads a live one whenever the table has come to rest.
"""

import logging
from collections.abc import Callable
from typing import Protocol

from msgspec.structs import replace

from companion.referee.referee import awaited_moves
from companion.story.log import Story
from companion.table import Reading
from companion.watching.watcher import NO_HOOKS, Hooks, WatchedTable, Watcher
from vision.camera.evidence import Framing, attach_pictures
from vision.camera.port import Frame

logger = logging.getLogger(__name__)

LOOK_S = 0.5
"""How long a watcher waits for news before it checks whether it should stop."""


class RecordedCamera(Protocol):
    """A camera whose pictures have numbers and can be asked for again."""

    position: int

    def read(self) -> Frame | None:
        """Return the next picture, or None when there will be no more."""

    def close(self) -> None:
        """Let go of it."""


class TrayWatcher(Watcher):
    """A watcher that reads the tray alone; *read* reads one frame."""

    def __init__(
        self,
        table: WatchedTable,
        name: str,
        read: Callable[[Frame], Reading],
        hooks: Hooks = NO_HOOKS,
    ) -> None:
        super().__init__(table, name, hooks)
        self._read = read

    def _look(self, frame: Frame) -> Reading:
        """Read a frame; one that could not be opened is a reading with trouble."""
        if frame.picture is None:
            return _trouble(frame)
        self.latest = frame
        self._hooks.pictures.add(frame)
        try:
            with self._hooks.steady():
                reading = self._read(frame)
        except Exception:
            # A fault of the reader must not end the game: the throw is asked for, and
            # the log has the trace and the picture's name.
            logger.exception("the picture %s could not be read", frame.name)
            return _trouble(frame)
        reading = replace(reading, taken_at=frame.taken_at, position=frame.position)
        keep = self._hooks.keep
        if keep is not None:
            # Where the tray ends nobody has told: a die and what is close around it.
            return attach_pictures(reading, frame.picture, keep, Framing())
        named = tuple(replace(g, evidence_id=frame.name) for g in reading.glimpses)
        return replace(reading, glimpses=named)


def _trouble(frame: Frame) -> Reading:
    return Reading(
        (),
        taken_at=frame.taken_at,
        position=frame.position,
        trouble="core.ask.no_picture",
    )


class RecordedTrayWatcher(TrayWatcher):
    """Takes one picture for each reading that is awaited, where the game left off."""

    def __init__(
        self,
        table: WatchedTable,
        name: str,
        read: Callable[[Frame], Reading],
        camera: RecordedCamera,
        hooks: Hooks = NO_HOOKS,
    ) -> None:
        super().__init__(table, name, read, hooks)
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
    return story.asked is None and bool(awaited_moves(story))
