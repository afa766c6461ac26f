"""Cards that are laid in rows: where each one is, and which look otherwise than before.

Pure. Nothing is recognised here: two pictures of the same rows are compared cell by
cell, with light taken out, so that only what was turned, taken or laid down is read.
"""

import cv2
import numpy as np

from vision.arrays import Floats, Mask, Picture
from vision.cards.outlines import CardSize
from vision.cards.quads import Quad, find_cards
from vision.cards.zones import Cell, Grid, cells

CELL_PX = 48
"""Side of a cell in the flat picture: of a card 30 mm wide 22 pixels, enough to tell
that something changed; what it is now is read in the whole picture."""

_SHIFT_PX = 2
"""A card may have been nudged so far, and the corners are tapped no better."""

ALIKE = 0.7
"""Correlation of a cell's fine structure with itself before, below which it changed."""

PLAIN = 0.07
"""Spread of fine structure, as a logarithm, up to which the middle of a cell has no
print: cards of the drawn table have 0.20 and more in six lights; frames printed on its
mat 0.044, most of it noise of the dim one."""

FAINTER = 0.5
"""A cell has changed whose structure has become fainter, or bolder, than by this."""

WHOLE, MIDDLE = slice(None), slice(CELL_PX // 3, -(CELL_PX // 3))
"""Parts of a cell: its middle lies on the card even where corners were tapped askew."""

OTHER_COLOUR = 0.12
"""Logarithm by which the colour of a cell differs from what all others say of the light
when something else lies there."""


def flatten_rows(picture: Picture, grid: Grid) -> Floats:
    """Return the cells side by side, `CELL_PX` each, ``(H, W, 3)``, float32, BGR.

    What lies beyond the picture is taken to go on as at its rim.
    """
    wide, high = grid.columns * CELL_PX, grid.rows * CELL_PX
    way = _to_flat(grid)
    flat = cv2.warpPerspective(
        picture, way, (wide, high), None, cv2.INTER_AREA, cv2.BORDER_REPLICATE
    )
    return np.asarray(flat, np.float32)


def _to_flat(grid: Grid) -> Floats:
    """Return what takes points of a picture to the flat one, ``(3, 3)``."""
    wide, high = grid.columns * CELL_PX, grid.rows * CELL_PX
    # Pixels are counted by their middles.
    ends = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32) - 0.5
    corners = np.array(grid.corners, np.float32)
    return np.asarray(cv2.getPerspectiveTransform(corners, ends), np.float64)


def in_picture(shape: tuple[int, ...], grid: Grid) -> Mask:
    """Return which pixels of flat cells a picture of a *shape* has, ``(H, W)``."""
    high, wide = shape[:2]
    corners = np.array(grid.corners)
    if (corners >= 0).all() and (corners <= (wide - 1, high - 1)).all():
        return np.ones((grid.rows * CELL_PX, grid.columns * CELL_PX), np.bool_)
    columns, rows = (
        np.arange(count * CELL_PX, dtype=np.float32)
        for count in (grid.columns, grid.rows)
    )
    flat = np.stack(np.meshgrid(columns, rows), -1).reshape(1, -1, 2)
    at = cv2.perspectiveTransform(flat, np.linalg.inv(_to_flat(grid)))[0]
    there = (at >= 0).all(1) & (at[:, 0] <= wide - 1) & (at[:, 1] <= high - 1)
    return np.asarray(there.reshape(len(rows), len(columns)), np.bool_)


def as_before(now: Floats, before: Floats, seen: Mask) -> Floats:
    """Return a flat cell with what is not *seen* of it as before, in the light of now.

    All are of one size: ``(h, w, 3)`` and ``(h, w)``.
    """
    if not seen.any():
        return before
    shift = np.log(now[seen] + np.float32(10)) - np.log(before[seen] + np.float32(10))
    light = np.exp(np.median(shift, axis=0))
    lit = (before + np.float32(10)) * light - np.float32(10)
    return np.asarray(np.where(seen[..., None], now, lit), np.float32)


