"""One line of figures: how a reader did on a set of pictures."""

import math
from collections.abc import Iterable

from msgspec import Struct

OURS = "Dragon Table"


class BenchRow(Struct, frozen=True):
    """What came of one set with one reader.

    Attributes:
        of: The set.
        reader: ``OURS`` or a recipe that people know.
        things: Dice, cards or pieces that lie there.
        first: How many have the right face first, taken or not; None if not counted.
        right: How many were taken as what they are.
        asked: How many were asked about, or not seen at all.
        wrong: How many were taken as something else, or where nothing lies.
        ms: Median processor time of a picture, None if not measured.
        px_per_mm: Median size of the things, if a die is 16 mm and a card 63 mm wide.
    """

    of: str
    reader: str
    things: int
    first: int | None
    right: int
    asked: int
    wrong: int
    ms: float | None = None
    px_per_mm: float | None = None

    @property
    def wrong_at_most(self) -> float:
        """Share of what is taken that is wrong at most, with 95 % confidence."""
        return upper_bound(self.wrong, self.right + self.wrong)


def upper_bound(wrong: int, taken: int) -> float:
    """Return the upper 95 % bound of a share of which *wrong* of *taken* were seen.

    Source: Clopper and Pearson 1934, one-sided; 3 in *taken* when none was wrong.
    """
    if wrong >= taken:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        if _chance_of_so_few(wrong, taken, middle) > 0.05:
            low = middle
        else:
            high = middle
    return high


def _chance_of_so_few(wrong: int, taken: int, share: float) -> float:
    """Return the chance of at most *wrong* in *taken*; logarithms keep it from 0."""
    if share in (0.0, 1.0):
        return 1.0 - share
    return sum(
        math.exp(
            math.log(math.comb(taken, k))
            + k * math.log(share)
            + (taken - k) * math.log1p(-share)
        )
        for k in range(wrong + 1)
    )


def bench_table(rows: Iterable[BenchRow]) -> str:
    """Return the figures as a Markdown table."""
    lines = [
        "| set | reader | things | first | right | asked | wrong | wrong at most "
        "| ms | px/mm |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for row in rows:
        cells = (
            row.of,
            row.reader,
            str(row.things),
            _share(row.first, row.things),
            _share(row.right, row.things),
            _share(row.asked, row.things),
            str(row.wrong),
            f"{row.wrong_at_most:.1%}",
            "–" if row.ms is None else f"{row.ms:.0f}",
            "–" if row.px_per_mm is None else f"{row.px_per_mm:.1f}",
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _share(some: int | None, of: int) -> str:
    return "–" if some is None or not of else f"{some / of:.1%}"
