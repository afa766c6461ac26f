"""The facts of one copy that the rulebook leaves to pictures, and a copy of our own.

Nothing here is guessed about the real box: an owner counts the cells once, and
`check_box` compares them with what the rulebook says.
"""

from collections.abc import Iterator
from typing import TypeAlias

from msgspec import Struct

from companion.games.core import Violation
from companion.games.dragorun.pieces import DRAGONS, FIFTHS, NAMED, Colour

Cell: TypeAlias = int
"""A cell of the track: 0 is the snail's, at the rear end, and counted on from there."""

SNAIL_CELL: Cell = 0
"""The one cell that holds several dragons. Source: rulebook l. 97, 113."""

UNPLACED: Cell = -1
"""No cell: the dragon waits for the race to be set up."""


class Box(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One copy of the game (ruling DG33).

    Attributes:
        starts: The cells where the dragons line up, rearmost first.
        finish: The number of the finish cell.
        fifth: The colour of Dragma, which the rulebook does not tell.
    """

    starts: tuple[Cell, ...]
    finish: Cell
    fifth: Colour

    @property
    def dragons(self) -> tuple[Colour, ...]:
        """Return the five dragons in the order in which a state lists them."""
        return (*NAMED, self.fifth)


STAND_IN = Box(starts=(1, 2, 3, 4, 5), finish=25, fifth=Colour.VIOLET)
"""A copy of our own invention, so that a first game needs no box."""


def check_box(box: Box) -> tuple[Violation, ...]:
    """Return everything in which *box* differs from what the rulebook says.

    Source: rulebook l. 46, 72, 97; ruling DG33.
    """
    return tuple(_faults(box))


def _faults(box: Box) -> Iterator[Violation]:
    if len(box.starts) != DRAGONS:
        found = (("wanted", DRAGONS), ("found", len(box.starts)))
        yield Violation("starts_not_five", found)
    if list(box.starts) != sorted(set(box.starts)):
        yield Violation("starts_not_rising")
    if min(box.starts, default=1) <= SNAIL_CELL:
        yield Violation("start_on_the_snail_cell")
    if box.finish <= max(box.starts, default=0):
        yield Violation("finish_not_ahead", (("found", box.finish),))
    if box.fifth not in FIFTHS:
        yield Violation("fifth_not_a_colour_of_its_own")
