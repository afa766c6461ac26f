"""Carries the page: waitress in our own process, bounded so that phones cannot stop it.

Sleeping phones vanish without a word, so the kernel itself is told to give a connection
up when nothing is acknowledged any more.
"""

import logging
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from flask import Flask
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.server import TcpWSGIServer

from companion.dashboard.context import Context
from companion.dashboard.door.connections import (
    CONNECTIONS,
    Connection,
    LongestBody,
    gives_way,
    overdue,
)
from companion.dashboard.door.guard import MOST_UPLOAD, longest_body

THREADS = 112
"""Two for each of 50 phones (a stream and a tap), and some to spare."""

GIVE_UP_MS = 20_000
"""How long data to a phone may go unacknowledged; measured to free a stream in 40 s."""

BACKLOG = 256
POLL_S = 1.0
CLOSE_S = 5.0

# It warns of every request that has to wait a moment for a thread, which is no news.
logging.getLogger("waitress.queue").setLevel(logging.ERROR)


class CannotServe(OSError):
    """The page cannot be served there; the message says why and what to do."""


class _Bounded(TcpWSGIServer):  # type: ignore[misc]  # waitress ships no types
    """Waitress that closes what keeps it waiting, so that there is room for phones."""

    channel_class = Connection
    clock: Callable[[], float] = staticmethod(time.monotonic)
    longest_body: LongestBody

    def accept(self) -> tuple[socket.socket, Any] | None:
        accepted: tuple[socket.socket, Any] | None = super().accept()
        if accepted is None:
            return None
        connection, address = accepted
        may_come, longest = gives_way(self.active_channels.values(), address[0])
        if longest is not None:
            longest.handle_close()
        if not may_come:
            connection.close()
            return None
        return accepted

    def maintenance(self, now: float) -> None:
        """Leave what is too slow to `tidy`, whose clock never jumps."""

    def tidy(self) -> None:
        """Close what is too slow; only for the thread that watches the sockets."""
        for one in overdue(self.active_channels.values(), self.clock()):
            one.handle_close()


class Server:
    """A page that is being served; *port* is the true one even when 0 was asked for.

    Args:
        clock: Seconds that only ever grow; slow connections are timed by it.
    """

    def __init__(
        self,
        app: Flask,
        listening: socket.socket,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        context = app.extensions["dragon_table"]
        assert isinstance(context, Context)
        self._streams = context.streams
        self.port: int = listening.getsockname()[1]
        sockinfo = (
            listening.family,
            listening.type,
            listening.proto,
            listening.getsockname(),
        )
        self._server = _Bounded(
            app,
            _sock=listening,
            bind_socket=False,
            sockinfo=sockinfo,
            adj=Adjustments(
                sockets=[listening],
                threads=THREADS,
                # A last bound; `gives_way` keeps below it.
                connection_limit=CONNECTIONS + 50,
                backlog=BACKLOG,
                ident="dragon-table",
                # A phone that sleeps or leaves is no fault: each would be a traceback.
                log_socket_errors=False,
                # A page and a stream are small; whoever reads slower than that is gone.
                outbuf_high_watermark=64 * 1024,
                # A last bound; each head is asked for its own.
                max_request_body_size=MOST_UPLOAD,
                max_request_header_size=32 * 1024,
            ),
        )
        self._server.clock = clock
        self._server.longest_body = partial(longest_body, context, self.port)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="page", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End all streams, wait for what is being answered, then stop listening."""
        if self._ended.is_set():
            return
        self._streams.end()
        self._server.task_dispatcher.shutdown(timeout=CLOSE_S)
        self._ended.set()
        # It only wakes the thread sooner; one that is awake may be through already.
        with suppress(OSError):
            self._server.pull_trigger()
        self._thread.join(CLOSE_S)

    def _watch(self) -> None:
        """Watch the sockets until the end; only this thread may close them."""
        sockets, tidied = self._server._map, time.monotonic()
        while not self._ended.is_set():
            # select() fails for good on the 1025th open file; poll() does not.
            wasyncore.loop(POLL_S, use_poll=True, map=sockets, count=1)
            if time.monotonic() >= tidied + POLL_S:
                tidied = time.monotonic()
                self._server.tidy()
        for channel in list(self._server.active_channels.values()):
            channel.handle_close()
        self._server.close()


def start(
    app: Flask,
    host: str = "0.0.0.0",
    port: int = 8000,
    clock: Callable[[], float] = time.monotonic,
) -> Server:
    """Serve *app* in a thread of its own; *port* 0 takes any free one.

    Raises:
        CannotServe: The port is taken, or the address is not this machine's.
    """
    return Server(app, _listen(host, port), clock)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # Connections inherit it from the listening socket. Not every system has it.
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GIVE_UP_MS)
    try:
        listening.bind((host, port))
    except (OSError, OverflowError) as error:
        listening.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise CannotServe(
            f"cannot serve on {host}:{port}: {reason}; choose another --port"
        ) from error
    return listening
