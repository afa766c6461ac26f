"""A thread that reads what the Pi tells of its supply, and passes news on."""

import logging
import threading
from collections.abc import Callable
from typing import Protocol

from companion.doctor.computer import power_bits
from companion.running.power import Power, after_bits

logger = logging.getLogger(__name__)

EVERY_S = 10.0
"""The kernel asks the firmware every two seconds; a warning has time."""


class PowerListener(Protocol):
    """The part of a running table that the meter uses."""

    def notice_power(self, power: Power) -> None:
        """Take note of the Pi's supply."""


class Meter:
    """Reads a file of the kernel now and then; starts no program.

    Args:
        table: The running table, which takes note.
        read: Gives the bits of `companion.running.power`, None on a computer without.
        every_s: How often.
    """

    def __init__(
        self,
        table: PowerListener,
        read: Callable[[], int | None] = power_bits,
        every_s: float = EVERY_S,
    ) -> None:
        self._table, self._read, self._every_s = table, read, every_s
        self._power = Power()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="meter", daemon=True)

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    def stop(self) -> None:
        """Stop; returns when the thread has ended."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(self._every_s)

    def measure(self) -> bool:
        """Read once, and tell what is new; return whether there is anything to read."""
        bits = self._read()
        if bits is None:
            return False
        power = after_bits(self._power, bits)
        if power != self._power:
            if power.now & ~self._power.now:
                logger.warning("the Pi reports trouble with its power: %#x", bits)
            self._power = power
            self._table.notice_power(power)
        return True

    def _run(self) -> None:
        while self.measure() and not self._stop.wait(self._every_s):
            pass
