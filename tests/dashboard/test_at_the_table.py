"""What a phone spares its player at the table: taps, doubt who did what, sleep."""

import re
import time

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from companion.dashboard.door.auth import Who
from companion.dashboard.pages.reminder import EXPLAINED, GOAL, PICTURES
from companion.dashboard.view.clock import TurnClock
from companion.dashboard.view.views import view_of
from companion.games import GAMES
from companion.running.snapshot import CameraStatus, Setup
from companion.table import Claim, LinePart
from companion.words import LANGUAGES, Words
from tests.dashboard.conftest import Phones
from tests.dashboard.fakes import FakeTable
from tests.dashboard.test_browser import throw


def turned(table: FakeTable, *moves: str) -> None:
    """Let Ana turn cards of a new game of 8 Dragons over."""
    table.open_game(Setup("eight_dragons", ("Ana", "Bo")))
    tell(table, *moves)


def tell(table: FakeTable, *moves: str) -> None:
    for move in moves:
        seq = table.snapshot.story.seq
        table.act(Claim(move, None, seq, f"{move} {seq}"))


NO_PAIR = ("turn a1 red_head", "turn b1 green_tail")


class TestNotAPair:
    """Both cards back and the next player: one tap for what nobody chooses."""

    def next_in(self, phones: Phones, seat: int | None, key: str = "k") -> int:
        phone = phones.host() if seat is None else phones.seat(seat)
        view = phone.get("/api/state").get_json()
        go = view["at_one_go"]
        assert go["move"] == "back a1"
        body = {"move": go["move"], "then": go["then"], "seq": view["seq"], "key": key}
        return phone.post("/api/act", json=body).status_code

    @pytest.mark.parametrize("seat", [0, None])
    def test_is_one_tap(self, seat: int | None, table: FakeTable, phones: Phones):
        turned(table, *NO_PAIR)

        assert self.next_in(phones, seat) == 200

        state = table.snapshot.story.state
        assert (state.up, state.seat, state.phase) == ((), 1, "first")

    def test_a_repeated_tap_does_nothing_for_the_next_player(
        self, table: FakeTable, phones: Phones
    ):
        turned(table, *NO_PAIR)
        body = {"move": "back a1", "then": "back b1;end", "seq": 2, "key": "k"}
        host = phones.host()
        assert host.post("/api/act", json=body).status_code == 200
        before = table.snapshot.story.seq

        assert host.post("/api/act", json=body).status_code == 200

        assert table.snapshot.story.seq == before

    def test_what_follows_must_be_the_same_players_and_in_their_right(
        self, table: FakeTable, phones: Phones
    ):
        table.open_game(Setup("drachenhort", ("Ana", "Bo")))
        body = {"move": "throw 3", "seq": 0, "key": "k"}

        def moves(then: str) -> int:
            phones.seat(0).post("/api/act", json=body | {"then": then})
            count = len(table.snapshot.story.steps)
            table.undo(None, table.snapshot.story.seq, f"u{then}")
            body["seq"], body["key"] = table.snapshot.story.seq, f"k{then}"
            return count

        assert moves("nonsense") == 1
        assert moves("throw 4") == 1
        assert moves("note 1 2") == 1  # a secret of Bo
        assert moves(";;") == 1

    def test_is_offered_before_the_first_card_and_once_a_phone(
        self, table: FakeTable, phones: Phones
    ):
        turned(table)

        view = phones.seat(0).get("/api/state").get_json()

        assert (view["at_one_go"]["move"], view["at_one_go"]["then"]) == ("miss", "")
        assert "miss" not in [offer["move"] for offer in view["moves"]]
        assert phones.seat(0).get("/").text.count('value="miss"') == 1

    def test_stands_behind_the_cards_while_a_camera_reads_them(
        self, table: FakeTable, phones: Phones
    ):
        turned(table)
        seen = CameraStatus("pi")

        table.show(camera=seen)
        view = phones.seat(0).get("/api/state").get_json()
        assert view["at_one_go"] is None
        assert [offer["move"] for offer in view["moves"]] == ["miss"]

        table.show(camera=replace(seen, trouble=LinePart("core.eye.lost")))
        view = phones.seat(0).get("/api/state").get_json()
        assert view["at_one_go"]["move"] == "miss"

    def test_is_offered_to_who_plays_and_not_between_two_cards(
        self, table: FakeTable, phones: Phones
    ):
        turned(table, NO_PAIR[0])
        assert phones.seat(0).get("/api/state").get_json()["at_one_go"] is None
        tell(table, NO_PAIR[1])
        assert phones.seat(1).get("/api/state").get_json()["at_one_go"] is None
        assert phones.viewer().get("/api/state").get_json()["at_one_go"] is None

    def test_both_cards_of_a_pair_are_one_tap_and_one_undo(
        self, table: FakeTable, phones: Phones
    ):
        turned(table, "turn a1 red_head", "turn b1 red_tail")
        view = phones.seat(0).get("/api/state").get_json()
        go = view["at_one_go"]
        assert (go["move"], go["then"]) == ("take a1", "take b1")
        body = {"move": go["move"], "then": go["then"], "seq": 2, "key": "k"}

        phones.seat(0).post("/api/act", json=body)

        story = table.snapshot.story
        assert len(story.state.hands[0]) == 2
        # With the turning too: faces that lie hidden by now are shown to nobody again.
        table.undo(0, story.seq, "u")
        assert table.snapshot.story.steps == ()

    def test_all_that_one_tap_made_is_taken_back_at_once(
        self, table: FakeTable, phones: Phones
    ):
        turned(table, *NO_PAIR)
        assert self.next_in(phones, 0) == 200
        assert len(table.snapshot.story.steps) == 5

        table.undo(0, table.snapshot.story.seq, "u")

        # Not the end of the turn alone, after which nobody could go on but with it.
        assert table.snapshot.story.steps == ()


