"""What happened, in the past tense and in the order it happened."""

from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct

from companion.games.dragorun.box import Cell
from companion.games.dragorun.pieces import Colour, Egg, Step
from companion.table import Seat


class Why(StrEnum):
    """Why a dragon stays where it is."""

    FIRST = "first"  # the trophy, and it is first already
    LAST = "last"  # the snail, and it is last already
    NO_WAY_BACK = "no_way_back"  # no cell behind that it could go to
    NOT_EXACT = "not_exact"  # more than the finish needs (DG7)
    BARRED = "barred"  # the trophy may not lead onto the finish (DG6)


class DragonPlaced(Struct, frozen=True, gc=False, tag="dragon_placed"):
    """A dragon was lined up on a start cell."""

    dragon: Colour
    cell: Cell


class MarkerDealt(Struct, frozen=True, gc=False, tag="marker_dealt"):
    """A seat got its first marker."""

    seat: Seat
    dragon: Colour


class Thrown(Struct, frozen=True, gc=False, tag="thrown"):
    """Both dice were thrown for the first time in a turn."""

    seat: Seat
    colour: Colour
    step: Step


class ThrownAgain(Struct, frozen=True, gc=False, tag="thrown_again"):
    """One or both dice were thrown again, and now show this."""

    seat: Seat
    colour: Colour
    step: Step


class DragonMoved(Struct, frozen=True, gc=False, tag="dragon_moved"):
    """A dragon went to a cell of the track."""

    dragon: Colour
    cell: Cell


class DragonOnSnailCell(Struct, frozen=True, gc=False, tag="dragon_on_snail_cell"):
    """A dragon went to the snail cell."""

    dragon: Colour


class DragonStayed(Struct, frozen=True, gc=False, tag="dragon_stayed"):
    """A throw or an egg did not move its dragon."""

    dragon: Colour
    why: Why


class NobodyMoved(Struct, frozen=True, gc=False, tag="nobody_moved"):
    """The joker was thrown, and no dragon could move."""

    seat: Seat


class MarkersSwapped(Struct, frozen=True, gc=False, tag="markers_swapped"):
    """A seat took another seat's marker and gave its own."""

    seat: Seat
    dragon: Colour
    other_seat: Seat
    other: Colour


class MarkerTaken(Struct, frozen=True, gc=False, tag="marker_taken"):
    """A seat took a marker from beside the board and laid its own there."""

    seat: Seat
    dragon: Colour
    other: Colour


class MarkerTurnedUp(Struct, frozen=True, gc=False, tag="marker_turned_up"):
    """A seat's turn began, and its marker came face up."""

    seat: Seat
    dragon: Colour


class EggDrawn(Struct, frozen=True, gc=False, tag="egg_drawn"):
    """A seat revealed an egg."""

    seat: Seat
    egg: Egg


class EggsReturned(Struct, frozen=True, gc=False, tag="eggs_returned"):
    """A seat, being last, put all its eggs back."""

    seat: Seat
    n: int


class AllEggsReturned(Struct, frozen=True, gc=False, tag="all_eggs_returned"):
    """The last egg was drawn, and everybody put all eggs back."""


class DragonFinished(Struct, frozen=True, gc=False, tag="dragon_finished"):
    """A dragon reached the finish, and the race was over."""

    dragon: Colour


class Disqualified(Struct, frozen=True, gc=False, tag="disqualified"):
    """The first dragon's rider held the mushroom."""

    seat: Seat
    dragon: Colour


class RaceTied(Struct, frozen=True, gc=False, tag="race_tied"):
    """Several riders were second, and the table has to settle it."""


class RaceWon(Struct, frozen=True, gc=False, tag="race_won"):
    """A seat won the race, perhaps with others."""

    seat: Seat


class NobodyWon(Struct, frozen=True, gc=False, tag="nobody_won"):
    """No rider had the dragon that won, or a tie was to be run again."""


class RaceCalled(Struct, frozen=True, gc=False, tag="race_called"):
    """Another race was set up, which a seat begins."""

    number: int
    seat: Seat


Event: TypeAlias = (
    DragonPlaced
    | MarkerDealt
    | Thrown
    | ThrownAgain
    | DragonMoved
    | DragonOnSnailCell
    | DragonStayed
    | NobodyMoved
    | MarkersSwapped
    | MarkerTaken
    | MarkerTurnedUp
    | EggDrawn
    | EggsReturned
    | AllEggsReturned
    | DragonFinished
    | Disqualified
    | RaceTied
    | RaceWon
    | NobodyWon
    | RaceCalled
)
