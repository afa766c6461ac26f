"""A page whose script does not load or run never shows old state as the present one."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from companion.dashboard import Server, showing
from companion.story.log import Made
from tests.dashboard.browsing import Phone
from tests.dashboard.conftest import Phones
from tests.dashboard.fakes import FakeTable

REFRESHES = 'http-equiv="refresh"'


class TestWhichPages:
    def test_load_themselves_anew_where_nobody_chooses_or_types(
        self, game: FakeTable, phones: Phones
    ):
        game.leave()
        assert REFRESHES in phones.viewer().get("/").text
        assert REFRESHES in phones.viewer().get("/table").text
        # The host types names there.
        assert REFRESHES not in phones.host().get("/").text
        game.resume("game-1")
        for phone in (phones.viewer(), phones.seat(1)):
            assert REFRESHES in phone.get("/").text
        assert REFRESHES in phones.host().get("/table").text

    def test_grey_where_somebody_chooses(self, race: FakeTable, phones: Phones):
        page = phones.seat(race.snapshot.story.header.first).get("/").text

        assert 'type="radio"' in page
        assert REFRESHES not in page
        assert 'class="age unheard"' in page

    def test_other_pages_do_neither(self, game: FakeTable, phones: Phones):
        for path in ("/host", "/tally", "/past"):
            page = phones.host().get(path).text
            assert REFRESHES not in page
            assert "unheard" not in page

    @pytest.fixture
    def race(self, table: FakeTable) -> FakeTable:
        from companion.running.snapshot import Setup

        table.open_game(Setup("dragorun", ("Ana", "Bo")))
        return table


def throw(game: FakeTable) -> None:
    story = game.snapshot.story
    game.tell(Made(story.game.parse(story.state, "throw 3"), "camera"))


def old(page: Page) -> None:
    """Let the time pass after which a page that nothing keeps fresh says so."""
    page.evaluate("document.getAnimations().forEach(one => one.finish())")


def garbled(route: Route) -> None:
    route.fulfill(body="const ( = ?;", content_type="text/javascript")


@pytest.mark.browser
class TestInABrowser:
    @pytest.fixture
    def broken(self, browser: Browser, server: Server) -> Callable[..., Page]:
        """Open pages in browsers that cannot run the script; faults are expected."""
        contexts = []

        def open_page(path: str, **options) -> Page:
            contexts.append(browser.new_context(locale="fr", **options))
            phone = Phone(contexts[-1], server.port)
            phone.page.route("**/app.js*", garbled)
            return phone.open(path)

        yield open_page
        for context in contexts:
            context.close()

    @pytest.mark.parametrize("scripts", [True, False], ids=["garbled", "switched off"])
    def test_a_television_that_cannot_run_the_script_shows_the_game_all_the_same(
        self, scripts: bool, broken, game: FakeTable, monkeypatch
    ):
        monkeypatch.setattr(showing, "REFRESH_S", 1)
        page = broken("/table", java_script_enabled=scripts)
        before = page.locator("main").get_attribute("data-seq")

        throw(game)

        expect(page.locator("main")).to_have_attribute("data-seq", "1")
        assert before == "0"

    def test_a_garbled_page_waits_for_the_table_and_comes_back(
        self, broken, game: FakeTable, monkeypatch
    ):
        monkeypatch.setattr(showing, "REFRESH_S", 1)
        page = broken("/table")
        page.route("**/table", lambda route: route.abort())
        with page.expect_event("requestfailed"):
            pass
        throw(game)
        page.unroute("**/table")

        expect(page.locator("main")).to_have_attribute("data-seq", "1")

    def test_a_page_that_does_not_refresh_greys_and_says_so(
        self, broken, game: FakeTable
    ):
        page = broken("/")
        note = page.locator(".unheard")
        expect(note).to_be_hidden()

        old(page)

        expect(note).to_be_visible()
        expect(note.get_by_role("link")).to_have_attribute("href", "/")
        assert (
            page.locator("main").evaluate("e => getComputedStyle(e).opacity") == "0.55"
        )

    def test_a_page_whose_script_runs_does_neither(
        self, phone: Callable[..., Phone], game: FakeTable
    ):
        page = phone().open("/table")
        expect(page.locator("html.awake")).to_be_attached()

        old(page)

        expect(page.locator(".unheard")).to_be_hidden()
        assert page.locator("main").evaluate("e => getComputedStyle(e).opacity") == "1"