class TestWhoUndidWhose:
    def test_a_line_says_who_took_it_back(self, game: FakeTable):
        tell(game, "throw 3", "advance green")
        game.undo(1, 2, "u")
        game.undo(None, 3, "v")

        lines = view_of(game.snapshot, Who(seat=0), "fr").history

        assert [(line.undone, line.undone_by) for line in lines] == [
            (True, "Bo"),
            (True, None),
        ]

    def test_whoever_takes_back_the_move_of_another_is_told_to_ask_first(
        self, game: FakeTable, phones: Phones
    ):
        tell(game, "throw 3", "advance green")

        assert "C’est un coup d’Ana : demandez-lui d’abord." in re.sub(
            "\u202f", " ", phones.seat(1).get("/").text
        )
        assert "demandez-lui" not in phones.seat(0).get("/").text
        assert "demandez-lui" not in phones.host().get("/").text


class TestReminder:
    @pytest.mark.parametrize("language", LANGUAGES)
    @pytest.mark.parametrize("game", [game.id for game in GAMES])
    def test_each_game_stands_on_one_page(
        self, game: str, language: str, phones: Phones
    ):
        html = phones.viewer().get(f"/rules?game={game}&lang={language}").text

        page = html.split('id="reminder"')[1].split("</section>")[0]
        assert page.count("<li>") in (6, 7)
        assert page.count("<svg") == page.count("<li>")
        # As much as a page holds that is read while others wait.
        assert len(re.sub("<.*?>", "", page)) < 1500

    def test_is_one_tap_from_every_page(self, game: FakeTable, phones: Phones):
        for path in ("/", "/past", "/help", "/tally"):
            assert 'href="/rules"' in phones.viewer().get(path).text


