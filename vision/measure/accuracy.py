"""Count how well the eye reads a folder of labelled photographs.

``python -m vision.measure.accuracy FOLDER`` measures every set and writes the tables in
vision/README.md anew; with ``--curves`` also the drawings in vision/measure/. The
photographs stay where they are; only counts are kept.
"""

import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct

from vision.camera.files import open_picture
from vision.measure.calibration import (
    band_table,
    count_bands,
    reliability_svg,
    risk_curve,
    risk_svg,
    taken_table,
)
from vision.measure.counts import (
    OBLIQUE,
    PhotoReading,
    TrueDie,
    count_dice,
    score_readings,
    true_dice,
)
from vision.pips.reader import PipLimits, pip_limits, read_dice

__all__ = [
    "DiceFigures",
    "TrueDie",
    "count_dice",
    "dice_table",
    "measure_set",
    "true_dice",
]

PIP_SETS = (
    "pi_pips",
    "phone_pips_surfaces",
    "home_pips",
    "plain_pips",
    "wood_brass_pips",
    "tilted_pips",
    OBLIQUE,
    "many_colour_pips",
    "blue_dice_symbol_six",
)
OTHER_SETS = {
    "pi_numeral_d6": 1,
    "webcam_d10": 1,
    "symbol_dice": 1,
    "digits_d20": 4,
    "playing_cards": 1,
    "memory_grid": 1,
    "tiles_fixed_camera": 2,
    "illustrated_cards": 1,
    "cards_fixed_camera": 2,
    "cards_piles_fans": 1,
    "cards_overlapping": 1,
    "cards_strips": 1,
    "uno_cards": 1,
    "set_cards": 10,
    "board_light": 4,
    "board_still": 2,
}
"""Sets without pip dice, and of how many photographs one is taken: neighbours of a film
say little more than one of them."""
BEGIN, END = "<!-- accuracy: begin -->", "<!-- accuracy: end -->"


class DiceFigures(Struct, frozen=True):
    """Counts of one set: of *dice* true ones, how many were read how.

    *wrong* also holds dice seen where there are none; *vain* are questions about what
    is no die. *ms* is the median processor time of a reading.
    """

    name: str
    photos: int
    dice: int
    right: int
    asked: int
    missed: int
    wrong: int
    vain: int
    ms: float


def measure_set(
    folder: Path, name: str, limits: PipLimits, every: int = 1
) -> DiceFigures:
    """Return the counts of one set of a folder of photographs.

    Args:
        folder: Holds ``labels.csv`` and a folder for each set.
        name: The set.
        limits: Limits to read with.
        every: Take only one of so many photographs, in name order.
    """
    return sum_up_readings(name, read_set(folder, name, limits, every))


def read_set(
    folder: Path, name: str, limits: PipLimits, every: int = 1
) -> tuple[PhotoReading, ...]:
    """Return each photograph of a set, read; arguments as in `measure_set`."""
    truth = true_dice(folder, name)
    reads: list[PhotoReading] = []
    for photo in sorted(truth)[::every]:
        picture = open_picture(folder / photo).picture
        start = time.process_time()
        dice = read_dice(picture, limits, anywhere=True)
        ms = (time.process_time() - start) * 1000
        reads.append(PhotoReading(truth[photo], dice, picture.shape[:2], ms))
    return tuple(reads)


def sum_up_readings(name: str, reads: Sequence[PhotoReading]) -> DiceFigures:
    """Return the counts of some photographs that were read."""
    tallies = [count_dice(read.truth, read.dice, read.size) for read in reads]
    times = [read.ms for read in reads]
    return DiceFigures(
        name=name,
        photos=len(reads),
        dice=sum(len(read.truth) for read in reads),
        right=sum(tally.right for tally in tallies),
        asked=sum(tally.asked for tally in tallies),
        missed=sum(tally.missed for tally in tallies),
        wrong=sum(tally.wrong for tally in tallies),
        vain=sum(tally.vain for tally in tallies),
        ms=round(float(np.median(times)), 0) if times else 0.0,
    )


def dice_table(figures: Iterable[DiceFigures]) -> str:
    """Return the counts as a Markdown table."""
    lines = [
        "| set | photos | dice | right | asked | missed | wrong | in vain | ms |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for row in figures:
        right = f"{row.right} ({row.right / row.dice:.1%})" if row.dice else "–"
        wrong = (
            f"{row.wrong} ({row.wrong / row.dice:.2%})" if row.dice else str(row.wrong)
        )
        lines.append(
            f"| {row.name} | {row.photos} | {row.dice} | {right} | {row.asked} "
            f"| {row.missed} | {wrong} | {row.vain} | {row.ms:.0f} |"
        )
    return "\n".join(lines)


def write_table(readme: Path, text: str, name: str = "accuracy") -> None:
    """Put a table between two markers of a README.

    Raises:
        ValueError: The README lacks the markers.
    """
    begin, end = BEGIN.replace("accuracy", name), END.replace("accuracy", name)
    words = readme.read_text(encoding="utf-8")
    if begin not in words or end not in words:
        raise ValueError(f"{readme} lacks the lines {begin} and {end}; put them in")
    head, tail = words.split(begin)[0], words.split(end)[1]
    readme.write_text(f"{head}{begin}\n{text}\n{end}{tail}", encoding="utf-8")


def main(folder: Path, curves: bool = False) -> None:
    """Measure all sets and write the tables in vision/README.md."""
    limits = pip_limits()
    pips = {name: read_set(folder, name, limits) for name in PIP_SETS}
    figures = [sum_up_readings(name, reads) for name, reads in pips.items()]
    figures += [
        measure_set(folder, name, limits, every) for name, every in OTHER_SETS.items()
    ]
    readme = Path(__file__).parents[1] / "README.md"
    write_table(readme, dice_table(figures))
    every = [one for reads in pips.values() for one in score_readings(reads)]
    write_table(readme, band_table(count_bands(every)), "bands")
    # The blank line ends the table for whoever reads it.
    write_table(readme, taken_table(every) + "\n", "taken")
    if curves:
        target = Path(__file__).parent
        target.mkdir(exist_ok=True)
        drawn = reliability_svg(count_bands(every))
        (target / "reliability.svg").write_text(drawn, encoding="utf-8")
        dice = sum(len(read.truth) for reads in pips.values() for read in reads)
        taken = sum(one.sure for one in every) / dice
        drawn = risk_svg(risk_curve(every, dice), taken)
        (target / "risk.svg").write_text(drawn, encoding="utf-8")
    sys.stdout.write(msgspec.json.encode(figures).decode() + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), "--curves" in sys.argv)
