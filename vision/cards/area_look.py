"""How an area looked in which cards lie, and where it looks otherwise now.

Pure. An area is compared in cells as wide as a card, and the place of one card alone
where cells are shared.
"""

from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

import cv2
import numpy as np
from msgspec.structs import replace

from companion.table import BoxPx
from vision.arrays import Floats, Mask, Picture
from vision.cards.laid import OTHER_GROUND, LaidCard, cell_at
from vision.cards.rows import (
    CELL_PX,
    OTHER_COLOUR,
    changed_cells,
    flatten_rows,
    middle_tone,
)
from vision.cards.zones import Grid
from vision.ground.knock import move_points

BLOCKS = 12
"""Most cells that an area is compared in, along one side."""

DEFAULT_CELL = 0.05
"""Side of a cell as a part of the picture's width, while no card was seen: a card 34
mm wide on a table of 640 mm."""

BEYOND = 0.5
"""So much of a cell beyond the area is kept too: cards lie over its rim."""

WITHIN = (0.1, 0.3, 0.5, 0.7, 0.9)
"""Where cells are looked at, parts of their sides: a finger is no narrower."""

NEWS = 0.4
"""Part of the cells under a card that must have changed when it came. First guess."""

INNER, OUTER = 0.86, 1.06
"""A card's print within its rim, and what the edge of one on it blurs, parts of their
sides."""

STRIP = 0.03
"""Part of a card that must be seen beside the one on it. First guess."""

SAME_TONE, ALIKE = 0.25, 0.8
"""Logarithm up to which a smoothed pixel is the same, and so much of what is seen must
be."""

CLEARER = 0.1
"""So much more of the upper card must look like the lower one that lies there than like
what was there."""

COARSE_PX = 48
"""Longer side of a print when it is sought; where it is found it is refined."""

TURNS_DEG = (-6.0, -3.0, 0.0, 3.0, 6.0)
"""How crookedly people lay a card on one like it; what lies between is refined."""

PRINTED = 0.06
"""Least spread of the tones of what is seen, logarithms. First guess."""


