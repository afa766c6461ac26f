"""What people call themselves is a text, whatever it looks like, and can be seen."""

import json
import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.cli.errors import BadInput
from companion.cli.play import split_names
from companion.games import GAMES, find
from companion.games.core import Cite, Refused
from companion.games.dragon_run.box import STAND_IN, Box
from companion.games.player_names import (
    common_form,
    is_long,
    letters,
    tidy,
    visible_form,
)
from companion.kits.kit import stand_in_kit
from companion.kits.kit_files import plain_name
from companion.running.storage.game_file import as_json, replay
from companion.story.codec import decode, encode
from companion.story.log import (
    Asked,
    Entry,
    Header,
    begin,
    extend,
)
from companion.table import LinePart, Reading, Word
from companion.words import LANGUAGES, Words

COMPANION = Path(__file__).parents[2] / "companion"

LIKE_KEYS = (
    "@name",
    "@drachenhort.green",
    "@",
    "@@",
    "@core.no_game",
    "{name}",
    "{n!r}",
)

UNSEEN = (
    "\u200b",  # zero width space
    "\u200d\u200c",  # joiners with nothing to join
    "\u202e\u202c\u2066",  # the direction of writing
    "\u3164\u3164",  # Hangul filler
    "\u115f\u1160\uffa0",
    "\u2800",  # a Braille sign without a dot
    "\U000e0041\U000e0042",  # tags
    "\u0301\u0308",  # marks that stand on nothing
    "\u034f",
    "\ufe0f",
    "\U000e0100",
    "\u00ad\u2060\ufeff",
    "\u00a0\u3000 \t\n",
    "\ue000",  # private use
    "",
)

SEEN = (
    "Zoë",
    "Jürgen Groß",
    "龍之介",
    "علی\u200cرضا",
    "नेहा",
    "क\u094d\u200dष",
    "ไก่",
    "한글",
    "👩\u200d👧 Ana",
    "❤\ufe0f",
    "O’Neil",
    "Ng\u1ecdc",
    "7",
    "!",
)


@pytest.mark.parametrize("text", UNSEEN)
def test_where_nothing_can_be_seen_there_is_no_name(text: str):
    assert tidy(text) == ""


@pytest.mark.parametrize("name", SEEN)
def test_a_name_of_any_script_stays_as_it_was_typed(name: str):
    assert tidy(name) == name


def test_two_names_that_look_alike_are_one():
    for other in ("A\u200dna", "Ana\u200b", " Ana ", "A\u034fna", "Ana\u3164"):
        assert visible_form(other) == visible_form("Ana")


def test_marks_are_no_letters_but_do_not_pile_up_for_ever():
    assert letters("नेहा") == 2
    assert not is_long("ก\u0e48" * 40)
    assert is_long("ก\u0e48" * 41)
    assert is_long("a" + "\u0301" * 200)


@settings(max_examples=30, deadline=None)
@given(st.text(max_size=60))
def test_a_name_once_tidy_stays_so_and_holds_nothing_unseen(text: str):
    name = tidy(text)

    assert tidy(name) == name
    assert name == name.strip()
    assert "\n" not in name
    assert not set(name) & set("\u202e\u200b\u3164\x00")


class TestAtTheCommandLine:
    def test_names_are_tidied(self):
        assert split_names("@name, Zoe\u0308\u200b,  Bo ") == ("@name", "Zoë", "Bo")

    @pytest.mark.parametrize("names", ["Ana,\u3164", "Ana,A\u200dna", "Ana,\u200b"])
    def test_what_cannot_be_seen_or_told_apart_is_refused_in_one_line(self, names: str):
        with pytest.raises(BadInput) as told:
            split_names(names)

        assert "\n" not in str(told.value)

    def test_a_kit_that_nobody_could_see_has_its_games_name(self):
        assert plain_name("\u3164 @\u200b") == ""


