"""Zones as people lay cards: grids, rows, fans and piles, proposed by where cards lie.

What a card shows is not read here, that is for reader.py: looks.py says which changed.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, TypeAlias

import cv2
import numpy as np
from msgspec import Struct

from vision.arrays import Floats
from vision.cards.quads import Quad, usual_size

Cell: TypeAlias = tuple[int, int]
"""Row and column of a grid, both from 0."""

_CONE = 0.6
"""Tangent of the angle within which a neighbour lies beside or below: tiles that were
laid by hand in `tiles_fixed_camera` are up to 25 degrees off."""

_LEAST_CARDS = 4
"""Cards that make a grid, two by two."""

_LEAST_FULL = 0.4
"""Part of a grid's cells that hold a card when it is proposed."""


_NEIGHBOURS = 0.7
"""Part of a card's sides by which it reaches out to its neighbours: gaps in
`tiles_fixed_camera` are up to 0.6 of a tile."""

_IN_LINE = 0.35
"""Part of a card's shorter side by which middles may lie beside the line of a row."""

_OVER = 0.05
"""Part of a card that another covers in a fan; cards in a row touch."""

ZoneKind: TypeAlias = Literal["grid", "row", "fan", "pile"]


class Zone(Struct, frozen=True):
    """Cards that lie together.

    Attributes:
        kind: How; of a pile only the top is seen.
        corners: Four points (x, y) of the area about them, px.
        cards: Their numbers; of a row and a fan along it, from the left or the top.
    """

    kind: ZoneKind
    corners: tuple[tuple[float, float], ...]
    cards: tuple[int, ...]


class Grid(Struct, frozen=True):
    """Cards laid in rows and columns.

    Attributes:
        corners: Four points (x, y) of the laid area, px, clockwise from the top left.
            They lie half a gap outside the outermost cards.
        rows: How many, from the top.
        columns: How many, from the left.
    """

    corners: tuple[tuple[float, float], ...]
    rows: int
    columns: int


def find_grid(cards: Sequence[Quad]) -> Grid | None:
    """Return the grid in which most of the cards of a picture lie, if they do.

    Cells may be empty, and cards a third of their size beside their place.
    """
    if len(cards) < _LEAST_CARDS:
        return None
    middles = np.array([card.array().mean(0) for card in cards], np.float32)
    right, down = _step(middles, 0), _step(middles, 1)
    if right is None or down is None:
        return None
    steps = np.stack([right, down], 1)
    places = _places(middles, steps)
    taken = {tuple(place) for place in places.tolist()}
    rows, columns = (int(n) + 1 for n in places.max(0))
    if len(taken) < len(cards) or len(taken) < _LEAST_FULL * rows * columns:
        return None
    if min(rows, columns) < 2:
        return None
    return Grid(_laid_area(places, middles, rows, columns), rows, columns)


def lay_out(cards: Sequence[Quad]) -> tuple[Zone, ...]:
    """Return the zones in which cards lie, each card in one, to be proposed."""
    outlines = np.array([card.array() for card in cards], np.float32).reshape(-1, 4, 2)
    zones = [
        zone
        for together in _groups(outlines)
        for zone in _zones_of(together, cards, outlines)
    ]
    return tuple(zones)


def _groups(outlines: Floats) -> list[list[int]]:
    """Return the numbers of cards that are neighbours, or neighbours of such."""
    middles = outlines.mean(1, keepdims=True)
    wide = middles + (outlines - middles) * np.float32(1 + 2 * _NEIGHBOURS)
    left, groups = list(range(len(outlines))), []
    while left:
        group = [left.pop(0)]
        for one in group:
            near = [i for i in left if _covered(wide[one], outlines[i]) > 0]
            group += near
            left = [i for i in left if i not in near]
        groups.append(sorted(group))
    return groups


def _covered(one: Floats, other: Floats) -> float:
    """Return the part of the second quad that the first covers."""
    both = cv2.intersectConvexConvex(one, other)[0]
    return float(both / max(cv2.contourArea(other), 1.0))


def _zones_of(
    together: list[int], cards: Sequence[Quad], outlines: Floats
) -> list[Zone]:
    """Return one zone of neighbours if they lie in order, else one for each card."""
    if len(together) > 1:
        if find_grid([cards[i] for i in together]):
            return [_zone("grid", together, outlines)]
        middles = outlines[together].mean(1)
        off = middles - middles.mean(0)
        along = np.linalg.svd(off, full_matrices=False)[2][0]
        along *= np.sign(along[np.abs(along).argmax()])
        order = [together[i] for i in np.argsort(off @ along)]
        over = [
            _covered(outlines[one], outlines[other]) > _OVER
            for one, other in pairwise(order)
        ]
        if all(over):
            return [_zone("fan", order, outlines)]
        beside = np.abs(off @ (-along[1], along[0])).max()
        short, _ = usual_size(cards[i] for i in together)
        if beside < _IN_LINE * short and not any(over):
            return [_zone("row", order, outlines)]
    return [_zone("pile", [i], outlines) for i in together]


