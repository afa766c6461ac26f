"""Wherever the disk refuses, the game goes on, says so, and loses nothing.

strace lets the kernel refuse some calls on the files of the games, at any of them.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from tests.trust.cutting import traced
from tests.trust.test_power_cuts import wrong_after
from tests.trust.writing import Told

pytestmark = pytest.mark.skipif(
    shutil.which("strace") is None,
    reason="no strace to refuse calls with: apt install strace",
)

ACTS = 4
FILES = ("table.sqlite3", "table.sqlite3-wal", "table.sqlite3-journal")

REFUSALS = (
    ("pwrite64", "ENOSPC"), ("pwrite64", "EIO"), ("pwrite64", "EROFS"),
    ("fdatasync", "EIO"), ("fdatasync", "ENOSPC"), ("fsync", "EIO"),
    ("ftruncate", "EIO"), ("openat", "EROFS"), ("openat", "EIO"),
)  # fmt: skip
"""Calls, and what the kernel says of a disk that is full, fails, or is read-only."""

KILLED, LIES = "killed at the end", "all is told as saved"

LASTS = 12
"""So many calls are refused in a row; then the disk takes everything again."""


def evening_with(
    folder: Path, call: str, error: str, when: str, *how: str
) -> list[Told]:
    """Play an evening on which some calls are refused; return what people were told."""
    inject = f"inject={call}:error={error}:when={when}"
    paths = [part for name in FILES for part in ("-P", str(folder / name))]
    done = subprocess.run(
        [
            "strace", "-f", "-o", "/dev/null", "-e", f"trace={call}", "-e", inject,
            *paths, sys.executable, "-m", "tests.trust.writing", str(folder),
            str(ACTS), *how,
        ],
        check=False, capture_output=True, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    assert b"Traceback" not in done.stderr, done.stderr.decode()[-2000:]
    return [msgspec.json.decode(line, type=Told) for line in done.stdout.splitlines()]


def refused_at(folder: Path, call: str, error: str, first: int) -> int:
    """See that nothing is lost; return how many things were told as not yet saved."""
    told = evening_with(folder, call, error, f"{first}..{first + LASTS}")
    assert wrong_in(folder, told) == [], (call, error, first)
    return sum(one.kind == "unsaved" for one in told)


def wrong_in(folder: Path, told: list[Told]) -> list[str]:
    """Return what a start finds there other than people were told."""
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    return wrong_after(files, told)


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> dict[str, int]:
    """How often each call is made on the games' files in a whole evening."""
    folder = tmp_path_factory.mktemp("sound") / "table"
    made = [call for call in traced(folder, ACTS) if Path(call.path).name in FILES]
    return {name: sum(c.name == name for c in made) for name, _ in REFUSALS}


@pytest.mark.slow
@pytest.mark.parametrize(("call", "error"), REFUSALS)
def test_nothing_is_lost_where_the_disk_refuses(
    call: str, error: str, tmp_path: Path, calls: dict[str, int]
):
    middle = max(1, calls[call] // 2)

    refused_at(tmp_path / "table", call, error, middle)


@pytest.mark.slow
def test_what_waits_is_told_as_not_yet_saved(tmp_path: Path, calls: dict[str, int]):
    middle = calls["fdatasync"] // 2

    assert refused_at(tmp_path / "table", "fdatasync", "EIO", middle) > 0


@pytest.mark.slow
def test_on_a_disk_that_refuses_for_good_all_is_there_that_was_told_as_saved(
    tmp_path: Path, calls: dict[str, int]
):
    folder, when = tmp_path / "table", f"{calls['pwrite64'] // 3}+"

    told = evening_with(folder, "pwrite64", "ENOSPC", when, KILLED)

    assert wrong_in(folder, told) == []
    assert sum(one.kind == "unsaved" for one in told) > 10


@pytest.mark.slow
def test_a_table_that_tells_more_as_saved_than_is_would_be_found_out(
    tmp_path: Path, calls: dict[str, int]
):
    folder, when = tmp_path / "table", f"{calls['pwrite64'] // 3}+"

    told = evening_with(folder, "pwrite64", "ENOSPC", when, KILLED, LIES)

    assert len(wrong_in(folder, told)) > 1


@pytest.mark.long
def test_every_call_of_an_evening_is_refused_once(
    tmp_path: Path, calls: dict[str, int], record_property
):
    evenings = unsaved = 0
    for call, error in REFUSALS:
        for first in range(1, calls[call] + 1, 3):
            folder = tmp_path / f"{call} {error} {first}"
            unsaved += refused_at(folder, call, error, first)
            shutil.rmtree(folder)
            evenings += 1

    text = f"{evenings} evenings, {unsaved} things told as not yet saved, 0 lost"
    record_property("figures", text)
    assert unsaved > evenings
