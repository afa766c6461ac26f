"""The result of a game as a picture to share."""

from xml.etree import ElementTree as ET

import pytest

from companion.dashboard.pages.result_picture import fit
from companion.running.snapshot import Setup
from companion.words import LANGUAGES, Words
from tests.dashboard.conftest import Phones
from tests.dashboard.fakes import FakeTable

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    # Our own picture, and nothing that anybody else could have written.
    return [node.text or "" for node in ET.fromstring(svg).iter(f"{SVG}text")]


def test_winner_scores_day_and_game_stand_in_it(game: FakeTable, phones: Phones, play):
    play()
    story = game.snapshot.story
    assert story is not None
    outcome = story.game.outcome(story.state)

    answer = phones.viewer().get("/past/game-1/result.svg")

    assert answer.mimetype == "image/svg+xml"
    said = texts(answer.text)
    best = story.header.players[outcome.winners[0]]
    assert said[0] == "Drachenhort"
    assert said[1].replace("\u202f", " ") == f"{best} gagne !"
    for score in story.game.scores(story.state):
        assert story.header.players[score.seat] in said
        assert str(score.low) in said
    # The fake table's clock stands on that day (tests/dashboard/fakes.py).
    assert said[-1].startswith("15 janv. 2027 ")
    # The winner's row comes first.
    assert said.index(best) == 2


def test_a_race_has_no_points(table: FakeTable, phones: Phones, play):
    table.open_game(Setup("dragorun", ("Ana", "Bo")))
    play()

    said = texts(phones.viewer().get("/past/game-1/result.svg").text)

    # Game, winner, two names, and the day.
    assert len(said) == 5


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_speaks_the_language_of_the_phone(
    language: str, game: FakeTable, phones: Phones, play
):
    play()
    phone = phones.viewer()

    said = texts(phone.get(f"/past/game-1/result.svg?lang={language}").text)

    names = {"name": said[2]}
    assert said[1] == Words(language).say("dashboard.ending.winner", names)


def test_a_game_that_is_not_over_has_none(game: FakeTable, phones: Phones):
    phone = phones.viewer()

    assert phone.get("/past/game-1/result.svg").status_code == 404
    assert "result.svg" not in phone.get("/past/game-1").text


def test_a_name_cannot_be_more_than_a_text(table: FakeTable, phones: Phones, play):
    table.open_game(Setup("drachenhort", ("<script>x</script>", 'B"o&')))
    play()

    answer = phones.viewer().get("/past/game-1/result.svg").text

    assert "<script" not in answer
    assert {"<script>x</script>", 'B"o&'} <= {*texts(answer)}


def test_the_page_of_the_end_leads_to_it(game: FakeTable, phones: Phones, play):
    play()

    assert 'href="/past/game-1"' in phones.seat(0).get("/").text
    past = phones.viewer().get("/past/game-1").text
    assert '<img src="/past/game-1/result.svg"' in past
    assert 'download="game-1-result.svg"' in past


@pytest.mark.browser
@pytest.mark.slow
def test_a_phone_keeps_it_as_a_png(phone, play):
    """Over plain HTTP no browser shares files."""
    play()
    page = phone().open("/past/game-1")

    with page.expect_download() as kept:
        page.locator("a.share").click()

    assert kept.value.suggested_filename == "game-1-result.png"
    head = kept.value.path().read_bytes()[:24]
    # The PNG's own head: 1080 x 1080.
    assert head[:4] == b"\x89PNG"
    assert int.from_bytes(head[16:20]) == int.from_bytes(head[20:24]) == 1080


class TestFitting:
    def test_a_short_name_has_the_size_that_was_asked_for(self):
        # 3 letters of 0.6 em at 46: 83 of 600.
        assert (fit("Ana", 46, 600).size, fit("Ana", 46, 600).squeeze) == (46, None)

    def test_a_longer_one_is_smaller(self):
        # 30 letters of 0.6 em are 18 em: 600 / 18 = 33.
        assert fit("a" * 30, 46, 600).size == 33

    def test_one_that_would_be_too_small_is_squeezed(self):
        # 40 letters as wide as high: 15 is less than half of 46.
        found = fit("漢" * 40, 46, 600)
        assert (found.size, found.squeeze) == (23, 600)
