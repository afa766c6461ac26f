"""The broker's own files: each table writes for itself alone; nobody else gets in."""

import json
import shutil
import subprocess
import sys
from contextlib import contextmanager

import pytest

from companion.club.broker import Address, Link, Will
from companion.club.broker_files import (
    BadTables,
    acl,
    config,
    members,
    passwords,
    table_settings,
)
from companion.club.messages import HUBS, here_topic, now_topic, stored_topic
from companion.club.table.checks import examine_club
from companion.running.storage.store import Store
from firmware.finding import Level
from tests.club.servers import SBIN, a_broker, an_open_folder, until
from tests.ports import free_port

NAMES = ("Table 1", "Table 2")


@pytest.fixture(scope="module")
def club():
    """A Mosquitto with the files that are made for two tables, and its passwords."""
    hasher = shutil.which("mosquitto_passwd", path=SBIN)
    if hasher is None:
        pytest.skip("no mosquitto_passwd here; `make club-servers` gets it")
    with an_open_folder() as folder:
        yield from broker_in(folder, hasher)


def broker_in(folder, hasher):
    made = members(NAMES)
    (folder / "dragon-table.acl").write_text(acl([one.user for one in made]))
    (folder / "passwords").write_text(passwords(made))
    subprocess.run([hasher, "-U", str(folder / "passwords")], check=True)
    (folder / "passwords").chmod(0o644)
    lines = config(folder, tls=False).splitlines()
    # The test's own broker has its own port and keeps nothing.
    own = ("listener", "persistence")
    kept = [line for line in lines if not line.startswith(own)]
    with a_broker("\n".join(kept)) as broker:
        yield broker, {one.user: one.password for one in made}


@contextmanager
def signed_in(club, user: str, password: str | None = None, hears: tuple = ()):
    broker, known = club
    heard: list[tuple[str, bytes]] = []
    address = Address("127.0.0.1", broker.port, tls=False, user=user,
                      password=password or known[user])  # fmt: skip

    def receive(topic: str, payload: bytes, _number: int) -> bool:
        heard.append((topic, payload))
        return True

    link = Link(address, f"test-{user}", Will(here_topic(user)), hears, receive)
    link.start()
    try:
        link.wait_up(5)
        yield link, heard
    finally:
        link.stop()


@pytest.mark.slow
def test_a_table_may_write_for_itself_alone(club):
    with signed_in(club, "table-1") as (link, _):
        assert link.may_publish(now_topic("table-1"), b"mine", 5)
        assert not link.may_publish(now_topic("table-2"), b"not mine", 5)
        assert not link.may_publish(stored_topic("table-1"), b"a hub's", 5)
        assert not link.may_publish(f"{HUBS}/hub-1/here", b"here", 5)


@pytest.mark.slow
def test_a_table_hears_what_is_asked_of_it_and_of_all(club):
    with (
        signed_in(club, "table-2", hears=("dragon-table/#",)) as (_, heard),
        signed_in(club, "hub") as (hub, _),
    ):
        hub.publish(stored_topic("table-1"), b"another's")
        hub.publish(stored_topic("table-2"), b"its own")
        hub.publish("dragon-table/asks/all/forget", b"all's")
        until(lambda: len(heard) >= 2, "messages")

    assert [payload for _, payload in heard] == [b"its own", b"all's"]


@pytest.mark.slow
def test_a_smart_home_reads_whose_turn_it_is_and_no_entries(club):
    topics = ("dragon-table/tables/+/home", "dragon-table/tables/+/entries")
    with (
        signed_in(club, "home", hears=topics) as (home, heard),
        signed_in(club, "table-1") as (table, _),
    ):
        table.publish("dragon-table/tables/table-1/entries", b"entries")
        table.publish("dragon-table/tables/table-1/home", b"turn")
        until(lambda: heard, "message")
        assert not home.may_publish("dragon-table/tables/table-1/home", b"x", 5)

    assert [payload for _, payload in heard] == [b"turn"]


@pytest.mark.slow
def test_nobody_comes_in_by_a_wrong_password(club):
    with signed_in(club, "table-1", "wrong") as (link, _):
        assert not link.is_up
        assert link.refused is not None


def openssl(folder, *arguments: str) -> None:
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)


