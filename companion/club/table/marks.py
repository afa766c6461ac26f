"""How much of each game a hub has in its database: the mark of a table's outbox.

The outbox is the table's own store: an entry is in it from the transaction that wrote
it, and out of it once its mark has passed it. So nothing is written twice, no entry can
be stored without being due, and a name that is forgotten waits in no second place. Only
the marks are kept here, in a file of their own, which the table's writer never waits
for. If it is lost, all is delivered again and hubs know what they have.
"""

import logging
import sqlite3
from pathlib import Path

from msgspec import Struct

logger = logging.getLogger(__name__)

NAME = "club.sqlite3"


class Mark(Struct, frozen=True, gc=False):
    """What a hub has of a game: entries up to *seq*, and these *players*."""

    seq: int
    players: tuple[str, ...] = ()


NOTHING = Mark(-1)

_TABLE = """
CREATE TABLE IF NOT EXISTS marks (
    game_id TEXT PRIMARY KEY, seq INTEGER NOT NULL, players TEXT NOT NULL
) WITHOUT ROWID
"""
_BETWEEN = "\n"
"""No name holds an end of line: `companion.games.player_names.tidy` sees to that."""


class Marks:
    """The marks of one table; for one thread alone.

    Where the disk refuses they are kept in memory: after a restart more is delivered
    again than is needed, which changes nothing.

    Args:
        path: The file; made where there is none.
    """

    def __init__(self, path: Path) -> None:
        self._db: sqlite3.Connection | None = None
        self._known: dict[str, Mark] = {}
        try:
            self._db = sqlite3.connect(path, isolation_level=None)
            self._db.execute("PRAGMA journal_mode=WAL")
            # A mark that a power cut takes back means one delivery more: not worth a
            # write that the card must confirm beside those of the game.
            self._db.execute("PRAGMA synchronous=NORMAL")
            self._db.execute("PRAGMA secure_delete=ON")
            self._db.execute(_TABLE)
            for game_id, seq, players in self._db.execute("SELECT * FROM marks"):
                self._known[game_id] = Mark(int(seq), _split(players))
        except (sqlite3.Error, ValueError) as error:
            logger.warning("%s cannot be used: %s; all is delivered again", path, error)
            self._db, self._known = None, {}

    def of(self, game_id: str) -> Mark:
        """Return how much of a game is in the database."""
        return self._known.get(game_id, NOTHING)

    def put(self, game_id: str, mark: Mark) -> None:
        """Remember that so much of a game is in the database."""
        self._known[game_id] = mark
        if self._db is None:
            return
        try:
            self._db.execute(
                "INSERT OR REPLACE INTO marks VALUES (?, ?, ?)",
                (game_id, mark.seq, _BETWEEN.join(mark.players)),
            )
        except sqlite3.Error as error:
            logger.warning("how far the club has come is not kept: %s", error)

    def close(self) -> None:
        """Close the file."""
        if self._db is not None:
            self._db.close()


def _split(players: object) -> tuple[str, ...]:
    return tuple(str(players).split(_BETWEEN)) if players else ()
