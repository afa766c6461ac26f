"""Wherever a write is stopped: nothing of it is there, and it can be repeated."""

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.running.snapshot import PhoneToken
from companion.running.storage.store import Store
from companion.running.storage.trouble import StoreTrouble
from tests.running.table_setup import new_story, played

pytestmark = pytest.mark.slow

BEFORE = played(new_story(("Ana", "Bo")), "throw 3", "advance green")
AFTER = played(BEFORE, "throw 2")

WRITES: dict[str, Callable[[Store], None]] = {
    "begin": lambda store: store.create("new", new_story()),
    "go on": lambda store: store.append("g", AFTER.entries[-1:]),
    "put away": lambda store: store.close_game("g"),
    "cut": lambda store: store.reopen_game("g", 2),
    "forget": lambda store: store.forget("Ana"),
    "delete": lambda store: store.delete("g"),
    "let in": lambda store: store.add_token(PhoneToken("two", "host")),
    "put out": lambda store: store.drop_tokens(frozenset({"one"})),
}


def everything(store: Store) -> object:
    tables = ("games", "entries", "tokens", "aside")
    return {
        name: store._db.execute(f"SELECT * FROM {name}").fetchall() for name in tables
    }


@pytest.fixture
def store(tmp_path: Path):
    store = Store(tmp_path / "table.sqlite3")
    store.create("g", BEFORE)
    store.add_token(PhoneToken("one", "seat", 0, "g"))
    yield store
    store.close()


@pytest.mark.parametrize("name", WRITES)
def test_a_write_that_is_stopped_changes_nothing_and_can_be_repeated(store, name):
    """SQLite is stopped before its n-th step, for n = 1, 2, ... until all are done.

    Up to the commit: whether that reached the disk is for the power cuts to try.
    """
    write, before = WRITES[name], everything(store)
    for step in itertools.count(1):
        if not stopped(store, write, step):
            break
        assert everything(store) == before, step
    assert everything(store) != before
    assert step > 5  # it really was stopped
    for game in store.games():
        assert game.trouble is None, game


def stopped(store: Store, write: Callable[[Store], None], step: int) -> bool:
    """Carry out *write*, stopped before a step; tell whether it was."""
    left, committing = step, False

    def look(statement: str) -> None:
        nonlocal committing
        committing = statement in ("COMMIT", "ROLLBACK")

    def stop() -> bool:
        nonlocal left
        left -= 1
        return left <= 0 and not committing

    store._db.set_trace_callback(look)
    store._db.set_progress_handler(stop, 1)
    try:
        write(store)
    except StoreTrouble:
        return True
    finally:
        store._db.set_progress_handler(None, 1)
        store._db.set_trace_callback(None)
    return False
