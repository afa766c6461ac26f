"""Stands in for the watcher of the table while its camera cannot be opened."""

import logging
from collections.abc import Callable

from companion.running.missing import one_line
from companion.table import LinePart
from companion.watching.watcher import NOT_YET, WatchedTable, Watcher

logger = logging.getLogger(__name__)

REST_S = 2.0
"""Between two tries: a stick or a cable that is plugged in is noticed in time for the
next throw, and a try that fails costs a Pi next to nothing."""


class AwaitedWatcher(Watcher):
    """A watcher that is not there yet; once it is, everything is passed on to it.

    Args:
        table: The running table, which takes the readings.
        name: What the camera is called on the page.
        make: Gives the watcher; may fail in any way.
    """

    def __init__(
        self, table: WatchedTable, name: str, make: Callable[[], Watcher]
    ) -> None:
        super().__init__(table, name)
        self._make = make
        self._came: Watcher | None = None

    def stop(self) -> None:
        """Stop waiting, and looking."""
        super().stop()
        if self._came is not None:
            self._came.stop()

    def jpeg(self) -> bytes | None:
        """Return the newest picture as JPEG, None before there is one."""
        return self._came.jpeg() if self._came is not None else None

    @property
    def is_stuck(self) -> bool:
        """Tell whether only the end of the program gives the camera back."""
        return self._came is not None and self._came.is_stuck

    def _run(self) -> None:
        said = ""
        while not self._stop.is_set():
            try:
                came = self._make()
            except Exception as error:  # noqa: BLE001
                # Whatever stands in its way, the table plays on without it.
                why = one_line(error)
                if why != said:
                    logger.warning("%s: not there yet: %s", self._name, why)
                said = why
                self._say(LinePart(NOT_YET), why)
                self._stop.wait(REST_S)
                continue
            self._came = came
            came.start()
            return
