"""Files that people or a pulled plug may have spoilt, and how to keep them whole.

A rename alone is not enough: after a power cut the new name may lead to a file without
content, or to the old one. So what is renamed is on the disk before, and the folder
that knows its name after.

Source: Linux manual, fsync(2): "Calling fsync() does not necessarily ensure that the
entry in the directory containing the file has also reached disk."
"""

import errno
import os
import struct
import zipfile
import zlib
from contextlib import suppress
from pathlib import Path

UNREADABLE = (OSError, ValueError, RecursionError)
"""What reading a file may raise that anybody may have edited or a power cut has cut:
it is not there, it is no TOML or JSON, or it has a thousand brackets."""

BROKEN_ZIP = (
    zipfile.BadZipFile, zlib.error, struct.error, OSError, EOFError, ValueError,
    RuntimeError, LookupError,
)  # fmt: skip
"""What opening and reading an archive raises that anybody may have made or cut off:
`RuntimeError` where it is encrypted, `LookupError` where a file in it is missing."""

_NO_SUCH_CALL = frozenset({errno.EINVAL, errno.ENOTSUP})
"""What a folder answers on file systems that know no fsync of folders."""


def read_part(packed: zipfile.ZipFile, part: zipfile.ZipInfo) -> bytes:
    """Return a file of an archive; no more is unpacked than it says that it has.

    zipfile unpacks all there is before it cuts: of a megabyte, gigabytes may come. And
    of two ways of packing, which we never use, not even a part alone can be unpacked.

    Raises:
        BROKEN_ZIP: It is damaged, or packed in a way that is not ours.
    """
    if part.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise zipfile.BadZipFile(f"{part.filename[:60]!r} is packed in a strange way")
    with packed.open(part) as file:
        return file.read(part.file_size)


def write_whole(path: Path, content: bytes, mode: int = 0o666) -> None:
    """Write a file so that it is there as a whole or not at all, and lasts.

    Args:
        path: The file; what was there before is replaced.
        content: All of it.
        mode: Who may read it, less what the process masks.

    Raises:
        OSError: The disk refuses; what was there before is still there.
    """
    fresh = path.with_name(f".{path.name}.new")
    try:
        # One that a power cut left behind may have had other rights.
        fresh.unlink(missing_ok=True)
        number = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(number, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(number)
        rename(fresh, path)
    except OSError:
        # On a full disk the half of it would take the room that others need.
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise


def put_in_place(fresh: Path, path: Path) -> None:
    """Rename a finished file or folder so that it lasts, with all that is in it.

    Raises:
        OSError: The disk refuses; *path* is as before.
    """
    for below in sorted(fresh.rglob("*")) if fresh.is_dir() else ():
        sync(below)
    sync(fresh)
    rename(fresh, path)


def rename(fresh: Path, path: Path) -> None:
    """Rename a file or folder so that its new name lasts, whatever is in it.

    Raises:
        OSError: The disk refuses; it may have either name then.
    """
    fresh.replace(path)
    sync(path.parent)


def sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk.

    Raises:
        OSError: The disk refuses.
    """
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    except OSError as error:
        if not path.is_dir() or error.errno not in _NO_SUCH_CALL:
            raise
    finally:
        os.close(number)
