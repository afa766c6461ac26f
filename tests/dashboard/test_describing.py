"""A family describes its own box once, by taps on a drawn board, and plays on it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from companion.dashboard import Server, start
from companion.games import GAMES, find
from companion.kits.box_form import fields
from companion.kits.kit import load
from companion.running.service import Table
from companion.running.snapshot import Done
from companion.table import Claim
from companion.teaching.teacher import KitTeacher
from tests.dashboard.browsing import make_app
from tests.dashboard.conftest import Phones
from tests.dashboard.test_everyone import faults
from tests.running.table_setup import running

NARROW = "\u202f"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with running(tmp_path) as table:
        yield table


@pytest.fixture
def app(tmp_path: Path, table: Table) -> Flask:
    return make_app(table, teacher=KitTeacher(tmp_path / "kits", table.take_kit))


@pytest.fixture
def server(app: Flask) -> Iterator[Server]:
    server = start(app, "127.0.0.1", 0)
    yield server
    server.close()


def lines(game: str) -> dict[str, str]:
    """Return what is to be told of a box; here our own serves as somebody's."""
    return {one.name: one.value for one in fields(game, find(game).stand_in)}


def by_taps(game: str) -> list[tuple[str, str, int]]:
    """Return side, tool and cell of each tap that tells the board of a box."""
    told = lines(game)
    if game == "dragorun":
        taps = [("track", "start", int(cell)) for cell in told["starts"].split()]
        return [*taps, ("track", "finish", int(told["finish"]))]
    tools = {"j": ["jewel"], "t": ["trap"], "d": ["dark"], "l": ["lit"]}
    tools |= {"D": ["dark", "jewel"], "L": ["lit", "jewel"], ".": []}
    return [
        (side, tool, number)
        for side in ("front", "back")
        for number, sign in enumerate(
            "".join(told[f"{side}-{first}"] for first in (0, 10, 20)), start=1
        )
        for tool in tools[sign]
    ]


class TestTheLobby:
    def test_says_that_the_box_is_not_described_and_begins_no_board_in_silence(
        self, phones: Phones
    ):
        host = phones.host()

        for game in GAMES:
            html = host.get(f"/?game={game.id}").text
            has_none = game.id == "eight_dragons"  # its cards are all in the rulebook
            assert ("Votre boîte n’est pas encore décrite." in html) is not has_none
            assert (f'href="/box/{game.id}"' in html) is not has_none
            on_demo = f"Jouer à {game.title} sur le plateau de démonstration</button>"
            assert (on_demo in html) is not has_none

    def test_a_game_on_the_demo_board_is_called_that(
        self, phones: Phones, table: Table
    ):
        host = phones.host()
        form = {"game": "drachenhort", "name": ["Ana", "Bo"], "first": "0"}
        host.post("/api/game", data=form)

        assert "Plateau de démonstration</span>" in host.get("/").text


