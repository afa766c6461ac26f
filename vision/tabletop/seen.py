"""What one picture of a table shows, as values."""

from collections.abc import Sequence

from msgspec import Struct

from companion.table import SurePiece, UnsurePiece


class TableReading(Struct, frozen=True, gc=False):
    """A whole table.

    Attributes:
        found: What lies there.
        doubts: What cannot be told.
        ground: The ground that lies under it all.
        hand: Whether a hand or something as large is in the picture: nothing of the
            rest should be believed then.
        trouble: A line id when the picture cannot be read at all.
        obstacle: A line id where only the dice could be read, and why: the rest is said
            to lie as it was last believed to.
        warning: A line id where all was read but a part of the table, and why.
    """

    found: tuple[SurePiece, ...] = ()
    doubts: tuple[UnsurePiece, ...] = ()
    ground: str = ""
    hand: bool = False
    trouble: str | None = None
    obstacle: str | None = None
    warning: str | None = None


SURE = 0.9
"""From this confidence on a thing is taken. The reader knows two: sure and unsure."""


def is_sure(seen: TableReading) -> bool:
    """Return whether a look leaves nothing in doubt."""
    is_open = seen.doubts or seen.trouble or seen.obstacle
    return not is_open and _count_sure(seen) == len(seen.found)


def surest(looks: Sequence[TableReading]) -> TableReading:
    """Return the look that tells most for sure, of those what is least in doubt.

    One with trouble tells nothing; the last of equals is the table as it is now.
    """
    return max(
        reversed(looks),
        key=lambda seen: (
            seen.trouble is None,
            seen.obstacle is None,
            _count_sure(seen),
            -len(seen.doubts),
        ),
    )


def _count_sure(seen: TableReading) -> int:
    return sum(one.confidence >= SURE for one in seen.found)
