"""What may be wished of a whole table, beside what happens in its game."""

import time
from collections.abc import Callable
from typing import Protocol, TypeAlias

from msgspec import Struct

from companion.kits.kit import Kit
from companion.running.commands import Command
from companion.running.snapshot import PhoneToken, Setup, Snapshot


class Clock(Struct, frozen=True):
    """Where time comes from: *monotonic* measures, *wall* is only shown to people."""

    monotonic: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time


class Resume(Struct, frozen=True):
    """A wish to put a stored game on the table."""

    game_id: str


class Leave(Struct, frozen=True):
    """A wish to put the game away."""


class Forget(Struct, frozen=True):
    """A wish to delete a player's name from everything."""

    name: str


class Delete(Struct, frozen=True):
    """A wish to delete a stored game."""

    game_id: str


class TakeKit(Struct, frozen=True):
    """A kit that is new or has changed, for the next game."""

    name: str
    kit: Kit


class ChangeBox(Struct, frozen=True):
    """A wish to go on with the game on the table by the box of another kit."""

    kit: str


class RevokeTokens(Struct, frozen=True):
    """A wish to let some phones in no more, by the hashes of their tokens."""

    hashes: frozenset[str]


class Sync(Struct, frozen=True):
    """A wish that is answered once all that came before it is carried out."""


Wish: TypeAlias = (
    Command
    | Setup
    | Resume
    | Leave
    | Forget
    | Delete
    | PhoneToken
    | RevokeTokens
    | TakeKit
    | ChangeBox
    | Sync
)
"""All that goes into the inbox: what is meant for the game, and for the whole table."""


class TableWitness(Protocol):
    """Notes what happens at a table; each call returns at once and never raises."""

    def note_game(self, shown: Snapshot) -> None:
        """Note that a game came to lie on the table."""

    def note_put_away(self) -> None:
        """Note that the game was put away."""

    def note_command(
        self, command: Command, at: float, before: Snapshot, after: Snapshot
    ) -> None:
        """Note a command that was carried out at a time of day."""
