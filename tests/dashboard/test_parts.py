"""A fault of ours in one part of a page leaves board and buttons where they are."""

import json

import pytest
from jinja2 import Template
from msgspec.structs import replace

from companion.dashboard import boards, create_app
from companion.dashboard.view import view_cache, views
from companion.dashboard.view.view_cache import PARTS
from companion.games import GAMES, find
from companion.running.snapshot import Setup
from companion.story.log import Asked
from companion.table import Claim, Glimpse, LinePart, Reading, Shown
from tests.dashboard.conftest import Phones
from tests.dashboard.fakes import FakeTable
from tests.dashboard.setting import ADDRESS, PIN, PLAYERS, SECRET

pytestmark = pytest.mark.slow

MISSING = "One part of this page cannot be shown."
LANGUAGE = {"Accept-Language": "en"}


def fail(*_args, **_kwargs):
    raise RuntimeError("a fault of ours")


def sit_down(game_id="drachenhort", **faults):
    """Return a table whose game fails in *faults*, and its phones."""
    game = replace(find(game_id), **dict.fromkeys(faults, fail))
    table = FakeTable(lambda _: game)
    table.open_game(Setup(game_id, PLAYERS[: max(2, game.seats[0])]))
    app = create_app(table, secret=SECRET, pin=PIN, address=ADDRESS)
    return table, Phones(app, table)


def ask(table):
    """Bring a game of Drachenhort to a throw of 3, and a question about the move."""
    table.act(Claim("throw 3", None, table.snapshot.story.seq, "first"))
    unsure = Reading((Glimpse(Shown("die", "3", "tray"), 0.5),))
    table.tell(Asked(unsure, LinePart("core.ask.unsure"), ("advance green",)))


def page(phone):
    answer = phone.get("/", headers=LANGUAGE)
    assert answer.status_code == 200
    return answer.text


def change(phone):
    """Return the first event of the phone's stream."""
    answer = phone.get("/api/events", headers=LANGUAGE)
    event = next(iter(answer.response))
    answer.close()
    return json.loads(event.split(b"data: ")[1])


def test_a_page_without_a_fault_says_nothing_of_one():
    table, phones = sit_down()
    ask(table)

    assert MISSING not in page(phones.host())
    assert phones.host().get("/api/state").json["failed"] == []


class TestAFaultInWhatIsSaid:
    FUNCTIONS = (
        "past_lines", "undone_moves", "rulings", "misread", "ruling_of", "remedy",
        "no_remedy", "find_misplaced", "_remember", "_house_rules",
    )  # fmt: skip

    @pytest.mark.parametrize("name", FUNCTIONS)
    def test_leaves_board_and_buttons(self, monkeypatch, name):
        table, phones = sit_down()
        ask(table)
        monkeypatch.setattr(views, name, fail)

        html = page(phones.host())

        assert 'value="advance green"' in html
        assert '<svg class="map"' in html
        assert 'action="/api/undo"' in html

    def test_is_told_at_the_foot_of_the_page_and_in_the_state(self, monkeypatch):
        _, phones = sit_down()
        monkeypatch.setattr(views, "past_lines", fail)

        assert MISSING in page(phones.host())
        assert phones.host().get("/api/state").json["failed"] == ["history"]

    def test_is_logged_with_its_trace(self, monkeypatch, caplog):
        _, phones = sit_down()
        monkeypatch.setattr(views, "past_lines", fail)

        page(phones.host())

        assert "the part 'history' of a page could not be made" in caplog.text
        assert "RuntimeError: a fault of ours" in caplog.text

    def test_of_a_call_is_silence(self, monkeypatch):
        table, phones = sit_down()
        monkeypatch.setattr(view_cache, "call", fail)
        answer = phones.viewer().get("/api/events")
        events = iter(answer.response)
        next(events)
        ask(table)

        event = json.loads(next(events).split(b"data: ")[1])
        answer.close()

        assert event["call"] == ""
        assert event["parts"]["turn"]


class TestAFaultInTheDrawing:
    def test_leaves_the_board_in_words(self, monkeypatch):
        table, phones = sit_down()
        ask(table)
        monkeypatch.setattr(boards, "draw", fail)

        html = page(phones.host())

        assert "What should lie on the table" in html
        assert 'value="advance green"' in html

    @pytest.mark.parametrize("name", ["shelve", "likeliest_first", "icons"])
    def test_of_buttons_leaves_plain_ones(self, monkeypatch, name):
        _, phones = sit_down()
        monkeypatch.setattr(boards, name, fail)

        assert 'value="throw 3"' in page(phones.host())


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
@pytest.mark.parametrize(
    "name",
    ["describe_move", "describe_event", "grounds", "scores", "outcome", "expects",
     "objection", "cue", "chance", "resample", "evidence", "check", "adopt"],
)  # fmt: skip
def test_a_fault_in_a_games_own_words_or_sums_leaves_the_buttons(game, name):
    _, phones = sit_down(game.id, **{name: True})

    html = page(phones.host())
    state = phones.host().get("/api/state").json

    assert 'action="/api/act"' in html
    assert state["moves"] or state["picks"]
    assert state["board"]["twin"]
    assert change(phones.viewer())["parts"]["board"]


@pytest.mark.parametrize("name", PARTS)
def test_a_template_that_fails_takes_only_its_own_part(monkeypatch, name):
    render = Template.render

    def fail_at_one(template, *args, **kwargs):
        if template.name == f"parts/{name}.html":
            fail()
        return render(template, *args, **kwargs)

    _, phones = sit_down()
    monkeypatch.setattr(Template, "render", fail_at_one)

    parts = change(phones.host())["parts"]

    assert [part for part in PARTS if MISSING in parts[part]] == [name]