def changed_cells(now: Floats, before: Floats) -> Mask:
    """Return which cells of two flat pictures differ, ``(rows, columns)``.

    A shadow or another lamp changes brightness and colour of all that lies in it alike,
    and leaves its fine structure.
    """
    new, old = (np.log(flat + np.float32(10)) for flat in (now, before))
    rows, columns = now.shape[0] // CELL_PX, now.shape[1] // CELL_PX
    unlike = np.zeros((rows, columns), np.bool_)
    hues = np.zeros((rows, columns, 2), np.float32)
    fine_new, fine_old = _fine(new.mean(-1)), _fine(old.mean(-1))
    for row in range(rows):
        for column in range(columns):
            cell = cell_of(row, column)
            unlike[row, column] = _has_changed(fine_new[cell], fine_old[cell])
            shift = (new[cell] - old[cell])[MIDDLE, MIDDLE].reshape(-1, 3)
            hues[row, column] = np.median(shift[:, [0, 2]] - shift[:, [1]], axis=0)
    tinted = np.abs(hues - _light_of(hues)).max(-1) > OTHER_COLOUR
    return np.asarray(unlike | tinted, np.bool_)


def cell_shifts(now: Floats, before: Floats) -> Floats:
    """Return by how much the middle of each cell is lit otherwise.

    Logarithms of B, G, R, ``(rows, columns, 3)``.
    """
    new, old = (np.log(flat + np.float32(10)) for flat in (now, before))
    rows, columns = now.shape[0] // CELL_PX, now.shape[1] // CELL_PX
    shifts = np.zeros((rows, columns, 3), np.float32)
    for row in range(rows):
        for column in range(columns):
            cell = cell_of(row, column)
            shift = (new[cell] - old[cell])[MIDDLE, MIDDLE].reshape(-1, 3)
            shifts[row, column] = np.median(shift, axis=0)
    return shifts


def cell_of(row: int, column: int) -> tuple[slice, slice]:
    """Return where a cell is in the flat picture."""
    return (
        slice(row * CELL_PX, (row + 1) * CELL_PX),
        slice(column * CELL_PX, (column + 1) * CELL_PX),
    )


def _fine(tones: Floats) -> Floats:
    """Return tones ``(H, W)`` less their wide mean, which is the light's."""
    wide = cv2.GaussianBlur(tones, (0, 0), CELL_PX / 6)
    return np.asarray(tones - wide, np.float32)


def _has_changed(new: Floats, old: Floats) -> bool:
    """Tell whether fine structure is another, in a cell or in its middle.

    Two cards of one size have their rims in common, and with a frame on a mat too.
    """
    return any(_is_other(new[part, part], old[part, part]) for part in (WHOLE, MIDDLE))


def _is_other(new: Floats, old: Floats) -> bool:
    low, high = sorted((float(new.std()), float(old.std())))
    if high < PLAIN:
        return False
    return low < FAINTER * high or _likeness(new, old) < ALIKE


def _light_of(hues: Floats) -> Floats:
    """Return how the light changed the colours of all cells: evenly across the rows."""
    rows, columns = hues.shape[:2]
    y, x = np.mgrid[0:rows, 0:columns].astype(np.float32)
    terms = np.column_stack([np.ones(rows * columns), x.ravel(), y.ravel()])
    flat = hues.reshape(-1, 2)
    light = np.tile(np.median(flat, axis=0), (len(flat), 1))
    for _ in range(3):
        kept = np.abs(flat - light).max(1) < OTHER_COLOUR
        if kept.sum() < len(terms) / 3:
            break
        fit, *_ = np.linalg.lstsq(terms[kept], flat[kept], rcond=None)
        light = terms @ fit
    return np.asarray(light.reshape(hues.shape), np.float32)


_RING_PX = 5
"""Width of the band at the rim of a cell where ground shows between cards."""

_RING = np.ones((CELL_PX, CELL_PX), np.bool_)
_RING[_RING_PX:-_RING_PX, _RING_PX:-_RING_PX] = False

BARE = 0.15, 2.0
"""A cell is bare where its middle is no farther from the ground around it than this,
as a logarithm in each channel, and its structure at most so many times the ground's."""


