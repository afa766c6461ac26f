"""Cards that lie in an area as people lay them: which stayed, slid, came or are gone.

Pure. Nothing is recognised here. A card that looks as one did before is that card,
wherever in its area it now lies and however it is turned.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import cv2
import numpy as np
from msgspec import Struct

from vision.arrays import Floats, Picture
from vision.cards.looks import SAME, look_at, look_difference
from vision.cards.outlines import CardSize
from vision.cards.quads import Quad, find_cards, usual_size
from vision.cards.rows import (
    CELL_PX,
    flatten_rows,
    ground_tone,
    is_bare,
    middle_tone,
)
from vision.cards.zones import Grid

NEAR = 0.35
"""A card has stayed if its middle is no farther off than this, in its shorter side."""

COVERED = 0.6
"""Part of a card's place that another one covers when nobody can tell it is gone."""

HEAPED = 0.4
"""The same of the top of a pile: on a traced table a card that was laid a fifth of its
sides beside covers 0.59."""

SPREAD = 0.6
"""So much of a card's sides beyond the area is searched: cards lie over its rim."""

OTHER_GROUND = 0.3
"""Logarithm by which the middle of a card's place differs, in some channel, from the
ground that was around the card, when a hand covers it. On traced tables ground that is
seen again differs by 0.01 to 0.05, a hand by 0.60 to 0.79."""


class LaidCard(Struct, frozen=True):
    """A card where it was seen.

    Attributes:
        quad: Where it lies.
        look: How it looks, None where a part is hidden.
        ground: Colour around it, logarithms of B, G, R ``(3,)``; None for not known.
    """

    quad: Quad
    look: Floats | None
    ground: Floats | None = None

    @property
    def middle(self) -> Floats:
        """Return its middle ``(2,)``, px."""
        return np.asarray(self.quad.array().mean(0), np.float32)

    @property
    def short_px(self) -> float:
        """Return its shorter side, px."""
        return usual_size([self.quad])[0]

    @property
    def along(self) -> Floats:
        """Return the way of its longer side ``(2,)``, of length 1, either way."""
        corners = self.quad.array()
        sides = np.roll(corners, -1, 0) - corners
        one, other = sides[0] - sides[2], sides[1] - sides[3]
        long = one if np.linalg.norm(one) > np.linalg.norm(other) else other
        return np.asarray(long / max(float(np.linalg.norm(long)), 1e-6), np.float32)


class Matched(NamedTuple):
    """How the cards of an area go with those that lay there before, by number.

    *stayed* has for each of before the one that it is now, *came* those that are new,
    *missing* those of before that were not found.
    """

    stayed: dict[int, int]
    came: tuple[int, ...]
    missing: tuple[int, ...]


def cards_in_area(
    picture: Picture, area: Floats, size: CardSize | None
) -> list[LaidCard]:
    """Return the cards whose middle lies in an area ``(4, 2)``, px.

    Args:
        picture: The whole picture ``(h, w, 3)``, uint8, BGR.
        area: Corners, around with the clock.
        size: Shorter and longer side of a card, px; None where nobody knows.
    """
    beyond = SPREAD * size[1] if size else 0.25 * float(np.ptp(area, axis=0).min())
    (left, top), (right, bottom) = (
        np.clip(end, 0, picture.shape[1::-1]).astype(int)
        for end in (area.min(0) - beyond, area.max(0) + beyond)
    )
    cut = np.ascontiguousarray(picture[top:bottom, left:right])
    if not cut.size:
        return []
    corner = np.array((left, top), np.float32)
    quads = {}
    for number, found in enumerate(find_cards(cut, size)):
        at = found.array() + corner
        x, y = (float(v) for v in at.mean(0))
        if cv2.pointPolygonTest(area.astype(np.float32), (x, y), False) >= 0:
            corners = tuple((float(a), float(b)) for a, b in at)
            quads[number] = Quad(corners, found.support)
    looks = look_at(picture, quads)
    return [
        LaidCard(quad, looks.get(number), ground_tone(_around(picture, quad.array())))
        for number, quad in quads.items()
    ]


