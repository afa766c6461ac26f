"""Every route of the page, by every method, for everybody: only what is listed is done.

Routes and methods are read from the application, so that a new one without a line in
`tests.dashboard.test_access` fails here.
"""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.dashboard.door import access
from companion.dashboard.door.auth import host_code
from companion.running.snapshot import Setup
from companion.running.wifi import WifiFiles
from companion.teaching.teacher import KitTeacher
from tests.dashboard.browsing import make_app
from tests.dashboard.conftest import Phones
from tests.dashboard.fakes import FakeTable
from tests.dashboard.setting import PLAYERS, SECRET
from tests.dashboard.test_access import BODIES, EXPECTED

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "FOO")

FOR_WHAT_IT_SAYS = ("/host", "/api/amend")
"""Refused to some for what they say and not for who they are: a wrong PIN, and a move
that is not the last."""

VALUES = {"code": "x", "game_id": "game-1", "form": "game.json", "name": "throw-1",
          "filename": "icon.svg", "step": "1", "seat": "1",
          "game": "drachenhort"}  # fmt: skip


class Place:
    """A table with a game, an older one, and the phones of all who may come by."""

    def __init__(self, folder: Path, *more_routes: str) -> None:
        self.table = FakeTable()
        self.app = make_app(
            self.table,
            WifiFiles(folder / "wifi.json", folder / "hotspot.json"),
            KitTeacher(folder / "kits", lambda *_: None),
        )
        for rule in more_routes:
            self.app.add_url_rule(rule, rule, lambda: "", methods=["POST"])
        self._phones = Phones(self.app, self.table)
        # Phones of the same names would keep their seats.
        strangers = tuple(f"{name}, elsewhere" for name in PLAYERS)
        self.table.open_game(Setup("drachenhort", strangers))
        self.before = self._phones.seat(1)
        self.table.open_game(Setup("drachenhort", PLAYERS))

    def phone(self, who: str) -> FlaskClient:
        match who:
            case "viewer":
                return self._phones.viewer()
            case "forged":
                return self._forged()
            case "seat":
                return self._phones.seat(0)
            case "seat of another game":
                return self.before
            case "freed seat":
                return self._freed()
            case "host":
                return self._phones.host()
            case "host that stepped down":
                return self._stepped_down()
        raise AssertionError(who)

    def _forged(self) -> FlaskClient:
        """Return a phone whose cookies carry what might be mistaken for a token."""
        phone = self._phones.viewer()
        phone.set_cookie("dragon_host_80", host_code(SECRET))
        phone.set_cookie("dragon_seat_80", "0")
        return phone

    def _freed(self) -> FlaskClient:
        phone = self._phones.seat(1)
        body = {"seat": 1, "game_id": self.table.snapshot.game_id}
        assert self._phones.host().post("/api/free", json=body).status_code == 200
        return phone

    def _stepped_down(self) -> FlaskClient:
        phone = self._phones.host()
        assert phone.post("/api/step_down", json={}).status_code == 200
        return phone

    def changed(self) -> tuple[Any, ...]:
        """Return all that a request could change."""
        shown = self.table.snapshot
        story = shown.story
        return (
            shown.game_id, story.seq if story else -1, len(self.table.games()),
            self.table.tokens(), tuple(self.table.pressed),
        )  # fmt: skip


ROLES = {
    "viewer": "viewer", "forged": "viewer", "seat": "seat", "freed seat": "viewer",
    "seat of another game": "viewer", "host": "host",
    "host that stepped down": "viewer",
}  # fmt: skip
"""Who comes by, and as what the table knows them."""


def routes_of(app: Flask) -> dict[str, set[str]]:
    """Return each address of the application with the methods that it has."""
    found: dict[str, set[str]] = {}
    for rule in app.url_map.iter_rules():
        found.setdefault(rule.rule, set()).update(rule.methods or ())
    return found


def path_of(rule: str) -> str:
    return re.sub(r"<(?:\w+:)?(\w+)>", lambda part: VALUES[part[1]], rule)


def tried(place: Place, who: str) -> Counter[str]:
    """Ask every address by every method; return how often it was let in or not."""
    phone, count = place.phone(who), Counter[str]()
    for rule, methods in sorted(routes_of(place.app).items()):
        for method in METHODS:
            if (method, rule) == ("POST", "/api/step_down"):
                continue  # whoever may do it is somebody else from then on
            before = place.changed()
            answer = phone.open(path_of(rule), method=method, json=BODIES.get(rule))
            answer.close()
            asked = "GET" if method == "HEAD" else method
            if asked not in methods:
                assert answer.status_code == 405, (who, method, rule)
                assert place.changed() == before, (who, method, rule)
                count["no such method"] += 1
            elif asked == "OPTIONS":
                assert place.changed() == before, (who, method, rule)
                count["asked what there is"] += 1
            elif ROLES[who] in EXPECTED[f"{asked} {rule}"]:
                refused = answer.status_code == 403
                assert not refused or rule in FOR_WHAT_IT_SAYS, (who, method, rule)
                assert method == "POST" or place.changed() == before, (who, rule)
                count["let in"] += 1
            else:
                assert answer.status_code == 403, (who, method, rule)
                assert place.changed() == before, (who, method, rule)
                count["refused"] += 1
    return count


@pytest.mark.slow
def test_nobody_gets_further_than_the_table_says(tmp_path: Path, record_property):
    total = Counter[str]()
    for number, who in enumerate(ROLES):
        total += tried(Place(tmp_path / str(number)), who)

    record_property("figures", ", ".join(f"{n} {what}" for what, n in total.items()))
    assert total["refused"] > 100
    assert total["let in"] > 100


@pytest.mark.slow
def test_a_route_that_lets_everybody_in_is_found(tmp_path: Path, monkeypatch):
    monkeypatch.setitem(access.ACCESS, ("POST", "/api/forget"), access.ALL)

    with pytest.raises(AssertionError, match="/api/forget"):
        tried(Place(tmp_path), "viewer")


@pytest.mark.slow
def test_a_new_route_without_a_line_is_found(tmp_path: Path, monkeypatch):
    monkeypatch.setitem(access.ACCESS, ("POST", "/api/new"), access.HOSTS)

    with pytest.raises(KeyError, match="/api/new"):
        tried(Place(tmp_path, "/api/new"), "viewer")
