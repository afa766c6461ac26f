"""Count how enrolled dice are read on a folder of labelled photographs.

``python -m vision.enrolled.accuracy FOLDER`` measures every set and writes the table in
README.md beside this file. No photograph is read with a kit that it taught.
"""

import csv
import sys
import time
from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path

import numpy as np
from msgspec import Struct

from companion.table import BoxPx, Face
from vision.accuracy import Figures, TrueDie, count, table, true_dice
from vision.arrays import Picture
from vision.contest import DieSeen
from vision.dice import read_dice
from vision.dice import usual_rules as pip_rules
from vision.enrolled.judging import DieRead
from vision.enrolled.locating import locate
from vision.enrolled.looks import Shot
from vision.enrolled.reader import DieModel, read_enrolled, teach
from vision.enrolled.rules import DieRules
from vision.pictures import open_picture

BEGIN, END = "<!-- enrolled: begin -->", "<!-- enrolled: end -->"

_SHOTS = 12
"""Shots a face at most: more only take longer."""

_MARGIN = 0.8


class Marked(Struct, frozen=True):
    """A face in a photograph, and where."""

    photo: str
    face: Face
    box: BoxPx


def shot_of(folder: Path, marked: Marked) -> Shot:
    """Return a marked face with its surroundings."""
    picture = open_picture(folder / marked.photo).picture
    left, top, right, bottom = marked.box
    more = round(_MARGIN * max(right - left, bottom - top))
    x, y = max(0, left - more), max(0, top - more)
    cut = picture[y : bottom + more, x : right + more]
    box = (left - x, top - y, right - x, bottom - y)
    return Shot(marked.face, cut, box, float(max(picture.shape[:2])))


def measure_folds(folder: Path, name: str, rules: DieRules | None = None) -> Figures:
    """Return the counts of a set of pip dice, one half taught by the other.

    Boxes come from the set, or from ordinary reading where it has none.
    """
    truth = true_dice(folder, name)
    photos = sorted(truth)
    read: list[tuple[str, tuple[DieSeen, ...], float]] = []
    for half in (0, 1):
        tested = photos[half::2]
        marked = [
            m for p in photos if p not in tested for m in _marked(folder, p, truth)
        ]
        model = teach([shot_of(folder, one) for one in _some(marked)])
        read += [_read(folder, photo, model, rules) for photo in tested]
    return _figures(folder, name, truth, read)


def _marked(
    folder: Path, photo: str, truth: dict[str, tuple[TrueDie, ...]]
) -> Iterator[Marked]:
    picture = open_picture(folder / photo).picture
    high, wide = picture.shape[:2]
    boxed = [die for die in truth[photo] if die.box is not None]
    for die in boxed:
        assert die.box is not None
        x0, y0, x1, y1 = die.box
        box = round(x0 * wide), round(y0 * high), round(x1 * wide), round(y1 * high)
        yield Marked(photo, str(die.face), box)
    if boxed:
        return
    for seen in read_dice(picture, pip_rules()):
        if seen.sure:
            yield Marked(photo, str(seen.faces[0][0]), seen.box)


def _some(marked: list[Marked]) -> list[Marked]:
    order = np.random.default_rng(0).permutation(len(marked)).tolist()
    kept: list[Marked] = []
    for index in order:
        one = marked[index]
        if sum(other.face == one.face for other in kept) < _SHOTS:
            kept.append(one)
    return kept


def measure_numerals(
    folder: Path, rules: DieRules | None = None, most: int = 10
) -> Figures:
    """Return the counts over choices of three of the five shots of each face.

    No box is given: each photograph shows one die, and it is found.
    """
    truth = _labelled(folder, "pi_numeral_d6/", "d6n")
    faces = sorted({die[0].face for die in truth.values()})
    photos = {face: [p for p in sorted(truth) if truth[p][0].face == face]
              for face in faces}  # fmt: skip
    read = []
    for chosen in list(combinations(range(5), 3))[:most]:
        taught = [photos[face][k] for face in faces for k in chosen]
        shots = [
            shot_of(folder, one) for p in taught for one in _found(folder, p, truth)
        ]
        model = teach(shots)
        read += [
            _read(folder, photo, model, rules)
            for photo in sorted(truth)
            if photo not in taught
        ]
    return _figures(folder, "pi_numeral_d6, 3 of 5 shots", truth, read)


