"""The page in a real browser, as phones use it."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser, BrowserContext, Page, expect

from companion.dashboard import Server, create_app, start
from companion.dashboard.auth import host_code, seat_code
from companion.dashboard.streams import Streams
from companion.log import Asked
from companion.snapshot import Setup
from companion.table import Glimpse, LinePart, Reading, Shown
from tests.dashboard.browsing import open_browser
from tests.dashboard.conftest import ADDRESS, PIN, PLAYERS, SECRET
from tests.dashboard.fakes import FakeTable
from tests.dashboard.playing import note

pytestmark = [pytest.mark.browser, pytest.mark.slow]

GREEN_JPEG = bytes.fromhex(
    "ffd8ffdb004300030202020202030202020303030304060404040404080606050609080a0a0908"
    "09090a0c0f0c0a0b0e0b09090d110d0e0f101011100a0c12131210130f101010ffc9000b080001"
    "0001011100ffcc000600101005ffda0008010100003f00d2cf20ffd9"
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as browser:
        yield browser


def make_app(table: FakeTable) -> Flask:
    return create_app(
        table,
        secret=SECRET,
        pin=PIN,
        address=ADDRESS,
        streams=Streams(beat_s=0.2),
        frames=lambda: GREEN_JPEG,
        strict_words=True,
    )


@pytest.fixture
def server(game: FakeTable) -> Iterator[Server]:
    server = start(make_app(game), "127.0.0.1", 0)
    yield server
    server.close()


class Phone:
    """A phone in somebody's hand; remembers what went wrong and where it asked."""

    def __init__(self, context: BrowserContext, server: Server) -> None:
        self.at = f"http://127.0.0.1:{server.port}"
        self.page = context.new_page()
        self.page.set_default_timeout(10_000)
        self.faults: list[str] = []
        self.expected = "nothing"
        self.asked: set[str] = set()
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", self._hear)
        self.page.on("request", lambda request: self.asked.add(request.url))

    def _hear(self, message: Any) -> None:
        wrong = message.type in ("error", "warning")
        if wrong and not message.text.startswith(self.expected):
            self.faults.append(message.text)

    def open(self, path: str = "/") -> Page:
        self.page.goto(self.at + path)
        return self.page

    def sit(self, seat: int, game_id: str = "game-1") -> Page:
        return self.open(f"/j/{seat_code(SECRET, game_id, seat)}")

    def host(self) -> Page:
        return self.open(f"/j/{host_code(SECRET)}")

    def be_both(self) -> None:
        """Become the host's phone and the first player's, without opening a page."""
        for code in (host_code(SECRET), seat_code(SECRET, "game-1", 0)):
            self.page.context.request.get(f"{self.at}/j/{code}")


@pytest.fixture
def phone(browser: Browser, server: Server) -> Iterator[Callable[..., Phone]]:
    contexts: list[BrowserContext] = []
    phones: list[Phone] = []

    def pick_up(width: int = 390, height: int = 844, **options: Any) -> Phone:
        options = {"locale": "fr", "color_scheme": "light"} | options
        size: Any = {"width": width, "height": height}
        contexts.append(browser.new_context(viewport=size, **options))
        phones.append(Phone(contexts[-1], server))
        return phones[-1]

    yield pick_up
    for context in contexts:
        context.close()
    for one in phones:
        assert one.faults == []
        assert all(url.startswith((one.at, "data:")) for url in one.asked)


def throw(page: Page, pips: int) -> Any:
    return page.locator(f'form[data-key="throw {pips}"] button')


