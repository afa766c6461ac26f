"""The stream: everything first, then what changed, and never for ever."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.dashboard.api.streams import Full, Streams
from companion.dashboard.door.auth import VIEWER
from companion.dashboard.view.calls import MOST
from companion.running.snapshot import Setup
from tests.dashboard.conftest import Clock, Phones
from tests.dashboard.fakes import FakeTable


class Stream:
    """A phone's stream, read event by event."""

    def __init__(self, phone: FlaskClient, query: str = "") -> None:
        self.answer = phone.get("/api/events" + query, buffered=False)
        self._chunks: Iterator[bytes] = iter(self.answer.response)

    def next(self) -> tuple[str, int, Any]:
        text = next(self._chunks).decode()
        assert text.endswith("\n\n")
        fields = dict(line.split(": ", 1) for line in text.strip().split("\n"))
        return fields["event"], int(fields["id"]), json.loads(fields["data"])

    def change(self) -> Any:
        """Return the next change, beats left out."""
        while True:
            kind, number, data = self.next()
            if kind == "change":
                assert data["seq"] == number
                return data

    def rest(self) -> Iterator[bytes]:
        return self._chunks

    def close(self) -> None:
        self.answer.close()


@pytest.fixture
def watch(phones: Phones, streams: Streams) -> Iterator[Any]:
    opened: list[Stream] = []

    def open_stream(phone: FlaskClient | None = None, query: str = "") -> Stream:
        opened.append(Stream(phone or phones.viewer(), query))
        return opened[-1]

    yield open_stream
    for stream in opened:
        stream.close()
    assert streams.open == 0


def act(phone: FlaskClient, move: str, seq: int) -> None:
    body = {"move": move, "seq": seq, "key": f"{move}/{seq}"}
    assert phone.post("/api/act", json=body).status_code == 200


def test_begins_with_everything(game: FakeTable, watch: Any):
    kind, number, data = watch().next()

    assert (kind, number) == ("change", 0)
    assert set(data["parts"]) == {
        "turn",
        "actions",
        "board",
        "scores",
        "history",
        "status",
    }


def test_is_a_stream_that_nobody_keeps(game: FakeTable, watch: Any):
    answer = watch().answer

    assert answer.mimetype == "text/event-stream"
    assert answer.headers["Cache-Control"] == "no-store"


def test_then_sends_what_changed_with_its_number(
    game: FakeTable, phones: Phones, watch: Any
):
    stream = watch()
    stream.change()

    act(phones.seat(0), "throw 3", 0)

    data = stream.change()
    assert data["seq"] == 1
    assert "turn" in data["parts"]
    assert "status" not in data["parts"]
    assert "Ana" in data["news"]


def test_what_a_phone_missed_is_read_out_when_it_comes(
    game: FakeTable, phones: Phones, watch: Any
):
    act(phones.seat(0), "throw 3", 0)

    newcomer, up_to_date, late = watch(), watch(query="?seen=1"), watch(query="?seen=0")

    assert newcomer.change()["news"] == ""
    assert up_to_date.change()["news"] == ""
    assert late.change()["news"].startswith("Ana fait 3")


def test_of_an_hour_that_a_phone_missed_only_the_newest_is_read_out(
    game: FakeTable, play: Any, watch: Any
):
    play(moves=40)

    news = watch(query="?seen=0").change()["news"]

    assert 0 < news.count(" fait ") <= MOST


@pytest.mark.parametrize("seen", ["", "x", "-7", "1.5", "9" * 30])
def test_whatever_a_phone_claims_to_have_seen_its_stream_begins(
    game: FakeTable, watch: Any, seen: str
):
    assert set(watch(query=f"?seen={seen}").change()["parts"]) >= {"turn", "board"}


def test_a_phone_that_slept_gets_the_newest_state_not_the_old_ones(
    game: FakeTable, phones: Phones, watch: Any
):
    stream, ana = watch(), phones.seat(0)
    stream.change()

    act(ana, "throw 3", 0)
    act(ana, "advance green", 1)
    act(phones.seat(1), "throw 1", 2)

    data = stream.change()
    assert data["seq"] == 3
    assert "Vert" in data["news"]


def test_beats_while_nothing_happens(game: FakeTable, watch: Any):
    stream = watch()
    stream.change()

    assert stream.next()[0] == "beat"
    assert stream.next()[0] == "beat"


def test_comes_back_with_everything_whatever_it_saw_last(
    game: FakeTable, phones: Phones, watch: Any
):
    act(phones.seat(0), "throw 3", 0)

    data = watch().change()

    assert data["seq"] == 1
    assert len(data["parts"]) == 6
    assert data["news"] == ""  # nothing is read out to who has just come


