"""How long a tap takes at a table, alone and in a club that is well, ill or gone.

``python -m tests.club.taps --taps 1000`` prints the figures, and fails where 99 of 100
taps take more than a tenth longer than at a table alone.

Each table is a process of its own with its store on disk, as a Pi is. They take turns,
in an order that is drawn for each round: whatever else the computer does counts for all
of them, and none always taps while the one before it still publishes. They go before
other programs where they may, as root. Two of them are alone: what is alike and yet
apart is chance. Where it is more than a tenth, a quieter computer is wanted, or a disk
that nobody else writes to: with ``--folder /dev/shm`` the processor alone counts.
"""

import argparse
import json
import multiprocessing
import os
import random
import socket
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path

from companion.club.broker import Address
from companion.club.table.publisher import Membership, Publisher
from companion.games import find
from companion.referee.decisions import Thresholds
from companion.running.service import Table
from companion.running.snapshot import Done, Setup
from companion.running.storage.store import Store
from companion.running.wishes import Clock
from companion.table import Claim
from tests.club.load import HubProcess, percentile
from tests.club.servers import a_broker

PAUSE_S, REST_S = 0.01, 0.2
"""After a tap, and after a round of them. What a club does with one is over before the
next at that table: it says so a tenth of a second later at most (`APART_S`), and a hub
answers within a twentieth. That is still fifty times as fast as people play."""

UP_S = 5.0
ALONE, AGAIN = "alone", "alone, once more"
IN_A_CLUB = "in a club"
NO_HUB, KILLED, SILENT = "no hub", "broker killed", "network swallows all"
KINDS = (ALONE, IN_A_CLUB, NO_HUB, KILLED, SILENT, AGAIN)

WITHIN = 1.10


class TappedTable:
    """A real table on which somebody plays Dragorun by tapping."""

    def __init__(self, folder: Path, stack: ExitStack, broker: int | None) -> None:
        store = Store(folder / "table.sqlite3")
        stack.callback(store.close)
        self._table = Table(
            store, {}, Clock(), lambda: f"{time.monotonic_ns():x}",
            lambda _cue, _names: None, Thresholds(),
        )  # fmt: skip
        self._table.start()
        stack.callback(self._table.stop)
        if broker is not None:
            member = Membership(Address("127.0.0.1", broker, tls=False), folder.name)
            publisher = Publisher(
                self._table, member, folder, Clock(), heat=lambda: None
            )
            publisher.start()
            stack.callback(publisher.stop)
            publisher._link.wait_up(UP_S)
        self._dice, self._game, self._taps = random.Random(1), find("dragorun"), 0
        self._begin()

    def _begin(self) -> None:
        self._table.open_game(Setup("dragorun", ("Ana", "Bo", "Cy")))

    def tap(self) -> float:
        """Make a move; return how long its answer took."""
        while True:
            story = self._table.snapshot.story
            assert story is not None
            moves = [*self._game.legal(story.state)]
            if moves:
                break
            self._begin()
        move = self._game.notate(story.state, self._dice.choice(moves))
        self._taps += 1
        claim = Claim(move, None, story.seq, f"key-{self._taps}")
        began_s = time.perf_counter()
        answer = self._table.act(claim)
        took_s = time.perf_counter() - began_s
        assert isinstance(answer, Done)
        return took_s


def tap_when_asked(pipe: Connection, folder: Path, broker: int | None) -> None:
    """Run a table in a process of its own; make a tap for each word that comes."""
    with suppress(PermissionError):
        # Else 99 in 100 says how busy this computer is with other things.
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    with ExitStack() as stack:
        table = TappedTable(folder, stack, broker)
        pipe.send("up")
        while pipe.recv():
            pipe.send(table.tap())


@contextmanager
def _elsewhere() -> Iterator[Path]:
    """Make a folder for the hub, which is another computer with a disk of its own."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        yield Path(name)


@contextmanager
def _ports() -> Iterator[tuple[dict[str, int | None], ExitStack]]:
    """Give the port of each kind's broker; what is closed first is the killed one."""
    with ExitStack() as stack, ExitStack() as killed:
        well, hubless = (stack.enter_context(a_broker()) for _ in range(2))
        folder = stack.enter_context(_elsewhere())
        hub = HubProcess(well, f"sqlite:///{folder}/club.db", folder / "hub")
        stack.callback(hub.kill)
        hub.start()
        # It takes connections, and never reads.
        silent = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        yield {
            ALONE: None, AGAIN: None, IN_A_CLUB: well.port, NO_HUB: hubless.port,
            KILLED: killed.enter_context(a_broker()).port,
            SILENT: int(silent.getsockname()[1]),
        }, killed  # fmt: skip


def measure_taps(
    taps: int,
    kinds: Sequence[str] = KINDS,
    disk: Path | None = None,
    rest_s: float = REST_S,
) -> dict[str, list[float]]:
    """Return how long so many taps took at each table, the quickest first, s.

    Args:
        taps: At each table.
        kinds: Which tables there are.
        disk: Where their stores are; None for where temporary files go.
        rest_s: After each round.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=disk)))
        ports, killed = stack.enter_context(_ports())
        pipes = {}
        for number, kind in enumerate(kinds):
            near, far = multiprocessing.Pipe()
            own = folder / f"t{number}"
            own.mkdir()
            one = multiprocessing.get_context("spawn").Process(
                target=tap_when_asked, args=(far, own, ports[kind]), daemon=True
            )
            one.start()
            stack.callback(one.kill)
            pipes[kind] = near
        for pipe in pipes.values():
            assert pipe.recv() == "up"
        killed.close()
        took: dict[str, list[float]] = {kind: [] for kind in kinds}
        dice, order = random.Random(1), list(kinds)
        for _ in range(taps):
            dice.shuffle(order)
            for kind in order:
                pipes[kind].send(True)
                took[kind].append(pipes[kind].recv())
                time.sleep(PAUSE_S)
            time.sleep(rest_s)
        return {kind: sorted(found) for kind, found in took.items()}


def figures(took: dict[str, list[float]]) -> dict[str, dict[str, float]]:
    """Return median and 99 of 100 of each table, ms, and that beside both alone."""
    alone_s = percentile(sorted([*took[ALONE], *took[AGAIN]]), 0.99)
    return {
        kind: {
            "taps": len(found),
            "median ms": round(1000 * percentile(found, 0.5), 2),
            "p99 ms": round(1000 * percentile(found, 0.99), 2),
            "p99 beside alone": round(percentile(found, 0.99) / alone_s, 2),
        }
        for kind, found in took.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--taps", type=int, default=1000, help="At each table.")
    parser.add_argument("--folder", type=Path, help="Where the tables' stores are.")
    asked = parser.parse_args()
    found = figures(measure_taps(asked.taps, disk=asked.folder))
    sys.stdout.write(json.dumps(found, indent=1) + "\n")
    slower = {
        kind: one["p99 beside alone"]
        for kind, one in found.items()
        if kind not in (ALONE, AGAIN) and one["p99 beside alone"] > WITHIN
    }
    if slower:
        sys.exit(f"99 of 100 taps are more than {WITHIN} times those alone: {slower}")


if __name__ == "__main__":
    main()