def middle_tone(cell: Floats) -> Floats:
    """Return the colour of a flat cell's middle, logarithms of B, G, R ``(3,)``."""
    inner = cell[MIDDLE, MIDDLE].reshape(-1, 3)
    return np.asarray(np.median(np.log(inner + np.float32(10)), 0), np.float32)


def ground_tone(cell: Floats) -> Floats:
    """Return the colour at a flat cell's rim, logarithms of B, G, R ``(3,)``."""
    rim = np.log(cell[_RING] + np.float32(10))
    return np.asarray(np.median(rim, 0), np.float32)


def is_bare(cell: Floats) -> bool:
    """Tell whether a flat cell ``(CELL_PX, CELL_PX, 3)`` shows ground alone.

    Ground may have a frame printed on it for a card.
    """
    fine = _fine(np.log(cell + np.float32(10)).mean(-1))
    off = np.abs(middle_tone(cell) - ground_tone(cell)).max()
    rough, around = fine[MIDDLE, MIDDLE].std(), fine[_RING].std()
    return bool(rough < PLAIN or (off < BARE[0] and rough < BARE[1] * around))


def _likeness(new: Floats, old: Floats) -> float:
    """Return how well fine structure correlates where it fits best, nudged a little."""
    inner = old[_SHIFT_PX:-_SHIFT_PX, _SHIFT_PX:-_SHIFT_PX]
    like = cv2.matchTemplate(new, np.ascontiguousarray(inner), cv2.TM_CCOEFF_NORMED)
    return float(like.max())


COVERED = 0.02, 0.35
"""Shares of a cell that something covers which lies on the card in it, least and most:
a token of 20 mm on a cell of 64 x 51 mm has 0.1, on cards that touch 0.25."""

_CHANGED = 0.18
"""Logarithm of brightness or colour by which something that lies on a card differs."""


def lies_on(now: Floats, before: Floats) -> bool:
    """Tell whether something small has come to lie on an unchanged card.

    Both are flat cells ``(CELL_PX, CELL_PX, 3)``.
    """
    new, old = (np.log(flat + np.float32(10)) for flat in (now, before))
    off = new - old
    off -= np.median(off.reshape(-1, 3), axis=0)
    mask = (np.abs(cv2.blur(off, (3, 3))).max(-1) > _CHANGED).astype(np.uint8)
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((4, 4), np.uint8))
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8))
    stats = cv2.connectedComponentsWithStats(mask)[2]
    areas = stats[1:, cv2.CC_STAT_AREA] / mask.size
    if not len(areas) or not COVERED[0] < areas.max() < COVERED[1]:
        return False
    wide, high, area = stats[1 + int(areas.argmax()), 2:5]
    round_ = area > 0.6 * wide * high and 0.6 < wide / high < 1.67
    return bool(round_ and areas.sum() - areas.max() < 0.02)


NEAR = 0.3
"""A card lies in a cell if its middle is no farther from the cell's than this, in sides
of the cell."""

AROUND = 0.65
"""So far from its middle a cell is searched, in its sides: cards lie over its rim."""


def card_in_cell(picture: Picture, grid: Grid, at: Cell, card: CardSize) -> Quad | None:
    """Return the card in a cell, None where none is found.

    Args:
        picture: The whole picture ``(h, w, 3)``, uint8, BGR.
        grid: Where cards lie.
        at: Row and column of the cell, from 0.
        card: Shorter and longer side of a card, px.
    """
    outline = cells(grid)[at]
    middle, side = outline.mean(0), np.ptp(outline, axis=0)
    (left, top), (right, bottom) = (
        np.clip(middle + way * AROUND * side, 0, picture.shape[1::-1]).astype(int)
        for way in (-1, 1)
    )
    cut = np.ascontiguousarray(picture[top:bottom, left:right])
    corner = np.array((left, top), np.float32)
    found = [(quad.array() + corner, quad.support) for quad in find_cards(cut, card)]
    off, quad = min(
        (
            (float(np.abs((corners.mean(0) - middle) / side).max()),
             Quad(tuple((float(x), float(y)) for x, y in corners), support))
            for corners, support in found
        ),
        key=lambda one: one[0],
        default=(1.0, None),
    )  # fmt: skip
    return quad if off < NEAR else None
