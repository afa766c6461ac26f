"""Fifty phones on one table: soon told, nothing missed, nothing piled up."""

import gc
import random
import selectors
import socket
import time
from pathlib import Path

import pytest

from companion.dashboard import Server, start
from companion.dashboard.door.auth import seat_code
from companion.running.snapshot import Setup
from tests.dashboard.browsing import make_app
from tests.dashboard.fakes import FakeTable
from tests.dashboard.playing import play_on
from tests.dashboard.setting import PLAYERS, SECRET

PHONES = 50
LANGUAGES = ("fr", "en", "de")
WITHIN_S = 60.0


class Listener:
    """A phone that does nothing but listen; knows the newest id that it was told."""

    def __init__(self, port: int, language: str, cookie: str) -> None:
        self._port = port
        self._ask = (
            f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
            f"Accept-Language: {language}\r\nCookie: {cookie}\r\n"
        )
        self.newest = -1
        self.open()

    def open(self) -> None:
        self.socket = socket.create_connection(("127.0.0.1", self._port), WITHIN_S)
        last = f"Last-Event-ID: {self.newest}\r\n" if self.newest >= 0 else ""
        self.socket.sendall(f"{self._ask}{last}\r\n".encode())
        self._text = b""

    def drop(self) -> None:
        """Vanish without a word, as a phone does that leaves the house."""
        linger = (1).to_bytes(4, "little") + (0).to_bytes(4, "little")
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.socket.close()

    def read(self) -> None:
        self._text += self.socket.recv(1 << 16)
        *whole, self._text = self._text.split(b"\n\n")
        for event in whole:
            if b"\nevent: change\n" in event:
                number = int(event.split(b"id: ", 1)[1].split(b"\n", 1)[0])
                assert number >= self.newest
                self.newest = number


class Crowd:
    """All listeners, watched by one thread."""

    def __init__(self, listeners: list[Listener]) -> None:
        self.listeners = listeners
        self._watch = selectors.DefaultSelector()
        for one in listeners:
            self._watch.register(one.socket, selectors.EVENT_READ, one)

    def until_all_know(self, number: int) -> None:
        ends = time.perf_counter() + WITHIN_S
        while any(one.newest < number for one in self.listeners):
            assert time.perf_counter() < ends, f"somebody was not told of {number}"
            for key, _ in self._watch.select(WITHIN_S):
                key.data.read()

    def drop(self, one: Listener) -> None:
        self._watch.unregister(one.socket)
        one.drop()

    def come_back(self, one: Listener) -> None:
        one.open()
        self._watch.register(one.socket, selectors.EVENT_READ, one)

    def close(self) -> None:
        for one in self.listeners:
            one.socket.close()
        self._watch.close()


def seat_cookie(server: Server, game_id: str, seat: int) -> str:
    """Return the cookie that a phone gets for a seat's code."""
    with socket.create_connection(("127.0.0.1", server.port), WITHIN_S) as phone:
        code = seat_code(SECRET, game_id, seat)
        phone.sendall(f"GET /j/{code} HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n".encode())
        head = b"".join(iter(lambda: phone.recv(4096), b"")).decode()
    return head.split("Set-Cookie: ")[1].split(";")[0]


def held_kb() -> int:
    """Return the memory that this process holds, in kB."""
    gc.collect()
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0])


def evening(game: FakeTable, events: int, drops: int) -> tuple[list[float], int]:
    """Return how many seconds each event took to the last phone, and the growth in kB.

    At every *events* / *drops* event a phone is cut off just before it and comes back
    after it; it has to know it all the same.
    """
    app = make_app(game)
    app.extensions["dragon_table"].streams.beat_s = 2.0
    server = start(app, "127.0.0.1", 0)
    cookies = [
        seat_cookie(server, game.snapshot.game_id or "", seat) for seat in range(3)
    ]
    cookies += [""] * (PHONES - 3)
    crowd = Crowd(
        [Listener(server.port, LANGUAGES[n % 3], c) for n, c in enumerate(cookies)]
    )
    crowd.until_all_know(0)
    rng, took, before = random.Random(5), [], held_kb()
    for number in range(events):
        if number == events // 4:
            before = held_kb()  # the first events load templates, words and buffers
        if number % (events // drops) == 0:
            gone = rng.choice(crowd.listeners)
            crowd.drop(gone)
            newest = step(game, rng)
            crowd.come_back(gone)
            crowd.until_all_know(newest)
            continue
        began = time.perf_counter()
        crowd.until_all_know(step(game, rng))
        took.append(time.perf_counter() - began)
    grown = held_kb() - before
    crowd.close()
    server.close()
    return took, grown


def step(game: FakeTable, rng: random.Random) -> int:
    """Let one thing happen, and return its number."""
    play_on(game, rng, 1, "over")
    assert game.snapshot.story is not None
    return game.snapshot.story.seq


def percentile(times: list[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


@pytest.mark.slow
def test_fifty_phones_are_told_and_none_misses_anything(game: FakeTable):
    took, grown = evening(game, events=40, drops=10)

    # That all are told is held here; how soon, in `make long`, without coverage: beside
    # other work it took 154 ms once, where half of them take 51 ms there.
    assert len(took) == 30  # 40 events less those of the 10 drops
    assert grown < 20_000  # kB


@pytest.mark.long
def test_fifty_phones_for_an_evening_with_sixty_drops(
    table: FakeTable, record_property
):
    took: list[float] = []
    grown = 0
    for _ in range(3):
        table.open_game(Setup("drachenhort", PLAYERS))
        times, more = evening(table, events=100, drops=20)
        took, grown = took + times, grown + more

    p50, p99 = (round(1000 * percentile(took, share)) for share in (0.5, 0.99))
    told = f"{len(took)} events to 50 phones: p50 {p50} ms, p99 {p99} ms"
    record_property("figures", f"{told}; 60 drops, none missed; {grown} kB grown")
    assert p99 <= 150
    assert grown < 20_000  # kB
