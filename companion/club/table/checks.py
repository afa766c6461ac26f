"""What ``dragon-table doctor --club`` finds: broker, rights, hubs, and what waits."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from companion.club.broker import Address, Link, Will
from companion.club.messages import HERE, HUBS, TABLES
from companion.club.table.marks import NAME as MARKS_NAME
from companion.running.storage.archive import StoredGames, Unreadable
from companion.words.said import say
from firmware.finding import Finding, Level

WAIT_S = 5.0
"""A broker in the house answers within a tenth of a second."""

RETAINED_S = 1.0
"""What a broker retains it sends at once."""


def examine_club(address: Address, table: str, store: Path) -> Iterator[Finding]:
    """Yield what there is to say of a table's way to its club.

    Args:
        address: The broker, and as whom the table signs in.
        table: What the table is called in topics.
        store: The table's file of games.
    """
    at = f"{address.host}:{address.port}"
    heard: dict[str, bytes] = {}

    def receive(topic: str, payload: bytes, _number: int) -> bool:
        heard[topic] = payload
        return True

    # By another name than the table, which is connected by its own.
    mine = f"{TABLES}/{table}/doctor"
    link = Link(
        address, f"{table}-doctor", Will(mine, b""), (f"{HUBS}/+/here",), receive
    )
    link.start()
    try:
        if not link.wait_up(WAIT_S):
            yield Finding(
                "club",
                Level.FAIL,
                say("club.doctor.no_broker", address=at, why=link.refused or "timeout"),
                say("club.doctor.no_broker_do"),
            )
            return
        yield Finding("club", Level.OK, say("club.doctor.broker", address=at))
        yield _rights(link, mine, f"{TABLES}/not-{table}/doctor", address.user or "")
        time.sleep(RETAINED_S)
        yield _hubs(heard)
    finally:
        link.stop()
    yield from _waiting(store)


def _rights(link: Link, mine: str, other: str, user: str) -> Finding:
    """Try to write for this table, as it must, and for another, as it must not."""
    if not link.may_publish(mine, b"", WAIT_S):
        what, todo = say("club.doctor.mute", user=user), say("club.doctor.mute_do")
        return Finding("rights", Level.FAIL, what, todo)
    if link.may_publish(other, b"", WAIT_S):
        what, todo = say("club.doctor.open"), say("club.doctor.open_do")
        return Finding("rights", Level.WARN, what, todo)
    return Finding("rights", Level.OK, say("club.doctor.closed"))


def _hubs(heard: dict[str, bytes]) -> Finding:
    count = sum(
        topic.startswith(HUBS) and payload == HERE for topic, payload in heard.items()
    )
    if not count:
        what, todo = say("club.doctor.no_hub"), say("club.doctor.no_hub_do")
        return Finding("hubs", Level.WARN, what, todo)
    return Finding("hubs", Level.OK, say("club.doctor.hubs", n=count))


def _waiting(store: Path) -> Iterator[Finding]:
    """Yield how much of the table no hub has confirmed."""
    try:
        games = StoredGames(store).games()
    except Unreadable:
        return  # said elsewhere
    known = _marks(store.with_name(MARKS_NAME))
    waiting = sum(max(0, game.entries - 1 - known.get(game.id, -1)) for game in games)
    yield Finding("outbox", Level.OK, say("club.doctor.outbox", n=waiting))


def _marks(path: Path) -> dict[str, int]:
    """Return the marks of a table that may be running."""
    if not path.exists():
        return {}
    try:
        address = f"{path.resolve().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True)) as db:
            return dict(db.execute("SELECT game_id, seq FROM marks"))
    except sqlite3.Error:
        return {}