class TestPlaying:
    def test_join_throw_and_move_without_loading_the_page_again(self, phone):
        page = phone().sit(0)
        expect(page.locator("#turn")).to_contain_text("C’est à vous")
        page.evaluate("window.mark = 1")

        throw(page, 3).click()
        page.locator('form[data-key="advance green"] button').click()

        expect(page.locator("#turn")).to_contain_text("Au tour de Bo")
        expect(page.locator("#history")).to_contain_text("Vert")
        assert page.evaluate("window.mark") == 1

    def test_everybody_sees_it(self, phone):
        ana, watcher = phone().sit(0), phone().open()

        throw(ana, 4).click()

        expect(watcher.locator("#turn .die.thrown")).to_have_attribute(
            "aria-label", "Le dé montre 4"
        )
        expect(watcher.locator("#live")).to_contain_text("Ana lance un 4")
        assert watcher.locator("#actions form").count() == 0

    def test_a_double_tap_is_one_act(self, phone, game: FakeTable):
        page = phone().sit(0)

        throw(page, 3).evaluate("button => { button.click(); button.click(); }")

        expect(page.locator("#history .log li")).to_have_count(1)
        assert game.snapshot.story.seq == 1

    def test_undo(self, phone):
        page = phone().sit(0)
        throw(page, 3).click()

        page.locator(".undo button").click()

        expect(page.locator("#history .undone")).to_have_count(1)
        expect(throw(page, 3)).to_be_visible()

    def test_an_unsure_reading_is_settled_by_one_tap(self, phone, game: FakeTable):
        page = phone().sit(0)
        glimpse = Glimpse(Shown("die", "3", "tray"), 0.5)
        why = LinePart("core.ask.unsure")
        game.tell(Asked(Reading((glimpse,)), why, ("throw 3", "throw 2")))
        expect(page.locator("#turn img")).to_be_visible()

        page.locator("#turn .likely").click()

        expect(page.locator("#turn .die.thrown")).to_be_visible()
        assert game.snapshot.story.state.pips == 3

    def test_one_secret_on_one_phone(self, phone):
        ana, bo = phone().sit(0), phone().sit(1)
        ana.locator("summary", has_text="Noter mon groupe").click()

        ana.locator('form[data-key="note 0 2"] button').click()

        ana.locator("summary", has_text="Mon groupe secret").click()
        expect(ana.locator('[data-key="mine"] .trio .icon').first).to_be_visible()
        expect(bo.locator("#history")).to_contain_text("Ana a noté")
        assert bo.locator('[data-key="mine"]').count() == 0

    def test_a_refusal_is_told_kindly(self, phone, game: FakeTable):
        one = phone()
        page, one.expected = one.sit(0), "Failed to load resource"
        page.route("**/api/events*", lambda route: route.abort())
        page.reload()
        throw(page, 3).click()
        expect(page.locator("#live")).to_be_empty()

        throw(page, 4).click()

        expect(page.locator("#live.loud")).to_contain_text("plus rapide")


class TestNoScripts:
    def test_the_same_page_works_by_loading(self, phone, game: FakeTable):
        page = phone(java_script_enabled=False).sit(0)

        throw(page, 3).click()

        expect(page.locator("#turn .die.thrown")).to_be_visible()
        page.locator(".undo button").click()
        expect(throw(page, 3)).to_be_visible()


class TestKeyboard:
    def test_a_turn_by_keys_alone(self, phone):
        page = phone().sit(0)

        for _ in range(12):
            page.keyboard.press("Tab")
            if "throw 3" in page.evaluate(
                "document.activeElement.form?.dataset.key ?? ''"
            ):
                break
        page.keyboard.press("Enter")

        expect(page.locator("#turn .die.thrown")).to_be_visible()

    def test_focus_and_open_parts_stay_while_the_table_changes(
        self, phone, game: FakeTable, play
    ):
        page = phone().sit(1)
        page.locator("#board summary").click()
        page.locator("#board summary").focus()

        play(moves=2)

        expect(page.locator("#history .log li")).to_have_count(2)
        assert page.evaluate("document.activeElement.tagName") == "SUMMARY"
        expect(page.locator("#board .twin")).to_be_visible()


