"""The room as a hub sees it: the newest public snapshot of each table.

In memory alone: the broker retains each of them, so a hub that starts knows the room
within a second, and any number of hubs know the same.
"""

import threading
from collections.abc import Callable
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from companion.club.messages import TableNow, decode


class TableSeen(Struct, frozen=True):
    """A table, whether it is there, and since when its snapshot is known here.

    Attributes:
        id: What it is called in topics.
        now: Its newest public snapshot.
        here: Whether the broker has it connected.
        at: When the snapshot came, by the hub's clock.
    """

    id: str
    now: TableNow
    here: bool
    at: float

    def played_s(self, clock_s: float) -> float | None:
        """Return how long the game has lasted; no clock of a table counts in it."""
        now = self.now
        if now.begun_at is None:
            return None
        return max(0.0, now.sent_at - now.begun_at + clock_s - self.at)


class Room:
    """All tables of a club; safe in any thread.

    Args:
        wall: Time of day.
    """

    def __init__(self, wall: Callable[[], float]) -> None:
        self._wall = wall
        self._changed = threading.Condition()
        self._tables: dict[str, TableSeen] = {}
        self._here: dict[str, bool] = {}
        self.version = 0
        self.ended = False

    @property
    def tables(self) -> tuple[TableSeen, ...]:
        """Return all tables by their names, "Table 2" before "Table 10"."""
        with self._changed:
            seen = tuple(self._tables.values())
        return tuple(sorted(seen, key=lambda one: (_natural(one.now.name), one.id)))

    def table(self, id_: str) -> TableSeen | None:
        """Return one table, None if nothing of it is known."""
        with self._changed:
            return self._tables.get(id_)

    def take(self, id_: str, payload: bytes) -> None:
        """Take a table's snapshot; an empty one means that it left the club.

        Raises:
            msgspec.MsgspecError: It is none.
        """
        now = decode(payload, TableNow) if payload else None
        with self._changed:
            if now is None:
                self._tables.pop(id_, None)
            else:
                here = self._here.get(id_, False)
                self._tables[id_] = TableSeen(id_, now, here, self._wall())
            self._tell()

    def note_presence(self, id_: str, *, here: bool) -> None:
        """Take note that a table has come, or is gone."""
        with self._changed:
            self._here[id_] = here
            seen = self._tables.get(id_)
            if seen is not None and seen.here is not here:
                self._tables[id_] = replace(seen, here=here)
                self._tell()

    def wait(self, version: int, timeout_s: float) -> int:
        """Return the newest version once it is not *version* any more, or in time."""
        with self._changed:
            self._changed.wait_for(lambda: self.version != version, timeout_s)
            return self.version

    def end(self) -> None:
        """Let nobody wait for a change any more."""
        with self._changed:
            self.ended = True
            self._tell()

    def _tell(self) -> None:
        self.version += 1
        self._changed.notify_all()


@lru_cache(maxsize=1_000)
def _natural(name: str) -> tuple[tuple[int, str], ...]:
    """Return what to sort names by, so that numbers in them count as numbers."""
    parts: list[str] = [""]
    for letter in name.casefold():
        if parts[-1] and parts[-1][-1].isdecimal() is not letter.isdecimal():
            parts.append("")
        parts[-1] += letter
    return tuple((int(p), "") if p.isdecimal() else (-1, p) for p in parts)
