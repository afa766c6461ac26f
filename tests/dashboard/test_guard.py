"""What every request goes through, whoever asks."""

import json
import re

import pytest

from tests.dashboard.conftest import Phones
from tests.dashboard.fakes import FakeTable

PATHS = ("/", "/table", "/host", "/tally", "/api/state", "/nothing", "/static/app.js")


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_carries_the_policy(path: str, game, phones: Phones):
    answer = phones.viewer().get(path)

    answer.close()
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "same-origin"


@pytest.mark.parametrize("path", ["/", "/host", "/table", "/tally"])
def test_no_page_holds_what_the_policy_forbids(path: str, game, phones: Phones):
    html = phones.host().get(path).text

    assert " style=" not in html
    assert "<style" not in html
    assert " onclick" not in html
    # Each script is a file of ours: a second one is for browsers that cannot read the
    # first, a third signals whose turn it is, a fourth takes taps on the board.
    scripts = re.findall(r"<script[^>]*>(.*?)</script>", html, re.DOTALL)
    assert html.count('<script type="module" src="/static/app.js?') == 1
    assert len(scripts) == html.count("<script") == html.count('src="/static/') <= 4
    assert not any(scripts)
    assert "http://" not in html.replace("http://192.168.1.20:8000", "").replace(
        "http://www.w3.org/2000/svg", ""
    )
    assert "https://" not in html


BODY = {"move": "throw 3", "seq": 0, "key": "k"}


class TestOrigin:
    def test_another_page_may_not_post(self, game: FakeTable, phones: Phones):
        for origin in ("http://evil.example", "null", "http://localhost:81"):
            answer = phones.seat(0).post(
                "/api/act", json=BODY, headers={"Origin": origin}
            )
            assert answer.status_code == 403

        assert game.snapshot.story.seq == 0

    def test_our_own_page_may(self, game: FakeTable, phones: Phones):
        answer = phones.seat(0).post(
            "/api/act", json=BODY, headers={"Origin": "http://localhost"}
        )

        assert answer.status_code == 200


class TestMalformed:
    BAD = (
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b'{"move": 3, "seq": 0, "key": "k"}',
        b'{"move": "throw 3", "seq": "0", "key": "k"}',
        b'{"move": "throw 3", "seq": -1, "key": "k"}',
        b'{"move": "throw 3", "seq": 1e400, "key": "k"}',
        b'{"move": "throw 3", "seq": 0}',
        b'{"move": "throw 3", "seq": 0, "key": ""}',
        b'{"move": "' + b"x" * 300 + b'", "seq": 0, "key": "k"}',
        b"[" * 30_000,
    )

    @pytest.mark.parametrize("number", range(len(BAD)))
    def test_is_told_in_one_line(self, number: int, game: FakeTable, phones: Phones):
        answer = phones.seat(0).post(
            "/api/act", data=self.BAD[number], content_type="application/json"
        )

        body = answer.get_json()
        assert answer.status_code == 400
        assert body["error"] == "malformed"
        assert body["detail"]
        assert "\n" not in body["detail"]
        assert game.snapshot.story.seq == 0

    def test_odd_moves_never_break_the_table(self, game: FakeTable, phones: Phones):
        ana = phones.seat(0)
        for move in ("", " ", "\0", "throw", "throw x", "note 0 99", "note 9 1", "💥"):
            body = {"move": move, "seq": 0, "key": "k"}
            assert ana.post("/api/act", json=body).status_code in (400, 403, 422)

    def test_too_much_is_refused(self, game, phones: Phones):
        body = json.dumps({"move": "x" * 100_000, "seq": 0, "key": "k"})

        answer = phones.seat(0).post(
            "/api/act", data=body, content_type="application/json"
        )

        assert answer.status_code == 413

    def test_a_form_can_be_malformed_too(self, game, phones: Phones):
        answer = phones.seat(0).post("/api/act", data={"move": "throw 3"})

        assert answer.status_code == 400
        assert "<h1>" in answer.text


def test_a_fault_of_ours_tells_nothing_of_the_inside(
    game: FakeTable, phones: Phones, monkeypatch, caplog
):
    def broken(*_: object) -> None:
        raise ZeroDivisionError("the password is swordfish")

    monkeypatch.setattr(game, "act", broken)

    answer = phones.seat(0).post(
        "/api/act", json={"move": "throw 3", "seq": 0, "key": "k"}
    )

    assert answer.status_code == 500
    assert "swordfish" not in answer.text
    assert "swordfish" in caplog.text
