"""Setting up the machine behind the counter, below a scratch root.

`install.sh` is the real one, as are Mosquitto, OpenSSL and PostgreSQL; what would
change this computer is a stand-in that notes how it was called.
"""

import os
import random
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psycopg
import pytest

from companion.club.broker import Link, Will, read_address
from companion.club.hub.hub import Hub
from companion.club.hub.records import Records
from companion.club.hub.room import Room
from companion.club.messages import here_topic, now_topic, stored_topic
from companion.club.table.publisher import Membership, Publisher
from companion.running.snapshot import Setup
from companion.running.wishes import Clock
from tests.club.servers import SBIN, Database, Process, until
from tests.dashboard.fakes import FakeTable
from tests.dashboard.playing import play_on
from tests.ports import free_port

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).parents[2]
INSTALL = PROJECT / "firmware" / "pi" / "club" / "install.sh"

DEBIANS_OWN = """\
persistence true
persistence_location /var/lib/mosquitto/
log_dest file /var/log/mosquitto/mosquitto.log
include_dir /etc/mosquitto/conf.d
"""
"""What stands in /etc/mosquitto/mosquitto.conf. Source: Debian's package 2.0.11."""

STAND_INS = {
    "apt-get": """
case "$*" in
  *mosquitto*)
    mkdir -p "$DESTDIR/etc/mosquitto/conf.d" "$DESTDIR/etc/default"
    printf '%s' "$DEBIANS_OWN" > "$DESTDIR/etc/mosquitto/mosquitto.conf" ;;
esac""",
    "getent": "exit 2",
    "useradd": "",
    "systemctl": '[ "$1" != restart ] || [ -z "${BROKEN-}" ]',
    # Over its socket PostgreSQL would believe that this is its own user.
    "runuser": 'shift 3; PGDATABASE=postgres exec "$@"',
    # The owner of a file can be changed by root alone.
    "chown": '[ "$(/usr/bin/id -u)" != 0 ] || exec /usr/bin/chown "$@"',
    # A venv in an instant, with the program of this checkout.
    "python3": f"""
for made; do :; done
mkdir -p "$made/bin"
printf '#!/bin/sh\\necho pip "$@" >> "$CALLS"\\n' > "$made/bin/pip"
printf '#!/bin/sh\\ncd {PROJECT} && exec {sys.executable} -m companion.cli "$@"\\n' \\
  > "$made/bin/dragon-table"
chmod +x "$made/bin/"*""",
}


