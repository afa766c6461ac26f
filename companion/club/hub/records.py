"""What a club remembers: games, players and entries, each written once.

The same code for PostgreSQL and SQLite. Whatever is delivered twice is written once, in
whatever process: the database's own keys see to that, so hubs hold nothing themselves.
"""

import secrets
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeAlias

from alembic import command
from alembic.config import Config
from sqlalchemy import (
    Connection,
    Engine,
    Table,
    and_,
    create_engine,
    event,
    func,
    select,
    text,
    tuple_,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import (
    ArgumentError,
    DataError,
    IntegrityError,
    SQLAlchemyError,
)

from companion.club.hub import schema
from companion.club.hub.received import (
    Played,
    Received,
    Seated,
    entry_rows,
    game_row,
    seat_rows,
    table_rows,
)
from companion.club.messages import seat_name
from companion.games.player_names import common_form

MIGRATIONS = Path(__file__).parent / "migrations"

POOL = 5
"""Connections of one hub: its writer's, and those of pages that are asked at once."""

MIGRATING = 20_261_130
"""Key of the lock that lets one hub migrate a PostgreSQL while others wait."""


_SEAT = tuple(
    schema.seats.c[name] for name in ("seat", "player", "player_key", "points", "won")
)

Lines: TypeAlias = dict[tuple[str, str], Received]
"""Of each table and game the delivery that holds its newest line."""


class RecordsError(OSError):
    """The database cannot be used now; the message says why and what to do."""


class BadDelivery(RecordsError):
    """The database answers, and does not take what a table has delivered."""


class BadStore(ValueError):
    """An address of a database cannot be used; the message says why."""


class Records:
    """A club's database; safe in any thread.

    Args:
        url: ``sqlite:///club.db`` or ``postgresql://user@host/name``; the password may
            stand in ``PGPASSWORD`` or ``~/.pgpass``, as for every PostgreSQL client.

    Raises:
        BadStore: It is no address of a database that is known here.
        RecordsError: The database cannot be reached.
    """

    def __init__(self, url: str) -> None:
        self._engine = _engine(url)
        dialect = self._engine.dialect.name
        self._insert: Any = (
            postgresql.insert if dialect == "postgresql" else sqlite.insert
        )
        self._put_tables = self._upsert(schema.tables, "name", "seen_at")
        self._put_games = self._upsert(schema.games, "ended_at", "seq")
        self._put_seats = self._upsert(
            schema.seats, "player", "player_key", "points", "won"
        )
        self._put_entries = self._insert(schema.entries).on_conflict_do_nothing()
        self._migrate()

    def _upsert(self, table: Table, *changes: str) -> Any:
        """Return what puts rows into a table; of one that is there these change.

        A row with a *seq* gives no way to one with a smaller one.
        """
        put = self._insert(table)
        return put.on_conflict_do_update(
            index_elements=[*table.primary_key.columns],
            set_={name: put.excluded[name] for name in changes},
            where=table.c.seq <= put.excluded.seq if "seq" in changes else None,
        )

    def _migrate(self) -> None:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        with _Trouble(), self._engine.begin() as db:
            if db.dialect.name == "postgresql":
                # Of two hubs that start at once, the other waits and finds it done.
                db.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATING})"))
            config.attributes["connection"] = db
            command.upgrade(config, "head")

    def close(self) -> None:
        """End all connections."""
        self._engine.dispose()

    def check(self) -> str:
        """Return which database answers, by name and version.

        Raises:
            RecordsError: None does.
        """
        with _Trouble(), self._engine.connect() as db:
            version = ".".join(map(str, db.dialect.server_version_info or ()))
            return f"{db.dialect.name} {version}".strip()

    def keep(self, received: Iterable[Received]) -> None:
        """Write deliveries as one transaction; what is there already stays as it is.

        Raises:
            RecordsError: Nothing was written.
        """
        # In one order in every hub, so that two of them never wait for each other.
        # The newest line of a game comes last, and counts.
        sorted_ = sorted(
            received,
            key=lambda one: (one.table, one.delivery.line.game_id, one.delivery.seq),
        )
        if not sorted_:
            return
        lines = {(one.table, one.delivery.line.game_id): one for one in sorted_}
        entries = [row for one in sorted_ for row in entry_rows(one)]
        with _Trouble(), self._engine.begin() as db:
            db.execute(self._put_tables, table_rows(sorted_))
            db.execute(self._put_games, [*map(game_row, lines.values())])
            seats = self._new_seats(db, lines)
            if seats:
                db.execute(self._put_seats, seats)
            if entries:
                db.execute(self._put_entries, entries)

    def _new_seats(self, db: Connection, lines: Lines) -> list[dict[str, Any]]:
        """Return the seats of games that the database has otherwise, or not yet.

        Most entries change no seat: one question for all of them costs less than to
        write them all again. A line that is older than the database's changes nothing.
        """
        games, seats = schema.games.c, schema.seats.c
        at = and_(seats.table_id == games.table_id, seats.game_id == games.game_id)
        wanted = (
            select(games.table_id, games.game_id, games.seq, *_SEAT)
            .select_from(schema.games.outerjoin(schema.seats, at))
            .where(tuple_(games.table_id, games.game_id).in_([*lines]))
        )
        known: dict[tuple[str, str], set[tuple[Any, ...]]] = {}
        for table, game, seq, *seat in db.execute(wanted):
            if seq == lines[table, game].delivery.seq:
                known.setdefault((table, game), set()).add(tuple(seat))
        rows = (row for key in known for row in seat_rows(lines[key]))
        return [
            row
            for row in rows
            if tuple(row[column.name] for column in _SEAT)
            not in known[row["table_id"], row["game_id"]]
        ]

    def forget(self, name: str) -> int:
        """Put the seat's number in place of a name; return in how many games.

        Raises:
            RecordsError: Nothing was changed.
        """
        seats = schema.seats
        with _Trouble(), self._engine.begin() as db:
            mine = seats.c.player_key == common_form(name)
            count = db.execute(select(func.count()).select_from(seats).where(mine))
            games = int(count.scalar_one())
            for (seat,) in db.execute(
                select(seats.c.seat).where(mine).distinct()
            ).all():
                number = seat_name(seat)
                db.execute(
                    update(seats)
                    .where(mine, seats.c.seat == seat)
                    .values(player=number, player_key=number)
                )
            return games

    def played(
        self,
        since: float = 0.0,
        until: float | None = None,
        player: str | None = None,
        table: str | None = None,
    ) -> tuple[Played, ...]:
        """Return games that ended in that time, the newest first.

        Args:
            since: Seconds since the epoch, the first that counts.
            until: The first that does not count any more, None for all to come.
            player: Only those in which somebody of this name played.
            table: Only those of this table.

        Raises:
            RecordsError: The database does not answer.
        """
        games, seats = schema.games.c, schema.seats.c
        at = and_(seats.table_id == games.table_id, seats.game_id == games.game_id)
        wanted = (
            select(
                games.table_id, games.game_id, games.game, games.begun_at,
                games.ended_at, seats.player, seats.points, seats.won,
            )
            .select_from(schema.games.join(schema.seats, at))
            .where(games.ended_at >= since)
            .order_by(games.ended_at.desc(), games.table_id, games.game_id, seats.seat)
        )  # fmt: skip
        if until is not None:
            wanted = wanted.where(games.ended_at < until)
        if table is not None:
            wanted = wanted.where(games.table_id == table)
        if player is not None:
            other = schema.seats.alias()
            among = (
                select(other.c.seat)
                .where(
                    other.c.table_id == games.table_id,
                    other.c.game_id == games.game_id,
                    other.c.player_key == common_form(player),
                )
                .exists()
            )
            wanted = wanted.where(among)
        with _Trouble(), self._engine.connect() as db:
            rows = db.execute(wanted).all()
        return _games_of(rows)

    def entry_counts(self) -> dict[tuple[str, str], tuple[int, int]]:
        """Return of each game how many entries there are, and the highest number.

        Raises:
            RecordsError: The database does not answer.
        """
        entries = schema.entries.c
        wanted = select(
            entries.table_id, entries.game_id, func.count(), func.max(entries.seq)
        ).group_by(entries.table_id, entries.game_id)
        with _Trouble(), self._engine.connect() as db:
            rows = db.execute(wanted).all()
        return {(table, game): (count, most) for table, game, count, most in rows}

    def bodies(self, table: str, game_id: str) -> tuple[str, ...]:
        """Return the entries of a game as they came, in their order.

        Raises:
            RecordsError: The database does not answer.
        """
        entries = schema.entries.c
        wanted = (
            select(entries.body)
            .where(entries.table_id == table, entries.game_id == game_id)
            .order_by(entries.seq)
        )
        with _Trouble(), self._engine.connect() as db:
            return tuple(db.execute(wanted).scalars().all())

    def word(self, key: str) -> str:
        """Return a secret that all hubs of a club share, made by the first that asks.

        Raises:
            RecordsError: The database does not answer.
        """
        fresh = self._insert(schema.words).values(key=key, value=secrets.token_hex(32))
        found = select(schema.words.c.value).where(schema.words.c.key == key)
        with _Trouble(), self._engine.begin() as db:
            db.execute(fresh.on_conflict_do_nothing())
            return str(db.execute(found).scalar_one())


