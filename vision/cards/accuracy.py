"""Count how well cards are found and read on a folder of labelled photographs.

``python -m vision.cards.accuracy FOLDER`` measures every set and writes the table in
README.md beside this file. The photographs stay where they are; only counts are kept.
"""

import sys
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import msgspec
import numpy as np

from companion.table import Face
from vision.arrays import Floats, Picture
from vision.cards.counting import (
    Figures,
    by_faces,
    by_spots,
    one_card,
    summed,
    table,
    told,
)
from vision.cards.labels import (
    Spot,
    card_crops,
    memory_photos,
    playing_scenes,
    scene_cards,
    single_cards,
)
from vision.cards.quads import find_cards
from vision.cards.raster import whole_corners
from vision.cards.reader import CardReader
from vision.cards.references import Deck, Item, Shot, enrol
from vision.cards.see import see_cards

BEGIN, END = "<!-- cards: begin -->", "<!-- cards: end -->"

SHOTS = 3
NEVER_SHOWN = 10
"""Kinds of set_cards that are left out of a draw's deck."""

TUNING_DRAWS = (0, 1)
"""Draws that limits were chosen on, with 2 and 3 for their weights."""

REPORT_DRAWS = (4, 5)
"""Draws that nothing was looked at on; weights were tried on 0 to 3."""


def measure_playing(folder: Path) -> Figures:
    """Return the counts of scenes of playing cards, enrolled from one picture each."""
    reader = CardReader(enrol(_items(single_cards(folder, "playing_cards"))))
    counts: Counter[str] = Counter()
    times: list[float] = []
    for picture, truth in playing_scenes(folder):
        start = time.process_time()
        cards = see_cards(picture, reader)
        times.append(time.process_time() - start)
        counts += by_faces(truth, cards)
    return summed("playing_cards", counts, times)


def _items(pictures: Iterable[tuple[Picture, Face]]) -> list[Item]:
    return [Item(face, (Shot(picture),)) for picture, face in pictures]


def measure_memory(folder: Path, back: bool = False, times_over: int = 2) -> Figures:
    """Return the counts of a memory grid.

    Faces that lie in two or more photographs are enrolled from one and read in the
    others, all other faces are foreign.

    Args:
        folder: Holds the photographs.
        back: Whether the back is taught too; if not, backs are foreign.
        times_over: 1 to enrol from the first photograph of each face, 2 to do it all
            again with the last.
    """
    counts: Counter[str] = Counter()
    times: list[float] = []
    photos = memory_photos(folder)
    for order in (photos, photos[::-1])[:times_over]:
        taught: dict[Face, int] = {}
        items = []
        for number, (picture, spots) in enumerate(order):
            for spot in spots:
                if spot.face not in taught and _in_several(spot.face, order):
                    taught[spot.face] = number
                    items.append(Item(spot.face, (Shot(picture, _box(picture, spot)),)))
        if back:
            items.append(Item("back", (_a_back(order),)))
        reader = CardReader(enrol(items))
        for number, (picture, spots) in enumerate(order):
            start = time.process_time()
            cards = see_cards(picture, reader)
            times.append(time.process_time() - start)
            own = {face for face, first in taught.items() if first == number}
            counts += by_spots(spots, cards, set(taught), own, back)
    name = "memory_grid, back taught" if back else "memory_grid"
    return summed(name, counts, times)


def _in_several(
    face: Face, photos: tuple[tuple[Picture, tuple[Spot, ...]], ...]
) -> bool:
    return sum(any(spot.face == face for spot in spots) for _, spots in photos) > 1


def _box(picture: Picture, spot: Spot) -> tuple[int, int, int, int]:
    """Return a box with some surroundings about the card at a spot, px."""
    height, width = picture.shape[:2]
    for quad in find_cards(picture):
        left, top, right, bottom = quad.box
        if left < spot.x < right and top < spot.y < bottom:
            more = (right - left) // 20
            return (
                max(0, left - more),
                max(0, top - more),
                min(width, right + more),
                min(height, bottom + more),
            )
    raise ValueError(f"no card is found at {spot}; mark its place anew")


def _a_back(photos: tuple[tuple[Picture, tuple[Spot, ...]], ...]) -> Shot:
    """Return a shot of a card that lies face down."""
    picture, spots = photos[-1]
    for quad in find_cards(picture):
        left, top, right, bottom = quad.box
        if not any(left < s.x < right and top < s.y < bottom for s in spots):
            return Shot(picture, quad.box)
    raise ValueError("no card lies face down in the last photograph")


