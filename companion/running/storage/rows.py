"""Writes rows of the games' file so that each game stays chained; inside transactions.

Nothing is opened, begun or committed here: that is `companion.running.storage.store`'s.
"""

import re
import sqlite3

import msgspec

from companion.games import find
from companion.running.storage.chain import chain_digests, seed
from companion.running.storage.stored import checked_rows
from companion.story.codec import decode, encode
from companion.story.log import (
    BadLog,
    Entry,
    Header,
)

NO_HEADER = (msgspec.MsgspecError, RecursionError, LookupError, TypeError, BadLog)
"""What reading the game of a first entry raises that is no header."""


def insert(
    db: sqlite3.Connection,
    game_id: str,
    before: bytes,
    entries: tuple[Entry, ...],
) -> None:
    """Add entries that follow the one whose digest is *before*."""
    bodies = [encode(entry) for entry in entries]
    digests = chain_digests(before, bodies)
    db.executemany(
        "INSERT INTO entries (game_id, seq, body, digest) VALUES (?, ?, ?, ?)",
        [
            (game_id, entry.seq, body, digest)
            for entry, body, digest in zip(entries, bodies, digests, strict=True)
        ],
    )
    db.execute(
        "UPDATE games SET entries = ?, digest = ? WHERE id = ?",
        (entries[-1].seq + 1, digests[-1], game_id),
    )


def cut(db: sqlite3.Connection, game_id: str, count: int) -> None:
    """Let a game end after *count* entries; what stood behind is kept aside."""
    rest = "WHERE game_id = ? AND seq >= ?"
    db.execute(
        "INSERT INTO aside (game_id, seq, body, digest) "
        f"SELECT game_id, seq, body, digest FROM entries {rest}",
        (game_id, count),
    )
    db.execute(f"DELETE FROM entries {rest}", (game_id, count))
    db.execute(
        "UPDATE games SET entries = ?, digest = (SELECT digest FROM entries "
        "WHERE game_id = ? AND seq = ?) WHERE id = ?",
        (count, game_id, count - 1, game_id),
    )


def header_without(name: str, body: bytes) -> bytes:
    """Return a stored header without a player's name.

    However it is written there, as "ana" for "Ana". Where a header is no header that
    is known here, the name is taken out by its letters: nobody can say which seat it
    was.
    """
    try:
        kind = msgspec.json.decode(body)["body"]["game"]
        entry = decode(find(kind), body)
    except NO_HEADER:
        written = re.escape(msgspec.json.encode(name).decode())
        text = body.decode(errors="surrogateescape")
        left = re.sub(written, '"?"', text, flags=re.IGNORECASE)
        return left.encode(errors="surrogateescape")
    header = entry.body
    if not isinstance(header, Header) or header.without(name) == header:
        return body
    return encode(Entry(entry.seq, entry.at, header.without(name)))


def replace_header(db: sqlite3.Connection, game_id: str, header: bytes) -> None:
    """Put another first entry into a game and chain all sound ones to it anew."""
    count, last = db.execute(
        "SELECT entries, digest FROM games WHERE id = ?", (game_id,)
    ).fetchone()
    checked = checked_rows(db, game_id, count, last)
    bodies = [header, *(row.body for row in checked.rows[1:])]
    digests = chain_digests(seed(game_id), bodies)
    db.execute(
        "UPDATE entries SET body = ? WHERE game_id = ? AND seq = 0", (header, game_id)
    )
    if not checked.rows:
        return
    db.executemany(
        "UPDATE entries SET digest = ? WHERE game_id = ? AND seq = ?",
        [(digest, game_id, seq) for seq, digest in enumerate(digests)],
    )
    if checked.whole:
        db.execute(
            "UPDATE games SET entries = ?, digest = ? WHERE id = ?",
            (len(bodies), digests[-1], game_id),
        )


def forget(db: sqlite3.Connection, name: str) -> None:
    """Put the seat's number in place of a player's name in every game."""
    rows = db.execute(
        "SELECT game_id, CAST(body AS BLOB) FROM entries WHERE seq = 0"
    ).fetchall()
    for game_id, body in rows:
        new = header_without(name, body)
        if new != body:
            replace_header(db, game_id, new)


def delete(db: sqlite3.Connection, game_id: str) -> None:
    """Delete a game with all its entries, and who was let into it."""
    for table, key in (
        ("entries", "game_id"), ("tokens", "game_id"), ("aside", "game_id"),
        ("games", "id"),
    ):  # fmt: skip
        db.execute(f"DELETE FROM {table} WHERE {key} = ?", (game_id,))
