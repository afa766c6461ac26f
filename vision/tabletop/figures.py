"""Which figure stands where, and which gems lie where: by their tops alone."""

from typing import NamedTuple

import cv2
import numpy as np

from companion.table import Piece, SurePiece
from vision.arrays import Floats, Mask
from vision.tabletop.plan import FIGURE, GEM, Plan, Spot, Thing
from vision.tabletop.surface import (
    PX_PER_MM,
    Surface,
    box_about_thing,
    foreground_mask,
    window_of_spot,
)
from vision.tabletop.tops import FAR, TaughtTop, cost_map, measure_tops

NEAR = 0.6
"""A top is sure when its cost is below this part of half the way to the next like one:
within half the way nothing else can be nearer."""

MOST_COST = 34.0
"""Grey values beyond which no taught top is meant, however far all others are. True
tops cost 3 to 14 in the six lights of the drawn table."""

MAYBE = 1.15
"""A figure is not there at all when its top costs more than this many times what would
be sure. True tops of Dragorun cost up to 0.5 of that in the six lights; the side of
another figure mixed with the ground beside it looks like one that is not on the table
yet at 1.25 and more."""

RIVAL = 0.72
"""The best spot must cost less than this part of the next best one."""

BORDER_MM = 2.0
"""Nearer than this to the border of two places, nobody should guess; positions are good
to 1 mm."""

SURE, UNSURE = 0.985, 0.6


class StandingPiece(NamedTuple):
    """A piece and where it stands."""

    thing: Thing
    x_mm: float
    y_mm: float


class FoundTops(NamedTuple):
    """Figures and gems found by their tops, and where each stands."""

    found: list[SurePiece]
    standing: list[StandingPiece]


def read_tops(
    plan: Plan, tops: tuple[TaughtTop, ...], seen: Surface, bare: Surface
) -> FoundTops:
    """Return the figures and gems of a table."""
    read = FoundTops([], [])
    kinds = {thing.piece: thing for thing in plan.things}
    known = [top for top in tops if top.piece in kinds]
    for width, tall in {
        (kinds[top.piece].width_mm, kinds[top.piece].tall_mm) for top in known
    }:
        alike = [
            top
            for top in known
            if (kinds[top.piece].width_mm, kinds[top.piece].tall_mm) == (width, tall)
        ]
        shown = foreground_mask(seen, bare, tall)
        measured = measure_tops(seen, kinds[alike[0].piece], shown)
        maps = {top.piece: cost_map(measured, top, shown) for top in alike}
        for top in alike:
            limit = _limit(top, known)
            if kinds[top.piece].shape is FIGURE:
                _find_figure(plan, kinds[top.piece], maps, limit, seen, read)
            elif kinds[top.piece].shape is GEM:
                _find_gems(plan, kinds[top.piece], maps[top.piece], limit, seen, read)
    return read


def _limit(top: TaughtTop, known: list[TaughtTop]) -> float:
    """Return the cost below which a top can be nothing else."""
    gaps = [
        float(np.sqrt(((top.colours - other.colours) ** 2).mean()))
        for other in known
        if other.piece != top.piece
    ]
    return min(MOST_COST, NEAR * min(gaps, default=1e3))


def _find_figure(
    plan: Plan,
    thing: Thing,
    maps: dict[Piece, Floats],
    limit: float,
    seen: Surface,
    read: FoundTops,
) -> None:
    """Add where a figure stands, if anywhere."""
    spots = plan.spots_of(thing.piece)
    own = maps[thing.piece]
    cost = np.where(_allowed_mask(own.shape, spots), own, np.float32(FAR))
    row, column = np.unravel_index(int(cost.argmin()), cost.shape)
    best = float(cost[row, column])
    if best > MAYBE * limit:
        return
    x_mm, y_mm = float(column) / PX_PER_MM, float(row) / PX_PER_MM
    inside = sorted(
        ((spot.depth_mm(x_mm, y_mm), spot.place) for spot in spots), reverse=True
    )
    elsewhere = [depth for depth, place in inside if place != inside[0][1]]
    border = inside[0][0] < -BORDER_MM or (
        bool(elsewhere) and elsewhere[0] > -BORDER_MM
    )
    rival = best > RIVAL * _next_best(cost, int(row), int(column), thing)
    other = min(
        (
            float(map_[row, column])
            for name, map_ in maps.items()
            if name != thing.piece
        ),
        default=1e3,
    )
    sure = best < limit and not border and not rival and best < RIVAL * other
    box = box_about_thing(seen.pose, thing, x_mm, y_mm)
    confidence = SURE if sure else UNSURE
    read.found.append(SurePiece(thing.piece, None, inside[0][1], confidence, box))
    read.standing.append(StandingPiece(thing, x_mm, y_mm))


def _allowed_mask(shape: tuple[int, ...], spots: tuple[Spot, ...]) -> Mask:
    mask = np.zeros(shape, np.bool_)
    for spot in spots:
        mask[window_of_spot(spot, 4.0)] = True
    return mask


def _next_best(cost: Floats, row: int, column: int, thing: Thing) -> float:
    """Return the least cost away from a spot: a second thing of the same looks."""
    rest = cost.copy()
    reach = round(thing.width_mm * PX_PER_MM)
    cv2.circle(rest, (column, row), reach, FAR, -1)
    return float(rest.min())


def _find_gems(
    plan: Plan, thing: Thing, cost: Floats, limit: float, seen: Surface, read: FoundTops
) -> None:
    """Add each spot of a gem where one lies; at most one lies on a spot."""
    for spot in plan.spots_of(thing.piece):
        rows, columns = window_of_spot(spot)
        part = cost[rows, columns]
        row, column = np.unravel_index(int(part.argmin()), part.shape)
        best = float(part[row, column])
        if best > 1.5 * limit:
            continue
        x_mm = (float(column) + columns.start) / PX_PER_MM
        y_mm = (float(row) + rows.start) / PX_PER_MM
        box = box_about_thing(seen.pose, thing, x_mm, y_mm)
        confidence = SURE if best < limit else UNSURE
        read.found.append(SurePiece(thing.piece, None, spot.place, confidence, box))
        read.standing.append(StandingPiece(thing, x_mm, y_mm))
