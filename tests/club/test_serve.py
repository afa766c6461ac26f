"""``dragon-table serve --club`` as a process: it joins, or plays on where it cannot."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.club.conftest import Club
from tests.club.servers import SBIN, Process, answers, until
from tests.ports import free_port

pytestmark = pytest.mark.slow


@contextmanager
def served(folder: Path, *options: str, **environ: str) -> Iterator[Path]:
    """Run a table as a process; give the file of what it says."""
    said = folder / "said"
    with said.open("wb") as out:
        running = subprocess.Popen(
            [sys.executable, "-m", "companion.cli", "serve", "--port", "0",
             "--camera", "none", "--data", str(folder / "data"), *options],
            stdout=out, stderr=out, env={**os.environ, **environ},
        )  # fmt: skip
        try:
            until(lambda: "http://" in said.read_text(), "page of the table", 60)
            until(lambda: _heeds(running.pid), "table that can be asked to end", 60)
            yield said
        finally:
            running.send_signal(signal.SIGTERM)
            assert running.wait(30) == 0


def _heeds(pid: int) -> bool:
    """Tell whether a process has said what it does when it is to end."""
    status = Path(f"/proc/{pid}/status").read_text()
    (caught,) = re.findall(r"SigCgt:\s*([0-9a-f]+)", status)
    return bool(int(caught, 16) >> (signal.SIGTERM - 1) & 1)


def test_a_table_joins_and_says_goodbye(club: Club, broker: Process, tmp_path):
    _, _, room = club.hub(f"sqlite:///{tmp_path}/club.db")
    at = f"mqtt://127.0.0.1:{broker.port}"

    with served(tmp_path, "--club", at, "--table-name", "Près du bar"):
        seen = until(lambda: room.table("pres-du-bar"), "table in the room", 60)
        assert seen.now.name == "Près du bar"
        until(lambda: room.table("pres-du-bar").here, "word that it is here")

    until(lambda: not room.table("pres-du-bar").here, "word that it is gone")


def test_its_settings_may_say_so_too(club: Club, broker: Process, tmp_path):
    _, _, room = club.hub(f"sqlite:///{tmp_path}/club.db")

    with served(
        tmp_path,
        DRAGON_TABLE_CLUB=f"mqtt://127.0.0.1:{broker.port}",
        DRAGON_TABLE_NAME="Table 12",
    ):
        until(lambda: room.table("table-12"), "table in the room", 60)


@pytest.mark.parametrize(
    ("club", "name", "why"),
    [
        ("http://club", "Table 1", "no broker's address"),
        ("mqtt://127.0.0.1:9", "###", "call it such as"),
    ],
)
def test_what_stands_in_the_way_is_said_and_the_table_plays(club, name, why, tmp_path):
    with served(tmp_path, "--club", club, "--table-name", name) as said:
        assert "The table plays without its club" in said.read_text()
        assert why in said.read_text()


def test_a_table_whose_broker_is_away_comes_up_and_ends(tmp_path):
    with served(tmp_path, "--club", "mqtt://127.0.0.1:9") as said:
        assert "without its club" not in said.read_text()


def test_the_demo_shows_a_drawn_table_in_a_club(tmp_path):
    if shutil.which("mosquitto", path=SBIN) is None:
        pytest.skip("no Mosquitto here; `make club-servers` gets it where it may")
    port = free_port()
    with subprocess.Popen(
        [sys.executable, "-m", "companion.cli", "club-demo", "--tables", "1",
         "--port", str(port)],
        stdout=subprocess.DEVNULL,
    ) as running:  # fmt: skip
        try:
            until(lambda: answers(port), "page of the club", 60)
            until(lambda: _tables(port), "drawn table in the room", 90)
        finally:
            running.send_signal(signal.SIGTERM)

    assert running.returncode == 0


def _tables(port: int) -> list[str]:
    with urlopen(f"http://127.0.0.1:{port}/now", timeout=10) as answer:
        return [table["name"] for table in json.load(answer)["tables"]]
