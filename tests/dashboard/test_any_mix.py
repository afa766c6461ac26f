"""Whatever was done in whatever order, every page can be made, and tells the log."""

from itertools import product

import pytest

from companion.dashboard.door.auth import VIEWER, Who
from companion.dashboard.pages.evidence_pages import gains
from companion.dashboard.pages.game_summaries import sum_up
from companion.dashboard.view.calls import call
from companion.dashboard.view.history import past_lines, undone_moves
from companion.dashboard.view.view_cache import ViewCache, text_to_read_out
from companion.dashboard.view.views import view_of
from companion.display.panels import panel
from companion.games import GAMES
from companion.running.snapshot import Done, Setup
from companion.story.log import Edited, Made, fold
from companion.table import Claim
from companion.words import LANGUAGES, Words
from tests.dashboard.mixing import NAMES, Evening
from tests.dashboard.test_drawings import environment

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


def whole(story, viewer, words):
    """Return the line of each entry."""
    found, earlier = past_lines(story, viewer, words, most=len(story.entries))
    assert earlier == 0
    return {line.seq: line for line in found}


class Reader:
    """Reads all that the table shows after each act, and holds it against the log."""

    def __init__(self, evening, views):
        self.evening, self.views = evening, views
        self.rng = evening.rng
        names = evening.story.header.players
        self.words = {name: Words(name, names, strict=True) for name in LANGUAGES}
        seats = range(len(names))
        self.viewers = (
            VIEWER, Who(None, host=True), *(Who(seat, host=seat == 0) for seat in seats)
        )  # fmt: skip
        self.viewer = self.rng.choice((None, *seats))
        self.said = {}
        self.before = evening.shown

    def read(self, shown):
        story, before = shown.story, self.before
        assert story is not None
        language = self.rng.choice(LANGUAGES)
        words = self.words[language]
        self._read_lines(story)
        call(before, shown, words)
        panel(shown, language, "http://table")
        who = self.rng.choice(self.viewers)
        view = view_of(shown, who, language, strict=True)
        text_to_read_out(view, before.story.seq)
        standing = [line for line in view.history if not line.undone]
        if view.undoes:
            assert view.undoes == undone_moves(story, who.viewer, words)
            assert not standing or view.undoes.endswith(standing[0].texts[0])
        self.before = shown

    def _read_lines(self, story):
        """Each line says what the fold says; one that is undone what it said before."""
        found = whole(story, self.viewer, self.words["fr"])
        standing = {step.seq for step in story.steps}
        moves = {e.seq for e in story.entries if isinstance(e.body, Made | Edited)}
        undone = {seq for seq, line in found.items() if line.undone}
        assert found.keys() <= moves
        assert found.keys() - undone <= standing
        assert undone == found.keys() - standing
        for seq in undone & self.said.keys():
            assert found[seq].texts == self.said[seq]
        self.said = {seq: line.texts for seq, line in found.items()}

    def read_to_the_end(self, shown):
        story = shown.story
        assert fold(story.game, story.entries) == story
        sum_up("evening", story)
        for who in self.viewers:
            self.views.render(shown, who, self.rng.choice(LANGUAGES))
        for seat in range(len(story.header.players)):
            gains(story, seat, self.viewer, self.words["de"])


def spend(game, seed, views, acts=60):
    """Spend an evening, read after each act; tell which act made the page fail."""
    evening = Evening(game, seed)
    reader = Reader(evening, views)
    for number, (kind, shown) in enumerate(evening.acts(acts)):
        try:
            reader.read(shown)
        except Exception as error:
            what = f"{game.id}, evening {seed}, act {number}: after {kind}"
            raise AssertionError(what) from error
    reader.read_to_the_end(evening.shown)


@pytest.fixture(scope="module")
def views():
    return ViewCache(environment(), strict=True)


@each_game
def test_every_view_tells_what_the_log_folds_to(game, views):
    spend(game, 0, views)


