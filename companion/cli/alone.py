"""Keeps a second start from disturbing the table that runs already."""

import fcntl
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from companion.cli.errors import BadInput
from companion.files import UNREADABLE
from companion.words.said import Part, Said, say

LOCK_NAME = "running.lock"
"""Says which process holds the folder, and where its page is."""


@contextmanager
def hold_folder(data: Path, port: int) -> Iterator[None]:
    """Hold the data folder for this program, before anything else is opened.

    A second start would resume the same game, fight for the pins and the camera, and
    only then find the page's port taken. The kernel lets the lock go with the process,
    however it ends. The folder itself is locked, as a full or read-only card takes no
    file more.

    Where the folder cannot be used at all the table is not kept from coming up.

    Args:
        data: Folder of games and secrets; made where there is none.
        port: Where the page will be served, printed by a second start; 0 for
            any.

    Raises:
        BadInput: A table runs there already, or something else listens on the port.
    """
    # Whether anything can be kept there is for the store to say.
    with suppress(OSError):
        data.mkdir(parents=True, exist_ok=True)
    folder = _opened(data)
    try:
        if folder is not None:
            _lock(folder, data)
        with suppress(OSError):
            (data / LOCK_NAME).write_text(f"{os.getpid()} {port}\n", encoding="utf-8")
        _see_that_it_is_free(port)
        yield
        with suppress(OSError):
            os.truncate(data / LOCK_NAME, 0)
    finally:
        if folder is not None:
            os.close(folder)


def _opened(data: Path) -> int | None:
    try:
        return os.open(data, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return None


def _lock(folder: int, data: Path) -> None:
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise BadInput(_runs_already(data)) from error
    except OSError:
        # A disk of another computer may know no locks; the page's port guards as well.
        return


def _runs_already(data: Path) -> Said:
    number, port = "", ""
    with suppress(*UNREADABLE):
        text = (data / LOCK_NAME).read_text(encoding="utf-8")
        number, _, port = text.strip().partition(" ")
    values: dict[str, Part] = {"process": number or "?", "data": str(data)}
    if port in ("", "0"):
        return say("terminal.runs", **values)
    return say("terminal.runs_at", at=f"http://127.0.0.1:{port}", **values)


def _see_that_it_is_free(port: int) -> None:
    """Look whether the page can be served, before pins and camera are opened."""
    if port == 0:
        return
    with socket.socket() as probe:
        # As the server does it: a port that was just left is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("0.0.0.0", port))
        except OSError as error:
            why = str(error.strerror)
            raise BadInput(say("terminal.port", port=port, why=why)) from error