def measure_crops(
    folder: Path, draws: tuple[int, ...] = REPORT_DRAWS, every: int = 1
) -> Figures:
    """Return the counts of single-card crops over seeded draws of shots and kinds.

    Args:
        folder: Holds the photographs.
        draws: Seeds; each chooses kinds never shown and three shots of the others.
        every: Test only one of so many of the rest.
    """
    crops = card_crops(folder)
    counts: Counter[str] = Counter()
    times: list[float] = []
    for seed in draws:
        items, tests = _drawn(crops, np.random.default_rng(seed))
        reader = CardReader(enrol(items))
        shown = {item.face for item in items}
        for picture, face in tests[::every]:
            start = time.process_time()
            answer = reader.read(picture, whole_corners(picture))
            times.append(time.process_time() - start)
            counts += one_card(face in shown, face, told(answer))
    name = "set_cards, draws " + " ".join(str(seed) for seed in draws)
    return summed(name, counts, times)


def _drawn(
    crops: dict[Face, list[Picture]], chance: np.random.Generator
) -> tuple[list[Item], list[tuple[Picture, Face]]]:
    """Return what is taught and what is tested."""
    kinds = np.array(sorted(crops))
    hidden = set(chance.choice(kinds, NEVER_SHOWN, replace=False).tolist())
    items, tests = [], []
    for face in kinds.tolist():
        pictures = crops[face]
        order = chance.permutation(len(pictures)).tolist()
        if face not in hidden:
            shots = tuple(_whole(pictures[index]) for index in order[:SHOTS])
            items.append(Item(face, shots))
            order = order[SHOTS:]
        tests += [(pictures[index], face) for index in order]
    return items, tests


def _whole(picture: Picture) -> Shot:
    height, width = picture.shape[:2]
    return Shot(picture, (0, 0, width, height))


def measure_single(folder: Path, name: str) -> Figures:
    """Return the counts of a set with one picture a card and no scene.

    Each card is read turned by half and under a yellow lamp, and as foreign to a deck
    of all others.
    """
    pictures = single_cards(folder, name)
    deck = enrol(_items(pictures))
    reader = CardReader(deck)
    counts: Counter[str] = Counter()
    times: list[float] = []
    for picture, face in pictures:
        changed = _yellow(picture[::-1, ::-1])
        corners = _largest(changed)
        start = time.process_time()
        answer = reader.read(changed, corners)
        times.append(time.process_time() - start)
        counts += one_card(True, face, told(answer))
        others = CardReader(_without(deck, face))
        counts += one_card(False, face, told(others.read(changed, corners)))
    return summed(f"{name}, turned and lit in software", counts, times)


def _yellow(picture: Picture) -> Picture:
    lamp = np.array([0.6, 0.85, 0.95], np.float32)
    return np.asarray((picture * lamp).astype(np.uint8))


def _largest(picture: Picture) -> Floats:
    cards = find_cards(picture)
    return cards[0].array() if cards else whole_corners(picture)


def _without(deck: Deck, face: Face) -> Deck:
    kept = tuple(one for one in deck.references if one.face != face)
    return msgspec.structs.replace(deck, references=kept)


def measure_found(folder: Path) -> Figures:
    """Return how many cards of scenes are found, right where their number is."""
    counts: Counter[str] = Counter()
    times: list[float] = []
    for picture, there in scene_cards(folder):
        start = time.process_time()
        found = len(find_cards(picture))
        times.append(time.process_time() - start)
        counts += Counter(
            cards=there,
            right=min(found, there),
            missed=max(0, there - found),
            wrong=max(0, found - there),
        )
    return summed("all scenes, cards found", counts, times)


def main(folder: Path) -> None:
    """Measure all sets and write the table in README.md beside this file."""
    figures = [
        measure_found(folder),
        measure_playing(folder),
        measure_memory(folder),
        measure_memory(folder, back=True),
        measure_single(folder, "uno_cards"),
        measure_crops(folder, TUNING_DRAWS),
        measure_crops(folder, REPORT_DRAWS),
    ]
    readme = Path(__file__).with_name("README.md")
    words = readme.read_text(encoding="utf-8")
    head, tail = words.split(BEGIN)[0], words.split(END)[1]
    text = f"{head}{BEGIN}\n{table(figures)}\n{END}{tail}"
    readme.write_text(text, encoding="utf-8")
    sys.stdout.write(msgspec.json.encode(figures).decode() + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
