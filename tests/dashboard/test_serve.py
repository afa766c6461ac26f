"""The page over real sockets."""

import errno
import http.client
import json
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
from flask import Flask
from msgspec.structs import force_setattr

from companion.dashboard import CannotServe, Server, serve, start
from companion.dashboard.api import streams
from companion.dashboard.door import connections
from companion.dashboard.door.access import ACCESS
from companion.dashboard.door.auth import host_code, seat_code
from companion.dashboard.door.connections import (
    BODY_BYTES,
    GUEST_BYTES,
    IDLE_S,
    READ_S,
    REQUEST_S,
    SLOWEST_BYTES_S,
    UPLOADS,
    WAITING_EACH,
)
from companion.dashboard.door.guard import MOST_UPLOAD, UPLOAD
from companion.story.log import Undone
from tests.dashboard.browsing import make_app
from tests.dashboard.conftest import Clock
from tests.dashboard.fakes import FakeTable
from tests.dashboard.setting import SECRET

WITHIN_S = 60.0
"""For what a loaded machine may take; no bound of the table makes anything last so."""


@pytest.fixture
def server(app: Flask, game: FakeTable) -> Iterator[Server]:
    server = start(app, "127.0.0.1", 0)
    yield server
    server.close()


def ask(server: Server, path: str, **headers: str) -> http.client.HTTPResponse:
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=WITHIN_S)
    line.request("GET", path, headers=headers)
    answer = line.getresponse()
    answer.read()
    line.close()
    return answer


def test_serves_on_a_free_port(server: Server):
    assert server.port > 0
    assert ask(server, "/api/state").status == 200


def test_cookies_carry_the_true_port(server: Server):
    answer = ask(server, f"/j/{seat_code(SECRET, 'game-1', 0)}")

    assert f"dragon_seat_{server.port}=" in (answer.getheader("Set-Cookie") or "")


def test_a_taken_port_is_told_in_one_line(server: Server, app: Flask):
    with pytest.raises(CannotServe, match="choose another --port") as told:
        start(app, "127.0.0.1", server.port)

    assert "\n" not in str(told.value)
    assert str(server.port) in str(told.value)


def test_an_address_that_is_not_ours_is_told(app: Flask):
    with pytest.raises(CannotServe, match=r"192\.0\.2\.1"):
        start(app, "192.0.2.1", 0)


def test_a_port_that_cannot_be_is_told(app: Flask):
    with pytest.raises(CannotServe, match="70000"):
        start(app, "127.0.0.1", 70_000)


@pytest.mark.skipif(
    not hasattr(socket, "TCP_USER_TIMEOUT"), reason="this system has no such option"
)
def test_sleeping_phones_are_given_up(server: Server):
    listening = server._server.socket

    given_up_ms = listening.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)

    assert given_up_ms == 20_000


def test_a_stream_tells_of_a_tap_at_once(server: Server, game: FakeTable):
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=WITHIN_S)
    line.request("GET", "/api/events")
    stream = line.getresponse()
    numbers = []

    while len(numbers) < 2:
        text = stream.readline().decode()
        if text.startswith("data: ") and "version" in text:
            numbers.append(json.loads(text[6:])["seq"])
            if len(numbers) == 1:
                game.tell(_throw(game))

    line.close()
    assert numbers == [0, 1]


def _throw(game: FakeTable):
    from companion.story.log import Made

    story = game.snapshot.story
    assert story is not None
    return Made(story.game.parse(story.state, "throw 3"), "camera")


def test_closing_ends_open_streams_soon(app: Flask, game: FakeTable):
    server = start(app, "127.0.0.1", 0)
    listening = server._server.socket
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=WITHIN_S)
    line.request("GET", "/api/events")
    stream = line.getresponse()
    stream.readline()

    closing = threading.Thread(target=server.close)
    closing.start()
    while stream.readline():
        pass
    closing.join(WITHIN_S)

    assert not closing.is_alive()
    line.close()
    # Not by asking there: another test may have been given the port meanwhile. What is
    # not over in `CLOSE_S` goes on, as on a loaded machine.
    eventually(lambda: listening.fileno() == -1)


CAFE = "127.0.0.9"
"""All of the café's phones come from one address, and so does whoever sits there."""


