"""The page in a real browser, as phones use it."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.dashboard import Server, start
from companion.dashboard.door.auth import seat_code, table_code
from companion.running.snapshot import ButtonStatus, Setup
from tests.dashboard.browsing import make_app, sleep
from tests.dashboard.fakes import FakeTable
from tests.dashboard.playing import note
from tests.dashboard.relay import Relay
from tests.dashboard.setting import PIN, PLAYERS, SECRET

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def throw(page: Page, pips: int) -> Any:
    return page.locator(f'form[data-key="throw {pips}"] button')


def tab_to(page: Page, wanted: str, most: int = 60) -> None:
    """Go on by the Tab key alone till *wanted* has the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("wanted => document.activeElement.matches(wanted)", wanted):
            return
    raise AssertionError(f"{wanted} is more than {most} steps away")


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
        expect(watcher.locator("#live")).to_contain_text("Ana fait 4")
        assert watcher.locator("#actions form").count() == 0

    def test_a_double_tap_is_one_act(self, phone, game: FakeTable):
        page = phone().sit(0)

        throw(page, 3).evaluate("button => { button.click(); button.click(); }")

        expect(page.locator("#history .log li")).to_have_count(1)
        assert game.snapshot.story.seq == 1

    def test_one_secret_on_one_phone(self, phone):
        ana, bo = phone().sit(0), phone().sit(1)
        ana.locator("summary", has_text="Noter mon groupe").click()

        ana.locator('form[data-key="note 0 2"] button').click()

        ana.locator("summary", has_text="Mon groupe secret").hover()
        ana.mouse.down()
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

        expect(page.locator("#live.loud")).to_contain_text("vient de jouer")


class TestSecretsOnOnesOwnPhone:
    """Shown while a finger lies on them; whoever cannot hold has a glance."""

    @pytest.fixture
    def page(self, phone, game: FakeTable) -> Page:
        note(game, 0, 2)
        one = phone()
        one.page.clock.install()
        page = one.sit(0)
        page.locator(".hold summary").hover()
        return page

    def test_a_secret_is_seen_as_long_as_it_is_held(self, page: Page):
        icons = page.locator(".hold .trio .icon").first
        expect(icons).to_be_hidden()

        page.mouse.down()
        expect(icons).to_be_visible()
        page.clock.fast_forward(1_000)
        expect(icons).to_be_visible()
        page.mouse.up()

        expect(icons).to_be_hidden()

    def test_a_tap_is_a_glance_of_three_seconds(self, page: Page):
        page.mouse.down()
        page.mouse.up()
        expect(page.locator(".hold .trio .icon").first).to_be_visible()

        page.clock.fast_forward(3_100)

        expect(page.locator(".hold .trio .icon").first).to_be_hidden()

    def test_a_key_turns_it_over_and_sleep_hides_it(self, page: Page):
        page.locator(".hold summary").focus()
        page.keyboard.press("Enter")
        expect(page.locator(".hold .trio .icon").first).to_be_visible()

        sleep(page, hidden=True)

        expect(page.locator(".hold .trio .icon").first).to_be_hidden()


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

        tab_to(page, '[data-key="throw 3"] button', most=12)
        page.keyboard.press("Enter")

        expect(page.locator("#turn .die.thrown")).to_be_visible()

    def test_a_place_and_a_card_are_picked_and_taken_back_by_keys_alone(
        self, phone, game: FakeTable
    ):
        game.open_game(Setup("eight_dragons", PLAYERS))
        page = phone().sit(0, "game-2")

        tab_to(page, "[name=at]")
        page.keyboard.press("ArrowRight")
        tab_to(page, "[name=what]")
        page.keyboard.press("Enter")
        expect(page.locator("#history .log li")).to_have_count(1)
        tab_to(page, ".undo button")
        page.keyboard.press("Enter")

        expect(page.locator("#history .undone")).to_have_count(1)

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

    def test_a_table_that_lost_its_power_is_found_again_within_two_seconds(
        self, phone, game: FakeTable, server: Server, play
    ):
        relay, one = Relay(server.port), phone()
        one.at = relay.at
        one.expected = "Failed to load resource"
        one.page.clock.install()
        page = one.open()
        expect(page.locator("#history")).to_contain_text("la partie commence")
        relay.cut()  # the stream stays open, and nobody says that it is over
        play(moves=2)
        page.clock.fast_forward(6_000)
        expect(page.locator("#age")).to_be_visible()
        relay.mend()

        page.clock.fast_forward(2_000)

        expect(page.locator("#history .log li")).to_have_count(2)
        expect(page.locator("#age")).to_be_hidden()
        relay.close()

    def test_a_new_game_turns_the_page(self, phone, game: FakeTable):
        page = phone().sit(0)
        expect(page.locator(".who")).to_contain_text("Ana")

        game.open_game(Setup("drachenhort", ("Dee", "Eva")))

        expect(page.locator(".who")).to_contain_text("Vous regardez")
        expect(page.locator("#scores")).to_contain_text("Dee")


