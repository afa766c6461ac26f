"""A full room loses nothing, whatever is killed; the long ones say how fast it is."""

import random
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from companion.club.broker import Address
from companion.club.table.publisher import Membership, Publisher
from companion.games import find
from companion.referee.decisions import Thresholds
from companion.running.service import Table
from companion.running.snapshot import Done, Setup
from companion.running.storage.store import Store
from companion.running.wishes import Clock
from companion.table import Claim
from tests.club.load import measure, percentile
from tests.club.servers import a_broker

ENTRIES, MORE_ENTRIES = 200 * (300 + 2), 200 * (360 + 2)
"""One a second for 300 or 360 seconds, and that a game is over is one more: each table
ends two games of 124 seconds."""

TAPS = 150
ROUNDS = 8


def told(found: dict[str, object]) -> str:
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


def taps_s(folder: Path, taps: int, broker: int | None) -> list[float]:
    """Return how long taps of a real table took, with a club or without one."""
    with ExitStack() as stack:
        store = Store(folder / "table.sqlite3")
        stack.callback(store.close)
        table = Table(
            store, {}, Clock(), lambda: f"{time.monotonic_ns():x}",
            lambda _cue, _names: None, Thresholds(),
        )  # fmt: skip
        table.start()
        stack.callback(table.stop)
        if broker is not None:
            member = Membership(Address("127.0.0.1", broker, tls=False), "Table 1")
            publisher = Publisher(table, member, folder, Clock(), heat=lambda: None)
            publisher.start()
            stack.callback(publisher.stop)
            publisher._link.wait_up(2)
        return _tapped(table, taps)


def _tapped(table: Table, taps: int) -> list[float]:
    dice, game, took = random.Random(1), find("dragorun"), []
    table.open_game(Setup("dragorun", ("Ana", "Bo", "Cy")))
    for number in range(taps):
        story = table.snapshot.story
        assert story is not None
        moves = [*game.legal(story.state)]
        if not moves:
            table.open_game(Setup("dragorun", ("Ana", "Bo", "Cy")))
            continue
        move = game.notate(story.state, dice.choice(moves))
        began_s = time.perf_counter()
        answer = table.act(Claim(move, None, story.seq, f"key-{number}"))
        took.append(time.perf_counter() - began_s)
        assert isinstance(answer, Done)
        time.sleep(0.02)  # people tap, and read before they tap again
    return took


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["no broker", "a broker without a hub"])
def test_a_table_plays_on_without_its_club(kind, tmp_path):
    with ExitStack() as stack:
        port = 9  # discard: nobody listens there
        if kind != "no broker":
            port = stack.enter_context(a_broker()).port

        took = taps_s(tmp_path, 30, port)

    assert len(took) >= 29


@pytest.mark.long
def test_a_tap_takes_no_longer_with_a_club(tmp_path, record_property):
    """The two take turns, so that what else the computer does counts for both."""
    alone: list[float] = []
    member: list[float] = []
    with a_broker() as broker:
        for number in range(ROUNDS):
            for took, port in ((alone, None), (member, broker.port)):
                folder = tmp_path / f"{number}-{port}"
                folder.mkdir()
                took.extend(taps_s(folder, TAPS, port))

    text = [
        f"{name}: median {1000 * percentile(sorted(took), 0.5):.2f} ms, "
        f"p99 {1000 * percentile(sorted(took), 0.99):.2f} ms"
        for name, took in (("alone", alone), ("in a club", member))
    ]
    record_property("figures", "; ".join(text))
    assert len(member) > 0.9 * ROUNDS * TAPS
