"""Makes what Mosquitto needs for a club: its configuration, who may what, passwords.

Each table signs in by its own name and may write below it alone; hubs may write what is
asked of tables. A smart home only reads. Nobody else gets in.

Source: Mosquitto 2.0, mosquitto.conf(5), "acl_file", "password_file".
"""

import secrets
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from companion.club.messages import ASKS, HUBS, KITS, ROOT, TABLES, table_id
from companion.club.table.home_assistant import PREFIX, device_topic

HUB, HOME = "hub", "home"
"""Users beside the tables: all hubs, and a smart home."""

CONFIG, ACL, PASSWORDS = "dragon-table.conf", "dragon-table.acl", "passwords"

MOST_BYTES = 40_000_000
"""Of a message: a kit with pictures has 17 MB, as one file of at most 32."""


class BadTables(ValueError):
    """The names of a club's tables cannot be used; the message says why."""


class Member(Struct, frozen=True):
    """Who signs in to the broker, and by which password."""

    user: str
    password: str


def members(names: Sequence[str]) -> tuple[Member, ...]:
    """Return tables, hubs and the smart home, each with a password of its own.

    Raises:
        BadTables: Two names come to one user, or one to none.
    """
    try:
        users = [table_id(name) for name in names]
    except ValueError as error:
        raise BadTables(str(error)) from error
    for user in users:
        if users.count(user) > 1 or user in (HUB, HOME):
            raise BadTables(f"more than one would be {user!r}; give them other names")
    return tuple(
        Member(user, secrets.token_urlsafe(18)) for user in (*users, HUB, HOME)
    )


def acl(users: Sequence[str]) -> str:
    """Return who may read and write which topics."""
    lines = [
        "# Made by `dragon-table club-files`. Whoever is not named here may nothing.",
        "",
        f"user {HUB}",
        f"topic readwrite {ROOT}/#",
        "",
        f"user {HOME}",
        f"topic read {PREFIX}/#",
        f"topic read {TABLES}/+/home",
        f"topic read {TABLES}/+/here",
    ]
    for user in users:
        if user in (HUB, HOME):
            continue
        lines += [
            "",
            f"user {user}",
            f"topic write {TABLES}/{user}/#",
            f"topic write {device_topic(user)}",
            f"topic read {ASKS}/{user}/#",
            f"topic read {ASKS}/all/#",
            f"topic read {HUBS}/+/here",
            f"topic read {KITS}/#",
            f"topic write {KITS}/{user}/#",
        ]
    return "\n".join(lines) + "\n"


def config(folder: Path, port: int = 8883, *, tls: bool = True) -> str:
    """Return Mosquitto's own configuration.

    Args:
        folder: Where the other files lie on the broker's machine.
        port: Where it listens.
        tls: Whether what is said is encrypted; without it whoever is in the network
            reads names and passwords.
    """
    lines = [
        "# Made by `dragon-table club-files`.",
        "per_listener_settings false",
        f"listener {port}",
        "allow_anonymous false",
        f"password_file {folder / PASSWORDS}",
        f"acl_file {folder / ACL}",
        # What waits for a table that is off outlives a restart. That a broker forgets
        # its last seconds when it is killed costs nothing: hubs confirm what they have.
        "persistence true",
        "persistence_location /var/lib/mosquitto/",
        "autosave_interval 60",
        "persistent_client_expiration 30d",
        f"message_size_limit {MOST_BYTES}",
        # For each client that is off: names that it is to forget, and no more.
        "max_queued_messages 1000",
    ]
    if tls:
        lines += [
            f"cafile {folder / 'ca.crt'}",
            f"certfile {folder / 'broker.crt'}",
            f"keyfile {folder / 'broker.key'}",
        ]
    return "\n".join(lines) + "\n"


def table_settings(member: Member, name: str, host: str, *, tls: bool = True) -> str:
    """Return the lines for a table's ``/etc/default/dragon-table``."""
    scheme = "mqtts" if tls else "mqtt"
    lines = [
        f"DRAGON_TABLE_CLUB={scheme}://{member.user}@{host}",
        f"DRAGON_TABLE_CLUB_PASSWORD={member.password}",
        f'DRAGON_TABLE_NAME="{name}"',
    ]
    if tls:
        lines.append("DRAGON_TABLE_CLUB_CA=/etc/dragon-table/ca.crt")
    return "\n".join(lines) + "\n"


def passwords(made: Sequence[Member]) -> str:
    """Return the file of passwords, still to be hashed by ``mosquitto_passwd -U``."""
    return "".join(f"{member.user}:{member.password}\n" for member in made)
