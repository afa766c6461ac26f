"""The description of the JSON routes, which is made from the routes that there are."""

import re
from typing import Any

import msgspec
import pytest
from flask import Flask

from companion.dashboard.api.description import DESCRIBED, describe
from companion.dashboard.boards import ARTISTS
from companion.running.snapshot import Setup
from tests.dashboard.conftest import Phones
from tests.dashboard.fakes import FakeTable
from tests.dashboard.setting import PLAYERS

COOKIES = {"host": "dragon_host_80", "seat": "dragon_seat_80"}


def operations(app: Flask) -> dict[str, Any]:
    paths = describe(app, COOKIES)["paths"]
    return {
        f"{method.upper()} {path}": operation
        for path, methods in paths.items()
        for method, operation in methods.items()
    }


def test_each_route_below_api_is_described(app: Flask):
    found = {
        f"{method} {rule.rule}"
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if rule.rule.startswith("/api/")
    }

    assert found <= {*operations(app)}
    assert len(found) > 20


def test_a_new_route_that_is_not_listed_cannot_be_described(app: Flask):
    app.add_url_rule("/api/new", "new", lambda: "", methods=["POST"])

    with pytest.raises(KeyError, match="/api/new"):
        describe(app, COOKIES)


def test_nothing_is_listed_that_is_no_route(app: Flask):
    rules = {rule.rule for rule in app.url_map.iter_rules()}

    assert {path for _, path in DESCRIBED} <= rules


def test_each_says_in_a_sentence_what_it_is_for(app: Flask):
    said = {name: one["summary"] for name, one in operations(app).items()}

    assert all(text.endswith(".") for text in said.values()), said
    assert said["POST /api/act"] == "Make a move."


def test_who_may_use_it_is_said_by_cookies(app: Flask):
    found = operations(app)

    assert found["POST /api/game"]["security"] == [{"host": []}]
    assert found["POST /api/act"]["security"] == [{"host": []}, {"seat": []}]
    # The last asks for no cookie.
    assert found["GET /api/state"]["security"] == [{"host": []}, {"seat": []}, {}]


def test_parts_of_an_address_are_named_as_openapi_names_them(app: Flask):
    file = operations(app)["GET /past/{game_id}/{form}"]

    assert [one["name"] for one in file["parameters"]] == ["game_id", "form"]
    assert "game.json" in file["parameters"][1]["schema"]["enum"]


def test_every_name_that_is_referred_to_is_there(app: Flask):
    document = describe(app, COOKIES)
    text = msgspec.json.encode(document).decode()

    referred = {*re.findall(r'#/components/schemas/([^"]+)', text)}
    assert referred <= {*document["components"]["schemas"]}
    assert {"View", "MoveBody", "Yes", "No"} <= referred


def test_each_game_s_board_is_one_of_those_that_are_described(
    app: Flask, table: FakeTable, phones: Phones
):
    board = describe(app, COOKIES)["components"]["schemas"]["View"]["properties"]
    schemas = describe(app, COOKIES)["components"]["schemas"]
    names = [one["$ref"].rpartition("/")[2] for one in board["board"]["anyOf"][:-1]]
    kinds = {schemas[name]["properties"]["kind"]["enum"][0] for name in names}

    for artist in ARTISTS:
        table.open_game(Setup(artist.game, PLAYERS))
        state = phones.viewer().get("/api/state").get_json()
        assert state["board"]["kind"] in kinds


def test_anybody_may_read_it(app: Flask, phones: Phones):
    answer = phones.viewer().get("/api/openapi.json")

    document = answer.get_json()
    assert document["openapi"] == "3.1.0"
    # The cookies as this table names them, by the port that it is asked at.
    schemes = document["components"]["securitySchemes"]
    assert {one["name"] for one in schemes.values()} == {*COOKIES.values()}


def test_a_method_that_there_is_not_is_answered_with_those_that_there_are(
    phones: Phones,
):
    answer = phones.host().put("/api/act", json={})

    assert answer.status_code == 405
    assert answer.allow.as_set() == {"options", "post"}