def get(server: Server, path: str, address: str = CAFE) -> tuple[int, bytes]:
    """Ask as a phone does that keeps its connection no longer than needed."""
    line = http.client.HTTPConnection(
        "127.0.0.1", server.port, timeout=WITHIN_S, source_address=(address, 0)
    )
    line.request("GET", path)
    answer = line.getresponse()
    body = answer.read()
    line.close()
    return answer.status, body


HALVES = (
    b"",
    b"GET / HT",
    b"POST /api/act HTTP/1.1\r\nHost: localhost\r\n",
    b"POST /tally HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\n\r\n{",
    b"POST /tally HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
)
"""What somebody sends who never comes to an end."""


def closed(sockets: list[socket.socket]) -> int:
    """Return how many of *sockets* the table has closed by now."""
    gone = 0
    for one in sockets:
        one.settimeout(0)
        try:
            gone += one.recv(1 << 20) == b""
        except BlockingIOError:
            pass
        except OSError:
            gone += 1
    return gone


def eventually(what: Callable[[], bool]) -> None:
    """Wait until *what* holds, which no bound of the table makes last so long."""
    ends = time.perf_counter() + WITHIN_S
    while not what():
        assert time.perf_counter() < ends
        threading.Event().wait(0.01)


class Cafe:
    """A table with the true bounds, to which loopback addresses are like any other."""

    def __init__(self, app: Flask, clock: Clock) -> None:
        self.server, self.clock = start(app, "127.0.0.1", 0, clock), clock
        self.context = app.extensions["dragon_table"]
        self.held = self.server._server.active_channels
        self.open: list[socket.socket] = []

    def reach(self, address: str = CAFE) -> socket.socket:
        """Open a socket to the table from an address of this computer."""
        at = ("127.0.0.1", self.server.port)
        self.open.append(socket.create_connection(at, WITHIN_S, (address, 0)))
        return self.open[-1]

    def slow(self, many: int, address: str = CAFE) -> list[socket.socket]:
        """Open sockets on which nobody ever comes to an end."""
        sockets = [self.reach(address) for _ in range(many)]
        for number, one in enumerate(sockets):
            one.sendall(HALVES[number % len(HALVES)])
        return sockets


