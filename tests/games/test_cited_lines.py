"""Whatever the rules cite can be read there: no citation points at a blank line."""

import pytest

from companion.games import GAMES
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
