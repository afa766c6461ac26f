"""The help of the small display: none of it is cut off, in any language."""

import pytest

from companion.running.reducer import HELP, HELP_MORE
from companion.words import LANGUAGES, Words
from firmware.display import MOST_LINES, text_lines


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("line", [*HELP.values(), HELP_MORE], ids=lambda one: one.line)
def test_help_fills_the_display_and_no_more(language, line):
    lines = text_lines((Words(language, strict=True).part(line),))

    assert 0 < len(lines) <= MOST_LINES
