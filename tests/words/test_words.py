"""Lines become sentences in three languages."""

import pytest

from companion.table import Word
from companion.words import LANGUAGES, MissingWords, Words, catalogue


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


def test_an_unknown_language_is_named():
    with pytest.raises(KeyError, match="no language 'xx'"):
        catalogue("xx")


def test_no_french_line_begins_with_a_sign_that_belongs_to_the_line_before():
    for message in catalogue("fr"):
        texts = [message.string] if isinstance(message.string, str) else message.string
        for text in texts:
            assert not any(f" {sign}" in text for sign in "!?:;"), text


@pytest.mark.parametrize(
    "line", ["core.bad_log", "core.not_deleted", "core.not_forgotten"]
)
def test_why_a_disk_refuses_follows_as_a_sentence_of_its_own(line):
    why = {"why": Word("core.disk.full")}
    for language in LANGUAGES:
        words = Words(language, strict=True)
        assert words.say(line, why).endswith(f". {words.say('core.disk.full')}")
