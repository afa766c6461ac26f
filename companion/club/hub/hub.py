"""A hub: takes what tables publish, keeps it in the club's database, and says so.

Stateless: whatever it knows is with the broker or in the database. All hubs share the
deliveries of the tables, so as many run as are wanted, and any may stop at any time: a
table delivers again what no hub has confirmed.
"""

import logging
import secrets
import threading
from contextlib import suppress
from queue import Empty, Full, Queue

import msgspec

from companion.club.broker import Address, Link, Will
from companion.club.hub.received import Received, receive
from companion.club.hub.records import BadDelivery, Records, RecordsError
from companion.club.hub.room import Room
from companion.club.messages import (
    FORGET,
    HERE,
    KEEP_S,
    SHARED,
    TABLES,
    Delivery,
    Forget,
    Stored,
    TableNow,
    decode,
    encode,
    hub_topic,
    now_topic,
    stored_topic,
    table_of,
)
from companion.games.player_names import common_form
from companion.running.wishes import Clock

logger = logging.getLogger(__name__)

TOGETHER = 100
"""Deliveries in one transaction, at most: one wait for the disk confirms them all."""

GATHER_S = 0.05
"""So long it is waited for others after the first: ten tables that store an entry
meanwhile cost one transaction. No page waits for that: what they show comes
another way."""

MOST_WAITING = 1_000
"""Deliveries that wait for the database; what comes beyond that comes again."""

LOOK_S = 0.5


class Hub:
    """One hub of a club.

    Args:
        address: The club's broker.
        records: The club's database.
        room: What pages show; the hub keeps it up to date.
        clock: Where time comes from.
    """

    def __init__(
        self, address: Address, records: Records, room: Room, clock: Clock
    ) -> None:
        self.id = f"hub-{secrets.token_hex(4)}"
        self._records = records
        self._room = room
        self._clock = clock
        self._waiting: Queue[Received] = Queue(MOST_WAITING)
        self._stopping = threading.Event()
        self.trouble: str | None = None
        self.link = Link(
            address,
            self.id,
            # By another name each time: else all that ever ran would stay retained.
            Will(hub_topic(self.id), b""),
            (f"{TABLES}/+/now", f"{TABLES}/+/here", SHARED),
            self._receive,
        )
        self._thread = threading.Thread(target=self._write, name="keeper", daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()
        self.link.start()

    def stop(self) -> None:
        """End; what came and was not written comes again to another hub."""
        self._stopping.set()
        self.link.stop()
        self._thread.join(LOOK_S + 5)

    def forget(self, name: str) -> int:
        """Delete a name here, and ask every table to do so; return in how many games.

        Raises:
            RecordsError: The database does not answer; nothing was changed.
            ConnectionError: The broker is gone; no table could be asked.
        """
        if not self.link.is_up:
            raise ConnectionError("the broker is gone; try again when it is back")
        games = self._records.forget(name)
        self.link.publish(FORGET, encode(Forget(name)), expires_s=KEEP_S)
        # A table that is switched off cannot replace what the broker shows of it.
        for seen in self._room.tables:
            if not seen.here and _plays(seen.now, name):
                self.link.publish(now_topic(seen.id), b"", retain=True)
        return games

    # In the client's thread.

    def _receive(self, topic: str, payload: bytes, _number: int) -> bool:
        table = table_of(topic)
        try:
            if topic.endswith("/now"):
                self._room.take(table, payload)
            elif topic.endswith("/here"):
                self._room.note_presence(table, here=payload == HERE)
            else:
                delivery = decode(payload, Delivery)
                came = receive(table, delivery, self._clock.wall())
                self._waiting.put_nowait(came)
        except msgspec.MsgspecError as error:
            logger.warning("%s holds no message of ours: %s", topic, error)
        except Full:
            logger.warning("the database is too slow; %s will deliver again", table)
        return True

    # In the keeper's thread.

    def _write(self) -> None:
        while not self._stopping.is_set():
            received = self._together()
            if not received:
                continue
            for one in self._keep(received):
                word = encode(Stored(one.delivery.number))
                self.link.publish(stored_topic(one.table), word, qos=0)

    def _keep(self, received: list[Received]) -> list[Received]:
        """Write deliveries; return those that are in the database."""
        try:
            self._records.keep(received)
        except BadDelivery as error:
            if len(received) > 1:
                # One that no database takes must not keep the others out.
                return [one for each in received for one in self._keep([each])]
            table = received[0].table
            logger.warning("%s delivered what cannot be kept: %s", table, error)
            return []
        except RecordsError as error:
            if self.trouble is None:
                logger.warning("%s; tables deliver again once it does", error)
            self.trouble = str(error)
            self._stopping.wait(LOOK_S)
            return []
        self.trouble = None
        return received

    def _together(self) -> list[Received]:
        """Return all that waits, after waiting for the first of it."""
        received: list[Received] = []
        with suppress(Empty):
            received.append(self._waiting.get(timeout=LOOK_S))
            self._stopping.wait(GATHER_S)
            while len(received) < TOGETHER:
                received.append(self._waiting.get_nowait())
        return received


def _plays(now: TableNow, name: str) -> bool:
    """Tell whether somebody of that name plays at a table, however it is written."""
    return any(common_form(player.name) == common_form(name) for player in now.players)
