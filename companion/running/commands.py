"""What phones, buttons and watchers may ask of the table, beside a claimed move.

Each names the state that it was meant for, so that none is carried out in another, and
a key, so that none is carried out twice.
"""

from typing import TypeAlias

from msgspec import Struct

from companion.running.power import Power
from companion.running.snapshot import ButtonStatus, CameraStatus, Missing
from companion.table import Claim, Reading, Seat


class Heard(Struct, frozen=True):
    """A reading, and the number of the state that it was taken for, if it was."""

    reading: Reading
    seq: int | None = None


class TakeBack(Struct, frozen=True):
    """A command to take the last move back."""

    seat: Seat | None
    seq: int
    key: str


class Amend(Struct, frozen=True):
    """A command to put another move in the place of an earlier one, entry *step*."""

    step: int
    move: str
    seat: Seat | None
    seq: int
    key: str


class Adopt(Struct, frozen=True):
    """A command to set the record to what is on the table, as a *house* rule or not."""

    seat: Seat | None
    seq: int
    key: str
    house: bool = False


class Rest(Struct, frozen=True):
    """A command to pause the game, or to go on with it."""

    pause: bool


class MissingStatus(Struct, frozen=True):
    """What the table goes on without, all of it."""

    parts: tuple[Missing, ...]


GameCommand: TypeAlias = Heard | Claim | TakeBack | Amend | Adopt
"""What means a move: nothing of it counts while the game is paused."""

Command: TypeAlias = (
    GameCommand | Rest | CameraStatus | ButtonStatus | Power | MissingStatus
)
"""What the reducer carries out: also a pause, and how the table's parts are."""