@pytest.mark.slow
@each_game
def test_every_view_tells_what_the_log_folds_to_on_five_evenings(game, views):
    for seed in range(1, 6):
        spend(game, seed, views)


@pytest.mark.long
@each_game
def test_every_view_tells_what_the_log_folds_to_on_three_hundred_evenings(
    game, views, record_property
):
    for seed in range(300):
        spend(game, seed, views)
    record_property("figures", "300 evenings of 60 acts: every view as the log folds")


@pytest.mark.slow
@each_game
def test_every_page_opens_after_any_mix(game, table, app, phones):
    table.open_game(Setup(game.id, NAMES[: game.seats[0]]))
    evening = Evening(game, 3)
    *_, (_, shown) = evening.acts(40)
    table.lay(shown.story)
    for who in (phones.viewer(), phones.host(), phones.seat(0)):
        for path in paths(app, shown.story):
            answer = who.get(path)
            if path == "/api/events":
                next(iter(answer.response))
            assert answer.status_code in (200, 302, 303, 403, 404), path
            answer.close()


def paths(app, story):
    """Yield the address of every page, of each entry and seat."""
    values = {
        "game_id": ["game-1"], "seat": [0, 1], "step": [e.seq for e in story.entries],
        "name": ["0" * 24], "code": ["none"],
        "form": ["game.json", "points.csv", "game.capsule"], "filename": ["site.css"],
        "game": [game.id for game in GAMES],
    }  # fmt: skip
    at = app.url_map.bind("127.0.0.1")
    for rule in app.url_map.iter_rules():
        if "GET" in rule.methods:
            names = sorted(rule.arguments)
            for row in product(*(values[name] for name in names)):
                yield at.build(rule.endpoint, dict(zip(names, row, strict=True)))


class TestAnAmendedMoveThatIsTakenBack:
    """A correction, a move and two take-backs, as they were met at a table."""

    def test_is_told_as_amended_in_eight_dragons(self, table, phones):
        table.open_game(Setup("eight_dragons", ("Ana", "Bo")))
        act(table, "turn d1 red_tail")
        act(table, "turn e1 silver_tail")
        amend(table, "turn c4 silver_tail")
        act(table, "back c4")
        take_back(table, 2)

        # Two tails make a pair, wherever the second one lay; what lay face down again
        # goes with its turning, so that the first undo is one of two moves.
        assert told(table) == [
            "– Ana turns a card face down.",
            "– Ana turns over a card. / Ana has a pair of the same part and may play "
            "again.",
            "– Ana turns over a card.",
        ]
        assert {phones.viewer().get(path).status_code for path in PAGES} == {200}

    def test_is_told_as_amended_in_dragorun(self, table, phones):
        table.open_game(Setup("dragorun", ("Ana", "Bo")))
        for cell, colour in enumerate(("violet", "yellow", "blue", "green", "red"), 1):
            act(table, f"place {colour} {cell}")
        act(table, "deal 0 red")
        act(table, "deal 1 green")
        act(table, "throw green snail")
        amend(table, "throw white snail")
        act(table, "move violet 1")
        take_back(table, 2)

        assert told(table)[:2] == [
            "– Dragma (violet) is last already and stays.",
            "– Ana rolls white (joker), snail.",
        ]
        assert {phones.viewer().get(path).status_code for path in PAGES} == {200}


PAGES = ("/", "/api/state", "/table")


def act(table, text):
    seq = table.snapshot.story.seq
    assert isinstance(table.act(Claim(text, None, seq, f"act {seq}")), Done), text


def amend(table, text):
    seq = table.snapshot.story.seq
    assert isinstance(table.amend(seq, text, None, seq, f"amend {seq}"), Done), text


def take_back(table, times):
    for _ in range(times):
        seq = table.snapshot.story.seq
        assert isinstance(table.undo(None, seq, f"undo {seq}"), Done)


def told(table):
    """Return what the page says, newest first; a dash before what was taken back."""
    history = view_of(table.snapshot, VIEWER, "en", strict=True).history
    return ["– " * line.undone + " / ".join(line.texts) for line in history]
