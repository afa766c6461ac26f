"""Spoken calls: each thing once, nothing old, nothing that is somebody's secret."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from companion.dashboard.view.calls import MOST, SILENT, Call, call
from companion.games import GAMES
from companion.running.snapshot import Setup, Snapshot
from companion.story.log import Asked, Edited, Made
from companion.table import Claim, Glimpse, LinePart, Reading, Shown
from companion.words import LANGUAGES, Words
from tests.dashboard.browsing import sleep
from tests.dashboard.fakes import FakeTable
from tests.dashboard.playing import note
from tests.dashboard.setting import PLAYERS
from tests.dashboard.situations import random_move


class Ear:
    """Hears what is called from one moment to the next."""

    def __init__(self, table: FakeTable, language: str = "en") -> None:
        self._table, self._words = table, Words(language, PLAYERS, strict=True)
        self._before = table.snapshot

    def hear(self) -> Call:
        before, self._before = self._before, self._table.snapshot
        return call(before, self._before, self._words)


def make(table: FakeTable, text: str) -> None:
    seq = table.snapshot.story.seq
    table.act(Claim(text, None, seq, f"made {seq}"))


@pytest.fixture
def ear(game: FakeTable) -> Ear:
    return Ear(game)


class TestWhatIsSaid:
    def test_what_happened_and_what_to_do_now(self, game: FakeTable, ear: Ear):
        make(game, "throw 3")

        assert ear.hear() == Call(
            "Ana rolls a 3. Ana: move an adventurer in the light 3 spaces."
        )

    def test_nothing_while_nothing_happens(self, game: FakeTable, ear: Ear):
        game.show()

        assert ear.hear() == SILENT

    def test_two_things_in_one_breath_where_they_come_together(
        self, game: FakeTable, ear: Ear
    ):
        make(game, "throw 3")
        make(game, "advance green")

        told = "Ana rolls a 3. Ana moves Green to space 3."
        assert ear.hear() == Call(f"{told} Bo: roll the die.")

    def test_a_refusal_and_a_question_and_a_pause(self, game: FakeTable, ear: Ear):
        make(game, "advance green")
        assert ear.hear().text == game_words(game.snapshot.notice)
        unsure = Reading((Glimpse(Shown("die", "3", "tray"), 0.5),))
        game.tell(Asked(unsure, LinePart("core.ask.unsure"), ("throw 3",)))
        assert ear.hear().text == game_words(LinePart("core.ask.unsure"))
        game.rest(pause=True)
        assert ear.hear().text == game_words(LinePart("core.paused"))

    def test_who_has_won_and_why(
        self, game: FakeTable, ear: Ear, play: Callable[..., None]
    ):
        for seat in range(3):
            note(game, seat, seat)
        play()

        said = ear.hear().text

        outcome = game.snapshot.story.game.outcome(game.snapshot.story.state)
        (winner,) = outcome.winners
        assert f"{PLAYERS[winner]} wins!" in said
        assert said.count("throws") <= MOST  # of a whole game only the end

    def test_nothing_of_another_game(self, game: FakeTable, ear: Ear):
        game.open_game(Setup("drachenhort", ("Dee", "Eva")))
        make(game, "throw 3")

        assert ear.hear() == SILENT

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_in_every_language(self, game: FakeTable, language: str):
        ear = Ear(game, language)
        make(game, "throw 3")
        game.undo(0, 1, "u")
        make(game, "throw 4")

        assert "Ana" in ear.hear().text


@pytest.mark.parametrize("game_id", [game.id for game in GAMES])
def test_every_game_has_words_for_what_it_calls(game_id: str, table: FakeTable):
    table.open_game(Setup(game_id, PLAYERS))
    ear, rng = Ear(table, "de"), random.Random(1)
    said = []
    for _ in range(40):
        story = table.snapshot.story
        move = random_move(rng, story.game, story.state)
        if move is None:
            break
        table.tell(Made(move, "camera"))
        said.append(ear.hear().text)

    assert all(said)
    assert not any(f"{game_id}." in text for text in said)


def game_words(part: LinePart | None) -> str:
    assert part is not None
    return Words("en", PLAYERS).part(part)


class TestAfterACorrection:
    def test_what_was_taken_back_and_nothing_else(self, game: FakeTable, ear: Ear):
        make(game, "throw 3")
        ear.hear()
        game.undo(0, 1, "u")

        assert ear.hear() == Call("Ana takes back: Ana rolls a 3.", corrects=True)

    def test_what_nobody_in_person_took_back(self, game: FakeTable, ear: Ear):
        make(game, "throw 3")
        ear.hear()
        game.undo(None, 1, "u")

        assert ear.hear() == Call("Taken back: Ana rolls a 3.", corrects=True)

    def test_what_came_in_its_place(self, game: FakeTable, ear: Ear):
        make(game, "throw 3")
        ear.hear()
        game.undo(0, 1, "u")
        make(game, "throw 4")

        assert ear.hear() == Call("Corrected: Ana rolls a 4.", corrects=True)

    def test_an_earlier_move_alone_though_others_follow_it(
        self, game: FakeTable, ear: Ear
    ):
        for text in ("throw 1", "advance green", "throw 4", "advance red"):
            make(game, text)
        ear.hear()

        game.amend(3, "throw 3", None, 4, "a1")

        assert ear.hear() == Call("Corrected: Bo rolls a 3.", corrects=True)
        game.show()
        assert ear.hear() == SILENT

    def test_the_table_is_right(self, game: FakeTable, ear: Ear):
        state = game.snapshot.story.state
        game.tell(Edited(replace(state, pips=0), "the cat", 1))

        said = ear.hear()

        assert said == Call(
            "Corrected: Set to what is on the table: the cat", corrects=True
        )


class TestSecrets:
    def test_a_noted_group_is_said_to_be_noted_whoever_listens(
        self, game: FakeTable, ear: Ear
    ):
        heard = []
        for group in (0, 4):
            note(game, 0, group)
            heard.append(ear.hear())
            game.undo(0, game.snapshot.story.seq, f"u {group}")
            heard.append(ear.hear())

        assert heard[:2] == heard[2:]  # the same words for two groups
        assert heard[0].text.startswith("Ana")

    def test_what_one_seat_alone_is_to_do_is_not_called(self, game: FakeTable):
        before = game.snapshot
        make(game, "throw 3")
        only_mine = replace_prompts(game.snapshot)

        assert call(before, only_mine, Words("en", PLAYERS)).text == "Ana rolls a 3."


def replace_prompts(shown: Snapshot) -> Snapshot:
    """Return the table with a game that asks everything of one seat alone."""
    story = shown.story
    assert story is not None
    expects = story.game.expects

    def alone(state: Any) -> tuple[Any, ...]:
        return tuple(replace(prompt, only_for=0) for prompt in expects(state))

    return replace(shown, story=replace(story, game=replace(story.game, expects=alone)))


STUB = """
window.heard = [];
window.SpeechSynthesisUtterance = function (text) { this.text = text; };
let now = null;
Object.defineProperty(window, "speechSynthesis", { value: {
    get speaking() { return now !== null; },
    speak(call) {
        if (!call.text) return;
        now = call;
        heard.push(call.lang + " " + call.text);
    },
    cancel() { if (now) heard.push("hush"); now = null; },
} });
window.finish = () => { const call = now; now = null; call.onend(); };
"""


@pytest.mark.browser
@pytest.mark.slow
class TestOnThePhone:
    @pytest.fixture
    def page(self, phone) -> Page:
        one = phone()
        one.page.add_init_script(STUB)
        return one.open()

    def heard(self, page: Page) -> list[str]:
        """Return what was said since this was last asked."""
        return page.evaluate("heard.splice(0)")

    def finished(self, page: Page, text: str) -> None:
        """Let the voice end what it says, once the page has shown it."""
        expect(page.locator("#caption")).to_contain_text(text)
        page.evaluate("finish()")

    def test_a_tap_turns_them_on_and_a_reload_does_not_turn_them_off(
        self, page: Page, game: FakeTable
    ):
        make(game, "throw 3")
        expect(page.locator("#history .log li")).to_have_count(1)
        assert self.heard(page) == []

        page.locator("#calls button").click()
        self.finished(page, "Les annonces sont activées.")
        make(game, "advance green")
        expect(page.locator("#caption")).to_contain_text("Bo : lancez le dé")

        hello, said = self.heard(page)
        assert hello == "fr Les annonces sont activées."
        assert said == "fr " + page.locator("#caption").inner_text()
        page.reload()
        expect(page.locator("#calls button")).to_have_attribute("aria-pressed", "true")
        make(game, "throw 4")
        expect(page.locator("#caption")).to_contain_text("Bo fait 4")
        page.locator("#calls button").click()
        expect(page.locator("#caption")).to_be_hidden()

    def test_after_sleep_nothing_old_is_said(self, page: Page, game: FakeTable):
        page.locator("#calls button").click()
        self.finished(page, "Les annonces")
        make(game, "throw 3")
        expect(page.locator("#caption")).to_contain_text("Ana fait 3")
        self.heard(page)

        sleep(page, hidden=True)
        make(game, "advance green")
        make(game, "throw 4")
        sleep(page, hidden=False)
        expect(page.locator("#history .log li")).to_have_count(3)

        assert self.heard(page) == ["hush"]
        assert page.locator("#caption").is_hidden()
        make(game, "advance red")
        expect(page.locator("#caption")).to_contain_text("Cy : lancez le dé")
        assert len(self.heard(page)) == 1

    def test_a_correction_is_said_at_once_and_the_newest_call_waits_its_turn(
        self, page: Page, game: FakeTable
    ):
        page.locator("#calls button").click()
        for text in ("throw 3", "advance green"):
            make(game, text)
            expect(page.locator("#history .log li").first).to_be_visible()
        expect(page.locator("#turn")).to_contain_text("Bo")
        assert len(self.heard(page)) == 1  # the greeting is still being said
        page.evaluate("finish()")
        (said,) = self.heard(page)
        assert said.endswith("lancez le dé.")

        game.undo(0, 2, "u")

        expect(page.locator("#caption")).to_contain_text("Ana annule")
        assert [word.split()[0] for word in self.heard(page)] == ["hush", "fr"]