class Machine:
    """A scratch root that `install.sh` makes a club's."""

    def __init__(self, folder: Path, database: Database) -> None:
        self.root, self.calls = folder / "root", folder / "calls"
        self.files = self.root / "etc/dragon-table"
        self.settings = self.root / "etc/default/dragon-table-club"
        self.units = self.root / "etc/systemd/system"
        self._database = database
        self._bin = folder / "bin"
        self._bin.mkdir()
        for name, body in STAND_INS.items():
            path = self._bin / name
            path.write_text(f'#!/bin/sh\necho {name} "$@" >> "$CALLS"\n{body}\n')
            path.chmod(0o755)

    def install(
        self, *arguments: str, **changes: str
    ) -> subprocess.CompletedProcess[str]:
        self.calls.write_text("")
        environ = {
            "PATH": f"{self._bin}:{SBIN}",
            "DESTDIR": str(self.root),
            "CALLS": str(self.calls),
            "DEBIANS_OWN": DEBIANS_OWN,
            "PGHOST": "127.0.0.1",
            "PGPORT": str(self._database.port),
            "PGUSER": "club",
            **changes,
        }
        return subprocess.run(
            ["sh", str(INSTALL), *arguments],
            env=environ, capture_output=True, text=True, check=False,
        )  # fmt: skip

    def called(self, words: str) -> bool:
        return words in self.calls.read_text()

    def of(self, user: str) -> dict[str, str]:
        """Return the lines of a member's settings."""
        return _lines(self.files / f"{user}.settings")

    def hubs(self, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
        """Return the hub's settings, for its own user, at the sockets of this test."""
        settings = _lines(self.settings)
        store = settings["DRAGON_TABLE_CLUB_STORE"]
        folder = str(self._database.socket_folder)
        # What Debian's socket knows by itself: who asks, and the port.
        monkeypatch.setenv("PGUSER", "dragon-club")
        monkeypatch.setenv("PGPORT", str(self._database.port))
        return settings | {
            "DRAGON_TABLE_CLUB_STORE": store.replace("/run/postgresql", folder),
            "DRAGON_TABLE_CLUB_CA": str(self.files / "ca.crt"),
        }

    @contextmanager
    def broker(self, folder: Path) -> Iterator[Process]:
        """Run Mosquitto by the files as they were installed, at a port of its own."""
        port, kept = free_port(), folder / "state"
        kept.mkdir()
        if os.getuid() == 0:
            shutil.chown(kept, "mosquitto")
        etc = self.root / "etc"
        moved = {
            "/etc/": f"{etc}/",
            "/var/lib/mosquitto/": f"{kept}/",
            "listener 8883": f"listener {port} 127.0.0.1",
            "file /var/log/mosquitto/mosquitto.log": "stderr",
        }
        for path in (etc / "mosquitto").rglob("*.conf"):
            text = path.read_text()
            for there, here in moved.items():
                text = text.replace(there, here)
            path.write_text(text)
        program = shutil.which("mosquitto", path=SBIN)
        assert program is not None
        main = str(etc / "mosquitto/mosquitto.conf")
        broker = Process([program, "-c", main], port, folder)
        try:
            broker.start()
            yield broker
        finally:
            broker.kill()


def _lines(path: Path) -> dict[str, str]:
    """Return a file of settings as systemd reads it."""
    pairs = (line.split("=", 1) for line in path.read_text().splitlines())
    return {name: "".join(shlex.split(value)) for name, value in pairs}


@pytest.fixture
def machine(database: Database, open_folder: Path) -> Iterator[Machine]:
    if shutil.which("mosquitto_passwd", path=SBIN) is None:
        pytest.skip("no Mosquitto here; `make club-servers` gets it where it may")
    for program in ("openssl", "psql", "createuser", "createdb"):
        if shutil.which(program) is None:
            pytest.skip(f"no {program} here; `make club-servers` gets it where it may")
    yield Machine(open_folder, database)
    with psycopg.connect(database.url, autocommit=True) as db:
        db.execute("DROP DATABASE IF EXISTS club WITH (FORCE)")
        db.execute('DROP ROLE IF EXISTS "dragon-club"')


@pytest.fixture
def installed(machine: Machine) -> Machine:
    done = machine.install("Table 1,Près du bar", "club.local")
    assert done.returncode == 0, done.stderr
    return machine


def test_it_gets_broker_database_hub_and_a_copy_each_night(installed: Machine):
    assert installed.called("--no-install-recommends python3-venv mosquitto postgresql")
    assert installed.called(f"pip install --quiet {PROJECT}[club]")
    assert installed.called("useradd --system --user-group")
    units = (
        "dragon-table-club.service", "dragon-table-club-backup.service",
        "dragon-table-club-backup.timer",
    )  # fmt: skip
    for unit in units:
        # systemd warns of one that others cannot read.
        assert (installed.units / unit).stat().st_mode & 0o777 == 0o644
    for script in ("backup.sh", "restore.sh"):
        path = installed.root / "opt/dragon-table-club" / script
        assert path.stat().st_mode & 0o555 == 0o555
    assert installed.called("systemctl enable --quiet mosquitto dragon-table-club")
    assert installed.called("systemctl restart mosquitto dragon-table-club")


def test_the_hubs_settings_are_for_its_machine_alone(installed: Machine):
    settings = _lines(installed.settings)

    assert installed.settings.stat().st_mode & 0o777 == 0o600
    assert settings["DRAGON_TABLE_CLUB"] == "mqtts://hub@localhost"
    assert (
        settings["DRAGON_TABLE_CLUB_PASSWORD"]
        == (installed.of("hub")["DRAGON_TABLE_CLUB_PASSWORD"])
    )
    assert settings["DRAGON_TABLE_CLUB_CA"] == "/etc/dragon-table/ca.crt"
    assert settings["DRAGON_TABLE_CLUB_STORE"].startswith("postgresql:///club?host=")
    assert settings["DRAGON_TABLE_CLUB_PIN"].isdecimal()
    assert "DRAGON_TABLE_NAME" not in settings


def test_nobody_else_reads_passwords_or_keys(installed: Machine):
    for path in installed.files.iterdir():
        mode = path.stat().st_mode & 0o777
        wanted = 0o644 if path.suffix == ".crt" and path.stem != "ca.key" else 0o600
        if path.name not in ("ca.srl", "broker.csr", "broker.ext"):
            assert mode == wanted, path.name
    # A hub on this machine finds its authority's file.
    assert installed.files.stat().st_mode & 0o777 == 0o711


def test_no_password_is_written_as_it_is_where_the_broker_reads_it(installed: Machine):
    told = (installed.files / "passwords").read_text()

    assert installed.of("table-1")["DRAGON_TABLE_CLUB_PASSWORD"] not in told
    assert told.startswith("table-1:$7$")


def test_who_says_no_tables_is_told_what_to_say(machine: Machine):
    done = machine.install()

    assert done.returncode == 1
    assert 'sudo install.sh "Table 1,Table 2"' in done.stderr
    assert not machine.called("apt-get")


def test_what_does_not_start_is_said_with_where_to_look(machine: Machine):
    done = machine.install("Table 1", BROKEN="yes")

    assert done.returncode == 1
    assert "journalctl -u mosquitto -u dragon-table-club" in done.stderr
    assert "done; open" not in done.stdout


def test_run_again_passwords_are_new_and_tables_keep_the_authority(installed: Machine):
    before = installed.of("table-1")
    authority = (installed.files / "ca.crt").read_text()
    pin = _lines(installed.settings)["DRAGON_TABLE_CLUB_PIN"]

    done = installed.install("Table 1,Près du bar,Table 3", "club.local")

    assert done.returncode == 0, done.stderr
    assert installed.of("table-1") != before
    assert installed.of("table-3")["DRAGON_TABLE_CLUB"] == "mqtts://table-3@club.local"
    assert (installed.files / "ca.crt").read_text() == authority
    assert _lines(installed.settings)["DRAGON_TABLE_CLUB_PIN"] != pin


# paho-mqtt leaves the socket of a handshake that failed to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_the_broker_starts_by_these_files_and_refuses_a_foreign_topic(
    installed: Machine, open_folder: Path
):
    folder = open_folder / "running"
    folder.mkdir()
    with installed.broker(folder) as broker, ExitStack() as stack:

        def signed_in(user: str, password: str | None = None) -> Link:
            environ = installed.of(user)
            if password is not None:
                environ["DRAGON_TABLE_CLUB_PASSWORD"] = password
            link = _link(installed, environ, broker)
            link.start()
            stack.callback(link.stop)
            link.wait_up(5)
            return link

        table = signed_in("pres-du-bar")
        assert table.may_publish(now_topic("pres-du-bar"), b"mine", 5)
        assert not table.may_publish(now_topic("table-1"), b"not mine", 5)
        assert not table.may_publish(stored_topic("pres-du-bar"), b"a hub's", 5)
        assert signed_in("hub").may_publish(stored_topic("table-1"), b"a hub's", 5)
        assert not signed_in("table-1", "wrong").is_up


