"""The lobby's form, as a phone without scripts sends it."""

import re
from typing import Any

import pytest

from companion.dashboard.api.requests import BadName, clean_name
from companion.dashboard.view.moves import AnyGame
from companion.games import GAMES
from companion.running.snapshot import Setup
from companion.table import Claim
from companion.words import Words
from tests.dashboard.conftest import Phones
from tests.dashboard.fakes import FakeTable


def start(phones: Phones, *names: str, **fields: Any) -> Any:
    form = {"game": "drachenhort", "name": list(names), "first": "0", **fields}
    return phones.host().post("/api/game", data=form)


class TestNames:
    @pytest.mark.parametrize(
        "name", ["Zoë", "Jürgen Groß", "龍之介", "Ольга", "نور", "👩‍👧 Ana", "O’Neil"]
    )
    def test_any_script_stays_as_it_is(self, name: str):
        assert clean_name(name) == name

    def test_letters_are_composed_and_blanks_tidied(self):
        assert clean_name("  Zoe\u0308 \t du\u00a0 Bois\n") == "Zoë du Bois"

    def test_what_cannot_be_seen_is_taken_out(self):
        assert clean_name("Ana\u202e\u200b\0\x1b") == "Ana"

    def test_forty_letters_are_enough_and_one_more_is_too_long(self):
        assert clean_name("é" * 40) == "é" * 40
        with pytest.raises(BadName):
            clean_name("é" * 41)

    @pytest.mark.parametrize(
        ("language", "name"),
        [("fr", "\u3164"), ("en", "\u200b \u200d"), ("de", "\u0301\u202e")],
    )
    def test_a_name_that_nobody_can_see_is_refused_in_a_line(
        self, name: str, language: str, table: FakeTable, phones: Phones
    ):
        host, line = phones.host(), Words(language).say("dashboard.lobby.name_unseen")
        form = {"game": "drachenhort", "name": ["Ana", name], "first": "0"}

        told = host.post(f"/api/game?lang={language}", data=form)
        asked = {"game": "drachenhort", "players": ["Ana", name]}
        answer = host.post(f"/api/game?lang={language}", json=asked)

        assert told.status_code == answer.status_code == 422
        assert line in told.text
        assert 'value="Ana"' in told.text
        assert answer.get_json()["text"] == line
        assert table.snapshot.story is None

    @pytest.mark.parametrize("other", ["A\u200dna", "ana", "ANA"])
    def test_two_names_that_people_take_for_one_are_told(
        self, other: str, phones: Phones
    ):
        assert start(phones, "Ana", other).status_code == 422

    def test_names_that_look_like_keys_are_names_on_every_page(
        self, table: FakeTable, phones: Phones
    ):
        names = ("@name", "@drachenhort.green", "{name}")
        start(phones, *names)
        host = phones.host()
        table.act(Claim("throw 3", 0, 0, "k"))

        view = host.get("/api/state").get_json()
        assert [player["name"] for player in view["players"]] == list(names)
        assert view["turn"]["name"] in names
        for path in ("/", "/table", "/host", "/past"):
            assert "@drachenhort.green" in host.get(path).text, path
        twice = start(phones, "@drachenhort.green", "@drachenhort.green")
        assert "@drachenhort.green" in twice.text.partition("<form")[0]


class TestStarting:
    def test_names_left_empty_are_no_seats(self, table: FakeTable, phones: Phones):
        answer = start(phones, "Ana", "", "Bo", "  ", first="2")

        assert answer.status_code == 303
        assert answer.headers["Location"] == "/host"
        assert table.snapshot.story.header.players == ("Ana", "Bo")
        assert table.snapshot.story.header.first == 1

    def test_options_come_from_the_form(self, table: FakeTable, phones: Phones):
        start(phones, "Ana", "Bo", **{"option-DH12": "exact"})

        assert ("DH12", "exact") in table.snapshot.story.header.options

    def test_too_few_names_are_told_and_what_was_typed_stays(
        self, table: FakeTable, phones: Phones
    ):
        answer = start(phones, "Ana", **{"option-DH1": "optional"})

        assert answer.status_code == 422
        assert 'value="Ana"' in answer.text
        assert 'value="optional" checked' in answer.text
        assert table.snapshot.story is None

    def test_two_of_one_name_are_told(self, table: FakeTable, phones: Phones):
        answer = start(phones, "Ana", "Ana")

        assert answer.status_code == 422
        assert "Deux joueurs s’appellent Ana" in answer.text

    def test_a_name_of_html_is_a_name(self, table: FakeTable, phones: Phones):
        start(phones, "<img src=x onerror=a>", '"><script>')

        for path in ("/", "/host", "/table"):
            html = phones.host().get(path).text
            assert "<img src=x" not in html
            assert "<script>" not in html
            assert "&lt;img src=x onerror=a&gt;" in html

    def test_an_unknown_option_is_refused(self, table: FakeTable, phones: Phones):
        answer = start(phones, "Ana", "Bo", **{"option-DH99": "yes"})

        assert answer.status_code == 422

    def test_an_empty_chair_cannot_begin(self, phones: Phones, table: FakeTable):
        answer = start(phones, "Ana", "", "Bo", "  ", first="1")

        assert answer.status_code == 422
        assert "Personne n’est assis à la place qui commence" in answer.text
        assert 'value="Bo"' in answer.text  # what was typed stays
        assert table.snapshot.story is None

    @pytest.mark.parametrize("first", ["9", "-1"])
    def test_a_first_that_is_no_seat_is_malformed(self, first: str, phones: Phones):
        assert start(phones, "Ana", "Bo", first=first).status_code == 400

    def test_an_unknown_game_is_refused(self, phones: Phones):
        assert start(phones, "Ana", "Bo", game="chess").status_code == 422


