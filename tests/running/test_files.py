"""What is renamed into place is on the disk before, and its name after."""

import errno
import os
import re
from pathlib import Path

import pytest

from companion.files import put_in_place, write_whole

ROOT = Path(__file__).parents[2]

RENAMES = re.compile(r"\.rename\(|os\.replace\(|\.replace\([^,()=\"']+\)")
"""A rename of a file: `str.replace` and `datetime.replace` take something else."""


@pytest.fixture
def calls(monkeypatch):
    """Return what is asked of the disk, in order: (call, path's name)."""
    told, names = [], {}
    opened, synced, replaced = os.open, os.fsync, Path.replace

    def open_(path, *more):
        number = opened(path, *more)
        names[number] = Path(path).name
        return number

    def sync(number):
        told.append(("fsync", names[number]))
        synced(number)

    def replace(path, target):
        told.append(("rename", path.name))
        return replaced(path, target)

    monkeypatch.setattr("os.open", open_)
    monkeypatch.setattr("os.fsync", sync)
    monkeypatch.setattr(Path, "replace", replace)
    return told


def test_a_file_is_synced_then_renamed_then_its_folder_is_synced(tmp_path, calls):
    folder = tmp_path / "table"
    folder.mkdir()

    write_whole(folder / "wifi.json", b"{}")

    assert calls == [
        ("fsync", ".wifi.json.new"),
        ("rename", ".wifi.json.new"),
        ("fsync", "table"),
    ]
    assert [path.name for path in folder.iterdir()] == ["wifi.json"]


def test_of_a_folder_all_that_is_in_it_is_synced_first(tmp_path, calls):
    kits, fresh = tmp_path / "kits", tmp_path / "kits" / ".fresh"
    (fresh / "shots").mkdir(parents=True)
    (fresh / "kit.toml").write_bytes(b"a")
    (fresh / "shots" / "1.png").write_bytes(b"b")

    put_in_place(fresh, kits / "ours")

    assert calls == [
        ("fsync", "kit.toml"),
        ("fsync", "shots"),
        ("fsync", "1.png"),
        ("fsync", ".fresh"),
        ("rename", ".fresh"),
        ("fsync", "kits"),
    ]
    assert (kits / "ours" / "shots" / "1.png").read_bytes() == b"b"


def test_a_disk_that_refuses_leaves_the_old_file_and_no_half(tmp_path, monkeypatch):
    path = tmp_path / "rig.json"
    path.write_bytes(b"before")

    def full(number):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)

    with pytest.raises(OSError, match="No space left"):
        write_whole(path, b"after")
    assert path.read_bytes() == b"before"
    assert [one.name for one in tmp_path.iterdir()] == ["rig.json"]


def test_a_password_is_for_the_tables_own_user_alone(tmp_path):
    left_behind = tmp_path / ".wifi.json.new"
    left_behind.write_bytes(b"half of it")
    left_behind.chmod(0o644)

    write_whole(tmp_path / "wifi.json", b"{}", mode=0o600)

    assert (tmp_path / "wifi.json").stat().st_mode & 0o777 == 0o600


def test_nobody_renames_a_file_but_through_here():
    known = {Path("companion/files.py")}
    found = {
        path.relative_to(ROOT)
        for folder in ("companion", "firmware", "vision")
        for path in (ROOT / folder).rglob("*.py")
        if RENAMES.search(path.read_text(encoding="utf-8"))
    }

    assert found <= known
    assert Path("companion/files.py") in found
