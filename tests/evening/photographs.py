"""A folder of real photographs with one pip die each, and what they truly show."""

import csv
import re
from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest
from msgspec import Struct

from tests.photographs import FOLDER as PHOTOS

MARGIN = 1.2
"""A die is cut out with so many of its own widths around it."""


class Shot(Struct, frozen=True):
    """A photograph in the folder; *faces* are the dice in it, one for most."""

    name: str
    faces: tuple[str, ...]


def need_photographs() -> None:
    if not (PHOTOS / "labels.csv").is_file():
        pytest.skip(
            f"no photographs in {PHOTOS}; set DRAGON_TABLE_PHOTOS to their folder"
        )


def lay_out(folder: Path, wanted: int) -> tuple[Shot, ...]:
    """Fill *folder* with photographs of one die, and some of none or several.

    Every tenth is a photograph with three dice or with none at all, which no referee
    may take for a throw.
    """
    folder.mkdir(parents=True)
    singles = [*_whole(1), *_cut_out()]
    # A step that shares no factor with the count mixes sources without chance.
    mixed = [singles[(7 * n) % len(singles)] for n in range(min(wanted, len(singles)))]
    oddities = [*_whole(3)[:4], *_without_dice()]
    shots = []
    for number, (picture, faces) in enumerate(_spread(mixed, oddities)):
        name = f"{number:03}.png"
        assert cv2.imwrite(str(folder / name), picture)
        shots.append(Shot(name, faces))
    return tuple(shots)


def _spread(singles: list, oddities: list) -> Iterator[tuple]:
    rest = iter(oddities)
    for number, single in enumerate(singles):
        if number % 10 == 5:
            odd = next(rest, None)
            if odd is not None:
                yield odd
        yield single


def _whole(dice: int) -> list[tuple]:
    found = []
    with (PHOTOS / "labels.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            pips = re.fullmatch(r"d6:([1-6](?:,[1-6])*)", row["truth"])
            if pips and row["photo"].startswith("phone_pips_surfaces/"):
                faces = tuple(pips[1].split(","))
                if len(faces) == dice:
                    found.append(
                        (_shrunk(cv2.imread(str(PHOTOS / row["photo"]))), faces)
                    )
    return found


def _without_dice() -> list[tuple]:
    paths = sorted((PHOTOS / "uno_cards").glob("*.*"))[:2]
    return [(_shrunk(cv2.imread(str(path))), ()) for path in paths]


def _shrunk(picture):
    scale = 1600 / max(picture.shape[:2])
    if scale >= 1:
        return picture
    return cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)


def _cut_out() -> list[tuple]:
    """Cut single dice out of photographs of many, where no neighbour comes along."""
    boxes: dict[str, list[tuple]] = {}
    with (PHOTOS / "many_colour_pips_boxes.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            edges = tuple(float(row[k]) for k in ("xmin", "ymin", "xmax", "ymax"))
            boxes.setdefault(row["photo"], []).append((row["face"], edges))
    found = []
    for photo, dice in sorted(boxes.items()):
        picture = cv2.imread(str(PHOTOS / photo))
        for face, box in dice:
            window = _window(box)
            others = [other for _, other in dice if other != box]
            if not any(_meet(window, other) for other in others):
                found.append((_crop(picture, window), (face,)))
    return found


def _window(box: tuple) -> tuple:
    wide, high = (box[2] - box[0]) * MARGIN, (box[3] - box[1]) * MARGIN
    return (
        max(0.0, box[0] - wide), max(0.0, box[1] - high),
        min(1.0, box[2] + wide), min(1.0, box[3] + high),
    )  # fmt: skip


def _meet(a: tuple, b: tuple) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _crop(picture, window: tuple):
    high, wide = picture.shape[:2]
    left, right = round(window[0] * wide), round(window[2] * wide)
    return picture[round(window[1] * high) : round(window[3] * high), left:right]
