"""A phone that reads the big screen's code picks a free seat, or watches."""

import re
import threading

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.dashboard.door.auth import Authenticator, seat_code, table_code
from companion.dashboard.door.invites import qr
from companion.running.snapshot import Setup
from companion.words import LANGUAGES
from tests.dashboard.conftest import Phones
from tests.dashboard.fakes import FakeTable
from tests.dashboard.setting import ADDRESS, PIN, SECRET

CODE = table_code(SECRET, "game-1")


def me(phone: FlaskClient) -> dict[str, object]:
    return phone.get("/api/state").get_json()["me"]


def sit(phone: FlaskClient, seat: int, code: str = CODE) -> int:
    body = {"seat": seat, "code": code}
    return phone.post("/api/sit", json=body).status_code


class TestTheBigScreensCode:
    def test_is_on_the_big_screen_and_behind_the_seats_that_a_watcher_is_offered(
        self, game: FakeTable, phones: Phones
    ):
        drawn = qr(f"{ADDRESS}/j/{CODE}")
        watcher = phones.viewer()
        assert drawn in watcher.get("/table").text
        assert f'name="code" value="{CODE}"' in watcher.get("/").text
        assert CODE not in watcher.get("/api/state").text
        for phone in (phones.seat(0), phones.host()):
            for path in ("/", "/host", "/api/state"):
                text = phone.get(path).text
                assert CODE not in text
                assert drawn not in text

    def test_is_no_seats_code_and_another_one_in_another_game(self, game: FakeTable):
        codes = {seat_code(SECRET, "game-1", seat) for seat in range(3)}

        assert CODE not in codes
        assert table_code(SECRET, "game-2") != CODE
        assert Authenticator(game, SECRET, PIN, float).read(CODE) is None

    def test_asks_who_one_is(self, game: FakeTable, phones: Phones):
        phones.seat(1)

        text = phones.viewer().get(f"/j/{CODE}").text

        assert re.findall(r'name="seat" value="(\d)"', text) == ["0", "2"]
        assert "place prise" in text
        assert "Pour regarder seulement" in text

    def test_leads_whoever_sits_already_to_the_game(
        self, game: FakeTable, phones: Phones
    ):
        answer = phones.seat(1).get(f"/j/{CODE}")

        assert (answer.status_code, answer.location) == (303, "/")

    def test_of_a_game_that_is_gone_opens_nothing(
        self, game: FakeTable, phones: Phones
    ):
        game.leave()
        phone = phones.viewer()

        assert phone.get(f"/j/{CODE}").status_code == 404
        assert sit(phone, 0) == 404

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_asks_in_every_language(
        self, language: str, game: FakeTable, phones: Phones
    ):
        assert (
            "dashboard." not in phones.viewer().get(f"/j/{CODE}?lang={language}").text
        )


class TestAWatchersPage:
    """Whoever typed the address is offered the free seats, by name."""

    def offered(self, phone: FlaskClient) -> list[str]:
        form = r'action="/api/sit".*?<button class="pick">(.*?)</button>'
        return re.findall(form, phone.get("/").text)

    def test_offers_the_seats_that_are_free(self, game: FakeTable, phones: Phones):
        watcher = phones.viewer()
        assert self.offered(watcher) == ["Ana", "Bo", "Cy"]

        phones.seat(1)

        assert self.offered(watcher) == ["Ana", "Cy"]

    def test_is_another_one_when_somebody_sits_down_and_a_players_is_not(
        self, game: FakeTable, phones: Phones
    ):
        def page(phone: FlaskClient) -> str:
            return re.findall('data-page="(.*?)"', phone.get("/").text)[0]

        watcher, ana = phones.viewer(), phones.seat(0)
        before = page(watcher), page(ana)

        phones.seat(1)

        assert page(watcher) != before[0]
        assert page(ana) == before[1]

    def test_offers_none_to_who_sits_to_the_host_or_on_the_big_screen(
        self, game: FakeTable, phones: Phones
    ):
        assert self.offered(phones.seat(0)) == []
        assert self.offered(phones.host()) == []
        assert "/api/sit" not in phones.viewer().get("/table").text

    def test_offers_none_where_all_are_taken_or_the_game_is_over(
        self, game: FakeTable, phones: Phones, play
    ):
        for seat in range(3):
            phones.seat(seat)
        assert "/api/sit" not in phones.viewer().get("/").text

        game.open_game(Setup("drachenhort", ("Dee", "Eva")))
        assert self.offered(phones.viewer()) == ["Dee", "Eva"]
        play()
        assert self.offered(phones.viewer()) == []


class TestSittingDown:
    def test_a_free_seat_is_taken_and_kept(self, game: FakeTable, phones: Phones):
        phone = phones.viewer()

        answer = phone.post("/api/sit", data={"seat": "1", "code": CODE})

        assert (answer.status_code, answer.location) == (303, "/")
        assert me(phone)["name"] == "Bo"
        assert "HttpOnly" in answer.headers["Set-Cookie"]

    def test_a_seat_that_is_taken_is_refused_till_the_host_frees_it(
        self, game: FakeTable, phones: Phones
    ):
        phones.seat(1)
        late = phones.viewer()
        assert sit(late, 1) == 409
        assert me(late)["role"] == "viewer"

        phones.host().post("/api/free", json={"seat": 1, "game_id": "game-1"})

        assert sit(late, 1) == 200
        assert me(late)["name"] == "Bo"

    @pytest.mark.parametrize("code", ["x", seat_code(SECRET, "game-1", 0)])
    def test_without_the_code_nobody_sits_down(
        self, code: str, game: FakeTable, phones: Phones
    ):
        assert sit(phones.viewer(), 0, code) == 404

    def test_there_is_no_fourth_seat(self, game: FakeTable, phones: Phones):
        assert sit(phones.viewer(), 3) == 404

    def test_of_eight_phones_at_once_one_sits(self, game: FakeTable, app: Flask):
        answers: list[int] = []
        gate = threading.Barrier(8)

        def tap() -> None:
            phone = app.test_client()
            gate.wait()
            answers.append(sit(phone, 1))

        threads = [threading.Thread(target=tap) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert sorted(answers) == [200, *[409] * 7]
