"""A full room loses nothing, whatever is killed; the long ones say how fast it is."""

from collections.abc import Mapping

import pytest

from tests.club.load import measure
from tests.club.taps import KILLED, NO_HUB, SILENT, figures, measure_taps

ENTRIES, MORE_ENTRIES = 200 * (300 + 2), 200 * (360 + 2)
"""One a second for 300 or 360 seconds, and that a game is over is one more: each table
ends two games of 124 seconds."""

TAPS = 1_000
GONE = (NO_HUB, KILLED, SILENT)


def told(found: Mapping[str, object]) -> str:
    return ", ".join(f"{name} {value}" for name, value in found.items())


def complete(found: dict[str, object]) -> bool:
    """Tell whether each entry is in the database once, and in its place."""
    return bool(found["as they were stored"]) and (
        found["in the database"] == found["entries"]
    )


@pytest.mark.slow
def test_a_small_room_loses_nothing_when_each_server_is_killed():
    found = measure(12, 18, trouble=True)

    assert found["entries"] == 216  # 12 tables, one entry a second for 18 s
    assert complete(found)


@pytest.mark.long
def test_two_hundred_tables_come_to_the_database_and_the_page(record_property):
    found = measure(200, 300, trouble=False)

    record_property("figures", told(found))
    assert found["entries"] == ENTRIES
    assert complete(found)


@pytest.mark.long
def test_two_hundred_tables_lose_nothing_when_each_server_is_killed(record_property):
    found = measure(200, 360, trouble=True, cut_s=60)

    record_property("figures", told(found))
    assert found["entries"] == MORE_ENTRIES
    assert complete(found)


@pytest.mark.slow
def test_a_table_plays_on_whatever_becomes_of_its_club():
    took = measure_taps(20, GONE, rest_s=0.0)

    assert {kind: len(found) for kind, found in took.items()} == dict.fromkeys(GONE, 20)


@pytest.mark.long
def test_a_tap_takes_no_longer_with_a_club(record_property):
    found = figures(measure_taps(TAPS))

    record_property("figures", told(found))
    assert all(one["taps"] == TAPS for one in found.values())
