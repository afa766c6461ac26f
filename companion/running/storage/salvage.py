"""Makes a sound file of what can be read of a damaged one, game by game.

The damaged file is kept beside it as it was. Whenever the power goes meanwhile, one or
the other is there, and the next start goes on.
"""

import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from msgspec import Struct

from companion.files import put_in_place, sync
from companion.running.storage.chain import Checked, StoredEntry, check_chain
from companion.running.storage.schema import as_text, chain_all, migrate
from companion.running.storage.wal import read_frames
from companion.table import LinePart

Rows = list[tuple[Any, ...]]

DAMAGED = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What reading a damaged file raises; of a damaged plan even the message is no text."""


class _Game(NamedTuple):
    """A row of the table of games; what else than its id may be anything."""

    id: str
    game: str
    begun_at: Any
    number: Any
    closed: Any
    entries: Any
    digest: Any


class _Gathered(Struct):
    """What could be read of a damaged file; *chained* unless it is an old one."""

    games: list[_Game]
    entries: dict[str, list[StoredEntry]]
    tokens: Rows
    meta: Rows
    aside: Rows
    chained: bool = True

    def sound(self) -> int:
        """Return how many entries are sound."""
        known = {game.id: game for game in self.games}
        return sum(
            len(rows) if not self.chained else len(_checked(known.get(i), i, rows).rows)
            for i, rows in self.entries.items()
        )


def _checked(game: _Game | None, game_id: str, rows: list[StoredEntry]) -> Checked:
    last = None if game is None else game.digest
    return check_chain(game_id, rows, 0 if game is None else game.entries, last)


def salvage(path: Path) -> LinePart:
    """Put a file in the place of the damaged one at *path*; return what to tell.

    Raises:
        OSError: The disk refuses; the damaged file is as it was.
        sqlite3.Error: The same.
    """
    with TemporaryDirectory(dir=memory()) as folder:
        damaged = copy_with_wal(path, Path(folder))
        found = max(_ways(damaged), key=_Gathered.sound)
    new = path.with_name(f"{path.name}.salvaging")
    new.unlink(missing_ok=True)
    new.touch(mode=0o600)
    with closing(sqlite3.connect(new, isolation_level=None)) as db:
        migrate(db)
        _fill(db, found)
        (games,) = db.execute("SELECT count(*) FROM games").fetchone()
    put_in_place(new, path.with_name(f"{path.name}.new"))
    kept = finish(path)
    assert kept is not None
    return LinePart("core.store.salvaged", (("n", games), ("file", kept)))


def finish(path: Path) -> str | None:
    """Put a salvaged file that is complete into its place, if there is one.

    Returns the name by which the damaged one is kept.
    """
    new = path.with_name(f"{path.name}.new")
    if not new.exists():
        return None
    kept = free_name(path)
    for suffix in ("", "-wal"):
        keep_copy(path, kept, suffix)
    sync(path.parent)
    # The old log must never be taken for the new file's.
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    put_in_place(new, path)
    return kept.name


def keep_copy(path: Path, kept: Path, suffix: str) -> None:
    """Keep a file, or the one beside it with *suffix*, by another name as well."""
    there = path.with_name(path.name + suffix)
    if there.exists():
        aside = kept.with_name(kept.name + suffix)
        shutil.copyfile(there, aside)
        aside.chmod(0o600)
        _sync(aside)


def free_name(path: Path) -> Path:
    """Return the name by which the next damaged file is kept."""
    number = 1
    while (name := path.with_name(f"{path.name}.corrupt-{number}")).exists() or (
        name.with_name(f"{name.name}-wal").exists()
    ):
        number += 1
    return name


def kept_aside(path: Path) -> tuple[str, ...]:
    """Return the names of damaged files that are kept beside the one at *path*."""
    return tuple(sorted(one.name for one in path.parent.glob(f"{path.name}.corrupt-*")))


def memory() -> str | None:
    """Return where a copy lies that a full card must not hinder, None for anywhere."""
    place = Path("/dev/shm")
    return str(place) if place.is_dir() and os.access(place, os.W_OK) else None


def copy_with_wal(path: Path, folder: Path) -> Path:
    """Return a copy of a file and of its write-ahead log, in *folder*.

    Raises:
        FileNotFoundError: There is no such file.
    """
    copy = folder / path.name
    for _ in range(TRIES):
        before = _stamp(path)
        shutil.copyfile(path, copy)
        with suppress(FileNotFoundError):
            shutil.copyfile(f"{path}-wal", f"{copy}-wal")
        if _stamp(path) == before:
            break  # else a running table wrote meanwhile
    return copy


TRIES = 20
"""Copying takes milliseconds; nobody plays so fast that it is disturbed every time."""


def _stamp(path: Path) -> list[tuple[int, int]]:
    found = []
    for one in (path, path.with_name(f"{path.name}-wal")):
        with suppress(FileNotFoundError):
            state = one.stat()
            found.append((state.st_size, state.st_mtime_ns))
    return found


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _ways(damaged: Path) -> Iterator[_Gathered]:
    """Yield what each way of reading a damaged file gives."""
    ways = (_with_all_frames, _with_new_head)
    made = [way(damaged) for way in ways]
    # As it is comes last: reading it folds the log into the copy.
    for path in (*made, damaged):
        if path is not None:
            with closing(sqlite3.connect(path, isolation_level=None)) as db:
                yield _gathered(db)


def _with_all_frames(damaged: Path) -> Path | None:
    """Return a file with all that its log wrote, also behind a frame that is damaged.

    SQLite itself drops the rest. What is not as it was written, the digests tell.
    """
    frames = list(read_frames(damaged.with_name(f"{damaged.name}-wal")))
    if not any(frame.ours for frame in frames):
        return None
    content = bytearray(damaged.read_bytes())
    for number, _, _, _, page in (frame for frame in frames if frame.ours):
        at = (number - 1) * len(page)
        if number == 0 or at > MOST_BYTES:
            continue  # the number itself was damaged
        content.extend(bytes(max(0, at + len(page) - len(content))))
        content[at : at + len(page)] = page
    whole = damaged.with_name("frames")
    whole.write_bytes(content)
    return whole


MOST_BYTES = 1 << 30
"""A store of a thousand evenings has a tenth of it."""


def _with_new_head(damaged: Path) -> Path | None:
    """Return a file with the first page of a new one: its tables lie alike."""
    content = damaged.read_bytes()
    fresh = damaged.with_name("fresh")
    with closing(sqlite3.connect(fresh, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode=DELETE")
        migrate(db)
        (size,) = db.execute("PRAGMA page_size").fetchone()
    if len(content) <= size:
        return None
    head = bytearray(fresh.read_bytes()[:size])
    head[24:28] = head[92:96]
    head[28:32] = (len(content) // size).to_bytes(4, "big")
    head[32:40] = bytes(8)  # the list of free pages, which nobody reads here
    headless = damaged.with_name("headless")
    headless.write_bytes(bytes(head) + content[size:])
    return headless


def _read(db: sqlite3.Connection, sql: str, *values: object) -> Rows:
    """Return the rows that can be read before the first that cannot."""
    rows = []
    with suppress(*DAMAGED):
        # One by one: a list made at once would be lost at the first that fails.
        for row in db.execute(sql, values):
            rows.append(row)  # noqa: PERF402
    return rows


def _gathered(db: sqlite3.Connection) -> _Gathered:
    db.text_factory = as_text
    columns = {row[1] for row in _read(db, "PRAGMA table_info(entries)")}
    chained = "digest" in columns
    more = ", entries, digest" if chained else ", 0, NULL"
    games = {
        row[0]: _Game(*row)
        for order in ("ASC", "DESC")
        for row in _read(
            db,
            f"SELECT id, game, begun_at, number, closed{more} "
            f"FROM games ORDER BY id {order}",
        )
        if isinstance(row[0], str) and isinstance(row[1], str)
    }
    entries = {
        game_id: rows
        for game_id in dict.fromkeys((*games, *_ids(db)))
        if (rows := _rows(db, game_id, "digest" if chained else "NULL"))
    }
    tokens = _read(db, "SELECT hash, role, seat, game_id FROM tokens")
    meta = _read(db, "SELECT key, value FROM meta")
    aside = _read(db, "SELECT game_id, seq, body, digest FROM aside")
    return _Gathered(list(games.values()), entries, tokens, meta, aside, chained)


def _ids(db: sqlite3.Connection) -> Iterator[str]:
    """Yield the ids of games that have entries, from both ends of the file."""
    for pick, beyond, end in (("min", ">", ""), ("max", "<", "\U0010ffff")):
        sql = f"SELECT {pick}(game_id) FROM entries WHERE game_id {beyond} ?"
        known, last = {end}, end
        while (rows := _read(db, sql, last)) and isinstance(rows[0][0], str):
            last = rows[0][0]
            if last in known:
                break  # a damaged tree may lead back
            known.add(last)
            yield last


def _rows(db: sqlite3.Connection, game_id: str, digest: str) -> list[StoredEntry]:
    """Return a game's entries, from both ends of it."""
    sql = f"SELECT seq, body, {digest} FROM entries WHERE game_id = ? ORDER BY seq "
    found = {
        row[0]: StoredEntry._make(row)
        for order in ("ASC", "DESC")
        for row in _read(db, sql + order, game_id)
        if isinstance(row[0], int) and isinstance(row[1], bytes)
    }
    return [found[seq] for seq in sorted(found)]