def _zone(kind: ZoneKind, order: list[int], outlines: Floats) -> Zone:
    box = cv2.boxPoints(cv2.minAreaRect(outlines[order].reshape(-1, 2)))
    corners = tuple((round(float(x), 1), round(float(y), 1)) for x, y in box)
    return Zone(kind, corners, tuple(order))


def _step(middles: Floats, axis: int) -> Floats | None:
    """Return the usual way to the next card to the right, or below, ``(2,)``, px."""
    steps = []
    for middle in middles:
        ways = middles - middle
        ahead = ways[:, axis] > np.abs(ways[:, 1 - axis]) / _CONE
        if ahead.any():
            near = ways[ahead]
            steps.append(near[np.linalg.norm(near, axis=1).argmin()])
    if not steps:
        return None
    far = np.linalg.norm(steps, axis=1)
    # Beside a hole the next card is twice as far.
    near = np.array(steps)[far < 1.5 * np.quantile(far, 0.25)]
    return np.asarray(np.median(near, 0), np.float32)


def _places(middles: Floats, steps: Floats) -> Floats:
    """Return row and column of each card ``(N, 2)``, int, both from 0.

    From card to nearest card: along a whole row, laying by hand drifts.
    """
    at = (np.linalg.inv(steps) @ middles.T).T
    places = np.zeros((len(at), 2), np.int64)
    known, open_ = [0], list(range(1, len(at)))
    while open_:
        apart = np.abs(at[open_][:, None] - at[known][None]).sum(2)
        which, nearest = np.unravel_index(int(apart.argmin()), apart.shape)
        index, base = open_.pop(int(which)), known[int(nearest)]
        column, row = np.round(at[index] - at[base]).astype(np.int64)
        places[index] = places[base] + (row, column)
        known.append(index)
    return np.asarray(places - places.min(0))


def _laid_area(
    places: Floats, middles: Floats, rows: int, columns: int
) -> tuple[tuple[float, float], ...]:
    """Return the corners of the area that best fits all cards, px."""
    across = places[:, ::-1] + 0.5
    terms = np.column_stack([across, across[:, 0] * across[:, 1], np.ones(len(across))])
    fit, *_ = np.linalg.lstsq(terms, middles, rcond=None)
    ends = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float64)
    corners = np.column_stack([ends, ends[:, 0] * ends[:, 1], np.ones(4)]) @ fit
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in corners)


def grid_between(
    corner_cards: Sequence[tuple[float, float]], rows: int, columns: int
) -> Grid:
    """Return the grid of which the middles of the four cards at its corners are known.

    *corner_cards* are (x, y) px, clockwise from the top left.
    """
    last_x, last_y = columns - 1.0, rows - 1.0
    ends = np.array([(0, 0), (last_x, 0), (last_x, last_y), (0, last_y)], np.float32)
    seen = np.array(corner_cards, np.float32)
    outer = ends + np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float32) / 2
    to_picture = cv2.getPerspectiveTransform(ends, seen)
    corners = cv2.perspectiveTransform(outer[None], to_picture)[0]
    return Grid(tuple((float(x), float(y)) for x, y in corners), rows, columns)


def cells(grid: Grid) -> Floats:
    """Return the corners of each cell ``(rows, columns, 4, 2)``, float32, px."""
    area = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    area *= np.array([grid.columns, grid.rows], np.float32)
    to_picture = cv2.getPerspectiveTransform(area, np.array(grid.corners, np.float32))
    down, across = np.mgrid[0 : grid.rows + 1, 0 : grid.columns + 1].astype(np.float32)
    points = np.stack([across, down], -1).reshape(-1, 1, 2)
    knots = cv2.perspectiveTransform(points, to_picture).reshape(*down.shape, 2)
    return np.asarray(
        np.stack(
            [knots[:-1, :-1], knots[:-1, 1:], knots[1:, 1:], knots[1:, :-1]], axis=2
        ),
        np.float32,
    )


def cards_in_cells(grid: Grid, cards: Sequence[Quad]) -> dict[Cell, Quad]:
    """Return the card that lies in each cell (row, column), both from 0.

    Of several the one that lies nearest to the middle; empty cells are left out.
    """
    places = cells(grid)
    middles = places.mean(2)
    sides = np.linalg.norm(places[:, :, 0] - places[:, :, 2], axis=-1)
    nearest: dict[Cell, tuple[float, Quad]] = {}
    for card in cards:
        far = np.linalg.norm(middles - card.array().mean(0), axis=-1) / sides
        row, column = np.unravel_index(int(far.argmin()), far.shape)
        cell, off = (int(row), int(column)), float(far[row, column])
        if off < 0.5 and off < nearest.get(cell, (off + 1, card))[0]:
            nearest[cell] = (off, card)
    return {cell: card for cell, (_, card) in sorted(nearest.items())}
