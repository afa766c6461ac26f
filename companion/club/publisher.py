"""Publishes one table to its club, beside its play and without its writer.

A thread of its own reads the snapshots that the writer leaves, as a phone's stream
does. Entries are delivered one batch at a time, and the next only once a hub has said
that the last is in its database: a broker's own acknowledgement is not enough, as one
that is killed forgets what it had confirmed. So entries arrive in order, and what is
lost on any way is delivered again.
"""

import logging
import threading
from collections.abc import Callable
from pathlib import Path
from queue import Empty, SimpleQueue

import msgspec
from msgspec import Struct

from companion.club import home_assistant
from companion.club.broker import Address, Link, Will
from companion.club.calls import Calls, temperature_c
from companion.club.marks import NAME as MARKS_NAME
from companion.club.marks import Mark, Marks
from companion.club.messages import (
    FORGET,
    HUBS,
    MOST_ENTRIES,
    Delivery,
    Forget,
    Need,
    Stored,
    TableNow,
    decode,
    encode,
    entries_topic,
    here_topic,
    home_topic,
    now_topic,
    stored_topic,
    table_id,
)
from companion.club.public import game_line, public_entry, table_now
from companion.games.player_names import is_like
from companion.running.snapshot import Done, RunningTable, Snapshot
from companion.running.wishes import Clock
from companion.story.log import Story

logger = logging.getLogger(__name__)

LOOK_S = 0.5
"""How often needs and stored games are looked at while nobody acts."""

SOON_S = 0.02
"""How soon after a hub's word the next delivery goes while there is more."""

AGAIN_S = 5.0, 60.0
"""When a delivery without a hub's word goes again: first, and after many tries."""

APART_S = 0.1
"""Between two snapshots: ten a second are more than anybody can read."""

KEEP_S = 30 * 24 * 3600
"""How long the broker keeps a club's wish for a table that is switched off."""


class Membership(Struct, frozen=True):
    """Which club a table belongs to, and by what name.

    Attributes:
        address: The club's broker.
        name: What people call the table.
        language: What a smart home reads.
    """

    address: Address
    name: str
    language: str = "fr"


class _Open(Struct, frozen=True):
    """A delivery that no hub has answered yet."""

    delivery: Delivery
    mark: Mark


