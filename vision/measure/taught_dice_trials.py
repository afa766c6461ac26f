"""Read labelled photographs with kits that other photographs of their set taught.

What was seen is kept, so that it can be judged by other limits. No photograph is read
with a kit that it taught, but for the webcam's, which are turned.
"""

import csv
import time
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import numpy as np
from msgspec import Struct

from companion.table import BoxPx, Face
from vision.arrays import Picture
from vision.camera.files import open_picture
from vision.measure.accuracy import TrueDie, true_dice
from vision.pips.contest import DetectedDie
from vision.pips.reader import pip_limits, read_dice
from vision.taught_dice.limits import taught_die_limits
from vision.taught_dice.locating import locate_die
from vision.taught_dice.looks import FaceShot
from vision.taught_dice.reader import (
    DieModel,
    FittedPlaces,
    decide_places,
    fit_places,
    teach_die,
)

Truth = dict[str, tuple[TrueDie, ...]]
"""The dice of each photograph."""

_SHOTS = 24
"""Shots a face at most: more only take longer."""

_MARGIN = 0.8

SIGNS = {"0": 0, "+": 1, "-": 2}
"""Signs of DieFate dice as numbers, 0 is blank."""


class MarkedFace(Struct, frozen=True):
    """A face in a photograph, and where."""

    photo: str
    face: Face
    box: BoxPx


class DieTrial(Struct, frozen=True):
    """A photograph that was looked at with a kit.

    Attributes:
        photo: Which.
        truth: Its dice.
        size: Height and width, px.
        model: The kit.
        pips: What ordinary reading says.
        fitted: What may lie there.
        ms: Processor time.
    """

    photo: str
    truth: tuple[TrueDie, ...]
    size: tuple[int, ...]
    model: DieModel
    pips: tuple[DetectedDie, ...]
    fitted: FittedPlaces
    ms: float


def trials_by_halves(folder: Path, name: str) -> Iterator[DieTrial]:
    """Look at a set of pip dice, one half with what the other half taught.

    Boxes come from the set, or from ordinary reading where it has none.
    """
    truth = true_dice(folder, name)
    photos = sorted(truth)
    for half in (0, 1):
        tested = photos[half::2]
        marked = [
            m
            for p in photos
            if p not in tested
            for m in _marked_faces(folder, p, truth)
        ]
        model = teach_die([cut_shot(folder, one) for one in _some(marked)])
        for photo in tested:
            yield _trial(folder, photo, truth, model)


def _marked_faces(folder: Path, photo: str, truth: Truth) -> Iterator[MarkedFace]:
    picture = open_picture(folder / photo).picture
    high, wide = picture.shape[:2]
    boxed = [die for die in truth[photo] if die.box is not None]
    for die in boxed:
        assert die.box is not None
        x0, y0, x1, y1 = die.box
        box = round(x0 * wide), round(y0 * high), round(x1 * wide), round(y1 * high)
        yield MarkedFace(photo, str(die.face), box)
    if boxed:
        return
    for seen in read_dice(picture, pip_limits()):
        if seen.sure:
            yield MarkedFace(photo, str(seen.faces[0][0]), seen.box)


def _some(marked: list[MarkedFace]) -> list[MarkedFace]:
    order = np.random.default_rng(0).permutation(len(marked)).tolist()
    kept: list[MarkedFace] = []
    for index in order:
        one = marked[index]
        if sum(other.face == one.face for other in kept) < _SHOTS:
            kept.append(one)
    return kept


def cut_shot(folder: Path, marked: MarkedFace) -> FaceShot:
    """Return a marked face with its surroundings."""
    picture = open_picture(folder / marked.photo).picture
    left, top, right, bottom = marked.box
    more = round(_MARGIN * max(right - left, bottom - top))
    x, y = max(0, left - more), max(0, top - more)
    cut = picture[y : bottom + more, x : right + more]
    box = (left - x, top - y, right - x, bottom - y)
    return FaceShot(marked.face, cut, box, float(max(picture.shape[:2])))


