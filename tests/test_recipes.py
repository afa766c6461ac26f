"""Every file and name that CONTRIBUTING.md sends somebody to is there."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_every_file_of_the_recipes_is_there():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = set(
        re.findall(r"(?:companion|vision|firmware|hardware|tests)/[\w/*.<>-]*", text)
    )
    # A pattern stands for the files that every game, camera and language has.
    patterns = {re.sub(r"<\w+>", "*", name).rstrip(".") for name in named}

    lacking = {one for one in patterns if not any(ROOT.glob(one))}

    assert len(patterns) > 30
    assert lacking == set()


def test_every_name_that_a_recipe_has_in_a_file_is_in_it():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    # "`DRAWN_GAMES` in `companion/demo/tables/__init__.py`", a star behind either.
    named = re.findall(
        r"`(\w+)`★?(?:, `\w+`★?)*\s+(?:in|of)\s+`(\w+/[\w/]+\.(?:py|html|toml))`", text
    )

    lacking = {
        f"{name} in {path}"
        for name, path in named
        if not re.search(rf"\b{name}\b", (ROOT / path).read_text(encoding="utf-8"))
    }

    assert len(named) > 15
    assert lacking == set()