def _link(machine: Machine, environ: dict[str, str], broker: Process) -> Link:
    """Return a member of the club by its own settings, at the port of this test."""
    host, port = "club.local", f"127.0.0.1:{broker.port}"
    url = environ["DRAGON_TABLE_CLUB"].replace(host, port)
    environ["DRAGON_TABLE_CLUB_CA"] = str(machine.files / "ca.crt")
    address = read_address(url, environ)
    user = str(address.user)
    return Link(
        address, f"test-{user}", Will(here_topic(user)), (), lambda _t, _p, _n: True
    )


def _run(machine: Machine, script: str, copy: Path, settings: dict[str, str]) -> None:
    done = subprocess.run(
        ["sh", str(machine.root / "opt/dragon-table-club" / script), str(copy)],
        env=os.environ | settings, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_a_game_comes_to_its_database_and_a_copy_brings_it_back(
    installed: Machine, open_folder: Path, monkeypatch
):
    """By the settings as they are, and the hub's user, who is no superuser."""
    folder = open_folder / "running"
    folder.mkdir()
    copy, settings = folder / "copy", installed.hubs(monkeypatch)
    store = settings["DRAGON_TABLE_CLUB_STORE"]
    with installed.broker(folder) as broker, ExitStack() as stack:
        records = Records(store)
        stack.callback(records.close)
        ends = f"@127.0.0.1:{broker.port}"
        url = settings["DRAGON_TABLE_CLUB"].replace("@localhost", ends)
        hub = Hub(read_address(url, settings), records, Room(Clock().wall), Clock())
        hub.start()
        stack.callback(hub.stop)
        until(lambda: hub.link.is_up, "hub at the broker")
        own = settings | installed.of("table-1")
        own["DRAGON_TABLE_CLUB_CA"] = settings["DRAGON_TABLE_CLUB_CA"]
        url = own["DRAGON_TABLE_CLUB"].replace("@club.local", ends)
        member = Membership(read_address(url, own), own["DRAGON_TABLE_NAME"])
        table = FakeTable()
        publisher = Publisher(table, member, folder, Clock(), heat=lambda: None)
        publisher.start()
        stack.callback(publisher.stop)

        table.open_game(Setup("drachenhort", ("Ana", "Bo")))
        play_on(table, random.Random(1), 10_000, "over")

        (game,) = until(records.played, "result")
        assert [seat.player for seat in game.seats] == ["Ana", "Bo"]
        _run(installed, "backup.sh", copy, settings)
        records.forget("Ana")
    _run(installed, "restore.sh", copy, settings)

    records = Records(store)
    assert records.played() == (game,)
    records.close()
