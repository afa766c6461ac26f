"""The recipe of a club: its scripts and units, and a copy that brings all back."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from companion.club.hub.records import Records
from tests.club.played import deliver, line

CLUB = Path(__file__).parents[2] / "firmware" / "pi" / "club"
SCRIPTS = sorted(CLUB.glob("*.sh"))
UNITS = sorted([*CLUB.glob("*.service"), *CLUB.glob("*.timer")])


def run(script: str, store: str, *arguments: str, folder: Path):
    return subprocess.run(
        ["sh", str(CLUB / script), *arguments],
        env={**os.environ, "DRAGON_TABLE_CLUB_STORE": store,
             "STATE_DIRECTORY": str(folder)},
        check=False, capture_output=True, text=True,
    )  # fmt: skip


@pytest.mark.slow
def test_a_copy_brings_all_back(store, tmp_path):
    if store.startswith("postgresql") and shutil.which("pg_dump") is None:
        pytest.skip("no pg_dump here; `make club-servers` gets it where it may")
    records = Records(store)
    deliver(records, line("g1", ("Ana", 30, True), ("Bo", 12, False)))
    before = records.played()
    records.close()
    copy = tmp_path / "copy"

    saved = run("backup.sh", store, str(copy), folder=tmp_path)
    assert saved.returncode == 0, saved.stderr
    records = Records(store)
    records.forget("Ana")
    deliver(records, line("g2", ("Cy", 1, True)))
    records.close()
    back = run("restore.sh", store, str(copy), folder=tmp_path)

    assert back.returncode == 0, back.stderr
    records = Records(store)
    assert records.played() == before
    records.close()


@pytest.mark.slow
def test_fourteen_nights_are_kept(tmp_path):
    store = f"sqlite:///{tmp_path}/club.db"
    Records(store).close()
    for night in range(20):
        (tmp_path / f"club-202611{night:02d}-053000.dump").touch()

    saved = run("backup.sh", store, folder=tmp_path)

    assert saved.returncode == 0, saved.stderr
    left = sorted(path.name for path in tmp_path.glob("club-*.dump"))
    # The newest is tonight's, and thirteen of those before it.
    assert len(left) == 14
    assert left[0] == "club-20261107-053000.dump"


def test_a_copy_never_takes_the_place_of_another(tmp_path):
    (tmp_path / "copy").write_text("another")

    saved = run("backup.sh", "sqlite:///x", str(tmp_path / "copy"), folder=tmp_path)

    assert saved.returncode == 1
    assert "is there already" in saved.stderr


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_no_script_has_a_slip_of_syntax(path):
    parsed = subprocess.run(["sh", "-n", path], capture_output=True, check=False)

    assert parsed.returncode == 0, parsed.stderr


def test_there_are_scripts_and_units():
    assert [path.name for path in SCRIPTS] == ["backup.sh", "install.sh", "restore.sh"]
    assert len(UNITS) == 3


@pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed"
)
def test_systemd_finds_the_units_valid(tmp_path):
    for unit in UNITS:
        text = unit.read_text()
        # Its program is not installed here.
        text = text.replace("/opt/dragon-table-club/venv/bin/dragon-table", "/bin/true")
        (tmp_path / unit.name).write_text(text)

    done = subprocess.run(
        ["systemd-analyze", "verify", *(str(tmp_path / unit.name) for unit in UNITS)],
        check=False, capture_output=True, text=True,
    )  # fmt: skip

    mine = [said for said in done.stderr.splitlines() if "dragon-table" in said]
    assert not [said for said in mine if "Unknown" in said or "rror" in said], mine