def match_cards(
    before: Sequence[LaidCard],
    now: Sequence[LaidCard],
    still: Collection[int] = (),
) -> Matched:
    """Return which cards are the same: those that lie where they did come first.

    Where nothing has changed the cards of before lie *still*, by their number, and the
    frames that are found there are theirs: in another frame one looks less like itself
    than a card like it elsewhere does. They have neither stayed nor are they missing.
    """
    stayed: dict[int, int] = {}
    pairs = sorted(
        (float(np.linalg.norm(old.middle - new.middle)) / new.short_px, k, n)
        for k, old in enumerate(before)
        for n, new in enumerate(now)
    )
    taken = {n for off, k, n in pairs if off <= NEAR and k in still}
    for far in (NEAR, np.inf):
        for off, k, n in pairs:
            if off > far or k in stayed or k in still or n in taken:
                continue
            if looks_same(before[k], now[n]):
                stayed[k] = n
                taken.add(n)
    return Matched(
        stayed,
        tuple(n for n in range(len(now)) if n not in taken),
        tuple(k for k in range(len(before)) if k not in stayed and k not in still),
    )


def looks_same(old: LaidCard, new: LaidCard) -> bool:
    """Tell whether two cards that were seen whole look alike."""
    if old.look is None or new.look is None:
        return False
    return bool(look_difference(old.look, new.look) < SAME)


def has_turned(old: LaidCard, new: LaidCard) -> bool:
    """Tell whether a card lies a quarter turn from how it lay."""
    return bool(abs(float(old.along @ new.along)) < np.cos(np.pi / 4))


SLID = 0.06, 2.0
"""A card that looks as one before but lies so far from it, in its shorter side, or is
turned by so many degrees more has slid, or is another one on top of it. Of 1,336 cards
that lay untouched on traced tables 98 of 100 are found again within 0.005 to 0.046 of
their side, and 0.5 to 1.4 degrees, by the table."""

OTHER_FRAME = 0.05
"""Part by which a side may differ: more is the same card in another frame, as where its
rim runs into that of one beside it. First guess."""


def has_slid(old: LaidCard, new: LaidCard) -> bool:
    """Tell whether a card lies a little beside where one like it lay.

    Opposite sides then lie farther the same way: in another frame only one of them
    does, or both lie farther out.
    """
    along = old.along
    across = np.array((-along[1], along[0]), np.float32)
    slid_px = [_slid_px(old, new, way) for way in (along, across)]
    if float(np.linalg.norm(slid_px)) > SLID[0] * new.short_px:
        return True
    sizes = np.array([usual_size([one.quad]) for one in (old, new)])
    if np.abs(sizes[1] / sizes[0] - 1).max() > OTHER_FRAME:
        return False
    turn = float(np.degrees(np.arccos(min(1.0, abs(float(old.along @ new.along))))))
    return turn > SLID[1]


def _slid_px(old: LaidCard, new: LaidCard, way: Floats) -> float:
    """Return by how much both opposite sides of a card lie farther one way, px."""
    before, now = (np.dot(one.quad.array(), way) for one in (old, new))
    first, last = float(now.min() - before.min()), float(now.max() - before.max())
    return min(abs(first), abs(last)) if first * last > 0 else 0.0


def is_covered(
    card: LaidCard, others: Sequence[LaidCard], least: float = COVERED
) -> bool:
    """Tell whether another card lies on so large a part of where a card lay."""
    own = card.quad.array()
    part = least * float(cv2.contourArea(own))
    both = (cv2.intersectConvexConvex(one.quad.array(), own)[0] for one in others)
    return any(float(area) > part for area in both)


def shows_ground(picture: Picture, card: LaidCard, light: Floats | None = None) -> bool:
    """Tell whether bare ground is seen where a card lay, or was taken to lie.

    A card that was only not found, as a shadow crosses its rim, shows its print; a
    frame for a card on a mat shows none.

    Args:
        picture: ``(h, w, 3)``, uint8, BGR.
        card: As it lay.
        light: How the light has changed since, logarithms ``(3,)``: then a plain hand
            is no ground.
    """
    flat = _around(picture, card.quad.array())
    if not is_bare(flat):
        return False
    if light is None or card.ground is None:
        return True
    return bool(np.abs(middle_tone(flat) - card.ground - light).max() < OTHER_GROUND)


def _around(picture: Picture, corners: Floats) -> Floats:
    """Return a card's place as one flat cell, with a ring of ground around it."""
    middle = corners.mean(0)
    wide = middle + (corners - middle) * 1.35
    flat = flatten_rows(picture, cell_at(wide))
    assert flat.shape[0] == CELL_PX
    return flat


def cell_at(corners: Floats) -> Grid:
    """Return the one cell that is the place of a card ``(4, 2)``, px."""
    return Grid(tuple((float(x), float(y)) for x, y in corners), 1, 1)
