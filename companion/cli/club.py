"""``dragon-table serve --club``: a table joins its club, and plays on without it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import click

from companion.cli.appliance import Running
from companion.cli.device import own_language
from companion.running.wishes import Clock

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
        from companion.club.publisher import Membership, Publisher

        member = Membership(read_address(broker), name, own_language(os.environ))
        publisher = Publisher(up.table, member, up.data, Clock())
    except (ImportError, ValueError) as error:
        why = _why(error)
        click.echo(f"The table plays without its club: {why}", err=True)
        yield
        return
    publisher.start()
    try:
        yield
    finally:
        publisher.stop()


def _why(error: Exception) -> str:
    if isinstance(error, ImportError):
        return f'{error.name} is missing; pip install "dragon-table[club]"'
    return str(error)
