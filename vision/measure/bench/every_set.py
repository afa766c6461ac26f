"""All lines of the bench: photographs where there are some, and drawn tables."""

from collections.abc import Iterator
from pathlib import Path

from vision.measure.bench.card_sets import card_rows
from vision.measure.bench.dice_sets import dice_rows
from vision.measure.bench.rows import OURS, BenchRow
from vision.measure.bench.traced_sets import traced_rows
from vision.measure.tabletop import HEIGHT_MM, WIDTH_MM, count_tables

PX_PER_MM = 1280 / WIDTH_MM
assert PX_PER_MM == 720 / HEIGHT_MM


def drawn_rows(tables: int) -> Iterator[BenchRow]:
    """Yield the figures of drawn tables that no limit was chosen on, by kind.

    Two looks must agree, as in play; what was never shown and is taken is wrong.
    """
    for row in count_tables(tables) if tables else ():
        yield BenchRow(
            f"drawn: {row.kind}",
            OURS,
            row.things,
            None,
            row.right,
            row.asked,
            row.wrong + row.foreign_taken,
            px_per_mm=PX_PER_MM,
        )


def bench_rows(photos: Path | None, tables: int, traced: int = 0) -> Iterator[BenchRow]:
    """Yield every line as it is known.

    Args:
        photos: Holds ``labels.csv`` and a folder for each set.
        tables: Drawn tables to look at.
        traced: Scenes of the second renderer; nothing where it is not installed.
    """
    if photos is not None:
        yield from dice_rows(photos)
        yield from card_rows(photos)
    yield from drawn_rows(tables)
    yield from traced_rows(traced)
