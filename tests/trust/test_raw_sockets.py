"""Bytes that are no request, or two at once, slow ones and cut ones: nothing breaks.

After each of them the table answers a plain request, and nothing was done or logged.
"""

import http.client
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.trust.fuzzing import ServedTable, served

END = b"\r\n\r\n"
ACT = b"POST /api/act HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
FORM = (
    b"POST /api/teach/kit HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: multipart/form-data; boundary=end\r\n"
)
LEAVE = (
    b"POST /api/leave HTTP/1.1\r\nHost: localhost\r\nCookie: %s\r\n"
    b"Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
)
"""What is smuggled: it would put the game away."""

LAST = b"GET /nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

MALFORMED = {
    "nothing": b"",
    "blank lines": b"\r\n" * 1000,
    "HTTP/0.9": b"GET /\r\n\r\n",
    "HTTP/9.9": b"GET / HTTP/9.9\r\nHost: localhost" + END,
    "no version": b"GET / HTTP/\r\nHost: localhost" + END,
    "another protocol": b"SSH-2.0-OpenSSH_9.6\r\n",
    "TLS": bytes.fromhex("16030100f8010000f40303") + b"\0" * 240,
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "only NUL": b"\0" * 4096,
    "NUL in the path": b"GET /\0 HTTP/1.1\r\nHost: localhost" + END,
    "NUL in a header": b"GET / HTTP/1.1\r\nHost: localhost\r\nX: a\0b" + END,
    "a line feed alone": b"GET / HTTP/1.1\nHost: localhost\n\n",
    "a carriage return alone": b"GET / HTTP/1.1\rHost: localhost\r\r",
    "a header of 100 kB": b"GET / HTTP/1.1\r\nX: " + b"a" * 100_000 + END,
    "10,000 headers": b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 10_000 + b"\r\n",
    "a path of 100 kB": b"GET /" + b"a" * 100_000 + b" HTTP/1.1" + END,
    "a header without a name": b"GET / HTTP/1.1\r\nHost: localhost\r\n: x" + END,
    "a header with a blank": b"GET / HTTP/1.1\r\nHost : localhost" + END,
    "a folded header": b"GET / HTTP/1.1\r\nHost: localhost\r\nX: a\r\n  b" + END,
    "no host": b"GET / HTTP/1.1" + END,
    "two hosts": b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example" + END,
    "another's address": b"GET http://evil.example/ HTTP/1.1\r\nHost: localhost" + END,
    "an address that is none": b"GET http://[::/ HTTP/1.1\r\nHost: localhost" + END,
    "a tunnel": b"CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443" + END,
    "a path up": b"GET /static/../../../etc/passwd HTTP/1.1\r\nHost: localhost" + END,
    "the same in percents": (
        b"GET /static/%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: localhost" + END
    ),
    "percents that are none": b"GET /%zz%%%ff HTTP/1.1\r\nHost: localhost" + END,
    "no UTF-8 in the path": b"GET /\xff\xfe HTTP/1.1\r\nHost: localhost" + END,
    "no UTF-8 behind the path": (
        b"GET /rules?game=dr\xbfo&lang=\xff HTTP/1.1\r\nHost: localhost" + END
    ),
    "a method of 10 kB": b"A" * 10_000 + b" / HTTP/1.1\r\nHost: localhost" + END,
    "a length below nothing": ACT + b"Content-Length: -1" + END + b"{}",
    "a length that is none": ACT + b"Content-Length: two" + END + b"{}",
    "a length in hex": ACT + b"Content-Length: 0x2" + END + b"{}",
    "a length with a plus": ACT + b"Content-Length: +2" + END + b"{}",
    "an endless length": ACT + b"Content-Length: " + b"9" * 400 + END,
    "a chunk of no size": ACT + b"Transfer-Encoding: chunked" + END + b"zz\r\n{}\r\n",
    "a chunk below nothing": ACT + b"Transfer-Encoding: chunked" + END + b"-1\r\n{}",
    "a chunk of an endless size": (
        ACT + b"Transfer-Encoding: chunked" + END + b"f" * 400 + b"\r\n{}"
    ),
    "a chunk without an end": (
        ACT + b"Transfer-Encoding: chunked" + END + b"2\r\n{}XX0\r\n\r\n"
    ),
    "an encoding that is none": ACT + b"Transfer-Encoding: gzip" + END + b"{}",
    "a form without an end": (
        FORM + b"Content-Length: 60" + END
        + b'--end\r\nContent-Disposition: form-data; name="file"\r\n\r\n'[:60]
    ),
    "a form without a boundary": (
        b"POST /api/teach/kit HTTP/1.1\r\nHost: localhost\r\n"
        b"Content-Type: multipart/form-data\r\nContent-Length: 2" + END + b"--"
    ),
    "a form of dashes": FORM + b"Content-Length: 9000" + END + b"-" * 9000,
    "a form of ends": FORM + b"Content-Length: 8995" + END + b"--end\r\n" * 1285,
    "a body that is no text": ACT + b"Content-Length: 4" + END + b"\xff\xfe\x00\xd8",
    "deep brackets": ACT + b"Content-Length: 9000" + END + b"[" * 9000,
}  # fmt: skip
"""By what is wrong with it."""


