"""A finding: one line of evidence about the device, and one remedy.

Values only; nothing here looks at a pin.
"""

from enum import StrEnum

from msgspec import Struct


class Level(StrEnum):
    """How bad a finding is."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


class Finding(Struct, frozen=True, gc=False):
    """One thing that was checked; *remedy* is empty where there is nothing to do."""

    id: str
    level: Level
    evidence: str
    remedy: str = ""

    def __str__(self) -> str:
        return f"{self.evidence} {self.remedy}".rstrip()
