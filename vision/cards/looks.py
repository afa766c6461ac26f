"""Whether cards look the same in two pictures, whatever the light and who they are.

A look is a card straightened where it lies now, so a card may slide and turn. Two looks
are compared by what is printed, not by brightness: lamps, shadows and their edges are
no print. Nothing needs to be taught. It tells a card that was turned or changed for
another from one that stayed; cards that differ by a sign only are told by reader.py.
"""

from collections.abc import Mapping
from typing import TypeVar

import cv2
import numpy as np

from vision.arrays import Floats, Picture
from vision.cards.quads import Quad
from vision.cards.raster import even_light, rectify_card, to_tones

_ROWS_PX = 48
"""Rows and columns of a look before its rim is left out."""

_RIM_PX = 3

_MOVES_PX = (-2, 0, 2)
"""Moves that are tried, as corners are found to a pixel or two."""

_WIDE_PX = 13
"""Side of the square whose median is no print: a quarter of a card."""

_PLAIN = 0.06
"""Tone that counts as print at least: two pictures of bare wood in
`tiles_fixed_camera` differ by 0.02 to 0.04."""

SAME = 0.8
"""Difference below which two looks are of one thing. In the first eight pictures of
each deck of `tiles_fixed_camera` tiles that stayed have at most 0.42, under a drawn
shadow 0.44, and turned ones at least 1.19."""

_LEVELS = 60.0
"""Levels of grey per tone, so that medians can be taken of whole numbers."""

_WHOLE = 0.75
"""Part of its outline that must be an edge: the least of 1,148 tiles of
`tiles_fixed_camera` has 0.98; one that a drawn hand half hid had 0.72."""

K = TypeVar("K")


def look_at(picture: Picture, cards: Mapping[K, Quad]) -> dict[K, Floats]:
    """Return how cards look, tones ``(h, w, 3)``, float32, in even light.

    *picture* is ``(H, W, 3)``, uint8, BGR. A card is left out if part of its rim is
    hidden: nobody knows how much of its face is.
    """
    return {
        place: _look(picture, card)
        for place, card in cards.items()
        if card.support > _WHOLE
    }


def _look(picture: Picture, card: Quad) -> Floats:
    corners = card.array()
    first = int(corners.sum(1).argmin())
    straight = rectify_card(picture, np.roll(corners, -first, 0), (_ROWS_PX, _ROWS_PX))
    inner = slice(_RIM_PX, -_RIM_PX)
    return even_light(to_tones(straight))[inner, inner]


def look_difference(before: Floats, now: Floats) -> float:
    """Return how unlike two looks are: 0 for the same, about 2 for two pictures.

    A card may have been turned by any quarter.
    """
    best = _difference(before, now)
    for turns in (2, 1, 3):
        if best < SAME:
            break
        best = min(best, _difference(before, np.rot90(now, turns)))
    return best


def _difference(before: Floats, now: Floats) -> float:
    most = max(_MOVES_PX)
    height, width = before.shape[:2]
    old = np.ascontiguousarray(before[most : height - most, most : width - most])
    ink = (_print(old) ** 2).mean()
    best = np.inf
    for down in _MOVES_PX:
        for across in _MOVES_PX:
            new = np.ascontiguousarray(
                now[
                    most + down : height - most + down,
                    most + across : width - most + across,
                ]
            )
            off = (_print(new - old) ** 2).mean()
            own = (ink + (_print(new) ** 2).mean()) / 2
            best = min(best, float(off / (own + _PLAIN**2)))
    return best


def _print(tones: Floats) -> Floats:
    """Return tones without what is wide: light, tint, and both sides of a shadow."""
    levels = np.clip(tones * _LEVELS + 128, 0, 255).astype(np.uint8)
    wide = cv2.medianBlur(levels, _WIDE_PX).astype(np.float32)
    return np.asarray(tones - (wide - 128) / _LEVELS, np.float32)


def changed(before: Mapping[K, Floats], now: Mapping[K, Floats]) -> set[K]:
    """Return the places that show something else than before.

    Places at which a card is missing in either are left out: it went, it came, or a
    hand is over it.
    """
    return {
        place
        for place in before.keys() & now.keys()
        if look_difference(before[place], now[place]) >= SAME
    }


def commonest(looks: Mapping[K, Floats]) -> set[K]:
    """Return the places that show what most show: face down, the back.

    Empty if no two are alike.
    """
    groups: list[set[K]] = []
    for place, look in looks.items():
        for group in groups:
            if look_difference(looks[next(iter(group))], look) < SAME:
                group.add(place)
                break
        else:
            groups.append({place})
    largest = max(groups, key=len, default=set())
    return largest if len(largest) > 1 else set()
