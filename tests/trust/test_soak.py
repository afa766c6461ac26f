"""Games one after the other while ten phones listen: nothing piles up."""

import selectors
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import numpy as np
import pytest

from companion.running.storage.salvage import memory
from tests.trust.soaking import Held

ROOT = Path(__file__).parents[2]
PHONES = 10
KB_A_GAME = 8.0
"""What is known of a position is kept by the games' own caches until those are full:
most of what Python counts (`tracemalloc`). A stored game takes a line in the list of
games. An evening has ten of them, and would not notice."""


class Listeners(threading.Thread):
    """Phones that read their streams, and come back when one ends."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self._port, self._watch = port, selectors.DefaultSelector()
        self.heard = 0
        for number in range(PHONES):
            self._listen(("fr", "en", "de")[number % 3])

    def _listen(self, language: str) -> None:
        phone = socket.create_connection(("127.0.0.1", self._port), 10)
        asks = f"Accept-Language: {language}"
        lines = ("GET /api/events HTTP/1.1", "Host: localhost", asks, "", "")
        phone.sendall("\r\n".join(lines).encode())
        self._watch.register(phone, selectors.EVENT_READ, language)

    def run(self) -> None:
        while self._watch.get_map():
            for key, _ in self._watch.select(1.0):
                phone = key.fileobj
                assert isinstance(phone, socket.socket)
                try:
                    text = phone.recv(1 << 18)
                except OSError:
                    text = b""
                self.heard += text.count(b"event: change")
                if not text:
                    self._watch.unregister(phone)
                    phone.close()
                    try:
                        self._listen(key.data)
                    except OSError:
                        continue  # the table has come to its end


def soaked(folder: Path, games: int, every: int) -> tuple[list[Held], int]:
    """Let so many games be played; return what was held meanwhile, and events heard."""
    command = [sys.executable, "-m", "tests.trust.soaking", str(folder), str(games)]
    with subprocess.Popen(
        [*command, str(every)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as table:
        assert table.stdin is not None
        assert table.stdout is not None
        listeners = Listeners(int(table.stdout.readline()))
        listeners.start()
        table.stdin.write(b"!")
        table.stdin.close()
        held = [msgspec.json.decode(line, type=Held) for line in table.stdout]
        listeners.join(60)
    assert table.returncode == 0
    return held, listeners.heard


def kb_a_game(held: list[Held]) -> float:
    """Return by how much memory grows with each game, once all is warm."""
    warm = held[len(held) // 4 :]
    return float(
        np.polyfit([one.games for one in warm], [one.kb for one in warm], 1)[0]
    )


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder in memory: to wait for the disk after each act would take hours."""
    with TemporaryDirectory(dir=memory()) as name:
        yield Path(name)


@pytest.mark.slow
def test_a_few_games_leave_no_thread_and_no_file_behind(folder: Path):
    held, heard = soaked(folder, 10, 2)

    assert [one.games for one in held] == [2, 4, 6, 8, 10]
    assert len({one.threads for one in held[1:]}) == 1
    assert max(one.files for one in held[1:]) - min(one.files for one in held[1:]) <= 2
    assert heard > 10 * PHONES


@pytest.mark.long
def test_two_thousand_games_with_ten_phones(folder: Path, record_property):
    held, heard = soaked(folder, 2_000, 50)

    grown, last = kb_a_game(held), held[-1]
    threads = {one.threads for one in held[2:]}
    files = [one.files for one in held[2:]]
    record_property(
        "figures",
        f"{last.games:,} games, {last.events:,} entries, {heard:,} events to {PHONES} "
        f"phones: {grown:.1f} kB a game, {last.kb // 1024} MB at the end, "
        f"{len(threads)} count of threads, {min(files)} to {max(files)} files",
    )
    assert grown < KB_A_GAME
    assert len(threads) == 1
    assert max(files) - min(files) <= 2
