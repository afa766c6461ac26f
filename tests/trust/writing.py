"""A program that plays at a real table and says what it was told is on disk.

Run as ``python -m tests.trust.writing FOLDER ACTS [FAULT...]``: a line of JSON on its
output for each thing that must outlast a power cut from then on. With a FAULT it fails
to wait for the disk, so that a test can see whether that is noticed.

While the disk refuses, each page must say so: else the program ends with an error.
"""

import os
import random
import sqlite3
import sys
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from companion.running.service import Table
from companion.running.snapshot import Answer, Done, PhoneToken, Setup
from companion.running.storage import store
from companion.running.storage.trouble import StoreTrouble
from companion.table import Claim
from tests.running.table_setup import running

NAME = "Wilhelmine"
"""What is forgotten: nothing else on the disk says it."""

KEY, PIN = "ab" * 32, "271828"


class Told(Struct, frozen=True, omit_defaults=True):
    """What somebody was told: a game's entry, a phone, or what is gone for good.

    A game that is *going* may be there or not: its deletion was asked for. What is
    *unsaved* people were told to be so.
    """

    kind: Literal["entry", "token", "keys", "forgotten", "going", "deleted", "unsaved"]
    what: str
    seq: int = 0


def tell(table: Table, answer: Answer, told: Told) -> None:
    """Say it where the table said that it is on disk, else that it is not."""
    if not isinstance(answer, Done):
        # Only what is to be gone for good is refused while the disk is.
        assert told.kind in ("forgotten", "deleted"), answer
        return
    if not is_stored(answer):
        assert table.snapshot.warnings, "people must be told that it is not saved"
        told = Told("unsaved", told.what)
    write(told)


def is_stored(answer: Done) -> bool:
    return answer.stored


def write(told: Told) -> None:
    os.write(1, msgspec.json.encode(told) + b"\n")


def play(table: Table, rng: random.Random, acts: int) -> None:
    """Make moves by chance, and take some back."""
    for number in range(acts):
        shown = table.snapshot
        assert shown.story is not None
        assert shown.game_id is not None
        if not shown.offers:
            return
        seq = shown.story.seq
        if number % 9 == 8:
            answer = table.undo(None, seq, f"undo {seq}")
        else:
            move = rng.choice(sorted(shown.offers))
            answer = table.act(Claim(move, None, seq, f"act {seq}"))
        if isinstance(answer, Done):
            tell(table, answer, Told("entry", shown.game_id, answer.seq))


def begin(table: Table, *players: str) -> str:
    """Begin a game; return its id."""
    answer = table.open_game(Setup("drachenhort", players))
    assert isinstance(answer, Done)
    assert answer.game_id is not None
    tell(table, answer, Told("entry", answer.game_id, 0))
    return answer.game_id


def evening(table: Table, acts: int) -> None:
    """Do everything that is written: play, put away, resume, let in, forget, delete."""
    rng = random.Random(7)
    with suppress(StoreTrouble):  # as a first start does on a disk that refuses
        table._store.keep_keys(KEY, PIN)
        write(Told("keys", PIN))
    first = begin(table, NAME, "Bo")
    play(table, rng, acts)
    table.add_token(PhoneToken("hash of Bo", "seat", 1, first))
    tell(table, table.rest(pause=True), Told("token", "hash of Bo"))
    second = begin(table, "Cy", NAME, "Dee")
    play(table, rng, acts)
    tell(table, table.forget(NAME), Told("forgotten", NAME))
    play(table, rng, acts)
    third = begin(table, "Eva", "Flo")
    play(table, rng, acts)
    table.leave()
    write(Told("going", second))
    tell(table, table.delete(second), Told("deleted", second))
    table.resume(third)
    play(table, rng, acts)


def empty_wal(db: sqlite3.Connection, path: Path) -> bool:
    """Empty the log of writes and do not wait until that is on the disk."""
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return True


if __name__ == "__main__":
    with running(Path(sys.argv[1])) as table:
        faults = sys.argv[3:]
        if "nosync" in faults:
            table._store._db.execute("PRAGMA synchronous=OFF")
        if "log not emptied" in faults:
            store.empty_wal = empty_wal
        if "all is told as saved" in faults:
            is_stored = bool  # an answer is always true
        evening(table, int(sys.argv[2]))
        if "killed at the end" in faults:
            os._exit(0)
