"""What went wrong with the games' memory stands on every page, in every language."""

import html

import pytest
from msgspec.structs import replace

from companion.running.snapshot import Done, StoredGame
from companion.story.log import as_frozen
from companion.table import LinePart, Word
from companion.words import LANGUAGES, Words
from tests.dashboard.conftest import Phones
from tests.dashboard.fakes import FakeTable

FULL = LinePart("core.store.unsaved", (("n", 3), ("why", Word("core.disk.full"))))
LOST = LinePart("core.store.lost", (("file", "table.sqlite3"),))
PAGES = ("/", "/past", "/host", "/help", "/tally", "/figures")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_says_it(table: FakeTable, phones: Phones, language):
    table.show(stored=False, warnings=(FULL, LOST))
    host = phones.host()

    for path in PAGES:
        text = host.get(f"{path}?lang={language}").text
        assert text.count('class="alert bad"') == 2, path
        assert Words(language).part(FULL) in html.unescape(text)
        assert "table.sqlite3" in text


def test_the_page_of_a_game_says_it_once_and_keeps_it_up_to_date(
    game: FakeTable, phones: Phones
):
    game.show(stored=False, warnings=(FULL,))

    text = phones.viewer().get("/").text

    assert text.count("La carte mémoire est pleine") == 1
    assert text.index('id="turn"') < text.index("La carte mémoire est pleine")


def test_an_act_that_is_not_on_disk_is_answered_as_accepted(
    game: FakeTable, phones: Phones, monkeypatch
):
    """202 is what HTTP has for: heard, and not complete yet."""
    monkeypatch.setattr(game, "leave", lambda: Done(0, stored=False))

    answer = phones.host().post("/api/leave", json={})

    assert answer.status_code == 202
    assert answer.json == {"ok": True, "seq": 0, "next": "/", "stored": False}


class TestAGameThatCannotBeRead:
    @pytest.fixture
    def listed(self, game: FakeTable, monkeypatch):
        why = LinePart("core.store.unknown_game", (("game", "chess"),))
        odd = StoredGame("odd", "chess", (), 0.0, 12, True, why, readable=False)
        whole = game.games()
        monkeypatch.setattr(game, "games", lambda: (odd, *whole))
        return odd

    def test_is_listed_with_one_line_and_cannot_be_taken_up(
        self, game: FakeTable, phones: Phones, listed
    ):
        game.leave()
        host = phones.host()

        for path in ("/", "/past"):
            text = host.get(path).text
            assert "ne connaît pas le jeu «\u202fchess\u202f»" in text
            assert 'value="odd"' not in text
            assert 'href="/past/odd"' not in text

    def test_can_be_deleted_by_the_host(self, phones: Phones, listed):
        assert "/past/odd/delete" in phones.host().get("/past").text
        assert "/past/odd/delete" not in phones.viewer().get("/past").text
        assert phones.host().get("/past/odd/delete").status_code == 200


def test_a_game_of_other_rules_is_shown_with_a_line_and_nothing_to_do(
    game: FakeTable, phones: Phones
):
    why = LinePart("core.store.other_rules", (("rules", 7),))
    story = as_frozen(game.snapshot.story, why)
    game.show(story=story)
    host = phones.host()

    text = host.get("/").text

    assert "autre version des règles (7)" in text
    assert "/api/go_on" not in text
    assert "/api/act" not in text
    assert host.get("/api/state").json["moves"] == []
    assert "/api/pause" not in host.get("/host").text


def test_a_past_game_says_where_it_ends_and_why(game: FakeTable, phones: Phones):
    why = LinePart("core.store.refused", (("n", 12),))
    game._stored["game-1"] = as_frozen(game.snapshot.story, why)
    game.leave()

    text = phones.host().get("/past/game-1").text

    assert "refusent l’entrée 12" in text
    assert "/api/resume" not in text


def test_damaged_files_are_named_to_whoever_deletes_a_name(
    game: FakeTable, phones: Phones, monkeypatch
):
    host = phones.host()
    assert "corrupt" not in host.get("/forget?name=Ana").text
    monkeypatch.setattr(game, "kept_aside", lambda: ("table.sqlite3.corrupt-1",))

    assert "table.sqlite3.corrupt-1" in host.get("/forget?name=Ana").text


def test_a_lobby_that_stands_open_is_loaded_anew_when_something_went_wrong(
    table: FakeTable, phones: Phones
):
    def key(text: str) -> str:
        return text.split('data-page="')[1].split('"')[0]

    before = key(phones.viewer().get("/").text)
    table.show(warnings=(LOST,))

    assert key(phones.viewer().get("/").text) != before
    table.snapshot = replace(table.snapshot, warnings=())
    assert key(phones.viewer().get("/").text) == before
