"""Kills mutants: each in a child process of its own, by the fastest test that can.

The parent has everything loaded; a child only loads the mutated game anew. First the
oracle plays some games against it, then the golden games are told again, and what
still lives meets the game's own tests.
"""

import importlib
import os
import random
import signal
import sys
from collections.abc import Iterator
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest
from msgspec import Struct

from tests.mutants.mutate import Mutant, mutants

ROOT = Path(__file__).parents[2]
GAMES = 8
"""Games that the oracle plays against each mutant."""

HANG_S = 60
"""A mutant that takes longer goes round in circles: it is noticed, and so killed."""


class Hunted(Struct, frozen=True):
    """What became of some mutants."""

    killed: int
    survivors: tuple[Mutant, ...]

    @property
    def share(self) -> float:
        """Return the share that was killed."""
        return self.killed / (self.killed + len(self.survivors))


NO_RULES = frozenset({"copy.py", "box_form.py", "strategy.py"})
"""What an owner shows and types, and how people would play: no game's oracle knows of
it. tests/kits/ and tests/demo/ hold it."""


def all_mutants(game: str) -> list[Mutant]:
    """Return every mutant of a game's rules."""
    folder = ROOT / "companion" / "games" / game
    rules = sorted(set(folder.glob("*.py")) - {folder / name for name in NO_RULES})
    return [m for path in rules for m in mutants(path)]


def sample(game: str, count: int, seed: int) -> list[Mutant]:
    """Return some mutants of a game, the same for the same seed."""
    found = all_mutants(game)
    return random.Random(seed).sample(found, min(count, len(found)))


def hunt(game: str, hunted: list[Mutant]) -> Hunted:
    """Return what became of *hunted*."""
    importlib.import_module(f"tests.games.{game}.test_differential")
    importlib.import_module("tests.games.contract")
    survivors = tuple(mutant for mutant in hunted if not _is_killed(game, mutant))
    return Hunted(len(hunted) - len(survivors), survivors)


def _is_killed(game: str, mutant: Mutant) -> bool:
    child = os.fork()
    if child == 0:
        os._exit(_fate(game, mutant))
    _, status = os.waitpid(child, 0)
    return not (os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0)


def _fate(game: str, mutant: Mutant) -> int:
    """Return 0 for a mutant that nothing notices; runs in the child."""
    signal.alarm(HANG_S)
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    try:
        _load(game, mutant)
        _against_the_oracle(game)
        _golden_games(game)
    except BaseException:  # noqa: BLE001  # whatever a mutant raises was noticed
        return 1
    return int(pytest.main([
        str(ROOT / "tests" / "games" / game), "-x", "-q", "--no-header",
        "-m", "not slow and not long", "-p", "no:randomly", "-p", "no:cacheprovider",
        "-p", "no:xdist",
    ]))  # fmt: skip


def _load(game: str, mutant: Mutant) -> None:
    """Load the game's package anew, one module of it mutated."""
    package = f"companion.games.{game}"
    for name in list(sys.modules):
        # What holds on to the old package would compare its values with the new ones.
        holds = name == "companion.games" or name.startswith("tests.games.")
        if holds or name == package or name.startswith(f"{package}."):
            del sys.modules[name]
    name = f"{package}.{mutant.path.stem}"
    name = package if mutant.path.stem == "__init__" else name
    sys.meta_path.insert(0, _Finder(name, mutant))
    importlib.import_module(package)


def _against_the_oracle(game: str) -> None:
    compare = importlib.import_module(f"tests.games.{game}.test_differential").compare
    for seed in range(GAMES):
        compare(seed)


def _golden_games(game: str) -> None:
    contract = importlib.import_module("tests.games.contract")
    record = importlib.import_module(f"companion.games.{game}").GAME
    for path in sorted((ROOT / "tests" / "golden" / game).glob("*-1.txt")):
        text = path.read_text(encoding="utf-8")
        setting, moves = contract.recorded(text)
        assert contract.transcript(record, setting, moves) == text


class _Finder(MetaPathFinder, Loader):
    """Finds one module in its mutated form."""

    def __init__(self, name: str, mutant: Mutant) -> None:
        self.name, self.mutant = name, mutant
        self.source = mutant.source()

    def find_spec(self, name, path=None, target=None):
        if name != self.name:
            return None
        spec = ModuleSpec(name, self, origin=str(self.mutant.path))
        if self.mutant.path.stem == "__init__":
            spec.submodule_search_locations = [str(self.mutant.path.parent)]
        return spec

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        module.__file__ = str(self.mutant.path)
        exec(
            compile(self.mutant.source, str(self.mutant.path), "exec"), module.__dict__
        )


def told(survivors: tuple[Mutant, ...]) -> Iterator[str]:
    """Yield a line for each mutant that nothing noticed."""
    for mutant in survivors:
        yield str(mutant)
