"""Find a card on its spot, how it lies there, and what is printed on it."""

from typing import NamedTuple

import cv2
import numpy as np

from vision.arrays import Floats, Mask
from vision.ground.difference import difference_mask
from vision.tabletop.plan import Spot, Thing
from vision.tabletop.prints import PointMm, PrintBank, Ranked, rank_names, sample_print
from vision.tabletop.surface import PX_PER_MM, Surface

LEAST = 0.35
"""Part of a card that must differ from the ground: its rim and its print do, even where
the ground has its colour."""

SIDES_MM = 4.0
"""Measured sides that differ more from a card's are not its own: something lies beside
or on it. A pixel of the plane is a millimetre, and blur adds one on each side."""

FINE_PX = 3.0
"""Pixels a millimetre where a card's outline is measured."""

_BEYOND_MM = 2.0
"""A card may lie so far beyond its frame."""

_SHIFTS_MM = (-0.6, 0.0, 0.6)
_TURNS_DEG = (-1.5, -0.75, 0.0, 0.75, 1.5)
_ROUGH_SHIFTS_MM = (-1.5, -0.75, 0.0, 0.75, 1.5)
_ROUGH_TURNS_DEG = (-4.0, -2.0, 0.0, 2.0, 4.0)
_FINE_MM = (-0.4, -0.2, 0.0, 0.2, 0.4)
"""How far beside and how far turned a card is looked at, for what its outline tells:
that of a whole card is good to half a millimetre and a degree. The fine steps are for
cards of one picture, whose numbers are compared."""


class CardPosition(NamedTuple):
    """Where a card lies: its middle, and its turn from upright, clockwise.

    *turn_deg* is -45 to 45 for an upright one or one upside down, which are not
    distinguished here, and counted from lying *across* otherwise. Of one that is not
    whole, as something lies on it, the turn is not known.
    """

    at: PointMm
    turn_deg: float
    across: bool
    is_whole: bool = True

    @property
    def whole_turn_deg(self) -> float:
        """Return how far it is turned in all."""
        return self.turn_deg + (90.0 if self.across else 0.0)


def find_card(
    shown: Mask, thing: Thing, px_per_mm: float = PX_PER_MM
) -> CardPosition | None:
    """Return where a card lies in a window of the plane; None without one.

    Args:
        shown: ``(h, w)``, what differs from the ground; the point is counted from its
            first pixel.
        thing: How large the card is.
        px_per_mm: Scale of *shown*.
    """
    if int(shown.sum()) < LEAST * thing.width_mm * thing.height_mm * px_per_mm**2:
        return None
    closed = cv2.morphologyEx(
        shown.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)
    )
    outlines, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = max(outlines, key=cv2.contourArea)
    middle, sides, _ = cv2.minAreaRect(outline)
    corners = cv2.boxPoints(cv2.minAreaRect(outline))
    edges = np.roll(corners, -1, 0) - corners
    long = edges[int(np.argmax(np.linalg.norm(edges[:2], axis=1)))]
    long = long if long[1] >= 0 else -long
    turn = float(np.degrees(np.arctan2(-long[0], long[1])))
    fits = (
        abs(max(sides) / px_per_mm - thing.height_mm) < SIDES_MM
        and abs(min(sides) / px_per_mm - thing.width_mm) < SIDES_MM
    )
    if not fits:
        rows, columns = np.nonzero(closed)
        ends = [np.percentile(values, (1, 99)) for values in (columns, rows)]
        lying = bool(np.ptp(ends[0]) > np.ptp(ends[1]))
        at = (float(ends[0].mean()), float(ends[1].mean()))
        return CardPosition(
            (at[0] / px_per_mm, at[1] / px_per_mm), 0.0, lying, is_whole=False
        )
    across = abs(turn) > 45
    turn = turn - 90 * np.sign(turn) if across else turn
    return CardPosition(
        (middle[0] / px_per_mm, middle[1] / px_per_mm), float(turn), across
    )


def locate_card(
    seen: Surface, bare: Surface, spot: Spot, thing: Thing
) -> CardPosition | None:
    """Return where a card lies on a spot, in mm of the table; None without one.

    Looked at finer than the plane on which pieces are sought: print that is compared
    must lie straight, and a number is a few millimetres large.
    """
    left = spot.x_mm - spot.width_mm / 2 - _BEYOND_MM
    top = spot.y_mm - spot.height_mm / 2 - _BEYOND_MM
    size = (spot.width_mm + 2 * _BEYOND_MM, spot.height_mm + 2 * _BEYOND_MM)
    views = [
        one.view((left, top), size, thing.tall_mm, FINE_PX) for one in (seen, bare)
    ]
    card = find_card(difference_mask(*views), thing, FINE_PX)
    if card is None:
        return None
    return card._replace(at=(card.at[0] + left, card.at[1] + top))


def sample_card(seen: Surface, thing: Thing, card: CardPosition) -> Floats:
    """Return a card as if it lay upright, ``(52, 36, 3)``, float32."""
    return sample_print(seen, thing, card.at, card.whole_turn_deg)


def read_card(
    taught: PrintBank, seen: Surface, thing: Thing, card: CardPosition
) -> tuple[Ranked, CardPosition]:
    """Return each taught face with its distance, the nearest first.

    The card is looked at a little beside and a little turned too. The second value is
    where it fits best.
    """
    shifts = _SHIFTS_MM if card.is_whole else _ROUGH_SHIFTS_MM
    turns = _TURNS_DEG if card.is_whole else _ROUGH_TURNS_DEG
    near = _beside(card, shifts)
    ranked, which = rank_names(taught, [sample_card(seen, thing, one) for one in near])
    best = near[which[ranked[0][0]]]
    turned = [best._replace(turn_deg=best.turn_deg + turn) for turn in turns]
    again, which = rank_names(taught, [sample_card(seen, thing, one) for one in turned])
    nearest = dict(ranked)
    for name, gap in again:
        nearest[name] = min(nearest[name], gap)
    by_distance = sorted(nearest.items(), key=lambda pair: pair[1])
    return by_distance, turned[which[again[0][0]]]


def sample_card_finely(seen: Surface, thing: Thing, card: CardPosition) -> list[Floats]:
    """Return how a card looks in fine steps about where it fits best."""
    return [sample_card(seen, thing, one) for one in _beside(card, _FINE_MM)]


def _beside(card: CardPosition, shifts_mm: tuple[float, ...]) -> list[CardPosition]:
    return [
        card._replace(at=(card.at[0] + x, card.at[1] + y))
        for x in shifts_mm
        for y in shifts_mm
    ]


def card_outline(thing: Thing, card: CardPosition, margin_mm: float) -> Floats:
    """Return the outline ``(4, 2)`` of a card in mm, grown by a margin."""
    angle = np.radians(card.whole_turn_deg)
    across = np.array([np.cos(angle), np.sin(angle)])
    down = np.array([-np.sin(angle), np.cos(angle)])
    wide, high = thing.width_mm / 2 + margin_mm, thing.height_mm / 2 + margin_mm
    return np.array(
        [
            np.array(card.at) + a * wide * across + b * high * down
            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ],
        np.float32,
    )
