"""When a table calls somebody from behind the counter, and for what."""

import math
import shutil
from pathlib import Path

from companion.club.messages import Need
from companion.running.power import LOW
from companion.running.snapshot import Snapshot
from companion.story.log import Asked

QUESTION_S = 120.0
"""People settle most questions with a tap within a minute; after two they are stuck."""

COVERED = frozenset({"core.eye.dark", "core.eye.lost", "core.eye.hand"})
"""A camera that sees nothing because something is before it, or because it is gone."""

COVERED_S = 60.0
"""A hand that reaches over the table is gone by then, and so is who carries a tray."""

LEAST_FREE_BYTES = 500_000_000
"""A card with less room than this is nearly full: 300 evenings without pictures."""

DISK_S = 30.0
"""How often that is looked at."""

THERMAL = "sys/class/thermal/thermal_zone0/temp"
"""Thousandths of a degree. Source: Linux, thermal/sysfs-api."""


class Calls:
    """Watches snapshots of one table for what lasts too long.

    Args:
        data: The table's folder, on the disk that must not run full.
    """

    def __init__(self, data: Path) -> None:
        self._data = data
        self._asked: Asked | None = None
        self._asked_s = math.inf
        self._covered_s = math.inf
        self._measured_s = -math.inf
        self._is_full = False

    def needs(self, shown: Snapshot, now_s: float) -> tuple[Need, ...]:
        """Return what the table needs help for.

        Args:
            shown: The running table.
            now_s: Seconds that only ever grow.
        """
        found = {
            Need.QUESTION: self._waits(shown, now_s),
            Need.CAMERA: self._is_covered(shown, now_s),
            Need.DISK: self._is_nearly_full(now_s),
            Need.POWER: bool(shown.power.now & LOW),
        }
        return tuple(need for need, so in found.items() if so)

    def _waits(self, shown: Snapshot, now_s: float) -> bool:
        story = shown.story
        asked = None if story is None or story.paused else story.asked
        if asked is None:
            self._asked, self._asked_s = None, math.inf
        elif asked is not self._asked:
            self._asked, self._asked_s = asked, now_s
        return now_s - self._asked_s > QUESTION_S

    def _is_covered(self, shown: Snapshot, now_s: float) -> bool:
        trouble = shown.camera.trouble
        if trouble is None or trouble.line not in COVERED:
            self._covered_s = math.inf
        elif self._covered_s == math.inf:
            self._covered_s = now_s
        return now_s - self._covered_s > COVERED_S

    def _is_nearly_full(self, now_s: float) -> bool:
        if now_s - self._measured_s >= DISK_S:
            self._measured_s = now_s
            try:
                free = shutil.disk_usage(self._data).free
            except OSError:
                free = LEAST_FREE_BYTES  # the store itself warns of a disk that is gone
            self._is_full = free < LEAST_FREE_BYTES
        return self._is_full


def temperature_c(root: Path = Path("/")) -> float | None:
    """Return how warm the Pi's processor is, None where nothing tells it."""
    try:
        return round(int((root / THERMAL).read_text(encoding="ascii")) / 1000, 1)
    except (OSError, ValueError):
        return None