class TestFresh:
    def test_comes_back_by_itself_after_a_restart(
        self, phone, game: FakeTable, server: Server, play
    ):
        one = phone()
        page, one.expected = one.open(), "Failed to load resource"
        expect(page.locator("#history")).to_contain_text("la partie commence")
        server.close()
        play(moves=2)
        again = start(make_app(game), "127.0.0.1", server.port)

        try:
            expect(page.locator("#history .log li")).to_have_count(2)
            expect(page.locator("body")).not_to_have_class("stale")
        finally:
            page.context.close()
            again.close()

    def test_a_phone_that_slept_is_right_when_it_wakes_twice(
        self, phone, game: FakeTable, play
    ):
        page = phone().open()
        for moves in (2, 4):
            sleep(page, hidden=True)
            play(moves=2)
            expect(page.locator("#history .log li")).to_have_count(moves - 2)

            sleep(page, hidden=False)

            expect(page.locator("#history .log li")).to_have_count(moves)

    def test_old_news_is_grey_with_its_age(self, phone, game: FakeTable):
        one = phone()
        one.expected = "Failed to load resource"
        one.page.clock.install()
        page = one.open()
        expect(page.locator("body")).not_to_have_class("stale")
        page.context.set_offline(True)
        sleep(page, hidden=True)  # the stream ends, as when the network goes

        page.clock.fast_forward(9_000)

        expect(page.locator("#age")).to_be_visible()
        expect(page.locator("#age")).to_contain_text("Sans nouvelles")
        page.context.set_offline(False)
        sleep(page, hidden=False)
        expect(page.locator("#age")).to_be_hidden()

    def test_a_new_game_turns_the_page(self, phone, game: FakeTable):
        page = phone().sit(0)
        expect(page.locator(".who")).to_contain_text("Ana")

        game.open_game(Setup("drachenhort", ("Dee", "Eva")))

        expect(page.locator(".who")).to_contain_text("Vous regardez")
        expect(page.locator("#scores")).to_contain_text("Dee")


def sleep(page: Page, *, hidden: bool) -> None:
    """Turn the phone's screen off or on, as far as the page can tell."""
    page.evaluate(
        """value => {
            Object.defineProperty(document, "hidden", { value, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }""",
        hidden,
    )


class TestEveryScreen:
    @pytest.mark.parametrize("width", [320, 390, 768, 1920])
    @pytest.mark.parametrize("path", ["/", "/host", "/table", "/tally"])
    def test_nothing_is_cut_off_at_the_side(
        self, width: int, path: str, phone, game: FakeTable, play
    ):
        note(game, 0, 1)
        play(moves=20)
        one = phone(width)
        one.be_both()
        page = one.open(path)

        wide = page.evaluate("document.documentElement.scrollWidth")

        assert wide <= width

    @pytest.mark.parametrize("path", ["/", "/host", "/tally"])
    def test_everything_to_tap_is_large_enough(self, path: str, phone):
        one = phone(320)
        one.be_both()
        page = one.open(path)

        small = page.evaluate(
            """() => [...document.querySelectorAll("a, button, summary, .tap, select")]
                .filter(e => e.offsetParent && !e.matches(".skip"))
                .map(e => [e.outerHTML.slice(0, 80), e.getBoundingClientRect()])
                .filter(([_, box]) => box.height < 43.5 || box.width < 24)
                .map(([html, box]) => html + box.width + "x" + box.height)"""
        )

        assert small == []

    def test_the_language_changes_and_stays(self, phone):
        page = phone().sit(0)

        page.locator(".languages a", has_text="Deutsch").click()

        expect(page.locator("html")).to_have_attribute("lang", "de")
        expect(page.locator("#turn")).to_contain_text("Du bist dran")
        page.reload()
        expect(page.locator("html")).to_have_attribute("lang", "de")


class TestHosting:
    def test_from_the_pin_to_the_seats(self, phone, game: FakeTable):
        game.leave()
        page = phone().open("/host")
        page.locator("#pin").fill(PIN)
        page.locator("form.pin button").click()
        expect(page.locator("h1")).to_contain_text("Nouvelle partie")
        for number, name in enumerate(PLAYERS):
            page.locator(f"#name-{number}").fill(name)

        page.locator("button.start").click()

        expect(page.locator("h1")).to_contain_text("Chacun prend sa place")
        expect(page.locator(".places details[open] .qr")).to_be_visible()
        page.locator(".places summary", has_text="Bo").click()
        page.get_by_text("Jouer Bo sur ce téléphone").click()
        expect(page.locator(".who")).to_contain_text("Bo")

    def test_from_the_end_to_a_rematch(self, phone, game: FakeTable, play):
        host, ana = phone(), phone().sit(0)
        page = host.host()
        play()
        expect(page.locator(".reveal h1")).to_be_visible()

        page.get_by_text("Rejouer avec les mêmes").click()

        expect(page.locator("#turn")).to_contain_text("Ana : lancez le dé")
        expect(ana.locator(".who")).to_contain_text("Ana")
        expect(throw(ana, 3)).to_be_visible()
