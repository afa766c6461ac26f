"""Publishes one table to its club, beside its play and without its writer.

A thread of its own looks at the snapshots that the writer leaves, and publishes what
everybody may see; the outbox delivers what is stored.
"""

import logging
import math
import threading
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.club.broker import Address, Link, Will
from companion.club.messages import (
    FORGET,
    HUBS,
    KEEP_S,
    KIT_LABELS,
    KITS,
    Forget,
    Need,
    Stored,
    TableNow,
    decode,
    encode,
    here_topic,
    home_topic,
    now_topic,
    stored_topic,
    table_id,
)
from companion.club.table import home_assistant
from companion.club.table.calls import Calls, temperature_c
from companion.club.table.kit_exchange import Fresh, Heard, KitExchange
from companion.club.table.outbox import Ask, News, Outbox
from companion.club.table.public import table_now
from companion.running.offered_kits import OfferedKits
from companion.running.snapshot import RunningTable, Snapshot
from companion.running.wishes import Clock

logger = logging.getLogger(__name__)

LOOK_S = 1.0
"""How often it is looked whether a table needs help, while nobody acts."""

APART_S = 0.1
"""Between two looks at a table: ten a second are more than anybody can read.

It is looked at, and never waited for: a thread that the writer wakes wants the
interpreter at the very moment in which the answer to a tap goes out, and 99 of 100 taps
took a sixth longer for it (`python -m tests.club.taps`), with a broker or without.
"""


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


class Publisher:
    """Publishes a running table; `start` and `stop` with the table.

    Args:
        table: What is published.
        membership: The club.
        data: The table's folder.
        clock: Where time comes from.
        heat: Gives the processor's temperature.
        offered: Where people see the kits of other tables; None exchanges none.

    Raises:
        BadBroker: The file of the broker's authority cannot be read.
        ValueError: Nothing of the table's name can stand in a topic.
    """

    def __init__(
        self,
        table: RunningTable,
        membership: Membership,
        data: Path,
        clock: Clock,
        heat: Callable[[], float | None] = temperature_c,
        offered: OfferedKits | None = None,
    ) -> None:
        self._table = table
        self._name = membership.name
        self._language = membership.language
        self._id = table_id(membership.name)
        self._clock = clock
        self._heat = heat
        self._calls = Calls(data)
        self._stopping = threading.Event()
        self._fresh = threading.Event()
        self._last: TableNow | None = None
        self._home = b""
        self._link = Link(
            membership.address,
            self._id,
            Will(here_topic(self._id)),
            (stored_topic(self._id), FORGET, f"{HUBS}/+/here", KIT_LABELS),
            self._receive,
            self._begin_anew,
            KEEP_S,
        )
        self._outbox = Outbox(table, self._link, self._id, self._name, data, clock)
        self._kits = (
            None
            if offered is None
            else KitExchange(self._link, self._id, self._name, data, clock, offered)
        )
        self._thread = threading.Thread(target=self._run, name="club", daemon=True)

    def start(self) -> None:
        """Begin; a broker that is not there yet is waited for."""
        self._link.start()
        self._outbox.start()
        if self._kits is not None:
            self._kits.start()
        self._thread.start()

    def stop(self) -> None:
        """End; what was not delivered is due at the next start."""
        self._stopping.set()
        self._outbox.stop(LOOK_S + 2)
        if self._kits is not None:
            self._kits.stop(LOOK_S + 2)
        self._thread.join(LOOK_S + 2)
        self._link.stop()

    # In the client's thread.

    def _begin_anew(self) -> None:
        self._fresh.set()
        self._outbox.hear(News(fresh=True))
        if self._kits is not None:
            self._kits.hear(Fresh())

    def _receive(self, topic: str, payload: bytes, number: int) -> bool:
        try:
            if topic == FORGET:
                # The broker keeps it until it is done, over a restart too.
                self._outbox.hear(Ask(decode(payload, Forget), number))
                return False
            if topic.startswith(f"{KITS}/"):
                if self._kits is not None:
                    self._kits.hear(Heard(topic, payload))
            elif topic == stored_topic(self._id):
                self._outbox.hear(decode(payload, Stored))
            else:
                self._outbox.hear(News(fresh=True))  # a hub has come, or is gone
        except msgspec.MsgspecError as error:
            logger.warning("%s holds no message of ours: %s", topic, error)
        return True

    # In the club's thread.

    def _run(self) -> None:
        version, looked_s = -1, -math.inf
        while not self._stopping.wait(APART_S):
            shown, now_s = self._table.snapshot, self._clock.monotonic()
            is_fresh = self._link.is_up and self._fresh.is_set()
            is_new = shown.version != version
            if not (is_fresh or is_new or now_s - looked_s >= LOOK_S):
                continue
            version, looked_s = shown.version, now_s
            # Without a broker too: what calls for help lasts for as long as it does.
            needs = self._calls.needs(shown, now_s)
            if not self._link.is_up:
                continue
            if is_fresh:
                self._fresh.clear()
                self._introduce()
            if is_new:
                self._outbox.hear(News())
            self._show(shown, needs)

    def _introduce(self) -> None:
        """Say anew what a broker may have forgotten."""
        self._last, self._home = None, b""
        described = home_assistant.discovery(self._id, self._name, self._language)
        for topic, payload in described:
            self._link.publish(topic, payload, retain=True)

    def _show(self, shown: Snapshot, needs: tuple[Need, ...]) -> None:
        """Publish the public snapshot, if anything of it has changed."""
        heat = self._heat()
        # Whole degrees: a tenth changes with each look and tells nobody anything.
        degrees = None if heat is None else float(round(heat))
        now = table_now(shown, self._name, 0.0, needs, degrees)
        alike = None if self._last is None else replace(self._last, version=now.version)
        if now == alike:
            return
        self._last = now
        told = replace(now, sent_at=self._clock.wall())
        self._link.publish(now_topic(self._id), encode(told), retain=True)
        home = home_assistant.state(now, self._language)
        if home != self._home:
            self._home = home
            self._link.publish(home_topic(self._id), home, retain=True)