# paho-mqtt leaves the socket of a handshake that failed to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl here")
@pytest.mark.slow
def test_what_is_said_is_encrypted_and_only_the_clubs_broker_believed(open_folder):
    folder = open_folder
    # As firmware/pi/club/install.sh makes them.
    (folder / "ext").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
    new = ("req", "-newkey", "rsa:2048", "-nodes")
    openssl(folder, *new, "-x509", "-subj", "/CN=Club", "-keyout", "ca.key",
            "-out", "ca.crt")  # fmt: skip
    openssl(folder, *new, "-subj", "/CN=localhost", "-keyout", "broker.key",
            "-out", "csr")  # fmt: skip
    openssl(folder, "x509", "-req", "-in", "csr", "-CA", "ca.crt", "-CAkey", "ca.key",
            "-CAcreateserial", "-extfile", "ext", "-out", "broker.crt")  # fmt: skip
    (folder / "broker.key").chmod(0o644)
    files = ("cafile", "certfile", "keyfile")
    lines = [one for one in config(folder).splitlines() if one.startswith(files)]

    with a_broker("\n".join([*lines, "allow_anonymous true"])) as broker:
        trusting = Address("127.0.0.1", broker.port, True, ca=folder / "ca.crt")
        stranger = Address("127.0.0.1", broker.port, True)
        up = []
        for address in (trusting, stranger):
            will = Will(here_topic("t"))
            link = Link(address, "t", will, (), lambda _t, _p, _n: True)
            link.start()
            up.append(link.wait_up(3))
            link.stop()

    assert up == [True, False]


@pytest.mark.slow
def test_a_table_by_another_name_than_its_users_says_so_in_its_journal(club, caplog):
    with signed_in(club, "table-1") as (link, _):
        for _ in range(2):
            link.publish("dragon-table/tables/table-2/now", b"x")
        until(lambda: "user table-1 may write for another name" in caplog.text, "word")
        assert link.may_publish("dragon-table/tables/table-1/now", b"x", 5)

    assert caplog.text.count("may write for another name") == 1


@pytest.mark.slow
class TestTheDoctor:
    def findings(self, club, tmp_path, user="table-1", table=None):
        broker, known = club
        Store(tmp_path / "table.sqlite3").close()
        address = Address("127.0.0.1", broker.port, False, user, known.get(user))
        found = examine_club(address, table or user, tmp_path / "table.sqlite3")
        return {one.id: one.level for one in found}

    def test_it_finds_broker_and_rights_and_that_no_hub_runs(self, club, tmp_path):
        assert self.findings(club, tmp_path) == {
            "club": Level.OK, "rights": Level.OK, "hubs": Level.WARN,
            "outbox": Level.OK,
        }  # fmt: skip

    def test_an_open_broker_is_a_warning(self, broker, tmp_path):
        found = self.findings((broker, {}), tmp_path)

        assert found["rights"] is Level.WARN

    def test_a_table_by_another_name_than_its_users_cannot_write(self, club, tmp_path):
        found = self.findings(club, tmp_path, "table-1", "table-2")

        assert found["rights"] is Level.FAIL

    def test_who_is_not_let_in_is_told_what_to_check(self, club, tmp_path):
        assert self.findings(club, tmp_path, "stranger") == {"club": Level.FAIL}


class TestNames:
    def test_two_tables_that_come_to_one_user_are_refused(self):
        with pytest.raises(BadTables, match="table-1"):
            members(("Table 1", "table-1"))

    def test_no_table_is_called_like_a_hub(self):
        with pytest.raises(BadTables, match="hub"):
            members(("Hub",))

    def test_a_tables_settings_name_its_user_and_keep_its_password_apart(self):
        (first, *_) = members(NAMES)

        lines = table_settings(first, "Table 1", "club.local").splitlines()

        assert lines[0] == "DRAGON_TABLE_CLUB=mqtts://table-1@club.local"
        assert lines[1] == f"DRAGON_TABLE_CLUB_PASSWORD={first.password}"
        assert lines[2] == 'DRAGON_TABLE_NAME="Table 1"'


@pytest.mark.slow
def test_the_command_writes_a_file_for_each_table(tmp_path):
    made = subprocess.run(
        [sys.executable, "-m", "companion.cli", "club-files", str(tmp_path / "out"),
         "--tables", "Table 1,Bar"],
        check=True, capture_output=True, text=True,
    )  # fmt: skip

    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "bar.settings", "dragon-table.acl", "dragon-table.conf", "home.settings",
        "hub.settings", "passwords", "table-1.settings",
    ]  # fmt: skip
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o700
    assert "7 files" in made.stdout


@pytest.mark.slow
def test_the_doctor_says_what_is_wrong_with_an_address(tmp_path):
    made = subprocess.run(
        [sys.executable, "-m", "companion.cli", "doctor", "--club", "http://club",
         "--data", str(tmp_path), "--port", str(free_port()), "--json"],
        check=False, capture_output=True, text=True,
    )  # fmt: skip

    assert made.returncode == 1
    (found,) = [one for one in json.loads(made.stdout) if one["id"] == "club"]
    assert found["level"] == "fail"
    assert "write mqtts://" in found["evidence"]
