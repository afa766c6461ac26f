"""A whole game of each kind, played from phones alone in a real browser.

The table is the real one, with its writer and its file; only camera and pins are not
there. Phones tap what their page offers, by chance from a seed.
"""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.dashboard import Server, start
from companion.dashboard.door.auth import seat_code
from companion.referee.referee import awaited_moves
from companion.running.service import Table
from companion.running.snapshot import Setup
from tests.dashboard.browsing import Phone, make_app, sleep
from tests.dashboard.setting import SECRET
from tests.dashboard.situations import OFTEN, RARELY
from tests.running.table_setup import doubted, running

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TOGETHER_MS = 1_000
"""Between the first and the last phone that shows the winner. What the table itself
takes is measured in test_crowd; this machine also runs every browser."""

NOTE_THE_REVEAL = """new MutationObserver(() => {
    if (document.querySelector(".reveal")) window.revealedAt ??= Date.now();
}).observe(document, { childList: true, subtree: true });"""

NAMES = ("Ana", "Bo", "Cy", "Dee")
MOST_TAPS = 900


class Appliance:
    """The table and its server, which can be cut off from power and started again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = 0
        self.start()

    def start(self) -> None:
        self._stack = ExitStack()
        self.table: Table = self._stack.enter_context(running(self._folder))
        self.server: Server = start(make_app(self.table), "127.0.0.1", self._port)
        self._stack.callback(self.server.close)
        self._port = self.server.port

    def stop(self) -> None:
        self._stack.close()


@pytest.fixture
def appliance(tmp_path: Path) -> Iterator[Appliance]:
    appliance = Appliance(tmp_path)
    yield appliance
    appliance.stop()


@pytest.fixture
def sit(browser: Browser, appliance: Appliance) -> Iterator[Callable[..., list[Phone]]]:
    phones: list[Phone] = []

    def down(game: str, seats: int) -> list[Phone]:
        """Begin *game* and give each player a phone that was let in by its code."""
        appliance.table.open_game(Setup(game, NAMES[:seats]))
        for seat in range(seats):
            size: Any = {"width": 390, "height": 844}
            context = browser.new_context(viewport=size, locale="fr")
            context.add_init_script(NOTE_THE_REVEAL)
            phone = Phone(context, appliance.server.port)
            # What Chromium says of a table that is gone for a moment, or refuses.
            phone.expected = "Failed to load resource"
            code = seat_code(SECRET, appliance.table.snapshot.game_id or "", seat)
            phone.open(f"/j/{code}")
            phones.append(phone)
        return phones

    yield down
    for phone in phones:
        phone.page.context.close()
        phone.check()


class Players:
    """Tap what the pages offer; *refused* counts what the rules turned down."""

    def __init__(self, appliance: Appliance, phones: list[Phone], seed: int) -> None:
        self._appliance = appliance
        self.phones = phones
        self._rng = random.Random(seed)
        self.kinds: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()

    @property
    def over(self) -> bool:
        story = self._appliance.table.snapshot.story
        assert story is not None
        return story.game.outcome(story.state) is not None

    def play(self, taps: int = MOST_TAPS, without: Phone | None = None) -> None:
        """Tap so often, or to the end, or till somebody is wanted who is away."""
        for _ in range(taps):
            if self.over or not self._tap(without):
                return

    def _tap(self, without: Phone | None) -> bool:
        story = self._appliance.table.snapshot.story
        assert story is not None
        game, state = story.game, story.state
        offers: dict[str, list[tuple[Phone, str]]] = {}
        for phone in self.phones:
            if phone is without:
                continue
            self._catch_up(phone, story.seq)
            for notation in offered(phone.page):
                kind = type(game.parse(state, notation)).__name__
                offers.setdefault(kind, []).append((phone, notation))
        if not offers:
            return False
        weights = [RARELY.get(kind, OFTEN.get(kind, 1.0)) for kind in offers]
        kind = self._rng.choices(list(offers), weights)[0]
        phone, notation = self._rng.choice(offers[kind])
        tap(phone.page, notation)
        self.kinds[kind] += 1
        self._answered(phone, story.seq, kind)
        return True

    def all_see_the_newest(self, within_ms: float) -> None:
        story = self._appliance.table.snapshot.story
        assert story is not None
        for phone in self.phones:
            self._catch_up(phone, story.seq, within_ms)
            expect(phone.page.locator("body")).not_to_have_class("stale")

    def _catch_up(self, phone: Phone, seq: int, within_ms: float = 10_000) -> None:
        wanted = "seq => Number(document.querySelector('main').dataset.seq) >= seq"
        phone.page.wait_for_function(wanted, arg=seq, timeout=within_ms)

    def _answered(self, phone: Phone, seq: int, kind: str) -> None:
        """Wait till the table moved on, or said no."""
        phone.page.wait_for_function(
            """seq => Number(document.querySelector('main').dataset.seq) > seq
                || document.querySelector('#live.loud')""",
            arg=seq,
        )
        self.refused[kind] += phone.page.locator("#live.loud").count()
        phone.page.evaluate("document.querySelector('#live').className = 'live'")


def offered(page: Page) -> list[str]:
    """Return what the buttons and picks of a page would send."""
    return page.evaluate(
        """() => [...document.querySelectorAll("[action='/api/act']")].flatMap(f => {
            const all = name => [...f.querySelectorAll(`[name=${name}]`)];
            const one = all("move")[0].value, tail = all("tail").map(t => t.value);
            if (!f.classList.contains("pick-form")) return [one];
            const ats = all("at").map(a => [a.value]);
            return (ats.length ? ats : [[]]).flatMap(at => all("what").map(w =>
                [one, ...at, w.value, ...tail].join(" ")));
        })"""
    )


def tap(page: Page, notation: str) -> None:
    """Tap the button of a move; in a pick the first answer, then the second."""
    single = page.locator(f'form[data-key="{notation}"] button')
    if single.count():
        reveal(page, single)
        single.click()
        return
    form, at, what = page.evaluate_handle(FIND, notation).get_properties().values()
    reveal(page, form.as_element())
    answer = at.as_element()
    if answer and answer.get_attribute("type") == "radio":
        answer.check(force=True)
    what.as_element().click()


FIND = """notation => {
    const value = (f, name) => [...f.querySelectorAll(`[name=${name}]`)];
    for (const f of document.querySelectorAll(".pick-form"))
        for (const at of [null, ...value(f, "at")])
            for (const what of value(f, "what")) {
                if (!at && value(f, "at").length) continue;
                const tail = value(f, "tail").map(t => t.value);
                const line = [f.elements.move.value, at?.value, what.value, ...tail];
                if (line.filter(Boolean).join(" ") === notation) return [f, at, what];
            }
    throw new Error("no way to send " + notation);
}"""


def reveal(page: Page, thing: Any) -> None:
    """Open what a button is folded away in, by tapping each summary."""
    for _ in range(4):
        closed = thing.evaluate_handle(
            """e => { let d = e.closest("details:not([open])"), outer = d;
                 while (outer?.parentElement.closest("details:not([open])"))
                     outer = outer.parentElement.closest("details:not([open])");
                 return outer?.querySelector(":scope > summary") ?? null; }"""
        ).as_element()
        if closed is None:
            return
        closed.click()


def all_know_the_winner(phones: list[Phone]) -> None:
    texts, at_ms = set(), []
    for phone in phones:
        expect(phone.page.locator(".reveal h1")).to_be_visible()
        texts.add(phone.page.locator(".reveal").inner_text())
        at_ms.append(phone.page.evaluate("revealedAt"))
    assert len(texts) == 1
    assert max(at_ms) - min(at_ms) <= TOGETHER_MS


HIDDEN = {"eight_dragons": {"Turn", "Draw"}}
"""Moves that name a card which only the referee may know to lie elsewhere."""

GAMES = [
    pytest.param("dragorun", 2, 11, marks=pytest.mark.long, id="dragorun"),
    pytest.param("dragon_run", 2, 5, id="dragon_run"),
    pytest.param("drachenhort", 2, 3, marks=pytest.mark.long, id="drachenhort"),
    pytest.param("eight_dragons", 2, 2, marks=pytest.mark.long, id="eight_dragons"),
    pytest.param("dragonix", 2, 4, marks=pytest.mark.long, id="dragonix"),
]


@pytest.mark.parametrize(("game", "seats", "seed"), GAMES)
def test_a_whole_game_from_phones_alone(
    game: str, seats: int, seed: int, sit, appliance: Appliance, record_property
):
    phones = sit(game, seats)
    players = Players(appliance, phones, seed)

    players.play()

    assert players.over
    all_know_the_winner(phones)
    # A phone must not know less than a rule, but may know less than the referee, who
    # remembers each turned card: these players name cards that nobody could see there.
    assert set(+players.refused) <= HIDDEN.get(game, set())
    taps, refused = players.kinds.total(), players.refused.total()
    record_property("figures", f"{taps} taps, {refused} cards that were not there")


@pytest.mark.parametrize(
    "to_the_end", [False, pytest.param(True, marks=pytest.mark.long)]
)
def test_an_evening_with_every_mishap(sit, appliance: Appliance, to_the_end: bool):
    phones = sit("drachenhort", 3)
    ana, bo, cy = phones
    players = Players(appliance, phones, seed=7)
    players.play(8)

    for _ in range(2):
        sleep(cy.page, hidden=True)
        players.play(4, without=cy)
        sleep(cy.page, hidden=False)
        players.all_see_the_newest(within_ms=2_000)

    bo.page.context.set_offline(True)
    players.play(3, without=bo)
    bo.page.context.set_offline(False)
    players.all_see_the_newest(within_ms=2_000)

    appliance.stop()
    appliance.start()
    players.all_see_the_newest(within_ms=2_000)
    players.play(5)

    ana.page.locator(".languages a", has_text="Deutsch").click()
    expect(ana.page.locator("html")).to_have_attribute("lang", "de")
    expect(ana.page.locator(".who")).to_contain_text("Ana")
    players.play(5)

    taken_back_by(bo, appliance.table)
    doubt_is_settled_by_one_tap(players, appliance.table)
    if not to_the_end:
        return
    players.play()

    assert players.over
    all_know_the_winner([bo, cy])  # Ana reads the same in German
    expect(ana.page.locator(".reveal h1")).to_contain_text(re.compile("gewinnt|Sieg"))


def taken_back_by(phone: Phone, table: Table) -> None:
    before = table.snapshot.story
    assert before is not None

    # Another's move: who takes it back is told to ask first.
    phone.page.locator(".undo.ask-first summary").click()
    phone.page.locator(".undo button").click()

    expect(phone.page.locator("#history .undone").first).to_be_visible()
    after = table.snapshot.story
    assert after is not None
    assert after.steps == before.steps[:-1]


def doubt_is_settled_by_one_tap(players: Players, table: Table) -> None:
    """Let the eye be unsure of the next throw, and whoever threw tap what it is."""
    while (story := table.snapshot.story) is not None and not awaited_moves(story):
        players.play(1)
    assert story is not None
    table.hear(doubted(("6", 0.5), ("4", 0.3)))
    page = players.phones[story.state.seat].page

    page.locator("#turn .likely").click()

    expect(page.locator("#turn .die.thrown")).to_be_visible()
    settled = table.snapshot.story
    assert settled is not None
    assert settled.state.pips == 6
