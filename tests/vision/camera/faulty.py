"""A camera that a test breaks as it likes, and a clock that only the test moves."""

import os
import queue
import threading
from functools import cache
from typing import Any

import cv2
import numpy as np

from vision.camera.device import StampedPicture

WAIT_S = 10.0
"""How long a test waits for a thread before it fails."""


class Clock:
    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s

    def pass_by(self, seconds: float) -> None:
        self.now_s += seconds


def scene(seed: int = 0, light: float = 1.0) -> np.ndarray:
    """Return a table with a blue box, a red die and the noise of a sensor."""
    rows, columns = np.mgrid[0:144, 0:256]
    lit = 90 + 60 * columns / 256 + 30 * rows / 144
    picture = np.dstack([lit, lit, lit])
    picture[20:60, 20:90] = (180, 90, 40)
    picture[90:120, 180:215] = (40, 50, 190)
    return np.clip(picture * light + _noise(seed), 0, 255).astype(np.uint8)


@cache
def _sheet() -> np.ndarray:
    return np.random.default_rng(0).normal(0, 2, (144 + 61, 256 + 67, 3))


def _noise(seed: int) -> np.ndarray:
    """Return a part of one sheet, another for each seed: fresh noise takes too long."""
    top, left = seed % 61, seed % 67
    return _sheet()[top : top + 144, left : left + 256]


class FaultyDevice:
    """A device whose every shot is handed to it; it holds a file, as a real one does.

    `give` a shot, or an error to raise; without either, `shoot` waits, as a hanging
    driver would.
    """

    def __init__(self) -> None:
        self._handed: queue.Queue[Any] = queue.Queue()
        self._waits: queue.Queue[None] = queue.Queue()
        self._file = os.open(os.devnull, os.O_RDONLY)
        self.adapted = 0
        self.closed = False

    def give(self, what: Any) -> None:
        self._handed.put(what)

    def until_it_waits(self, times: int = 1) -> None:
        """Return once `shoot` was called so many more times."""
        for _ in range(times):
            self._waits.get(timeout=WAIT_S)

    def shoot(self) -> StampedPicture:
        self._waits.put(None)
        what = self._handed.get()
        if isinstance(what, Exception):
            raise what
        return what

    def adapt(self) -> None:
        self.adapted += 1

    def abandon(self) -> None:
        """Stand only one thread at a time, as OpenCV's."""

    def close(self) -> None:
        os.close(self._file)
        self.closed = True


def large_scene(seed: int = 0) -> np.ndarray:
    """Return the table of `scene` in twice as many pixels each way."""
    return cv2.resize(scene(seed), None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)


class StillDevice(FaultyDevice):
    """A device that takes stills too: each is handed to it as its pictures are."""

    def __init__(self) -> None:
        super().__init__()
        self._stills: queue.Queue[Any] = queue.Queue()
        self.asked: queue.Queue[int] = queue.Queue()

    def give_still(self, what: Any) -> None:
        self._stills.put(what)

    def still(self) -> StampedPicture:
        self.asked.put(threading.get_ident())
        what = self._stills.get()
        if isinstance(what, Exception):
            raise what
        return what
