"""A folder of pictures as a live camera: one after the other, and the last one stays.

Pictures that are put into the folder while it runs are shown too, so that a table can
be tried from photographs, and by another program that takes them.
"""

import logging
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from vision.arrays import Picture
from vision.camera.device import DeviceFacts, StampedPicture
from vision.camera.files import PictureUnreadable, open_picture
from vision.camera.health import HealthLimits
from vision.camera.port import no_pictures, pictures_in

logger = logging.getLogger(__name__)

LEAST_FPS = 15.0
"""So often at least a picture is given, the one that is shown once more, as a camera
does over a table at rest: that of a Pi gives so many to a busy program."""

MOST_FPS = 60.0
"""More pictures a second than any camera here gives are a slip of the keyboard."""

LOOK_S = 0.2
"""How often the folder is looked through: 2,000 names take 2 ms of a PC."""

PATIENCE_S = 2.0
"""A file that cannot be opened and stays as it is for so long is left out: whoever
still copies it changes it sooner."""

STILLS = HealthLimits(alike_s=math.inf)
"""One picture shown again and again is no sensor that hangs."""


class _Opened(NamedTuple):
    """A picture of the folder that could be opened."""

    name: str
    picture: Picture


class LiveFolder:
    """Opens a folder as a camera, again and again, and knows what it has shown.

    Args:
        folder: Where the pictures are; it may come later, or be gone for a while.
        a_second: How many of them are shown in a second.
        clock: Seconds that only ever grow.
        rest: Waits some seconds.
    """

    def __init__(
        self,
        folder: Path,
        a_second: float,
        clock: Callable[[], float],
        rest: Callable[[float], object] = time.sleep,
    ) -> None:
        self._folder = folder
        self._a_second = a_second
        self._clock, self._rest = clock, rest
        self._done: set[str] = set()
        self._waiting: tuple[Path, ...] = ()
        self._looked_s = -math.inf
        self._torn: tuple[object, float] | None = None
        self._last: _Opened | None = None

    def open(self) -> "FolderDevice":
        """Return the camera, which begins with what was not shown yet.

        Raises:
            CameraMissing: There is no such folder, or no picture in it.
        """
        first = self.next() or self._last
        if first is None:
            raise no_pictures(self._folder)
        return FolderDevice(self, first, self._a_second, self._clock, self._rest)

    def next(self) -> _Opened | None:
        """Return the first picture by name that was not shown, None for no news.

        One that is still being written is waited for, and so are those behind it.

        Raises:
            CameraMissing: The folder is gone.
        """
        if self._clock() - self._looked_s >= LOOK_S:
            paths = pictures_in(self._folder)
            self._looked_s = self._clock()
            self._waiting = tuple(p for p in paths if p.name not in self._done)
        while self._waiting:
            path = self._waiting[0]
            found: _Opened | None = None
            try:
                found = _Opened(path.name, open_picture(path).picture)
            except PictureUnreadable as error:
                if self._may_change(path):
                    return None
                logger.warning("%s; it is left out", error)
            self._done.add(path.name)
            self._waiting = self._waiting[1:]
            if found is not None:
                self._last = found
                return found
        return None

    def _may_change(self, path: Path) -> bool:
        """Tell whether a file that cannot be opened may still be being written."""
        try:
            found = path.stat()
        except OSError:
            return False  # taken away again
        state = path, found.st_size, found.st_mtime_ns
        if self._torn is None or self._torn[0] != state:
            self._torn = state, self._clock()
        return self._clock() - self._torn[1] < PATIENCE_S


class FolderDevice:
    """A folder that is open as a camera; its pictures have the size of the first."""

    def __init__(
        self,
        folder: LiveFolder,
        first: _Opened,
        a_second: float,
        clock: Callable[[], float],
        rest: Callable[[float], object],
    ) -> None:
        self._folder = folder
        self._shown = first.picture
        self._a_second = a_second
        self._clock, self._rest = clock, rest
        self._given_s = -math.inf
        self._until_s = clock() + 1 / a_second

    def shoot(self) -> StampedPicture:
        """Return the picture that is shown now, dated now; waits for its moment.

        Raises:
            CameraMissing: The folder is gone.
        """
        pause_s = 1 / max(self._a_second, LEAST_FPS)
        self._rest(max(0.0, self._given_s + pause_s - self._clock()))
        self._given_s = now_s = self._clock()
        if now_s + 1e-6 >= self._until_s and self._turn_over():
            # Neither late pictures nor a long pause make the next ones hurry.
            self._until_s = max(self._until_s, now_s - pause_s) + 1 / self._a_second
        return StampedPicture(self._shown, now_s)

    def _turn_over(self) -> bool:
        """Show the next picture; tell whether there was one."""
        while (found := self._folder.next()) is not None:
            (high, wide), size = found.picture.shape[:2], self._shown.shape[:2]
            if (high, wide) == size:
                self._shown = found.picture
                return True
            logger.warning(
                "%s has %dx%d pixels and those before %dx%d; it is left out",
                found.name, wide, high, size[1], size[0],
            )  # fmt: skip
        return False

    def adapt(self) -> None:
        """Do nothing: its pictures were taken."""

    def facts(self) -> DeviceFacts:
        """Return the size of its pictures and how many are shown a second."""
        high, wide = self._shown.shape[:2]
        return DeviceFacts(
            f"folder, {wide}x{high}, {self._a_second:g} pictures a second"
        )

    def abandon(self) -> None:
        """Do nothing: a disk that hangs cannot be told to come back."""

    def close(self) -> None:
        """Do nothing: a folder needs no closing."""
