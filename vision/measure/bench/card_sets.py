"""Cards of labelled photographs, beside recipes that get the same cards."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import cv2
import numpy as np
from msgspec.structs import replace

from vision.arrays import Floats, Picture
from vision.cards.quads import find_cards
from vision.cards.raster import picture_corners, rectify_card
from vision.cards.reader import CardReader
from vision.cards.references import build_deck, corner_orders, shot_corners
from vision.cards.see import UNKNOWN, DetectedCard, see_cards, see_whole
from vision.measure.bench.card_peers import PEERS, SIDE_PX, Namer
from vision.measure.bench.rows import OURS, BenchRow
from vision.measure.card_trials import (
    CardTrial,
    crop_trials,
    memory_trials,
    playing_trial,
)
from vision.measure.cards import REPORT_DRAWS

CARD_MM = 63.0
"""Width of a playing card; a set of another size has other px/mm than reported."""

See: TypeAlias = Callable[[Picture], tuple[DetectedCard, ...]]


def card_rows(folder: Path, every: int = 5) -> Iterator[BenchRow]:
    """Yield the figures of each set of cards, ours and those of the recipes.

    Args:
        folder: Holds ``labels.csv`` and a folder for each set.
        every: Take only one of so many single-card crops: the recipes are slow.
    """
    sets: dict[str, list[CardTrial]] = {
        "playing_cards": [playing_trial(folder)],
        "memory_grid": memory_trials(folder),
        "set_cards": crop_trials(folder, REPORT_DRAWS, every),
    }
    for name, trials in sets.items():
        yield _ours(name, trials)
        for peer in PEERS:
            yield _theirs(name, trials, peer)


def _ours(name: str, trials: list[CardTrial]) -> BenchRow:
    figures = _Figures()
    for trial in trials:
        reader = CardReader(build_deck(trial.items))
        see = see_whole if trial.whole else see_cards
        for picture, tally in trial.pictures:
            start = time.process_time()
            cards = see(picture, reader)
            figures.times.append(time.process_time() - start)
            figures.counts += tally(cards)
            figures.first += tally(
                tuple(_first(picture, card, reader) for card in cards)
            )
            figures.widths += [_width(card) for card in cards]
    return figures.row(name, OURS)


def _first(picture: Picture, card: DetectedCard, reader: CardReader) -> DetectedCard:
    """Return a card with the face that comes first, however unsure."""
    if card.face not in (None, UNKNOWN):
        return card
    corners = np.array(card.corners, np.float32)
    best = reader.candidates(picture, corners).candidates[0].face
    return replace(card, face=best)


def _theirs(name: str, trials: list[CardTrial], peer: str) -> BenchRow:
    figures = _Figures()
    for trial in trials:
        namer = PEERS[peer](
            [
                (item.face, _straight(shot.picture, shot_corners(shot)))
                for item in trial.items
                for shot in item.shots
            ]
        )
        for picture, tally in trial.pictures:
            start = time.process_time()
            cards = _name_cards(picture, namer, trial.whole)
            figures.times.append(time.process_time() - start)
            figures.first += tally(cards)
            figures.counts += tally(
                tuple(
                    card if card.confidence else replace(card, face=UNKNOWN)
                    for card in cards
                )
            )
    return figures.row(name, peer)


def _name_cards(
    picture: Picture, namer: Namer, whole: bool
) -> tuple[DetectedCard, ...]:
    """Return each card with the face that comes first; confidence 1 if it is taken."""
    if whole:
        places = [picture_corners(picture)]
    else:
        places = [quad.array() for quad in find_cards(picture)]
    cards = []
    for corners in places:
        named = namer(_straight(picture, corners))
        x, y, wide, high = cv2.boundingRect(corners.astype(np.float32))
        cards.append(
            DetectedCard(
                named.face, float(named.taken), (), (), (x, y, x + wide, y + high)
            )
        )
    return tuple(cards)


def _straight(picture: Picture, corners: Floats) -> Picture:
    return rectify_card(picture, corner_orders(corners, SIDE_PX)[0], SIDE_PX)


def _width(card: DetectedCard) -> float:
    """Return the shorter side of a card, px."""
    corners = np.array(card.corners)
    return float(np.linalg.norm(corners - np.roll(corners, -1, 0), axis=1).min())


class _Figures:
    """Counts of one reader on one set while they grow."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.first: Counter[str] = Counter()
        self.times: list[float] = []
        self.widths: list[float] = []

    def row(self, name: str, reader: str) -> BenchRow:
        """Return the finished line; cards never shown that were taken are wrong."""
        counts = self.counts
        return BenchRow(
            name,
            reader,
            counts["cards"],
            self.first["right"],
            counts["right"],
            counts["asked"] + counts["missed"],
            counts["wrong"] + counts["taken"],
            1000 * float(np.median(self.times)),
            float(np.median(self.widths)) / CARD_MM if self.widths else None,
        )
