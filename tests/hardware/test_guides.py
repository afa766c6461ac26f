"""The guide says in French and German what it says in English."""

import re
from collections import Counter

import pytest

from firmware.wiring import read_wiring, wiring_path
from hardware import draw_harness
from hardware.cable_words import PHRASES, say

ENGLISH = draw_harness.GUIDES["en"].read_text("utf-8")
WIRING = read_wiring(wiring_path())
OTHERS = [language for language in draw_harness.GUIDES if language != "en"]

FENCE = re.compile(r"```\n(.*?)```", re.DOTALL)


def guide(language):
    return draw_harness.GUIDES[language].read_text("utf-8")


def sections(text):
    return re.split(r"^## ", text, flags=re.MULTILINE)


def numbers(text):
    """Return all figures; a comma between digits is what English writes as a point."""
    return Counter(
        one.replace(",", ".") for one in re.findall(r"\d+(?:[.,]\d+)?", text)
    )


def tables(text):
    """Return rows and columns of each table."""
    shapes, rows = [], []
    for line in [*text.splitlines(), ""]:
        if line.strip().startswith("|"):
            rows.append(len(line.strip().strip("|").split("|")))
        elif rows:
            shapes.append((len(rows), rows[0]))
            rows = []
    return shapes


@pytest.mark.parametrize("language", OTHERS)
class TestAnotherLanguage:
    def test_its_steps_are_the_same_in_the_same_order(self, language):
        heads = [re.match(r"(\d*)", one)[1] for one in sections(guide(language))]
        assert heads == [re.match(r"(\d*)", one)[1] for one in sections(ENGLISH)]

    def test_every_step_has_the_same_figures(self, language):
        own = sections(guide(language))
        for theirs, mine in zip(sections(ENGLISH), own, strict=True):
            assert numbers(mine) == numbers(theirs), theirs.splitlines()[0]

    def test_every_step_has_the_same_commands_and_names(self, language):
        own = sections(guide(language))
        for theirs, mine in zip(sections(ENGLISH), own, strict=True):
            assert FENCE.findall(mine) == FENCE.findall(theirs)
            spans = [
                Counter(re.findall(r"`([^`\n]+)`", FENCE.sub("", one)))
                for one in (theirs, mine)
            ]
            assert spans[0] == spans[1], theirs.splitlines()[0]

    def test_it_shows_the_same_pictures_and_tables(self, language):
        own = sections(guide(language))
        for theirs, mine in zip(sections(ENGLISH), own, strict=True):
            assert re.findall(r"\]\(([^)]+)\)", mine) == (
                re.findall(r"\]\(([^)]+)\)", theirs)
            )
            assert tables(mine) == tables(theirs), theirs.splitlines()[0]

    def test_its_cables_are_those_of_the_pins(self, language):
        text = guide(language)
        again = "run python hardware/draw_harness.py"
        assert draw_harness.with_table(text, WIRING, language) == text, again

    def test_no_word_of_the_cables_stays_english(self, language):
        table = draw_harness.table(WIRING, language)
        cells = [line.split("|")[2:] for line in table.splitlines()]
        words = set(re.findall(r"[^\W\d_]+", " ".join(map(" ".join, cells))))
        english = {word for key, _ in PHRASES[language] for word in key.split()}
        same = {"A", "V", "in", "button", "confirm", "orange", "violet", "transistor"}
        same |= {"buzzer", "long"}  # French, too
        assert not words & english - same

    def test_it_has_as_many_lines_as_a_whole_translation_has(self, language):
        # Not a sentence was forgotten: within a fifth of the English length.
        share = len(guide(language)) / len(ENGLISH)
        assert 0.95 < share < 1.25


def test_a_phrase_is_put_before_those_that_it_holds():
    for phrases in PHRASES.values():
        keys = [key for key, _ in phrases]
        for place, key in enumerate(keys):
            assert not any(key in later for later in keys[place + 1 :]), key


def test_a_language_without_a_guide_is_refused():
    with pytest.raises(KeyError):
        say("green to 29", "it")
