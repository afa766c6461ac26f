"""The host's PIN and link: on a terminal, and for whoever may read the folder."""

import os
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.cli.appliance import Wanted, run_table
from companion.cli.pin import goes_to_journal, pin_command
from companion.cli.play import greet, lay
from companion.dashboard import host_link
from companion.dashboard.door.auth import Authenticator, Who
from companion.running.storage.store import Store
from tests.running.table_setup import SETUP

KEY, PIN = "ab" * 32, "271828"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The folder of a table that was started once."""
    store = Store(tmp_path / "table.sqlite3")
    store.keep_keys(KEY, PIN)
    store.close()
    return tmp_path


def told(data: Path, *more: str) -> list[str]:
    """Return the lines of ``dragon-table pin``."""
    return (
        CliRunner()
        .invoke(pin_command, ["--data", str(data), *more])
        .output.splitlines()
    )


def test_pin_and_link_are_told_to_whoever_may_read_the_folder(data: Path):
    pin, link, *code = told(data, "--port", "8123")

    assert pin == f"host PIN {PIN}"
    assert link.endswith(host_link("x:8123", bytes.fromhex(KEY)).removeprefix("x"))
    assert len(code) > 10


def test_the_link_is_the_one_of_today_after_a_host_stepped_down(data: Path):
    with run_table(Wanted(0, data, bare=True)) as there:
        auth = Authenticator(there.table, there.known.key, PIN, float)
        auth.give_up(auth.let_in(Who(host=True)))
        today = auth.host_link("x").removeprefix("x")

    assert told(data)[1].endswith(today)


def test_without_a_pin_one_line_says_what_to_do(tmp_path: Path, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["pin", "--data", str(tmp_path)])

    assert ended.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert str(tmp_path) in line
    assert "--data" in line


def test_what_goes_to_the_journal_is_known_by_the_file_that_systemd_names(tmp_path):
    with (tmp_path / "out").open("w") as output:
        at = os.fstat(output.fileno())
        ours = {"JOURNAL_STREAM": f"{at.st_dev}:{at.st_ino}"}

        assert goes_to_journal(output, ours)
        assert not goes_to_journal(output, {"JOURNAL_STREAM": "1:2"})
        assert not goes_to_journal(output, {})


@pytest.mark.slow
@pytest.mark.parametrize("journal", [False, True])
def test_no_secret_goes_to_the_journal(data: Path, capfd, monkeypatch, journal: bool):
    with run_table(Wanted(0, data, bare=True)) as there:
        lay(there.table, SETUP)
        # pytest's own file in the place of what the program prints to.
        with (data / "out").open("w+") as output:
            at = os.fstat(output.fileno())
            name = f"{at.st_dev}:{at.st_ino}" if journal else "1:2"
            monkeypatch.setenv("JOURNAL_STREAM", name)
            monkeypatch.setattr(sys, "stdout", output)
            greet(there)
            monkeypatch.undo()
        text = (data / "out").read_text()

    assert (PIN in text, "/j/" in text) == ((False, False) if journal else (True, True))
    if journal:
        (line,) = text.splitlines()
        assert f"pin --data {data} --port {there.port}" in line


def test_a_fault_on_a_link_is_logged_without_its_code(caplog, monkeypatch):
    from tests.dashboard.browsing import make_app
    from tests.dashboard.fakes import FakeTable

    def broken(*_: object) -> None:
        raise ValueError("ours")

    monkeypatch.setattr(Authenticator, "read", broken)
    answer = make_app(FakeTable()).test_client().get("/j/abcdefgh")

    assert answer.status_code == 500
    assert "GET /j/<code> failed" in caplog.text
    assert "abcdefgh" not in caplog.text
