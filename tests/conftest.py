"""What holds for all tests."""

import gc

import pytest


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
