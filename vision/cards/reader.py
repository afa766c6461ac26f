"""Say which card of a deck it is, or which it may be, or that it was never shown.

What would be a guess becomes a question, and what no taught card explains is unknown.
"""

from collections.abc import Collection
from copy import copy
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
from vision.cards.duels import Duel, Duels
from vision.cards.fine import fine_size, fine_tones
from vision.cards.limits import ReadLimits, card_limits
from vision.cards.noise import Strangeness
from vision.cards.pairwise import compare_pairwise
from vision.cards.raster import even_light, rectify_card, thumbnail, to_tones
from vision.cards.references import Deck, corner_orders

_WITNESS_PX = 9.0
"""Neighbouring pixels of the camera err together, so many count as one witness."""

_ONE_PICTURE = 1.0
"""Strangeness up to which two cards may be one and the same, but for detail."""

_FORGIVEN = 0.9
"""Most that shape counts where detail finds no strange spot."""

_ROUNDS = 4

_AS_NEAR, _MORE = 4.0, 36
"""Look-alikes up to so many times as far by their thumbnails as the first are looked at
in detail too, at most so many: of twelve numbers in four colours the true one is often
not among the nearest twelve."""

_NEAR, _NEAR_TOO = 2.0, 0.3
"""Rivals up to so many times as strange, and so much more, are fought in detail."""

_ROLLS = (0, 2, 1, 3)
"""Quarter turns of the orders that `corner_orders` gives."""

