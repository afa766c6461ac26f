"""What holds for all tests."""

import gc
import importlib
from contextlib import suppress
from pathlib import Path

import pytest

TESTS = Path(__file__).parent


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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Count no lines while a browser or the photographs are tried.

    Counting makes plain Python take twice as long (the tests of the referee: 13.8 s of
    processor time for 7.8 s), and what those tests run, others run too.
    """
    for item in items:
        if item.get_closest_marker("browser") or item.get_closest_marker("photos"):
            item.add_marker("no_cover")


def pytest_collection_finish() -> None:
    """Leave what was imported alone when memory is collected.

    Else each full collection walks all modules and tests anew.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
