"""The page over real sockets."""

import http.client
import json
import socket
import threading
from collections.abc import Iterator

import pytest
from flask import Flask

from companion.dashboard import CannotServe, Server, start
from companion.dashboard.auth import seat_code
from companion.dashboard.serve import CONNECTIONS_EACH
from tests.dashboard.fakes import FakeTable
from tests.dashboard.setting import SECRET


@pytest.fixture
def server(app: Flask, game: FakeTable) -> Iterator[Server]:
    server = start(app, "127.0.0.1", 0)
    yield server
    server.close()


def ask(server: Server, path: str, **headers: str) -> http.client.HTTPResponse:
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
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
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
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
    from companion.log import Made

    story = game.snapshot.story
    assert story is not None
    return Made(story.game.parse(story.state, "throw 3"), "camera")


def test_closing_ends_open_streams_soon(app: Flask, game: FakeTable):
    server = start(app, "127.0.0.1", 0)
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    line.request("GET", "/api/events")
    stream = line.getresponse()
    stream.readline()

    closing = threading.Thread(target=server.close)
    closing.start()
    while stream.readline():
        pass
    closing.join(10)

    assert not closing.is_alive()
    line.close()
    with pytest.raises(OSError):  # noqa: PT011 - refused or reset, as the system likes
        ask(server, "/")


def test_many_slow_sockets_do_not_stop_the_table(server: Server):
    # Half a request each, as a phone sends that loses its network.
    slow = []
    for _ in range(150):
        one = socket.create_connection(("127.0.0.1", server.port), 10)
        one.sendall(b"POST /api/act HTTP/1.1\r\nHost: localhost\r\n")
        slow.append(one)

    status = ask(server, "/api/state").status

    for one in slow:
        one.close()
    assert status == 200


def test_one_address_has_only_so_many_connections(server: Server, monkeypatch):
    from companion.dashboard import serve

    monkeypatch.setattr(serve, "is_own", lambda address: False)
    held = [
        socket.create_connection(("127.0.0.1", server.port), 10)
        for _ in range(CONNECTIONS_EACH)
    ]
    for one in held:
        one.sendall(b"GET /api/state HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert one.recv(15).startswith(b"HTTP/1.1 200")

    more = socket.create_connection(("127.0.0.1", server.port), 10)
    try:
        more.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        told = more.recv(100)
    except OSError:
        told = b""

    for one in (*held, more):
        one.close()
    assert told == b""