def _fill(db: sqlite3.Connection, found: _Gathered) -> None:
    db.execute("BEGIN")
    numbers: set[int] = set()
    for game in _all_games(found):
        number = game.number
        if not isinstance(number, int) or number in numbers:
            number = max(numbers, default=0) + 1
        numbers.add(number)
        row = (
            game.id, game.game, _float(game.begun_at), number, int(bool(game.closed)),
            game.entries if isinstance(game.entries, int) else 0, game.digest,
        )  # fmt: skip
        db.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        db.executemany(
            "INSERT INTO entries VALUES (?, ?, ?, ?)",
            [(game.id, *row) for row in found.entries.get(game.id, ())],
        )
    _insert(db, "INSERT OR IGNORE INTO tokens VALUES (?, ?, ?, ?)", found.tokens)
    _insert(db, "INSERT OR IGNORE INTO meta VALUES (?, ?)", found.meta)
    _insert(db, "INSERT INTO aside VALUES (?, ?, ?, ?)", found.aside)
    if not found.chained:
        chain_all(db)
    db.execute("COMMIT")


def _insert(db: sqlite3.Connection, sql: str, rows: Iterable[tuple[Any, ...]]) -> None:
    for row in rows:
        with suppress(sqlite3.IntegrityError):  # a row of which only a part was read
            db.execute(sql, row)


def _float(value: object) -> float:
    return value if isinstance(value, float) else 0.0


def _all_games(found: _Gathered) -> Iterator[_Game]:
    """Yield the games, also those of which only entries are left.

    Where the row of a game came under another name, its last digest tells which it is.
    """
    lost = dict(found.entries)
    for game in found.games:
        lost.pop(game.id, None)
    by_digest = {rows[-1].digest: game_id for game_id, rows in lost.items()}
    for game in found.games:
        if game.id not in found.entries and game.digest in by_digest:
            game = game._replace(id=by_digest[game.digest])  # noqa: PLW2901
            del lost[game.id]
        yield game
    for number, (game_id, rows) in enumerate(lost.items(), -len(lost)):
        count, last = rows[-1].seq + 1, rows[-1].digest
        yield _Game(game_id, "", 0.0, number, 1, count, last)


def copy_readable(path: Path, folder: Path) -> bool:
    """Copy a games' file, if there is one; return False where it cannot be read."""
    try:
        copy_with_wal(path, folder)
    except (FileNotFoundError, NotADirectoryError):
        return True  # nothing is there to be read
    except OSError:
        # Another user's file, or a sector of the card that died: it is reported.
        for part in folder.iterdir():
            part.unlink()
        return False
    return True
