"""Who watches may see who is likely to win; who plays is not told."""

from collections.abc import Callable

import pytest
from flask import Flask

from companion.dashboard import create_app
from companion.dashboard.pages.forecast import Forecaster
from companion.running.snapshot import Setup
from companion.words import LANGUAGES
from tests.dashboard.conftest import Phones
from tests.dashboard.fakes import FakeTable
from tests.dashboard.playing import note
from tests.dashboard.setting import ADDRESS, PIN, PLAYERS, SECRET


class Later:
    """Holds back the reckoning till a test lets it run."""

    def __init__(self) -> None:
        self.waiting: list[Callable[[], None]] = []

    def run(self) -> None:
        self.waiting.pop(0)()


@pytest.fixture
def later() -> Later:
    return Later()


@pytest.fixture
def app(table: FakeTable, later: Later) -> Flask:
    return create_app(
        table,
        secret=SECRET,
        pin=PIN,
        address=ADDRESS,
        forecaster=Forecaster(later.waiting.append),
        strict_words=True,
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_request_only_asks_and_the_next_one_is_told(
    language: str, game: FakeTable, phones: Phones, later: Later
):
    phone = phones.viewer()
    path = f"/odds?lang={language}"
    first = phone.get(path).text
    assert 'class="chart"' not in first

    later.run()
    text = phone.get(path).text

    assert 'class="chart"' in text
    assert text.count("%</td>") == 3
    assert "dashboard." not in first + text
    assert later.waiting == []  # nothing has changed since


def test_one_reckoning_at_a_time_and_old_figures_say_so(
    game: FakeTable, phones: Phones, later: Later, play
):
    phone = phones.viewer()
    phone.get("/odds")
    later.run()
    play(moves=2)

    text = phone.get("/odds").text
    phone.get("/odds")

    assert "2 coups plus tôt" in text
    assert len(later.waiting) == 1


def test_players_are_not_told_and_nothing_is_reckoned_for_them(
    game: FakeTable, phones: Phones, later: Later
):
    ana = phones.seat(0)

    assert "pour ceux qui regardent" in ana.get("/odds").text
    assert later.waiting == []
    assert "/odds" not in ana.get("/").text
    assert "/odds" in phones.viewer().get("/").text


def test_the_figures_betray_no_secret(table: FakeTable):
    """The same chances, whatever a seat has noted."""
    told = []
    for group in (4, 5):
        table.open_game(Setup("drachenhort", PLAYERS))
        note(table, 1, group)
        forecaster = Forecaster(lambda work: work())
        told.append(forecaster.ask("g", table.snapshot.story))

    assert told[0] == told[1]


def test_at_the_end_and_in_the_lobby_there_is_nothing_to_tell(
    game: FakeTable, phones: Phones, play
):
    phone = phones.viewer()
    play()
    assert "partie est finie" in phone.get("/odds").text

    game.leave()
    assert "pas de partie" in phone.get("/odds").text
