"""Keeps a second start from disturbing the table that runs already."""

import fcntl
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from companion.cli.errors import BadInput

LOCK_NAME = "running.lock"


@contextmanager
def alone(data: Path, port: int) -> Iterator[None]:
    """Hold the data folder for this program, before anything else is opened.

    A second start would resume the same game, fight for the pins and the camera, and
    only then find the page's port taken. The kernel lets the lock go with the process,
    however it ends.

    Args:
        data: Folder of games and secrets; made where there is none.
        port: Where the page will be served, told to whoever starts a second time; 0 for
            any.

    Raises:
        BadInput: A table runs there already, or the folder cannot be used; or something
            else listens on the port.
    """
    try:
        data.mkdir(parents=True, exist_ok=True)
        lock = (data / LOCK_NAME).open("a+")
    except OSError as error:
        raise BadInput(f"{data} cannot be used: {error.strerror}") from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise BadInput(_runs_already(data, lock.name)) from error
        lock.truncate(0)
        lock.write(f"{os.getpid()} {port}\n")
        lock.flush()
        _see_that_it_is_free(port)
        yield
        with suppress(OSError):
            lock.truncate(0)


def _runs_already(data: Path, name: str) -> str:
    number, _, port = Path(name).read_text(encoding="utf-8").strip().partition(" ")
    where = f" at http://127.0.0.1:{port}" if port not in ("", "0") else ""
    return (
        f"Dragon Table runs already{where} (process {number or 'unknown'}) "
        f"with {data}; use that one, or stop it first"
    )


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
            raise BadInput(
                f"port {port} cannot be used: {error.strerror}; choose another --port"
            ) from error