class TestFirstGame:
    """On the demo board each step is explained, in the words of the rules' page."""

    def tips(self, table: FakeTable) -> list[str]:
        view = view_of(table.snapshot, Who(seat=0), "fr", strict=True)
        return [tip.text for tip in view.tips]

    def test_says_first_how_it_is_won_and_then_what_comes_up(self, game: FakeTable):
        french = Words("fr", strict=True)
        goal, turn, way, trap = (
            french.say(f"reminder.drachenhort.{n}") for n in (1, 2, 3, 4)
        )

        assert self.tips(game) == [goal, turn]
        tell(game, "throw 3")
        assert self.tips(game) == [way, trap]

    def test_whoever_has_described_a_box_is_left_alone(self, game: FakeTable):
        story = game.snapshot.story
        game.lay(replace(story, header=replace(story.header, kit="ours")))

        assert self.tips(game) == []

    def test_nothing_is_explained_in_a_pause_and_at_the_end(
        self, game: FakeTable, play
    ):
        game.rest(pause=True)
        assert self.tips(game) == []
        game.rest(pause=False)
        play()
        assert self.tips(game) == []

    def test_the_page_has_it_and_the_lobby_says_so(
        self, game: FakeTable, phones: Phones
    ):
        text = phones.seat(0).get("/").text
        assert "Première partie" in text
        assert text.index('data-key="tips"') > text.index('name="move"')
        game.leave()
        assert "chaque étape d’une première partie est expliquée" in (
            phones.host().get("/").text
        )

    @pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
    def test_every_line_of_a_games_page_comes_up(self, game):
        explained = EXPLAINED[game.id]
        lines = {number for numbers in explained.values() for number in numbers}

        assert lines | {GOAL} == set(range(1, len(PICTURES[game.id]) + 1))
        for word in explained:
            assert Words("fr").knows(f"{game.id}.do.{word}"), word


SIGNALS = """
window.rung = 0; window.buzzed = 0; window.locks = 0;
window.AudioContext = class {
  currentTime = 0; destination = {};
  createOscillator() {
    return { frequency: { setValueAtTime() {} }, connect: (to) => to, stop() {},
             start() { window.rung += 1; } };
  }
  createGain() {
    return { gain: { setValueAtTime() {}, linearRampToValueAtTime() {} },
             connect: (to) => to };
  }
};
Object.defineProperty(navigator, "vibrate", { value: () => { window.buzzed += 1; } });
Object.defineProperty(navigator, "wakeLock", { value: {
  request: async () => {
    window.locks += 1;
    return { release: async () => { window.locks -= 1; } };
  },
} });
"""


@pytest.mark.browser
@pytest.mark.slow
class TestSignals:
    @pytest.fixture
    def page(self, phone, game: FakeTable) -> Page:
        one = phone()
        one.page.add_init_script(SIGNALS)
        page = one.sit(1)
        page.locator("#signals summary").click()
        return page

    def test_the_title_says_so_unless_it_is_turned_off(self, page: Page, game):
        assert not page.title().startswith("●")

        tell(game, "throw 3", "advance green")
        expect(page).to_have_title(re.compile("^● À vous"))

        page.locator("#signals input[name=title]").uncheck()
        expect(page).not_to_have_title(re.compile("^●"))

    def test_sound_and_vibration_are_off_till_somebody_wants_them(
        self, page: Page, game: FakeTable
    ):
        tell(game, "throw 3", "advance green")
        expect(page).to_have_title(re.compile("^● À vous"))
        assert page.evaluate("[rung, buzzed]") == [0, 0]

        for name in ("sound", "buzz"):
            page.locator(f"#signals input[name={name}]").check()
        assert page.evaluate("[rung, buzzed]") == [1, 0]  # how it will sound
        tell(game, "throw 3", "advance red", "throw 4", "advance blue")
        expect(page).not_to_have_title(re.compile("^●"))
        tell(game, "throw 1", "advance white")
        expect(page).to_have_title(re.compile("^●"))

        assert page.evaluate("[rung, buzzed]") == [2, 1]

    def test_a_phone_remembers_and_its_screen_stays_on(self, page: Page):
        page.locator("#signals input[name=awake]").check()
        page.wait_for_function("locks === 1")

        page.reload()

        page.wait_for_function("locks === 1")
        page.locator("#signals summary").click()
        page.locator("#signals input[name=awake]").uncheck()
        page.wait_for_function("locks === 0")

    def test_what_the_phone_cannot_do_is_not_offered(self, phone):
        one = phone()
        one.page.add_init_script(
            "delete Navigator.prototype.vibrate; delete window.AudioContext;"
        )
        page = one.sit(1)
        page.locator("#signals summary").click()

        expect(page.locator("#signals label:visible")).to_have_count(3)
        watcher = phone().open()
        watcher.locator("#signals summary").click()
        expect(watcher.locator("#signals input")).to_have_count(2)


