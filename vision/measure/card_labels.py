"""Labelled photographs of cards, as accuracy.py counts on them.

It opens pictures and reads labels; it measures nothing.
"""

import csv
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from companion.table import Face
from vision.arrays import Picture
from vision.camera.files import open_picture

SCENES = ("playing_cards", "memory_grid", "set_cards", "illustrated_cards")

_ILLUSTRATED = {
    "black.jpg": 8,
    "dragon_whelp.jpg": 1,
    "instill_energy.jpg": 1,
    "ruby.jpg": 1,
}
"""Cards in pictures whose labels do not say how many there are."""


class LabelledPhoto(Struct, frozen=True):
    """A photograph, its kind and its label."""

    photo: str
    kind: str
    truth: str


class LabelledCard(Struct, frozen=True):
    """A card that lies face up, and a point on it in px; card_places.csv has them."""

    face: Face
    x: int
    y: int


def read_labels(folder: Path, name: str) -> Iterator[LabelledPhoto]:
    """Yield the labels of a set in the order of ``labels.csv``."""
    with (folder / "labels.csv").open(encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file):
            if line["photo"].startswith(f"{name}/"):
                truth = line["truth"].partition(":")[2]
                yield LabelledPhoto(line["photo"], line["kind"], truth)


def _open(folder: Path, photo: str) -> Picture:
    return open_picture(folder / photo).picture


def single_cards(folder: Path, name: str) -> list[tuple[Picture, Face]]:
    """Return the pictures that show one whole card, and its face."""
    return [
        (_open(folder, row.photo), row.truth)
        for row in read_labels(folder, name)
        if row.kind != "card-scene"
    ]


def playing_scenes(folder: Path) -> list[tuple[Picture, tuple[Face, ...]]]:
    """Return scenes of playing cards and the faces that lie there."""
    return [
        (_open(folder, row.photo), tuple(row.truth.split(",")))
        for row in read_labels(folder, "playing_cards")
        if row.kind == "card-scene"
    ]


def memory_photos(folder: Path) -> tuple[tuple[Picture, tuple[LabelledCard, ...]], ...]:
    """Return photographs of a memory grid and the cards that lie face up in each."""
    spots: dict[str, list[LabelledCard]] = {}
    marked = Path(__file__).with_name("card_places.csv")
    with marked.open(encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file):
            spot = LabelledCard(line["face"], int(line["x"]), int(line["y"]))
            spots.setdefault(line["photo"], []).append(spot)
    return tuple(
        (_open(folder, row.photo), tuple(spots.get(row.photo, ())))
        for row in read_labels(folder, "memory_grid")
    )


def card_crops(folder: Path) -> dict[Face, list[Picture]]:
    """Return the crops of each kind of set_cards."""
    crops: dict[Face, list[Picture]] = {}
    for row in read_labels(folder, "set_cards"):
        if row.kind == "set-card-crop":
            crops.setdefault(row.truth, []).append(_open(folder, row.photo))
    return crops


def scene_cards(folder: Path) -> Iterator[tuple[Picture, int]]:
    """Yield pictures of several cards and how many there are."""
    for name in SCENES:
        for row in read_labels(folder, name):
            there = _number(row)
            if there:
                yield _open(folder, row.photo), there


def _number(row: LabelledPhoto) -> int:
    """Return how many cards a scene holds, 0 for what is no scene."""
    file = row.photo.rpartition("/")[2]
    if file in _ILLUSTRATED:
        return _ILLUSTRATED[file]
    if row.kind == "memory-grid":
        if row.truth.startswith("up:") or ";down:" in row.truth:
            ups, _, down = row.truth.partition(";down:")
            return len(ups.split(",")) + int(down)
        return 16
    if row.kind == "card-scene":
        return len(row.truth.replace("|", ",").split(","))
    return 0
