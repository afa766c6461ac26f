"""What holds for all tests."""

import gc
import importlib
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import CodeType
from typing import Any

import pytest
from flask import Flask
from jinja2.bccache import Bucket, FileSystemBytecodeCache
from playwright.sync_api import Browser
from werkzeug.routing import Rule

from tests.dashboard.browsing import open_browser

TESTS = Path(__file__).parent


def pytest_configure() -> None:
    """Have terminals speak English to the tests, whatever their reader speaks."""
    os.environ["LC_ALL"] = "C.UTF-8"


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile the tests of a fresh clone from both ends at once.

    Workers collect in one order, so that each would compile all of them, 7 s a worker;
    the second one begins at the end and finds the other half compiled.
    """
    worker = getattr(session.config, "workerinput", {}).get("workerid")
    if worker != "gw1" or session.config.args != session.config.getini("testpaths"):
        return
    for path in sorted(TESTS.rglob("test_*.py"), reverse=True):
        name = ".".join(path.relative_to(TESTS.parent).with_suffix("").parts)
        # Collecting meets again what fails here, and reports it.
        with suppress(Exception, pytest.skip.Exception):
            importlib.import_module(name)


class Templates(FileSystemBytecodeCache):
    """Keeps compiled templates for other apps, the other worker and the next run."""

    def __init__(self, folder: Path) -> None:
        super().__init__(str(folder))
        self._code: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._code.get((bucket.key, bucket.checksum))
        if bucket.code is None:
            super().load_bytecode(bucket)
            self._remember(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        super().dump_bytecode(bucket)
        self._remember(bucket)

    def _remember(self, bucket: Bucket) -> None:
        if bucket.code is not None:
            self._code[bucket.key, bucket.checksum] = bucket.code


@pytest.fixture(scope="session", autouse=True)
def apps_compiled_once(
    pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """Compile routes and templates once: nearly every test makes an app of its own.

    Routes were 10 of the 12 ms that an app takes; all templates take 1.5 s.
    """
    routes: dict[tuple[str, bool], Callable[..., Any]] = {}
    compile_builder = Rule._compile_builder

    def compile_once(rule: Rule, append_unknown: bool = True) -> Callable[..., Any]:
        assert not rule.defaults, "the address depends on more than the route's text"
        key = rule.rule, append_unknown
        if key not in routes:
            routes[key] = compile_builder(rule, append_unknown)
        return routes[key]

    kept = getattr(pytestconfig, "cache", None)
    templates = Templates(
        kept.mkdir("templates") if kept else tmp_path_factory.mktemp("templates")
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Rule, "_compile_builder", compile_once)
        patch.setattr(Flask, "jinja_options", {"bytecode_cache": templates})
        yield


EVENINGS = ("cli", "dashboard", "kits", "secrets", "trust")
"""Folders whose slow tests play whole evenings, from outside."""

CROWDS = frozenset(
    f"test_{name}.py"
    for name in (
        "any_mix", "counts", "differential", "edges", "hostile_records",
        "properties", "trial", "turning", "two_worlds",
    )
)  # fmt: skip
"""Tests of thousands of random games, traces and records each."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Count no lines where crowds or whole evenings are played, or by photographs.

    Counting makes plain Python take twice as long (all quick tests: 218 s of processor
    time for 96 s), and what those tests run, others run too.
    """
    for item in items:
        evening = item.get_closest_marker("slow") and (
            item.path.relative_to(TESTS).parts[0] in EVENINGS
        )
        shown = any(map(item.get_closest_marker, ("browser", "photos")))
        if evening or shown or item.path.name in CROWDS:
            item.add_marker("no_cover")


def pytest_collection_finish() -> None:
    """Leave what was imported alone when memory is collected.

    Else each full collection walks all modules and tests anew.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Open one browser for all tests of a process: two cannot be driven in one."""
    with open_browser() as browser:
        yield browser