class AreaLook(NamedTuple):
    """How an area looked.

    Attributes:
        grid: Its cells in the picture.
        flat: Their colours, side by side.
        part: The box about it and a little beyond, as it was in the picture.
        corner: Left and top of that box, px.
        seen: The corners of what of it was seen, ``(4, 2)``, px: since a knock its own
            lie beyond that.
    """

    grid: Grid
    flat: Floats
    part: Picture
    corner: tuple[int, int]
    seen: Floats

    def changed(self, picture: Picture) -> Mask:
        """Return which of its cells look otherwise in a picture, in any light."""
        return changed_cells(flatten_rows(picture, self.grid), self.flat)

    def count_unexplained(
        self, picture: Picture, cards: Sequence[LaidCard], news: Sequence[LaidCard]
    ) -> int:
        """Return how many cells look otherwise in a picture that no card explains."""
        return count_unexplained(self.grid, self.changed(picture), cards, news)

    def seen_in(self, box: BoxPx) -> Picture | None:
        """Return what was seen in a box within the area, None where nobody knows."""
        left, top, right, bottom = box
        ends = np.array([(left, top), (right, bottom), (left, bottom), (right, top)])
        if not self._has_seen(ends):
            return None
        x, y = self.corner
        return self.part[top - y : bottom - y, left - x : right - x]

    def _has_seen(self, points: Floats) -> bool:
        """Tell whether points of the picture ``(N, 2)``, px, were seen."""
        return all(
            cv2.pointPolygonTest(self.seen, (float(x), float(y)), True) >= -1
            for x, y in points
        )

    def light_change(self, picture: Picture, changed: Mask) -> Floats | None:
        """Return how its light has changed, logarithms of B, G, R ``(3,)``.

        Args:
            picture: ``(h, w, 3)``, uint8, BGR.
            changed: Which of its cells differ otherwise; None is returned where all do.
        """
        now = flatten_rows(picture, self.grid)
        shift = np.log(now + np.float32(10)) - np.log(self.flat + np.float32(10))
        same = np.kron(~changed, np.ones((CELL_PX, CELL_PX), np.bool_))
        if not same.any():
            return None
        return np.asarray(np.median(shift[same], axis=0), np.float32)

    def moved(self, knock: Floats) -> "AreaLook":
        """Return the same where a camera that was knocked sees it."""
        corners = move_points(np.array(self.grid.corners, np.float32), knock)
        around = tuple((float(x), float(y)) for x, y in corners)
        seen = move_points(self.seen, knock)
        left, top = (int(end) for end in np.floor(seen.min(0)))
        right, bottom = (int(end) for end in np.ceil(seen.max(0)))
        there, back = np.eye(3), np.eye(3)
        there[:2, 2], back[:2, 2] = self.corner, (-left, -top)
        way = back @ knock @ there
        size = right - left + 1, bottom - top + 1
        part = np.asarray(cv2.warpPerspective(self.part, way, size), np.uint8)
        grid = replace(self.grid, corners=around)
        return AreaLook(grid, self.flat, part, (left, top), seen)

    def is_as_before(
        self, picture: Picture, changed: Mask, card: LaidCard
    ) -> bool | None:
        """Tell whether the place of a card looks as it did: nothing came or went.

        None where nobody can tell: it lies beyond what was seen, or all cells differ,
        so that nothing says how the light has changed.

        Args:
            picture: ``(h, w, 3)``, uint8, BGR.
            changed: Which cells differ.
            card: Where to look.
        """
        corners = card.quad.array()
        there = corners - np.array(self.corner, np.float32)
        light = self.light_change(picture, changed)
        if light is None or not self._has_seen(corners):
            return None
        now, old = (
            flatten_rows(one, cell_at(at))
            for one, at in ((picture, corners), (self.part, there))
        )
        off = middle_tone(now) - middle_tone(old) - light
        # A cloud lights an area unevenly, but all its colours alike.
        is_toned = np.abs(off - off.mean()).max() > OTHER_COLOUR
        is_other = is_toned or np.abs(off).max() > OTHER_GROUND
        return bool(not is_other and not changed_cells(now, old).any())

    def looks_other(
        self, picture: Picture, changed: Mask, card: LaidCard
    ) -> bool | None:
        """Tell whether the place of a card looks otherwise; None where only cells do.

        Arguments as of `is_as_before`.
        """
        under = cells_under(card, self.grid)
        if not under.any() or float(changed[under].mean()) < NEWS:
            return False
        is_as_before = self.is_as_before(picture, changed, card)
        return None if is_as_before is None else not is_as_before

    def like_on(
        self, picture: Picture, changed: Mask, card: LaidCard, *, is_only: bool
    ) -> Floats | None:
        """Return the corners ``(4, 2)``, px, of one like a card that was laid on it.

        The print of the card is seen at another place then, and what is left of it
        beside that looks as before. A card that was pushed leaves something else where
        it was; of one that was only framed otherwise, the print is where it was. Nobody
        pushes one upside down either. None where nobody can tell.

        Args:
            picture: ``(h, w, 3)``, uint8, BGR.
            changed: Which cells differ; nothing is known where all do.
            card: As it lay when the area was believed.
            is_only: Whether none like it lies below it, which would be seen where it
                was taken away.
        """
        light, corners = self.light_change(picture, changed), card.quad.array()
        x, y = self.corner
        high, wide = self.part.shape[:2]
        now = picture[max(y, 0) : y + high, max(x, 0) : x + wide]
        if light is None or not self._has_seen(corners) or now.shape != self.part.shape:
            return None
        own = corners - np.array(self.corner, np.float32)
        before, after = _smooth_tones(self.part) + light, _smooth_tones(now)
        way = find_print(before.mean(2), after.mean(2), _scaled(own, INNER))
        if way is None:
            return None
        upper = cv2.transform(own[None], way)[0]
        top, lower = (_filled(_scaled(one, INNER), now) for one in (upper, own))
        laid = np.asarray(cv2.warpAffine(before, way, (wide, high)), np.float32)
        stays = _is_same(after, before)
        share = float(_is_same(after, laid)[top].mean())
        if share < max(ALIKE, float(stays[top].mean()) + CLEARER):
            return None
        strip = lower & ~_filled(_scaled(upper, OUTER), now)
        is_turned = is_only and way[0, 0] < 0
        if not is_turned and not _is_part_left(before, stays, strip, own):
            return None
        return np.asarray(upper + np.array(self.corner, np.float32), np.float32)


