"""Carries a hub's pages: waitress, with a thread for each screen that listens."""

import threading
from contextlib import suppress
from typing import Any

from flask import Flask
from waitress import wasyncore
from waitress.server import create_server

from companion.club.hub.room import Room
from companion.club.pages.app import MOST_STREAMS

THREADS = MOST_STREAMS + 12
"""One for each stream, and some for the pages that are asked for meanwhile."""

CONNECTIONS = 500
POLL_S = 1.0
CLOSE_S = 5.0


class Server:
    """Pages that are being served; *port* is the true one even when 0 was asked for.

    Args:
        app: The pages.
        host: Where to listen.
        port: The same.

    Raises:
        OSError: The port is taken.
    """

    def __init__(self, app: Flask, host: str, port: int) -> None:
        room = app.extensions["club_room"]
        assert isinstance(room, Room)
        self._room = room
        self._map: dict[int, Any] = {}
        self._server = create_server(
            app, host=host, port=port, threads=THREADS, map=self._map,
            connection_limit=CONNECTIONS, ident="dragon-table",
            log_socket_errors=False,
        )  # fmt: skip
        self.port = int(self._server.effective_port)
        self._ended = threading.Event()
        self._thread = threading.Thread(
            target=self._watch, name="club pages", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """Stop listening; screens open a new stream with another hub."""
        self._room.end()
        self._server.task_dispatcher.shutdown(timeout=CLOSE_S)
        self._ended.set()
        # It only wakes the thread sooner.
        with suppress(OSError):
            self._server.pull_trigger()
        self._thread.join(CLOSE_S)

    def _watch(self) -> None:
        """Watch the sockets until the end; only this thread may close them."""
        while not self._ended.is_set():
            wasyncore.loop(POLL_S, use_poll=True, map=self._map, count=1)
        for channel in list(self._server.active_channels.values()):
            channel.handle_close()
        self._server.close()
