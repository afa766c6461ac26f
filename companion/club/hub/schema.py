"""The tables of a club's database, the same in PostgreSQL and SQLite.

SQLAlchemy Core writes the SQL, so that one layer serves both: a library whose dialects
know each other's upserts and locks is better than two sets of statements of ours.
`migrations/` brings a database to this, step by step, by alembic.
"""

from sqlalchemy import (
    Boolean,
    Column,
    Double,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
)

metadata = MetaData()

tables = Table(
    "tables", metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("seen_at", Double, nullable=False),
)  # fmt: skip

games = Table(
    "games", metadata,
    Column("table_id", Text, primary_key=True),
    Column("game_id", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("begun_at", Double, nullable=False),
    Column("ended_at", Double),
    # The newest entry that the line knew: a line that comes late changes nothing.
    Column("seq", Integer, nullable=False),
    Index("games_by_end", "ended_at"),
)  # fmt: skip

seats = Table(
    "seats", metadata,
    Column("table_id", Text, primary_key=True),
    Column("game_id", Text, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("player", Text, nullable=False),
    # What people take for one name, so that a player is found however it was typed.
    Column("player_key", Text, nullable=False),
    Column("points", Integer),
    Column("won", Boolean, nullable=False),
    ForeignKeyConstraint(
        ["table_id", "game_id"], ["games.table_id", "games.game_id"], ondelete="CASCADE"
    ),
    Index("seats_by_player", "player_key"),
)  # fmt: skip

entries = Table(
    "entries", metadata,
    Column("table_id", Text, primary_key=True),
    Column("game_id", Text, primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("at", Double, nullable=False),
    Column("body", Text, nullable=False),
    ForeignKeyConstraint(
        ["table_id", "game_id"], ["games.table_id", "games.game_id"], ondelete="CASCADE"
    ),
)  # fmt: skip

words = Table(
    "words", metadata,
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
)  # fmt: skip
