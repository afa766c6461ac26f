"""A position and the moves that hands make; no rule is decided here."""

from enum import StrEnum
from typing import TypeAlias, TypeVar

from msgspec import Struct

from companion.games.core import NotNow
from companion.games.dragorun.box import Box, Cell
from companion.games.dragorun.options import Options
from companion.games.dragorun.pieces import Colour, Egg, Step
from companion.table import Seat

NONE = -1
"""No marker: the seat waits for its first one."""

T = TypeVar("T")


class Phase(StrEnum):
    """What the table waits for."""

    PLACE = "place"  # the dragons are lined up
    DEAL = "deal"  # each seat gets a marker
    TURN = "turn"  # a turn begins: throw or swap
    KEEP = "keep"  # use the throw, or throw again
    BOUND = "bound"  # the second throw is to be used
    DRAW = "draw"  # an egg is due after a swap
    EGG = "egg"  # the egg moves a dragon
    DECIDE = "decide"  # the table settles a tie for second place
    AGAIN = "again"  # nobody has won: another race
    OVER = "over"


PLACE, DEAL, TURN, KEEP, BOUND, DRAW, EGG, DECIDE, AGAIN, OVER = Phase
"""The same by their short names; in Python 3.11 looking one up is what costs time."""


class Setting(Struct, frozen=True, gc=False):
    """What stays the same from the first throw to the last.

    *dragons* are the five of the box, in the order in which a state lists them.
    """

    seats: int
    first: Seat
    box: Box
    dragons: tuple[Colour, ...]
    options: Options


class State(Struct, frozen=True, gc=False):
    """A whole position. Nothing in it is secret: eggs in the supply are what is left.

    Attributes:
        setting: The copy, the seats and the options.
        race: 1, and one more each time that nobody has won.
        phase: What the table waits for.
        seat: Whose turn it is, or who begins once the race is set up.
        colour: The colour die of this turn, None before it is thrown.
        step: The movement die of this turn, None before it is thrown.
        cells: Where each dragon stands: `UNPLACED`, `SNAIL_CELL` or 1 and up.
        line: The dragons on the snail cell, in the order in which they came there.
        markers: Which dragon each seat rides, as its number in *cells*, or `NONE`.
        hidden: Whether the seat's marker lies face down, where nobody may take it.
        eggs: The eggs in front of each seat, in the order they were drawn.
        drawn: Eggs drawn since all were last put back.
        winners: The seats that have won or, in a tie, one of which has.
    """

    setting: Setting
    race: int
    phase: Phase
    seat: Seat
    colour: Colour | None
    step: Step | None
    cells: tuple[Cell, ...]
    line: tuple[int, ...]
    markers: tuple[int, ...]
    hidden: tuple[bool, ...]
    eggs: tuple[tuple[Egg, ...], ...]
    drawn: int
    winners: tuple[Seat, ...]

    def index(self, colour: Colour) -> int:
        """Return where the state lists the dragon of *colour*.

        Raises:
            NotNow: This copy has no such dragon.
        """
        try:
            return self.setting.dragons.index(colour)
        except ValueError:
            raise NotNow(f"there is no {colour} dragon in this copy") from None

    @property
    def mine(self) -> int:
        """Return the number of the dragon that the seat in turn rides."""
        return self.markers[self.seat]


class Place(Struct, frozen=True, gc=False, tag="place"):
    """Line a dragon up on a start cell."""

    dragon: Colour
    cell: Cell


class Deal(Struct, frozen=True, gc=False, tag="deal"):
    """A seat gets its first marker, by lot or by choice."""

    seat: Seat
    dragon: Colour


class Throw(Struct, frozen=True, gc=False, tag="throw"):
    """Both dice come to rest."""

    colour: Colour
    step: Step


class ThrowColour(Struct, frozen=True, gc=False, tag="throw_colour"):
    """The colour die alone was thrown again."""

    colour: Colour


class ThrowStep(Struct, frozen=True, gc=False, tag="throw_step"):
    """The movement die alone was thrown again."""

    step: Step


class MoveDragon(Struct, frozen=True, gc=False, tag="move"):
    """Use the throw or the egg: set a dragon on a cell, which may be its own."""

    dragon: Colour
    cell: Cell


class Swap(Struct, frozen=True, gc=False, tag="swap"):
    """Take the marker of a dragon, from another seat or from beside the board."""

    dragon: Colour


class DrawEgg(Struct, frozen=True, gc=False, tag="egg"):
    """Turn over an egg from the supply."""

    egg: Egg


class ReturnEggs(Struct, frozen=True, gc=False, tag="return"):
    """Put all one's eggs back at the start of the turn."""


class Decide(Struct, frozen=True, gc=False, tag="decide"):
    """The table names the winner of a tie."""

    seat: Seat


class RaceAgain(Struct, frozen=True, gc=False, tag="again"):
    """Clear the track for another race, as nobody has won."""


Move: TypeAlias = (
    Place
    | Deal
    | Throw
    | ThrowColour
    | ThrowStep
    | MoveDragon
    | Swap
    | DrawEgg
    | ReturnEggs
    | Decide
    | RaceAgain
)


def next_seat(state: State) -> Seat:
    """Return the seat that follows clockwise. Source: rulebook l. 81."""
    return (state.seat + 1) % state.setting.seats


def seat_of(state: State, index: int) -> Seat | None:
    """Return who rides the dragon; None when its marker lies beside the board."""
    return state.markers.index(index) if index in state.markers else None