class TestWords:
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_a_typed_text_is_never_read_as_a_line(self, language: str):
        for name in LIKE_KEYS:
            self.check(name, language)

    def check(self, name: str, language: str) -> None:
        words = Words(language, (name, "Bo"), strict=True)

        assert words.text(name) == name
        assert name in words.say("dashboard.lobby.name_twice", {"name": name})
        values = {"seat": 0, "adventurer": Word("drachenhort.green"), "cell": 4}
        told = words.say("drachenhort.event.advanced", values)
        assert name in told
        assert words.say("drachenhort.green") in told

    def test_a_name_of_before_that_nobody_can_see_is_told_by_its_seat(self):
        words = Words("fr", ("\u3164", "Bo"), strict=True)

        assert (words.name(0), words.name(1)) == ("1", "Bo")


def test_no_module_marks_a_line_within_a_text():
    """A `Word` is the one way to say that a value is a line of ours."""
    parts = "|".join(path.stem for path in (COMPANION / "words/fr").glob("*.po"))
    mark = re.compile(rf"""["']@(?:\{{|(?:{parts})\.)""")
    marked = [
        path.relative_to(COMPANION).as_posix()
        for path in sorted(COMPANION.rglob("*.py"))
        for _ in mark.findall(path.read_text(encoding="utf-8"))
    ]

    # What games and kits of before have is made a word where it is read, there alone.
    assert marked == ["games/dragon_run/box.py", "story/codec.py"]


class TestGamesOfBefore:
    """Games were stored with players of any name, and with lines behind an ``@``."""

    @pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
    def test_a_game_of_such_players_opens_as_it_was(self, game):
        names = ("@name", f"@{game.id}.green", "\u3164", "\u202eAna")
        names = names[: min(len(names), game.seats.stop - 1)]
        header = Header(game.id, names, stand_in_kit(game).box)
        story = begin(game, header, 0.0)

        again = replay(as_json("g", story).decode())

        assert again.stop is None
        assert again.story.header.players == names

    def test_a_question_says_what_it_said(self):
        game = find("drachenhort")
        header = Header(game.id, ("@drachenhort.red", "Bo"), game.stand_in)
        params = (("adventurer", "@drachenhort.green"), ("n", 3), ("cell", 8))
        cite = Cite(game.id, 1, 1)
        verdict = Refused("DH4", "drachenhort.no.somebody_in_light", cite, params)
        asked = Asked(Reading(()), LinePart("core.ask.unsure"), (), verdict)

        read = decode(game, encode(Entry(1, 0.0, asked)))

        assert isinstance(read.body, Asked)
        assert read.body.verdict.params == (
            ("adventurer", Word("drachenhort.green")),
            ("n", 3),
            ("cell", 8),
        )
        # And as it is written from now on it stays.
        assert decode(game, encode(read)) == read
        story = extend(begin(game, header, 0.0), read.body, 0.0)
        assert replay(as_json("g", story).decode()).story == story

    def test_the_cards_of_our_own_copy_have_our_words_and_an_owners_card_its_own(self):
        text = msgspec.json.encode(STAND_IN).decode()
        old = json.loads(text, object_hook=_behind_an_at)
        old["places"][0]["name"] = "@dragon_run.place.bridge"  # of the room: typed

        box = msgspec.convert(old, Box)

        assert box.places[1:] == STAND_IN.places[1:]
        assert (box.specials, box.heroes) == (STAND_IN.specials, STAND_IN.heroes)
        assert Words("fr", strict=True).text(box.places[0].name) == (
            "@dragon_run.place.bridge"
        )
        assert box.places[0] == replace(
            STAND_IN.places[0], name="@dragon_run.place.bridge"
        )


def _behind_an_at(thing: dict) -> object:
    return f"@{thing['line']}" if set(thing) == {"line"} else thing


@pytest.mark.parametrize(
    ("one", "other"), [("Ana", "ANA"), ("Émilie", "émilie"), ("Strauß", "STRAUSS")]
)
def test_names_that_differ_in_capitals_alone_are_one(one, other):
    assert common_form(one) == common_form(other)
    assert visible_form(one) != visible_form(other)  # each is shown as it is typed


def test_names_that_differ_in_an_accent_are_two():
    assert common_form("Zoe") != common_form("Zoé")
