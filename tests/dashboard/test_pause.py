"""The host pauses the game; every phone says so, and nothing counts till it goes on."""

import random

import pytest

from companion.story.log import Asked
from companion.table import LinePart, Reading
from companion.words import LANGUAGES
from tests.dashboard.conftest import Phones
from tests.dashboard.fakes import FakeTable
from tests.dashboard.playing import play_on

HERE = {"game_id": "game-1"}


@pytest.fixture
def paused(game: FakeTable, phones: Phones) -> FakeTable:
    assert phones.host().post("/api/pause", json=HERE).status_code == 200
    return game


def state(phone) -> dict:
    return phone.get("/api/state").get_json()


class TestAPause:
    def test_every_phone_says_so_and_offers_nothing(
        self, paused: FakeTable, phones: Phones
    ):
        for phone in (phones.seat(0), phones.host(), phones.viewer()):
            view = state(phone)
            assert view["paused"].startswith("La partie est en pause")
            assert (view["moves"], view["picks"], view["private"]) == ([], [], [])
            assert view["question"] is None
            text = phone.get("/").text
            assert f"<h1>{view['paused']}</h1>" in text
            assert "Ensuite" in text
            assert 'action="/api/act"' not in text
            assert 'action="/api/undo"' not in text

    def test_only_the_host_may_go_on(self, paused: FakeTable, phones: Phones):
        assert 'action="/api/go_on"' in phones.host().get("/").text
        assert 'action="/api/go_on"' not in phones.seat(0).get("/").text
        assert phones.seat(0).post("/api/go_on", json=HERE).status_code == 403

        assert phones.host().post("/api/go_on", json=HERE).status_code == 200

        assert state(phones.seat(0))["moves"]

    def test_a_tap_that_comes_in_between_is_refused_in_one_line(
        self, paused: FakeTable, phones: Phones
    ):
        seq = paused.snapshot.story.seq
        body = {"move": "throw 3", "seq": seq, "key": "k"}

        answer = phones.seat(0).post("/api/act", json=body)

        assert answer.status_code == 422
        assert answer.get_json()["text"].startswith("La partie est en pause")

    def test_the_big_screen_says_so_too(self, paused: FakeTable, phones: Phones):
        assert "La partie est en pause" in phones.viewer().get("/table").text

    def test_a_question_waits_and_comes_back(self, game: FakeTable, phones: Phones):
        game.tell(Asked(Reading(()), LinePart("core.ask.nothing"), ("throw 3",)))
        host = phones.host()

        host.post("/api/pause", json=HERE)
        assert state(host)["question"] is None
        host.post("/api/go_on", json=HERE)

        assert state(host)["question"]["options"][0]["move"] == "throw 3"

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_it_is_told_in_every_language(
        self, language: str, paused: FakeTable, phones: Phones
    ):
        host = phones.host()
        for path in ("/", "/host"):
            assert "dashboard." not in host.get(f"{path}?lang={language}").text


class TestTheHostsPage:
    def test_offers_a_pause_then_the_way_on(self, game: FakeTable, phones: Phones):
        host = phones.host()
        assert 'action="/api/pause"' in host.get("/host").text

        host.post("/api/pause", data=HERE)

        assert 'action="/api/go_on"' in host.get("/host").text

    def test_a_game_that_is_over_is_not_paused(self, game: FakeTable, phones: Phones):
        play_on(game, random.Random(1), 2_000, "over")
        host = phones.host()

        host.post("/api/pause", json=HERE)

        assert not game.snapshot.story.paused
        assert 'action="/api/pause"' not in host.get("/host").text

    def test_a_pause_of_a_game_that_is_gone_is_too_late(
        self, game: FakeTable, phones: Phones
    ):
        answer = phones.host().post("/api/pause", json={"game_id": "game-0"})

        assert answer.status_code == 409

    def test_a_game_ended_early_is_kept_as_not_finished(
        self, paused: FakeTable, phones: Phones
    ):
        host = phones.host()
        assert "non terminée" in host.get("/host").text

        host.post("/api/leave", json=HERE)

        assert [one.closed for one in paused.games()] == [True]
        assert "pas terminée" in host.get("/past/game-1").text
