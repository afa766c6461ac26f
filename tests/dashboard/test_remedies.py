"""The table is right, or a house rule: two ways on from a question, told before."""

import re

import pytest

from companion.games.drachenhort import GAME
from companion.referee.changes import plain_changes
from companion.story.log import Asked
from companion.table import Claim, Glimpse, LinePart, Moved, Reading, Removed, Shown
from companion.words import LANGUAGES
from tests.dashboard.conftest import Phones
from tests.dashboard.fakes import FakeTable
from tests.dashboard.playing import note

SHOVED = Moved("green", "cell/3/dark", "cell/5/dark")
"""Nobody throws a two, so no move puts green there."""


def ask(table: FakeTable, *sights, **more) -> None:
    glimpses = tuple(Glimpse(sight, 0.99) for sight in sights)
    verdict = GAME.objection(table.snapshot.story.state, plain_changes(sights))
    why = LinePart("core.ask.table_unexpected")
    table.tell(Asked(Reading(glimpses, whole=True, **more), why, (), verdict))


@pytest.fixture
def asked(game: FakeTable) -> FakeTable:
    """Return a table where Ana has moved green to 3, and Bo then shoved it to 5."""
    for text in ("throw 3", "advance green", "throw 1"):
        seq = game.snapshot.story.seq
        game.act(Claim(text, None, seq, f"made {seq}"))
    ask(game, SHOVED)
    return game


def wish(table: FakeTable, **more):
    return {"seq": table.snapshot.story.seq, "key": "a1", **more}


def test_the_question_shows_what_would_change_and_both_ways(asked, phones: Phones):
    text = phones.seat(1).get("/?lang=en").text

    assert "<li><del>Green: space 3, in the shadow" in text
    assert "<li>Green: space 5, in the shadow" in text
    assert text.count("/api/adopt") == 2
    assert "The record was wrong" in text
    assert "other than the rulebook" in text


def test_who_is_not_in_turn_and_who_only_watches_is_not_offered_it(
    asked, phones: Phones
):
    assert "/api/adopt" not in phones.seat(0).get("/").text
    assert "/api/adopt" not in phones.viewer().get("/").text
    assert "/api/adopt" in phones.host().get("/").text


def test_one_tap_sets_the_record_and_the_history_says_so(asked, phones: Phones):
    phone = phones.seat(1)

    answer = phone.post("/api/adopt", data=wish(asked, note="table"))

    assert answer.status_code == 303
    assert asked.snapshot.story.state.cells[0] == 5
    line = phone.get("/api/state?lang=en").json["history"][0]
    assert line["texts"][0].startswith("What is on the table stays")
    assert (line["source"], line["by"], line["rulings"]) == ("edit", "Bo", [])


def test_a_house_rule_is_told_with_the_ruling_that_was_broken(asked, phones: Phones):
    broken = asked.snapshot.story.asked.verdict.ruling

    phones.host().post("/api/adopt", json=wish(asked, note="house"))

    line = phones.host().get("/api/state?lang=en").json["history"][0]
    assert asked.snapshot.story.entries[-1].body.note == f"house:{broken}"
    assert line["texts"][0].startswith("House rule")
    known = {ruling.id for ruling in GAME.rulings}
    assert line["rulings"] == [rule for rule in [broken] if rule in known]


def test_another_seat_is_refused_with_who_may(asked, phones: Phones):
    answer = phones.seat(0).post("/api/adopt?lang=en", json=wish(asked))

    assert answer.status_code == 422
    assert answer.json["text"] == "Only Bo or the host can say so."


def test_an_older_page_is_told_so(asked, phones: Phones):
    stale = {"seq": asked.snapshot.story.seq - 1, "key": "k"}

    assert phones.host().post("/api/adopt", json=stale).status_code == 409


def test_what_came_from_nowhere_is_said_with_what_to_do(game, phones: Phones):
    ask(game, Removed("green", "start"))

    text = phones.host().get("/?lang=en").text

    assert "I cannot accept what is on the table" in text
    assert "/api/adopt" not in text


def test_a_jewel_that_is_gone_is_shown_with_whose_points_it_becomes(
    game, phones: Phones
):
    for text in ("throw 3", "advance green"):
        seq = game.snapshot.story.seq
        game.act(Claim(text, None, seq, f"made {seq}"))
    jewel = min(game.snapshot.story.state.jewels)
    ask(game, Removed("jewel", f"cell/{jewel}"))

    found = points(phones.host().get("/").text)

    # Bo is in turn: a jewel is worth one point, the others keep what they have.
    before, after = found[::2], found[1::2]
    assert [a == b for a, b in zip(before, after, strict=True)] == [True, False, True]


def test_of_a_throw_or_a_dark_table_nothing_is_said(game, phones: Phones):
    for sights, more in (
        ((Shown("die", "3", "tray"),), {}),
        ((), {"trouble": "core.ask.dark"}),
    ):
        ask(game, *sights, **more)

        text = phones.host().get("/?lang=en").text

        assert "I cannot accept" not in text
        assert "/api/adopt" not in text


def test_no_secret_group_is_counted_in_the_preview(asked, phones: Phones):
    host = phones.host()
    asked_again = asked.snapshot.story.asked
    before = points(host.get("/").text)
    note(asked, 1, 4)
    asked.tell(asked_again)

    assert points(host.get("/").text) == before != []


def points(page: str) -> list[str]:
    _, _, below = page.partition('<details class="card remedy"')
    remedy, _, _ = below.partition("</details>")
    return re.findall(r"<td>(.*?)</td>", remedy)


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_speaks_every_language(asked, phones: Phones, language):
    assert phones.host().get(f"/?lang={language}").status_code == 200
