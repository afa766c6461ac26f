"""RULES.md: its table is that of the code, and every ruling is explained in it."""

import re
from pathlib import Path

from companion.games.eight_dragons import GAME
from companion.games.eight_dragons.options import RULINGS
from tests.games.eight_dragons import test_rulings_0_to_18, test_rulings_19_to_38
from tests.games.rulings import rulings_table

RULES = Path(GAME.setup.__code__.co_filename).with_name("RULES.md")
LAST_LINE = 126
"""How long the rulebook's text is."""


def test_the_table_of_rulings_is_up_to_date():
    _, _, rest = RULES.read_text(encoding="utf-8").partition("rulings_table -->\n\n")
    table, _, _ = rest.partition("\n\n<!-- end of rulings -->")

    assert table == rulings_table(RULINGS)


def test_every_ruling_is_explained_in_the_summary():
    summary, _, _ = RULES.read_text(encoding="utf-8").partition("## 8. Rulings")

    explained = set(re.findall(r"\bED\d+\b", summary))

    assert explained == {ruling.id for ruling in RULINGS}


def test_every_cited_line_is_in_the_rulebook():
    for ruling in RULINGS:
        assert 1 <= ruling.cite.first <= ruling.cite.last <= LAST_LINE


def test_the_rulings_are_ed1_to_ed38_and_the_choice_of_the_version():
    assert [ruling.id for ruling in RULINGS] == [f"ED{n}" for n in range(39)]


def test_every_ruling_has_a_class_of_tests_and_every_choice_a_test():
    classes = {**vars(test_rulings_0_to_18), **vars(test_rulings_19_to_38)}

    for ruling in RULINGS:
        names = vars(classes[f"Test{ruling.id}"])
        tests = [name for name in names if name.startswith("test_")]
        assert len(tests) >= max(1, len(ruling.choices))
        for choice in ruling.choices:
            word = choice.split("_")[0]
            assert any(f"_{word}" in name for name in tests), (ruling.id, choice)
