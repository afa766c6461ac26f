"""Counts the open streams, so that no phone and no crowd can take all the threads."""

import threading
from collections import Counter
from ipaddress import ip_address
from typing import TypeAlias

OF_ONE = 8
"""A seat's phone needs one stream; a household may share its link."""

StreamSlot: TypeAlias = tuple[Counter[str], str]
"""Where a stream is counted, and as whose."""


class Full(Exception):
    """No more streams, from this address or at all."""


class Streams:
    """The open streams of all phones.

    Args:
        most: How many may be open at once: fifty phones, and ten that were cut off
            and came back before the table noticed that they were gone.
        most_each: How many from one address by phones that nobody let in: thirty
            guests behind one, and ten that came back. The table's own computer may
            open any number, as a television and a test do.
        kept: How many of all are kept for phones at a seat and the host's; of these
            each may have `OF_ONE`, wherever it is.
        beat_s: A stream says at least this often that it is alive.
        life_s: A stream ends after this long and the phone opens a new one.
    """

    def __init__(
        self,
        most: int = 60,
        most_each: int = 40,
        kept: int = 12,
        beat_s: float = 2.0,
        life_s: float = 600.0,
    ) -> None:
        self.beat_s = beat_s
        self.life_s = life_s
        self.ended = threading.Event()
        self._most = most
        self._most_each = most_each
        self._most_guests = most - kept
        self._lock = threading.Lock()
        self._guests: Counter[str] = Counter()
        self._known: Counter[str] = Counter()

    @property
    def open(self) -> int:
        """Return how many streams are open now."""
        with self._lock:
            return self._guests.total() + self._known.total()

    def take(self, address: str, known: str = "") -> StreamSlot:
        """Take a place for a stream from *address*, and return it, to `leave` it.

        Args:
            address: Where the phone is.
            known: What it was let in as, empty for a guest.

        Raises:
            Full: There is none.
        """
        with self._lock:
            guests, players = self._guests, self._known
            if guests.total() + players.total() >= self._most:
                raise Full
            if known and players[known] < OF_ONE:
                players[known] += 1
                return players, known
            crowded = guests[address] >= self._most_each and not is_own(address)
            if crowded or guests.total() >= self._most_guests:
                raise Full
            guests[address] += 1
            return guests, address

    def leave(self, place: StreamSlot) -> None:
        """Give a place back."""
        with self._lock:
            counted, whose = place
            counted[whose] -= 1
            if not counted[whose]:
                del counted[whose]

    def end(self) -> None:
        """Let every stream end at its next beat."""
        self.ended.set()


def is_own(address: str) -> bool:
    """Tell whether *address* is the table's own computer."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False