def _is_part_left(before: Floats, stays: Mask, strip: Mask, card: Floats) -> bool:
    """Tell whether enough of a card is seen beside another one, and as it was."""
    if strip.sum() < STRIP * cv2.contourArea(card):
        return False
    is_printed = before[strip].mean(1).std() >= PRINTED
    return bool(is_printed and stays[strip].mean() >= ALIKE)


def find_print(before: Floats, after: Floats, corners: Floats) -> Floats | None:
    """Return how a print has moved ``(2, 3)`` from one picture to another.

    It may lie upside down, no farther than it is long. None where nothing like it is
    seen.

    Args:
        before: Tones ``(h, w)``.
        after: The same, later.
        corners: Of the print in the first, ``(4, 2)``, px.
    """
    left, top, wide, high = cv2.boundingRect(corners)
    left, top, more = max(left, 0), max(top, 0), max(wide, high)
    pattern = before[top : top + high, left : left + wide]
    near_x, near_y = max(left - more, 0), max(top - more, 0)
    near = after[near_y : top + high + more, near_x : left + wide + more]
    high, wide = pattern.shape
    small = min(1.0, COARSE_PX / max(high, wide))
    half, way = _coarse_print(_resized(pattern, small), _resized(near, small))
    # Refined from a small turn only: the way of a half turn is found upright.
    found = np.ascontiguousarray(pattern[::-1, ::-1]) if half else pattern
    middle = np.array([(wide - 1) / 2, (high - 1) / 2])
    at = way[:, :2] @ (middle * small) + way[:, 2]
    way[:, 2] = at / small - way[:, :2] @ middle
    whole = np.ones(near.shape, np.uint8)
    steps = cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 30, 1e-4
    try:
        _, refined = cv2.findTransformECC(
            found, near, way, cv2.MOTION_EUCLIDEAN, steps, whole, 5
        )
    except cv2.error:
        # What it began from shows too little of the print.
        return None
    start = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1]])
    if half:
        start = np.array([[-1, 0, wide - 1], [0, -1, high - 1], [0, 0, 1]]) @ start
    moved = np.asarray(refined @ start, np.float32)
    moved[:, 2] += near_x, near_y
    return moved


def _coarse_print(pattern: Floats, near: Floats) -> tuple[bool, Floats]:
    """Return whether a print lies upside down where it fits best, and how it lies."""
    high, wide = pattern.shape
    middle = (wide - 1) / 2, (high - 1) / 2
    best, found, way = -1.0, False, np.zeros((2, 3), np.float32)
    for half, turn in product((False, True), TURNS_DEG):
        upright = np.ascontiguousarray(pattern[::-1, ::-1]) if half else pattern
        turning = cv2.getRotationMatrix2D(middle, turn, 1.0)
        turned = cv2.warpAffine(upright, turning, (wide, high))
        whole = cv2.warpAffine(np.ones_like(pattern), turning, (wide, high))
        score = cv2.matchTemplate(near, turned, cv2.TM_CCOEFF_NORMED, None, whole)
        score[~np.isfinite(score)] = -1
        _, most, _, (x, y) = cv2.minMaxLoc(score)
        if most > best:
            best, found = most, half
            shift = np.array([[0, 0, x], [0, 0, y]])
            way = np.asarray(turning + shift, np.float32)
    return found, way


def _resized(tones: Floats, factor: float) -> Floats:
    resized = cv2.resize(tones, None, None, factor, factor, cv2.INTER_AREA)
    return np.asarray(resized, np.float32)


def _scaled(corners: Floats, factor: float) -> Floats:
    middle = corners.mean(0)
    return np.asarray(middle + (corners - middle) * factor, np.float32)


