"""Lines become sentences in three languages."""

import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from companion.table import LinePart, Word
from companion.words import FOLDER, LANGUAGES, MissingWords, Words, catalogue
from companion.words.french import elide, typeset
from companion.words.said import in_words, say

NARROW = "\u202f"


def test_plural_forms_follow_the_language():
    def heard_of(language: str) -> list[str]:
        words = Words(language, strict=True)
        return [words.say("drachenhort.part.jewels", {"n": n}) for n in (0, 1, 2)]

    heard = {language: heard_of(language) for language in LANGUAGES}

    # French counts 0 as one, English and German count it as many.
    assert heard["fr"][0].replace("0", "1") == heard["fr"][1]
    assert heard["en"][0].replace("0", "2") == heard["en"][2]
    assert heard["de"][0].replace("0", "2") == heard["de"][2]
    for sentences in heard.values():
        assert sentences[1] != sentences[2].replace("2", "1")


def test_a_seat_becomes_the_players_name_and_a_line_its_words():
    words = Words("fr", ("Ana", "Zoé"), strict=True)

    assert words.name(1) == "Zoé"
    assert words.name(5) == "6"  # a seat without a name is told by its number
    assert words.say("drachenhort.green") in words.say(
        "drachenhort.event.advanced",
        {"seat": 1, "adventurer": Word("drachenhort.green"), "cell": 4},
    )


def test_a_line_without_words_shows_its_id_at_a_table_and_fails_in_a_test(caplog):
    assert Words("fr").say("no.such.line") == "no.such.line"
    assert "no.such.line" in caplog.text
    with pytest.raises(MissingWords):
        Words("fr", strict=True).say("no.such.line")


def test_every_language_has_the_same_lines_with_the_same_values():
    def shape(language: str) -> dict:
        return {
            message.id if isinstance(message.id, str) else message.id[0]: values(
                message
            )
            for message in catalogue(language)
            if message.id
        }

    def values(message) -> set[str]:
        texts = (
            message.string if isinstance(message.string, tuple) else (message.string,)
        )
        assert all(texts), f"{message.id} has an empty form"
        return {part.split("}")[0] for text in texts for part in text.split("{")[1:]}

    french = shape("fr")
    assert french
    for language in LANGUAGES:
        assert shape(language) == french, language


def test_each_line_stands_in_the_file_that_its_first_word_names():
    """Only that one is read when somebody asks for it."""
    for path in FOLDER.glob("*/*.po"):
        with path.open("rb") as file:
            ids = [message.id for message in read_po(file) if message.id]
        first = {(one if isinstance(one, str) else one[0]).split(".")[0] for one in ids}
        assert first == {path.stem}, path


@pytest.mark.parametrize("line", ["/etc/passwd", "../fr/core", "", ".", "core"])
def test_a_line_that_names_no_file_of_ours_has_no_words(line: str, caplog):
    assert Words("fr").say(line) == line
    assert "no fr words" in caplog.text


def test_an_unknown_language_is_named():
    with pytest.raises(KeyError, match="no language 'xx'"):
        catalogue("xx")


