"""A disk that refuses, at any of the points at which our own code writes.

The games' file is SQLite's: there the kernel is told to refuse (`test_refusing_disk`).
All other files are written by Python; there its calls are refused, each in its turn.
"""

import errno
import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

FULL, FAILS, READ_ONLY = errno.ENOSPC, errno.EIO, errno.EROFS

FREES = frozenset({"unlink", "rmdir"})
"""What a full disk never refuses."""

CALLS = {"open": 0, "fsync": 0, "replace": 1, "rename": 1, "mkdir": 0, "unlink": 0,
         "rmdir": 0}  # fmt: skip
"""The calls of `os` that write, and which argument says where."""


class Disk:
    """Refuses what is written below *folder* from the *first* point on.

    `points` are those that were come to so far, each a call and a path.
    """

    def __init__(self, folder: Path, code: int, first: int) -> None:
        self._folder, self._code, self._first = folder, code, first
        self.points: list[str] = []

    def come_to(self, call: str, path: Any) -> None:
        """Take note of a point; refuse it where it is time to.

        Raises:
            OSError: It is.
        """
        path = _path_of(path)
        if not path.is_relative_to(self._folder):
            return
        self.points.append(f"{call} {path.name}")
        frees = call in FREES and self._code == FULL
        if len(self.points) >= self._first and not frees:
            raise OSError(self._code, os.strerror(self._code), str(path))


class _Written:
    """A file that is open to be written; each write is a point."""

    def __init__(self, file: Any, disk: Disk, path: Any) -> None:
        self._file, self._disk, self._path = file, disk, path

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def __enter__(self) -> "_Written":
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def write(self, content: Any) -> int:
        self._disk.come_to("write", self._path)
        written: int = self._file.write(content)
        return written


@contextmanager
def refusing(folder: Path, code: int, first: int) -> Iterator[Disk]:
    """Refuse all that is written below *folder* from the *first* point on."""
    disk = Disk(folder, code, first)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(io, "open", partial(_open, disk, io.open))
        for call, at in CALLS.items():
            real = getattr(os, call)
            patch.setattr(os, call, partial(_call, disk, call, real, at))
        yield disk


def _open(
    disk: Disk, real: Any, path: Any, mode: str = "r", *args: Any, **more: Any
) -> Any:
    """Open a file as `io.open` does."""
    if not set(mode) & set("wax+"):
        return real(path, mode, *args, **more)
    # What is opened by its number came to its point when it got that.
    if not isinstance(path, int):
        disk.come_to("open", path)
    name = _path_of(path)
    return _Written(real(path, mode, *args, **more), disk, name)


def _call(disk: Disk, call: str, real: Any, at: int, *args: Any, **more: Any) -> Any:
    """Call a function of `os`, unless it is refused."""
    reads = call == "open" and not args[1] & (os.O_WRONLY | os.O_RDWR)
    if not reads:
        folder = more.get("dir_fd")
        disk.come_to(call, args[at] if folder is None else folder)
    return real(*args, **more)


def _path_of(file: Any) -> Path:
    """Return where a file lies, by its name or its number."""
    if isinstance(file, int):
        return Path(f"/proc/self/fd/{file}").readlink()
    return Path(file)
