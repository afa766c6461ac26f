"""Count how well the eye reads a folder of labelled photographs.

``python -m vision.accuracy FOLDER`` measures every set and writes the table in
vision/README.md anew. The photographs stay where they are; only counts are kept.
"""

import csv
import sys
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct

from companion.table import BoxPx
from vision.dice import DiceRules, DieSeen, read_dice, usual_rules
from vision.pictures import open_picture

PIP_SETS = (
    "pi_pips",
    "phone_pips_surfaces",
    "many_colour_pips",
    "blue_dice_symbol_six",
)
OTHER_SETS = (
    "pi_numeral_d6",
    "webcam_d10",
    "symbol_dice",
    "playing_cards",
    "memory_grid",
    "illustrated_cards",
    "uno_cards",
    "set_cards",
)
SYMBOL_SIX = "blue_dice_symbol_six"
"""Here the six is a winged symbol: pips say nothing of it, so it counts as no die."""

LEAST_OVERLAP = 0.3
BEGIN, END = "<!-- accuracy: begin -->", "<!-- accuracy: end -->"


class TrueDie(Struct, frozen=True):
    """A die that lies in a photograph; the box is in shares of width and height."""

    face: int
    box: tuple[float, float, float, float] | None = None


class Figures(Struct, frozen=True):
    """Counts of one set: of *dice* true ones, how many were read how.

    *wrong* also holds dice seen where there are none. *ms* is the median processor time
    of a reading.
    """

    name: str
    photos: int
    dice: int
    right: int
    asked: int
    missed: int
    wrong: int
    ms: float


class Tally(Struct, frozen=True):
    """Counts of one photograph."""

    right: int
    asked: int
    missed: int
    wrong: int


def measure(folder: Path, name: str, rules: DiceRules, every: int = 1) -> Figures:
    """Return the counts of one set of a folder of photographs.

    Args:
        folder: Holds ``labels.csv`` and a folder for each set.
        name: The set.
        rules: Limits to read with.
        every: Take only one of so many photographs, in name order.
    """
    truth = true_dice(folder, name)
    tallies: list[Tally] = []
    times: list[float] = []
    photos = sorted(truth)[::every]
    for photo in photos:
        picture = open_picture(folder / photo).picture
        start = time.process_time()
        dice = read_dice(picture, rules)
        times.append((time.process_time() - start) * 1000)
        tallies.append(count(truth[photo], dice, picture.shape[:2]))
    return Figures(
        name=name,
        photos=len(photos),
        dice=sum(len(truth[photo]) for photo in photos),
        right=sum(tally.right for tally in tallies),
        asked=sum(tally.asked for tally in tallies),
        missed=sum(tally.missed for tally in tallies),
        wrong=sum(tally.wrong for tally in tallies),
        ms=round(float(np.median(times)), 0) if times else 0.0,
    )


def true_dice(folder: Path, name: str) -> dict[str, tuple[TrueDie, ...]]:
    """Return the pip dice of each photograph of a set."""
    dice: dict[str, list[TrueDie]] = {}
    for row in _rows(folder / "labels.csv"):
        if row["photo"].startswith(f"{name}/"):
            kind, _, faces = row["truth"].partition(":")
            known = faces.split(",") if kind == "d6" else []
            dice[row["photo"]] = [TrueDie(int(face)) for face in known]
    boxes = folder / f"{name}_boxes.csv"
    if boxes.exists():
        dice = {photo: [] for photo in dice}
        for row in _rows(boxes):
            edges = (row["xmin"], row["ymin"], row["xmax"], row["ymax"])
            x0, y0, x1, y1 = (float(edge) for edge in edges)
            dice[row["photo"]].append(TrueDie(int(row["face"]), (x0, y0, x1, y1)))
    return {photo: tuple(found) for photo, found in dice.items()}


def _rows(path: Path) -> Iterable[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def count(
    truth: tuple[TrueDie, ...], dice: tuple[DieSeen, ...], size: tuple[int, ...]
) -> Tally:
    """Return how the dice of one photograph were read.

    Where truth has boxes, dice are matched by overlap, else by counting faces.
    """
    if any(die.box is not None for die in truth):
        return _by_box(truth, dice, size)
    sure = Counter(die.faces[0][0] for die in dice if die.sure)
    there = Counter(die.face for die in truth)
    right = (sure & there).total()
    wrong = (sure - there).total()
    left = max(0, len(truth) - right - wrong)
    asked = min(left, sum(not die.sure for die in dice))
    return Tally(right, asked, left - asked, wrong)


def _by_box(
    truth: tuple[TrueDie, ...], dice: tuple[DieSeen, ...], size: tuple[int, ...]
) -> Tally:
    free = list(truth)
    right = wrong = asked = 0
    for die in sorted(dice, key=lambda die: not die.sure):
        best = max(free, key=lambda true: _overlap(true, die.box, size), default=None)
        met = best is not None and _overlap(best, die.box, size) >= LEAST_OVERLAP
        if best is None or not met:
            wrong += die.sure
            continue
        free.remove(best)
        if not die.sure:
            asked += 1
        elif best.face == die.faces[0][0]:
            right += 1
        else:
            wrong += 1
    return Tally(right, asked, len(free), wrong)


def _overlap(true: TrueDie, box: BoxPx, size: tuple[int, ...]) -> float:
    """Return intersection over union of a true box and one in pixels."""
    if true.box is None:
        return 0.0
    height, width = size[:2]
    x0, y0, x1, y1 = true.box
    a = (x0 * width, y0 * height, x1 * width, y1 * height)
    wide = min(a[2], box[2]) - max(a[0], box[0])
    high = min(a[3], box[3]) - max(a[1], box[1])
    if wide <= 0 or high <= 0:
        return 0.0
    both = (a[2] - a[0]) * (a[3] - a[1]) + (box[2] - box[0]) * (box[3] - box[1])
    return wide * high / (both - wide * high)


def table(figures: Iterable[Figures]) -> str:
    """Return the counts as a Markdown table."""
    lines = [
        "| set | photos | dice | right | asked | missed | wrong | ms |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for row in figures:
        right = f"{row.right} ({row.right / row.dice:.1%})" if row.dice else "–"
        wrong = (
            f"{row.wrong} ({row.wrong / row.dice:.2%})" if row.dice else str(row.wrong)
        )
        lines.append(
            f"| {row.name} | {row.photos} | {row.dice} | {right} | {row.asked} "
            f"| {row.missed} | {wrong} | {row.ms:.0f} |"
        )
    return "\n".join(lines)


def refresh(readme: Path, text: str, begin: str = BEGIN, end: str = END) -> None:
    """Put a table between two markers of a README.

    Raises:
        ValueError: The README lacks the markers.
    """
    words = readme.read_text(encoding="utf-8")
    if begin not in words or end not in words:
        raise ValueError(f"{readme} lacks the lines {begin} and {end}; put them in")
    head, tail = words.split(begin)[0], words.split(end)[1]
    readme.write_text(f"{head}{begin}\n{text}\n{end}{tail}", encoding="utf-8")


def main(folder: Path) -> None:
    """Measure all sets and write the table in vision/README.md."""
    rules = usual_rules()
    figures = [measure(folder, name, rules) for name in PIP_SETS]
    # A thousand single-card crops say little more than a hundred.
    figures += [
        measure(folder, name, rules, every=10 if name == "set_cards" else 1)
        for name in OTHER_SETS
    ]
    refresh(Path(__file__).with_name("README.md"), table(figures))
    sys.stdout.write(msgspec.json.encode(figures).decode() + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
