"""A table joins its club; ``dragon-table club`` is the hub that gathers all tables."""

import math
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

import click

from companion.cli.appliance import Running
from companion.cli.device import own_language
from companion.cli.errors import BadInput, no_extra
from companion.cli.pages import address
from companion.cli.pin import goes_to_journal
from companion.running.wishes import Clock
from companion.words import Words
from companion.words.said import in_words, say
from firmware.notify import notify

if TYPE_CHECKING:
    from companion.club.hub.hub import Hub

LOOK_S = 1.0

club_option = click.option(
    "--club", envvar="DRAGON_TABLE_CLUB", default=None,
    help="The club's broker, such as mqtts://table-7@club.local; the password is in "
    "DRAGON_TABLE_CLUB_PASSWORD.",
)  # fmt: skip
table_name_option = click.option(
    "--table-name", envvar="DRAGON_TABLE_NAME", default="Table 1", show_default=True,
    help="What the club calls this table.",
)  # fmt: skip


@contextmanager
def in_club(broker: str | None, name: str, up: Running) -> Iterator[None]:
    """Publish a running table to its club, where it has one.

    What stands in the way is said on the terminal, and the table plays: it never
    depends on a club.
    """
    if broker is None:
        yield
        return
    try:
        # The extra `club` is no part of a table alone.
        from companion.club.broker import read_address
        from companion.club.table.publisher import Membership, Publisher

        member = Membership(read_address(broker), name, own_language(os.environ))
        publisher = Publisher(up.table, member, up.data, Clock(), offered=up.offered)
    except (ImportError, ValueError) as error:
        why = _why(error)
        alone = say("terminal.club_alone", why=why)
        click.echo(in_words(alone, Words(own_language(os.environ))), err=True)
        yield
        return
    publisher.start()
    try:
        yield
    finally:
        publisher.stop()


def _why(error: Exception) -> str:
    return no_extra(error) if isinstance(error, ImportError) else str(error)


@click.command("club")
@click.option(
    "--broker", envvar="DRAGON_TABLE_CLUB", default="mqtt://localhost",
    show_default=True, help="The club's broker; the password is in "
    "DRAGON_TABLE_CLUB_PASSWORD.",
)  # fmt: skip
@click.option(
    "--store", envvar="DRAGON_TABLE_CLUB_STORE", default="sqlite:///club.db",
    show_default=True, help="Where games are kept; or postgresql://club@localhost/club.",
)  # fmt: skip
@click.option(
    "--rule", type=click.Choice(("beaten", "wins", "podium")), default="beaten",
    show_default=True, help="What gives points in the league: each opponent beaten, "
    "each game won, or the first three places.",
)  # fmt: skip
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8080, show_default=True,
    help="Port of the pages; 0 takes any free one.",
)  # fmt: skip
def club_command(broker: str, store: str, rule: str, port: int) -> None:
    """Gather all tables of a club: room, wall screen, results, standings."""
    with running_hub(broker, store, rule, port) as (at, pin, _):
        # As with a table's own: a journal is kept and read by others.
        to_journal = goes_to_journal(sys.stdout, os.environ)
        known = "" if to_journal else f"   staff PIN {pin}"
        click.echo(f"Dragon Table club  {at}/   wall {at}/wall{known}")
        notify(os.environ.get("NOTIFY_SOCKET"), "READY=1")
        end_asked()


@contextmanager
def running_hub(
    broker: str, store: str, rule: str, port: int
) -> Iterator[tuple[str, str, "Hub"]]:
    """Run a hub with its pages; yield their address, the staff's PIN, and the hub.

    Raises:
        BadInput: Something given cannot be used, or the database does not answer.
    """
    try:
        from companion.club.broker import read_address
        from companion.club.hub.hub import Hub
        from companion.club.hub.league import Rule
        from companion.club.hub.records import Records
        from companion.club.hub.room import Room
        from companion.club.pages.app import create_app
        from companion.club.pages.door import pin_of
        from companion.club.pages.serve import Server
    except ImportError as error:
        raise BadInput(_why(error)) from error
    clock = Clock()
    with ExitStack() as stack:
        try:
            records = Records(store)
            stack.callback(records.close)
            room = Room(clock.wall)
            hub = Hub(read_address(broker), records, room, clock)
            pin = os.environ.get("DRAGON_TABLE_CLUB_PIN") or pin_of(records.word("pin"))
            app = create_app(hub, room, records, pin, Rule(rule), clock)
            server = Server(app, "0.0.0.0", port)
        except (ValueError, OSError) as error:
            raise BadInput(str(error)) from error
        stack.callback(server.close)
        hub.start()
        stack.callback(hub.stop)
        yield address(server.port), pin, hub


def end_asked(seconds: float | None = None) -> None:
    """Return when the program is asked to end, or after so many seconds."""
    # As in `companion.cli.ending`: a put may come in the middle of another.
    asked = SimpleQueue[int]()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _: asked.put(number))
    ends_s = math.inf if seconds is None else time.monotonic() + seconds
    while (left_s := ends_s - time.monotonic()) > 0:
        with suppress(Empty):
            asked.get(timeout=min(left_s, LOOK_S))
            return
