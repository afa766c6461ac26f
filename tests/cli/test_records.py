"""Stored games are exported, and records are replayed."""

import json
import sqlite3

import pytest
from msgspec.structs import replace

from companion.running.storage.game_file import as_json
from companion.running.storage.store import Store
from companion.story.log import Edited, extend
from tests.cli.test_commands import run
from tests.running.table_setup import new_story, played

STORED = played(new_story(), "throw 3", "advance green")


def store_one(folder):
    store = Store(folder / "table.sqlite3")
    store.create("g1", STORED)
    store.close()


def test_a_stored_game_is_exported_and_replayed(tmp_path, capsys):
    store_one(tmp_path)
    code, out, _ = run(capsys, "export", "last", "--data", str(tmp_path))
    assert code == 0
    (tmp_path / "game.json").write_text(out, encoding="utf-8")

    code, out, _ = run(capsys, "replay", str(tmp_path / "game.json"), "--json")

    assert code == 0
    found = json.loads(out)
    assert (found["moves"], found["stop"]) == (2, None)


def test_of_a_damaged_game_what_can_be_read_is_exported_and_nothing_changed(
    tmp_path, capsys
):
    store_one(tmp_path)
    path = tmp_path / "table.sqlite3"
    with sqlite3.connect(path) as db:
        db.execute("UPDATE entries SET body = X'00' WHERE seq = 2")
    db.close()
    before = path.read_bytes()

    code, out, err = run(capsys, "export", "last", "--data", str(tmp_path))

    assert code == 0
    assert [entry["seq"] for entry in json.loads(out)["entries"]] == [0, 1]
    assert "2 of 3 entries can be read" in err
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["table.sqlite3"]


def test_that_the_whole_file_is_damaged_is_said_where_a_game_of_it_is_exported(
    tmp_path, capsys
):
    store_one(tmp_path)
    path = tmp_path / "table.sqlite3"
    content = bytearray(path.read_bytes())
    content[:16] = bytes(16)  # what tells that it is SQLite's
    path.write_bytes(content)

    code, out, err = run(capsys, "export", "g1", "--data", str(tmp_path))

    assert code == 0
    assert [entry["seq"] for entry in json.loads(out)["entries"]] == [0, 1, 2]
    assert err.startswith("The games file is damaged")
    assert path.read_bytes() == content
    assert [one.name for one in tmp_path.iterdir()] == ["table.sqlite3"]


def test_a_folder_without_games_is_said_and_left_empty(tmp_path, capsys):
    code, _, err = run(capsys, "export", "last", "--data", str(tmp_path))

    assert code == 2
    assert "there are no games" in err
    assert list(tmp_path.iterdir()) == []


def test_each_form_is_printed(tmp_path, capsys):
    store_one(tmp_path)

    code, out, _ = run(
        capsys, "export", "g1", "--format", "csv", "--data", str(tmp_path)
    )
    assert (code, out.count("\n")) == (0, 4)
    code, _, err = run(
        capsys, "export", "g1", "--format", "bgstats", "--data", str(tmp_path)
    )
    assert code == 2
    assert "over" in err


@pytest.fixture
def packed(tmp_path, capsysbinary):
    """A capsule of a stored game, as the command prints it."""
    store_one(tmp_path)
    form, folder = ("--format", "capsule"), ("--data", str(tmp_path))
    code, out, _ = run(capsysbinary, "export", "last", *form, *folder)
    path = tmp_path / "game.capsule"
    path.write_bytes(out)
    assert code == 0
    return path


def test_a_capsule_is_replayed_to_the_same_state(packed, capsysbinary):
    code, out, _ = run(capsysbinary, "replay", str(packed), "--json")

    found = json.loads(out)
    assert code == 0
    assert (found["moves"], found["stop"]) == (2, None)
    assert found["again"]["differs"] is None
    assert found["again"]["why_not"] == "no pictures of the whole table were kept"


def test_a_capsule_that_was_changed_is_said_in_one_line(packed, capsysbinary):
    content = packed.read_bytes()
    packed.write_bytes(content[: len(content) // 2])

    code, _, err = run(capsysbinary, "replay", str(packed))

    assert code == 2
    assert len(err.strip().splitlines()) == 1
    assert b"not a whole capsule" in err


def test_a_game_that_is_not_there_is_said(tmp_path, capsys):
    Store(tmp_path / "table.sqlite3").close()
    code, _, err = run(capsys, "export", "gone", "--data", str(tmp_path))

    assert code == 2
    assert "no game 'gone'" in err


def test_a_game_that_is_not_there_is_said_in_german(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    Store(tmp_path / "table.sqlite3").close()

    _, _, err = run(capsys, "export", "gone", "--data", str(tmp_path))

    assert "keine Partie 'gone': " in err


def test_a_refusal_is_printed_with_its_lines_and_fails_the_check(tmp_path, capsys):
    path = tmp_path / "game.txt"
    path.write_text("game drachenhort\nplayers Ana, Bo\nthrow 3\nadvance green\n"
                    "throw 4\nadvance green\n")  # fmt: skip

    code, out, err = run(capsys, "replay", str(path), "--lang", "en")

    assert code == 1
    assert "Ana rolls a 3." in out
    assert "Green is in the shadow" in err
    assert "(rulebook l. " in err


def test_a_file_that_is_no_record_is_said(tmp_path, capsys):
    (tmp_path / "x").write_bytes(b"\xff\xfe\x00")
    for path in (tmp_path / "gone", tmp_path, tmp_path / "x"):
        code, _, err = run(capsys, "replay", str(path))
        assert code == 2
        assert len(err.strip().splitlines()) == 1


def test_a_record_that_was_set_to_what_lay_there_says_so(tmp_path, capsys):
    cells = (5, *STORED.state.cells[1:])
    edited = Edited(replace(STORED.state, cells=cells), "house:DH12")
    other = Edited(STORED.state, "the cat")
    story = extend(extend(STORED, edited, 1.0), other, 2.0)
    (tmp_path / "game.json").write_bytes(as_json("g1", story))

    code, out, _ = run(capsys, "replay", str(tmp_path / "game.json"), "--lang", "en")

    assert code == 0
    assert "   3  House rule: the game goes on from what is there. (DH12)" in out
    assert "   4  the cat" in out
