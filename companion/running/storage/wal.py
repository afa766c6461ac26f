"""Looks whether SQLite's write-ahead log was damaged where it had been synced.

SQLite takes the log up to the first frame whose checksum is wrong, and drops the rest
without a word. That is right for the last transaction, which a power cut may have torn
before anybody was told; a wrong frame before it means that told moves are lost.

Source: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
"""

import os
import sqlite3
import struct
from collections.abc import Iterator
from contextlib import suppress
from itertools import dropwhile
from pathlib import Path
from typing import NamedTuple

HEAD, FRAME_HEAD = 32, 24
MAGIC = 0x377F0683
BIG_ENDIAN = 1
"""Flag in the magic number: how the words of the checksums are stored."""


PAGE = 4096
"""What SQLite makes pages of; asked only where the log's own head is damaged."""


class Frame(NamedTuple):
    """A page as it was written. *commits* is the file's size in pages, 0 if more came.

    *ours* tells that it belongs to this log and not to the one before it, *sound* that
    it and all before it are as they were written.
    """

    number: int
    commits: int
    ours: bool
    sound: bool
    page: bytes


def is_broken_inside(path: Path) -> bool:
    """Tell whether a write-ahead log lost what had been synced; False without one."""
    frames = read_frames(path)
    torn = list(dropwhile(lambda frame: frame.sound, frames))
    commits = sum(frame.ours and frame.commits > 0 for frame in torn)
    # One transaction may be torn; where a second one follows, the first was synced.
    return commits > 1


def read_frames(path: Path) -> Iterator[Frame]:
    """Yield the frames of a write-ahead log, none where there is no log."""
    try:
        log = path.read_bytes()
    except FileNotFoundError:
        return
    if len(log) <= HEAD + FRAME_HEAD:
        return
    magic, _, page, _, *salts, one, two = struct.unpack(">8I", log[:HEAD])
    order = ">" if magic & BIG_ENDIAN else "<"
    sums = _sum(order, log[: HEAD - 8], 0, 0)
    sound = sums == (one, two) and magic | BIG_ENDIAN == MAGIC
    if not sound:
        page, salts = PAGE, [*struct.unpack(">2I", log[HEAD + 8 : HEAD + 16])]
    for at in range(HEAD, len(log) - FRAME_HEAD - page + 1, FRAME_HEAD + page):
        head = log[at : at + FRAME_HEAD]
        body = log[at + FRAME_HEAD : at + FRAME_HEAD + page]
        number, size, *told, one, two = struct.unpack(">6I", head)
        if sound:
            sums = _sum(order, head[:8] + body, *sums)
            sound = told == salts and sums == (one, two)
        yield Frame(number, size, told == salts, sound, body)


def _sum(order: str, data: bytes, one: int, two: int) -> tuple[int, int]:
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for first, second in zip(words[::2], words[1::2], strict=True):
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + second + one) & 0xFFFFFFFF
    return one, two


def fold_wal(db: sqlite3.Connection) -> bool:
    """Copy the log of writes into the file; False while somebody reads what was before.

    Nobody is waited for, and nobody waits.
    """
    (_, in_log, copied) = db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    return bool(copied == in_log)


def empty_wal(db: sqlite3.Connection, path: Path) -> bool:
    """Fold the log of writes into the file at *path*; False while somebody reads it."""
    (busy, _, _) = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        return False
    # SQLite does not wait until the shortened log is on disk.
    with suppress(FileNotFoundError):
        log = os.open(f"{path}-wal", os.O_RDONLY)
        try:
            os.fsync(log)
        finally:
            os.close(log)
    return True
