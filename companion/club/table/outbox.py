"""Delivers what a table has stored to the hubs, each entry once and in its order.

The next delivery goes only once a hub has said that the last is in its database: a
broker's own acknowledgement is not enough, as one that is killed forgets what it had
confirmed. Whatever is lost on the way is delivered again.
"""

import logging
import math
import threading
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.club.broker import Link
from companion.club.messages import (
    MOST_ENTRIES,
    Delivery,
    Forget,
    Stored,
    encode,
    entries_topic,
)
from companion.club.table.marks import NAME as MARKS_NAME
from companion.club.table.marks import Mark, Marks
from companion.club.table.public import game_line, public_entry
from companion.games.player_names import common_form
from companion.running.snapshot import Done, RunningTable, Snapshot
from companion.running.wishes import Clock
from companion.story.log import Story

logger = logging.getLogger(__name__)

AGAIN_S = 5.0, 60.0
"""When a delivery without a hub's word goes again: first, and after many tries."""

LOOK_S = 5.0
"""How often it is looked what is due, without any news of the table."""


class Due(Struct, frozen=True):
    """A delivery that no hub has confirmed yet, and the mark once one has."""

    delivery: Delivery
    mark: Mark


class News(Struct, frozen=True):
    """Something is new: at the table, or of the connection to the hubs (*fresh*)."""

    fresh: bool = False


class Ask(Struct, frozen=True):
    """A hub asks to forget a name; *number* is the broker's of that message."""

    forget: Forget
    number: int


Message: TypeAlias = Stored | News | Ask


class Outbox:
    """The outbox of one table, with a thread of its own.

    Args:
        table: Whose games are delivered. Only a name to be forgotten is asked of it.
        link: The connection to the broker.
        table_id: What the table is called in topics.
        name: What people call it.
        data: The table's folder, for the marks.
        clock: Where time comes from.
    """

    def __init__(
        self,
        table: RunningTable,
        link: Link,
        table_id: str,
        name: str,
        data: Path,
        clock: Clock,
    ) -> None:
        self._table = table
        self._link = link
        self._topic = entries_topic(table_id)
        self._name = name
        self._data = data
        self._clock = clock
        self._messages: SimpleQueue[Message | None] = SimpleQueue()
        self._asks: list[Ask] = []
        self._number = 0
        self._due: Due | None = None
        self._sent_s = 0.0
        self._tries = 0
        self._looked_with: str | None = None
        self._look_s = -math.inf
        self._thread = threading.Thread(target=self._run, name="outbox", daemon=True)

    def start(self) -> None:
        """Begin to deliver."""
        self._thread.start()

    def stop(self, timeout_s: float) -> None:
        """End; what was not delivered is due at the next start."""
        self._messages.put(None)
        self._thread.join(timeout_s)

    def hear(self, message: Message) -> None:
        """Take what is new; in any thread, and at once."""
        self._messages.put(message)

    def _run(self) -> None:
        # Opened here: SQLite wants the marks read and written by one thread.
        marks = Marks(self._data / MARKS_NAME)
        try:
            while self._listen(marks):
                try:
                    self._forget()
                    self._go_on(marks)
                except (OSError, LookupError, ValueError) as error:
                    # A store that cannot be read just now: the table says so itself.
                    logger.warning("the club is not told of all: %s", error)
        finally:
            marks.close()

    def _listen(self, marks: Marks) -> bool:
        """Take all that is new, after waiting for some of it; False at the end."""
        timeout_s = LOOK_S
        try:
            while True:
                message = self._messages.get(timeout=timeout_s)
                timeout_s = 0.0
                match message:
                    case None:
                        return False
                    case Stored(number=number):
                        self._confirm(number, marks)
                    case Ask():
                        self._asks.append(message)
                    case News(fresh=fresh):
                        # At once, where a hub or the broker has just come.
                        self._tries = 0 if fresh else self._tries
                        self._look_s = -math.inf if fresh else self._look_s
        except Empty:
            return True

    def _confirm(self, number: int, marks: Marks) -> None:
        due = self._due
        if due is not None and due.delivery.number == number:
            marks.put(due.delivery.line.game_id, due.mark)
            self._due = None

    def _go_on(self, marks: Marks) -> None:
        """Deliver what is due, now or again once hubs have been silent for long."""
        if not self._link.is_up:
            return
        if self._due is None:
            self._due = self._next(self._table.snapshot, marks)
            self._tries = 0
        if self._due is None:
            return
        first_s, most_s = AGAIN_S
        silent_s = self._clock.monotonic() - self._sent_s
        if self._tries and silent_s < min(first_s * self._tries, most_s):
            return
        told = replace(self._due.delivery, sent_at=self._clock.wall())
        if self._link.publish(self._topic, encode(told)):
            self._sent_s = self._clock.monotonic()
            self._tries += 1

    def _next(self, shown: Snapshot, marks: Marks) -> Due | None:
        """Return what is due next, of each game in its order.

        Thousands of games that are done are looked through now and then, not at each
        entry of the one on the table.
        """
        if not shown.stored:
            return None  # only what is on disk has happened
        if shown.game_id is not None and shown.story is not None:
            seq, players = shown.story.seq, shown.story.header.players
            mark = marks.of(shown.game_id)
            if seq > mark.seq or players != mark.players:
                return self._batch(shown, shown.game_id, mark)
        if shown.game_id != self._looked_with:
            self._looked_with, self._look_s = shown.game_id, -math.inf
        if self._clock.monotonic() < self._look_s:
            return None
        found = self._on_the_shelf(shown, marks)
        if found is None:
            self._look_s = self._clock.monotonic() + LOOK_S
        return found

    def _on_the_shelf(self, shown: Snapshot, marks: Marks) -> Due | None:
        """Return what is due of games that lie not on the table, the oldest first."""
        for stored in reversed(self._table.games()):
            mark = marks.of(stored.id)
            is_done = stored.entries - 1 <= mark.seq and stored.players == mark.players
            if stored.id == shown.game_id or is_done or not stored.readable:
                continue
            found = self._batch(shown, stored.id, mark)
            if found is not None:
                return found
        return None

    def _batch(self, shown: Snapshot, game_id: str, mark: Mark) -> Due | None:
        story: Story
        if game_id == shown.game_id and shown.story is not None:
            story = shown.story
        else:
            story = self._table.story(game_id)
        due = story.entries[mark.seq + 1 : mark.seq + 1 + MOST_ENTRIES]
        players = story.header.players
        if not due and players == mark.players:
            return None  # a damaged game has fewer entries than are listed
        self._number += 1
        delivery = Delivery(
            number=self._number,
            name=self._name,
            sent_at=0.0,
            seq=story.seq,
            line=game_line(game_id, story),
            first=mark.seq + 1,
            entries=tuple(msgspec.Raw(public_entry(entry)) for entry in due),
        )
        return Due(delivery, Mark(mark.seq + len(due), players))

    def _forget(self) -> None:
        """Delete the names that the club asks for; the broker asks till it is done."""
        for ask in tuple(self._asks):
            # However it was written at this table: for a club "Ana" and "ana" are one.
            key = common_form(ask.forget.name)
            names = {name for game in self._table.games() for name in game.players}
            spelt = [name for name in names if common_form(name) == key]
            try:
                done = all(isinstance(self._table.forget(one), Done) for one in spelt)
            except TimeoutError:
                done = False
            if done:
                self._look_s = -math.inf
                self._asks.remove(ask)
                self._link.ack(ask.number)
