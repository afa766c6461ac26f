"""Reads stored games and changes nothing on the disk, not even where it is damaged."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from companion.running.snapshot import StoredGame
from companion.running.storage.opening import open_for_reading
from companion.running.storage.schema import NewerVersion, as_text
from companion.running.storage.stored import NoSuchGame, ReadGame, game_in, games_in
from companion.table import LinePart

__all__ = ["Archive", "NoSuchGame", "StoredGames", "Unreadable"]


class Unreadable(OSError):
    """The file cannot be read; the message says why and what to do."""


class Archive:
    """The stored games of one running table, beside its writer; safe in any thread.

    SQLite lets readers look on without waiting while a move is being stored.

    Args:
        path: The file that `companion.running.storage.store.Store` keeps open.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def game(self, game_id: str) -> ReadGame:
        """Return a stored game.

        Raises:
            NoSuchGame: It is not there, or not even its header can be read.
        """
        # A path may hold signs that mean something in an address, such as "?".
        address = f"{self._path.resolve().as_uri()}?mode=ro"
        try:
            with closing(sqlite3.connect(address, uri=True)) as db:
                db.text_factory = as_text
                return game_in(db, game_id)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise NoSuchGame(
                f"game {game_id!r} cannot be read: {error}",
                LinePart("core.store.unreadable"),
            ) from error


class StoredGames:
    """The games of a table that may be running or not, for commands that only read.

    *mishaps* say, after a look, what a table would say that started with this file.

    Args:
        path: The file of games.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.mishaps: tuple[LinePart, ...] = ()

    def games(self) -> tuple[StoredGame, ...]:
        """Return all games, the newest first.

        Raises:
            Unreadable: The file cannot be read.
        """
        with self._open() as db:
            return games_in(db)

    def game(self, game_id: str) -> ReadGame:
        """Return a stored game.

        Raises:
            NoSuchGame: It is not there, or not even its header can be read.
            Unreadable: The file cannot be read.
        """
        with self._open() as db:
            return game_in(db, game_id)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            with open_for_reading(self._path) as (db, mishaps):
                self.mishaps = mishaps
                yield db
        except FileNotFoundError as error:
            raise Unreadable(
                f"there are no games in {self._path.parent}; name their folder with "
                "--data"
            ) from error
        except NewerVersion as error:
            raise Unreadable(
                f"{self._path} was written by a newer Dragon Table; update"
            ) from error
        except (OSError, sqlite3.Error) as error:
            raise Unreadable(f"{self._path} cannot be read: {error}") from error
