"""A copy taught at one table is played with at every other one."""

import os
from pathlib import Path

import pytest

from companion.club.broker import Link, Will
from companion.club.messages import KIT_LABELS, here_topic, kit_topic, label_topic
from companion.club.table import kit_exchange
from companion.club.table.kit_exchange import KitExchange
from companion.games import find
from companion.kits.kit import Kit, load, stand_in_kit
from companion.kits.kit_files import begin_kit
from companion.running.wishes import Clock
from tests.club.conftest import at
from tests.club.servers import until

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    monkeypatch.setattr(kit_exchange, "LOOK_S", 0.05)


@pytest.fixture
def tables(broker, tmp_path):
    """Make tables of one club that exchange kits, and end them."""
    running = []

    def table(name: str) -> tuple[Path, dict[str, Kit], KitExchange]:
        data, taken = tmp_path / name, {}
        data.mkdir(exist_ok=True)
        made: list[KitExchange] = []

        def receive(topic: str, payload: bytes, _number: int) -> bool:
            made[0].hear(topic, payload)
            return True

        topics = (KIT_LABELS,)
        link = Link(at(broker), name, Will(here_topic(name)), topics, receive)
        made.append(KitExchange(link, name, data, Clock(), taken.__setitem__))
        made[0].start()
        link.start()
        running.append((made[0], link))
        return data, taken, made[0]

    yield table
    for exchange, link in running:
        for topic in exchange._labels:
            for one in (topic, topic.removesuffix("/label") + "/file"):
                link.publish(one, b"", retain=True)
        exchange.stop(5)
        link.stop()


def taught(data: Path, name: str, hours_ago: float = 1.0) -> Path:
    kit = stand_in_kit(find("drachenhort"))
    begin_kit(data / "kits" / name, Kit(kit.game, name, kit.box, kit.meanings))
    then = Clock().wall() - 3600 * hours_ago
    for path in (*(data / "kits" / name).rglob("*"), data / "kits" / name):
        os.utime(path, (then, then))
    return data / "kits" / name


def test_what_was_taught_at_one_table_is_in_the_lobby_of_another(tables):
    first, _, _ = tables("kit-one")
    folder = taught(first, "Ours")
    _, taken, _ = tables("kit-two")

    kit = until(lambda: taken.get("Ours"), "kit of the other table")

    assert kit == load(folder)


def test_it_is_not_offered_again_by_who_fetched_it(tables):
    first, _, _ = tables("kit-three")
    taught(first, "Theirs")
    second, taken, two = tables("kit-four")
    until(lambda: taken, "kit of the other table")
    for path in (second / "kits").rglob("*"):
        os.utime(path, (0, 0))

    two._offer_all()

    assert label_topic("kit-four", "theirs") not in two._labels
    assert [*two._labels] == [label_topic("kit-three", "theirs")]


def test_one_that_is_still_taught_is_not_offered(tables):
    first, _, one = tables("kit-five")
    taught(first, "Half", hours_ago=0.1)
    until(lambda: one._link.is_up, "connection")

    one._offer_all()

    assert one._labels == {}


def test_a_file_that_is_not_what_its_label_says_is_left(tables, caplog):
    first, _, one = tables("kit-six")
    taught(first, "Right")
    until(lambda: one._labels, "label")
    _, taken, two = tables("kit-seven")
    until(lambda: taken, "kit")
    taken.clear()
    two._fetched = kit_exchange.Fetched()

    two._unpack(label_topic("kit-six", "right"), b"forged")

    assert taken == {}
    assert "is not what its label says" in caplog.text
    assert kit_topic("kit-six", "right").endswith("/file")