def smuggled(cookie: bytes) -> dict[str, bytes]:
    """Return requests in whose body another one hides, for who reads its end so."""
    hidden = LEAVE % cookie
    body = b"0\r\n\r\n" + hidden
    length = b"Content-Length: %d\r\n" % len(body)
    chunked = b"Transfer-Encoding: chunked\r\n"
    get = b"GET /api/state HTTP/1.1\r\nHost: localhost\r\n"
    heads = {
        "a length and chunks": ACT + length + chunked,
        "chunks and a length": ACT + chunked + length,
        "chunks behind a tab": ACT + length + b"Transfer-Encoding:\tchunked\r\n",
        "chunks twice": ACT + length + chunked + chunked,
        "chunks that are named": ACT + length + b"Transfer-Encoding: x, chunked\r\n",
        "chunks by another name": ACT + length + b"Transfer_Encoding: chunked\r\n",
        "chunks of a line before": ACT
        + length
        + b"X: y\nTransfer-Encoding: chunked\r\n",
        "chunks of 1.0": ACT.replace(b"1.1", b"1.0", 1) + length + chunked,
        "chunks of 1.0 that stay": (
            ACT.replace(b"1.1", b"1.0", 1) + chunked + b"Connection: keep-alive\r\n"
        ),
        "two lengths": ACT + length + b"Content-Length: 5\r\n",
        "the shorter length first": ACT + b"Content-Length: 5\r\n" + length,
        "a length behind a blank": ACT + b"Content-Length : 5\r\n" + length,
        "a length by another name": ACT + length + b"Content_Length: 5\r\n",
        "a body of a GET": get + length,
    }
    return {what: head + b"\r\n" + body + LAST for what, head in heads.items()}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ServedTable]:
    with served(tmp_path) as table:
        yield table


def sent(table: ServedTable, *parts: bytes) -> bytes:
    """Send bytes, say that there will be no more, and return all that is answered."""
    with socket.create_connection(("127.0.0.1", table.server.port), 10) as line:
        try:
            for part in parts:
                line.sendall(part)
            line.shutdown(socket.SHUT_WR)
            return b"".join(iter(lambda: line.recv(1 << 16), b""))
        except TimeoutError:
            raise  # the table left it hanging
        except OSError:
            return b""  # it was closed before all of it was said


def answered(table: ServedTable, asked: bytes) -> bytes:
    """Send requests of which the last one, or what is wrong, closes the connection."""
    with socket.create_connection(("127.0.0.1", table.server.port), 10) as line:
        line.sendall(asked)
        return b"".join(iter(lambda: line.recv(1 << 16), b""))


def codes(answer: bytes) -> list[int]:
    """Return the code of each answer in *answer*, in order."""
    return [int(code) for code in re.findall(rb"HTTP/1\.[01] (\d{3}) ", answer)]


def is_well(table: ServedTable) -> bool:
    line = http.client.HTTPConnection("127.0.0.1", table.server.port, timeout=10)
    line.request("GET", "/api/state")
    answer = line.getresponse()
    answer.read()
    line.close()
    return answer.status == 200


@pytest.mark.slow
def test_no_malformed_request_breaks_the_table(table: ServedTable, caplog):
    for what, request in MALFORMED.items():
        answer = sent(table, request)

        assert all(code < 500 or code == 501 for code in codes(answer)), what
        assert b"Traceback" not in answer, what
        assert b"root:" not in answer, what
        assert is_well(table), what
    assert table.table.sync().game_id is not None
    assert caplog.text == ""


@pytest.mark.slow
def test_no_request_is_cut_where_it_would_hang(table: ServedTable, caplog):
    """Each, cut after every part of its head and here and there in its body."""
    for what, request in MALFORMED.items():
        for end in {*range(0, min(len(request), 200), 7), len(request) - 1}:
            answer = sent(table, request[:end])
            assert all(code < 500 or code == 501 for code in codes(answer)), (what, end)
    assert is_well(table)
    assert caplog.text == ""


@pytest.mark.slow
def test_no_request_hides_in_another_one(table: ServedTable):
    """Whatever one reader of the bytes takes for a body, is none to another."""
    for what, request in smuggled(table.cookie.encode()).items():
        answer = answered(table, request)

        # Refused, and nothing more is read there; or all of it was the body, and only
        # the last request is answered too.
        assert codes(answer) in ([400], [501], [400, 404], [403, 404], [200, 404]), what
        assert table.table.snapshot.game_id is not None, what


@pytest.mark.slow
def test_the_same_sent_for_itself_would_put_the_game_away(table: ServedTable):
    """So it would be noticed if it could be smuggled."""
    answer = answered(table, LEAVE % table.cookie.encode() + LAST)

    assert codes(answer) == [200, 404]
    assert table.table.snapshot.game_id is None


@pytest.mark.slow
def test_a_request_byte_by_byte_is_a_request(table: ServedTable):
    whole = b"GET /api/state HTTP/1.1\r\nHost: localhost\r\nConnection: close" + END

    answer = sent(table, *(whole[at : at + 1] for at in range(len(whole))))

    assert codes(answer) == [200]


@pytest.mark.slow
def test_many_requests_in_one_breath_are_answered_in_order(table: ServedTable):
    one = b"GET /api/state HTTP/1.1\r\nHost: localhost\r\n\r\n"
    none = b"GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n"

    answer = answered(table, (one + none) * 20 + LAST)

    assert codes(answer) == [200, 404] * 20 + [404]


@pytest.mark.slow
def test_no_post_is_carried_out_of_which_a_part_is_missing(table: ServedTable):
    whole = LEAVE % table.cookie.encode()

    for short in (1, 2):
        sent(table, whole[:-short])

    assert is_well(table)
    assert table.table.sync().game_id is not None
