"""What a hub receives from tables, and what a club knows of a game."""

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct

from companion.club.messages import Delivery, decode
from companion.games.player_names import common_form

ROUGHLY_S = 60.0
"""A table's clock that is this far off was never set; its times are moved as much."""


YEAR_3000_S = 32_503_680_000


class Seated(Struct, frozen=True):
    """A player of a game; *points* is None in a race, or while it is not over."""

    player: str
    points: int | None
    won: bool


class Played(Struct, frozen=True):
    """A game that was played at some table, its players by seat."""

    table: str
    game_id: str
    game: str
    begun_at: float
    ended_at: float | None
    seats: tuple[Seated, ...]


class Head(Struct, frozen=True):
    """What is read of an entry; the rest is kept as it came."""

    seq: int
    at: float


class Received(Struct, frozen=True):
    """A delivery, the table that it came from, and when, by the hub's clock.

    *heads* are those of its entries.
    """

    table: str
    delivery: Delivery
    at: float
    heads: tuple[Head, ...] = ()

    @property
    def off_s(self) -> float:
        """Return by how much the table's clock is behind; 0 where it is about right."""
        off_s = self.at - self.delivery.sent_at
        return off_s if abs(off_s) > ROUGHLY_S else 0.0


def receive(table: str, delivery: Delivery, at: float) -> Received:
    """Return a delivery as it was received.

    Raises:
        msgspec.DecodeError: Its entries are none, or do not follow each other; or
            its times are in no calendar.
    """
    heads = tuple(decode(raw, Head) for raw in delivery.entries)
    if any(head.seq != delivery.first + n for n, head in enumerate(heads)):
        raise msgspec.ValidationError("entries do not follow each other")
    made = Received(table, delivery, at, heads)
    line = delivery.line
    times = (line.begun_at, line.begun_at if line.ended_at is None else line.ended_at)
    if not all(0 <= one + made.off_s < YEAR_3000_S for one in times):
        # One that no calendar has would break each page that shows its date.
        raise msgspec.ValidationError("its times are no times of day")
    return made


def table_rows(received: Iterable[Received]) -> list[dict[str, Any]]:
    """Return each table once, as it said last what it is called."""
    newest = {one.table: one for one in sorted(received, key=lambda one: one.at)}
    return [
        {"id": table, "name": one.delivery.name, "seen_at": one.at}
        for table, one in sorted(newest.items())
    ]


def game_row(one: Received) -> dict[str, Any]:
    """Return a game as the hub's clock has it."""
    line, off_s = one.delivery.line, one.off_s
    return {
        "table_id": one.table,
        "game_id": line.game_id,
        "game": line.game,
        "begun_at": line.begun_at + off_s,
        "ended_at": None if line.ended_at is None else line.ended_at + off_s,
        "seq": one.delivery.seq,
    }


def seat_rows(one: Received) -> list[dict[str, Any]]:
    """Return who played, by seat."""
    return [
        {
            "table_id": one.table,
            "game_id": one.delivery.line.game_id,
            "seat": number,
            "player": seat.player,
            "player_key": common_form(seat.player),
            "points": seat.points,
            "won": seat.won,
        }
        for number, seat in enumerate(one.delivery.line.seats)
    ]


def entry_rows(one: Received) -> list[dict[str, Any]]:
    """Return the entries that were delivered, each with its number in the game."""
    game_id = one.delivery.line.game_id
    return [
        {
            "table_id": one.table,
            "game_id": game_id,
            "seq": head.seq,
            "at": head.at + one.off_s,
            "body": bytes(raw).decode(),
        }
        for head, raw in zip(one.heads, one.delivery.entries, strict=True)
    ]
