"""A full room: many tables with the real client, hubs as processes, and mishaps.

``python -m tests.club.load --tables 200 --seconds 300`` prints the figures of the
README of `companion/club`.
"""

import argparse
import json
import multiprocessing
import re
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import NamedTuple
from urllib.request import urlopen

import psycopg

from companion.club.broker import Address
from companion.club.table.public import public_entry
from companion.club.table.publisher import Membership, Publisher
from companion.running.wishes import Clock
from companion.story.log import Story
from tests.club.played import steps_of
from tests.club.servers import (
    Database,
    Process,
    a_broker,
    a_database,
    processor_s,
    until,
)
from tests.dashboard.fakes import FakeTable
from tests.ports import free_port

THREE_YEARS_S = 3 * 365 * 24 * 3600.0
CUT_OFF = 4
"""One table in so many is behind a network that can be cut."""

CAUGHT_UP_S = 180.0

A_PROCESS = 100
"""Tables of one process."""


def a_long_game() -> list[Story]:
    """Return a whole game of Drachenhort, as it stands after each entry."""
    return steps_of("drachenhort", 5)


class Relay:
    """Carries bytes to a broker, until somebody cuts the cable."""

    def __init__(self, to: int) -> None:
        self._to = to
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port = int(self._listening.getsockname()[1])
        self._open: set[socket.socket] = set()
        self._is_cut = False
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self, *, cut: bool) -> None:
        self._is_cut = cut
        if cut:
            for one in list(self._open):
                one.close()

    def close(self) -> None:
        self.cut(cut=True)
        self._listening.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            if self._is_cut:
                near.close()
                continue
            try:
                far = socket.create_connection(("127.0.0.1", self._to), 2)
            except OSError:
                near.close()
                continue
            for one, other in ((near, far), (far, near)):
                self._open.add(one)
                threading.Thread(
                    target=self._carry, args=(one, other), daemon=True
                ).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        try:
            while data := one.recv(65536):
                other.sendall(data)
        except OSError:
            pass
        finally:
            self._open.discard(one)
            one.close()
            other.close()


class Played(NamedTuple):
    """What the tables of one process have stored.

    *games*: of each table and game how many entries; *shown_s*: when a table, game and
    number of moves could be seen; *play_s*: how long each table took to hand one on.
    """

    games: dict[tuple[int, str], int]
    shown_s: dict[tuple[int, int, int], float]
    play_s: list[float]


class Tables:
    """Simulated tables that each store one entry a second; each a real client.

    Args:
        numbers: Which ones of the room.
        ports: The broker's, as each reaches it.
        folder: Where they keep their marks.
    """

    def __init__(self, numbers: list[int], ports: list[int], folder: Path) -> None:
        self._steps = a_long_game()
        self.played = Played({}, {}, [])
        self._numbers = numbers
        self._tables = [FakeTable() for _ in numbers]
        self._at = [(0, 0)] * len(numbers)
        self.publishers = []
        for number, table, port in zip(numbers, self._tables, ports, strict=True):
            at = folder / f"t{number}"
            at.mkdir()
            # The clock of one has never been set.
            off_s = THREE_YEARS_S if number == 0 else 0.0
            clock = Clock(wall=lambda off_s=off_s: time.time() - off_s)
            address = Address("127.0.0.1", port, tls=False)
            member = Membership(address, f"t {number}")
            self.publishers.append(
                Publisher(table, member, at, clock, heat=lambda: None)
            )

    def play(self, seconds: float, began_s: float) -> None:
        """Have each table store an entry a second."""
        count = len(self._tables)
        for number in range(int(seconds * count)):
            due_s = began_s + number / count
            while (left_s := due_s - time.monotonic()) > 0:
                time.sleep(min(left_s, 0.05))
            self._store_one(number % count)

    def _store_one(self, index: int) -> None:
        game, step = self._at[index]
        story, number = self._steps[step], self._numbers[index]
        began_s = time.monotonic()
        self._tables[index]._lay(f"game-{game}", story)
        self.played.shown_s[number, game, len(story.steps)] = began_s
        self.played.play_s.append(time.monotonic() - began_s)
        self.played.games[number, f"game-{game}"] = len(story.entries)
        last = step + 1 == len(self._steps)
        self._at[index] = (game + 1, 0) if last else (game, step + 1)


