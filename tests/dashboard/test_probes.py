"""What phones ask to find out whether a network is worth staying in."""

from companion.dashboard.door.probes import PROBES
from tests.dashboard.conftest import Phones
from tests.dashboard.fakes import FakeTable

WANTED = {
    "http://connectivitycheck.gstatic.com/generate_204": (204, b""),
    "http://captive.apple.com/hotspot-detect.html": (
        200,
        b"<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>",
    ),
    "http://www.msftconnecttest.com/connecttest.txt": (200, b"Microsoft Connect Test"),
    "http://www.msftncsi.com/ncsi.txt": (200, b"Microsoft NCSI"),
    "http://detectportal.firefox.com/success.txt?ipv4": (200, b"success\n"),
    "http://detectportal.firefox.com/canonical.html": (
        200,
        b'<meta http-equiv="refresh" '
        b'content="0;url=https://support.mozilla.org/kb/captive-portal"/>',
    ),
    "http://nmcheck.gnome.org/check_network_status.txt": (
        200,
        b"NetworkManager is online\n",
    ),
    "http://networkcheck.kde.org/": (200, b"OK\n"),
    "http://connectivity-check.ubuntu.com/": (204, b""),
}


def test_a_phone_hears_the_very_bytes_that_it_waits_for(
    game: FakeTable, phones: Phones
):
    for url, wanted in WANTED.items():
        answer = phones.viewer().get(url)

        assert (answer.status_code, answer.data) == wanted
        assert "Set-Cookie" not in answer.headers
        assert answer.headers["X-NetworkManager-Status"] == "online"
        assert answer.headers["Cache-Control"] == "no-store"


def test_such_a_name_opens_nothing_else(game: FakeTable, phones: Phones):
    ana = phones.seat(0)
    for name, path in PROBES:
        assert ana.get(path, base_url=f"http://{name}").status_code in (200, 204)
        assert ana.get("/api/state", base_url=f"http://{name}").status_code == 400
    for other in ("/host", "/table", "/static/app.js", "/hotspot-detect.htmlx"):
        assert ana.get(other, base_url="http://captive.apple.com").status_code == 400
    for port in (8000, 81):
        told = ana.get("/", base_url=f"http://captive.apple.com:{port}")
        assert told.status_code == 400
    assert ana.post("/", base_url="http://captive.apple.com").status_code == 400


def test_a_probe_leaves_no_language_behind(game: FakeTable, phones: Phones):
    answer = phones.viewer().get("http://captive.apple.com/?lang=de")

    assert answer.data.startswith(b"<HTML>")
    assert "Set-Cookie" not in answer.headers


def test_a_probe_under_the_tables_own_name_is_a_page_like_any(
    game: FakeTable, phones: Phones
):
    phone = phones.viewer()

    assert phone.get("/generate_204").status_code == 404
    assert phone.get("/api/state").status_code == 200
