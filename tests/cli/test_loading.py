"""A start loads what its table needs, and no more: it is to be back soon."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli import COMMANDS
from tests.evening.real_process import ROOT
from tests.ports import free_port

STARTED = """
import json, sys
from companion.cli import ending, main
ending.wait_for_end = lambda *_: print(json.dumps(sorted(sys.modules)))
main(sys.argv[1:])
"""

OF_OTHERS = (
    "companion.club", "companion.cli.bench", "companion.cli.calibrate",
    "companion.cli.demo", "companion.cli.doctor", "companion.cli.enrol",
    "companion.cli.records", "companion.cli.see", "companion.demo.tables",
    "vision.drawn", "vision.measure", "paho", "sqlalchemy",
)  # fmt: skip
"""What other commands are for."""


def loaded(*arguments: str) -> list[str]:
    """Return the modules that are loaded once a table is up, at any free port."""
    done = subprocess.run(
        [sys.executable, "-c", STARTED, *arguments, "--port", str(free_port())],
        cwd=ROOT, check=True, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    last = done.stdout.splitlines()[-1]
    found: list[str] = json.loads(last)
    return found


def of(modules: list[str], packages: tuple[str, ...]) -> list[str]:
    """Return those of some modules that belong to *packages*."""
    return [
        name
        for name in modules
        if any(name == one or name.startswith(f"{one}.") for one in packages)
    ]


@pytest.mark.slow
def test_a_table_that_starts_loads_nothing_of_other_commands(tmp_path: Path):
    modules = loaded("serve", "--data", str(tmp_path))

    assert "companion.running.service" in modules
    assert of(modules, OF_OTHERS) == []


@pytest.mark.slow
def test_what_another_command_loads_is_found():
    """So it would be noticed if nothing were looked at."""
    assert of(loaded("demo", "dragorun"), OF_OTHERS)


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_is_where_it_is_looked_for(name: str):
    assert COMMANDS[name].name == name