def measure_turned(folder: Path, kind: str, rules: DieRules | None = None) -> Figures:
    """Return the counts of a set with one picture a face, turned in software."""
    truth = _labelled(folder, "webcam_d10/", kind)
    model = teach(
        [
            shot_of(folder, one)
            for p in sorted(truth)
            for one in _found(folder, p, truth)
        ]
    )
    read = [
        _read(folder, photo, model, rules, turn)
        for photo in sorted(truth)
        for turn in (1, 2, 3)
    ]
    return _figures(folder, f"webcam {kind}, turned in software", truth, read)


def _found(
    folder: Path, photo: str, truth: dict[str, tuple[TrueDie, ...]]
) -> Iterator[Marked]:
    box = locate(open_picture(folder / photo).picture)
    if box is not None:
        yield Marked(photo, str(truth[photo][0].face), box)


def _labelled(folder: Path, start: str, kind: str) -> dict[str, tuple[TrueDie, ...]]:
    with (folder / "labels.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["photo"].startswith(start)]
    return {
        row["photo"]: (TrueDie(int(row["truth"].partition(":")[2])),)
        for row in rows
        if row["truth"].partition(":")[0] == kind
    }


def _read(
    folder: Path, photo: str, model: DieModel, rules: DieRules | None, turn: int = 0
) -> tuple[str, tuple[DieSeen, ...], float]:
    picture: Picture = np.ascontiguousarray(
        np.rot90(open_picture(folder / photo).picture, turn)
    )
    start = time.process_time()
    pips = read_dice(picture, pip_rules()) if any(model.pips) else ()
    dice = read_enrolled(picture, model, pips, rules)
    spent = (time.process_time() - start) * 1000
    return photo, tuple(_as_seen(die) for die in dice), spent


def _as_seen(die: DieRead) -> DieSeen:
    faces = tuple((int(face), chance) for face, chance in die.faces)
    return DieSeen(faces, die.sure, die.box, float(die.box[2] - die.box[0]))


def _figures(
    folder: Path,
    name: str,
    truth: dict[str, tuple[TrueDie, ...]],
    read: Iterable[tuple[str, tuple[DieSeen, ...], float]],
) -> Figures:
    every = list(read)
    tallies = []
    for photo, dice, _ in every:
        size = open_picture(folder / photo).picture.shape[:2]
        tallies.append(count(truth[photo], dice, size))
    return Figures(
        name,
        len(every),
        sum(len(truth[photo]) for photo, _, _ in every),
        sum(tally.right for tally in tallies),
        sum(tally.asked for tally in tallies),
        sum(tally.missed for tally in tallies),
        sum(tally.wrong for tally in tallies),
        round(float(np.median([spent for _, _, spent in every])), 0),
    )


def main(folder: Path) -> None:
    """Measure all sets and write the table in README.md beside this file."""
    figures = [
        measure_folds(folder, "pi_pips"),
        measure_numerals(folder),
        measure_folds(folder, "blue_dice_symbol_six"),
        measure_turned(folder, "d10"),
        measure_turned(folder, "d100"),
        measure_turned(folder, "d6n"),
    ]
    readme = Path(__file__).with_name("README.md")
    words = readme.read_text(encoding="utf-8")
    head, tail = words.split(BEGIN)[0], words.split(END)[1]
    text = f"{head}{BEGIN}\n{table(figures)}\n{END}{tail}"
    readme.write_text(text, encoding="utf-8")
    sys.stdout.write(table(figures) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
