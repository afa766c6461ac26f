"""Opens the games' file: as it is where it is sound, mended where it is damaged.

Where the disk refuses, a copy is opened instead. Whoever only reads opens a copy too,
so that nothing on the disk changes.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

from companion.running.storage.salvage import (
    DAMAGED,
    copy_readable,
    copy_with_wal,
    finish,
    memory,
    salvage,
)
from companion.running.storage.schema import MIGRATIONS, NewerVersion, as_text, migrate
from companion.running.storage.trouble import (
    NEWER,
    NewerStore,
    StoreTrouble,
    why_not,
)
from companion.running.storage.wal import is_broken_inside
from companion.running.storage.words import note_mishaps
from companion.table import LinePart

BUSY_MS = 500
"""How long a write waits for another program that writes; a commit takes 3 ms (p50).

A backup that reads holds nobody up. Who waits longer is told within a second that
nothing is saved.
"""

OF_THE_DISK = frozenset(
    {
        sqlite3.SQLITE_BUSY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY,
    }
)  # fmt: skip
"""What SQLite says when the disk, and not the file's content, is the trouble."""

Lost: TypeAlias = Callable[[sqlite3.Connection], tuple[LinePart, ...]]
"""Returns what to report where a file that opens holds less than was kept."""


def open_for_writing(
    path: Path, lost: Lost
) -> tuple[sqlite3.Connection, tuple[LinePart, ...]]:
    """Return the file at *path* for the running table, and what must be reported.

    A file is made, with its folder, where there is none.

    Raises:
        StoreTrouble: The disk refuses, or the file is of a newer version.
    """
    folder = path.parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreTrouble(
            f"cannot make {folder}: {error.strerror}; choose another --data",
            why_not(error, folder),
        ) from error
    try:
        db, mishaps = open_mended(path)
    except NewerVersion as error:
        raise NewerStore(
            f"{path} was written by a newer Dragon Table (version {error}, "
            f"this one knows {len(MIGRATIONS)}); update, or choose another --data",
            NEWER,
        ) from error
    except (sqlite3.Error, OSError) as error:
        raise StoreTrouble(
            f"cannot open {path}: {error}; check the folder's rights and free space",
            why_not(error, folder),
        ) from error
    mishaps = note_mishaps(db, mishaps or lost(db))
    # What a power cut left in the log of writes may still hold a deleted name.
    with suppress(sqlite3.Error):
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return db, mishaps


def open_copy(
    path: Path, trouble: StoreTrouble, lost: Lost
) -> tuple[sqlite3.Connection, tuple[LinePart, ...], TemporaryDirectory[str]]:
    """Return a copy, so that the game that ran goes on though nothing is stored.

    Also what must be reported, and the folder in which the copy lies.

    Raises:
        StoreTrouble: *trouble*, as not even a copy can be opened.
    """
    folder: TemporaryDirectory[str] | None = None
    try:
        folder = TemporaryDirectory(prefix="dragon-table-", dir=memory())
        is_newer = isinstance(trouble, NewerStore)
        is_read = not is_newer and copy_readable(path, Path(folder.name))
        db, mishaps = open_mended(Path(folder.name) / path.name)
    except (OSError, sqlite3.Error, NewerVersion) as error:
        if folder is not None:
            folder.cleanup()
        raise trouble from error
    if is_read:
        mishaps = mishaps or lost(db)
    elif not is_newer:
        mishaps = (LinePart("core.store.unread", (("file", path.name),)),)
    return db, note_mishaps(db, mishaps), folder


def open_mended(path: Path) -> tuple[sqlite3.Connection, tuple[LinePart, ...]]:
    """Return the file at *path*, ready to be written, and what must be reported.

    A file is made where there is none.

    Raises:
        sqlite3.Error: The disk refuses.
        OSError: The same.
        NewerVersion: It was written by a newer Dragon Table.
    """
    finish(path)
    if not is_broken_inside(path.with_name(f"{path.name}-wal")):
        try:
            return connect(path), ()
        except DAMAGED as error:
            if is_of_the_disk(error, path):
                raise
    mishaps = salvage(path)
    return connect(path), (mishaps,)


def connect(path: Path) -> sqlite3.Connection:
    """Open a file that is sound, make one where there is none.

    Raises:
        sqlite3.Error: It is damaged, or the disk refuses.
        NewerVersion: It was written by a newer Dragon Table.
    """
    # Only the table's own user may read hands and tokens.
    path.touch(mode=0o600)
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    db.text_factory = as_text
    try:
        db.execute(f"PRAGMA busy_timeout={BUSY_MS}")
        db.execute("PRAGMA journal_mode=WAL")
        # FULL: with NORMAL a power cut takes back what phones were shown already.
        db.execute("PRAGMA synchronous=FULL")
        db.execute("PRAGMA foreign_keys=ON")
        # A name that somebody had deleted must not be left in free pages.
        db.execute("PRAGMA secure_delete=ON")
        # The quick one passes over an index that names another game.
        (verdict,) = db.execute("PRAGMA integrity_check(1)").fetchone()
        if verdict != "ok":
            raise sqlite3.DatabaseError(verdict)
        migrate(db)
        _see_that_nothing_is_missing(db)
    except BaseException:
        db.close()
        raise
    return db


def _see_that_nothing_is_missing(db: sqlite3.Connection) -> None:
    lost = db.execute(
        "SELECT 1 FROM entries WHERE game_id NOT IN (SELECT id FROM games) LIMIT 1"
    ).fetchone()
    if lost is not None:
        raise sqlite3.DatabaseError("there are entries of no game")
    # A flipped letter in a name of the plan: no such table, or column. And what no
    # check finds shows where every row is fetched.
    for look in LOOKS:
        for _ in db.execute(look):
            pass


def is_of_the_disk(error: Exception, path: Path) -> bool:
    """Tell whether the disk refuses, rather than the file being damaged."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is None or code & 0xFF not in OF_THE_DISK:
        return False
    if code & 0xFF != sqlite3.SQLITE_READONLY:
        return True
    # A flipped bit in its head declares a file read-only.
    with suppress(OSError), path.open("r+b"):
        return False
    return True


LOOKS = (
    "SELECT hash, role, seat, game_id FROM tokens",
    "SELECT key, value FROM meta",
    "SELECT game_id, total(seq + length(body) + length(digest)) FROM aside",
    "SELECT id, game, begun_at, closed, entries, digest FROM games ORDER BY number",
    "SELECT game_id, total(seq + length(body) + length(digest)) FROM entries "
    "GROUP BY game_id ORDER BY game_id",
)


@contextmanager
def open_for_reading(
    path: Path,
) -> Iterator[tuple[sqlite3.Connection, tuple[LinePart, ...]]]:
    """Give the file as it is now, for reading, and what a start would have to tell.

    Nothing beside or in it changes.

    Raises:
        OSError: There is no such file, or it cannot be read.
        sqlite3.Error: The same.
        NewerVersion: It was written by a newer Dragon Table.
    """
    with TemporaryDirectory(dir=memory()) as folder:
        db, mishaps = open_mended(copy_with_wal(path, Path(folder)))
        with closing(db):
            yield db, mishaps