_CLOSEST = 3
"""Rivals that are compared in every way, the closest."""


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
        spot: How strange the worst spot of the card is for the best.
    """

    candidates: tuple[CardCandidate, ...]
    rival: float
    spot: float


class _Fit(NamedTuple):
    """How a reference fits a seen card, and the turn in which it does."""

    strange: Strangeness
    turn: int


class _SeenCard:
    """A card in a picture, straightened in each order of corners that may be upright.

    Attributes:
        orders: The orders of its corners, each ``(4, 2)``, px.
        tones: Tones ``(h, w, 3)`` in each.
    """

    def __init__(self, picture: Picture, orders: tuple[Floats, ...], deck: Deck):
        self._picture = picture
        self._fine_size = fine_size(deck.aspect)
        self._details: dict[int, Floats] = {}
        self.orders = orders
        self.tones = [
            to_tones(rectify_card(picture, order, deck.size)) for order in orders
        ]

    def thumbs(self) -> Floats:
        """Return a thumbnail for each order, ``(N, 924)``."""
        return np.stack([thumbnail(even_light(shown)) for shown in self.tones])

    def detail(self, turn: int) -> Floats:
        """Return the fine tones ``(h', w')`` in one order."""
        if turn not in self._details:
            order = self.orders[turn]
            self._details[turn] = fine_tones(self._picture, order, self._fine_size)
        return self._details[turn]


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
        self._duels = Duels([reference.fine for reference in deck.references])
        numbers = {one.face: n for n, one in enumerate(deck.references)}
        self._mates = {
            numbers[face]: {numbers[mate] for mate in cluster if mate in numbers}
            for cluster in deck.audit.clusters
            for face in cluster
            if face in numbers
        }
        self._twins = {frozenset(pair) for pair in deck.audit.always_ask}
        self._possible = frozenset(numbers)
        self._siblings = _siblings(deck) if deck.audit.missing else frozenset()

    def among(self, possible: Collection[Face]) -> "CardReader":
        """Return a reader of the same deck where only some faces can lie.

        A card that fits one of the others better is asked about, never forced.
        """
        reader = copy(self)
        reader._possible = frozenset(possible) & self._possible
        return reader

    @property
    def deck(self) -> Deck:
        """The deck that is read."""
        return self._deck

    def thumb_distance(self, picture: Picture, corners: Floats) -> float:
        """Return how far the nearest of the faces that can lie is from what is seen.

        It is quickly told, and says which of several outlines shows a whole card.
        """
        card = _SeenCard(picture, corner_orders(corners, self._deck.size), self._deck)
        some = [one.thumb for one in self._known if one.face in self._possible]
        if not some:
            return np.inf
        off = ((np.stack(some)[None] - card.thumbs()[:, None]) ** 2).sum(2)
        return float(off.min())

    def candidates(self, picture: Picture, corners: Floats) -> CardCandidates:
        """Return faces that the card between *corners* may have, the best first.

        Args:
            picture: ``(H, W, 3)``, uint8, BGR.
            corners: ``(4, 2)`` in px, in any of the four orders.
        """
        card = _SeenCard(picture, corner_orders(corners, self._deck.size), self._deck)
        off = ((self._thumbs[None] - card.thumbs()[:, None]) ** 2).sum(2).min(0)
        nearest = np.argsort(off)
        fits = {
            int(index): self._fit(card, int(index))
            for index in nearest[: self._limits.candidates]
        }
        fits |= {
            index: self._fit(card, index)
            for index in [i for i in nearest.tolist() if self._may_lie(i)][:_CLOSEST]
            if index not in fits
        }
        first = min(fits, key=lambda index: fits[index].strange.worst)
        rest = nearest[self._limits.candidates :]
        alike = rest[off[rest] < _AS_NEAR * off[first]][:_MORE].tolist()
        mates = [index for index in alike if index in self._mates.get(first, ())]
        fits |= self._missed(card, first, fits[first].turn, mates)
        first, rival, spot = self._settle(card, first, fits)
        ranked = sorted(fits, key=lambda i: (i != first, fits[i].strange.worst))
        found = tuple(
            CardCandidate(
                self._known[index].face,
                fits[index].strange,
                card.orders[fits[index].turn],
            )
            for index in ranked
        )
        return CardCandidates(found, rival, spot)

    def _may_lie(self, index: int) -> bool:
        return self._known[index].face in self._possible

    def _fit(self, card: _SeenCard, index: int) -> _Fit:
        """Return how a reference fits, turned as it fits best.

        A card may look like itself upside down but for one small sign, so all turns are
        tried.
        """
        known, noise = self._known[index], self._deck.noise
        return min(
            (
                _Fit(compare_with_reference(tones, known, noise), turn)
                for turn, tones in enumerate(card.tones)
            ),
            key=lambda fit: fit.strange.worst,
        )

    def _missed(
        self, card: _SeenCard, first: int, turn: int, mates: list[int]
    ) -> dict[int, _Fit]:
        """Return how the look-alikes fit that thumbnails missed and detail prefers."""
        if not mates:
            return {}
        duel = self._duels.fight(first, dict.fromkeys(mates, 0), card.detail(turn))
        mates.sort(key=lambda index: -duel.leans[index][0])
        return {index: self._fit(card, index) for index in mates[:_CLOSEST]}

    def _settle(
        self, card: _SeenCard, first: int, fits: dict[int, _Fit]
    ) -> tuple[int, float, float]:
        """Return the face that loses to none, how close a rival comes, its worst spot.

        How close is the geometric mean of how it fits all over and where they differ:
        the first is hard on cards that were never shown, the second on those that
        something else troubles.
        """
        tried: set[int] = set()
        while True:
            duel = self._fight(card, first, fits)
            closest = sorted(
                duel.leans,
                key=lambda i: -_share(fits, first, i) * (0.1 + duel.leans[i][0]),
            )[:_CLOSEST]
            toward = {
                index: self._toward(card, first, index, fits, *duel.leans[index])
                for index in closest
            }
            tried.add(first)
            ahead = {i: t for i, t in toward.items() if t > 0.5 and i not in tried}
            if not ahead or len(tried) >= _ROUNDS:
                break
            first = max(ahead, key=lambda index: ahead[index])
        close = [
            _share(fits, first, index) * share / max(1 - share, 0.1)
            for index, share in toward.items()
            if self._may_lie(index)
        ]
        return first, float(np.sqrt(max(close, default=0.0))), duel.spot

    def _fight(self, card: _SeenCard, first: int, fits: dict[int, _Fit]) -> Duel:
        """Let a face fight all those in detail that fit nearly as well."""
        turn, worst = fits[first].turn, fits[first].strange.worst
        rivals = {
            index: (_ROLLS[fit.turn] - _ROLLS[turn]) % 4
            for index, fit in fits.items()
            if index != first and fit.strange.worst < _NEAR * worst + _NEAR_TOO
        }
        return self._duels.fight(first, rivals, card.detail(turn))

    def _toward(
        self,
        card: _SeenCard,
        first: int,
        rival: int,
        fits: dict[int, _Fit],
        fine: float,
        power: float,
    ) -> float:
        """Return how far a card leans to a rival, 0 to 1, in detail and in colour."""
        turn, other = fits[first].turn, fits[rival].turn
        coarse, weight = compare_pairwise(
            card.tones[turn],
            self._known[first],
            card.tones[other],
            self._known[rival],
            (_ROLLS[other] - _ROLLS[turn]) % 4,
        )
        power /= _WITNESS_PX
        if not weight + power:
            return 0.5
        return (coarse * weight + fine * power) / (weight + power)

    def decide(self, found: CardCandidates) -> CardVerdict:
        """Return which card the candidates come to: sure, to be asked, or unknown."""
        limits, best = self._limits, found.candidates[0]
        worst = self._strange(best.strange, found.spot)
        doubt = (
            worst
            + limits.rival_weight * found.rival
            + limits.contrast_weight * best.strange.contrast
            + limits.spot_weight * self._beyond_spot(found.spot)
        )
        if worst > limits.unknown:
            return UnknownCard(_falling(limits.unknown / worst, 0.9, 0.1))
        twins = [
            one
            for one in found.candidates[1:]
            if frozenset((one.face, best.face)) in self._twins
        ]
        open_faces = best.face not in self._possible or best.face in self._siblings
        sure = doubt <= limits.accept and found.rival <= limits.rival
        if sure and not twins and not open_faces:
            return SureCard(best.face, _falling(doubt, limits.middle, limits.spread))
        most = limits.near * best.strange.worst
        near = [one for one in found.candidates if one.strange.worst < most]
        chance = min(0.9, _falling(doubt, limits.middle, 4 * limits.spread))
        return _ask_between([best, *twins, *near], chance)

    def _strange(self, strange: Strangeness, spot: float) -> float:
        """Return how little the best explains; shape is forgiven that detail explains.

        A lamp that glances from a card changes contrast from place to place, which
        detail allows for.
        """
        if self._deck.spot and spot <= self._deck.spot:
            return max(strange.hue, min(strange.worst, _FORGIVEN))
        return strange.worst

    def _beyond_spot(self, spot: float) -> float:
        """Return by what part a spot is stranger than usual, 0 with too few shots."""
        return max(0.0, spot / self._deck.spot - 1) if self._deck.spot else 0.0

    def read(self, picture: Picture, corners: Floats) -> CardVerdict:
        """Return what the card between *corners* is."""
        return self.decide(self.candidates(picture, corners))


def _siblings(deck: Deck) -> frozenset[Face]:
    """Return faces that have look-alikes; one that was never shown may be another."""
    close = [pair.faces for pair in deck.audit.pairs if pair.apart < _ONE_PICTURE]
    return frozenset(face for pair in close for face in pair)


def _share(fits: dict[int, _Fit], first: int, rival: int) -> float:
    """Return how well a rival fits all over, 1 for as well as the first."""
    worst = fits[first].strange.worst
    return min(1.0, worst / max(fits[rival].strange.worst, 1e-6))


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