def trials_of_numerals(folder: Path, most: int = 10) -> Iterator[DieTrial]:
    """Look at numerals after each choice of three of the five shots of each face.

    No box is given: each photograph shows one die, and it is found.
    """
    truth = _read_truth(folder, "pi_numeral_d6/", "d6n")
    faces = sorted({die[0].face for die in truth.values()})
    photos = {face: [p for p in sorted(truth) if truth[p][0].face == face]
              for face in faces}  # fmt: skip
    for chosen in list(combinations(range(5), 3))[:most]:
        taught = [photos[face][k] for face in faces for k in chosen]
        model = _teach(folder, taught, truth)
        for photo in sorted(truth):
            if photo not in taught:
                yield _trial(folder, photo, truth, model)


def trials_of_twenties(folder: Path, most: int = 2) -> Iterator[DieTrial]:
    """Look at dice of twenty facets after three of the twelve shots of each face.

    The pictures of a face follow each other: shots are taken four apart.
    """
    truth = _read_truth(folder, "digits_d20/", "d20")
    dice: dict[str, dict[int, list[str]]] = {}
    for row in _rows(folder / "labels.csv"):
        if row["photo"] in truth:
            die = row["note"].partition(";")[0]
            faces = dice.setdefault(die, {})
            faces.setdefault(truth[row["photo"]][0].face, []).append(row["photo"])
    for faces in dice.values():
        for first in range(most):
            taught = [p for own in faces.values() for p in sorted(own)[first::4]]
            model = _teach(folder, taught, truth)
            for photo in sorted(p for own in faces.values() for p in own):
                if photo not in taught:
                    yield _trial(folder, photo, truth, model)


def trials_of_turned(folder: Path, kind: str) -> Iterator[DieTrial]:
    """Look at a set with one picture a face, turned in software."""
    truth = _read_truth(folder, "webcam_d10/", kind)
    model = _teach(folder, sorted(truth), truth)
    for photo in sorted(truth):
        for turn in (1, 2, 3):
            yield _trial(folder, photo, truth, model, turn)


def _teach(folder: Path, photos: list[str], truth: Truth) -> DieModel:
    shots = []
    for photo in photos:
        box = locate_die(open_picture(folder / photo).picture)
        if box is not None:
            marked = MarkedFace(photo, str(truth[photo][0].face), box)
            shots.append(cut_shot(folder, marked))
    return teach_die(shots)


def trials_of_signs(folder: Path) -> Iterator[DieTrial]:
    """Look at DieFate dice, each of the two throws with what the other taught.

    Blank faces teach nothing.
    """
    boxes = Path(__file__).with_name("symbol_dice_boxes.csv")
    truth: Truth = {}
    for row in _rows(boxes):
        edges = (row["xmin"], row["ymin"], row["xmax"], row["ymax"])
        x0, y0, x1, y1 = (float(edge) for edge in edges)
        die = TrueDie(SIGNS[row["face"]], (x0, y0, x1, y1))
        truth[row["photo"]] = (*truth.get(row["photo"], ()), die)
    throws = [[p for p in truth if ("live" in p) is live] for live in (False, True)]
    for tested, others in zip(throws, reversed(throws), strict=True):
        marked = [m for photo in others for m in _marked_faces(folder, photo, truth)]
        shots = [cut_shot(folder, one) for one in marked if one.face != "0"]
        model = teach_die(shots)
        for photo in tested:
            yield _trial(folder, photo, truth, model)


def _read_truth(folder: Path, start: str, kind: str) -> Truth:
    rows = [r for r in _rows(folder / "labels.csv") if r["photo"].startswith(start)]
    return {
        row["photo"]: (TrueDie(int(row["truth"].partition(":")[2])),)
        for row in rows
        if row["truth"].partition(":")[0] == kind
    }


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _trial(
    folder: Path, photo: str, truth: Truth, model: DieModel, turn: int = 0
) -> DieTrial:
    picture: Picture = np.ascontiguousarray(
        np.rot90(open_picture(folder / photo).picture, turn)
    )
    start = time.process_time()
    pips = read_dice(picture, pip_limits()) if any(model.pips) else ()
    fitted = fit_places(picture, model, pips, taught_die_limits())
    decide_places(fitted, model, pips, taught_die_limits())
    spent = (time.process_time() - start) * 1000
    return DieTrial(photo, truth[photo], picture.shape[:2], model, pips, fitted, spent)
