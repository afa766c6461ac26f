"""A program that plays at a real table and says what it was told is on disk.

Run as ``python -m tests.trust.writing FOLDER ACTS [FAULT]``: a line of JSON on its
output for each thing that must outlast a power cut from then on. With a FAULT it fails
to wait for the disk, so that a test can see whether that is noticed.
"""

import os
import random
import sqlite3
import sys
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from companion.running.service import Table
from companion.running.snapshot import Answer, Done, PhoneToken, Setup
from companion.running.storage import store
from companion.table import Claim
from tests.running.table_setup import running

NAME = "Wilhelmine"
"""What is forgotten: nothing else on the disk says it."""

KEY, PIN = "ab" * 32, "271828"


class Told(Struct, frozen=True, omit_defaults=True):
    """What somebody was told: a game's entry, a phone, or what is gone for good.

    A game that is *going* may be there or not: its deletion was asked for.
    """

    kind: Literal["entry", "token", "keys", "forgotten", "going", "deleted"]
    what: str
    seq: int = 0


def tell(answer: Answer | None, told: Told) -> None:
    """Say it, where the table said that it is on disk."""
    if answer is None or (isinstance(answer, Done) and answer.stored):
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
            tell(answer, Told("entry", shown.game_id, answer.seq))


def begin(table: Table, *players: str) -> str:
    """Begin a game; return its id."""
    answer = table.open_game(Setup("drachenhort", players))
    assert isinstance(answer, Done)
    assert answer.game_id is not None
    tell(answer, Told("entry", answer.game_id, 0))
    return answer.game_id


def evening(table: Table, acts: int) -> None:
    """Do everything that is written: play, put away, resume, let in, forget, delete."""
    rng = random.Random(7)
    table._store.keep_keys(KEY, PIN)
    tell(None, Told("keys", PIN))
    first = begin(table, NAME, "Bo")
    play(table, rng, acts)
    table.add_token(PhoneToken("hash of Bo", "seat", 1, first))
    tell(table.rest(pause=True), Told("token", "hash of Bo"))
    second = begin(table, "Cy", NAME, "Dee")
    play(table, rng, acts)
    tell(table.forget(NAME), Told("forgotten", NAME))
    play(table, rng, acts)
    third = begin(table, "Eva", "Flo")
    play(table, rng, acts)
    table.leave()
    tell(None, Told("going", second))
    tell(table.delete(second), Told("deleted", second))
    table.resume(third)
    play(table, rng, acts)


def empty_wal(db: sqlite3.Connection, path: Path) -> bool:
    """Empty the log of writes and do not wait until that is on the disk."""
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return True


if __name__ == "__main__":
    with running(Path(sys.argv[1])) as table:
        match sys.argv[3:]:
            case ["nosync"]:
                table._store._db.execute("PRAGMA synchronous=OFF")
            case ["log not emptied"]:
                store.empty_wal = empty_wal
        evening(table, int(sys.argv[2]))