class TestPage:
    def test_a_phone_that_is_not_the_hosts_waits(self, phones: Phones):
        html = phones.viewer().get("/").text

        assert "/api/game" not in html
        assert "/host" in html

    def test_the_host_sees_every_choice_of_the_rules_with_its_default(
        self, phones: Phones
    ):
        html = phones.host().get("/?game=drachenhort").text

        assert html.count('class="ruling"') == 9
        assert 'value="compulsory" checked' in html
        assert html.count('name="name"') == 7

    @pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
    def test_every_game_can_be_chosen(self, game: AnyGame, phones: Phones):
        html = phones.host().get(f"/?game={game.id}&lang=de").text

        assert re.search(f'name="to" value="{game.id}"[^>]* aria-current="true"', html)
        for ruling in game.rulings:
            assert html.count(f'name="option-{ruling.id}"') == len(ruling.choices)

    def test_stored_games_can_be_taken_up(self, game: FakeTable, phones: Phones):
        game.leave()
        host = phones.host()
        assert "Ana, Bo, Cy" in host.get("/").text

        answer = host.post("/api/resume", data={"id": "game-1"})

        assert answer.status_code == 303
        assert game.snapshot.game_id == "game-1"


def chairs(html: str) -> list[str]:
    return re.findall('id="name-[0-9]" name="name" value="(.*?)"', html)


def offered(html: str, field: str) -> list[str]:
    return re.findall(f'<button class="pick" name="{field}" [^>]*>(.*?)</button>', html)


def ticked(html: str) -> list[str]:
    return re.findall('name="first" value="([0-9])" checked', html)


