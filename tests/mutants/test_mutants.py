"""A fault in the rules does not go unnoticed."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.games import GAMES
from tests.mutants.mutate import mutants
from tests.mutants.survivors import REASONS

ROOT = Path(__file__).parents[2]
LEAST = 0.90
"""So many of the mutants must be noticed."""

SAMPLED = 40
"""Mutants a game in `make test`; one takes about 0.3 s, a survivor some seconds."""


def hunted(game: str, wanted: str) -> dict:
    # Which lines a broken rule runs is worth nothing, and to count them is slow.
    plain = {k: v for k, v in os.environ.items() if k != "COVERAGE_PROCESS_START"}
    told = subprocess.run(
        [sys.executable, "-m", "tests.mutants", game, wanted],
        cwd=ROOT, env=plain, capture_output=True, check=True, text=True,
    ).stdout  # fmt: skip
    return json.loads(told.splitlines()[-1])


@pytest.mark.slow
@pytest.mark.parametrize("game", [game.id for game in GAMES])
def test_a_sample_of_small_faults_is_noticed(game, record_property):
    found = hunted(game, str(SAMPLED))

    record_property("figures", f"{found['killed']} of {found['mutants']} killed")
    assert found["killed"] >= LEAST * found["mutants"], found["survivors"]


@pytest.mark.long
@pytest.mark.parametrize("game", [game.id for game in GAMES])
def test_every_small_fault_is_noticed_but_for_those_that_change_nothing(
    game, record_property
):
    found = hunted(game, "all")

    left = "; ".join(found["survivors"]) or "none"
    record_property(
        "figures", f"{found['killed']} of {found['mutants']} killed; left: {left}"
    )
    assert found["killed"] >= LEAST * found["mutants"]
    unknown = set(found["survivors"]) - set(REASONS.get(game, ()))
    assert not unknown, "give a reason in tests/mutants/survivors.py, or a test"


def test_each_kind_of_fault_changes_the_module_and_still_compiles(tmp_path):
    path = tmp_path / "rules.py"
    path.write_text(
        "def f(a, b):\n"
        '    """Say nothing."""\n'
        "    if not a and b < 3:\n"
        "        return replace(a, x=1, y=True) or replace(a, z=2)\n"
        "    a += 1\n"
        "    g(a)\n"
        "    return a if a in b else None\n"
    )

    found = list(mutants(path))

    whats = {mutant.what for mutant in found}
    assert {
        "condition turned round", "without not", "And as Or", "Lt as LtE",
        "3 is one more", "returns None", "without x=", "without z=", "True flipped",
        "left out", "In as NotIn",
    } <= whats  # fmt: skip
    original = ast.unparse(ast.parse(path.read_text()))
    for mutant in found:
        source = mutant.source()
        compile(source, "rules.py", "exec")
        assert source != original, str(mutant)
