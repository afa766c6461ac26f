"""Every game is played to its end by plain forms and loaded pages, without a script."""

import random
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.capsule.evidence_store import EvidenceStore
from companion.dashboard.door.access import ACCESS
from companion.dashboard.door.auth import host_code, seat_code, table_code
from companion.running.snapshot import Setup
from companion.running.wifi import WifiFiles
from companion.story.log import Asked
from companion.table import Claim, Glimpse, LinePart, Moved, Reading
from tests.dashboard.browsing import make_app
from tests.dashboard.conftest import Phones
from tests.dashboard.fakes import FakeTable
from tests.dashboard.playing import play_on
from tests.dashboard.setting import PIN, SECRET
from tests.dashboard.situations import OFTEN, RARELY

NAMES = ("Ana", "Bo", "Cy")
MOST_SENT = 3_000
KNOWN_TO_THE_REFEREE = {"eight_dragons"}
"""Here a phone may offer a card that the referee remembers to lie elsewhere."""


class Forms(HTMLParser):
    """The forms of a page that lead to *action*: fixed fields, and those to choose."""

    def __init__(self, text: str, action: str = "/api/act") -> None:
        super().__init__()
        self.found: list[tuple[dict[str, str], dict[str, list[str]]]] = []
        self.actions: list[str] = []
        self._action = action
        self._inside = False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        at = dict(attrs)
        if tag == "form" and at.get("method") == "post":
            self.actions.append(at["action"])
            self._inside = at["action"] == self._action
            if self._inside:
                self.found.append(({}, {}))
        elif self._inside and at.get("name"):
            fixed, choices = self.found[-1]
            if at.get("type") == "hidden":
                fixed[at["name"]] = at["value"]
            elif at.get("type") not in ("radio", "checkbox") or (
                {"checked", "required"} & set(at)
            ):
                choices.setdefault(at["name"], []).append(at.get("value") or "")

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
        pytest.param("dragon_run", marks=pytest.mark.long),
        "drachenhort",
        pytest.param("eight_dragons", marks=pytest.mark.long),
        pytest.param("dragonix", marks=pytest.mark.long),
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


TEACHING = {
    "/api/teach",
    "/api/teach/kit",
    "/teach/facts",
    "/teach/spaces",
    "/box/<game>",
}
"""Sent without scripts by tests/teaching and test_describing, with a table to teach."""


class TestEveryForm:
    """What a browser without scripts sends is answered by a page, not for a script."""

    @pytest.fixture
    def guest(self, game: FakeTable, tmp_path) -> FlaskClient:
        networks = WifiFiles(tmp_path / "wifi.json", tmp_path / "hotspot.json")
        evidence = EvidenceStore(tmp_path / "pictures")
        return make_app(game, networks, evidence=evidence).test_client()

    @pytest.fixture
    def both(self, guest: FlaskClient) -> FlaskClient:
        """Somebody who is the host and the first player."""
        phone = guest.application.test_client()
        for code in (host_code(SECRET), seat_code(SECRET, "game-1", 0)):
            phone.get(f"/j/{code}")
        return phone

    def send(self, phone: FlaskClient, path: str, action: str, **typed: Any) -> str:
        """Send the first form on a page that leads to *action*; return where to."""
        fixed, choices = Forms(phone.get(path).text, action).found[0]
        body = fixed | {name: values[0] for name, values in choices.items()} | typed
        form = {"content_type": "application/x-www-form-urlencoded"}
        answer = phone.post(action, data=body, **form)
        assert answer.mimetype == "text/html", action
        if answer.status_code == 303:
            assert phone.get(answer.headers["Location"]).status_code == 200
            return answer.headers["Location"]
        return action

    def sent(
        self, guest: FlaskClient, both: FlaskClient, game: FakeTable
    ) -> Iterator[tuple[str, str]]:
        """Yield each form that was sent and where it led, through a whole evening."""

        def one(phone: FlaskClient, path: str, action: str, **typed: Any):
            return action, self.send(phone, path, action, **typed)

        table = f"/j/{table_code(SECRET, 'game-1')}"
        yield one(guest, table, "/api/sit")
        yield one(both, "/", "/api/act", move="throw 3")
        yield one(both, "/", "/api/undo")
        yield one(both, "/", "/api/sim/press")
        yield one(both, "/host", "/api/pause")
        yield one(both, "/", "/api/go_on")
        yield one(both, "/host", "/api/free")
        yield one(both, "/host", "/api/wifi", name="Home")
        game.act(Claim("throw 2", None, game.snapshot.story.seq, "k"))
        step = game.snapshot.story.seq
        yield one(both, f"/amend/{step}?move=throw 3", "/api/amend")
        shoved = Glimpse(Moved("green", "start", "cell/5/dark"), 0.99)
        why = LinePart("core.ask.table_unexpected")
        game.tell(Asked(Reading((shoved,), whole=True), why, ()))
        yield one(both, "/", "/api/adopt")
        yield one(both, "/forget?name=Cy", "/api/forget")
        yield one(both, "/tally", "/tally")
        play_on(game, random.Random(1), 2000, "over")
        yield one(both, "/past/game-1", "/api/photo")
        yield one(both, "/host", "/api/rematch")
        yield one(both, "/host", "/api/leave")
        yield one(both, "/", "/api/resume")
        yield one(both, "/host", "/api/leave")
        yield one(both, "/past/game-1/delete", "/api/delete")
        yield one(both, "/", "/api/game", name=["Dee", "Eva"])
        yield one(both, "/host", "/api/step_down")
        yield one(guest, "/host", "/host", pin=PIN)

    def test_leads_to_a_page(
        self, guest: FlaskClient, both: FlaskClient, game: FakeTable
    ):
        led = dict(self.sent(guest, both, game))

        forms = {rule for method, rule in ACCESS if method == "POST"}
        assert set(led) == forms - TEACHING
        # An empty count is told what it lacks; everything else is done.
        assert [action for action, there in led.items() if there == action] == [
            "/tally"
        ]
        assert led["/api/free"] == led["/api/wifi"] == "/host"
        assert led["/api/sit"] == led["/api/act"] == led["/api/step_down"] == "/"
