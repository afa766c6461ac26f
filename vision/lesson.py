"""Find the one thing that somebody shows to the camera: what is new on a bare table.

Pure: a picture of the bare table and one of the same table with a thing on it go in.
A hand reaches in over the rim of the picture; a shadow is no thing.
"""

from collections.abc import Sequence
from enum import StrEnum

import cv2
import numpy as np
from msgspec import Struct

from companion.table import BoxPx
from vision.arrays import Mask, Picture
from vision.ground.clear_table import (
    MOVED,
    WIDE_PX,
    brighter_mask,
    new_thing_mask,
    shrink_to_compare,
)
from vision.ground.upper_side import find_upper_side, point_below, without_shadow

LEAST = 0.00025
"""Share of the picture that a thing covers at least: a die of 12 mm on 75 cm."""

MOST = 0.15
"""More is no die and no card but an arm, or a camera that was moved."""

MOST_SHIFT = 4
"""Pixels by which the box of a thing that lies still may differ: noise at its rim."""

SAME = 5.0
"""Mean grey values by which two shots differ at least when the thing was turned: two
pictures of a drawn die that lies still differ by 1 to 3, in dim light too."""

BESIDE = 0.2
"""A second patch smaller than this part of the first belongs to it: a glint, a rim of
its shadow."""


RIM = 1.0
"""Pixels by which what is new seems to reach beyond itself: pictures are blurred."""


FACETS = 0.92
"""Side of the box about a die of many facets, over the square root of what is seen of
it. First guess."""


class TableContent(StrEnum):
    """What lies on the table that was bare before."""

    ONE = "one"
    NOTHING = "nothing"
    SEVERAL = "several"
    HAND = "hand"  # or anything else that reaches in
    MOVED = "moved"  # nearly all differs: the camera stands elsewhere


class ShownThing(Struct, frozen=True):
    """The one new thing on the table, in pixels of the picture.

    Attributes:
        content: How much lies there.
        box: About the one thing and all that is seen of it.
        top: About its upper side, if it is a cube.
        facets: About what is seen of it, if it is a die of many facets.
    """

    content: TableContent
    box: BoxPx | None = None
    top: BoxPx | None = None
    facets: BoxPx | None = None


def find_shown_thing(bare: Picture, picture: Picture) -> ShownThing:
    """Return what lies in *picture* but not in *bare*.

    Both are ``(h, w, 3)``, uint8, BGR.
    """
    if bare.shape != picture.shape:
        return ShownThing(TableContent.MOVED)
    factor = min(1.0, WIDE_PX / picture.shape[1])
    before, now = shrink_to_compare(bare), shrink_to_compare(picture)
    mask = new_thing_mask(before, now)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
    area = mask.size
    patches = sorted(
        ((*stats[n], n) for n in range(1, count) if stats[n][4] >= LEAST * area),
        key=lambda one: -int(one[4]),
    )
    if not patches:
        return ShownThing(TableContent.NOTHING)
    if sum(int(one[4]) for one in patches) > MOVED * area:
        return ShownThing(TableContent.MOVED)
    if patches[0][4] > MOST * area or any(_at_rim(one, mask) for one in patches):
        return ShownThing(TableContent.HAND)
    if len(patches) > 1 and patches[1][4] > BESIDE * patches[0][4]:
        return ShownThing(TableContent.SEVERAL)
    left, top, wide, high = (float(value) for value in patches[0][:4])
    thing = labels == patches[0][5]
    thing = without_shadow(thing, brighter_mask(before, now))
    upper = find_upper_side(thing, point_below(mask.shape))
    y, x = (float(places.mean()) + 0.5 for places in np.nonzero(thing))
    return ShownThing(
        TableContent.ONE,
        _grown((left, top, left + wide, top + high), factor),
        _square(upper.x, upper.y, upper.side - 2 * RIM, factor),
        _square(x, y, FACETS * float(np.sqrt(thing.sum())), factor),
    )


def _square(x: float, y: float, side: float, factor: float) -> BoxPx:
    """Return a square of a small picture in the large one."""
    half = side / 2
    return _grown((x - half, y - half, x + half, y + half), factor)


def _grown(box: tuple[float, float, float, float], factor: float) -> BoxPx:
    """Return a box of a small picture in the large one."""
    left, top, right, bottom = (round(edge / factor) for edge in box)
    return max(0, left), max(0, top), right, bottom


def _at_rim(patch: Sequence[float], mask: Mask) -> bool:
    """Tell whether a patch touches the rim of the picture."""
    left, top, wide, high = (int(value) for value in patch[:4])
    rows, columns = mask.shape
    return left == 0 or top == 0 or left + wide >= columns or top + high >= rows


def is_unmoved(one: tuple[Picture, BoxPx], other: tuple[Picture, BoxPx]) -> bool:
    """Tell whether two pictures show the same thing in the same place and turn."""
    (before, box), (now, there) = one, other
    shift = max(abs(a - b) for a, b in zip(box, there, strict=True))
    if before.shape != now.shape or shift > MOST_SHIFT:
        return False
    left, top, right, bottom = there
    cuts = [
        np.asarray(cv2.blur(picture[top:bottom, left:right], (3, 3)), np.float32)
        for picture in (before, now)
    ]
    return float(np.abs(cuts[0] - cuts[1]).mean()) < SAME


def crop_with_margin(
    picture: Picture, box: BoxPx, margin: float
) -> tuple[Picture, BoxPx]:
    """Return a box with its surroundings, and where the box lies in them.

    *margin* is in sides of the box.
    """
    left, top, right, bottom = box
    more = max(2, round(margin * max(right - left, bottom - top)))
    x, y = max(0, left - more), max(0, top - more)
    cut = picture[y : bottom + more, x : right + more]
    return cut, (left - x, top - y, right - x, bottom - y)


def draw_frame(picture: Picture, shown: ShownThing) -> Picture:
    """Return a copy of a picture with a frame around the thing shown."""
    drawn = picture.copy()
    if shown.box is not None:
        left, top, right, bottom = shown.box
        thick = max(2, round(max(picture.shape[:2]) / 400))
        room = 4 * thick
        ends = (left - room, top - room), (right + room, bottom + room)
        cv2.rectangle(drawn, *ends, (20, 20, 20), 2 * thick)
        cv2.rectangle(drawn, *ends, (80, 230, 90), thick)
    return drawn
