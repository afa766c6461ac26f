"""What holds for all tests."""

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Count lines where units are tried, and the rules, but not in whole evenings.

    Counting makes plain Python take twice as long (the tests of the referee: 13.8 s of
    processor time for 7.8 s). What a browser, photographs and slow tests outside the
    rules run, quick tests run too.
    """
    for item in items:
        whole = item.get_closest_marker("browser") or item.get_closest_marker("photos")
        slow = item.get_closest_marker("slow") and "tests/games/" not in item.nodeid
        if whole or slow:
            item.add_marker("no_cover")
