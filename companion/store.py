"""Keeps every game's log in one SQLite file, each entry on disk before it is told.

Never derives anything from the entries: what a game stands at is `companion.log`'s to
say.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.games import find
from companion.log import Entry, Header, Story, decode, encode, fold
from companion.snapshot import StoredGame, Token

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
)
"""One script a version of the file; ``PRAGMA user_version`` counts those that ran."""

BUSY_MS = 5000
"""How long a write waits for a backup that reads; a commit takes 3 ms (p50)."""


class StoreTrouble(OSError):
    """The file cannot be read or written now; the message says why and what to do."""


class Store:
    """The SQLite file of one table. Used by the writer thread alone, once it runs.

    Args:
        path: The file; made, with its folder, where there is none.

    Raises:
        StoreTrouble: The folder cannot be written, or the file is of a newer version.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.warning: str | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreTrouble(
                f"cannot make {path.parent}: {error.strerror}; choose another --data"
            ) from error
        self._db = self._open_sound()
        self._migrate()

    def _open_sound(self) -> sqlite3.Connection:
        """Open the file, or put a corrupt one aside and start anew, saying so."""
        try:
            return self._open()
        except sqlite3.DatabaseError as error:
            if not self.path.exists() or isinstance(error, sqlite3.OperationalError):
                raise StoreTrouble(
                    f"cannot open {self.path}: {error}; check the folder's rights "
                    "and free space"
                ) from error
        aside = self._free_name()
        for suffix in ("", "-wal", "-shm"):
            broken = self.path.with_name(self.path.name + suffix)
            if broken.exists():
                broken.rename(aside.with_name(aside.name + suffix))
        self.warning = f"{self.path.name} was damaged and is kept as {aside.name}"
        return self._open()

    def _free_name(self) -> Path:
        number = 1
        while (
            name := self.path.with_name(f"{self.path.name}.corrupt-{number}")
        ).exists():
            number += 1
        return name

    def _open(self) -> sqlite3.Connection:
        # Only the table's own user may read hands and tokens.
        self.path.touch(mode=0o600)
        db = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
        try:
            db.execute(f"PRAGMA busy_timeout={BUSY_MS}")
            db.execute("PRAGMA journal_mode=WAL")
            # FULL: with NORMAL a power cut takes back what phones were told already.
            db.execute("PRAGMA synchronous=FULL")
            db.execute("PRAGMA foreign_keys=ON")
            # A name that somebody had deleted must not be left in free pages.
            db.execute("PRAGMA secure_delete=ON")
            (verdict,) = db.execute("PRAGMA quick_check").fetchone()
            if verdict != "ok":
                raise sqlite3.DatabaseError(verdict)
        except sqlite3.DatabaseError:
            db.close()
            raise
        return db

    def _migrate(self) -> None:
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        if version > len(MIGRATIONS):
            self._db.close()
            raise StoreTrouble(
                f"{self.path} was written by a newer Dragon Table (version {version}, "
                f"this one knows {len(MIGRATIONS)}); update, or choose another --data"
            )
        for number, script in enumerate(MIGRATIONS[version:], version + 1):
            self._db.executescript(
                f"BEGIN; {script} PRAGMA user_version={number}; COMMIT;"
            )

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Run one transaction; on disk when the block is left."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
            yield self._db
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise StoreTrouble(
                f"cannot write {self.path}: {error}; free some space or check the card"
            ) from error

    def create(self, game_id: str, story: Story) -> None:
        """Store a new game with the entries it has."""
        with self._writing() as db:
            (last,) = db.execute("SELECT max(number) FROM games").fetchone()
            db.execute(
                "INSERT INTO games (id, game, begun_at, number) VALUES (?, ?, ?, ?)",
                (game_id, story.game.id, story.entries[0].at, (last or 0) + 1),
            )
            self._insert(db, game_id, story.entries)

    def append(self, game_id: str, entries: tuple[Entry, ...]) -> None:
        """Store more entries of a game, all or none of them.

        Raises:
            StoreTrouble: Nothing was stored: disk full, read-only or failing.
        """
        with self._writing() as db:
            self._insert(db, game_id, entries)

    @staticmethod
    def _insert(
        db: sqlite3.Connection, game_id: str, entries: tuple[Entry, ...]
    ) -> None:
        db.executemany(
            "INSERT INTO entries (game_id, seq, body) VALUES (?, ?, ?)",
            [(game_id, entry.seq, encode(entry)) for entry in entries],
        )

    def forget(self, name: str) -> None:
        """Put the seat's number in place of a player's name in every stored game.

        Nothing of the name is left in the file or in the write-ahead log beside it. A
        damaged file that was put aside is not touched.

        Raises:
            StoreTrouble: Nothing was changed: disk full, read-only or failing.
        """
        with self._writing() as db:
            rows = db.execute(
                "SELECT g.id, g.game, h.body FROM games g "
                "JOIN entries h ON h.game_id = g.id AND h.seq = 0"
            ).fetchall()
            for game_id, game, body in rows:
                entry = decode(find(game), body)
                header = entry.body
                if isinstance(header, Header) and name in header.players:
                    new = Entry(entry.seq, entry.at, header.without(name))
                    db.execute(
                        "UPDATE entries SET body = ? WHERE game_id = ? AND seq = 0",
                        (encode(new), game_id),
                    )
        # What was overwritten still stands in the log of writes until it is emptied.
        self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def delete(self, game_id: str) -> None:
        """Delete a game with all its entries, and what phones were let into it with.

        Nothing of it is left in the file or in the write-ahead log beside it.

        Raises:
            StoreTrouble: Nothing was changed: disk full, read-only or failing.
        """
        with self._writing() as db:
            for table, key in (
                ("entries", "game_id"), ("tokens", "game_id"), ("games", "id"),
            ):  # fmt: skip
                db.execute(f"DELETE FROM {table} WHERE {key} = ?", (game_id,))
        self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close_game(self, game_id: str) -> None:
        """Mark a game as no longer on the table; it can still be resumed."""
        with self._writing() as db:
            db.execute("UPDATE games SET closed = 1 WHERE id = ?", (game_id,))

    def reopen_game(self, game_id: str) -> None:
        """Mark a game as the one on the table."""
        with self._writing() as db:
            db.execute("UPDATE games SET closed = 1")
            db.execute("UPDATE games SET closed = 0 WHERE id = ?", (game_id,))

    def load(self, game_id: str) -> Story:
        """Return the story of a stored game.

        Raises:
            StoreTrouble: There is no such game.
            BadLog: Its entries cannot be read or do not follow each other.
        """
        found = self._db.execute(
            "SELECT game FROM games WHERE id = ?", (game_id,)
        ).fetchone()
        if found is None:
            raise StoreTrouble(f"no game {game_id!r} in {self.path}")
        game = find(found[0])
        lines = self._db.execute(
            "SELECT body FROM entries WHERE game_id = ? ORDER BY seq", (game_id,)
        )
        return fold(game, tuple(decode(game, line) for (line,) in lines))

    def games(self) -> tuple[StoredGame, ...]:
        """Return all games, the newest first."""
        rows = self._db.execute(
            "SELECT g.id, g.game, g.begun_at, g.closed, h.body, "
            "(SELECT count(*) FROM entries e WHERE e.game_id = g.id) "
            "FROM games g JOIN entries h ON h.game_id = g.id AND h.seq = 0 "
            "ORDER BY g.number DESC"
        ).fetchall()
        return tuple(
            StoredGame(
                id=game_id,
                game=game,
                players=_players(game, header),
                begun_at=begun_at,
                entries=count,
                closed=bool(closed),
            )
            for game_id, game, begun_at, closed, header, count in rows
        )

    def on_the_table(self) -> str | None:
        """Return the id of the game that was being played when the power went."""
        found = self._db.execute(
            "SELECT id FROM games WHERE closed = 0 ORDER BY number DESC LIMIT 1"
        ).fetchone()
        return found[0] if found else None

    def meta(self, key: str) -> str | None:
        """Return a remembered word of the table itself, such as its PIN's hash."""
        found = self._db.execute(
            "SELECT value FROM meta WHERE key = ?", (key,)
        ).fetchone()
        return found[0] if found else None

    def set_meta(self, key: str, value: str) -> None:
        """Remember a word of the table itself."""
        with self._writing() as db:
            db.execute(
                "INSERT INTO meta VALUES (?, ?) "
                "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                (key, value),
            )

    def tokens(self) -> tuple[Token, ...]:
        """Return what phones were let in with."""
        rows = self._db.execute("SELECT hash, role, seat, game_id FROM tokens")
        return tuple(Token(*row) for row in rows)

    def add_token(self, token: Token) -> None:
        """Remember a phone, so that it stays in after a restart."""
        with self._writing() as db:
            db.execute(
                "INSERT OR REPLACE INTO tokens VALUES (?, ?, ?, ?)",
                (token.hash, token.role, token.seat, token.game_id),
            )

    def drop_tokens(self, hashes: frozenset[str]) -> None:
        """Forget the phones that were let in with these."""
        with self._writing() as db:
            db.executemany(
                "DELETE FROM tokens WHERE hash = ?", [(one,) for one in sorted(hashes)]
            )

    def close(self) -> None:
        """Close the file; the write-ahead log is folded into it."""
        self._db.close()


def _players(game: str, header: bytes) -> tuple[str, ...]:
    body = decode(find(game), header).body
    return body.players if isinstance(body, Header) else ()
