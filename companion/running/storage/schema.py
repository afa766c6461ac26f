"""The tables of the store's file, version by version."""

import sqlite3
from contextlib import suppress

from companion.games import UnknownGame, find
from companion.running.storage.chain import link, seed
from companion.story.codec import decode
from companion.story.log import (
    BadLog,
)

MIGRATIONS = (
    """
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE games (
        id TEXT PRIMARY KEY, game TEXT NOT NULL, begun_at REAL NOT NULL,
        number INTEGER NOT NULL UNIQUE, closed INTEGER NOT NULL DEFAULT 0
    ) WITHOUT ROWID;
    CREATE TABLE entries (
        game_id TEXT NOT NULL REFERENCES games (id), seq INTEGER NOT NULL,
        body BLOB NOT NULL, PRIMARY KEY (game_id, seq)
    ) WITHOUT ROWID;
    CREATE TABLE tokens (
        hash TEXT PRIMARY KEY, role TEXT NOT NULL, seat INTEGER, game_id TEXT
    ) WITHOUT ROWID;
    """,
    """
    ALTER TABLE entries ADD COLUMN digest BLOB;
    ALTER TABLE games ADD COLUMN entries INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE games ADD COLUMN digest BLOB;
    CREATE TABLE aside (
        game_id TEXT NOT NULL, seq INTEGER NOT NULL, body BLOB NOT NULL, digest BLOB
    );
    """,
)
"""One script a version of the file; ``PRAGMA user_version`` counts those that ran.

Version 2 chains the entries (`companion.running.storage.chain`); *aside* keeps what
stood behind a damaged entry when the game went on before it.
"""


def as_text(stored: bytes) -> str:
    """Return a stored text; one that is damaged is another, and never an error."""
    return stored.decode("utf-8", "replace")


class NewerVersion(Exception):
    """The file was written by a newer Dragon Table; the message is its version."""


def migrate(db: sqlite3.Connection) -> None:
    """Bring a file to the newest version; each step whole or not at all.

    Raises:
        NewerVersion: It is of a version that is not known here.
        sqlite3.Error: The disk refuses, or the file is damaged.
    """
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version > len(MIGRATIONS):
        if _again(db) in range(2, len(MIGRATIONS) + 1):
            raise sqlite3.DatabaseError(f"the number of its version is not {version}")
        raise NewerVersion(version)
    for number, script in enumerate(MIGRATIONS[version:], version + 1):
        try:
            db.executescript(f"BEGIN IMMEDIATE; {script}")
            if number == 2:
                chain_all(db)
            db.execute(f"PRAGMA user_version={number}")
            if number >= 2:
                db.execute(
                    "INSERT INTO meta VALUES ('version', ?) ON CONFLICT (key) "
                    "DO UPDATE SET value = excluded.value",
                    (str(number),),
                )
            db.execute("COMMIT")
        except sqlite3.Error:
            if db.in_transaction:
                with suppress(sqlite3.Error):
                    db.execute("ROLLBACK")
            raise


def _again(db: sqlite3.Connection) -> int:
    """Return the version as it is noted a second time, 0 where it is not.

    A flipped bit in the first must not be taken for a newer program.
    """
    try:
        row = db.execute("SELECT value FROM meta WHERE key = 'version'").fetchone()
    except (sqlite3.Error, UnicodeDecodeError):
        return 0
    return int(row[0]) if row is not None and str(row[0]).isdecimal() else 0


def chain_all(db: sqlite3.Connection) -> None:
    """Chain the entries of games that were stored without digests.

    From the first entry on that is missing or cannot be read they get none.
    """
    for game_id, kind in db.execute("SELECT id, game FROM games").fetchall():
        rows = db.execute(
            "SELECT seq, body FROM entries WHERE game_id = ? ORDER BY seq", (game_id,)
        ).fetchall()
        previous = seed(game_id)
        digests: list[tuple[bytes, str, int]] = []
        for seq, body in rows:
            if seq != len(digests) or not _is_entry(kind, seq, body):
                break
            previous = link(previous, body)
            digests.append((previous, game_id, seq))
        db.executemany(
            "UPDATE entries SET digest = ? WHERE game_id = ? AND seq = ?", digests
        )
        # Of old files nobody noted how many entries a game had: those that are there.
        count = 0 if not rows else max(len(rows), rows[-1][0] + 1)
        whole = previous if len(digests) == count else None
        db.execute(
            "UPDATE games SET entries = ?, digest = ? WHERE id = ?",
            (count, whole, game_id),
        )


def _is_entry(kind: str, seq: int, body: object) -> bool:
    """Tell whether *body* reads as an entry; of an unknown game nobody can tell."""
    if not isinstance(body, bytes):
        return False
    try:
        return decode(find(kind), body).seq == seq
    except UnknownGame:
        return True
    except BadLog:
        return False
