"""Reads stored games beside the writer, each time on a connection of its own.

A page may ask for an old game while a move is being stored: SQLite lets readers look on
without waiting. Nothing is ever written here.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

from companion.games import UnknownGame, find
from companion.log import BadLog, Story, decode, fold


class NoSuchGame(LookupError):
    """There is no such game, or it cannot be read; the message says which and why."""


class Archive:
    """The stored games of one table; safe in any thread.

    Args:
        path: The file that `companion.store.Store` keeps.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def story(self, game_id: str) -> Story:
        """Return the story of a stored game.

        Raises:
            NoSuchGame: It is not there, or its entries do not follow each other.
        """
        try:
            kind, lines = self._read(game_id)
            game = find(kind)
            return fold(game, tuple(decode(game, line) for line in lines))
        except (sqlite3.Error, BadLog, UnknownGame) as error:
            raise NoSuchGame(f"game {game_id!r} cannot be read: {error}") from error

    def _read(self, game_id: str) -> tuple[str, list[bytes]]:
        # A path may hold signs that mean something in an address, such as "?".
        address = f"{self._path.resolve().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True)) as db:
            found = db.execute(
                "SELECT game FROM games WHERE id = ?", (game_id,)
            ).fetchone()
            if found is None:
                raise NoSuchGame(f"there is no game {game_id!r}")
            lines = db.execute(
                "SELECT body FROM entries WHERE game_id = ? ORDER BY seq", (game_id,)
            )
            return found[0], [line for (line,) in lines]