def play_tables(
    pipe: Connection, numbers: list[int], ports: list[int], folder: Path, seconds: float
) -> None:
    """Run some tables in a process of their own."""
    tables = Tables(numbers, ports, folder)
    for publisher in tables.publishers:
        publisher.start()
    ends_s = time.monotonic() + 30
    while not all(one._link.is_up for one in tables.publishers):
        assert time.monotonic() < ends_s, "not all tables reach the broker"
        time.sleep(0.05)
    pipe.send("up")
    tables.play(seconds, pipe.recv())
    pipe.send(tables.played)
    pipe.recv()
    stop_all(tables.publishers)


class Watcher(threading.Thread):
    """A screen: loads the room anew with each word of its stream, and reads it."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self._at = f"http://127.0.0.1:{port}"
        self.read: list[tuple[float, dict[int, int]]] = []
        self.stopping = False

    def run(self) -> None:
        while not self.stopping:
            try:
                with urlopen(f"{self._at}/events", timeout=15) as stream:
                    for line in stream:
                        if self.stopping:
                            return
                        if line.startswith(b"data"):
                            self._look()
            except OSError:
                time.sleep(0.2)

    def _look(self) -> None:
        with urlopen(f"{self._at}/?lang=en", timeout=15) as page:
            text = page.read().decode()
        found = re.findall(r'href="/table/t-(\d+)".*?([\d,]+) moves?', text, re.S)
        self.read.append((time.monotonic(), {int(n): int(m) for n, m in found}))


def latencies_s(
    shown_s: dict[tuple[int, int, int], float], watcher: Watcher, since_s: float
) -> list[float]:
    """Return how long each move took from the store to the page, if it was seen."""
    by_table: dict[int, list[tuple[float, int]]] = {}
    for (number, _, moves), at_s in shown_s.items():
        by_table.setdefault(number, []).append((at_s, moves))
    found = []
    for number, stored in by_table.items():
        stored.sort()
        reads = iter(watcher.read)
        read = next(reads, None)
        for at_s, moves in stored:
            # The first page after it that shows that many moves, before the next game.
            while read is not None and (
                read[0] < at_s or read[1].get(number, -1) < moves
            ):
                read = next(reads, None)
            if read is None:
                break
            if at_s >= since_s:
                found.append(read[0] - at_s)
    return sorted(found)


def percentile(values: list[float], share: float) -> float:
    return values[min(len(values) - 1, int(share * len(values)))]


class HubProcess(Process):
    """A hub as a process of its own."""

    def __init__(self, broker: Process, store: str, folder: Path) -> None:
        port = free_port()
        command = [
            sys.executable, "-m", "companion.cli", "club",
            "--broker", f"mqtt://127.0.0.1:{broker.port}",
            "--store", store, "--port", str(port),
        ]  # fmt: skip
        folder.mkdir()
        super().__init__(command, port, folder)


class FullRoom(NamedTuple):
    """What runs of a room; *pipes* lead to the processes of its *tables*."""

    broker: Process
    database: Database
    hubs: list[HubProcess]
    relay: Relay
    tables: list[BaseProcess]
    pipes: list[Connection]

    def busy_s(self) -> dict[str, float]:
        """Return how long each part has kept a core busy so far."""
        return {
            "tables": sum(processor_s(one.pid) for one in self.tables),
            "broker": self.broker.processor_s(),
            "hubs": sum(one.processor_s() for one in self.hubs),
            "database": self.database.processor_s(),
            "screen": time.process_time(),
        }


@contextmanager
def a_full_room(count: int, hubs: int, seconds: float) -> Iterator[FullRoom]:
    """Run broker, database, hubs and tables of a room."""
    with ExitStack() as stack:
        broker = stack.enter_context(a_broker())
        database = stack.enter_context(a_database())
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        run = [HubProcess(broker, database.url, folder / f"h{n}") for n in range(hubs)]
        for hub in run:
            stack.callback(hub.kill)
            hub.start()
        relay = Relay(broker.port)
        stack.callback(relay.close)
        ports = [relay.port if n % CUT_OFF == 1 else broker.port for n in range(count)]
        pipes, processes = [], []
        # paho-mqtt waits with select(), which knows no file above the 1,023rd; a table
        # of a room has eight open.
        for first in range(0, count, A_PROCESS):
            numbers = [*range(first, min(first + A_PROCESS, count))]
            near, far = multiprocessing.Pipe()
            mine = ports[first : first + A_PROCESS]
            one = multiprocessing.get_context("spawn").Process(
                target=play_tables, args=(far, numbers, mine, folder, seconds),
                daemon=True,
            )  # fmt: skip
            one.start()
            stack.callback(one.kill)
            pipes.append(near)
            processes.append(one)
        for pipe in pipes:
            assert pipe.recv() == "up"
        yield FullRoom(broker, database, run, relay, processes, pipes)


def stop_all(publishers: list[Publisher]) -> None:
    ends = [threading.Thread(target=one.stop) for one in publishers]
    for end in ends:
        end.start()
    for end in ends:
        end.join(10)


def stored(database: Database) -> dict[tuple[str, str], list[str]]:
    """Return what is in the database: the bodies of each game, as they are numbered."""
    found: dict[tuple[str, str], list[str]] = {}
    try:
        with psycopg.connect(database.url) as db:
            rows = db.execute(
                "SELECT table_id, game_id, seq, body FROM entries "
                "ORDER BY table_id, game_id, seq"
            )
            for table, game, seq, body in rows:
                bodies = found.setdefault((table, game), [])
                assert seq == len(bodies), (table, game, seq)
                bodies.append(body)
    except psycopg.OperationalError:
        return {}
    return found


def restart_after(server: Process, seconds: float) -> None:
    server.kill()
    time.sleep(seconds)
    server.start()


def measure_backlog(count: int, games: int, hubs: int = 1) -> dict[str, object]:
    """Have tables that played without a hub deliver all at once; return how fast.

    Args:
        count: Tables.
        games: How many whole games each has stored.
        hubs: Processes.
    """
    with ExitStack() as stack:
        broker = stack.enter_context(a_broker())
        database = stack.enter_context(a_database())
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        whole = a_long_game()[-1]
        tables = Tables([*range(1, count + 1)], [broker.port] * count, folder)
        for table in tables._tables:
            for game in range(games):
                table._lay(f"game-{game}", whole)
        for publisher in tables.publishers:
            publisher.start()
        stack.callback(lambda: stop_all(tables.publishers))
        rows = count * games * len(whole.entries)
        run = [HubProcess(broker, database.url, folder / f"h{n}") for n in range(hubs)]
        for hub in run:
            stack.callback(hub.kill)
            hub.start()
        until(lambda: stored(database), "first entries")
        began_s, first = time.monotonic(), _count(database)
        until(lambda: _count(database) >= rows, "all entries", CAUGHT_UP_S)
        took_s = time.monotonic() - began_s
        return {
            "tables": count,
            "hubs": hubs,
            "entries": rows,
            "entries a second": round((rows - first) / took_s),
            "bytes an entry on disk": round(_size(database) / rows),
        }


def _size(database: Database) -> int:
    """Return how many bytes the entries take, with their index."""
    with psycopg.connect(database.url) as db:
        row = db.execute("SELECT pg_total_relation_size('entries')").fetchone()
    return int(row[0]) if row else 0


def _count(database: Database) -> int:
    with psycopg.connect(database.url) as db:
        row = db.execute("SELECT count(*) FROM entries").fetchone()
    return int(row[0]) if row else 0


def measure(
    count: int, seconds: float, hubs: int = 2, *, trouble: bool, down_s: float = 5.0,
    cut_s: float = 60.0,
) -> dict[str, object]:  # fmt: skip
    """Play in a full room; return what came of it.

    Args:
        count: Tables.
        seconds: How long each stores an entry a second.
        hubs: Processes.
        trouble: Kill each server once, and cut a quarter of the tables off.
        down_s: How long what is killed stays down.
        cut_s: How long those tables are cut off.
    """
    with a_full_room(count, hubs, seconds) as room:
        broker, database, run, relay, _, pipes = room
        watcher = Watcher(run[-1].port)
        watcher.start()
        until(lambda: watcher.read, "page of the room")
        part = seconds / 6
        # One thing at a time: a hub that starts wants its database.
        down_s = min(down_s, part / 2)
        during: list[tuple[float, Callable[[], object]]] = [
            (part, lambda: restart_after(run[0], down_s)),
            (2 * part, lambda: restart_after(broker, down_s)),
            (3 * part, lambda: restart_after(database, down_s)),
            (4 * part, lambda: relay.cut(cut=True)),
            (4 * part + min(cut_s, part), lambda: relay.cut(cut=False)),
        ]
        began_s = time.monotonic() + 0.5
        busy_s = room.busy_s()
        for pipe in pipes:
            pipe.send(began_s)
        for at_s, act in during if trouble else ():
            time.sleep(max(0.0, began_s + at_s - time.monotonic()))
            threading.Thread(target=act, daemon=True).start()
        parts = [pipe.recv() for pipe in pipes]
        ended_s = time.monotonic()
        busy_s = {name: now_s - busy_s[name] for name, now_s in room.busy_s().items()}
        whole = [public_entry(entry).decode() for entry in a_long_game()[-1].entries]
        wanted = {
            (f"t-{number}", game): whole[:entries]
            for one in parts
            for (number, game), entries in one.games.items()
        }
        rows = sum(map(len, wanted.values()))
        until(
            lambda: sum(map(len, stored(database).values())) >= rows,
            "all entries", CAUGHT_UP_S,
        )  # fmt: skip
        caught_up_s = time.monotonic() - ended_s
        watcher.stopping = True
        found = stored(database)
        shown_s = {key: at_s for one in parts for key, at_s in one.shown_s.items()}
        took_s = latencies_s(shown_s, watcher, began_s + min(5.0, seconds / 4))
        play_s = sorted(took for one in parts for took in one.play_s)
        for pipe in pipes:
            pipe.send("stop")
        return {
            "tables": count,
            "hubs": hubs,
            "seconds": seconds,
            "trouble": trouble,
            "entries": rows,
            "in the database": sum(map(len, found.values())),
            "as they were stored": found == wanted,
            "caught up after s": round(caught_up_s, 1),
            "pages read": len(watcher.read),
            "store to page, median ms": round(1000 * percentile(took_s, 0.5)),
            "store to page, p99 ms": round(1000 * percentile(took_s, 0.99)),
            "handing on, p99 ms": round(1000 * percentile(play_s, 0.99), 2),
            # What was killed in between has begun to count anew.
            **({} if trouble else _costs(busy_s, rows, ended_s - began_s)),
        }


def _costs(busy_s: dict[str, float], rows: int, lasted_s: float) -> dict[str, object]:
    """Return what an entry costs each part, and how busy that keeps a core."""
    return {
        "processor s per 1,000 entries": {
            name: round(1000 * one / rows, 2) for name, one in busy_s.items()
        },
        "% of a core": {
            name: round(100 * one / lasted_s, 1) for name, one in busy_s.items()
        },
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--hubs", type=int, default=2)
    parser.add_argument("--trouble", action="store_true")
    parser.add_argument("--backlog", type=int, help="Games that wait at each table.")
    asked = parser.parse_args()
    if asked.backlog:
        found = measure_backlog(asked.tables, asked.backlog, asked.hubs)
        sys.stdout.write(json.dumps(found, indent=1) + "\n")
        return
    found = measure(asked.tables, asked.seconds, asked.hubs, trouble=asked.trouble)
    sys.stdout.write(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
