"""Tables, hubs, a broker and databases of the tests' own."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest

from companion.club.broker import Address
from companion.club.hub.hub import Hub
from companion.club.hub.records import Records
from companion.club.hub.room import Room
from companion.club.table.publisher import Membership, Publisher
from companion.running.wishes import Clock
from tests.club.servers import (
    Database,
    Process,
    a_broker,
    a_database,
    an_open_folder,
    until,
)
from tests.dashboard.fakes import FakeTable


@pytest.fixture
def open_folder() -> Iterator[Path]:
    with an_open_folder() as folder:
        yield folder


@pytest.fixture(scope="session")
def broker() -> Iterator[Process]:
    with a_broker() as broker:
        yield broker


@pytest.fixture
def own_broker() -> Iterator[Process]:
    """A broker that the test may kill."""
    with a_broker() as broker:
        yield broker


@pytest.fixture(scope="session")
def database() -> Iterator[Database]:
    with a_database() as database:
        yield database


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database of each kind, empty."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/club.db"
    server: Database = request.getfixturevalue("database")
    return fresh(server)


def fresh(server: Database) -> str:
    """Return a database of that server with nothing in it."""
    with psycopg.connect(server.url, autocommit=True) as db:
        (number,) = db.execute("SELECT count(*) FROM pg_database").fetchone() or (0,)
        db.execute(f"CREATE DATABASE club{number}")
    return server.url.replace("/postgres", f"/club{number}")


def at(broker: Process) -> Address:
    return Address("127.0.0.1", broker.port, tls=False)


class Club:
    """Starts tables and hubs of one club, and stops them at the end."""

    def __init__(self, broker: Process, folder: Path, stack: ExitStack) -> None:
        self.broker = broker
        self._folder = folder
        self._stack = stack

    def table(
        self, name: str, table: FakeTable | None = None, clock: Clock | None = None
    ) -> tuple[FakeTable, Publisher]:
        running = table or FakeTable()
        folder = self._folder / name
        folder.mkdir(exist_ok=True)
        publisher = Publisher(
            running, Membership(at(self.broker), name), folder, clock or Clock(),
            heat=lambda: None,
        )  # fmt: skip
        publisher.start()
        self._stack.callback(publisher.stop)
        return running, publisher

    def hub(self, store: str, clock: Clock | None = None) -> tuple[Hub, Records, Room]:
        records = Records(store)
        clock = clock or Clock()
        room = Room(clock.wall)
        hub = Hub(at(self.broker), records, room, clock)
        hub.start()
        self._stack.callback(records.close)
        self._stack.callback(hub.stop)
        until(lambda: hub.link.is_up, "hub at the broker")
        return hub, records, room


@pytest.fixture
def club(broker: Process, tmp_path: Path) -> Iterator[Club]:
    with ExitStack() as stack:
        yield Club(broker, tmp_path, stack)


@pytest.fixture
def make_club(tmp_path: Path) -> Iterator[Callable[[Process], Club]]:
    with ExitStack() as stack:
        yield lambda broker: Club(broker, tmp_path, stack)
