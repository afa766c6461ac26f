"""An act costs the same however many games are stored.

What is counted is the work itself: the steps of the Python interpreter and of SQLite.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from companion.capsule.evidence_store import EvidenceStore
from companion.dashboard import create_app
from companion.dashboard.door.auth import host_code
from companion.running.service import Table
from companion.running.shelf import Shelf
from companion.running.snapshot import PhoneToken, StoredGame
from companion.running.storage.store import Store
from tests.running.table_setup import SETUP, new_story, running

SECRET = b"0123456789abcdef"
FEW, MANY = 5, 5_000

PHONES = 4
"""Let into each game; their tokens are kept, as a game may be gone on with."""


def store_games(folder: Path, count: int) -> None:
    """Store so many games that were put away, and who was let into them."""
    store, story = Store(folder / "table.sqlite3"), new_story()
    with store.together():
        for number in range(count):
            game_id = f"old-{number}"
            store.create(game_id, story)
            store.close_game(game_id)
            for seat in range(PHONES):
                token = f"{number}/{seat}"
                store.add_token(PhoneToken(token, "seat", seat, game_id))
    store.close()


def steps(work: Callable[[], object], table: Table) -> tuple[int, int]:
    """Return the steps that *work* takes: of the interpreter, and of SQLite."""
    python = sqlite = 0

    def look(frame: FrameType, event: str, _: object) -> Any:
        nonlocal python
        frame.f_trace_opcodes = True
        python += event == "opcode"
        return look

    def count() -> bool:
        nonlocal sqlite
        sqlite += 1
        return False

    table._store._db.set_progress_handler(count, 1)
    before = sys.gettrace()
    sys.settrace(look)
    try:
        work()
    finally:
        sys.settrace(before)
        table._store._db.set_progress_handler(None, 1)
    return python, sqlite


def steps_of_an_act(
    folder: Path, stored: int, monkeypatch: pytest.MonkeyPatch
) -> tuple[int, int]:
    """Return what the twentieth act of a game costs, from the phone to the disk."""
    store_games(folder, stored)
    with running(folder) as table:
        # In one thread, where it can be counted.
        monkeypatch.setattr(table, "_ask", table._carry_out)
        table.open_game(SETUP)
        app = create_app(table, secret=SECRET, pin="123456", address="http://table")
        pictures = EvidenceStore(folder / "pictures")
        pictures._table = table
        phone = app.test_client()
        phone.get(f"/j/{host_code(SECRET)}")

        def act() -> None:
            story = table.snapshot.story
            assert story is not None
            move = sorted(table.snapshot.offers)[0]
            wish = {"move": move, "seq": story.seq, "key": f"key {story.seq}"}
            assert phone.post("/api/act", json=wish).status_code == 200
            pictures._look(table.snapshot)

        for _ in range(19):
            act()
        return steps(act, table)


@pytest.mark.slow
def test_an_act_takes_as_many_steps_with_5000_stored_games_as_with_5(
    tmp_path, monkeypatch, record_property
):
    few = steps_of_an_act(tmp_path / "few", FEW, monkeypatch)
    many = steps_of_an_act(tmp_path / "many", MANY, monkeypatch)

    record_property("figures", f"{few} steps with {FEW} games, {many} with {MANY}")
    assert few[0] > 1_000  # it was counted
    assert few[1] > 50
    # A search in a tree of 5,000 goes one or two pages deeper, which is no step of its
    # own; what is left are hashes that fall otherwise.
    assert many[0] <= 1.02 * few[0], (few, many)
    assert many[1] == few[1]


@pytest.mark.slow
def test_an_act_that_looks_at_each_stored_game_would_be_found_out(
    tmp_path, monkeypatch
):
    def list_anew(shelf: Shelf, changed: StoredGame) -> None:
        shelf._games = {
            game.id: changed if game.id == changed.id else game
            for game in shelf._games.values()
        }

    monkeypatch.setattr(Shelf, "_list", list_anew)

    few, _ = steps_of_an_act(tmp_path / "few", FEW, monkeypatch)
    more, _ = steps_of_an_act(tmp_path / "more", 300, monkeypatch)

    # Some ten steps of the interpreter for each of 295 games.
    assert more > few + 10 * 295
    assert more > 1.02 * few
