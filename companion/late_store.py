"""Stands in for a store that cannot be opened now, so that the table comes up.

A card that is full or read-only cannot even be read in SQLite's usual way. What stands
in the file is copied into memory, so that the game that ran is back on the table; each
write tries the file again, and fails as on any disk that refuses until it opens.
"""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.store import MIGRATIONS, Store, StoreTrouble

IN_MEMORY = Path("/dev/shm")
"""A folder that lives in memory, where the system has one: the card may be full."""


class LateStore(Store):
    """The store of a file that could not be opened.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.warning: str | None = None
        self._db = sqlite3.connect(
            ":memory:", isolation_level=None, check_same_thread=False
        )
        self._is_open = False
        _copy_into(self._db, path)
        self._migrate()

    def open(self) -> None:
        """Open the file, where that was not done yet.

        Raises:
            StoreTrouble: It cannot be opened still.
        """
        if self._is_open:
            return
        try:
            opened, copy = Store(self.path), self._db
        except StoreTrouble:
            raise
        except OSError as error:
            # A read-only card refuses before SQLite is asked.
            raise StoreTrouble(f"cannot open {self.path}: {error.strerror}") from error
        vars(self).update(vars(opened))
        self._is_open = True
        copy.close()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        self.open()
        with super()._writing() as db:
            yield db


def open_store(path: Path) -> Store:
    """Return the store of a file, or what stands in for it until it can be opened."""
    try:
        return Store(path)
    except OSError:
        return LateStore(path)


def _copy_into(db: sqlite3.Connection, path: Path) -> None:
    """Copy what can be read of a file and of its log of writes; nothing where none can.

    Both are opened away from a disk that has no room for what SQLite puts beside them.
    """
    try:
        with TemporaryDirectory(
            dir=IN_MEMORY if IN_MEMORY.is_dir() else None
        ) as folder:
            there = Path(folder) / path.name
            for end in ("", "-wal"):
                if (found := path.with_name(path.name + end)).exists():
                    shutil.copyfile(found, there.with_name(path.name + end))
            with closing(sqlite3.connect(there)) as read:
                (version,) = read.execute("PRAGMA user_version").fetchone()
                (verdict,) = read.execute("PRAGMA quick_check").fetchone()
                if verdict == "ok" and version <= len(MIGRATIONS):
                    read.backup(db)
    except (OSError, sqlite3.Error):
        # Nothing of it can be read: an empty table beats none, and nothing is lost.
        return