CONTRAST = """mark => {
    const light = colour => {
        const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map(part => {
            const share = part / 255;
            return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = getComputedStyle(mark.closest(".act")).backgroundColor;
    const two = [light(getComputedStyle(mark).color), light(ground)].sort();
    return (two[1] + 0.05) / (two[0] + 0.05);
}"""
"""How much a text stands out from the button that it is on, 1 to 21."""


OVERLAPS = """selector => {
    const boxes = [...document.querySelectorAll(selector)]
        .map(e => e.getBoundingClientRect());
    return boxes.filter((a, i) => boxes.some((b, j) => i < j
        && a.left < b.right - 0.5 && b.left < a.right - 0.5
        && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5)).length;
}"""
"""How many things overlap another one of the same kind."""

LINES_OF = """name => {
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const lines = [];
    while (walk.nextNode()) {
        const start = walk.currentNode.data.indexOf(name);
        const element = walk.currentNode.parentElement;
        if (start < 0 || !element.checkVisibility() || element.closest(".sr, svg"))
            continue;
        const range = document.createRange();
        range.setStart(walk.currentNode, start);
        range.setEnd(walk.currentNode, start + name.length);
        const tops = [...range.getClientRects()].map(rect => Math.round(rect.top));
        lines.push(new Set(tops).size);
    }
    return lines;
}"""
"""On how many lines a name stands, wherever it is shown."""


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

    def test_a_medal_that_somebody_has_cannot_be_tapped_for_anybody_else(self, phone):
        page = phone().open("/tally")
        taken = page.locator('input[name="silver-red"][value="6"]')
        page.locator('input[name="silver-green"][value="6"]').check()

        touch = "getComputedStyle(e.closest('label')).pointerEvents"
        assert taken.evaluate(f"e => {touch}") == "none"
        gold = page.locator('input[name="gold-red"][value="6"]')
        assert gold.evaluate(f"e => {touch}") == "auto"

        page.locator('input[name="silver-green"][value=""]').check()
        assert taken.evaluate(f"e => {touch}") == "auto"

    def test_what_a_button_would_make_is_marked_where_there_are_buttons(
        self, phone, game: FakeTable, play
    ):
        play(moves=1)  # Ana has thrown, and pressed "next" once
        game.show(offers=("advance green",), cursor=0)
        mark = ".act.chosen .tag"
        without = phone().sit(0)
        expect(without.locator(".act.chosen")).to_be_visible()
        expect(without.locator(mark)).to_be_hidden()

        without.locator(".sim summary").click()
        expect(without.locator(mark)).to_be_visible()

        game.show(buttons=ButtonStatus("lgpio", simulated=False))
        wired = phone().sit(0)
        expect(wired.locator(mark)).to_be_visible()
        expect(wired.locator("#status")).not_to_contain_text("lgpio")

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_that_mark_can_be_read_on_a_move_that_stands_alone(
        self, phone, scheme: str, game: FakeTable, play
    ):
        play(moves=1)
        game.show(
            buttons=ButtonStatus("lgpio", simulated=False),
            offers=("advance green",),
            cursor=0,
        )
        page = phone(color_scheme=scheme).sit(0)
        mark = page.locator(".act.chosen .tag")
        expect(mark).to_be_visible()
        # A lone move stands on the accent colour: others go, and so do its pictures.
        page.evaluate(
            """() => {
                const form = document.querySelector(".act.chosen").closest("form");
                form.parentElement.replaceChildren(form);
                form.querySelectorAll(".icon").forEach(icon => icon.remove());
            }"""
        )

        assert mark.evaluate(CONTRAST) >= 4.5  # WCAG 2.2, 1.4.3

    @pytest.mark.parametrize("game_id", ["drachenhort", "dragorun"])
    def test_no_name_is_broken_in_two_where_text_is_twice_as_large(
        self, phone, game_id: str, game: FakeTable, play
    ):
        name = "Maximilienne"  # twelve letters, as wide as names of most people are
        game.leave()
        game.open_game(Setup(game_id, (name, "Bartholomée")))
        play(moves=12)
        one = phone(390)
        one.sit(0, game.snapshot.game_id)
        page = one.open("/")
        page.evaluate("document.documentElement.style.fontSize = '200%'")

        assert page.evaluate(LINES_OF, name) == [1] * len(page.evaluate(LINES_OF, name))
        assert page.evaluate(LINES_OF, name)

    @pytest.mark.parametrize("path", ["/", "/past/game-2"])
    def test_nor_is_the_winners_at_the_end(
        self, phone, path: str, game: FakeTable, play
    ):
        names = ("Maximilienne", "Bartholomée")
        game.leave()
        game.open_game(Setup("drachenhort", names))
        play()
        page = phone(390).open(path)
        page.evaluate("document.documentElement.style.fontSize = '200%'")

        lines = [n for name in names for n in page.evaluate(LINES_OF, name)]
        assert set(lines) == {1}
        # Nor does a medal lie on the next one, or a sum stand in two lines.
        assert page.evaluate(OVERLAPS, ".medals :is(.medal, .icon)") == 0
        wrapped = page.locator(".parts li > :last-child").evaluate_all(
            "all => all.filter(e => e.getClientRects().length > 1).length"
        )
        assert wrapped == 0

    def test_an_empty_chair_offers_no_beginning(self, phone, game: FakeTable):
        game.leave()
        host = phone()
        host.host()
        page = host.open("/")
        begins = page.locator(".chairs .first")
        expect(begins.nth(3)).to_be_hidden()

        page.locator("#name-3").fill("Dee")

        expect(begins.nth(3)).to_be_visible()
        expect(begins.nth(4)).to_be_hidden()

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
        page.get_by_text("Jouer avec ce téléphone à la place de Bo").click()
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

    def test_a_game_that_runs_is_put_away_only_after_a_second_tap(
        self, phone, game: FakeTable
    ):
        host = phone()
        host.host()
        page = host.open("/host")
        sure = page.get_by_text("Oui, ranger cette partie", exact=True)
        expect(sure).to_be_hidden()

        page.locator("summary", has_text="Ranger la partie").click()
        assert game.snapshot.story is not None
        sure.click()

        expect(page.locator("h1")).to_contain_text("Nouvelle partie")
        assert game.snapshot.story is None

    def test_the_host_hands_over_and_is_a_guest_again(self, phone, game: FakeTable):
        old, new = phone(), phone()
        old.host()
        page = old.open("/host")
        page.locator("summary", has_text="Montrer le code").click()
        expect(page.locator("details[open] .qr").last).to_be_visible()
        new.host()  # scans it

        page.locator("summary", has_text="Ne plus être hôte").click()
        page.get_by_text("Oui, ne plus être hôte").click()

        expect(page.locator(".who")).to_contain_text("Vous regardez")
        old.open("/host")
        expect(page.locator("#pin")).to_be_visible()
        new.open("/host")
        expect(new.page.locator(".places")).to_be_visible()

    def test_a_seat_is_freed_for_another_phone(self, phone, game: FakeTable):
        gone, host = phone().sit(1), phone()
        host.host()
        page = host.open("/host")
        expect(gone.locator(".who")).to_contain_text("Bo")
        page.locator(".places summary", has_text="Bo").click()

        page.locator('form[action="/api/free"] button').click()

        expect(gone.locator(".who")).to_contain_text("Vous regardez")
        expect(page.locator(".places .tag.win")).to_have_count(0)
        late = phone()
        late.expected = "Failed to load resource"  # the old code opens nothing
        expect(late.sit(1).locator("h1")).to_contain_text("n’ouvre plus de place")
        new = seat_code(SECRET, "game-1", 1, game.tokens())
        expect(late.open(f"/j/{new}").locator(".who")).to_contain_text("Bo")

    def test_a_phone_picks_its_seat_by_the_big_screens_code(
        self, phone, game: FakeTable
    ):
        page = phone().open(f"/j/{table_code(SECRET, 'game-1')}")

        page.get_by_role("button", name="Cy").click()

        expect(page.locator(".who")).to_contain_text("Cy")

    def test_the_host_pauses_and_every_phone_says_so(self, phone, game: FakeTable):
        ana, host = phone().sit(0), phone()
        host.host()
        page = host.open("/host")

        page.locator('form[action="/api/pause"] button').click()

        expect(ana.locator("#turn h1")).to_contain_text("en pause")
        expect(throw(ana, 3)).to_have_count(0)
        page.locator('form[action="/api/go_on"] button').click()
        expect(throw(ana, 3)).to_be_visible()
