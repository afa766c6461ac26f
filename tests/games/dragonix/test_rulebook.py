"""RULES.md: its table is that of the code, and every ruling is explained in it."""

import re
from pathlib import Path

from companion.games.dragonix import GAME
from companion.games.dragonix.options import RULINGS
from tests.games.dragonix import test_rulings_1_to_18, test_rulings_19_to_45
from tests.games.rulings import rulings_table

RULES = Path(GAME.setup.__code__.co_filename).with_name("RULES.md")
LAST_LINE = 220
"""How long the rulebook's text is."""


def test_the_table_of_rulings_is_up_to_date():
    _, _, rest = RULES.read_text(encoding="utf-8").partition("rulings_table -->\n\n")
    table, _, _ = rest.partition("\n\n<!-- end of rulings -->")

    assert table == rulings_table(RULINGS)


def test_every_ruling_is_explained_in_the_summary():
    summary, _, _ = RULES.read_text(encoding="utf-8").partition("## 9. Rulings")

    explained = set(re.findall(r"\bDX\d+\b|\bSOLO\b", summary))

    assert explained == {ruling.id for ruling in RULINGS}


def test_every_cited_line_is_in_the_rulebook():
    for ruling in RULINGS:
        assert 1 <= ruling.cite.first <= ruling.cite.last <= LAST_LINE


def test_the_rulings_are_dx1_to_dx45_and_the_solo_variant():
    ids = [ruling.id for ruling in RULINGS]

    assert ids == [*(f"DX{number}" for number in range(1, 46)), "SOLO"]


def test_every_ruling_has_a_class_of_tests_and_every_choice_a_test():
    classes = {**vars(test_rulings_1_to_18), **vars(test_rulings_19_to_45)}

    for ruling in RULINGS:
        names = vars(classes[f"Test{ruling.id}"])
        tests = [name for name in names if name.startswith("test_")]
        assert tests, ruling.id
        if ruling.choices:
            told = Path(classes["scene"].__code__.co_filename).parent
            source = "".join(path.read_text() for path in told.glob("test_rulings*"))
            assert f'"{ruling.id}": ' in source
