"""What the threat model says is tested: each test that it names is there."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
NAMED = re.compile(r"`(tests/[\w/]+\.py)((?:::\w+)*)`")
FILES = ("THREATS.md", "README.md")


def names_in(path: Path) -> set[str]:
    """Return the classes and tests of a file, those of classes as ``Class::test``."""
    found: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            inner = (one for one in node.body if isinstance(one, ast.FunctionDef))
            found |= {f"{node.name}::{one.name}" for one in inner}
    return found


def missing_in(text: str) -> list[str]:
    """Return the tests that a text names and that are not there."""
    missing = []
    for file, rest in NAMED.findall(text):
        path, name = ROOT / file, rest.removeprefix("::")
        if not path.is_file() or (name and name not in names_in(path)):
            missing.append(f"{file}{rest}")
    return missing


def test_every_test_that_is_named_is_there():
    texts = [(Path(__file__).parent / name).read_text("utf-8") for name in FILES]

    assert len(NAMED.findall(texts[0])) > 25
    assert [one for text in texts for one in missing_in(text)] == []


def test_one_that_is_not_there_would_be_noticed():
    assert missing_in("`tests/dashboard/test_auth.py::TestPin::test_none`") != []
    assert missing_in("`tests/dashboard/test_nothing.py`") != []


def test_every_threat_names_a_test():
    text = (Path(__file__).parent / "THREATS.md").read_text("utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| ")][1:]

    assert [row for row in rows if not NAMED.search(row)] == []
