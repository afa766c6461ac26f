"""A real table with disk, lesson and server, for requests that nobody expects."""

import http.client
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from flask import Flask

from companion.dashboard import Server, create_app, start
from companion.dashboard.api.streams import Streams
from companion.dashboard.door.auth import host_code, seat_code
from companion.running.service import Table
from companion.running.snapshot import ButtonStatus
from companion.running.wifi import WifiFiles
from companion.teaching.teacher import KitTeacher
from tests.dashboard.setting import ADDRESS, PIN, SECRET
from tests.running.table_setup import SETUP, running


@dataclass
class ServedTable:
    """A table that is served, and the cookies of a phone that may do everything.

    The phone is the host's and sits at the first seat.
    """

    table: Table
    app: Flask
    server: Server
    cookies: dict[str, str]

    @property
    def cookie(self) -> str:
        return "; ".join(f"{name}={text}" for name, text in self.cookies.items())


@contextmanager
def with_lesson(
    folder: Path, streams: Streams | None = None
) -> Iterator[tuple[Table, Flask]]:
    """Return a table with a game and a lesson, all in a folder, and its pages."""
    (folder / "kits").mkdir()
    with running(folder) as table:
        table.notice_buttons(ButtonStatus("mock", simulated=True), lambda *_: None)
        table.open_game(SETUP)
        app = create_app(
            table,
            secret=SECRET,
            pin=PIN,
            address=ADDRESS,
            streams=streams,
            networks=WifiFiles(folder / "wifi.json", folder / "hotspot.json"),
            teacher=KitTeacher(folder / "kits", lambda *_: None),
            strict_words=True,
        )
        yield table, app


@contextmanager
def served(folder: Path) -> Iterator[ServedTable]:
    """Serve a table with a game on loopback; its streams end with their first event."""
    with with_lesson(folder, Streams(life_s=0.0)) as (table, app):
        server = start(app, "127.0.0.1", 0)
        try:
            game_id = table.snapshot.game_id
            assert game_id is not None
            codes = host_code(SECRET), seat_code(SECRET, game_id, 0)
            cookies = dict(_let_in(server, code) for code in codes)
            yield ServedTable(table, app, server, cookies)
        finally:
            server.close()


def _let_in(server: Server, code: str) -> tuple[str, str]:
    """Return name and value of the cookie that a phone gets for *code*."""
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    line.request("GET", f"/j/{code}")
    answer = line.getresponse()
    answer.read()
    line.close()
    name, _, value = (answer.getheader("Set-Cookie") or "").partition("=")
    return name, value.partition(";")[0]
