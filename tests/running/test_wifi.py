"""The network that phones join is kept for the table alone, and can be scanned."""

import pytest

from companion.running.wifi import Wifi, WifiFiles, is_sound


class TestTheCode:
    def test_a_phone_joins_with_name_and_password(self):
        assert Wifi("Home", "secret42").code == "WIFI:T:WPA;S:Home;P:secret42;;"

    def test_what_would_end_a_field_is_escaped(self):
        wifi = Wifi('Le "Repaire"; chez: nous', "a\\b;c,d:e")

        # A backslash before each of \ ; , " and :
        assert wifi.code == (
            'WIFI:T:WPA;S:Le \\"Repaire\\"\\; chez\\: nous;P:a\\\\b\\;c\\,d\\:e;;'
        )

    def test_an_open_network_has_no_password(self):
        assert Wifi("Library", "").code == "WIFI:T:nopass;S:Library;;"


class TestKeeping:
    @pytest.fixture
    def files(self, tmp_path) -> WifiFiles:
        return WifiFiles(tmp_path / "wifi.json", tmp_path / "hotspot.json")

    def test_nothing_is_known_at_first(self, files: WifiFiles):
        assert files.read() is None

    def test_what_was_told_is_known_again_and_can_be_forgotten(self, files: WifiFiles):
        files.keep(Wifi("Zuhause", "geheim123"))
        files.keep(Wifi("Zuhause", "geheim124"))
        assert files.read() == Wifi("Zuhause", "geheim124")

        files.keep(None)
        files.keep(None)
        assert files.read() is None

    def test_only_the_tables_own_user_may_read_it(self, files: WifiFiles):
        files.keep(Wifi("Home", "secret42"))

        assert files.own.stat().st_mode & 0o777 == 0o600

    def test_the_hotspot_comes_first_while_it_is_on(self, files: WifiFiles):
        files.keep(Wifi("Home", "secret42"))
        files.hotspot.write_text('{"name": "Dragon Table", "password": "abcdef01"}')
        assert files.read() == Wifi("Dragon Table", "abcdef01")

        files.hotspot.unlink()
        assert files.read() == Wifi("Home", "secret42")

    @pytest.mark.parametrize("text", ["", "{", '{"name": 3}', '{"name": ""}', "[]"])
    def test_a_broken_file_tells_nothing(self, text: str, files: WifiFiles):
        files.own.write_text(text)

        assert files.read() is None


@pytest.mark.parametrize(
    ("name", "password", "sound"),
    [
        ("Home", "", True),
        ("Home", "8 signs!", True),
        ("Home", "7 signs", False),
        ("Home", "x" * 63, True),
        ("Home", "x" * 64, False),
        ("Home", "pässword", False),  # a passphrase is printable ASCII
        ("é" * 16, "secret42", True),  # 32 bytes
        ("é" * 17, "secret42", False),
        ("", "secret42", False),
    ],
)
def test_what_a_network_may_be_called(name: str, password: str, sound: bool):
    assert is_sound(Wifi(name, password)) is sound
