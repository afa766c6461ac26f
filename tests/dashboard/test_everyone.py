"""Everybody can use every page: axe finds nothing, in any theme."""

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from companion.dashboard import Server, start
from companion.dashboard.door.access import ACCESS
from companion.dashboard.door.auth import table_code
from companion.running.wifi import Wifi, WifiFiles
from companion.story.log import Asked
from companion.table import Claim, Glimpse, LinePart, Moved, Reading, Shown
from companion.teaching.teacher import KitTeacher
from tests.dashboard.browsing import make_app
from tests.dashboard.fakes import FakeTable
from tests.dashboard.playing import note
from tests.dashboard.setting import SECRET
from tests.dashboard.situations import SITUATIONS, Situation, reach

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PLAIN: dict[str, Any] = {"contrast": "no-preference", "forced_colors": "none"}

THEMES: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "light, high contrast": {"color_scheme": "light", "contrast": "more"},
    "dark, high contrast": {"color_scheme": "dark", "contrast": "more"},
    "forced colours": {"color_scheme": "dark", "forced_colors": "active"},
}

DAY_AND_NIGHT = {name: THEMES[name] for name in ("light", "dark")}


@pytest.fixture(
    autouse=True,
    params=[DAY_AND_NIGHT, pytest.param(THEMES, marks=pytest.mark.long)],
    ids=["by day and night", "in all themes"],
)
def _themes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Look in two themes; in all five where minutes do not matter."""
    monkeypatch.setattr(request.module, "THEMES", request.param)


RULES = {
    "resultTypes": ["violations"],
    "runOnly": [
        "wcag2a",
        "wcag2aa",
        "wcag21a",
        "wcag21aa",
        "wcag22aa",
        "best-practice",
    ],
}

COLOURS = {"resultTypes": ["violations"], "runOnly": {
    "type": "rule", "values": ["color-contrast", "link-in-text-block"],
}}  # fmt: skip


TOO_SMALL = """() => [...document.querySelectorAll("a, button, summary, .tap, select")]
    .filter(e => e.checkVisibility() && !e.matches(".skip"))
    .map(e => [e.outerHTML.slice(0, 80), e.getBoundingClientRect()])
    .filter(([_, box]) => box.height < 43.5 || box.width < 24)
    .map(([html, box]) => `too small: ${html} ${box.width} x ${box.height}`)"""


def faults(page: Page) -> list[str]:
    """Return what axe finds in each theme, with everything that opens held open.

    Also what is too small for a finger: less than 44 pixels high.
    """
    page.evaluate("document.querySelectorAll('details').forEach(d => (d.open = true))")
    found = page.evaluate(TOO_SMALL)
    for name, media in THEMES.items():
        page.emulate_media(**(PLAIN | media))
        # A theme changes colours and nothing else that axe looks at.
        rules = COLOURS if name != next(iter(THEMES)) else RULES
        for rule in Axe().run(page, options=rules).response["violations"]:
            first = rule["nodes"][0]
            where = f"{first['html'][:160]} {first['failureSummary']}"
            found.append(f"{name}: {rule['id']} x {len(rule['nodes'])}: {where}")
    return found


LOOKED_AT = {
    "/", "/table", "/host", "/j/<code>", "/tally", "/rules", "/odds", "/help",
    "/past", "/past/<game_id>", "/past/<game_id>/points/<int:seat>",
    "/past/<game_id>/delete", "/figures", "/forget", "/amend/<int:step>",
    "/teach", "/teach/facts", "/teach/spaces", "/box/<game>",
}  # fmt: skip
"""The pages that the tests of this file open."""

NO_PAGES = {
    "/picture", "/evidence/<game_id>/<name>", "/past/<game_id>/<form>",
    "/favicon.ico", "/static/<path:filename>", "/api/state", "/api/events",
    "/api/openapi.json",
    "/teach/now", "/teach/picture", "/teach/map", "/teach/kit/<name>",
}  # fmt: skip


def test_no_page_is_left_out():
    assert {rule for method, rule in ACCESS if method == "GET"} == LOOKED_AT | NO_PAGES


def asked(game: FakeTable) -> None:
    glimpse = Glimpse(Shown("die", "3", "tray"), 0.5)
    reading = Reading((glimpse,))
    game.tell(Asked(reading, LinePart("core.ask.unsure"), ("throw 3", "throw 2")))


@pytest.mark.parametrize(
    "path",
    ["/", "/table", "/host", "/tally", "/nothing", "/past/game-1/points/0"],
)
def test_pages_while_a_game_runs(path: str, phone, game: FakeTable, play):
    note(game, 0, 1)
    play(moves=20)
    one = phone()
    one.expected = "Failed to load resource"
    one.be_both()

    assert faults(one.open(path)) == []


def test_a_look_at_what_another_move_would_change(phone, game: FakeTable, play):
    play(moves=4)
    one = phone(320)
    one.be_both()
    page = one.open("/amend/3")
    page.locator("main form button").click()
    expect(page.locator("table.numbers")).to_be_visible()

    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_a_refusal_and_the_rulings(phone, game: FakeTable):
    page = phone().sit(0)
    claim = Claim("advance green", 0, game.snapshot.story.seq, "k")
    game.act(claim)
    page.locator("#turn .alert summary").click()
    expect(page.locator("#turn .alert details[open] .button")).to_be_visible()

    assert faults(page) == []
    page.locator("#turn .alert .button").click()
    assert faults(page) == []


def test_a_question_while_calls_are_on(phone, game: FakeTable):
    asked(game)
    page = phone().sit(0)
    page.locator("#calls button").click()
    expect(page.locator("#caption")).to_be_visible()

    assert faults(page) == []


def test_a_question_about_what_lies_there(phone, game: FakeTable):
    game.act(Claim("throw 2", 0, game.snapshot.story.seq, "k"))
    shoved = Glimpse(Moved("green", "start", "cell/5/dark"), 0.99)
    why = LinePart("core.ask.table_unexpected")
    game.tell(Asked(Reading((shoved,), whole=True), why, ("advance green",)))
    page = phone().sit(0)
    expect(page.locator("#turn .remedy")).to_be_visible()

    assert faults(page) == []


def test_all_other_moves_below_a_question(phone, game: FakeTable):
    asked(game)
    page = phone().sit(0)
    page.locator("#actions > details[data-key=others] > summary").click()
    expect(page.locator("#actions .act").first).to_be_visible()

    assert faults(page) == []


@pytest.mark.parametrize("path", ["/", "/host", "/table"])
def test_a_pause(path: str, phone, game: FakeTable, play):
    play(moves=5)
    game.rest(pause=True)
    one = phone()
    one.be_both()

    assert faults(one.open(path)) == []


def test_who_are_you(phone, game: FakeTable):
    page = phone(320).open(f"/j/{table_code(SECRET, 'game-1')}")

    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_a_move_opened_to_its_rulings(phone, game: FakeTable, play):
    play(moves=30)
    page = phone(320).open()
    page.locator("#history .line > summary").first.click()
    expect(page.locator("#history .line[open] p").first).to_be_visible()

    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


class TestTheWifi:
    @pytest.fixture
    def server(self, game: FakeTable, tmp_path) -> Iterator[Server]:
        networks = WifiFiles(tmp_path / "wifi.json", tmp_path / "hotspot.json")
        networks.keep(Wifi("Le repaire du dragon rouge", "w" * 63))
        server = start(make_app(game, networks), "127.0.0.1", 0)
        yield server
        server.close()

    @pytest.mark.parametrize("width", [320, 1280])
    @pytest.mark.parametrize("path", ["/host", "/table"])
    def test_is_shown_and_told(self, path: str, width: int, phone):
        one = phone(width, 720)
        one.be_both()
        page = one.open(path)
        for summary in page.locator("details[data-key=wifi] > summary").all():
            summary.click()

        assert faults(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width

    def test_before_a_game_too(self, phone, game: FakeTable):
        game.leave()

        assert faults(phone(1280, 720).open("/table")) == []


def test_the_end(phone, game: FakeTable, play):
    for seat in range(3):
        note(game, seat, seat)
    play()

    assert faults(phone().host()) == []


@pytest.mark.parametrize(
    "path",
    ["/past", "/past/game-1", "/past/game-1/delete", "/figures", "/forget?name=Ana"],
)
def test_games_of_the_past(path: str, phone, game: FakeTable, play):
    play()
    one = phone(320)
    one.be_both()

    page = one.open(path)

    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize("path", ["/help", "/rules", "/odds"])
def test_pages_beside_the_game(path: str, phone):
    one = phone(320)
    one.open(path)
    page = one.open(path)  # chances are told from the second look on

    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


class TestTeachingACopy:
    @pytest.fixture
    def server(self, game: FakeTable, tmp_path) -> Iterator[Server]:
        teacher = KitTeacher(tmp_path / "kits", lambda *_: None)
        server = start(make_app(game, teacher=teacher), "127.0.0.1", 0)
        yield server
        server.close()

    @pytest.mark.parametrize("title", ["Drachenhort", "Dragorun"])
    def test_from_the_choice_of_a_game_to_its_first_picture(self, title: str, phone):
        one = phone(320)
        one.expected = "Failed to load resource"  # no camera, no picture
        one.be_both()
        page = one.open("/teach")
        assert faults(page) == []

        page.locator("#teach-game").select_option(label=title)
        page.locator("#teach-name").fill("Chez nous")
        page.locator("form.new button.start").click()
        expect(page.locator("#lesson h1")).to_be_visible()

        box = f"/box/{title.lower()}"
        for path in ("/teach", "/teach/facts", "/teach/spaces", box):
            page = one.open(path)
            assert faults(page) == [], path
            assert page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize("who", ["host", "viewer"])
def test_the_lobby(who: str, phone, game: FakeTable):
    game.leave()
    one = phone()

    assert faults(one.host() if who == "host" else one.open()) == []


def test_the_wrong_pin(phone):
    one = phone()
    one.expected = "Failed to load resource"
    page = one.open("/host")
    page.locator("#pin").fill("000000")
    page.locator("form.pin button").click()

    assert faults(page) == []


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda s: s.game)
class TestBoards:
    @pytest.fixture
    def game(self, situation: Situation) -> FakeTable:
        return reach(situation)

    def test_a_seat_in_turn(self, situation: Situation, phone, game: FakeTable):
        assert faults(phone().sit(game.snapshot.story.state.seat)) == []

    def test_who_watches(self, situation: Situation, phone):
        assert faults(phone().open()) == []

    @pytest.mark.parametrize("path", ["/", "/table"])
    @pytest.mark.parametrize("width", [320, 3840])
    def test_from_the_smallest_phone_to_the_largest_screen(
        self, situation: Situation, width: int, path: str, phone
    ):
        page = phone(width, 2160 if width > 2000 else 568).open(path)

        assert page.evaluate("document.documentElement.scrollWidth") <= width

    def test_all_that_a_board_shows_is_said_and_one_voice_says_it(
        self, situation: Situation, phone
    ):
        page = phone().open()

        assert page.locator("#board .twin li").count() >= 3
        voices = page.locator("[role=status], [role=alert], [role=log], [aria-live]")
        assert voices.count() == 1