class TestDescribing:
    def test_begins_empty_and_the_sums_grow(self, phones: Phones):
        host = phones.host()
        page = host.get("/box/drachenhort").text
        assert f"Recto, joyaux{NARROW}: 0 sur 12" in page
        assert f"Cartes avec{NARROW}: Vert{NARROW}: 0 sur 3" in page
        assert "selected" not in page.replace('value="" selected', "")

        tap = {"tap": "front/2", "tool-front": "jewel"}
        answer = host.post("/box/drachenhort", data=tap)

        assert answer.location == "/box/drachenhort?tool-front=jewel#front"
        assert f"Recto, joyaux{NARROW}: 1 sur 12" in host.get("/box/drachenhort").text

    def test_another_tap_takes_back_and_what_cannot_be_changes_nothing(
        self, phones: Phones
    ):
        host = phones.host()

        def told(*taps: tuple[str, str]) -> str:
            for cell, tool in taps:
                data = {"tap": f"front/{cell}", "tool-front": tool}
                assert host.post("/box/drachenhort", data=data).status_code == 303
            cells = host.get("/box/drachenhort").text.split('value="front/1"')[1]
            return cells.split('aria-label="')[1].split('"')[0]

        assert told(("1", "jewel"), ("1", "dark")) == "Case 1 : toute sombre, joyau"
        assert told(("1", "lit")) == "Case 1 : toute claire, joyau"
        assert told(("1", "lit"), ("1", "jewel")) == "Case 1"
        assert told(("1", "trap")) == "Case 1 : piège"
        assert told(("31", "trap"), ("0", "trap"), ("x", "trap"), ("2", "?")) == (
            "Case 1 : piège"
        )
        assert told(("1", "trap")) == "Case 1"

    def test_what_is_missing_is_told_and_kept(self, phones: Phones):
        host = phones.host()
        some = {"hero-1": "yellow", "card-1-1": "green", "done": "yes"}

        answer = host.post("/box/drachenhort", data=some)

        assert answer.status_code == 422
        assert "Il manque encore quelque chose." in answer.text
        again = host.get("/box/drachenhort").text
        assert '<option value="yellow" selected>' in again
        assert "Continuer à décrire ma boîte" in host.get("/?game=drachenhort").text

    @pytest.mark.parametrize("game", ["eight_dragons", "chess"])
    def test_a_game_without_facts_has_no_such_page(self, game: str, phones: Phones):
        assert phones.host().get(f"/box/{game}").status_code == 404

    @pytest.mark.parametrize("game", ["drachenhort", "dragorun", "dragonix"])
    def test_a_box_that_is_told_whole_is_the_one_that_is_played(
        self, game: str, phones: Phones, table: Table, tmp_path: Path
    ):
        """Without scripts: each tap and the whole form are answered by a page."""
        host, told = phones.host(), lines(game)
        if game != "dragonix":
            for side, tool, number in by_taps(game):
                data = {"tap": f"{side}/{number}", f"tool-{side}": tool}
                assert host.post(f"/box/{game}", data=data).status_code == 303

        answer = host.post(f"/box/{game}", data={**told, "done": "yes"})

        assert answer.location == f"/?game={game}"
        (name,) = table.kits(game)
        assert load(tmp_path / "kits" / name).box == find(game).stand_in
        page = host.get(f"/?game={game}").text
        assert f"<option selected>{name}</option>" in page
        assert "pas encore décrite" not in page
        # Nothing is left of it: another box of the same game begins empty.
        again = host.get(f"/box/{game}").text
        assert "selected" not in again.replace('value="" selected', "")

    def test_a_box_that_was_only_shown_to_the_camera_is_still_to_be_described(
        self, phones: Phones, table: Table, tmp_path: Path
    ):
        host = phones.host()
        host.post("/api/teach", json={"do": "begin", "game": "dragonix", "name": "Us"})
        page = host.get("/?game=dragonix").text
        assert "<option selected>Us</option>" in page
        assert "Votre boîte n’est pas encore décrite." in page

        host.post("/box/dragonix", data={**lines("dragonix"), "done": "yes"})

        assert table.kits("dragonix") == ("Us",)
        page = host.get("/?game=dragonix").text
        assert "pas encore décrite" not in page

    def begin(self, phones: Phones, table: Table, *moves: str) -> None:
        form = {"game": "drachenhort", "name": ["Ana", "Bo"], "first": "0"}
        phones.host().post("/api/game", data=form)
        self.play(table, *moves)

    def play(self, table: Table, *moves: str) -> None:
        for move in moves:
            seq = table.snapshot.story.seq
            assert isinstance(table.act(Claim(move, None, seq, f"{seq}")), Done)

    def correct(self, phones: Phones, *taps: tuple[str, str]) -> Any:
        """Tap what is otherwise on the front of the board; return the answer."""
        host = phones.host()
        answer = host.post("/box/drachenhort", data={"of": "game"})
        assert answer.location == "/box/drachenhort?here=yes"
        page = host.get(answer.location).text
        assert "Continuer la partie avec cette boîte" in page
        for cell, tool in taps:
            tap = {"here": "yes", "tap": f"front/{cell}", "tool-front": tool}
            assert "here=yes" in host.post("/box/drachenhort", data=tap).location
        return host.post("/box/drachenhort", data={"here": "yes", "done": "yes"})

    def test_a_jewel_that_lies_elsewhere_is_told_in_the_middle_of_a_game(
        self, phones: Phones, table: Table
    ):
        self.begin(phones, table, "throw 3", "advance green")
        assert "Corriger la boîte de cette partie" in phones.host().get("/host").text
        before = table.snapshot
        assert before.story.state.won == (0, 0)

        # Our board has a jewel on space 2 and none on 3, where green stands.
        answer = self.correct(phones, ("2", "jewel"), ("3", "jewel"))

        assert answer.location == "/"
        story = table.snapshot.story
        assert story.state.won == (1, 0)
        assert (story.seq, story.state.cells[0]) == (before.story.seq, 3)
        assert table.kits("drachenhort") == (story.header.kit,)
        # The game as it was is put away, and both players sit where they sat.
        kept = {game.id: game.closed for game in table.games()}
        assert kept == {before.game_id: True, table.snapshot.game_id: False}
        assert table.story(before.game_id).state.won == (0, 0)

    def test_a_second_correction_changes_the_same_box(
        self, phones: Phones, table: Table
    ):
        self.begin(phones, table, "throw 3", "advance green")
        self.correct(phones, ("2", "jewel"), ("3", "jewel"))
        names = table.kits("drachenhort")

        self.correct(phones, ("2", "jewel"), ("3", "jewel"))

        assert table.snapshot.story.state.won == (0, 0)
        assert table.kits("drachenhort") == names

    def test_a_board_on_which_a_move_could_not_have_been_made_changes_nothing(
        self, phones: Phones, table: Table
    ):
        # Space 3 is lit all over: green goes on from it, and would else have to wait.
        self.begin(phones, table)
        assert self.correct(phones, ("3", "lit")).location == "/"
        self.play(table, "throw 3", "advance green", "throw 1", "advance green")
        before = table.snapshot

        answer = self.correct(phones, ("3", "lit"))

        assert answer.status_code == 422
        assert "avec cette boîte, le coup 4 ne serait pas permis" in answer.text
        assert table.snapshot.story is before.story

    def test_without_a_game_there_is_none_to_correct(self, phones: Phones):
        host = phones.host()

        assert host.post("/box/drachenhort", data={"of": "game"}).status_code == 404
        assert "Corriger la boîte" not in host.get("/host").text

    def test_only_the_host_may(self, phones: Phones):
        assert phones.viewer().get("/box/drachenhort").status_code == 403


