"""Let the best face of a card fight every other in detail, where the two differ."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from vision.arrays import Floats, Picture
from vision.cards.fine import (
    LEAST_POWER,
    Contest,
    FineReference,
    lay_on,
    lean,
    leftover,
    make_contest,
    prepare_fine,
    unpack_tones,
    worst_spot,
)
from vision.cards.raster import turn_plane

_PREPARED = 24
_CONTESTS = 1024
"""Kept in memory: 0.8 MB each, and 16 kB each."""


class Duel(NamedTuple):
    """How one reference does against others.

    Attributes:
        leans: How far the card leans from it to each other, 0 to 1, and how much the
            two differ, 0 where that is too little to tell.
        spot: How strange the worst spot of the card is for it.
    """

    leans: dict[int, tuple[float, float]]
    spot: float


class Duels:
    """The references of a deck in detail."""

    def __init__(self, packed: Sequence[Picture]) -> None:
        self._packed = packed
        self._known = lru_cache(maxsize=_PREPARED)(self._prepare)
        self._contest = lru_cache(maxsize=_CONTESTS)(self._make)

    def _prepare(self, index: int) -> FineReference:
        return prepare_fine(unpack_tones(self._packed[index]))

    def _make(self, index: int, rival: int, quarters: int) -> Contest:
        other = turn_plane(unpack_tones(self._packed[rival]), quarters)
        return make_contest(self._known(index), other)

    def fight(self, best: int, rivals: Mapping[int, int], shown: Floats) -> Duel:
        """Return how a reference does against rivals where they differ.

        Args:
            best: Number of the reference.
            rivals: Numbers of the others, and the quarter turns clockwise that turn
                them as they would lie there, were the first upright.
            shown: Fine tones of the card ``(h, w)``, turned as suits the first.
        """
        known = self._known(best)
        left = leftover(lay_on(shown, known), known)
        leans = {}
        for index, quarters in rivals.items():
            contest = self._contest(best, index, quarters)
            told = contest.power >= LEAST_POWER
            toward = float(np.clip(lean(left, contest), 0, 1)) if told else 0.5
            leans[index] = (toward, contest.power if told else 0.0)
        return Duel(leans, worst_spot(left, known.variance))
