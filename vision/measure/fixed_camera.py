"""Count how cards are found, followed and read from one stand, game by game.

``python -m vision.measure.fixed_camera FOLDER`` prints two tables: memory games of
tiles, each deck taught from the first picture in which a tile shows and followed turn
by turn, and card games, taught from the first one. ``--every N`` takes one picture of
so many of the card games.
"""

import argparse
import csv
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct

from companion.table import BoxPx, Face
from vision.arrays import Picture
from vision.camera.files import open_picture
from vision.cards.looks import SAME, changed, commonest, look_at, look_difference
from vision.cards.outlines import CardSize
from vision.cards.quads import Quad, find_cards, usual_size
from vision.cards.reader import CardQuestion, CardReader, CardVerdict, SureCard
from vision.cards.references import CardShot, CardShots, build_deck
from vision.cards.zones import Cell, Grid, cards_in_cells, find_grid
from vision.measure.card_labels import LabelledPhoto, read_labels

TILES, CARDS = "tiles_fixed_camera", "cards_fixed_camera"

_NEAR = 0.25
"""Distance of two middles, in diagonals of the card, up to which it is that card."""

_A_FACE = 2
"""Tiles of one face in a memory game."""


class GameFigures(Struct, frozen=True):
    """Counts of one game.

    *cards* lie there to be read, and *found* of them are; of *first*, shown for the
    first time, *taken* were read as another face. *backs* is how often something was
    read or asked about where a tile lies face down, or no card. *ms* is the median
    processor time of a picture.
    """

    name: str
    cards: int
    found: int
    right: int
    asked: int
    missed: int
    wrong: int
    first: int
    taken: int
    backs: int
    ms: int


def measure_tiles(folder: Path, only: str = "") -> Iterator[GameFigures]:
    """Yield the counts of each memory game, or of those whose name begins so."""
    games: dict[str, list[LabelledPhoto]] = {}
    for row in read_labels(folder, TILES):
        game = row.photo.rpartition("/")[2].rpartition("_")[0]
        if game.startswith(only):
            games.setdefault(game, []).append(row)
    for game, rows in games.items():
        counts: Counter[str] = Counter()
        times: list[float] = []
        follower = None
        for row in sorted(rows, key=_moment):
            picture = open_picture(folder / row.photo).picture
            start = time.process_time()
            if follower is None:
                follower = _Follower(picture)
            else:
                counts += follower.follow(picture, _faces_up(row.truth))
            times.append(time.process_time() - start)
        yield _sum_up(game, counts, times)


def _moment(row: LabelledPhoto) -> int:
    """Return the number of a picture in its game: ``crayon_2_frame166.jpg`` is 166."""
    return int(row.photo.rpartition("_")[2].removesuffix(".jpg").removeprefix("frame"))


def _faces_up(truth: str) -> dict[Cell, Face]:
    """Return which cell shows what: ``r2c5=chair;r3c6=leeks``."""
    faces = {}
    for tile in filter(None, truth.split(";")):
        place, _, face = tile.partition("=")
        row, _, column = place.removeprefix("r").partition("c")
        faces[int(row) - 1, int(column) - 1] = face
    return faces


class _Follower:
    """Follows a memory game by what changes; a face is taught when it first shows."""

    def __init__(self, picture: Picture) -> None:
        cards = find_cards(picture)
        self._grid: Grid | None = find_grid(cards)
        if self._grid is None:
            raise ValueError("the first picture shows no grid of cards")
        self._size = usual_size(cards)
        self._believed = look_at(picture, cards_in_cells(self._grid, cards))
        self._back = self._believed[min(commonest(self._believed))]
        self._taught: list[CardShots] = []
        self._reader: CardReader | None = None
        self._places: dict[Face, set[Cell]] = {}

    def follow(self, picture: Picture, there: Mapping[Cell, Face]) -> Counter[str]:
        """Return how the tiles of the next picture were read; *there* is what shows."""
        assert self._grid is not None
        cards = cards_in_cells(self._grid, find_cards(picture, self._size))
        looks = look_at(picture, cards)
        moved = changed(self._believed, looks) | (looks.keys() - self._believed.keys())
        up = {
            cell for cell in moved if look_difference(self._back, looks[cell]) >= SAME
        }
        self._believed.update(looks)
        counts: Counter[str] = Counter(backs=len(up - there.keys()))
        for cell, face in there.items():
            card = cards.get(cell)
            known = face in self._places
            seen = card is not None and cell in up
            answer = self._read(picture, card) if card is not None and seen else None
            counts += _count(known, face, answer, seen)
            if not known and card is not None:
                shot = CardShot(picture, corners=card.corners)
                self._taught.append(CardShots(face, (shot,)))
                self._reader = CardReader(build_deck(self._taught))
            self._places.setdefault(face, set()).add(cell)
        return counts

    def _read(self, picture: Picture, card: Quad) -> CardVerdict | None:
        """Return what a tile is, among the faces that the rules leave it."""
        if self._reader is None:
            return None
        answer = self._reader.read(picture, card.array())
        if isinstance(answer, SureCard):
            return answer if self._is_left(answer.face) else None
        all_known = len(self._places) * _A_FACE == len(self._believed)
        if isinstance(answer, CardQuestion) and all_known:
            left = [face for face, _ in answer.choices if self._is_left(face)]
            if len(left) == 1:
                return SureCard(left[0], 1.0)
        return answer

    def _is_left(self, face: Face) -> bool:
        return len(self._places[face]) < _A_FACE


