"""Lines that look dangerous are known one by one: ruff's list, which is bandit's.

Whoever writes another one looks at it, and says here why it may stand.
"""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

from tests.evening.real_process import ROOT

LEFT_OUT = (
    "S101",  # asserts are for our own mistakes, and no input of others meets one
    "S105",  # "TOKEN" and "SECRET" are words of the games
    "S311",  # simulated players and drawn dice; secrets come from `secrets`
)

KNOWN = {
    # The page is for phones, so it listens in the network; a second start tries that.
    ("S104", "companion/cli/alone.py"): 1,
    ("S104", "companion/cli/club.py"): 1,
    ("S104", "companion/cli/pages.py"): 1,
    ("S104", "companion/dashboard/serve.py"): 1,
    # Memory as a file system; what is made in it has a name that nobody can guess.
    ("S108", "companion/running/storage/salvage.py"): 1,
    # `doctor` asks the table of its own computer.
    ("S310", "companion/doctor/running_table.py"): 1,
    # Lists of words, no shell, none of them from anybody else.
    ("S603", "companion/cli/club_demo.py"): 1,
    ("S603", "firmware/sound.py"): 1,
    # Names of tables and columns are our own; values go in as values.
    ("S608", "companion/running/storage/rows.py"): 3,
    ("S608", "companion/running/storage/salvage.py"): 3,
    # A code drawn by segno, and what templates made, which escape.
    ("S704", "companion/dashboard/door/invites.py"): 1,
    ("S704", "companion/dashboard/pages/main.py"): 1,
    ("S704", "companion/dashboard/pages/stored_games.py"): 1,
}


def suspects(*paths: Path) -> Counter[tuple[str, str]]:
    """Return how often each rule finds something in each file."""
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--no-cache", "--select", "S",
         "--ignore", ",".join(LEFT_OUT), "--output-format", "json", *map(str, paths)],
        cwd=ROOT, check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert done.stdout, done.stderr
    found = json.loads(done.stdout)
    return Counter(
        (one["code"], Path(one["filename"]).relative_to(paths[0].parent).as_posix())
        for one in found
    )


def test_each_line_that_looks_dangerous_is_known():
    parts = (ROOT / name for name in ("companion", "vision", "firmware"))

    assert suspects(*parts) == KNOWN


def test_a_new_one_is_found(tmp_path: Path):
    (tmp_path / "ours").mkdir()
    text = (
        'import os\n\n\ndef ring(name: str) -> None:\n    os.system("ring " + name)\n'
    )
    (tmp_path / "ours" / "bell.py").write_text(text)

    assert suspects(tmp_path / "ours") == {("S605", "ours/bell.py"): 1}
