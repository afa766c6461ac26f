"""Games one after the other while ten phones listen: nothing piles up."""

import http.client
import os
import re
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

from companion.dashboard.serve import THREADS
from companion.running.storage.salvage import memory
from tests.trust.soaking import Held

ROOT = Path(__file__).parents[2]
UNIT = ROOT / "firmware" / "systemd" / "dragon-table.service"
PHONES = 10
WARM = 0.25
"""Of all games: until then memory comes to its usual size."""

MOST_MB_AN_HOUR = 1.0
"""Of some 5,000 games; at a table one has three or four."""


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


def warm_up(port: int) -> None:
    """Let each of the server's threads answer: its stack is memory from then on.

    They take turns. Ten streams that come back after ten minutes would else take ten
    more stacks each time, for two hours.
    """
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    for _ in range(2 * THREADS):
        line.request("GET", "/")
        assert line.getresponse().read()
    line.close()


def as_the_service() -> dict[str, str]:
    """Return the environment that the service gives: it bounds what threads keep.

    Without it each of the page's 112 threads keeps freed blocks for itself, more with
    each stream that it has carried: streams come back after ten minutes, to others.
    """
    text = UNIT.read_text(encoding="utf-8")
    names = "MALLOC_ARENA_MAX|GLIBC_TUNABLES"
    given = dict(re.findall(rf"^Environment=({names})=(.+)$", text, re.MULTILINE))
    assert len(given) == 2
    return {**os.environ, **given}


def soaked(folder: Path, games: int, every: int) -> tuple[list[Held], int]:
    """Let so many games be played; return what was held meanwhile, and events heard."""
    command = [sys.executable, "-m", "tests.trust.soaking", str(folder), str(games)]
    with subprocess.Popen(
        [*command, str(every)], cwd=ROOT, env=as_the_service(),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as table:  # fmt: skip
        assert table.stdin is not None
        assert table.stdout is not None
        port = int(table.stdout.readline())
        warm_up(port)
        listeners = Listeners(port)
        listeners.start()
        table.stdin.write(b"!")
        table.stdin.close()
        held = [msgspec.json.decode(line, type=Held) for line in table.stdout]
        listeners.join(60)
    assert table.returncode == 0
    return held, listeners.heard


def mb_an_hour(held: list[Held]) -> float:
    """Return by how much memory grows in an hour of such games, once all is warm."""
    warm = held[round(WARM * len(held)) :]
    at_h, mb = [one.at_s / 3600 for one in warm], [one.kb / 1024 for one in warm]
    return float(np.polyfit(at_h, mb, 1)[0])


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

    grown, last, warm = mb_an_hour(held), held[-1], held[round(WARM * len(held))]
    threads = {one.threads for one in held[2:]}
    files = [one.files for one in held[2:]]
    record_property(
        "figures",
        f"{last.games:,} games, {last.events:,} entries, {heard:,} events to {PHONES} "
        f"phones in {(last.at_s - held[0].at_s) / 60:.0f} minutes: {grown:.1f} MB an "
        f"hour after {warm.games:,} games, {last.kb // 1024} MB at the end; at most "
        f"{max(one.cached for one in held):,} results in bounded caches, which were "
        f"emptied each time; {len(threads)} count of threads, "
        f"{min(files)} to {max(files)} files",
    )
    assert grown < MOST_MB_AN_HOUR
    assert len(threads) == 1
    assert max(files) - min(files) <= 2


def test_a_table_that_keeps_a_little_of_each_game_would_be_found_out():
    """Two hundred bytes a game, where 5,000 games take an hour."""
    held = [
        Held(at_s=0.72 * games, games=games, events=0, kb=100_000 + games // 4,
             threads=1, files=1, cached=0)
        for games in range(0, 2_000, 50)
    ]  # fmt: skip

    # 1,250 kB an hour.
    assert mb_an_hour(held) == pytest.approx(1.22, abs=0.02)
    assert mb_an_hour(held) > MOST_MB_AN_HOUR
