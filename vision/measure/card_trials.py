"""What of the labelled photographs is taught and what is then read.

A trial is one deck with the pictures that test it; nothing is read here.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np

from companion.table import Face
from vision.arrays import Picture
from vision.cards.quads import find_cards
from vision.cards.references import CardShot, CardShots
from vision.cards.see import DetectedCard
from vision.measure.card_counts import count_by_faces, count_by_places, count_one_card
from vision.measure.card_labels import (
    LabelledCard,
    card_crops,
    memory_photos,
    playing_scenes,
    single_cards,
)

SHOTS = 3
NEVER_SHOWN = 10
"""Kinds of set_cards that are left out of a draw's deck."""

CountCards: TypeAlias = Callable[[tuple[DetectedCard, ...]], Counter[str]]
"""Counts how the cards of one picture were read."""


class CardTrial(NamedTuple):
    """A deck that is shown, and pictures with how their cards are counted.

    *whole* says that each picture is one card.
    """

    items: tuple[CardShots, ...]
    pictures: tuple[tuple[Picture, CountCards], ...]
    whole: bool = False


def playing_trial(folder: Path) -> CardTrial:
    """Return scenes of playing cards, enrolled from one picture each."""
    return CardTrial(
        one_shot_each(single_cards(folder, "playing_cards")),
        tuple((picture, _by_faces(truth)) for picture, truth in playing_scenes(folder)),
    )


def _by_faces(truth: tuple[Face, ...]) -> CountCards:
    return lambda cards: count_by_faces(truth, cards)


def one_shot_each(pictures: Iterable[tuple[Picture, Face]]) -> tuple[CardShots, ...]:
    """Return cards of one shot each."""
    return tuple(CardShots(face, (CardShot(picture),)) for picture, face in pictures)


def memory_trials(
    folder: Path, back: bool = False, times_over: int = 2
) -> list[CardTrial]:
    """Return a memory grid, read with what one of its photographs taught.

    Faces that lie in two or more photographs are enrolled from one and read in the
    others, all other faces are foreign.

    Args:
        folder: Holds the photographs.
        back: Whether the back is taught too; if not, backs are foreign.
        times_over: 1 to enrol from the first photograph of each face, 2 to do it all
            again with the last.
    """
    photos = memory_photos(folder)
    return [_memory_trial(o, back) for o in (photos, photos[::-1])[:times_over]]


def _memory_trial(
    order: tuple[tuple[Picture, tuple[LabelledCard, ...]], ...], back: bool
) -> CardTrial:
    taught: dict[Face, int] = {}
    items = []
    for number, (picture, spots) in enumerate(order):
        for spot in spots:
            if spot.face not in taught and _in_several(spot.face, order):
                taught[spot.face] = number
                items.append(
                    CardShots(spot.face, (CardShot(picture, _box(picture, spot)),))
                )
    if back:
        items.append(CardShots("back", (_a_back(order),)))
    pictures = []
    for number, (picture, spots) in enumerate(order):
        own = {face for face, first in taught.items() if first == number}
        pictures.append((picture, _by_spots(spots, set(taught), own, back)))
    return CardTrial(tuple(items), tuple(pictures))


def _by_spots(
    spots: tuple[LabelledCard, ...], taught: set[Face], own: set[Face], back: bool
) -> CountCards:
    return lambda cards: count_by_places(spots, cards, taught, own, back)


def _in_several(
    face: Face, photos: tuple[tuple[Picture, tuple[LabelledCard, ...]], ...]
) -> bool:
    return sum(any(spot.face == face for spot in spots) for _, spots in photos) > 1


def _box(picture: Picture, spot: LabelledCard) -> tuple[int, int, int, int]:
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


def _a_back(photos: tuple[tuple[Picture, tuple[LabelledCard, ...]], ...]) -> CardShot:
    """Return a shot of a card that lies face down."""
    picture, spots = photos[-1]
    for quad in find_cards(picture):
        left, top, right, bottom = quad.box
        if not any(left < s.x < right and top < s.y < bottom for s in spots):
            return CardShot(picture, quad.box)
    raise ValueError("no card lies face down in the last photograph")


def crop_trials(
    folder: Path, draws: tuple[int, ...], every: int = 1
) -> list[CardTrial]:
    """Return single-card crops over seeded draws of shots and kinds.

    Args:
        folder: Holds the photographs.
        draws: Seeds; each chooses kinds never shown and three shots of the others.
        every: Test only one of so many of the rest.
    """
    crops = card_crops(folder)
    return [_crop_trial(crops, np.random.default_rng(seed), every) for seed in draws]


def _crop_trial(
    crops: dict[Face, list[Picture]], chance: np.random.Generator, every: int
) -> CardTrial:
    kinds = np.array(sorted(crops))
    hidden = set(chance.choice(kinds, NEVER_SHOWN, replace=False).tolist())
    items, tests = [], []
    for face in kinds.tolist():
        pictures = crops[face]
        order = chance.permutation(len(pictures)).tolist()
        if face not in hidden:
            shots = tuple(_whole(pictures[index]) for index in order[:SHOTS])
            items.append(CardShots(face, shots))
            order = order[SHOTS:]
        tally = _one_card(face, face not in hidden)
        tests += [(pictures[index], tally) for index in order]
    return CardTrial(tuple(items), tuple(tests[::every]), whole=True)


def _one_card(face: Face, shown: bool) -> CountCards:
    return lambda cards: count_one_card(shown, face, cards[0].face)


def _whole(picture: Picture) -> CardShot:
    height, width = picture.shape[:2]
    return CardShot(picture, (0, 0, width, height))
