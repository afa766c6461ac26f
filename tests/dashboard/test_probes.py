"""What phones ask to find out whether a network is worth staying in."""

import pytest

from companion.dashboard.probes import PROBES
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


@pytest.mark.parametrize("url", WANTED)
def test_a_phone_hears_the_very_bytes_that_it_waits_for(
    url: str, game: FakeTable, phones: Phones
):
    answer = phones.viewer().get(url)

    assert (answer.status_code, answer.data) == WANTED[url]
    assert "Set-Cookie" not in answer.headers
    assert answer.headers["X-NetworkManager-Status"] == "online"
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(("name", "path"), PROBES)
def test_such_a_name_opens_nothing_else(
    name: str, path: str, game: FakeTable, phones: Phones
):
    ana = phones.seat(0)
    assert ana.get(path, base_url=f"http://{name}").status_code in (200, 204)
    for other in ("/api/state", "/host", "/table", "/static/app.js", f"{path}x"):
        assert ana.get(other, base_url=f"http://{name}").status_code == 400
    for port in (8000, 81):
        assert ana.get(path, base_url=f"http://{name}:{port}").status_code == 400
    assert ana.post(path, base_url=f"http://{name}").status_code == 400


def test_a_probe_leaves_no_language_behind(game: FakeTable, phones: Phones):
    answer = phones.viewer().get("http://captive.apple.com/?lang=de")

    assert answer.data.startswith(b"<HTML>")
    assert "Set-Cookie" not in answer.headers


def test_a_probe_under_the_tables_own_name_is_a_page_like_any(
    game: FakeTable, phones: Phones
):
    phone = phones.viewer()

    assert phone.get("/generate_204").status_code == 404
    assert b"<main" in phone.get("/").data
