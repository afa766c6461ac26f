"""What a hub receives from tables, and what a club knows of a game."""

import msgspec
from msgspec import Struct

from companion.club.messages import Delivery, decode

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