class Guest:
    """A phone in the café: its page and the files of it, and a stream that it keeps."""

    def __init__(self, cafe: Cafe) -> None:
        page, html = get(cafe.server, "/")
        files = re.findall(rb'(?:src|href)="(/static/[^"]+\.(?:js|css)[^"]*)"', html)
        self.got = [page, *(get(cafe.server, path.decode())[0] for path in files)]
        self.socket = cafe.reach()
        self.socket.sendall(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        self._text = b""
        self.got.append(int(self._line().split()[1]))

    def hear(self, seq: int) -> None:
        """Read the stream until it tells of entry *seq*."""
        while f'"seq":{seq},'.encode() not in self._line():
            pass

    def _line(self) -> bytes:
        while b"\n" not in self._text:
            self._text += self.socket.recv(1 << 16)
        line, _, self._text = self._text.partition(b"\n")
        return line


@pytest.fixture
def cafe(game: FakeTable, monkeypatch) -> Iterator[Cafe]:
    monkeypatch.setattr(streams, "is_own", lambda address: False)
    monkeypatch.setattr(serve, "POLL_S", 0.05)
    cafe = Cafe(make_app(game), Clock())
    yield cafe
    for one in cafe.open:
        one.close()
    cafe.server.close()


@pytest.mark.slow
def test_thirty_phones_behind_one_address_beside_two_hundred_slow_sockets(
    cafe: Cafe, game: FakeTable
):
    before = cafe.slow(200)

    guests = [Guest(cafe) for _ in range(30)]
    game.tell(_throw(game))
    for guest in guests:
        guest.hear(1)
    cafe.slow(200)

    # A page, its four scripts and two style sheets, and a stream.
    assert [guest.got for guest in guests] == [[200] * 8] * 30
    assert [get(cafe.server, "/api/state")[0] for _ in range(50)] == [200] * 50
    assert cafe.server._streams.open == 30
    eventually(lambda: len(cafe.held) <= 30 + WAITING_EACH)
    # Those that waited longest went, and nobody else; a connection is forgotten a
    # moment before its socket is closed.
    eventually(lambda: closed(before) >= 400 - WAITING_EACH)
    assert closed([guest.socket for guest in guests]) == 0


@pytest.mark.slow
def test_whoever_never_comes_to_an_end_is_closed_in_time_and_phones_are_not(
    cafe: Cafe, game: FakeTable
):
    guest = Guest(cafe)
    resting = cafe.reach()
    resting.sendall(b"GET /api/state HTTP/1.1\r\nHost: localhost\r\n\r\n")
    resting.recv(1 << 16)
    waiting = cafe.slow(20)
    eventually(lambda: len(cafe.held) == 22)

    cafe.clock.now_s += REQUEST_S - 1
    for one in waiting[2::5]:
        one.sendall(b"X: y\r\n")  # dribbling on does not help
    assert closed(waiting) == 0
    cafe.clock.now_s += 2
    eventually(lambda: closed(waiting) == 20)

    eventually(lambda: len(cafe.held) == 2)
    cafe.clock.now_s += IDLE_S
    eventually(lambda: closed([resting]) == 1)
    game.tell(_throw(game))
    guest.hear(1)


def deaf(cafe: Cafe, asked: bytes, many: int) -> None:
    """Ask for more than the network's own buffers hold, and never read it."""
    for _ in range(many):
        one = socket.socket()
        cafe.open.append(one)
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        one.connect(("127.0.0.1", cafe.server.port))
        one.sendall(asked)


def stuck(cafe: Cafe) -> int:
    """Return on how many connections an answer waits for its reader."""
    held = list(cafe.held.values())
    return sum(one.sending_since is not None for one in held)


@pytest.mark.slow
def test_whoever_never_reads_is_closed_in_time(cafe: Cafe):
    asked = b"GET /static/app.js HTTP/1.1\r\nHost: localhost\r\n\r\n" * 600
    deaf(cafe, asked, 5)
    eventually(lambda: stuck(cafe) == 5)
    assert get(cafe.server, "/api/state")[0] == 200

    # What went into the network's own buffers counts as read, and how much that is
    # nobody knows before it rests: more than all answers have cannot.
    _, file = get(cafe.server, "/static/app.js")
    most = 600 * (len(file) + 2_000)
    cafe.clock.now_s += READ_S + most / SLOWEST_BYTES_S + 1

    eventually(lambda: not cafe.held)


@pytest.mark.slow
def test_long_answers_that_wait_for_readers_are_only_so_many(cafe: Cafe, monkeypatch):
    force_setattr(cafe.context, "frames", lambda: b"\xff" * 8_000_000)
    guest = Guest(cafe)

    deaf(cafe, b"GET /picture HTTP/1.1\r\nHost: localhost\r\n\r\n", 12)

    eventually(lambda: stuck(cafe) == 12)
    # No time passes for the table: it is their number that they go by.
    monkeypatch.setattr(connections, "UNREAD", 4)

    eventually(lambda: len(cafe.held) == 1 + 4)
    assert get(cafe.server, "/api/state")[0] == 200
    assert closed([guest.socket]) == 0


@pytest.mark.slow
def test_in_all_there_are_only_so_many_and_the_greediest_gives_way(
    cafe: Cafe, monkeypatch
):
    monkeypatch.setattr(connections, "CONNECTIONS", 40)
    greedy = cafe.slow(60, "127.0.0.66")
    modest = cafe.slow(3, "127.0.0.77")

    assert get(cafe.server, "/", "127.0.0.88")[0] == 200

    eventually(lambda: len(cafe.held) <= 40)
    eventually(lambda: closed(greedy) >= 20)
    assert closed(modest) == 0


class GoneToSleep:
    """A socket of which the kernel has given up the other end."""

    def __init__(self, real: socket.socket) -> None:
        self._real = real

    def __getattr__(self, name: str) -> object:
        return getattr(self._real, name)

    def recv(self, _: int) -> bytes:
        raise TimeoutError(errno.ETIMEDOUT, "Connection timed out")

    def send(self, _: bytes) -> int:
        raise TimeoutError(errno.ETIMEDOUT, "Connection timed out")


@pytest.mark.slow
@pytest.mark.parametrize("while_reading", [True, False])
def test_a_phone_that_is_given_up_makes_room_and_no_traceback(
    while_reading: bool, cafe: Cafe, game: FakeTable, caplog
):
    guest = Guest(cafe)
    eventually(lambda: len(cafe.held) == 1)
    (held,) = list(cafe.held.values())
    held.socket = GoneToSleep(held.socket)

    if while_reading:
        guest.socket.sendall(b"x")
    else:
        game.tell(_throw(game))

    eventually(lambda: not cafe.held)
    game.tell(_throw(game) if while_reading else Undone("phone", None, "k"))
    eventually(lambda: cafe.server._streams.open == 0)
    assert caplog.text == ""


def head_of(cafe: Cafe, path: str, length: int, code: str = "") -> bytes:
    """Return the head of a post by a phone that was let in with *code*, or was not."""
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", f"Content-Length: {length}"]
    if code:
        answer = ask(cafe.server, f"/j/{code}")
        cookie = (answer.getheader("Set-Cookie") or "").partition(";")[0]
        lines.append(f"Cookie: lang=fr; {cookie}")
    return "\r\n".join([*lines, "", ""]).encode()


def refused(cafe: Cafe, head: bytes) -> bool:
    """Tell whether a post is refused for its length, by its head alone."""
    one, got = cafe.reach(), []
    one.sendall(head)
    one.setblocking(False)

    def answered() -> bool:
        with suppress(BlockingIOError):
            got.append(one.recv(12))
        return bool(got)

    def waits_for_the_body() -> bool:
        mine = [c for c in list(cafe.held.values()) if c.addr == one.getsockname()]
        asked = [c.request for c in mine if c.request is not None]
        return any(one.headers_finished and not one.completed for one in asked)

    eventually(lambda: answered() or waits_for_the_body())
    return bool(got) and got[0].endswith(b" 413")


@pytest.mark.slow
def test_only_so_many_long_bodies_are_taken_at_once(cafe: Cafe):
    kits = [cafe.reach() for _ in range(UPLOADS + 3)]
    head = head_of(cafe, UPLOAD[1], 20_000_000, host_code(SECRET))
    for one in kits:
        one.sendall(head)

    eventually(lambda: closed(kits) == 3)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "role", "most"),
    [
        ("/api/teach/kit", "host", MOST_UPLOAD),
        ("/api/teach/kit", "seat", BODY_BYTES),
        ("/api/teach/kit", "guest", GUEST_BYTES),
        ("/tally", "host", BODY_BYTES),
        ("/api/act", "seat", BODY_BYTES),
        ("/api/act", "guest", GUEST_BYTES),
        ("/nowhere", "guest", GUEST_BYTES),
    ],
)
def test_how_long_a_body_may_be_is_said_before_any_of_it_is_taken(
    path: str, role: str, most: int, cafe: Cafe
):
    codes = {"host": host_code(SECRET), "seat": seat_code(SECRET, "game-1", 0)}
    code = codes.get(role, "")

    assert refused(cafe, head_of(cafe, path, most, code))
    assert not refused(cafe, head_of(cafe, path, most - 1, code))
    assert UPLOAD in ACCESS


@pytest.mark.slow
def test_a_body_without_a_length_is_cut_where_a_guests_ends(cafe: Cafe):
    one = cafe.reach()
    one.sendall(
        b"POST /api/teach/kit HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    )

    one.sendall(b"2000\r\n" + b"x" * 0x2000 + b"\r\n")
    one.sendall(b"2000\r\n" + b"x" * 0x2000 + b"\r\n")

    assert one.recv(12).endswith(b" 413")


@pytest.mark.slow
@pytest.mark.parametrize("cookie", ["\xff", "dragon_host_80=x", "a" * 9000, ";;=;"])
def test_odd_cookies_make_nobody_a_host(cookie: str, cafe: Cafe):
    head = head_of(cafe, "/api/teach/kit", GUEST_BYTES)
    head = head.removesuffix(b"\r\n") + b"Cookie: " + cookie.encode("latin-1")

    assert refused(cafe, head + b"\r\n\r\n")
