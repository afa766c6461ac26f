"""The Pi's cameras that this program opened and has not let go of yet.

A pulled ribbon cable or a driver that hangs can keep ``stop()`` from ever returning,
and until it does libcamera counts the camera as in use: by this very program. So
letting go happens in a thread that may be left behind, and whoever opens the camera
anew can tell an old hold of ours from another program.
"""

import atexit
import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from vision.camera.device import CLOSE_S
from vision.camera.port import CameraMissing

logger = logging.getLogger(__name__)


class CameraHeld(CameraMissing):
    """A driver that hangs in this program holds the camera; nothing else uses it."""


class Hold:
    """One camera: its *device* once there is one, a *thread* while it is let go of.

    It is *ready* once pictures were taken with it.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        self.device: Any | None = None
        self.ready = False
        self.thread: threading.Thread | None = None


class Holds:
    """What one program holds.

    Args:
        patience_s: How long to wait for a camera to be let go of.
    """

    def __init__(self, patience_s: float = CLOSE_S) -> None:
        self._patience_s = patience_s
        self._lock = threading.Lock()
        self._holds: list[Hold] = []

    def __len__(self) -> int:
        with self._lock:
            return len(self._holds)

    @contextmanager
    def opening(self, number: int) -> Iterator[Hold]:
        """Count a camera that is being opened; drop it again where that fails.

        Whoever opens it a second time has left the first attempt behind: that one
        hangs, and is let go of first.
        """
        with self._lock:
            before = [hold for hold in self._holds if hold.number == number]
            threads = [
                self._begin(hold)
                for hold in before
                if hold.device is not None and not (hold.ready and hold.thread is None)
            ]
        self._wait(threads)
        hold = Hold(number)
        with self._lock:
            self._holds.append(hold)
        try:
            yield hold
        except BaseException:
            self._drop(hold)
            raise

    def release(self, device: Any) -> bool:
        """Let go of a camera; return whether it was done in time.

        Where it was not, its thread goes on for as long as the driver keeps it.
        """
        with self._lock:
            mine = [hold for hold in self._holds if hold.device is device]
            threads = [self._begin(hold) for hold in mine]
        return self._wait(threads)

    def left_behind(self, mine: Hold) -> bool:
        """Tell whether an earlier attempt at the camera of *mine* hangs."""
        with self._lock:
            return any(
                hold.thread is not None or not hold.ready
                for hold in self._holds
                if hold is not mine and hold.number == mine.number
            )

    def _begin(self, hold: Hold) -> threading.Thread:
        if hold.thread is None:
            hold.thread = threading.Thread(
                target=self._let_go, args=(hold,), name="camera closing", daemon=True
            )
            hold.thread.start()
        return hold.thread

    def _wait(self, threads: list[threading.Thread]) -> bool:
        for thread in threads:
            thread.join(self._patience_s)
        return not any(thread.is_alive() for thread in threads)

    def _let_go(self, hold: Hold) -> None:
        device = hold.device
        assert device is not None
        # Picamera2 closes itself when the program ends; one that hangs would keep it.
        atexit.unregister(device.close)
        try:
            # What still waits for a picture stands in the queue before the stop, and
            # no picture comes any more. Older versions cannot drop it.
            drop = getattr(device, "cancel_all_and_flush", None)
            if drop is not None:
                drop()
            with suppress(RuntimeError, OSError):
                device.stop()
            device.close()
        except Exception as error:  # noqa: BLE001
            # It is gone already; the next attempt to open it tells more.
            logger.debug("closing the Pi camera failed: %s", error)
        self._drop(hold)

    def _drop(self, hold: Hold) -> None:
        with self._lock:
            self._holds.remove(hold)


IN_THIS_PROGRAM = Holds()
"""libcamera has one manager of cameras in each process, and so one such list."""