def _engine(url: str) -> Engine:
    """Return what opens connections to a database, and keeps some open.

    Raises:
        BadStore: It is no address of a database that is known here.
    """
    try:
        address = make_url(url)
    except ArgumentError as error:
        raise BadStore(
            f"{url!r} is no database; write sqlite:///club.db or "
            "postgresql://club@localhost/club"
        ) from error
    kind = address.get_backend_name()
    if kind == "postgresql":
        # SQLAlchemy keeps the pool, psycopg 3 speaks to the server.
        return create_engine(
            address.set(drivername="postgresql+psycopg"),
            pool_size=POOL, pool_pre_ping=True, pool_timeout=5,
            connect_args={"connect_timeout": 3},
        )  # fmt: skip
    if kind != "sqlite":
        raise BadStore(f"{kind} is not known here; use sqlite or postgresql")
    engine = create_engine(address, connect_args={"timeout": 10})
    event.listen(engine, "connect", _set_up_sqlite)
    return engine


def _set_up_sqlite(connection: Any, _record: object) -> None:
    for line in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON",
                 "secure_delete=ON"):  # fmt: skip
        connection.execute(f"PRAGMA {line}")


class _Trouble:
    """Tells of a database that refuses in one line."""

    def __enter__(self) -> None:
        """Begin to listen for refusals."""

    def __exit__(self, _kind: object, error: BaseException | None, _: object) -> None:
        if isinstance(error, DataError | IntegrityError):
            raise BadDelivery(f"it is refused: {error.orig}") from error
        if isinstance(error, SQLAlchemyError | OSError):
            why = " ".join(str(getattr(error, "orig", None) or error).split())
            raise RecordsError(f"the club's database does not answer: {why}") from error


def _games_of(rows: Iterable[Any]) -> tuple[Played, ...]:
    """Return games of rows, one for each seat, those of a game together."""
    heads: dict[tuple[str, str], Any] = {}
    seated: dict[tuple[str, str], list[Seated]] = {}
    for row in rows:
        key = row.table_id, row.game_id
        heads.setdefault(key, row)
        seated.setdefault(key, []).append(Seated(row.player, row.points, row.won))
    return tuple(
        Played(table, game_id, row.game, row.begun_at, row.ended_at,
               tuple(seated[table, game_id]))
        for (table, game_id), row in heads.items()
    )  # fmt: skip
