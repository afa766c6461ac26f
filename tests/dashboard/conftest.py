"""A table with the real rules and no hardware, and phones that are held by somebody."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, BrowserContext

from companion.dashboard import Server, create_app, start
from companion.dashboard.api.streams import Streams
from companion.dashboard.door.auth import host_code, seat_code
from companion.running.snapshot import Setup
from tests.dashboard.browsing import Phone, make_app
from tests.dashboard.fakes import FakeTable
from tests.dashboard.playing import play_on
from tests.dashboard.setting import ADDRESS, PIN, PLAYERS, SECRET


class Clock:
    """Seconds that grow when a test says so."""

    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


class Phones:
    """Hands out phones: `host()`, `seat(n)`, `viewer()`."""

    def __init__(self, app: Flask, table: FakeTable) -> None:
        self._app = app
        self._table = table

    def viewer(self) -> FlaskClient:
        return self._app.test_client()

    def host(self) -> FlaskClient:
        phone = self.viewer()
        phone.get(f"/j/{host_code(SECRET)}")
        return phone

    def seat(self, seat: int) -> FlaskClient:
        phone = self.viewer()
        game_id = self._table.snapshot.game_id
        assert game_id is not None
        code = seat_code(SECRET, game_id, seat, self._table.tokens())
        phone.get(f"/j/{code}")
        return phone


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def table() -> FakeTable:
    return FakeTable()


@pytest.fixture
def streams() -> Streams:
    return Streams(most=5, most_each=2, kept=0, beat_s=0.01, life_s=600.0)


@pytest.fixture
def app(table: FakeTable, streams: Streams, clock: Clock) -> Flask:
    return create_app(
        table,
        secret=SECRET,
        pin=PIN,
        address=ADDRESS,
        streams=streams,
        clock=clock,
        strict_words=True,
    )


@pytest.fixture
def phones(app: Flask, table: FakeTable) -> Phones:
    return Phones(app, table)


@pytest.fixture
def game(table: FakeTable) -> FakeTable:
    """A game of three that has just begun; Ana throws first."""
    table.open_game(Setup("drachenhort", PLAYERS))
    return table


@pytest.fixture
def play(table: FakeTable) -> Callable[..., None]:
    """Play on at random, until *until* holds or for *moves* moves."""

    def go(moves: int = 10_000, seed: int = 1, until: str = "over") -> None:
        play_on(table, random.Random(seed), moves, until)

    return go


@pytest.fixture
def server(game: FakeTable) -> Iterator[Server]:
    server = start(make_app(game), "127.0.0.1", 0)
    yield server
    server.close()


@pytest.fixture
def phone(browser: Browser, server: Server) -> Iterator[Callable[..., Phone]]:
    """Hands out phones with a browser: `phone(width, height, **options)`.

    At the end none of them may have met a fault, or asked anybody but the table.
    """
    contexts: list[BrowserContext] = []
    phones: list[Phone] = []

    def pick_up(width: int = 390, height: int = 844, **options: Any) -> Phone:
        options = {"locale": "fr", "color_scheme": "light"} | options
        size: Any = {"width": width, "height": height}
        contexts.append(browser.new_context(viewport=size, **options))
        phones.append(Phone(contexts[-1], server.port))
        return phones[-1]

    yield pick_up
    for context in contexts:
        context.close()
    for one in phones:
        one.check()
