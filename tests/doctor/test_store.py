"""What the doctor says of the file of games, without touching it."""

import sqlite3
from pathlib import Path

import pytest

from companion.doctor.checks import _store
from companion.running.storage.store import Store
from firmware.finding import Level
from tests.running.table_setup import new_story, played


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "table.sqlite3"
    store = Store(path)
    store.create("g", played(new_story(), "throw 3"))
    store.close()
    return path


def test_a_sound_file_is_sound(path):
    found = _store(path)

    assert (found.level, found.evidence) == (Level.OK, f"1 game in {path}.")


def test_no_file_is_no_fault(tmp_path):
    assert _store(tmp_path / "table.sqlite3").level is Level.OK
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_file_fails_with_what_a_start_would_do(path):
    path.write_bytes(bytes(100) + path.read_bytes()[100:])
    before = path.read_bytes()

    found = _store(path)

    assert found.level is Level.FAIL
    assert "Start the table once" in found.remedy
    assert "1 game." in found.remedy
    assert path.read_bytes() == before
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_a_game_that_is_not_whole_is_named(path):
    with sqlite3.connect(path) as db:
        db.execute("UPDATE entries SET body = X'00' WHERE seq = 1")
    db.close()

    found = _store(path)

    assert found.level is Level.WARN
    assert "not whole: g" in found.evidence


def test_damaged_files_that_are_kept_are_named(path):
    path.with_name("table.sqlite3.corrupt-1").write_bytes(b"")

    found = _store(path)

    assert found.level is Level.WARN
    assert "table.sqlite3.corrupt-1" in found.evidence