class TestTheClock:
    """How long the game was played, and this turn: on phones that want it."""

    def at(self, table: FakeTable, *times_s: float) -> None:
        """Set when the entries of the game on the table were written."""
        story = table.snapshot.story
        entries = story.entries
        assert len(entries) == len(times_s)
        dated = (replace(one, at=at) for one, at in zip(entries, times_s, strict=True))
        table.lay(replace(story, entries=tuple(dated)))

    def test_a_turn_begins_with_the_move_that_ended_the_one_before(
        self, game: FakeTable
    ):
        tell(game, "throw 3", "advance green", "throw 1")
        self.at(game, 1000.0, 1060.0, 1070.0, 1100.0)

        clock = view_of(game.snapshot, Who(seat=0), "fr").clock

        # Bo has been to act since Ana's move at 1070, and thinks since the throw.
        assert clock == TurnClock(100, 1100.0, 1070.0)

    def test_the_first_turn_begins_with_the_game(self, game: FakeTable):
        tell(game, "throw 3")
        self.at(game, 1000.0, 1060.0)

        clock = view_of(game.snapshot, Who(seat=0), "fr").clock

        assert clock == TurnClock(60, 1060.0, 1000.0)

    def test_there_is_none_in_a_pause_and_at_the_end(self, game: FakeTable, play):
        game.rest(pause=True)
        assert view_of(game.snapshot, Who(), "fr").clock is None
        game.rest(pause=False)
        play()
        assert view_of(game.snapshot, Who(), "fr").clock is None

    @pytest.mark.browser
    @pytest.mark.slow
    def test_a_phone_that_wants_it_counts_on(self, phone, game: FakeTable):
        one = phone()
        # Its own clock is wrong by 50 years and stands still.
        one.page.clock.install(time=5_000_000)
        page = one.sit(0)
        tell(game, "throw 3")
        now_s = time.time()
        self.at(game, now_s - 95, now_s - 5)
        page.clock.pause_at(5_000_000 + 60)
        expect(page.locator("#clock")).to_be_hidden()

        page.locator("#signals summary").click()
        page.locator("#signals input[name=clock]").check()

        # 90 s till the throw and 5 since, and what the page takes; all is Ana's turn.
        clock = page.locator("#clock")
        one_more = r"1:[345][0-9]"
        expect(clock).to_have_text(
            re.compile(rf"Partie\s: {one_more} · Ce tour\s: {one_more}")
        )
        page.clock.run_for(60_000)
        expect(clock).to_have_text(re.compile(r"Partie\s: 2:[345][0-9]"))


@pytest.mark.browser
@pytest.mark.slow
def test_the_commonest_turn_of_8_dragons_is_one_tap_and_one_undo(phone, game):
    game.open_game(Setup("eight_dragons", ("Ana", "Bo")))
    page = phone().sit(0, "game-2")

    page.get_by_role("button", name="Pas une paire, au suivant").click()

    expect(page.locator("#turn")).to_contain_text("Au tour de Bo")
    expect(page.locator("#history .log li")).to_have_count(1)
    game.undo(0, 1, "u")
    expect(page.locator("#turn")).to_contain_text("C’est à vous")


@pytest.mark.browser
@pytest.mark.slow
def test_who_names_both_cards_needs_five(phone, game: FakeTable):
    """A square and a card, twice, and "not a pair, next"; it was seven."""
    game.open_game(Setup("eight_dragons", ("Ana", "Bo")))
    page = phone().sit(0, "game-2")

    cards = (("a1", "red_head"), ("b1", "green_tail"))
    for count, (square, card) in enumerate(cards, start=1):
        page.locator(f'.choice-tile:has(input[value="{square}"])').click()
        page.locator(f'button[name="what"][value="{card}"]').click()
        expect(page.locator("#history .log li")).to_have_count(count)
    page.get_by_role("button", name="Pas une paire, au suivant").click()

    expect(page.locator("#turn")).to_contain_text("Au tour de Bo")


@pytest.mark.browser
@pytest.mark.slow
def test_the_move_of_another_is_taken_back_by_a_second_tap(phone, game: FakeTable):
    tell(game, "throw 3", "advance green")
    page = phone().sit(1)
    button = page.locator(".undo button")
    expect(button).to_be_hidden()

    page.locator(".ask-first summary").click()
    button.click()

    expect(page.locator("#history .undone")).to_contain_text("annulé par Bo")
    assert throw(page, 3).count() == 0