def _count(
    known: bool, face: Face, answer: CardVerdict | None, seen: bool = True
) -> Counter[str]:
    sure = answer.face if isinstance(answer, SureCard) else None
    counts = Counter(cards=1, found=int(seen))
    if not known:
        counts += Counter(first=1, taken=int(sure is not None))
    elif sure is not None:
        counts += Counter(right=int(sure == face), wrong=int(sure != face))
    elif isinstance(answer, CardQuestion):
        counts += Counter(asked=1)
    else:
        counts += Counter(missed=1)
    return counts


def measure_cards(folder: Path, every: int = 1) -> Iterator[GameFigures]:
    """Yield the counts of each card game but the first, which teaches deck and size."""
    games: dict[str, list[str]] = {}
    for row in read_labels(folder, CARDS):
        name = row.photo.rpartition("/")[2].partition("_")[0]
        games.setdefault(name, []).append(row.photo)
    boxes = _boxes(folder)
    first, *others = games
    reader, size = _teach_game(folder, games[first], boxes)
    for game in others:
        counts: Counter[str] = Counter()
        times: list[float] = []
        for photo in games[game][::every]:
            picture = open_picture(folder / photo).picture
            start = time.process_time()
            cards = find_cards(picture, size)
            answers = [(card, reader.read(picture, card.array())) for card in cards]
            times.append(time.process_time() - start)
            for face, box in boxes[photo]:
                here = [answer for card, answer in answers if _is_there(card, box)]
                counts += _count(True, face, here[0] if here else None, bool(here))
            counts["backs"] += max(0, len(cards) - len(boxes[photo]))
        yield _sum_up(f"{CARDS.partition('_')[0]} {game}", counts, times)


def _teach_game(
    folder: Path, photos: list[str], boxes: dict[str, list[tuple[Face, BoxPx]]]
) -> tuple[CardReader, CardSize]:
    """Return a reader taught by one shot of each card of a game, and their size."""
    items, found = [], []
    for photo in photos:
        picture = open_picture(folder / photo).picture
        cards = find_cards(picture)
        for face, box in boxes[photo]:
            for card in cards:
                if _is_there(card, box):
                    found.append(card)
                    shot = CardShot(picture, corners=card.corners)
                    items.append(CardShots(face, (shot,)))
    return CardReader(build_deck(items)), usual_size(found)


def _boxes(folder: Path) -> dict[str, list[tuple[Face, BoxPx]]]:
    """Return the cards of each photograph and their boxes, px."""
    boxes: dict[str, list[tuple[Face, BoxPx]]] = {}
    with (folder / "cards_boxes.csv").open(encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file):
            x, y, wide, high = (float(line[key]) for key in ("cx", "cy", "w", "h"))
            box = (x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)
            left, top, right, bottom = (round(side) for side in box)
            face = line["kind"].partition(":")[2]
            boxes.setdefault(line["photo"], []).append(
                (face, (left, top, right, bottom))
            )
    return boxes


def _is_there(card: Quad, box: BoxPx) -> bool:
    middle = np.array([box[0] + box[2], box[1] + box[3]]) / 2
    corners = card.array()
    diagonal = np.linalg.norm(corners[0] - corners[2])
    return bool(np.linalg.norm(corners.mean(0) - middle) < _NEAR * diagonal)


def _sum_up(name: str, counts: Counter[str], times: list[float]) -> GameFigures:
    counted = {key: counts[key] for key in GameFigures.__struct_fields__[1:-1]}
    ms = round(float(np.median(times)) * 1000)
    return msgspec.convert({"name": name, "ms": ms, **counted}, GameFigures)


def table(games: Iterable[GameFigures]) -> str:
    """Return the counts as a Markdown table."""
    heads = GameFigures.__struct_fields__
    lines = ["| " + " | ".join(heads) + " |", "|---" + "|--:" * (len(heads) - 1) + "|"]
    for game in games:
        row = [str(getattr(game, head)) for head in heads]
        lines.append("| " + " | ".join(row) + " |")
    return "\n".join(lines)


def main() -> None:
    """Measure the games of a folder and print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--every", type=int, default=1)
    asked = parser.parse_args()
    sys.stdout.write(table(measure_tiles(asked.folder)) + "\n\n")
    sys.stdout.write(table(measure_cards(asked.folder, asked.every)) + "\n")


if __name__ == "__main__":
    main()
