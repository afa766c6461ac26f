"""Every ruling opens to its reason, its lines of the rulebook, and what was seen."""

import random
import re

import pytest
from markupsafe import escape

from companion.dashboard.view.history import NEWEST
from companion.games import GAMES
from companion.running.snapshot import Setup
from companion.story.log import Asked, Made
from companion.table import Glimpse, LinePart, Reading, Shown
from companion.words import LANGUAGES
from tests.dashboard.conftest import Phones
from tests.dashboard.fakes import FakeTable
from tests.dashboard.playing import play_on


def refuse(game: FakeTable, phones: Phones, move: str) -> dict:
    """Let Ana try a move that is refused, and return what everybody sees."""
    seq = game.snapshot.story.seq
    body = {"move": move, "seq": seq, "key": "k"}
    assert phones.seat(0).post("/api/act", json=body).status_code == 422
    return phones.viewer().get("/api/state").get_json()


LINE_NUMBER = re.compile(r"(ligne|line|Zeile)[sn]? \d")
"""What no family can look up: their rulebooks have no numbered lines."""


class TestRefusals:
    def test_name_the_rule_and_its_lines(self, game: FakeTable, phones: Phones):
        view = refuse(game, phones, "advance green")

        assert view["notice"]
        source = view["ruled"]["source"]
        assert (source["rulebook"], source["first"] <= source["last"]) == (
            "drachenhort",
            True,
        )
        text = phones.viewer().get("/").text
        assert "Pourquoi" in text
        # Line 89 or 91; nobody's rulebook has numbered lines, so it is not said.
        assert source["sections"] == "«\u202fPremière manche\u202f»"
        assert f"Livret de Drachenhort, {source['sections']}</p>" in text

    def test_are_forgotten_with_the_next_move(self, game: FakeTable, phones: Phones):
        refuse(game, phones, "advance green")
        phones.seat(0).post("/api/act", json={"move": "throw 3", "seq": 0, "key": "l"})

        view = phones.viewer().get("/api/state").get_json()

        assert (view["notice"], view["ruled"]) == (None, None)


class TestRulings:
    @pytest.mark.parametrize("language", LANGUAGES)
    @pytest.mark.parametrize("game_id", [game.id for game in GAMES])
    def test_every_ruling_of_every_game_can_be_looked_up(
        self, language: str, game_id: str, phones: Phones
    ):
        game = next(game for game in GAMES if game.id == game_id)

        text = phones.viewer().get(f"/rules?game={game_id}&lang={language}").text

        for ruling in game.rulings:
            assert f'<li id="{ruling.id}">' in text
        assert f"{game_id}.ruling" not in text
        assert f"{game_id}.choice" not in text
        assert f"{game_id}.section" not in text
        assert not LINE_NUMBER.search(text)

    def test_what_the_table_chose_otherwise_is_marked(
        self, table: FakeTable, phones: Phones
    ):
        table.open_game(Setup("drachenhort", ("Ana", "Bo"), (("DH1", "optional"),)))

        text = phones.viewer().get("/rules").text

        assert text.count("choix de la table") == 1


class TestAcceptedMoves:
    @pytest.mark.parametrize("language", LANGUAGES)
    @pytest.mark.parametrize("game_id", [game.id for game in GAMES])
    def test_open_to_their_lines_and_rulings_in_every_game(
        self, language: str, game_id: str, table: FakeTable, phones: Phones
    ):
        game = next(game for game in GAMES if game.id == game_id)
        players = ("Ana", "Bo", "Cy")
        table.open_game(Setup(game_id, players))
        for seed in range(6):
            play_on(table, random.Random(seed), 20, "over")
        phone = phones.viewer()

        view = phone.get(f"/api/state?lang={language}").get_json()
        text = phone.get(f"/?lang={language}").text

        lines = [line for line in view["history"] if line["cites"]]
        assert len(lines) > 20
        assert not LINE_NUMBER.search(text)
        points = {point["id"]: point for point in view["points"]}
        for line in view["history"][:NEWEST]:
            for name in line["rulings"]:
                assert escape(points[name]["text"]) in text
        assert {name for line in lines for name in line["rulings"]} <= {
            ruling.id for ruling in game.rulings
        }

    def test_a_line_says_id_lines_and_sentence(self, game: FakeTable, phones: Phones):
        story = game.snapshot.story
        game.tell(Made(story.game.parse(story.state, "throw 2"), "camera"))

        text = phones.viewer().get("/").text

        # Lines 89 to 93, and 103 to 105.
        assert "Livret de Drachenhort, «\u202fPremière manche\u202f»</p>" in text
        assert "Règle DH24\u202f: livret, «\u202fPremière manche\u202f»." in text
        assert "Un 2 " in text

    @pytest.mark.parametrize(
        ("confidence", "said"), [(0.97, False), (0.95, False), (0.8, True)]
    )
    def test_how_sure_a_reading_was_is_said_where_it_was_not_very_sure(
        self, confidence: float, said: bool, game: FakeTable, phones: Phones
    ):
        story = game.snapshot.story
        throw = story.game.parse(story.state, "throw 2")
        game.tell(Made(throw, "camera", confidence=confidence))

        text = phones.viewer().get("/").text

        assert (f"lu à {confidence:.0%}".replace("%", "\u202f%") in text) is said
        assert ("lu à" in text) is said

    def test_older_lines_lead_to_the_same_sentences(
        self, game: FakeTable, phones: Phones
    ):
        play_on(game, random.Random(1), 30, "over")
        phone = phones.viewer()
        link = re.search(
            r'"(/rules\?game=drachenhort&amp;of=[^"]+)"', phone.get("/").text
        )
        assert link is not None

        text = phone.get(link[1].replace("&amp;", "&")).text

        wanted = re.findall(r"of=(\w+)", link[1])
        assert re.findall(r'<li id="(\w+)">', text) == sorted(
            wanted, key=lambda name: int(name[2:])
        )

    def test_a_ruling_that_is_none_shows_them_all(self, phones: Phones):
        text = phones.viewer().get("/rules?game=dragorun&of=XX1").text

        assert text.count("<li id=") == 33


class TestWhatHappened:
    def test_a_line_tells_the_doubt_that_was_before_it(
        self, game: FakeTable, phones: Phones
    ):
        glimpse = Glimpse(Shown("die", "3", "tray"), 0.5)
        why = LinePart("core.ask.unsure")
        game.tell(Asked(Reading((glimpse,)), why, ("throw 3",)))
        phones.seat(0).post("/api/act", json={"move": "throw 3", "seq": 1, "key": "k"})

        (line,) = phones.viewer().get("/api/state").get_json()["history"]

        assert line["doubt"]
        assert (line["source"], line["by"]) == ("phone", "Ana")
