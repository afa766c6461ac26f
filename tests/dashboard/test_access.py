"""Every route, method and role: what is not listed as allowed is refused."""

from typing import Any

import pytest
from flask import Flask

from companion.dashboard.door.access import ACCESS
from tests.dashboard.conftest import Phones
from tests.dashboard.fakes import FakeTable

EVERYBODY = {"viewer", "seat", "host"}
AT_THE_TABLE = {"seat", "host"}
HOST = {"host"}

EXPECTED = {
    "GET /": EVERYBODY,
    "GET /table": EVERYBODY,
    "GET /j/<code>": EVERYBODY,
    "GET /host": EVERYBODY,
    "POST /host": EVERYBODY,
    "GET /tally": EVERYBODY,
    "POST /tally": EVERYBODY,
    "GET /picture": EVERYBODY,
    "GET /rules": EVERYBODY,
    "GET /odds": EVERYBODY,
    "GET /help": EVERYBODY,
    "GET /evidence/<game_id>/<name>": EVERYBODY,
    "GET /past": EVERYBODY,
    "GET /past/<game_id>": EVERYBODY,
    "GET /past/<game_id>/<form>": EVERYBODY,
    "GET /past/<game_id>/points/<int:seat>": EVERYBODY,
    "GET /past/<game_id>/delete": HOST,
    "GET /figures": EVERYBODY,
    "GET /forget": HOST,
    "GET /amend/<int:step>": HOST,
    "GET /box/<game>": HOST,
    "POST /box/<game>": HOST,
    "GET /teach": HOST,
    "GET /teach/now": HOST,
    "GET /teach/facts": HOST,
    "POST /teach/facts": HOST,
    "GET /teach/spaces": HOST,
    "POST /teach/spaces": HOST,
    "GET /teach/map": HOST,
    "GET /teach/picture": HOST,
    "GET /teach/kit/<name>": HOST,
    "POST /api/teach": HOST,
    "POST /api/teach/kit": HOST,
    "GET /favicon.ico": EVERYBODY,
    "GET /static/<path:filename>": EVERYBODY,
    "GET /api/state": EVERYBODY,
    "GET /api/events": EVERYBODY,
    "GET /api/openapi.json": EVERYBODY,
    "POST /api/act": AT_THE_TABLE,
    "POST /api/undo": AT_THE_TABLE,
    "POST /api/adopt": AT_THE_TABLE,
    "POST /api/sim/press": AT_THE_TABLE,
    "POST /api/game": HOST,
    "POST /api/resume": HOST,
    "POST /api/leave": HOST,
    "POST /api/sit": EVERYBODY,
    "POST /api/wifi": HOST,
    "POST /api/pause": HOST,
    "POST /api/go_on": HOST,
    "POST /api/rematch": HOST,
    "POST /api/forget": HOST,
    "POST /api/delete": HOST,
    "POST /api/amend": AT_THE_TABLE,
    "POST /api/photo": HOST,
    "POST /api/free": HOST,
    "POST /api/step_down": HOST,
}
"""Written out a second time, so that a slip in the product's table shows."""

BODIES: dict[str, Any] = {
    "/api/act": {"move": "throw 3", "seq": 0, "key": "k"},
    "/api/undo": {"seq": 0, "key": "k"},
    "/api/adopt": {"seq": 0, "key": "k"},
    "/api/sim/press": {"button": "next"},
    "/api/game": {"game": "drachenhort", "players": ["A", "B"]},
    "/api/resume": {"id": "game-1"},
    "/host": {"pin": "000000"},
    "/api/forget": {"name": "Ana"},
    "/api/delete": {"id": "game-1"},
    "/api/photo": {"id": "game-1"},
    "/api/amend": {"step": 1, "move": "throw 3", "seq": 0, "key": "k"},
    "/api/free": {"seat": 1, "game_id": "game-1"},
    "/api/step_down": {},
    "/api/sit": {"seat": 1, "code": "x"},
    "/api/teach": {"do": "back"},
    "/api/wifi": {"name": "Home", "password": ""},
}


def routes(app: Flask) -> set[str]:
    return {
        f"{method} {rule.rule}"
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }


def test_every_route_is_in_the_table(app: Flask):
    assert routes(app) == set(EXPECTED)
    assert {f"{method} {rule}" for method, rule in ACCESS} == set(EXPECTED)


@pytest.mark.parametrize("role", sorted(EVERYBODY))
@pytest.mark.parametrize("route", sorted(EXPECTED))
def test_who_may_use_it(route: str, role: str, game: FakeTable, phones: Phones):
    phone = {
        "viewer": phones.viewer,
        "seat": lambda: phones.seat(0),
        "host": phones.host,
    }[role]()
    method, rule = route.split()
    path = rule.replace("<code>", "x").replace("<path:filename>", "icon.svg")
    path = path.replace("<game_id>", "game-1").replace("<form>", "game.json")
    path = path.replace("<name>", "throw-1").replace("<int:step>", "1")
    path = path.replace("<int:seat>", "1")

    answer = phone.open(path, method=method, json=BODIES.get(rule))
    answer.close()

    if role in EXPECTED[route]:
        # The wrong PIN and the wrong code are refused for what they say, not for who.
        assert answer.status_code != 403 or rule == "/host"
    else:
        assert answer.status_code == 403
        assert game.snapshot.story is not None
        assert game.snapshot.story.seq == 0
        assert game.snapshot.game_id == "game-1"


def test_a_route_outside_the_table_is_refused(app: Flask, phones: Phones):
    app.add_url_rule("/secret", "secret", lambda: "told")

    assert phones.host().get("/secret").status_code == 403


def test_other_methods_are_refused(phones: Phones):
    host = phones.host()

    assert host.get("/api/act").status_code == 405
    assert host.put("/api/game", json={}).status_code == 405
    assert host.delete("/").status_code == 405
