"""Reads games from an open file, each as far as it is sound; writes nothing.

A game of which a part is damaged opens with what stands before it, and says so. One
that other rules or another version wrote can be looked at and not be played on.
"""

import sqlite3
from itertools import starmap
from typing import Any

import msgspec
from msgspec import Struct

from companion.games import UnknownGame, find
from companion.running.snapshot import StoredGame
from companion.running.storage.chain import Checked, StoredEntry, check_chain
from companion.story.codec import decode
from companion.story.log import (
    BadLog,
    Entry,
    Header,
    Story,
    as_frozen,
    fold_as_far,
)
from companion.table import LinePart


class NoSuchGame(LookupError):
    """There is no such game, or it cannot be read; *line* says so to people."""

    def __init__(self, message: str, line: LinePart) -> None:
        super().__init__(message)
        self.line = line


class ReadGame(Struct, frozen=True):
    """A stored game as far as it can be read.

    *count* is how many of its entries are sound. *trouble* says what is wrong with the
    rest, or why it cannot be played on, None for a game that is whole.
    """

    story: Story
    count: int
    trouble: LinePart | None = None


class _Told(Struct):
    game: str


class _First(Struct):
    """As much of a header as tells what it is, whatever wrote it."""

    body: _Told


def game_in(db: sqlite3.Connection, game_id: str) -> ReadGame:
    """Return a stored game.

    Raises:
        NoSuchGame: It is not there, or not even its header can be read.
        sqlite3.Error: The file cannot be read now.
    """
    found = db.execute(
        "SELECT game, entries, digest FROM games WHERE id = ?", (game_id,)
    ).fetchone()
    if found is None:
        raise NoSuchGame(f"there is no game {game_id!r}", LinePart("core.store.none"))
    kind, count, last = found
    checked = checked_rows(db, game_id, count, last)
    entries, other = _entries(game_id, kind, checked)
    game = find(_kind(kind, checked))
    try:
        story, stop = fold_as_far(game, entries)
    except BadLog as error:
        raise NoSuchGame(
            f"game {game_id!r} cannot be read: {error}",
            LinePart("core.store.other_version"),
        ) from error
    trouble = _trouble(checked)
    header = story.header
    if header.rules != game.rules_version:
        trouble = LinePart("core.store.other_rules", (("rules", header.rules),))
    elif stop is not None:
        trouble = LinePart("core.store.refused", (("n", story.seq + 1),))
    elif other:
        trouble = LinePart("core.store.other_entry", (("n", len(entries)),))
    if trouble is not None and trouble.line != CUT:
        story = as_frozen(story, trouble)
    return ReadGame(story, len(checked.rows), trouble)


CUT = "core.store.cut"
"""The line for a game whose end is damaged: it goes on from what is sound."""


def _trouble(checked: Checked) -> LinePart | None:
    if checked.whole:
        return None
    return LinePart(CUT, (("good", len(checked.rows)), ("of", checked.had)))


def checked_rows(
    db: sqlite3.Connection, game_id: str, count: int, last: bytes | None
) -> Checked:
    """Return what is sound of a game that should end with a *count* and a digest."""
    lines = db.execute(
        "SELECT seq, body, digest FROM entries WHERE game_id = ? ORDER BY seq",
        (game_id,),
    )
    return check_chain(game_id, starmap(StoredEntry, lines), count, last)


def _kind(kind: str, checked: Checked) -> str:
    """Return which game it is: as its header says, which is chained, if it says so."""
    try:
        return msgspec.json.decode(checked.rows[0].body, type=_First).body.game
    except (IndexError, msgspec.MsgspecError, RecursionError):
        return kind


def _entries(
    game_id: str, kind: str, checked: Checked
) -> tuple[tuple[Entry, ...], bool]:
    """Return the entries that can be read, and whether others follow that cannot.

    Raises:
        NoSuchGame: Not even the header can be read.
    """
    if not checked.rows:
        raise NoSuchGame(
            f"game {game_id!r} cannot be read: its first entry is damaged",
            LinePart("core.store.no_header"),
        )
    try:
        game = find(_kind(kind, checked))
    except UnknownGame as error:
        name = _kind(kind, checked)
        raise NoSuchGame(
            f"game {game_id!r} cannot be read: {error}",
            LinePart("core.store.unknown_game", (("game", name),)),
        ) from error
    entries: list[Entry] = []
    for row in checked.rows:
        try:
            entries.append(decode(game, row.body))
        except BadLog as error:
            if not entries:
                raise NoSuchGame(
                    f"game {game_id!r} cannot be read: {error}",
                    LinePart("core.store.other_version"),
                ) from error
            return tuple(entries), True
    return tuple(entries), False


def games_in(db: sqlite3.Connection) -> tuple[StoredGame, ...]:
    """Return all games, the newest first, those that cannot be read with the reason.

    Entries are checked for damage, not played: only who opens a game learns whether
    today's rules refuse one of its moves.

    Raises:
        sqlite3.Error: The file cannot be read now.
    """
    rows = db.execute(
        "SELECT id, game, begun_at, closed, entries, digest FROM games "
        "ORDER BY number DESC"
    ).fetchall()
    return tuple(_listed(db, *row) for row in rows)


def _listed(
    db: sqlite3.Connection, game_id: str, kind: str, begun_at: Any, closed: int,
    count: int, last: bytes | None,
) -> StoredGame:  # fmt: skip
    checked = checked_rows(db, game_id, count, last)
    listed = StoredGame(
        id=game_id,
        game=_kind(kind, checked),
        players=(),
        begun_at=begun_at if isinstance(begun_at, float) else 0.0,
        entries=len(checked.rows),
        closed=bool(closed),
        trouble=_trouble(checked),
    )
    head = Checked(checked.rows[:1], 1)
    try:
        (first,), _ = _entries(game_id, kind, head)
    except NoSuchGame as error:
        return msgspec.structs.replace(listed, trouble=error.line, readable=False)
    header = first.body
    if not isinstance(header, Header):
        line = LinePart("core.store.no_header")
        return msgspec.structs.replace(listed, trouble=line, readable=False)
    trouble = listed.trouble
    if header.rules != find(listed.game).rules_version:
        trouble = LinePart("core.store.other_rules", (("rules", header.rules),))
    # As the entry says, which is chained.
    return msgspec.structs.replace(
        listed, players=header.players, begun_at=first.at, trouble=trouble
    )
