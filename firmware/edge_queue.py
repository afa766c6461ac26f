"""A queue of edges between gpiozero's thread and the one that listens.

Few are kept. Where more come than are handled in time, as on a Pi whose cores are busy
with pictures, whoever adds the next one handles the oldest there and then: a click or a
press does not depend on how soon somebody listens. Only noise is dropped.
"""

from collections import deque
from collections.abc import Callable
from threading import RLock

from firmware.edges import ContactEvent

MOST_EDGES = 32
"""Edges kept until they are handled."""

MOST_EVENTS = 256
"""Clicks and presses kept until they are fetched: the quickest knob makes 100 in a
second."""


class EdgeQueue:
    """The edges of one or two pins, in the order of their stamps.

    Args:
        hear: Handles one edge: when it came, which pin, whether the contact closed.
            Called with `lock` held, by either thread.
        is_noise: Tells whether the part chatters: of that only the number is kept.
        pins: How many pins there are.
    """

    def __init__(
        self,
        hear: Callable[[float, int, bool], tuple[ContactEvent, ...]],
        is_noise: Callable[[], bool],
        pins: int = 1,
    ) -> None:
        self.lock = RLock()
        self.lost = 0
        self._hear, self._is_noise = hear, is_noise
        self._edges: list[tuple[float, int, bool]] = []
        self._events: deque[ContactEvent] = deque()
        self._newest_s = [float("-inf")] * pins

    def note(self, at_s: float, pin: int, closed: bool) -> None:
        """Keep an edge; called by gpiozero's thread."""
        with self.lock:
            if len(self._edges) >= MOST_EDGES and not self._make_room():
                self.lost += 1
                return
            # Edges of one pin come in order; a stamp from before its last one is a
            # clock's rounding.
            self._newest_s[pin] = at_s = max(at_s, self._newest_s[pin])
            self._edges.append((at_s, pin, closed))

    def drain(self) -> tuple[ContactEvent, ...]:
        """Handle all edges in the queue; return all events since the last call."""
        with self.lock:
            self._hear_oldest(len(self._edges))
            events = tuple(self._events)
            self._events.clear()
            return events

    def _make_room(self) -> bool:
        if self._is_noise() or len(self._events) >= MOST_EVENTS:
            return False
        # The newer half waits: an edge of the other pin may still come between.
        self._hear_oldest(MOST_EDGES // 2)
        return True

    def _hear_oldest(self, count: int) -> None:
        # Each pin has a stamp of its own; the order of a turn is that of the stamps.
        self._edges.sort(key=lambda edge: edge[0])
        oldest, self._edges = self._edges[:count], self._edges[count:]
        for edge in oldest:
            self._events.extend(self._hear(*edge))
