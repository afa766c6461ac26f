"""What a disk that refuses is called, and what is said of it."""

import errno
import shutil
import sqlite3
from contextlib import suppress
from pathlib import Path

FULL, READ_ONLY, FAILING = "core.disk.full", "core.disk.read_only", "core.disk.failing"
NEWER = "core.disk.newer"
BUSY = "core.disk.busy"


class StoreTrouble(OSError):
    """The file cannot be read or written now; the message says why and what to do.

    *why* is the line that tells people what is the matter with the disk.
    """

    def __init__(self, message: str, why: str = FAILING) -> None:
        super().__init__(message)
        self.why = why


LITTLE = 65_536
"""Bytes. SQLite calls it a fault of the disk when its index, 32 kB, finds no room."""


def why_not(error: Exception, folder: Path) -> str:
    """Return the line that says what is the matter with a disk that refused."""
    code = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
    number = error.errno if isinstance(error, OSError) else None
    if code == sqlite3.SQLITE_FULL or number in (errno.ENOSPC, errno.EDQUOT):
        return FULL
    if code == sqlite3.SQLITE_READONLY or number == errno.EROFS:
        return READ_ONLY
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return BUSY
    with suppress(OSError):
        if shutil.disk_usage(folder).free < LITTLE:
            return FULL
    return FAILING


class NewerStore(StoreTrouble):
    """The file was written by a newer Dragon Table."""
