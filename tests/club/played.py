"""A room and its past, as a hub would have them, and whole games, without a broker."""

import random
from types import SimpleNamespace
from typing import Any

from companion.club.hub.received import receive
from companion.club.hub.records import Records
from companion.club.hub.room import Room
from companion.club.messages import (
    Delivery,
    GameLine,
    Need,
    PlayerNow,
    SeatLine,
    TableNow,
    encode,
)
from companion.running.snapshot import Setup
from companion.running.wishes import Clock
from companion.story.log import Story
from companion.table import LinePart
from tests.dashboard.fakes import FakeTable
from tests.dashboard.playing import play_on

EVENING = 1_796_065_200.0
"""30 November 2026, 19:00 UTC."""


class RecordingTable(FakeTable):
    """A table that remembers its game as it stood after each entry."""

    def __init__(self) -> None:
        super().__init__()
        self.steps: list[Story] = []

    def show(self, **changes: Any) -> None:
        super().show(**changes)
        if changes.get("story") is not None:
            self.steps.append(changes["story"])


def steps_of(game: str, seed: int = 1) -> list[Story]:
    """Return a whole game of three as it stands after each entry."""
    table = RecordingTable()
    table.open_game(Setup(game, ("Ana", "Bo", "Cléo")))
    play_on(table, random.Random(seed), 10_000, "over")
    return table.steps


class StubHub:
    """Stands for a hub that listens, and remembers what names it was to forget."""

    def __init__(self, records: Records) -> None:
        self.trouble: str | None = None
        self.link = SimpleNamespace(is_up=True)
        self.forgotten: list[str] = []
        self._records = records

    def forget(self, name: str) -> int:
        self.forgotten.append(name)
        return self._records.forget(name)


def clock(at: float = EVENING) -> Clock:
    return Clock(monotonic=lambda: 1000.0, wall=lambda: at)


def line(
    game_id: str, *seats: tuple[str, int | None, bool], game: str = "drachenhort",
    ended_at: float | None = EVENING,
) -> GameLine:  # fmt: skip
    made = tuple(SeatLine(name, points, won) for name, points, won in seats)
    return GameLine(game_id, game, made, EVENING - 1800, ended_at)


def deliver(
    records: Records, made: GameLine, table: str = "table-1", seq: int = 50, **more: Any
) -> None:
    sent_at = more.pop("sent_at", EVENING)
    delivery = Delivery(1, "Table 1", sent_at, seq, made, 0, ())
    records.keep([receive(table, delivery, more.pop("at", EVENING))])


def a_room() -> Room:
    """Four tables: one plays, one needs help, one is free, one is gone."""
    room = Room(lambda: EVENING)
    playing = TableNow(
        "Table 1", 40, EVENING, "g1", "drachenhort",
        (PlayerNow("Ana", 3, 3, True), PlayerNow("Bo", 2, 5)),
        (LinePart("drachenhort.do.throw", (("seat", 0),)),),
        moves=12, round=1, begun_at=EVENING - 1500,
    )  # fmt: skip
    asking = TableNow(
        "Table 2", 7, EVENING, "g2", "dragorun", (PlayerNow("Cy"), PlayerNow("Dan")),
        moves=3, begun_at=EVENING - 60, needs=(Need.QUESTION, Need.DISK),
    )  # fmt: skip
    for id_, now, here in (
        ("table-1", playing, True),
        ("table-2", asking, True),
        ("table-10", TableNow("Table 10", 1, EVENING), True),
        ("table-3", TableNow("Table 3", 1, EVENING), False),
    ):
        room.note_presence(id_, here=here)
        room.take(id_, encode(now))
    return room
