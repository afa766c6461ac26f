"""Three languages that say the same things, and no page that lacks a word."""

import random
import re
import string
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from companion import dashboard
from companion.dashboard.door.language import NAMES
from companion.dashboard.view.moves import AnyGame
from companion.games import GAMES
from companion.running.snapshot import Setup
from companion.words import FOLDER, LANGUAGES, Words
from tests.dashboard.conftest import Phones
from tests.dashboard.fakes import FakeTable
from tests.dashboard.playing import play_on

SOURCES = Path(dashboard.__file__).parent


@cache
def texts(language: str) -> dict[str, tuple[str, ...]]:
    with (FOLDER / language / "dashboard.po").open("rb") as file:
        return {
            str(m.id[0] if isinstance(m.id, tuple) else m.id): (
                m.string if isinstance(m.string, tuple) else (str(m.string),)
            )
            for m in read_po(file, locale=language)
            if m.id
        }


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def lines_used() -> Iterator[str]:
    for path in [*SOURCES.rglob("*.html"), *SOURCES.rglob("*.py")]:
        found = re.findall(r"""["'](dashboard\.[\w.]+\w)["']""", path.read_text())
        yield from (line for line in found if not line.endswith((".py", ".html")))


def test_all_languages_have_the_same_lines():
    for language in LANGUAGES:
        assert set(texts(language)) == set(texts("fr")), language


@pytest.mark.parametrize("language", LANGUAGES)
def test_lines_are_filled_with_the_same_values(language: str):
    french = texts("fr")
    for line, forms in texts(language).items():
        wanted = set().union(*map(places, french[line]))
        for form in forms:
            assert form.strip(), line
            assert places(form) <= wanted, line
        assert set().union(*map(places, forms)) == wanted, line


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_line_that_is_used_has_words(language: str):
    words = Words(language)

    missing = {line for line in lines_used() if not words.knows(line)}

    # What is built from parts, such as a colour's badge, is tried by the pages below.
    assert missing <= {line for line in missing if line + "." in "".join(texts("fr"))}


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_lacks_a_word_at_any_moment(
    language: str, game: FakeTable, phones: Phones, play: Callable[..., None]
):
    people = [phones.host(), phones.seat(0), phones.viewer()]
    game_id = game.snapshot.game_id
    for _ in range(40):
        for phone in people:
            answer = phone.get(f"/?lang={language}")
            assert answer.status_code == 200
            assert f'<html lang="{language}">' in answer.text
            assert not re.search(r"(dashboard|drachenhort|core)\.[a-z]", answer.text)
        play(moves=7, seed=game.snapshot.story.seq)

    assert game.snapshot.story.game.outcome(game.snapshot.story.state) is not None
    for path in ("/host", "/tally", "/table", "/nothing"):
        text = people[0].get(f"{path}?lang={language}").text
        assert not re.search(r"(dashboard|drachenhort|core)\.[a-z]", text)
    game.leave()
    assert game_id in people[0].get(f"/?lang={language}").text


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_game_can_be_looked_at(
    language: str, game: AnyGame, table: FakeTable, phones: Phones
):
    players = ("Ana", "Bo", "Cy", "Dee")[: game.seats.start]
    table.open_game(Setup(game.id, players))
    people = [phones.host(), phones.seat(0), phones.viewer()]
    for seed in range(8):
        for phone in people:
            answer = phone.get(f"/?lang={language}")
            assert answer.status_code == 200
            assert not re.search(rf"{game.id}\.[a-z]", answer.text)
        play_on(table, random.Random(seed), 9, "over")


class TestChoosing:
    def test_french_where_the_phone_speaks_none_of_ours(self, phones: Phones):
        answer = phones.viewer().get("/", headers={"Accept-Language": "ja"})

        assert '<html lang="fr">' in answer.text

    def test_what_the_phone_accepts(self, phones: Phones):
        answer = phones.viewer().get("/", headers={"Accept-Language": "de-CH,en;q=0.5"})

        assert '<html lang="de">' in answer.text

    def test_what_was_asked_for_is_kept(self, phones: Phones):
        phone = phones.viewer()

        phone.get("/?lang=en")

        assert '<html lang="en">' in phone.get("/").text

    def test_a_language_that_we_do_not_have_is_no_language(self, phones: Phones):
        answer = phones.viewer().get("/?lang=xx")

        assert '<html lang="fr">' in answer.text
        assert "Set-Cookie" not in answer.headers


def test_every_language_can_be_chosen_by_its_own_name():
    assert set(NAMES) == set(LANGUAGES)
