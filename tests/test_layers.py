"""What would break the house is noticed: probes that must fail its contracts."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

pytestmark = pytest.mark.slow


def contracts(folder: Path) -> subprocess.CompletedProcess[str]:
    """Hold a copy of the project in *folder* to its contracts."""
    lint = Path(sys.executable).with_name("lint-imports")
    return subprocess.run(
        [lint, "--no-cache"], cwd=folder, check=False, capture_output=True, text=True,
    )  # fmt: skip


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    folder = tmp_path_factory.mktemp("project")
    shutil.copy(ROOT / "pyproject.toml", folder)
    only_code = shutil.ignore_patterns("__pycache__", "static", "templates", "*.png")
    for package in ("companion", "vision", "firmware"):
        shutil.copytree(ROOT / package, folder / package, ignore=only_code)
    return folder


PROBES = {
    "a rule that looks at the clock": ("companion/games/core.py", "import time"),
    "a reducer that throws dice": ("companion/running/reducer.py", "import random"),
    "a referee that opens a page": (
        "companion/referee/referee.py", "import companion.dashboard",
    ),
    "a lesson's plan that reads files": ("companion/kits/curriculum.py", "import os"),
    "an eye that knows a game": ("vision/see.py", "import companion.games"),
    "pips that know the mat": ("vision/pips/spots.py", "import vision.mat.order"),
    "a game that knows another": (
        "companion/games/dragorun/rules.py", "import companion.games.dragonix",
    ),
    "a store that knows the pages": (
        "companion/running/storage/store.py", "import companion.dashboard.app",
    ),
    "a folder that is in no layer": ("companion/attic/__init__.py", ""),
    "a module at the root that is in no layer": ("companion/attic.py", ""),
    "a folder of the eye that is in no layer": ("vision/attic/__init__.py", ""),
}  # fmt: skip


def test_the_project_keeps_its_contracts(copy):
    kept = contracts(copy)

    assert kept.returncode == 0, kept.stdout


@pytest.mark.parametrize("probe", PROBES)
def test_a_probe_breaks_them(copy, probe):
    path, line = PROBES[probe]
    file = copy / path
    before = file.read_text(encoding="utf-8") if file.exists() else None
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"{before or ''}\n{line}\n", encoding="utf-8")

    broken = contracts(copy)

    if before is None:
        file.unlink()
        if file.name == "__init__.py":
            shutil.rmtree(file.parent)
    else:
        file.write_text(before, encoding="utf-8")
    assert broken.returncode == 1, broken.stdout
    assert "BROKEN" in broken.stdout or "not listed" in broken.stdout, broken.stdout
