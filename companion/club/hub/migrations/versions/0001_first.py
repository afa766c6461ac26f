"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

GAME = ["table_id", "game_id"]
OF_A_GAME = ["games.table_id", "games.game_id"]


def upgrade() -> None:
    """Make tables, games, seats, entries and words."""
    op.create_table(
        "tables",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("seen_at", sa.Double, nullable=False),
    )
    op.create_table(
        "games",
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("game_id", sa.Text, primary_key=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("begun_at", sa.Double, nullable=False),
        sa.Column("ended_at", sa.Double),
        sa.Column("seq", sa.Integer, nullable=False),
    )
    op.create_index("games_by_end", "games", ["ended_at"])
    op.create_table(
        "seats",
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("game_id", sa.Text, primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("player_key", sa.Text, nullable=False),
        sa.Column("points", sa.Integer),
        sa.Column("won", sa.Boolean, nullable=False),
        sa.ForeignKeyConstraint(GAME, OF_A_GAME, ondelete="CASCADE"),
    )
    op.create_index("seats_by_player", "seats", ["player_key"])
    op.create_table(
        "entries",
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("game_id", sa.Text, primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(GAME, OF_A_GAME, ondelete="CASCADE"),
    )
    op.create_table(
        "words",
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
