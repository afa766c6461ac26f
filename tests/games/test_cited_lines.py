"""Whatever the rules cite can be read there: no citation points at a blank line."""

import pytest

from companion.games import GAMES
from companion.games.core import Cite
from companion.words import LANGUAGES, Words
from companion.words.rulebook import named_sections
from tests.games.book_lines import cited, written


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_no_citation_begins_or_ends_at_a_blank_line(game):
    lines = written(game.id)

    found = cited(game.id)

    assert len(found) > 200
    assert [
        one
        for one in found
        if not one.first <= one.last or not {one.first, one.last} <= lines
    ] == []


def test_a_citation_is_found_in_words_tables_and_calls():
    found = [one.where.partition(":")[0] for one in cited("drachenhort")]

    # Docstrings, the list of rulings, the judge's calls and tables, the summary.
    assert {"track.py", "options.py", "refusals.py", "grounds.py", "RULES.md"} <= set(
        found
    )


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_every_citation_is_found_under_a_section_that_has_a_name(game):
    first = game.sections[0].first

    assert [one for one in cited(game.id) if one.first < first] == []
    for section in game.sections:
        assert section.first in written(game.id), section
        for language in LANGUAGES:
            assert Words(language, strict=True).say(section.line)


def test_sections_are_named_where_the_cited_lines_begin_and_end():
    words = Words("fr", strict=True)

    # Drachenhort, l. 63: how it is set up. 109 to 145: the first round, and the dragon.
    one = named_sections((Cite("drachenhort", 63, 63),), words)
    two = named_sections((Cite("drachenhort", 109, 145),), words)

    assert one == "«\u202fPréparation\u202f»"
    assert two == "«\u202fPremière manche\u202f», «\u202fLe dragon arrive\u202f!\u202f»"
