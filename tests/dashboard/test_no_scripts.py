"""Every game is played to its end by plain forms and loaded pages, without a script."""

import random
from html.parser import HTMLParser

import pytest
from flask.testing import FlaskClient

from companion.snapshot import Setup
from tests.dashboard.conftest import Phones
from tests.dashboard.fakes import FakeTable
from tests.dashboard.situations import OFTEN, RARELY

NAMES = ("Ana", "Bo", "Cy")
MOST_SENT = 3_000
KNOWN_TO_THE_REFEREE = {"eight_dragons"}
"""Here a phone may offer a card that the referee remembers to lie elsewhere."""


class Forms(HTMLParser):
    """The forms of a page that make a move: fixed fields, and those to choose from."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[dict[str, str], dict[str, list[str]]]] = []
        self._inside = False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        at = dict(attrs)
        if tag == "form":
            self._inside = at.get("action") == "/api/act"
            if self._inside:
                self.found.append(({}, {}))
        elif self._inside and at.get("name"):
            fixed, choices = self.found[-1]
            if at.get("type") == "hidden":
                fixed[at["name"]] = at["value"]
            else:
                choices.setdefault(at["name"], []).append(at["value"])

    def handle_endtag(self, tag):
        if tag == "form":
            self._inside = False


def choose(rng: random.Random, phone: FlaskClient, table: FakeTable) -> dict[str, str]:
    """Fill in one form of the page as a finger would; an empty one if there is none."""
    story = table.snapshot.story
    kinds: dict[str, list[dict[str, str]]] = {}
    for fixed, choices in Forms(phone.get("/").text).found:
        body = fixed | {name: rng.choice(values) for name, values in choices.items()}
        words = (body.get(part) for part in ("move", "at", "what", "tail"))
        move = story.game.parse(story.state, " ".join(filter(None, words)))
        kinds.setdefault(type(move).__name__, []).append(body)
    if not kinds:
        return {}
    weights = [RARELY.get(kind, OFTEN.get(kind, 1.0)) for kind in kinds]
    return rng.choice(kinds[rng.choices(list(kinds), weights)[0]])


@pytest.mark.slow
@pytest.mark.parametrize(
    "game_id",
    [
        pytest.param("dragorun", marks=pytest.mark.long),
        "dragon_run",
        "drachenhort",
        pytest.param("eight_dragons", marks=pytest.mark.long),
        "dragonix",
    ],
)
def test_a_whole_game_by_forms_alone(game_id: str, table: FakeTable, phones: Phones):
    table.open_game(Setup(game_id, NAMES[: 3 if game_id == "drachenhort" else 2]))
    people = [phones.seat(n) for n in range(len(table.snapshot.story.header.players))]
    rng = random.Random(2)
    refused = 0
    for _ in range(MOST_SENT):
        story = table.snapshot.story
        if story.game.outcome(story.state) is not None:
            break
        phone = rng.choice(people)
        body = choose(rng, phone, table)
        if not body:
            continue
        answer = phone.post("/api/act", data=body)
        assert answer.status_code in (303, 422)
        refused += answer.status_code == 422

    assert 'class="reveal"' in people[0].get("/").text
    assert refused == 0 or game_id in KNOWN_TO_THE_REFEREE
