"""Moves that are asked for in steps: as a form without scripts, and with them."""

import random
import re

import pytest
from playwright.sync_api import Browser, expect

from companion.dashboard import create_app, start
from companion.dashboard.api.streams import Streams
from companion.dashboard.boards.picking import PickAnswer, PickMove, Slot, gather
from companion.dashboard.door.auth import seat_code
from companion.running.snapshot import Setup
from companion.table import LinePart
from tests.dashboard.conftest import Phones
from tests.dashboard.fakes import FakeTable
from tests.dashboard.playing import play_on
from tests.dashboard.setting import ADDRESS, PIN, SECRET

TITLE = LinePart("which")


def sort(*lines: str, two: bool = True, least: int = 5) -> tuple[list, list]:
    """Gather moves that are their own notation."""
    slot = Slot(TITLE, "any", two, least=least)
    return gather(
        [PickMove(line, tuple(line.split()), slot) for line in lines],
        lambda part: part.line,
        lambda move, which: (move.split()[-1 if which else 1], ()),
    )


class TestGathering:
    def test_a_whole_table_of_answers_is_one_pick(self):
        picks, left = sort("go a 1", "go a 2", "go a 3", "go b 1", "go b 2", "go b 3")

        assert left == []
        assert [c.word for c in picks[0].at] == ["a", "b"]
        assert picks[0].what == (
            PickAnswer("1", "1"),
            PickAnswer("2", "2"),
            PickAnswer("3", "3"),
        )

    def test_answers_that_would_fit_no_move_are_never_offered(self):
        picks, _ = sort("go a 1", "go a 2", "go b 1", "go c 3", "go c 1")

        offered = [
            f"go {at.word} {what.word}"
            for pick in picks
            for at in pick.at
            for what in pick.what
        ]
        assert sorted(offered) == ["go a 1", "go a 2", "go b 1", "go c 1", "go c 3"]

    def test_few_moves_stay_buttons(self):
        assert sort("go a 1", "go a 2") == ([], ["go a 1", "go a 2"])

    def test_unless_their_question_helps(self):
        picks, left = sort("go 1", "go 2", two=False, least=1)

        assert left == []
        assert picks[0].at == ()
        assert len(picks[0].what) == 2

    def test_what_follows_the_answers_keeps_picks_apart(self):
        lines = [f"play {card} {row}" for row in ("I", "II") for card in range(5)]

        picks, _ = sort(*lines, two=False)

        assert [(pick.verb, pick.tail) for pick in picks] == [
            ("play", "I"),
            ("play", "II"),
        ]


def test_the_move_of_the_tables_own_button_is_marked(table: FakeTable, phones: Phones):
    table.open_game(Setup("dragorun", ("Ana", "Bo")))
    play_on(table, random.Random(1), 50, "turn")
    offers = ("throw red +1", "throw blue snail")

    table.show(offers=offers, cursor=1)

    view = phones.seat(0).get("/api/state").get_json()
    assert view["picks"][0]["chosen"] == ["blue", "snail"]
    assert "bouton · bleu, escargot" in phones.seat(0).get("/").text


@pytest.fixture
def race(table: FakeTable) -> FakeTable:
    """A race of two in which Ana is about to throw."""
    table.open_game(Setup("dragorun", ("Ana", "Bo")))
    play_on(table, random.Random(1), 50, "turn")
    assert table.snapshot.story is not None
    assert table.snapshot.story.state.seat == 0
    return table


class TestWithoutScripts:
    def test_a_throw_is_sent_in_pieces(self, race: FakeTable, phones: Phones):
        ana = phones.seat(0)
        html = ana.get("/").text
        form = re.search(r"<form[^>]*pick-form.*?</form>", html, re.S)
        assert form is not None
        hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="(.*?)"', form[0]))
        assert 'type="radio" name="at" value="blue" required' in form[0]
        assert 'name="what" value="trophy"' in form[0]

        answer = ana.post("/api/act", data={**hidden, "at": "blue", "what": "trophy"})

        assert answer.status_code == 303
        assert race.snapshot.story is not None
        assert race.snapshot.story.state.colour == "blue"
        assert race.snapshot.story.state.step == "trophy"

    def test_half_an_answer_is_told_to_be_no_move(
        self, race: FakeTable, phones: Phones
    ):
        ana, seq = phones.seat(0), race.snapshot.story.seq

        answer = ana.post(
            "/api/act", json={"move": "throw", "what": "+1", "seq": seq, "key": "k"}
        )

        assert answer.status_code == 422

    def test_a_script_may_still_send_one_line(self, race: FakeTable, phones: Phones):
        ana, seq = phones.seat(0), race.snapshot.story.seq

        answer = ana.post(
            "/api/act", json={"move": "throw red +2", "seq": seq, "key": "k"}
        )

        assert answer.status_code == 200


@pytest.mark.browser
@pytest.mark.slow
def test_two_taps_make_a_throw_in_a_browser(browser: Browser, race: FakeTable):
    app = create_app(
        race, secret=SECRET, pin=PIN, address=ADDRESS, streams=Streams(beat_s=0.2)
    )
    server = start(app, "127.0.0.1", 0)
    page = browser.new_page(locale="fr")
    page.goto(f"http://127.0.0.1:{server.port}/j/{seat_code(SECRET, 'game-1', 0)}")
    page.evaluate("window.mark = 1")

    page.locator('.pick-form input[value="green"]').check(force=True)
    page.locator('.pick-form button[value="+3"]').click()

    expect(page.locator("#turn .throw .icon")).to_have_count(2)
    assert page.evaluate("window.mark") == 1  # the page was not loaded again
    page.close()
    server.close()
