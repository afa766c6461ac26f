"""A position and the moves that hands make; no rule is decided here."""

from enum import StrEnum
from typing import TypeAlias, TypeVar

from msgspec import Struct

from companion.games.core import NotNow
from companion.games.drachenhort.box import Board, Box
from companion.games.drachenhort.options import Options
from companion.games.drachenhort.pieces import Adventurer, Metal
from companion.games.hidden import (
    Hidden,
)
from companion.table import Seat

HALL = -1
"""The treasure hall, where the dragon begins: one step before the start room."""

START = 0
"""The start room: one step before cell 1."""

OFF = -2
"""No cell: the adventurer was captured or has escaped."""


T = TypeVar("T")


class Phase(StrEnum):
    """What the table waits for."""

    THROW = "throw"
    ADVANCE = "advance"
    DRAGON = "dragon"
    RANK = "rank"
    FLIP = "flip"
    SHOW = "show"
    OVER = "over"


THROW, ADVANCE, DRAGON, RANK, FLIP, SHOW, OVER = Phase
"""The same by their short names; in Python 3.11 looking one up is what costs time."""


class Setting(Struct, frozen=True, gc=False):
    """What stays the same from the first throw to the last."""

    seats: int
    first: Seat
    box: Box
    options: Options


class State(Struct, frozen=True, gc=False):
    """A whole position.

    Attributes:
        setting: The copy, the seats and the options.
        round: 1 on the front of the board, 2 on the back.
        phase: What the table waits for.
        seat: Whose turn it is; after a round, whose turn ended it.
        pips: The throw to be used, 0 for none.
        cells: Where each adventurer of the box stands: `OFF`, `START` or 1 and up.
        lit: Whether any throw may move the adventurer, that is whether it stands in
            light or in the start room; False once it is off the board.
        dragon: Where the dragon is: `HALL`, `START` or 1 and up.
        jewels: The cells where a jewel still lies, rising.
        won: The jewels of each seat.
        removed: Jewels that nobody had won when the first round ended.
        medals: The silver, then the gold medal of each adventurer, 0 for none yet.
        noted: The group that each seat has entered in private.
        shown: The group that each seat has laid open, None before.
    """

    setting: Setting
    round: int
    phase: Phase
    seat: Seat
    pips: int
    cells: tuple[int, ...]
    lit: tuple[bool, ...]
    dragon: int
    jewels: tuple[int, ...]
    won: tuple[int, ...]
    removed: int
    medals: tuple[tuple[int, ...], tuple[int, ...]]
    noted: tuple[Hidden[int], ...]
    shown: tuple[int | None, ...]

    @property
    def board(self) -> Board:
        """Return the side of the board that lies upward."""
        box = self.setting.box
        return box.front if self.round == 1 else box.back

    @property
    def metal(self) -> Metal:
        """Return the medals that this round gives."""
        return Metal.SILVER if self.round == 1 else Metal.GOLD

    @property
    def given(self) -> tuple[int, ...]:
        """Return this round's medal of each adventurer, 0 for none yet."""
        return self.medals[self.round - 1]

    def index(self, hero: Adventurer) -> int:
        """Return where the state lists *hero*.

        Raises:
            NotNow: This copy has no such adventurer.
        """
        try:
            return self.setting.box.adventurers.index(hero)
        except ValueError:
            raise NotNow(f"there is no {hero} adventurer in this copy") from None


class Throw(Struct, frozen=True, gc=False, tag="throw"):
    """The die comes to rest."""

    pips: int


class Advance(Struct, frozen=True, gc=False, tag="advance"):
    """Move an adventurer by the throw, and out of a trap where there is one."""

    adventurer: Adventurer


class Pass(Struct, frozen=True, gc=False, tag="pass"):
    """Leave the throw unused."""


class MoveDragon(Struct, frozen=True, gc=False, tag="dragon"):
    """Shift everybody into the light, then move the dragon."""


class Rank(Struct, frozen=True, gc=False, tag="rank"):
    """Give the next medal to one of the adventurers that stand level."""

    adventurer: Adventurer


class FlipBoard(Struct, frozen=True, gc=False, tag="flip"):
    """Turn the board over and set it up for the second round."""


class NoteGroup(Struct, frozen=True, gc=False, tag="note"):
    """Tell the table one's own group in private, as the number of its card."""

    seat: Seat
    group: Hidden[int]


class ShowGroup(Struct, frozen=True, gc=False, tag="show"):
    """Lay one's group open at the end, as the number of its card."""

    seat: Seat
    group: int


Move: TypeAlias = (
    Throw | Advance | Pass | MoveDragon | Rank | FlipBoard | NoteGroup | ShowGroup
)


def next_seat(state: State) -> Seat:
    """Return the seat that follows clockwise. Source: rulebook l. 89."""
    return (state.seat + 1) % state.setting.seats
