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
