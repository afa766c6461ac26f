"""The host puts an earlier move right, after seeing what it would change."""

import re

import pytest

from companion.story.log import Made
from companion.table import Claim
from companion.words import LANGUAGES
from tests.dashboard.conftest import Phones
from tests.dashboard.fakes import FakeTable
from tests.dashboard.playing import note


def make(table: FakeTable, text: str) -> None:
    seq = table.snapshot.story.seq
    table.act(Claim(text, None, seq, f"made {seq}"))


@pytest.fixture
def played(game: FakeTable) -> FakeTable:
    for text in ("throw 1", "advance green", "throw 4", "advance red"):
        make(game, text)
    return game


def wish(table: FakeTable, **more):
    return {"seq": table.snapshot.story.seq, "key": "a1", **more}


def test_every_move_that_stands_leads_there_for_the_host_alone(played, phones: Phones):
    assert "/amend/3" in phones.host().get("/").text
    assert "/amend/" not in phones.seat(0).get("/").text
    assert phones.seat(0).get("/amend/3").status_code == 403


def test_it_says_what_was_noted_and_offers_what_else_it_may_have_been(
    played, phones: Phones
):
    text = phones.host().get("/amend/3").text

    assert text.count("<option") == 4  # 1, 2, 3 and 6; the 4 is what was noted
    assert 'value="throw 3"' in text
    assert "/api/amend" not in text  # nothing is changed before one has looked


def test_the_points_are_shown_before_anything_changes(played, phones: Phones):
    host = phones.host()
    before = played.snapshot.story

    text = host.get("/amend/3?move=throw 3").text

    assert text.count('scope="row"') == 3
    assert "/api/amend" in text
    assert played.snapshot.story is before


def test_a_secret_group_is_not_counted_for_the_host(game, phones: Phones):
    host = phones.host()
    make(game, "throw 1")
    before = host.get("/amend/1?move=throw 3").text
    note(game, 1, 4)

    after = host.get("/amend/1?move=throw 3").text

    assert points(before) == points(after) != []


def points(page: str) -> list[str]:
    return re.findall(r"<td>(.*?)</td>", page)


def test_one_tap_then_changes_it(played, phones: Phones):
    data = wish(played, step=3, move="throw 3")

    answer = phones.host().post("/api/amend", data=data)

    assert answer.status_code == 303
    assert played.snapshot.story.steps[2].made.move.pips == 3


def test_a_later_move_that_would_be_refused_is_named(game, phones: Phones):
    for text in ("throw 1", "advance green", "throw 2", "advance green"):
        make(game, text)
    host = phones.host()

    assert 'role="alert"' in host.get("/amend/3?move=throw 4").text
    answer = host.post("/api/amend", json=wish(game, step=3, move="throw 4"))
    assert answer.status_code == 422


def test_secrets_unknown_entries_and_an_empty_table_have_no_such_page(
    game, phones: Phones
):
    note(game, 1, 4)
    host = phones.host()
    secret = game.snapshot.story.steps[-1].seq

    assert host.get(f"/amend/{secret}").status_code == 404
    assert host.get("/amend/99").status_code == 404
    assert f"/amend/{secret}" not in host.get("/").text
    game.leave()
    assert host.get("/amend/1").status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_speaks_every_language(played, phones: Phones, language):
    answer = phones.host().get(f"/amend/3?move=throw 3&lang={language}")

    assert answer.status_code == 200


class TestTheNewestReading:
    """What the eye misread is put right by whoever could make the move."""

    @pytest.fixture
    def read(self, played) -> FakeTable:
        story = played.snapshot.story
        played.tell(Made(story.game.parse(story.state, "throw 3"), "camera"))
        return played

    def test_who_is_in_turn_and_the_host_are_offered_the_other_faces(
        self, read, phones: Phones
    ):
        for phone in (phones.seat(2), phones.host()):
            told = phone.get("/api/state").json["misread"]
            assert (told["step"], len(told["instead"])) == (5, 4)
        for phone in (phones.seat(0), phones.viewer()):
            assert phone.get("/api/state").json["misread"] is None

    def test_one_tap_puts_it_right(self, read, phones: Phones):
        data = wish(read, step=5, move="throw 6")

        assert phones.seat(2).post("/api/amend", json=data).status_code == 200
        assert read.snapshot.story.state.pips == 6
        assert phones.seat(2).get("/api/state").json["misread"] is None

    def test_another_seat_and_an_older_move_are_refused(self, read, phones: Phones):
        newest, older = (wish(read, step=n, move="throw 6") for n in (5, 3))

        assert phones.seat(0).post("/api/amend", json=newest).status_code == 403
        assert phones.seat(2).post("/api/amend", json=older).status_code == 403
        assert read.snapshot.story.state.pips == 3
