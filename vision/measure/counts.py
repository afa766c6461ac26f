"""Compare what was seen in labelled photographs with what lies there."""

import csv
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from msgspec import Struct

from companion.table import BoxPx
from vision.measure.calibration import ScoredReading
from vision.pips.reader import DetectedDie

LEAST_OVERLAP = 0.3


class TrueDie(Struct, frozen=True):
    """A die that lies in a photograph; the box is in shares of width and height."""

    face: int
    box: tuple[float, float, float, float] | None = None


class PhotoReading(Struct, frozen=True):
    """One photograph, read: true dice, dice seen, height and width, milliseconds."""

    truth: tuple[TrueDie, ...]
    dice: tuple[DetectedDie, ...]
    size: tuple[int, ...]
    ms: float


class Tally(Struct, frozen=True):
    """Counts of one photograph; *vain* questions are about what is no die."""

    right: int
    asked: int
    missed: int
    wrong: int
    vain: int = 0


OBLIQUE = "oblique"
"""The photographs of all sets that are labelled as taken from far off the vertical; the
sets themselves go without them."""


def true_dice(folder: Path, name: str) -> dict[str, tuple[TrueDie, ...]]:
    """Return the pip dice of each photograph of a set."""
    dice: dict[str, list[TrueDie]] = {}
    for row in _rows(folder / "labels.csv"):
        home = row["photo"].split("/")[0]
        if name == (OBLIQUE if row["kind"].endswith(OBLIQUE) else home):
            kind, _, faces = row["truth"].partition(":")
            known = faces.split(",") if kind == "d6" and faces else []
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


def count_dice(
    truth: tuple[TrueDie, ...], dice: tuple[DetectedDie, ...], size: tuple[int, ...]
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
    questions = sum(not die.sure for die in dice)
    asked = min(left, questions)
    return Tally(right, asked, left - asked, wrong, questions - asked)


def _by_box(
    truth: tuple[TrueDie, ...], dice: tuple[DetectedDie, ...], size: tuple[int, ...]
) -> Tally:
    free = list(truth)
    right = wrong = asked = vain = 0
    for die in sorted(dice, key=lambda die: not die.sure):
        best = max(free, key=lambda true: _overlap(true, die.box, size), default=None)
        met = best is not None and _overlap(best, die.box, size) >= LEAST_OVERLAP
        if best is None or not met:
            wrong += die.sure
            vain += not die.sure
            continue
        free.remove(best)
        if not die.sure:
            asked += 1
        elif best.face == die.faces[0][0]:
            right += 1
        else:
            wrong += 1
    return Tally(right, asked, len(free), wrong, vain)


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


def score_readings(reads: Iterable[PhotoReading]) -> list[ScoredReading]:
    """Return what each reading of a die was worth.

    What was taken where nothing lies is wrong; what was only asked about there is not
    counted.
    """
    return [one for read in reads for one in _answers(read)]


def _answers(read: PhotoReading) -> Iterable[ScoredReading]:
    order = sorted(read.dice, key=lambda die: (not die.sure, -die.faces[0][1]))
    free = list(read.truth)
    named = {die.faces[0][0] for die in order}
    boxed = any(true.box is not None for true in free)
    for die in order:
        face, chance = die.faces[0]
        if boxed:
            apart = [_overlap(true, die.box, read.size) for true in free]
            best = int(np.argmax(apart)) if free else 0
            met = bool(free) and apart[best] >= LEAST_OVERLAP
        else:
            # Where they lie is not known: any true die of that face will do.
            faces = [true.face for true in free]
            unnamed = [k for k, one in enumerate(faces) if one not in named]
            best = faces.index(face) if face in faces else (unnamed or [0])[0]
            met = bool(free)
        if met or die.sure:
            yield ScoredReading(chance, die.sure, met and free.pop(best).face == face)
