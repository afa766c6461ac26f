"""A real broker and a real database of the tests' own, on loopback, ended with them."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
import pytest

from tests.ports import free_port

WAIT_S = 20.0
SBIN = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"


def answers(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(0.2)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def until(true, what: str, wait_s: float = WAIT_S):
    """Return what *true* gives as soon as it gives anything."""
    ends_s = time.monotonic() + wait_s
    while True:
        found = true()
        if found:
            return found
        assert time.monotonic() < ends_s, f"no {what} within {wait_s:.0f} s"
        time.sleep(0.01)


def processor_s(pid: int | None) -> float:
    """Return how long a process, with what it has started, has kept a core busy."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = stat.read_text()
        except OSError:
            continue  # it has just ended
        number, fields = int(text.split()[0]), text.rpartition(")")[2].split()
        if pid in (number, int(fields[1])):
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


class Process:
    """A server that can be killed as a power cut would, and started again."""

    def __init__(self, command: list[str], port: int, folder: Path) -> None:
        self._command = command
        self.port = port
        self._folder = folder
        self._running: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with (self._folder / "log").open("ab") as log:
            self._running = subprocess.Popen(
                self._command, stdout=log, stderr=log, start_new_session=True
            )
        until(lambda: answers(self.port) or self._ended(), "server")

    def _ended(self) -> bool:
        assert self._running is not None
        if self._running.poll() is not None:
            said = (self._folder / "log").read_text(errors="replace")
            raise AssertionError(f"the server ended: {said[-2000:]}")
        return False

    def processor_s(self) -> float:
        """Return how long it has kept a core busy, with what it has started."""
        return 0.0 if self._running is None else processor_s(self._running.pid)

    def kill(self) -> None:
        """End it at once, with all that it has started."""
        running, self._running = self._running, None
        if running is not None:
            with suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)
            running.wait(WAIT_S)


@contextmanager
def an_open_folder() -> Iterator[Path]:
    """Make a folder that Mosquitto can enter once it has given up root.

    pytest's own are root's alone: each start of pytest sees to that, so that to open
    them is undone by another that starts meanwhile.
    """
    with tempfile.TemporaryDirectory(prefix="club-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


@contextmanager
def a_broker(config: str = "allow_anonymous true") -> Iterator[Process]:
    """Run a Mosquitto; skip the test where there is none, and say so."""
    program = shutil.which("mosquitto", path=SBIN)
    if program is None:
        pytest.skip("no Mosquitto here; `make club-servers` gets it where it may")
    port = free_port()
    with an_open_folder() as folder:
        (folder / "conf").write_text(f"listener {port} 127.0.0.1\n{config}\n")
        broker = Process([program, "-c", str(folder / "conf")], port, folder)
        try:
            broker.start()
            yield broker
        finally:
            broker.kill()


class Database(Process):
    """A PostgreSQL that nobody else uses."""

    @property
    def url(self) -> str:
        return f"postgresql://club@127.0.0.1:{self.port}/postgres"

    @property
    def socket_folder(self) -> Path:
        """Where its socket is, as /run/postgresql is Debian's."""
        return self._folder

    def start(self) -> None:
        super().start()
        # It listens before it has mended what a kill has left.
        until(self._takes_work, "database that is ready")

    def _takes_work(self) -> bool:
        try:
            psycopg.connect(self.url, connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def kill(self) -> None:
        """Kill it as a power cut would: no process of it says goodbye."""
        super().kill()
        # Children that still hold its memory keep the next one from starting.
        until(lambda: not answers(self.port), "end of the database")


@contextmanager
def a_database() -> Iterator[Database]:
    """Run a PostgreSQL; skip the test where there is none, and say so."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not found:
        pytest.skip("no PostgreSQL here; `make club-servers` gets it where it may")
    programs, port = found[-1].parent, free_port()
    with tempfile.TemporaryDirectory(prefix="club-database-") as name:
        folder = Path(name)
        as_other: list[str] = []
        if os.getuid() == 0:
            # PostgreSQL refuses to run as root.
            other = pwd.getpwnam("postgres")
            os.chown(folder, other.pw_uid, other.pw_gid)
            as_other = ["setpriv", "--reuid=postgres", "--regid=postgres",
                        "--clear-groups"]  # fmt: skip
        data = folder / "data"
        made = [
            *as_other, str(programs / "initdb"), "-D", str(data), "-U", "club",
            "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8",
        ]  # fmt: skip
        subprocess.run(made, check=True, capture_output=True, cwd=folder)
        command = [
            *as_other, str(programs / "postgres"), "-D", str(data), "-p", str(port),
            "-h", "127.0.0.1", "-k", str(folder),
        ]  # fmt: skip
        database = Database(command, port, folder)
        try:
            database.start()
            yield database
        finally:
            database.kill()
