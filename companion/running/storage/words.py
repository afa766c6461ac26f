"""The words that the games' file remembers of the table itself, by their keys."""

import sqlite3
from contextlib import suppress

import msgspec

from companion.table import LinePart


def note_mishaps(
    db: sqlite3.Connection, mishaps: tuple[LinePart, ...]
) -> tuple[LinePart, ...]:
    """Return what to report now, with that of earlier starts, and store it."""
    with suppress(sqlite3.Error, msgspec.MsgspecError, RecursionError):
        before = get_word(db, "mishaps") or "[]"
        known = msgspec.json.decode(before, type=tuple[LinePart, ...])
        mishaps = (*mishaps, *(line for line in known if line not in mishaps))
    if mishaps:
        # A disk that refuses keeps nothing from being reported now.
        with suppress(sqlite3.Error):
            set_word(db, "mishaps", msgspec.json.encode(mishaps).decode())
    return mishaps


def set_word(db: sqlite3.Connection, key: str, value: str) -> None:
    """Remember a word."""
    db.execute(
        "INSERT INTO meta VALUES (?, ?) "
        "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (key, value),
    )


def get_word(db: sqlite3.Connection, key: str) -> str | None:
    """Return a word, None where it is not remembered."""
    found = db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return found[0] if found else None