def sentences(language: str) -> Iterator[tuple[str, str]]:
    """Return each line's id with each of its forms, as a page gets them."""
    for message in catalogue(language):
        if message.id:
            line = message.id if isinstance(message.id, str) else message.id[0]
            forms = message.string
            for form in (forms,) if isinstance(forms, str) else forms:
                yield line, form


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_apostrophe_is_curved(language):
    straight = [line for line, text in sentences(language) if "'" in text]

    assert not straight


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*/*.po")), ids=lambda p: p.name)
def test_apostrophes_are_curved_where_they_are_written(path: Path):
    # What a translator reads in the file is what a page shows.
    with path.open("rb") as file:
        forms = [
            form
            for message in read_po(file)
            if message.id
            for form in (
                [message.string] if isinstance(message.string, str) else message.string
            )
        ]

    assert not [form for form in forms if "'" in form]


def test_french_sets_its_signs_off_by_a_space_at_which_no_line_breaks():
    for line, text in sentences("fr"):
        for found in re.finditer(r"(.)[!?:;»%]", text):
            before = found[1]
            # A sign may also follow another one, or stand in "...?" or "! page".
            assert before == NARROW or before in "!?.…", (line, text)
        assert not re.search("«(?!" + NARROW + ")", text), (line, text)


class TestElision:
    """French "de" and "que" lose their e before a vowel or a mute h."""

    @pytest.mark.parametrize(
        ("name", "wanted"),
        [
            ("Ana", "Au tour d’Ana"),
            ("Émilie", "Au tour d’Émilie"),
            ("E\u0301milie", "Au tour d’E\u0301milie"),  # its accent typed by itself
            ("œil", "Au tour d’œil"),
            ("Hélène", "Au tour d’Hélène"),
            ("Hugo", "Au tour d’Hugo"),
            ("Hans", "Au tour de Hans"),
            ("Héros", "Au tour de Héros"),
            ("Harry", "Au tour de Harry"),
            ("Yves", "Au tour d’Yves"),
            ("Yann", "Au tour de Yann"),
            ("Zoé", "Au tour de Zoé"),
            ("Y", "Au tour de Y"),
            ("8", "Au tour de 8"),
        ],
    )
    def test_a_turn_is_said_with_the_name_of_its_player(self, name, wanted):
        words = Words("fr", (name,), strict=True)

        assert words.say("dashboard.turn.of", {"name": name}) == wanted

    @pytest.mark.parametrize(
        ("sentence", "wanted"),
        [
            ("que {seat} a", "qu’Ana a"),
            ("Que {seat} a", "Qu’Ana a"),
            ("jusque {seat}", "jusqu’Ana"),
            ("le {seat}, la {seat}", "l’Ana, l’Ana"),
            ("ce que {n} de {seat}", "ce que 11 d’Ana"),
            ("à {seat}, sa {seat}", "à Ana, sa Ana"),
            ("code {seat}, vue {seat}", "code Ana, vue Ana"),
        ],
    )
    def test_only_words_that_lose_their_vowel_do(self, sentence, wanted):
        values: dict[str, str | int] = {"seat": "Ana", "n": 11}

        assert elide(sentence, values).format_map(values) == wanted

    def test_no_line_is_left_with_a_whole_word_before_a_vowel(self):
        words = Words("fr", strict=True)
        left = []
        for line, text in sentences("fr"):
            names = {name for _, name, _, _ in string.Formatter().parse(text) if name}
            # Whichever form it is, each of its names has a value.
            values = dict.fromkeys(names | {"first", "last"}, "Ana") | {"n": 2}
            said = words.say(line, values)
            if re.search(r"\b(d|qu|l|lorsqu|puisqu|jusqu)[ea] Ana", said):
                left.append(said)

        assert not left

    def test_other_languages_are_left_alone(self):
        words = Words("de", ("Ana",), strict=True)

        assert "von Ana" in words.say("table.place.camp", {"seat": 0})


def test_a_sentence_for_a_terminal_knows_its_line():
    disk = LinePart("core.disk.full")
    said = say("doctor.store.damaged_do", what=(disk, disk))
    nested = say("doctor.mat.seen", what=say("doctor.mat.tiles"), count=3)

    assert said.endswith("The memory card is full: free some space.")
    french = in_words(said, Words("fr", strict=True))
    assert french.count("La carte mémoire est pleine") == 2
    assert (
        in_words(nested, Words("de", strict=True)) == "Lose Marken: 3 Marken im Bild."
    )
    assert in_words("USB-Audio.", Words("fr")) == "USB-Audio."  # has no line


def test_typed_text_is_set_in_one_place():
    assert typeset("C'est « l'or » : 5 % !") == (
        f"C’est «{NARROW}l’or{NARROW}»{NARROW}: 5{NARROW}%{NARROW}!"
    )


@pytest.mark.parametrize(
    "line", ["core.bad_log", "core.not_deleted", "core.not_forgotten"]
)
def test_why_a_disk_refuses_follows_as_a_sentence_of_its_own(line):
    why = {"why": Word("core.disk.full")}
    for language in LANGUAGES:
        words = Words(language, strict=True)
        assert words.say(line, why).endswith(f". {words.say('core.disk.full')}")
