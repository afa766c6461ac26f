"""The pages as plain HTML: whole without scripts, each secret where it belongs."""

import re
from collections.abc import Callable

from companion.dashboard import create_app
from companion.dashboard.door.auth import seat_code
from tests.dashboard.conftest import Phones
from tests.dashboard.fakes import FakeTable
from tests.dashboard.setting import ADDRESS, PIN, SECRET


def forms(html: str) -> list[dict[str, str]]:
    """Return the fields of each form that makes a move, as a browser sends them."""
    found = []
    for form in re.findall(r'<form[^>]*action="/api/act".*?</form>', html, re.S):
        fields = re.findall(r'name="(\w+)" value="([^"]*)"', form)
        found.append(dict(fields))
    return found


class TestWithoutScripts:
    def test_a_tap_is_a_form_that_leads_back_to_the_page(
        self, game: FakeTable, phones: Phones
    ):
        ana = phones.seat(0)
        throw = next(f for f in forms(ana.get("/").text) if f["move"] == "throw 3")

        answer = ana.post("/api/act", data=throw)

        assert answer.status_code == 303
        assert answer.headers["Location"] == "/"
        assert "throw 3" not in ana.get("/").text
        assert game.snapshot.story.state.pips == 3

    def test_the_same_form_twice_is_one_act(self, game: FakeTable, phones: Phones):
        ana = phones.seat(0)
        throw = next(f for f in forms(ana.get("/").text) if f["move"] == "throw 3")

        codes = [ana.post("/api/act", data=throw).status_code for _ in range(2)]

        assert codes == [303, 303]
        assert game.snapshot.story.seq == 1

    def test_a_late_form_gets_a_kind_page(self, game: FakeTable, phones: Phones):
        ana = phones.seat(0)
        old = forms(ana.get("/").text)
        ana.post("/api/act", data=old[0])

        answer = ana.post("/api/act", data=old[1])

        assert answer.status_code == 409
        assert "vient de jouer" in answer.text
        assert 'href="/"' in answer.text

    def test_undo_is_a_form_too(self, game: FakeTable, phones: Phones):
        ana = phones.seat(0)
        ana.post("/api/act", data=forms(ana.get("/").text)[0])

        answer = ana.post("/api/undo", data={"seq": "1", "key": "u"})

        assert answer.status_code == 303
        assert game.snapshot.story.state.pips == 0


class TestGamePage:
    def test_the_live_region_is_there_and_empty(self, game, phones: Phones):
        html = phones.viewer().get("/").text

        assert '<p id="live" class="live" role="status"></p>' in html

    def test_ids_are_unique(self, game, phones: Phones):
        for path in ("/", "/table", "/host", "/tally"):
            ids = re.findall(r' id="([^"]+)"', phones.host().get(path).text)
            assert len(ids) == len(set(ids))

    def test_every_picture_has_words_or_is_hidden(self, game, phones: Phones):
        html = phones.seat(0).get("/").text

        for tag in re.findall(r"<svg[^>]*>", html):
            assert "aria-hidden" in tag or "aria-label" in tag, tag
        for tag in re.findall(r"<img[^>]*>", html):
            assert "alt=" in tag

    def test_files_are_named_by_their_content(self, game, phones: Phones):
        phone = phones.viewer()
        for link in re.findall(r'"(/static/[^"]+)"', phone.get("/").text):
            assert "?v=" in link
            with phone.get(link) as answer:
                assert answer.status_code == 200
                assert "max-age=31536000" in answer.headers["Cache-Control"]

    def test_is_small(self, game, phones: Phones, play: Callable[..., None]):
        play(moves=60)

        assert len(phones.seat(0).get("/").data) < 64_000


class TestHostPage:
    def test_only_the_host_sees_the_seats(self, game: FakeTable, phones: Phones):
        codes = [seat_code(SECRET, "game-1", seat) for seat in range(3)]

        shown = phones.host().get("/host").text

        for code in codes:
            assert f"{ADDRESS}/j/{code}" in shown
            for phone in (phones.viewer(), phones.seat(0)):
                for path in ("/", "/host", "/table", "/api/state"):
                    assert code not in phone.get(path).text

    def test_shows_who_has_come(self, game: FakeTable, phones: Phones):
        phones.seat(1)

        html = phones.host().get("/host").text

        assert html.count("place prise<") == 1
        assert html.count("place libre<") == 2


class TestPicture:
    def test_there_is_none_without_a_camera(self, game, phones: Phones):
        assert phones.viewer().get("/picture").status_code == 404

    def test_the_newest_frame(self, table: FakeTable):
        frames = [b"\xff\xd8one", b"\xff\xd8two"]
        app = create_app(
            table, secret=SECRET, pin=PIN, address=ADDRESS, frames=lambda: frames[-1]
        )

        answer = app.test_client().get("/picture")

        assert answer.data == b"\xff\xd8two"
        assert answer.mimetype == "image/jpeg"
        assert answer.headers["Cache-Control"] == "no-store"

    def test_a_camera_that_has_seen_nothing_yet(self, table: FakeTable):
        app = create_app(
            table, secret=SECRET, pin=PIN, address=ADDRESS, frames=lambda: None
        )

        assert app.test_client().get("/picture").status_code == 404


def test_browsers_that_look_for_the_old_icon_are_led_to_ours(phones: Phones):
    answer = phones.viewer().get("/favicon.ico")

    assert answer.headers["Location"].endswith("/static/icon.svg")


def test_the_big_screen_holds_no_buttons_even_for_the_host(game, phones: Phones):
    html = phones.host().get("/table").text

    assert "/api/act" not in html
    assert 'class="qr"' in html
