"""Every kind of correction is tried from a phone and by buttons alone."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PHONE = ROOT / "tests/dashboard/test_corrections_in_a_browser.py"
BUTTONS = ROOT / "tests/evening/test_corrections_by_buttons.py"

KINDS = (
    "a reading is mended",
    "a move is taken back",
    "an earlier move is amended",
    "the table is right",
    "a house rule",
    "an unsure reading is settled",
    "pieces are put back",
)


def told() -> dict[str, list[str]]:
    """Return the rows of the table in the README: a kind, and its two tests."""
    text = (ROOT / "companion/README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|`]+) \| (`test_.*) \| (`test_.*) \|$", text, re.M)
    return {kind: [test.strip("`") for test in tests] for kind, *tests in rows}


def test_the_table_in_the_readme_names_every_kind():
    assert tuple(told()) == KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_each_is_tried_both_ways(kind):
    for test, where in zip(told()[kind], (PHONE, BUTTONS), strict=True):
        assert f"\ndef {test}(" in where.read_text(encoding="utf-8"), test
