"""The count alone: as JSON and as a form of taps."""

from typing import Any

import pytest

from tests.dashboard.conftest import Phones

MEDALS = {
    "silver": {"green": 1, "red": 2, "white": 8},
    "gold": {"green": 5, "red": 3, "white": 1},
}
SHEET = {
    "medals": MEDALS,
    "players": [{"name": "Ana", "group": ["green", "red", "white"], "jewels": 6}],
}
"""The rulebook's own example: 6 + 5 + 9 and six jewels are 26 (l. 205-213)."""


def form(**changes: Any) -> dict[str, Any]:
    fields: dict[str, Any] = {
        f"{metal}-{hero}": str(value)
        for metal, values in MEDALS.items()
        for hero, value in values.items()
    }
    fields |= {
        "name-0": "Ana",
        "group-0": ["green", "red", "white"],
        "jewels-0": "6",
    }
    return fields | changes


def test_the_rulebooks_example_as_json(phones: Phones):
    answer = phones.viewer().post("/tally", json=SHEET)

    assert answer.status_code == 200
    assert answer.get_json()["scores"] == {"Ana": 26}
    assert answer.get_json()["winners"] == ["Ana"]


def test_the_rulebooks_example_by_taps(phones: Phones):
    answer = phones.viewer().post("/tally", data=form())

    assert answer.status_code == 200
    assert '<span class="points">26</span>' in answer.text
    assert 'value="green" checked' in answer.text  # what was tapped stays


def test_more_players_stand_in_the_order_of_their_points(phones: Phones):
    more = {"name-1": "Bo", "group-1": ["green", "red", "blue"], "jewels-1": "18"}
    more |= {"silver-blue": "3", "gold-blue": "6"}
    # Ana 6 + 5 + 9 and six jewels are 26; Bo 6 + 5 + 9 and eighteen are 38.

    html = phones.viewer().post("/tally", data=form(**more)).text

    assert html.index(">Bo") < html.index(">Ana")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"silver-red": "1"}, "médaille d’argent 1"),
        ({"gold-red": "5"}, "médaille d’or 5"),
        ({"group-0": ["green", "red"]}, "exactement trois"),
        ({"gold-green": ""}, "Vert"),
        ({"name-0": "", "group-0": [], "jewels-0": ""}, "au moins un joueur"),
        ({"jewels-0": "25"}, "25"),
        ({"jewels-0": "many"}, "de 0 à 24"),
        ({"name-0": ""}, "Joueur 1\u202f: écrivez son nom."),
        ({"name-0": "", "group-0": [], "jewels-0": "3"}, "écrivez son nom"),
        (
            {"name-1": "Bo", "group-1": ["red", "white", "green"]},
            "Ana et Bo ont la même carte",
        ),
        ({"name-1": "ana", "group-1": ["green", "red"]}, "Deux joueurs s’appellent"),
        ({"name-1": "Bo"}, "Bo\u202f: touchez exactement trois"),
        ({"name-1": "Bo", "jewels-1": "39"}, "45 joyaux en tout, la boîte en a 24"),
    ],
)
def test_a_fault_is_told_above_and_at_its_field(
    changes: Any, words: str, phones: Phones
):
    answer = phones.viewer().post("/tally", data=form(**changes))

    assert answer.status_code == 422
    above, _, below = answer.text.partition("<form method")
    assert words in above.split('role="alert">')[1]
    assert words in below


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"silver-green": "7"}, "7"),
        ({"group-0": ["green", "red", "mauve"]}, "mauve"),
    ],
)
def test_what_no_page_offers_is_told_in_one_line(
    changes: Any, words: str, phones: Phones
):
    answer = phones.viewer().post("/tally", data=form(**changes))

    assert answer.status_code == 422
    alert = answer.text.split('role="alert">')[1].split("<")[0]
    assert words in alert
    assert "\n" not in alert