@pytest.mark.browser
@pytest.mark.slow
class TestInABrowser:
    def tap_all(self, page: Page, taps: list[tuple[str, str, int]]) -> None:
        held = ""
        for side, tool, number in sorted(taps):
            if held != side + tool:
                page.locator(
                    f"#{side} .pen", has=page.locator(f'[value="{tool}"]')
                ).click()
                held = side + tool
            page.locator(f'button[value="{side}/{number}"]').click()

    def test_from_the_lobby_to_the_first_throw_on_ones_own_box(
        self, phone, table: Table
    ):
        one = phone()
        page = one.host()
        page.get_by_role("button", name="Drachenhort", exact=True).click()
        page.get_by_text("Décrire ma boîte").click()
        page.evaluate("window.mark = 1")
        taps = by_taps("drachenhort")
        # 24 jewels, 3 and 5 traps, 3 and 3 dark cells, 2 lit ones: two taps where both.
        assert len(taps) == 24 + 8 + 6 + 2

        self.tap_all(page, taps[:20])
        expect(page.locator("#front .sums")).to_contain_text("pièges : 3 sur 3")
        page.get_by_role("button", name="Enregistrer pour plus tard").click()
        page.get_by_text("Continuer à décrire ma boîte").click()
        self.tap_all(page, taps[20:])
        for name, value in lines("drachenhort").items():
            if name.startswith(("hero", "card")):
                page.locator(f"#fact-{name}").select_option(value)
        expect(page.locator(".sums .open")).to_have_count(0)
        assert faults(page) == []
        page.locator("button.start").click()

        for number, name in enumerate(("Ana", "Bo")):
            page.locator(f"#name-{number}").fill(name)
        expect(page.locator("#kit")).to_have_value("Drachenhort")
        page.locator("button.start").click()
        expect(page.locator("h1").first).to_contain_text("Chacun prend sa place")
        story = table.snapshot.story
        assert story is not None
        assert story.header.kit == "Drachenhort"
        assert story.header.box == find("drachenhort").stand_in

    def test_a_tap_changes_its_cell_in_place(self, phone):
        one = phone(320)
        one.host()
        page = one.open("/box/dragorun")
        page.evaluate("window.mark = 1")

        self.tap_all(page, by_taps("dragorun"))

        expect(page.locator("#track .start")).to_have_count(5)
        expect(page.locator("#track .out")).to_have_count(42 - 25)
        assert page.evaluate("window.mark") == 1
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        assert faults(page) == []