def test_a_page_of_another_game_is_told_to_load_anew(
    game: FakeTable, phones: Phones, watch: Any
):
    stream = watch(phones.seat(1))
    before = stream.change()["page"]

    game.open_game(Setup("drachenhort", ("Dee", "Eva")))

    after = stream.change()["page"]
    assert "game-1/seat/1" in before
    assert "game-2/viewer" in after


def test_waits_in_the_lobby_for_a_game(table: FakeTable, watch: Any):
    stream = watch()
    assert "/lobby/" in stream.change()["page"]

    table.open_game(Setup("drachenhort", ("Dee", "Eva")))

    assert "/game-1/" in stream.change()["page"]


def test_a_big_screen_in_the_hosts_browser_watches_as_anybody(
    game: FakeTable, phones: Phones, watch: Any
):
    data = watch(phones.seat(0), "?as=viewer").change()

    assert "/viewer/" in data["page"]
    assert 'value="throw' not in data["parts"]["actions"]


def test_ends_after_its_time(game: FakeTable, watch: Any, clock: Clock):
    stream = watch()
    stream.change()

    clock.now_s += 601

    # The beat that was under way may still come.
    assert len(list(stream.rest())) <= 2


def test_ends_when_the_table_stops(game: FakeTable, watch: Any, streams: Streams):
    stream = watch()
    stream.change()

    streams.end()

    # The beat that was under way may still come.
    assert len(list(stream.rest())) <= 2


class TestCaps:
    def test_guests_of_an_address_have_only_so_many(self):
        streams = Streams(most=5, most_each=2, kept=0)
        first = streams.take("192.168.1.9")
        streams.take("192.168.1.9")

        with pytest.raises(Full):
            streams.take("192.168.1.9")
        streams.take("192.168.1.10")

        streams.leave(first)
        streams.take("192.168.1.9")
        assert streams.open == 3

    def test_the_tables_own_computer_has_more_but_not_all(self):
        streams = Streams(most=3, most_each=1, kept=0)
        for _ in range(3):
            streams.take("127.0.0.1")

        with pytest.raises(Full):
            streams.take("127.0.0.1")

    def test_guests_leave_room_for_players_and_the_host(self):
        streams = Streams(most=6, most_each=4, kept=2)
        for _ in range(4):
            streams.take("192.168.1.9")
        for guest in ("192.168.1.9", "192.168.1.10"):
            with pytest.raises(Full):
                streams.take(guest)

        streams.take("192.168.1.9", "seat 0")
        streams.take("192.168.1.9", "host None")

        assert streams.open == 6

    def test_one_seats_link_does_not_take_every_place(self):
        streams = Streams(most=60, kept=12)
        for _ in range(8):
            streams.take("192.168.1.9", "seat 0")
        # From here on it has what a guest has.
        for _ in range(40):
            streams.take("192.168.1.9", "seat 0")

        with pytest.raises(Full):
            streams.take("192.168.1.9", "seat 0")
        streams.take("192.168.1.9", "seat 1")

    def test_who_finds_no_place_is_told_when_to_come_again(
        self, game: FakeTable, phones: Phones, watch: Any
    ):
        for _ in range(5):
            watch()

        answer = phones.viewer().get("/api/events")

        assert answer.status_code == 503
        assert int(answer.headers["Retry-After"]) > 0

    def test_a_phone_that_leaves_at_once_gives_its_place_back(
        self, game: FakeTable, phones: Phones, streams: Streams
    ):
        for _ in range(20):
            Stream(phones.viewer()).close()

        assert streams.open == 0


def test_a_head_request_holds_no_place(
    game: FakeTable, phones: Phones, streams: Streams
):
    phones.viewer().head("/api/events").close()

    assert streams.open == 0


def test_a_stream_that_is_behind_does_not_hide_the_newest(
    app: Flask, game: FakeTable, phones: Phones
):
    context = app.extensions["dragon_table"]
    old = game.snapshot
    act(phones.seat(0), "throw 3", 0)
    new = context.views.rendered(game.snapshot, VIEWER, "fr")

    assert context.views.rendered(old, VIEWER, "fr").view.seq == 0
    assert context.views.rendered(game.snapshot, VIEWER, "fr") is new


def test_fifty_phones_cost_one_look(
    game: FakeTable, phones: Phones, monkeypatch: pytest.MonkeyPatch
):
    from companion.dashboard.view import view_cache

    looks = []
    true_look = view_cache.view_of
    monkeypatch.setattr(
        view_cache, "view_of", lambda *a, **k: looks.append(1) or true_look(*a, **k)
    )

    for _ in range(50):
        phones.viewer().get("/api/state")

    assert len(looks) == 1
