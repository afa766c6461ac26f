"""Counts the open streams, so that no phone and no crowd can take all the threads."""

import threading
from collections import Counter
from ipaddress import ip_address


class Full(Exception):
    """No more streams, from this address or at all."""


class Streams:
    """The open streams of all phones.

    Args:
        most: How many may be open at once: fifty phones, and ten that were cut off
            and came back before the table noticed that they were gone.
        most_each: How many from one address. A phone needs one; the table's own
            computer may open any number, as a television and a test do.
        beat_s: A stream says at least this often that it is alive.
        life_s: A stream ends after this long and the phone opens a new one.
    """

    def __init__(
        self,
        most: int = 60,
        most_each: int = 8,
        beat_s: float = 2.0,
        life_s: float = 600.0,
    ) -> None:
        self.beat_s = beat_s
        self.life_s = life_s
        self.ended = threading.Event()
        self._most = most
        self._most_each = most_each
        self._lock = threading.Lock()
        self._open: Counter[str] = Counter()

    @property
    def open(self) -> int:
        """Return how many streams are open now."""
        with self._lock:
            return self._open.total()

    def take(self, address: str) -> None:
        """Take a place for a stream from *address*.

        Raises:
            Full: There is none.
        """
        with self._lock:
            crowded = self._open[address] >= self._most_each and not is_own(address)
            if crowded or self._open.total() >= self._most:
                raise Full
            self._open[address] += 1

    def leave(self, address: str) -> None:
        """Give the place of a stream from *address* back."""
        with self._lock:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]

    def end(self) -> None:
        """Let every stream end at its next beat."""
        self.ended.set()


def is_own(address: str) -> bool:
    """Tell whether *address* is the table's own computer."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False