def _filled(corners: Floats, part: Picture) -> Mask:
    """Return the pixels of a picture within corners."""
    mask = np.zeros(part.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.rint(corners).astype(np.int32), 1)
    return mask.astype(np.bool_)


def _smooth_tones(part: Picture) -> Floats:
    """Return logarithms of smoothed B, G, R ``(h, w, 3)``."""
    return np.asarray(np.log(cv2.blur(part, (3, 3)) + np.float32(10)), np.float32)


def _is_same(one: Floats, other: Floats) -> Mask:
    return np.asarray(np.abs(one - other).max(2) < SAME_TONE, np.bool_)


def look_at_area(picture: Picture, grid: Grid) -> AreaLook:
    """Return how an area looks in a picture ``(h, w, 3)``, uint8, BGR."""
    left, top, right, bottom = box_about(grid.corners)
    more = round(BEYOND * (right - left) / grid.columns)
    left, top = max(0, left - more), max(0, top - more)
    part = picture[top : bottom + more, left : right + more].copy()
    high, wide = part.shape[:2]
    ends = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    seen = ends + np.array((left, top), np.float32)
    return AreaLook(grid, flatten_rows(picture, grid).copy(), part, (left, top), seen)


def box_about(corners: Iterable[tuple[float, float]]) -> BoxPx:
    """Return the box about an area in the picture, px."""
    xs, ys = zip(*corners, strict=True)
    left, top = max(0, round(min(xs))), max(0, round(min(ys)))
    return left, top, round(max(xs)), round(max(ys))


def area_grid(area: Floats, cell_px: float) -> Grid:
    """Return the cells in which an area ``(4, 2)``, px, is compared with before."""
    wide, high = (float(np.linalg.norm(area[b] - area[a])) for a, b in ((0, 1), (0, 3)))
    columns, rows = (
        int(np.clip(round(side / cell_px), 1, BLOCKS)) for side in (wide, high)
    )
    corners = tuple((float(x), float(y)) for x, y in area)
    return Grid(corners, rows, columns)


def points_in_cells(
    cells: Mask, area: Grid, shape: tuple[int, ...]
) -> list[tuple[float, float]]:
    """Return points of some cells of an area, as parts of a picture of a *shape*."""
    rows, columns = cells.shape
    left_top, right_top, right_bottom, left_bottom = np.array(area.corners)
    found = []
    for (row, column), x, y in product(np.argwhere(cells), WITHIN, WITHIN):
        across, down = (column + x) / columns, (row + y) / rows
        top = left_top + across * (right_top - left_top)
        bottom = left_bottom + across * (right_bottom - left_bottom)
        at = (top + down * (bottom - top)) / shape[1::-1]
        found.append((float(at[0]), float(at[1])))
    return found


def count_unexplained(
    area: Grid,
    changed: Mask,
    cards: Sequence[LaidCard],
    news: Sequence[LaidCard],
) -> int:
    """Return how many cells have changed that no card lies on or lay on.

    Beside a card that came or went, one of *news*, colours seem changed, and its shadow
    falls; of one that stayed a figure's shadow may have come or gone.
    """
    under, fresh = np.zeros(changed.shape, np.bool_), np.zeros_like(changed)
    for card in cards:
        under |= cells_under(card, area)
    for card in news:
        fresh |= cells_under(card, area)
    around = cv2.dilate((changed & fresh).astype(np.uint8), np.ones((3, 3)))
    return int((changed & ~under & (around == 0)).sum())


def cells_under(card: LaidCard, area: Grid) -> Mask:
    """Return which cells of an area a card lies on, ``(rows, columns)``."""
    ends = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    ends *= np.array([area.columns, area.rows], np.float32)
    way = cv2.getPerspectiveTransform(np.array(area.corners, np.float32), ends)
    corners = cv2.perspectiveTransform(card.quad.array()[None], way)[0]
    (left, top), (right, bottom) = (
        np.floor(end).astype(int) for end in (corners.min(0), corners.max(0) - 1e-3)
    )
    under = np.zeros((area.rows, area.columns), np.bool_)
    under[max(top, 0) : max(bottom + 1, 0), max(left, 0) : max(right + 1, 0)] = True
    return under