class Publisher:
    """Publishes a running table; `start` and `stop` with the table.

    Args:
        table: What is published. Only `forget` asks anything of it.
        membership: The club.
        data: The table's folder, for the marks.
        clock: Where time comes from.
        heat: Gives the processor's temperature.
    """

    def __init__(
        self,
        table: RunningTable,
        membership: Membership,
        data: Path,
        clock: Clock,
        heat: Callable[[], float | None] = temperature_c,
    ) -> None:
        self._table = table
        self._name = membership.name
        self._language = membership.language
        self._id = table_id(membership.name)
        self._data = data
        self._clock = clock
        self._heat = heat
        self._calls = Calls(data)
        self._stopping = threading.Event()
        self._stored: SimpleQueue[int] = SimpleQueue()
        self._asks: SimpleQueue[tuple[str, int]] = SimpleQueue()
        self._fresh = threading.Event()
        self._number = 0
        self._open: _Open | None = None
        self._sent_s = 0.0
        self._tries = 0
        self._shown_s = 0.0
        self._owes = False
        self._last: TableNow | None = None
        self._link = Link(
            membership.address,
            self._id,
            Will(here_topic(self._id)),
            (stored_topic(self._id), FORGET, f"{HUBS}/+/here"),
            self._receive,
            self._fresh.set,
            KEEP_S,
        )
        self._thread = threading.Thread(target=self._run, name="club", daemon=True)

    def start(self) -> None:
        """Begin; a broker that is not there yet is waited for."""
        self._link.start()
        self._thread.start()

    def stop(self) -> None:
        """End; what was not delivered is due at the next start."""
        self._stopping.set()
        self._thread.join(LOOK_S + 2)
        self._link.stop()

    # In the client's thread.

    def _receive(self, topic: str, payload: bytes, number: int) -> bool:
        try:
            if topic == FORGET:
                # The broker keeps it until it is done, over a restart too.
                self._asks.put((decode(payload, Forget).name, number))
                return False
            if topic == stored_topic(self._id):
                self._stored.put(decode(payload, Stored).number)
            else:
                self._fresh.set()  # a hub has come: it may take what waits
        except msgspec.MsgspecError as error:
            logger.warning("%s holds no message of ours: %s", topic, error)
        return True

    # In the club's thread.

    def _run(self) -> None:
        # Opened here: SQLite wants the marks read and written by one thread.
        marks = Marks(self._data / MARKS_NAME)
        version = -1
        try:
            while not self._stopping.is_set():
                soon = self._open is not None or self._owes
                wait_s = SOON_S if soon else LOOK_S
                shown = self._table.wait(version, wait_s)
                version = shown.version
                try:
                    self._step(shown, marks)
                except (OSError, LookupError, ValueError) as error:
                    # A store that cannot be read just now: the table says so itself.
                    logger.warning("the club is not told of all: %s", error)
                    self._stopping.wait(LOOK_S)
        finally:
            marks.close()

    def _step(self, shown: Snapshot, marks: Marks) -> None:
        if self._fresh.is_set() and self._link.is_up:
            self._fresh.clear()
            self._sent_s, self._tries, self._last = 0.0, 0, None
            for topic, payload in home_assistant.discovery(
                self._id, self._name, self._language
            ):
                self._link.publish(topic, payload, retain=True)
        self._forget()
        if not self._link.is_up:
            return
        self._show(shown)
        self._take_word(marks)
        if self._open is None:
            self._open = self._next(shown, marks)
            self._tries = 0
        if self._open is not None:
            self._deliver(self._open)

    def _show(self, shown: Snapshot) -> None:
        """Publish the public snapshot, if anything of it has changed."""
        now_s = self._clock.monotonic()
        self._owes = now_s - self._shown_s < APART_S and self._last is not None
        if self._owes:
            return
        needs: tuple[Need, ...] = self._calls.needs(shown, now_s)
        heat = self._heat()
        # Whole degrees: a tenth changes with each look and tells nobody anything.
        degrees = None if heat is None else float(round(heat))
        now = table_now(shown, self._name, 0.0, needs, degrees)
        alike = self._last is not None and _same(now, self._last)
        if alike:
            return
        self._shown_s, self._last = now_s, now
        told = msgspec.structs.replace(now, sent_at=self._clock.wall())
        self._link.publish(now_topic(self._id), encode(told), retain=True)
        home = home_assistant.state(now, self._language)
        self._link.publish(home_topic(self._id), home, retain=True)

    def _take_word(self, marks: Marks) -> None:
        """Hear what hubs have stored, and move the mark on."""
        while True:
            try:
                number = self._stored.get_nowait()
            except Empty:
                return
            waiting = self._open
            if waiting is not None and waiting.delivery.number == number:
                marks.put(waiting.delivery.line.game_id, waiting.mark)
                self._open = None

    def _next(self, shown: Snapshot, marks: Marks) -> _Open | None:
        """Return what is due next: older games first, each in its order."""
        if not shown.stored:
            return None  # only what is on disk has happened
        for stored in reversed(self._table.games()):
            mark = marks.of(stored.id)
            on_the_table = stored.id == shown.game_id
            if on_the_table and shown.story is not None:
                # The list may be a moment ahead of what is on disk.
                newest, players = shown.story.seq, shown.story.header.players
            else:
                newest, players = stored.entries - 1, stored.players
            if not stored.readable or (newest <= mark.seq and players == mark.players):
                continue
            found = self._batch(shown, stored.id, mark)
            if found is not None:
                return found
        return None

    def _batch(self, shown: Snapshot, game_id: str, mark: Mark) -> _Open | None:
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
        return _Open(delivery, Mark(mark.seq + len(due), players))

    def _deliver(self, waiting: _Open) -> None:
        """Send what is due, now or again once a hub has been silent for long."""
        first_s, most_s = AGAIN_S
        silent_s = self._clock.monotonic() - self._sent_s
        if self._tries and silent_s < min(first_s * self._tries, most_s):
            return
        told = msgspec.structs.replace(waiting.delivery, sent_at=self._clock.wall())
        if self._link.publish(entries_topic(self._id), encode(told)):
            self._sent_s = self._clock.monotonic()
            self._tries += 1

    def _forget(self) -> None:
        """Delete the names that the club was asked to delete."""
        try:
            name, number = self._asks.get_nowait()
        except Empty:
            return
        # However it was written at this table: for a club "Ana" and "ana" are one.
        spelt = {
            player
            for game in self._table.games()
            for player in game.players
            if is_like(player) == is_like(name)
        }
        try:
            done = all(isinstance(self._table.forget(one), Done) for one in spelt)
        except TimeoutError:
            done = False
        if done:
            self._link.ack(number)
        else:
            self._asks.put((name, number))  # a disk that refuses is tried again


def _same(one: TableNow, other: TableNow) -> bool:
    """Tell whether a reader sees no difference."""
    return msgspec.structs.replace(one, version=0) == msgspec.structs.replace(
        other, version=0
    )
