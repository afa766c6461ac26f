"""RULES.md: its table is that of the code, and every ruling is explained in it."""

import re
from pathlib import Path

from companion.games.dragon_run import GAME
from companion.games.dragon_run.options import RULINGS
from tests.games.dragon_run import test_rulings
from tests.games.rulings import rulings_table

RULES = Path(GAME.setup.__code__.co_filename).with_name("RULES.md")
LAST_LINE = 176
"""Where the rules end in the rulebook's text."""


def test_the_table_of_rulings_is_up_to_date():
    _, _, rest = RULES.read_text(encoding="utf-8").partition("rulings_table -->\n\n")
    table, _, _ = rest.partition("\n\n<!-- end of rulings -->")

    assert table == rulings_table(RULINGS)


def test_every_ruling_is_explained_in_the_summary():
    summary, _, _ = RULES.read_text(encoding="utf-8").partition("## 8. Rulings")

    assert set(re.findall(r"RN\d+", summary)) == {ruling.id for ruling in RULINGS}


def test_every_ruling_has_its_tests():
    for ruling in RULINGS:
        tests = vars(getattr(test_rulings, f"Test{ruling.id}"))
        cases = [name for name in tests if name.startswith("test_")]
        assert len(cases) >= max(1, len(ruling.choices))


def test_there_are_34_rulings_that_cite_the_rulebook():
    assert [ruling.id for ruling in RULINGS] == [f"RN{n}" for n in range(1, 35)]
    for ruling in RULINGS:
        assert 1 <= ruling.cite.first <= ruling.cite.last <= LAST_LINE
