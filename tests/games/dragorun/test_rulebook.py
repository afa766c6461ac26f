"""RULES.md: its table is that of the code, and every ruling is explained in it."""

import re
from pathlib import Path

from companion.games.dragorun import GAME
from companion.games.dragorun.options import RULINGS
from tests.games.rulings import rulings_table

RULES = Path(GAME.setup.__code__.co_filename).with_name("RULES.md")
LAST_LINE = 186
"""How long the rulebook's text is."""


def test_the_table_of_rulings_is_up_to_date():
    _, _, rest = RULES.read_text(encoding="utf-8").partition("rulings_table -->\n\n")
    table, _, _ = rest.partition("\n\n<!-- end of rulings -->")

    assert table == rulings_table(RULINGS)


def test_every_ruling_is_explained_in_the_summary():
    summary, _, _ = RULES.read_text(encoding="utf-8").partition("## 7. Rulings")

    assert set(re.findall(r"DG\d+", summary)) == {ruling.id for ruling in RULINGS}


def test_every_cited_line_is_in_the_rulebook():
    cited = [ruling.cite for ruling in RULINGS]

    assert all(1 <= cite.first <= cite.last <= LAST_LINE for cite in cited)
    assert {cite.rulebook for cite in cited} == {"dragorun"}