class TestAnotherGameOfTheEvening:
    """Names are remembered, and nothing typed is lost by looking at another game."""

    def put_away(self, table: FakeTable, *names: str, game: str = "drachenhort") -> str:
        table.open_game(Setup(game, names))
        game_id = table.snapshot.game_id
        table.leave()
        assert game_id is not None
        return game_id

    def test_those_who_played_last_sit_there_already(
        self, table: FakeTable, phones: Phones
    ):
        self.put_away(table, "Ana", "Bo")
        self.put_away(table, "Cy", "Dee", "Ana")

        html = phones.host().get("/?game=drachenhort").text

        assert chairs(html) == ["Cy", "Dee", "Ana", "", "", "", ""]
        # The four and the three of the evening; who sits is not offered once more.
        assert offered(html, "group") == ["Ana, Bo"]
        assert offered(html, "add") == ["Bo"]

    def test_a_group_sits_down_with_one_tap_and_a_person_with_one(
        self, table: FakeTable, phones: Phones
    ):
        first = self.put_away(table, "Ana", "Bo")
        self.put_away(table, "Cy", "Dee", "Eva")
        host = phones.host()

        html = host.get(f"/?game=drachenhort&name=Cy&group={first}").text
        assert chairs(html)[:3] == ["Ana", "Bo", ""]

        html = host.get("/?game=drachenhort&name=Ana&name=&name=Bo&add=Eva").text
        assert chairs(html)[:4] == ["Ana", "Eva", "Bo", ""]

    def test_one_who_is_written_in_two_ways_is_offered_once_as_written_last(
        self, table: FakeTable, phones: Phones
    ):
        self.put_away(table, "ana", "Bo")
        self.put_away(table, "Ana", "Cy")

        html = phones.host().get("/?name=Zoé").text

        assert offered(html, "add") == ["Ana", "Cy", "Bo"]

    def test_a_name_that_was_deleted_is_offered_to_nobody(
        self, table: FakeTable, phones: Phones
    ):
        self.put_away(table, "Ana", "Bo")
        table.forget("Ana")

        html = phones.host().get("/").text

        assert chairs(html)[:2] == ["Bo", ""]
        assert offered(html, "group") + offered(html, "add") == []

    def test_another_game_keeps_names_who_begins_and_rulings(self, phones: Phones):
        host = phones.host()
        typed = "name=Ana&name=Bo&name=&name=Cy&first=3&option-DH12=exact"

        html = host.get(f"/?game=drachenhort&to=dragorun&{typed}").text
        assert chairs(html) == ["Ana", "Bo", "", "Cy", ""]
        assert ticked(html) == ["3"]
        assert 'name="option-DH12" value="exact"' in html

        html = host.get(f"/?game=dragorun&to=drachenhort&{typed}").text
        assert 'name="option-DH12" value="exact" checked' in html

    def test_who_has_no_chair_in_this_game_is_back_in_one_that_has(
        self, table: FakeTable, phones: Phones
    ):
        host = phones.host()
        typed = "&".join(f"name={name}" for name in ("Ana", "", "Bo", "Cy", "Dee"))

        html = host.get(f"/?to=dragonix&{typed}&first=3").text
        assert chairs(html) == ["Ana", "Bo", "Cy", "Dee"]

        html = host.get(f"/?to=dragonix&{typed}&name=Eva&first=4").text
        assert chairs(html) == ["Ana", "Bo", "Cy", "Dee"]
        assert "Pas de chaise pour Eva." in html

        spared = "&".join(f"name={name}" for name in chairs(html)) + "&spare=Eva"
        html = host.get(f"/?to=drachenhort&{spared}").text
        assert chairs(html)[:6] == ["Ana", "Bo", "Cy", "Dee", "Eva", ""]

    def test_rulings_of_another_game_that_the_form_keeps_are_not_sent(
        self, table: FakeTable, phones: Phones
    ):
        kept = {"elsewhere": "option-DH12", "option-DH12": "exact"}

        assert start(phones, "Ana", "Bo", game="dragorun", **kept).status_code == 303
        assert table.snapshot.story.header.options == ()


class TestWhoBegins:
    """As the rulebook says, or the next one when the same people play again."""

    @pytest.mark.parametrize(
        ("game", "rule", "ticks"),
        [
            ("drachenhort", "La personne la plus âgée commence", True),
            ("dragorun", "Qui a fait une course le plus récemment commence", True),
            ("dragon_run", "Décidez ensemble qui commence", True),
            ("eight_dragons", "Décidez comme vous le souhaitez qui commence", True),
            # There the cards say who, and nobody is asked.
            ("dragonix", "Le total le plus élevé commence", False),
        ],
    )
    def test_the_form_says_what_the_rulebook_says(
        self, game: str, rule: str, ticks: bool, phones: Phones
    ):
        html = phones.host().get(f"/?game={game}").text

        assert rule in html
        assert bool(ticked(html)) is ticks

    @pytest.mark.parametrize(
        ("game", "first", "then"),
        [
            ("dragorun", 0, 1),
            ("dragorun", 2, 0),
            # The oldest begins, and still is the oldest.
            ("drachenhort", 1, 1),
        ],
    )
    def test_the_same_people_again(
        self, game: str, first: int, then: int, table: FakeTable, phones: Phones
    ):
        host = phones.host()
        table.open_game(Setup(game, ("Ana", "Bo", "Cy"), first=first))

        host.post("/api/rematch", json={})
        assert table.snapshot.story.header.first == then
        assert table.snapshot.story.header.players == ("Ana", "Bo", "Cy")

        table.resume("game-1")
        table.delete("game-2")
        table.leave()
        assert ticked(host.get(f"/?game={game}").text) == [str(then)]


@pytest.mark.parametrize(
    ("language", "when"),
    [("fr", r"\d{4} à \d\d:\d\d"), ("de", r"\d{4}, \d\d:\d\d Uhr")],
)
def test_a_game_to_go_on_with_is_known_by_the_hour_it_began(
    language: str, when: str, game: FakeTable, phones: Phones
):
    game.leave()

    text = phones.host().get(f"/?lang={language}").text

    stored = text.split('class="stored"')[1]
    assert re.search(when, stored)
    assert "entrée" not in stored
