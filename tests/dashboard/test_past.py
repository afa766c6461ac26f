"""Games of the past: looked at, taken along, and names that are deleted."""

import json
from urllib.parse import unquote

import pytest
from msgspec.structs import replace

from companion.running.snapshot import Setup
from companion.words import LANGUAGES
from tests.dashboard.conftest import Phones
from tests.dashboard.fakes import FakeTable
from tests.dashboard.playing import note


def test_all_games_are_listed_the_running_one_too(game: FakeTable, phones: Phones):
    game.open_game(Setup("dragorun", ("Dee", "Eva")))

    text = phones.viewer().get("/past").text

    assert "Ana, Bo, Cy" in text
    assert "Dee, Eva" in text
    assert text.count("sur la table") == 1


def test_each_that_is_over_tells_who_won_all_points_and_how_long_it_took(
    game: FakeTable, phones: Phones, play
):
    game.leave()
    game.open_game(Setup("drachenhort", ("Dee", "Eva")))
    play()
    story = game.snapshot.story
    entries = tuple(
        replace(entry, at=entry.at + 60 * n)
        for n, entry in enumerate(story.entries[:43])
    )
    rest = (replace(entry, at=entries[-1].at) for entry in story.entries[43:])
    game.lay(replace(story, entries=(*entries, *rest)))
    game.leave()

    text = phones.viewer().get("/past").text

    scores = {
        story.header.players[score.seat]: score.low
        for score in story.game.scores(story.state)
    }
    best = max(scores, key=scores.__getitem__)
    other = next(name for name in scores if name != best)
    assert scores[best] > scores[other]
    assert f"<strong>{best} gagne\u202f!</strong>" in text
    assert f"{best} {scores[best]} · {other} {scores[other]}" in text
    assert "42 minutes de jeu" in text
    assert text.count("pas terminée") == 1
    assert "42 minutes de jeu" in phones.viewer().get("/past/game-2").text


def test_without_games_it_says_so(phones: Phones):
    assert "Aucune partie" in phones.viewer().get("/past").text
    assert "Rien à compter" in phones.viewer().get("/figures").text


class TestOneGame:
    def test_winner_points_and_everything_that_happened(
        self, game: FakeTable, phones: Phones, play
    ):
        play()
        moves = len(game.snapshot.story.steps)
        game.leave()

        text = phones.viewer().get("/past/game-1").text

        assert 'class="reveal"' in text
        assert text.count("<li data-key=") >= moves > 40
        assert 'class="parts"' in text

    def test_an_unfinished_one_keeps_its_secrets(self, game: FakeTable, phones: Phones):
        note(game, 1, 4)
        game.leave()
        phone = phones.viewer()

        told = phone.get("/past/game-1").text + phone.get("/past/game-1/game.json").text

        assert "note 1 4" not in told
        assert '"group":{"value":4' not in told
        assert "pas terminée" in told

    def test_the_host_puts_it_back(self, game: FakeTable, phones: Phones):
        game.leave()
        host = phones.host()
        assert "/api/resume" in host.get("/past/game-1").text

        host.post("/api/resume", data={"id": "game-1"})

        assert game.snapshot.game_id == "game-1"
        assert "/api/resume" not in host.get("/past/game-1").text

    def test_one_that_is_not_there(self, phones: Phones):
        assert phones.viewer().get("/past/nothing").status_code == 404


class TestFiles:
    def test_every_move_as_json(self, game: FakeTable, phones: Phones, play):
        play()

        answer = phones.viewer().get("/past/game-1/game.json")

        assert answer.mimetype == "application/json"
        assert "attachment" in answer.headers["Content-Disposition"]
        assert len(answer.get_json()["entries"]) == len(game.snapshot.story.entries)

    def test_points_as_a_table(self, game: FakeTable, phones: Phones):
        answer = phones.viewer().get("/past/game-1/points.csv")

        assert answer.mimetype == "text/csv"
        heading, *rows = answer.text.splitlines()
        assert (
            heading == "\ufeffjeu;date;minutes;place;joueur;points;points au plus;gagné"
        )
        assert rows[0].startswith("drachenhort;2027-01-15;0;1;Ana;0;")
        assert len(rows) == 3
        english = phones.viewer().get("/past/game-1/points.csv?lang=en").text
        assert "game,date,minutes,seat,player,points,points at most,won" in english

    def test_bg_stats_gets_players_and_winners(
        self, game: FakeTable, phones: Phones, play
    ):
        assert "bgstats:" not in phones.viewer().get("/past/game-1").text
        play()

        text = phones.viewer().get("/past/game-1").text

        link = text.split('href="bgstats://')[1].split('"')[0]
        play_sent = json.loads(unquote(link.split("?data=")[1]))
        assert [p["name"] for p in play_sent["players"]] == ["Ana", "Bo", "Cy"]
        assert any(p["winner"] for p in play_sent["players"])

    def test_another_form_is_not_there(self, game: FakeTable, phones: Phones):
        assert phones.viewer().get("/past/game-1/game.exe").status_code == 404


class TestDeletingAName:
    def test_is_asked_once_more_and_then_gone_everywhere(
        self, game: FakeTable, phones: Phones
    ):
        game.open_game(Setup("drachenhort", ("Bo", "Ana")))
        host = phones.host()
        assert "<option>Ana</option>" in host.get("/past").text

        asked = host.get("/forget?name=Ana").text
        answer = host.post("/api/forget", data={"name": "Ana"})

        assert "dans 2 parties" in asked
        assert (answer.status_code, answer.location) == (303, "/past")
        for path in ("/", "/past", "/past/game-1", "/figures", "/api/state"):
            assert "Ana" not in host.get(path).text.replace("Analyse", ""), path

    def test_one_that_is_written_in_two_ways_is_one(
        self, game: FakeTable, phones: Phones
    ):
        game.open_game(Setup("drachenhort", ("Bo", "ana")))
        host = phones.host()
        assert host.get("/past").text.count("<option>") == 3
        assert "<option>ana</option>" in host.get("/past").text
        assert "dans 2 parties" in host.get("/forget?name=ana").text

        host.post("/api/forget", data={"name": "ana"})

        for path in ("/", "/past", "/past/game-1", "/figures"):
            assert ">ana" not in host.get(path).text.lower(), path

    def test_only_the_host_may(self, game: FakeTable, phones: Phones):
        ana = phones.seat(0)

        assert "<option>" not in ana.get("/past").text
        assert ana.get("/forget?name=Ana").status_code == 403
        assert ana.post("/api/forget", json={"name": "Ana"}).status_code == 403

    def test_a_name_that_nobody_bears(self, game: FakeTable, phones: Phones):
        assert phones.host().get("/forget?name=Zoe").status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game_id", ["drachenhort", "dragorun", "dragon_run"])
def test_figures_have_a_drawing_and_the_same_in_numbers(
    language: str, game_id: str, table: FakeTable, phones: Phones, play
):
    table.open_game(Setup(game_id, ("Ana", "Bo")))
    play(moves=3000, seed=2)
    assert table.snapshot.story.game.outcome(table.snapshot.story.state) is not None

    text = phones.viewer().get(f"/figures?lang={language}").text

    assert text.count('<svg class="chart"') == text.count("<caption>") >= 2
    assert "dashboard." not in text
