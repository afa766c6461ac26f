"""Edges of one part, noted by gpiozero's thread until the listening one hears them.

Few are kept. Where more come than are heard in time, as on a Pi whose cores are busy
with pictures, whoever notes the next one has the oldest heard there and then: a click
or a press does not depend on how soon somebody listens. Only noise is let go.
"""

from collections import deque
from collections.abc import Callable
from threading import RLock

from firmware.edges import Told

MOST_EDGES = 32
"""Edges kept until they are heard."""

MOST_TOLD = 256
"""Clicks and presses kept until they are fetched: the quickest knob makes 100 in a
second."""


class Noted:
    """The edges of one or two pins, in the order of their stamps.

    Args:
        hear: Takes one edge: when it came, which pin, whether the contact closed.
            Called with `lock` held, by either thread.
        is_noise: Tells whether the part chatters: of that only the number is kept.
        pins: How many pins there are.
    """

    def __init__(
        self,
        hear: Callable[[float, int, bool], tuple[Told, ...]],
        is_noise: Callable[[], bool],
        pins: int = 1,
    ) -> None:
        self.lock = RLock()
        self.lost = 0
        self._hear, self._is_noise = hear, is_noise
        self._edges: list[tuple[float, int, bool]] = []
        self._told: deque[Told] = deque()
        self._newest_s = [float("-inf")] * pins

    def note(self, at_s: float, pin: int, closed: bool) -> None:
        """Keep an edge; called by gpiozero's thread."""
        with self.lock:
            if len(self._edges) >= MOST_EDGES and not self._make_room():
                self.lost += 1
                return
            # A pin tells its edges in order; a stamp from before its last one is a
            # clock's rounding.
            self._newest_s[pin] = at_s = max(at_s, self._newest_s[pin])
            self._edges.append((at_s, pin, closed))

    def hear(self) -> tuple[Told, ...]:
        """Hear all that was noted; return what came of it since the last call."""
        with self.lock:
            self._hear_oldest(len(self._edges))
            told = tuple(self._told)
            self._told.clear()
            return told

    def _make_room(self) -> bool:
        if self._is_noise() or len(self._told) >= MOST_TOLD:
            return False
        # The newer half waits: an edge of the other pin may still come between.
        self._hear_oldest(MOST_EDGES // 2)
        return True

    def _hear_oldest(self, count: int) -> None:
        # Each pin has a stamp of its own; the order of a turn is that of the stamps.
        self._edges.sort(key=lambda edge: edge[0])
        oldest, self._edges = self._edges[:count], self._edges[count:]
        for edge in oldest:
            self._told.extend(self._hear(*edge))
