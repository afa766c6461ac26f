"""A running table listens at one port, and what it keeps is for its own user alone."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ports import free_port
from tests.trust.killing import PLAYERS, ForkedProgram

pytestmark = pytest.mark.slow

LISTENS = "0A"
"""Source: Linux, include/net/tcp_states.h, TCP_LISTEN."""


def listening(pid: int) -> list[int]:
    """Return the ports at which a process can be reached, UDP's too."""
    own = {str(path.readlink()) for path in Path(f"/proc/{pid}/fd").iterdir()}
    ports = []
    for kind in ("tcp", "tcp6", "udp", "udp6"):
        for line in Path(f"/proc/{pid}/net/{kind}").read_text().splitlines()[1:]:
            _, here, _, state, *rest = line.split()
            waits = state == LISTENS or kind.startswith("udp")
            if waits and f"socket:[{rest[5]}]" in own:
                ports.append(int(here.rpartition(":")[2], 16))
    return ports


def open_to_others(folder: Path) -> list[str]:
    """Return the secrets below a folder that another user may read or write."""
    secret = ("table.sqlite3", "table.sqlite3-wal", "table.sqlite3-shm", "keys.json")
    return [
        path.name
        for path in folder.rglob("*")
        if path.name in secret and path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO)
    ]


def be_started_by_hand() -> None:
    """Mask as little as most shells do; the service masks all by itself."""
    os.umask(0o022)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ForkedProgram]:
    program = ForkedProgram(
        "drachenhort", "--players", ",".join(PLAYERS),
        data=tmp_path, port=free_port(), change=be_started_by_hand,
    )  # fmt: skip
    program.host()
    yield program
    program.kill()


def test_one_port_is_open_and_no_other(table: ForkedProgram):
    assert table.forked.pid is not None

    assert listening(table.forked.pid) == [table.port]


def test_games_and_keys_are_for_their_own_user(table: ForkedProgram, tmp_path: Path):
    kept = {path.name for path in tmp_path.iterdir()}

    assert {"table.sqlite3", "keys.json"} <= kept
    assert open_to_others(tmp_path) == []


def test_a_file_that_others_may_read_is_found(tmp_path: Path):
    (tmp_path / "keys.json").touch(0o644)
    (tmp_path / "keys.json").chmod(0o644)

    assert open_to_others(tmp_path) == ["keys.json"]