@pytest.mark.parametrize(
    ("language", "title"),
    [
        ("fr", "4 choses à corriger"),
        ("en", "4 things to put right"),
        ("de", "4 Dinge sind zu berichtigen"),
    ],
)
def test_all_faults_are_told_at_once_in_the_language_of_the_page(
    language: str, title: str, phones: Phones
):
    wrong = form(
        **{
            "silver-red": "1",  # green has it too
            "name-1": "Bo",
            "group-1": ["green", "red"],
            "name-2": "",
            "group-2": ["green", "red", "white"],  # unnamed, and Ana's card
        }
    )

    text = phones.viewer().post(f"/tally?lang={language}", data=wrong).text

    alert = text.split('role="alert">')[1].split("</div>")[0]
    assert title in alert
    assert alert.count("<li>") == 4
    # The medal is told at both who have it, the card at both who hold it.
    assert text.count('<p class="fault">') == 2 + 1 + 1 + 2


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"\xff", b'{"medals": 3}', b"[" * 20_000]
)
def test_bad_json_is_refused_in_one_line(body: bytes, phones: Phones):
    answer = phones.viewer().post("/tally", data=body, content_type="application/json")

    assert answer.status_code == 422
    assert "\n" not in answer.get_json()["text"]


def test_a_copy_of_ones_own_knows_its_cards(phones: Phones, table: Any):
    from companion.dashboard import create_app
    from companion.games.drachenhort.box import STAND_IN
    from tests.dashboard.setting import ADDRESS, PIN, SECRET

    app = create_app(table, secret=SECRET, pin=PIN, address=ADDRESS, tally_box=STAND_IN)
    wrong = SHEET | {
        "players": [{"name": "Ana", "group": ["green", "red", "blue"], "jewels": 0}]
    }

    assert app.test_client().post("/tally", json=wrong).status_code == 422


class TestNames:
    @pytest.mark.parametrize("name", ["@name", "@drachenhort.green", "{name}"])
    def test_that_look_like_keys_are_counted_and_told_as_they_are(
        self, name: str, phones: Phones
    ):
        sheet = SHEET | {"players": [SHEET["players"][0] | {"name": name}]}

        assert phones.viewer().post("/tally", json=sheet).get_json()["scores"] == {
            name: 26
        }
        counted = phones.viewer().post("/tally", data=form(**{"name-0": name}))
        assert f"<strong>{name}</strong>" in counted.text or name in counted.text
        bad = form(**{"name-0": name, "group-0": ["green", "red"]})
        assert (
            name in phones.viewer().post("/tally", data=bad).text.partition("<form")[0]
        )

    def test_that_nobody_can_see_are_refused(self, phones: Phones):
        unseen = SHEET | {"players": [SHEET["players"][0] | {"name": "\u3164"}]}

        told = phones.viewer().post("/tally", json=unseen)
        page = phones.viewer().post("/tally", data=form(**{"name-0": "\u3164"}))

        assert (told.status_code, page.status_code) == (422, 422)
        assert "no letter that can be seen" in told.get_json()["text"]
        assert "Il n’y a rien à voir dans ce nom" in page.text

    def test_that_look_alike_are_told_apart(self, phones: Phones):
        one = SHEET["players"][0]
        sheet = SHEET | {"players": [one, one | {"name": "A\u200dna"}]}

        assert phones.viewer().post("/tally", json=sheet).status_code == 422


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("fr", "25 joyaux en tout, la boîte en a 24\u202f: recomptez."),
        ("de", "25 Juwelen zusammen, die Schachtel hat 24: Zählt noch einmal."),
        ("en", "25 jewels in all, the box has 24: count again."),
    ],
)
def test_a_script_gets_the_sentence_in_the_language_it_asks_for(
    language: str, text: str, phones: Phones
):
    sheet = SHEET | {"players": [SHEET["players"][0] | {"jewels": 25}]}

    answer = phones.viewer().post(f"/tally?lang={language}", json=sheet)

    assert (answer.status_code, answer.get_json()["text"]) == (422, text)
