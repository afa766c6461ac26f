"""The page of a fresh game says what to lay where, and can be asked again later."""

import re

import pytest

from companion.games import GAMES
from companion.running.snapshot import Setup
from companion.words import LANGUAGES
from tests.dashboard.conftest import Phones
from tests.dashboard.fakes import FakeTable


def listed(html: str, opens: str) -> list[str]:
    """Return the steps below *opens* as a reader sees them, without the tags."""
    found = re.search(opens + r".*?<ol[^>]*>(.*?)</ol>", html, re.S)
    steps = re.findall(r"<li>(.*?)</li>", found[1], re.S) if found else []
    return [" ".join(re.sub(r"<[^>]+>", "", step).split()) for step in steps]


class TestAFreshGame:
    def test_the_steps_come_before_the_first_throw(
        self, game: FakeTable, phones: Phones
    ):
        html = phones.viewer().get("/").text

        steps = listed(html, "<details[^>]*setup")
        # Rulebook l. 63, 71-73, 75-79, 95, 97, 89; three of seven cards are dealt.
        assert len(steps) == 6
        # Five steps of one section: it is named once, behind the last of them.
        assert [n for n, step in enumerate(steps) if "(livret" in step] == [4, 5]
        assert steps[4].endswith("(livret, « Préparation »)")
        assert "les 4 qui restent sont cachées pour tous" in steps[4]
        assert steps[5].endswith("Ana commence. (livret, « Première manche »)")
        assert html.index("Mise en place") < html.index("Ana\u202f: lancez le dé.")

    def test_they_are_gone_with_the_first_throw_and_back_when_it_is_taken_back(
        self, game: FakeTable, phones: Phones
    ):
        ana = phones.seat(0)
        ana.post("/api/act", data={"move": "throw 3", "seq": "0", "key": "a"})
        thrown = ana.get("/").text
        ana.post("/api/undo", data={"seq": "1", "key": "b"})

        assert "Mise en place" not in thrown
        assert len(listed(ana.get("/").text, "<details[^>]*setup")) == 6

    def test_in_a_pause_the_page_says_so_and_not_how_to_set_up(
        self, game: FakeTable, phones: Phones
    ):
        game.rest(pause=True)
        paused = phones.viewer().get("/").text
        game.rest(pause=False)

        assert "Mise en place" not in paused
        assert "La partie est en pause" in paused
        assert "Mise en place" in phones.viewer().get("/").text

    def test_a_script_gets_them_too(self, game: FakeTable, phones: Phones):
        steps = phones.viewer().get("/api/state").json["setup"]

        assert [step["begins"] for step in steps] == [None] * 5 + ["Ana"]
        assert steps[1]["source"]["first"] == 71

    @pytest.mark.parametrize("known", GAMES, ids=lambda one: one.id)
    def test_every_game_shows_its_steps_in_every_language(
        self, table: FakeTable, phones: Phones, known
    ):
        table.open_game(Setup(known.id, ("Ana", "Bo"), first=1))

        for language in LANGUAGES:
            html = phones.viewer().get(f"/?lang={language}").text
            steps = listed(html, "<details[^>]*setup")
            assert len(steps) == len(table.snapshot.story.to_set_up)
            assert ("<strong>Bo " in html) == (known.id != "dragonix")


class TestToLookUp:
    def test_the_help_leads_there(self, phones: Phones):
        assert 'href="/rules#setup">Mise en place et règles' in (
            phones.viewer().get("/help").text
        )

    def test_the_rules_tell_it_as_the_table_plays(
        self, game: FakeTable, phones: Phones
    ):
        steps = listed(phones.viewer().get("/rules").text, 'id="setup"')

        assert len(steps) == 6
        assert "Ana commence" in steps[5]

    def test_and_for_any_other_number_of_players(self, game: FakeTable, phones: Phones):
        phone = phones.viewer()

        two, five = (
            listed(phone.get(f"/rules?game=dragon_run&seats={n}").text, 'id="setup"')
            for n in (2, 5)
        )
        wrong = listed(phone.get("/rules?game=dragon_run&seats=9").text, 'id="setup"')

        # Rulebook l. 42-45: the pawn on 5 with two, on 8 with five.
        assert "case 5" in two[0]
        assert "case 8" in five[0]
        assert len(two) == len(five) + 1  # two talismans go (l. 54)
        assert wrong == two
        assert not any("commence." in step for step in (*two, *five))
