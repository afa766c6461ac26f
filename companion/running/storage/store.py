"""Keeps every game's log in one SQLite file, each entry on disk before it is shown.

Never derives anything from the entries: what a game stands at is
`companion.story.log`'s to say.
"""

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.running.snapshot import PhoneToken, StoredGame
from companion.running.storage.chain import seed
from companion.running.storage.keysfile import NAME, Keys, read_keys, write_keys
from companion.running.storage.opening import open_copy, open_for_writing
from companion.running.storage.rows import cut, delete, forget, insert
from companion.running.storage.salvage import kept_aside
from companion.running.storage.stored import ReadGame, game_in, games_in
from companion.running.storage.trouble import BUSY, StoreTrouble, why_not
from companion.running.storage.wal import empty_wal, fold_wal
from companion.running.storage.words import get_word, set_word
from companion.story.log import Entry, Story
from companion.table import LinePart

logger = logging.getLogger(__name__)


class Store:
    """The SQLite file of one table. Used by the writer thread alone, once it runs.

    A file that the disk does not let open for writing is read from a copy; each write
    tries the disk again. *mishaps* say what was found on opening, now or at an earlier
    start after which nobody heeded it: what happened, and what to do.

    Args:
        path: The file; made, with its folder, where there is none.

    Where the folder cannot be made, or the file cannot be read or is of a newer
    version, the copy is empty: a table that keeps nothing, and says so, is better than
    none.

    Raises:
        StoreTrouble: Not even a copy can be opened.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.mishaps: tuple[LinePart, ...] = ()
        self._depth = 0
        self._door_changed = False
        self._copy: TemporaryDirectory[str] | None = None
        self._keys_path = path.with_name(NAME)
        self._keys = read_keys(self._keys_path)
        self.refuses: StoreTrouble | None = None
        try:
            self._db, self.mishaps = open_for_writing(path, self._lost)
        except StoreTrouble as error:
            self.refuses = error
            self._db, self.mishaps, self._copy = open_copy(path, error, self._lost)
        if self.refuses is None:
            self._back_up_keys()
        else:
            logger.error("%s", self.refuses)

    @property
    def readable(self) -> Path:
        """Return the file that holds the games now: the real one, or a copy of it."""
        copy = self._copy
        return self.path if copy is None else Path(copy.name) / self.path.name

    def _lost(self, db: sqlite3.Connection) -> tuple[LinePart, ...]:
        """Return what to report where games were kept and are not any more.

        A file that was played with holds the key, as does the one beside it.
        """
        if not self._keys_path.exists() or get_word(db, "key") is not None:
            return ()
        line = "core.store.lost" if self._keys else "core.store.lost_all"
        return (LinePart(line, (("file", self.path.name),)),)

    def try_again(self) -> None:
        """Go back to the real file, if the disk let nobody open it.

        Raises:
            StoreTrouble: It still refuses.
        """
        if self._copy is None:
            return
        try:
            db, mishaps = open_for_writing(self.path, self._lost)
        except StoreTrouble as error:
            self.refuses = error
            raise
        self._db.close()
        copy, self._copy = self._copy, None
        self._db, self.mishaps, self.refuses = db, mishaps, None
        # Last: until now a page may have been about to read from it.
        copy.cleanup()
        self._back_up_keys()

    def wait_for_others(self, ms: int) -> None:
        """Wait so long at the next writes for another program that holds the file."""
        self._db.execute(f"PRAGMA busy_timeout={ms:d}")

    @contextmanager
    def together(self) -> Iterator[sqlite3.Connection]:
        """Run what is written inside as one transaction, on disk when it is left.

        Raises:
            StoreTrouble: Nothing was stored: disk full, read-only or failing.
        """
        if self._depth:
            yield self._db
            return
        self.try_again()
        self._depth += 1
        try:
            if self._db.in_transaction:  # the last one could not even be given up
                self._db.execute("ROLLBACK")
            self._db.execute("BEGIN IMMEDIATE")
            yield self._db
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            raise self._refused(error) from error
        finally:
            self._depth -= 1
            if self._db.in_transaction:
                with suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
        if self._door_changed:
            self._door_changed = False
            self._back_up_keys()

    def _refused(self, error: Exception) -> StoreTrouble:
        why = why_not(error, self.path.parent)
        mend = "free some space or check the card"
        if why == BUSY:
            mend = "another program holds it: end that"
        return StoreTrouble(f"cannot write {self.path}: {error}; {mend}", why)

    def create(self, game_id: str, story: Story) -> None:
        """Store a new game with the entries it has."""
        with self.together() as db:
            (last,) = db.execute("SELECT max(number) FROM games").fetchone()
            db.execute(
                "INSERT INTO games (id, game, begun_at, number) VALUES (?, ?, ?, ?)",
                (game_id, story.game.id, story.entries[0].at, (last or 0) + 1),
            )
            insert(db, game_id, seed(game_id), story.entries)

    def append(self, game_id: str, entries: tuple[Entry, ...]) -> None:
        """Store more entries of a game, all or none of them.

        Raises:
            StoreTrouble: Nothing was stored: disk full, read-only or failing.
        """
        with self.together() as db:
            before = db.execute(
                "SELECT digest FROM entries WHERE game_id = ? AND seq = ?",
                (game_id, entries[0].seq - 1),
            ).fetchone()
            if before is None or before[0] is None:
                raise StoreTrouble(f"game {game_id!r} is not there to be gone on with")
            insert(db, game_id, before[0], entries)

    def forget(self, name: str) -> None:
        """Put the seat's number in place of a player's name in every stored game.

        Of a header that cannot be read the name is taken out as it is written. A
        damaged file that was put aside is not touched. `wipe` is still to be called.

        Raises:
            StoreTrouble: Nothing was changed: disk full, read-only or failing.
        """
        with self.together() as db:
            forget(db, name)

    def delete(self, game_id: str) -> None:
        """Delete a game with all its entries, and what phones were let into it with.

        `wipe` is still to be called.

        Raises:
            StoreTrouble: Nothing was changed: disk full, read-only or failing.
        """
        with self.together() as db:
            delete(db, game_id)

    def wipe(self) -> None:
        """Empty the log of writes: what was overwritten or deleted still stands in it.

        Raises:
            StoreTrouble: It still does; the games themselves are as they should be.
        """
        self.try_again()
        try:
            emptied = empty_wal(self._db, self.path)
        except (sqlite3.Error, OSError) as error:
            raise self._refused(error) from error
        if not emptied:
            raise StoreTrouble(f"{self.path} is being read; the traces stay so long")

    def fold(self) -> bool:
        """Copy what stands in the log of writes into the file itself.

        Whoever copies the file alone then has every game. False where that has to wait.
        """
        try:
            return fold_wal(self._db)
        except sqlite3.Error as error:
            # Nothing is lost: it stands in the log as before.
            logger.warning("%s is behind its log: %s", self.path, error)
            return False

    def close_game(self, game_id: str) -> None:
        """Mark a game as no longer on the table; it can still be resumed."""
        with self.together() as db:
            db.execute("UPDATE games SET closed = 1 WHERE id = ?", (game_id,))

    def reopen_game(self, game_id: str, count: int | None = None) -> None:
        """Mark a game as the one on the table.

        Args:
            game_id: Which one.
            count: How many of its entries are sound, where it goes on after those: all
                others are kept aside. None leaves it as it is.
        """
        with self.together() as db:
            db.execute("UPDATE games SET closed = 1")
            db.execute("UPDATE games SET closed = 0 WHERE id = ?", (game_id,))
            if count is not None:
                cut(db, game_id, count)

    def find_game(self, game_id: str) -> ReadGame:
        """Return a stored game as far as it can be read, and what is wrong with it.

        Raises:
            NoSuchGame: It is not there, or not even its header can be read.
            StoreTrouble: The file cannot be read now.
        """
        with self._reading() as db:
            return game_in(db, game_id)

    def games(self) -> tuple[StoredGame, ...]:
        """Return all games, the newest first.

        Raises:
            StoreTrouble: The file cannot be read now.
        """
        with self._reading() as db:
            return games_in(db)

    def on_the_table(self) -> str | None:
        """Return the id of the game that was being played when the power went.

        Raises:
            StoreTrouble: The file cannot be read now.
        """
        with self._reading() as db:
            found = db.execute(
                "SELECT id FROM games WHERE closed = 0 ORDER BY number DESC LIMIT 1"
            ).fetchone()
        return found[0] if found else None

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        try:
            yield self._db
        except sqlite3.Error as error:
            why = why_not(error, self.path.parent)
            text = f"cannot read {self.path}: {error}; check the card"
            raise StoreTrouble(text, why) from error

    def keys(self) -> Keys | None:
        """Return the table's key and PIN, None before the first were made."""
        if self._keys is not None:
            return self._keys
        key, pin = self.meta("key"), self.meta("pin")
        return None if key is None or pin is None else Keys(key, pin)

    def keep_keys(self, key: str, pin: str) -> None:
        """Remember the table's key and PIN, here and in the file beside the games.

        Raises:
            StoreTrouble: The disk refuses; they are kept as soon as it does not.
        """
        self._keys = Keys(key, pin)
        self.set_meta("key", key)
        self.set_meta("pin", pin)
        self._back_up_keys()

    def _back_up_keys(self) -> None:
        """Let the file beside the games hold what it should, and the games' file too.

        That there are two is for the day when one is lost: a disk that refuses one of
        them keeps nobody from playing.
        """
        try:
            keys = self.keys()
            if keys is None:
                return
            for name, value in (("key", keys.key), ("pin", keys.pin)):
                if self.meta(name) != value:
                    self.set_meta(name, value)
            lost = any(m.line == "core.store.lost" for m in self.mishaps)
            if lost and not self.tokens():
                for token in keys.tokens:
                    self.add_token(token)
            hosts = tuple(t for t in self.tokens() if t.game_id is None)
            new = Keys(keys.key, keys.pin, hosts)
            if new != read_keys(self._keys_path):
                write_keys(self._keys_path, new)
            self._keys = new
        except OSError as error:
            logger.warning("the keys could not be kept a second time: %s", error)

    def meta(self, key: str) -> str | None:
        """Return a remembered word of the table itself, such as its PIN."""
        with self._reading() as db:
            return get_word(db, key)

    def set_meta(self, key: str, value: str) -> None:
        """Remember a word of the table itself."""
        with self.together() as db:
            set_word(db, key, value)

    def heed(self) -> None:
        """Tell at the next start no more what was found at this one or before."""
        with self.together() as db:
            db.execute("DELETE FROM meta WHERE key = 'mishaps'")

    def tokens(self) -> tuple[PhoneToken, ...]:
        """Return what phones were let in with."""
        with self._reading() as db:
            rows = db.execute("SELECT hash, role, seat, game_id FROM tokens").fetchall()
        return tuple(PhoneToken(*row) for row in rows)

    def add_token(self, token: PhoneToken) -> None:
        """Remember a phone, so that it stays in after a restart."""
        with self.together() as db:
            db.execute(
                "INSERT OR REPLACE INTO tokens VALUES (?, ?, ?, ?)",
                (token.hash, token.role, token.seat, token.game_id),
            )
            self._door_changed = True

    def drop_tokens(self, hashes: frozenset[str]) -> None:
        """Forget the phones that were let in with these."""
        with self.together() as db:
            db.executemany(
                "DELETE FROM tokens WHERE hash = ?", [(one,) for one in sorted(hashes)]
            )
            self._door_changed = True

    def kept_aside(self) -> tuple[str, ...]:
        """Return the names of damaged files that are kept beside this one."""
        return kept_aside(self.path)

    def close(self) -> None:
        """Close the file; the write-ahead log is folded into it."""
        self._db.close()
        if self._copy is not None:
            self._copy.cleanup()
