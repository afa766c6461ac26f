"""The big screen shows how a phone comes here: the Wi-Fi first, then the page."""

import cv2
import numpy as np
import pytest
import segno
from flask import Flask

from companion.dashboard import create_app
from companion.dashboard.door.auth import table_code
from companion.dashboard.door.invites import qr
from companion.running.snapshot import Setup
from companion.running.wifi import Wifi, WifiFiles
from companion.words import LANGUAGES
from tests.dashboard.conftest import Phones
from tests.dashboard.fakes import FakeTable
from tests.dashboard.setting import ADDRESS, PIN, PLAYERS, SECRET

HOME = {"name": "Chez nous; étage 1", "password": 'dra"gon;42'}


@pytest.fixture
def networks(tmp_path) -> WifiFiles:
    return WifiFiles(tmp_path / "wifi.json", tmp_path / "hotspot.json")


@pytest.fixture
def app(table: FakeTable, networks: WifiFiles) -> Flask:
    return create_app(
        table,
        secret=SECRET,
        pin=PIN,
        address=ADDRESS,
        networks=networks,
        strict_words=True,
    )


SEATS = f"/j/{table_code(SECRET, 'game-1')}"


def codes(html: str) -> int:
    return html.count('class="qr-box"')


class TestTheBigScreen:
    def test_shows_the_page_alone_while_no_wifi_is_told(
        self, game: FakeTable, phones: Phones
    ):
        html = phones.viewer().get("/table").text

        assert codes(html) == 1
        assert qr(ADDRESS + SEATS) in html

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_then_shows_both_before_the_game_and_in_it(
        self, language: str, table: FakeTable, phones: Phones
    ):
        host = phones.host()
        assert host.post("/api/wifi", json=HOME).status_code == 200

        for page in ("/", SEATS):
            html = phones.viewer().get(f"/table?lang={language}").text
            assert codes(html) == 2
            assert html.index(qr(Wifi(**HOME).code)) < html.index(qr(ADDRESS + page))
            assert "Chez nous; étage 1" in html
            assert "dra&#34;gon;42" in html
            table.open_game(Setup("drachenhort", PLAYERS))

    def test_leads_to_the_hotspots_own_address_while_it_is_on(
        self, game: FakeTable, networks: WifiFiles, phones: Phones
    ):
        networks.hotspot.write_text(
            '{"name": "Dragon Table", "password": "abcdef01",'
            ' "address": "http://10.42.0.1:8000"}'
        )

        html = phones.viewer().get("/table").text

        assert qr("WIFI:T:WPA;S:Dragon Table;P:abcdef01;;") in html
        assert qr("http://10.42.0.1:8000" + SEATS) in html
        assert "http://10.42.0.1:8000/j/" in phones.host().get("/host").text


class TestThePassword:
    def test_is_shown_on_the_big_screen_alone(self, game: FakeTable, phones: Phones):
        host = phones.host()
        host.post("/api/wifi", json=HOME)

        for phone in (host, phones.seat(0), phones.viewer()):
            for path in ("/", "/host", "/api/state", "/help", "/past", "/rules"):
                text = phone.get(path).text
                assert "gon;42" not in text
                assert qr(Wifi(**HOME).code) not in text
        assert "Chez nous; étage 1" in host.get("/host").text


class TestTelling:
    def test_a_form_does_without_scripts(
        self, game: FakeTable, networks: WifiFiles, phones: Phones
    ):
        answer = phones.host().post("/api/wifi", data=HOME)

        assert (answer.status_code, answer.location) == (303, "/host")
        assert networks.read() == Wifi(**HOME)

    def test_without_a_name_it_is_forgotten(
        self, game: FakeTable, networks: WifiFiles, phones: Phones
    ):
        host = phones.host()
        host.post("/api/wifi", json=HOME)

        host.post("/api/wifi", data={"name": " ", "password": ""})

        assert networks.read() is None

    def test_what_cannot_be_is_told_kindly(
        self, game: FakeTable, networks: WifiFiles, phones: Phones
    ):
        answer = phones.host().post(
            "/api/wifi", json={"name": "Home", "password": "short"}
        )

        assert answer.status_code == 422
        assert "8 à 63" in answer.get_json()["text"]
        assert networks.read() is None

    def test_a_disk_that_refuses_is_told(
        self, game: FakeTable, networks: WifiFiles, phones: Phones, tmp_path
    ):
        tmp_path.joinpath(".wifi.json.new").mkdir()

        answer = phones.host().post("/api/wifi", json=HOME)

        assert answer.status_code == 503


def test_a_code_reads_back_as_it_was_written():
    told = Wifi(**HOME).code
    drawn = np.array([*segno.make(told, error="m", micro=False).matrix_iter(border=4)])
    picture = np.kron(1 - drawn, np.ones((8, 8))) * 255

    read, _, _ = cv2.QRCodeDetector().detectAndDecode(picture.astype(np.uint8))

    assert read == told
