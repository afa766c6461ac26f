"""Say which card of a deck it is, or which it may be, or that it was never shown.

What would be a guess becomes a question, and what no taught card explains is unknown.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from msgspec import Struct

from companion.table import Face
from vision.arrays import Floats, Picture
from vision.cards.audit import (
    PreparedReference,
    compare_with_reference,
    prepare_reference,
)
from vision.cards.limits import ReadLimits, card_limits
from vision.cards.noise import Strangeness
from vision.cards.pairwise import compare_pairwise
from vision.cards.raster import even_light, rectify_card, thumbnail, to_tones
from vision.cards.references import Deck, corner_orders


class SureCard(Struct, frozen=True):
    """It is this card; *confidence* is 0 to 1."""

    face: Face
    confidence: float


class CardQuestion(Struct, frozen=True):
    """It may be one of these (face, chance), best first."""

    choices: tuple[tuple[Face, float], ...]


class UnknownCard(Struct, frozen=True):
    """It is none of the deck; *confidence* is 0 to 1."""

    confidence: float


CardVerdict: TypeAlias = SureCard | CardQuestion | UnknownCard


class CardCandidate(NamedTuple):
    """A face that a seen card may have, and how badly it fits.

    Attributes:
        face: The face.
        strange: How little its reference explains what is seen.
        corners: Corners of the card, the taught top left one first, ``(4, 2)``.
    """

    face: Face
    strange: Strangeness
    corners: Floats


class CardCandidates(NamedTuple):
    """The faces that a seen card may have.

    Attributes:
        candidates: One a face, the best first, at least one.
        rival: How close the next best comes, 0 to 1 for a draw.
    """

    candidates: tuple[CardCandidate, ...]
    rival: float


class CardReader:
    """Reads the cards of one deck."""

    def __init__(self, deck: Deck, limits: ReadLimits | None = None) -> None:
        self._deck = deck
        self._limits = limits or card_limits().read
        self._known: list[PreparedReference] = [
            prepare_reference(reference.face, reference.tones, deck.noise)
            for reference in deck.references
        ]
        self._thumbs = np.stack([one.thumb for one in self._known])
        self._twins = {frozenset(pair) for pair in deck.audit.always_ask}

    @property
    def deck(self) -> Deck:
        """The deck that is read."""
        return self._deck

    def candidates(self, picture: Picture, corners: Floats) -> CardCandidates:
        """Return faces that the card between *corners* may have, the best first.

        Args:
            picture: ``(H, W, 3)``, uint8, BGR.
            corners: ``(4, 2)`` in px, in any of the four orders.
        """
        seen = [
            (turned, to_tones(rectify_card(picture, turned, self._deck.size)))
            for turned in corner_orders(corners, self._deck.size)
        ]
        thumbs = np.stack([thumbnail(even_light(shown)) for _, shown in seen])
        off = ((self._thumbs[None] - thumbs[:, None]) ** 2).sum(2)
        order = np.argsort(off.min(0))[: self._limits.candidates]
        # A card may look like itself upside down but for one small sign, so all turns
        # of a face are tried.
        tried = [
            (
                compare_with_reference(shown, self._known[index], self._deck.noise),
                turn,
                int(index),
            )
            for index in order
            for turn, (_, shown) in enumerate(seen)
        ]
        tried.sort(key=lambda one: one[0].worst)
        best = {index: (strange, turn) for strange, turn, index in reversed(tried)}
        ranked = sorted(best, key=lambda index: best[index][0].worst)
        found = tuple(
            CardCandidate(
                self._known[index].face, best[index][0], seen[best[index][1]][0]
            )
            for index in ranked
        )
        return CardCandidates(
            found, self._rival(ranked, found, seen[best[ranked[0]][1]][1])
        )

    def _rival(
        self, ranked: list[int], found: tuple[CardCandidate, ...], shown: Floats
    ) -> float:
        """Return how close the next best comes, all over and where they differ.

        The geometric mean of both: the first is hard on cards that were never shown,
        the second on those that something else troubles.
        """
        if len(found) < 2:
            return 0.0
        first = self._known[ranked[0]]
        where = max(
            compare_pairwise(shown, first, self._known[index]) for index in ranked[1:3]
        )
        whole = found[0].strange.worst / max(found[1].strange.worst, 1e-6)
        return float(np.sqrt(whole * where))

    def decide(self, found: CardCandidates) -> CardVerdict:
        """Return which card the candidates come to: sure, to be asked, or unknown."""
        limits, best = self._limits, found.candidates[0]
        worst = best.strange.worst
        doubt = (
            worst
            + limits.rival_weight * found.rival
            + limits.contrast_weight * best.strange.contrast
        )
        if worst > limits.unknown:
            return UnknownCard(_falling(limits.unknown / worst, 0.9, 0.1))
        twins = [
            one
            for one in found.candidates[1:]
            if frozenset((one.face, best.face)) in self._twins
        ]
        if doubt <= limits.accept and not twins:
            return SureCard(best.face, _falling(doubt, limits.middle, limits.spread))
        near = [
            one for one in found.candidates if one.strange.worst < limits.near * worst
        ]
        chance = min(0.9, _falling(doubt, limits.middle, 4 * limits.spread))
        return _ask_between([best, *twins, *near], chance)

    def read(self, picture: Picture, corners: Floats) -> CardVerdict:
        """Return what the card between *corners* is."""
        return self.decide(self.candidates(picture, corners))


def _ask_between(near: list[CardCandidate], chance: float) -> CardQuestion:
    """Return a question with at most three faces that share a chance."""
    worst = {one.face: one.strange.worst for one in near}
    faces = sorted(list(worst)[:3], key=lambda face: worst[face])
    weights = [float(np.exp(-2 * worst[face])) for face in faces]
    return CardQuestion(
        tuple(
            (face, round(chance * weight / sum(weights), 3))
            for face, weight in zip(faces, weights, strict=True)
        )
    )


def _falling(value: float, middle: float, spread: float) -> float:
    """Return 1 for small values, 0.5 at *middle*, 0 for large ones."""
    return round(float(1 / (1 + np.exp((value - middle) / spread))), 4)
