"""Find dice whose faces carry print, and read what lies on top.

A die looks the same from behind its middle: its outline, seen on the plane through its
middle, is even about that point whichever face lies up. So the outline gives where a
lone die lies, and its print is compared on the plane of its top about there, turned to
all sides. Dice that touch are sought wherever they may be within what they cover.
"""

from typing import NamedTuple

import cv2
import numpy as np

from companion.table import Piece
from vision.arrays import Floats, Mask
from vision.tabletop.plan import Thing
from vision.tabletop.prints import Name, PointMm, PrintBank, rank_names, sample_print
from vision.tabletop.surface import PX_PER_MM, Surface

LEAST, MOST = 0.4, 2.4
"""What a die covers of the plane through its middle, in squares of its width: leaning
cubes up to 1.9 with the blur around them, two that touch 2.8 and more; less than one
where a side has the colour of the tray."""

BESIDE_MM = (-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5)
"""Where the middle of a print is beside where the outline says."""

STEP_MM = 1.0

NEAR_MM = 4.5
"""Points so near to the middle of a die are within what it alone covers."""


class Lump(NamedTuple):
    """What one or more dice cover of a plane.

    *middle* and *points* are in mm from the first pixel; *points* is ``(N, 2)``.
    """

    middle: PointMm
    is_one: bool
    points: Floats


class DieTop(NamedTuple):
    """What lies on top of one die: names with their distances, the nearest first."""

    thing: Thing
    at: PointMm
    ranked: tuple[tuple[Name, float], ...]


def find_lumps(shown: Mask, thing: Thing) -> list[Lump]:
    """Return what is as large as a die or larger, in a window of a plane.

    Args:
        shown: ``(h, w)``: what differs from the ground, on the plane through the
            middle of the dice.
        thing: How large the dice are.
    """
    closed = cv2.morphologyEx(
        shown.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)
    )
    outlines, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    square = (thing.width_mm * PX_PER_MM) ** 2
    lumps = []
    for outline in outlines:
        hull = cv2.convexHull(outline)
        moments = cv2.moments(hull)
        if moments["m00"] < LEAST * square:
            continue
        middle = moments["m10"] / moments["m00"], moments["m01"] / moments["m00"]
        inside = np.zeros(closed.shape, np.uint8)
        cv2.fillConvexPoly(inside, hull, 1)
        rows, columns = np.nonzero(inside[:: round(STEP_MM), :: round(STEP_MM)])
        points = np.stack([columns, rows], -1) * round(STEP_MM) / PX_PER_MM
        lumps.append(
            Lump(
                (middle[0] / PX_PER_MM, middle[1] / PX_PER_MM),
                moments["m00"] < MOST * square,
                np.asarray(points, np.float32),
            )
        )
    return lumps


def read_cubes(
    taught: PrintBank,
    seen: Surface,
    shown: Mask,
    corner_mm: PointMm,
    things: list[Thing],
) -> list[DieTop]:
    """Return the dice of a tray, at most one of each kind.

    Args:
        taught: Prints of the faces.
        seen: The table.
        shown: As for `find_lumps`.
        corner_mm: Where the first pixel of *shown* is on the table.
        things: The dice that may lie there, all of one size.
    """
    points: list[PointMm] = []
    for lump in find_lumps(shown, things[0]):
        x, y = lump.middle[0] + corner_mm[0], lump.middle[1] + corner_mm[1]
        if lump.is_one:
            points += [(x + a, y + b) for a in BESIDE_MM for b in BESIDE_MM]
        else:
            points += [(x + corner_mm[0], y + corner_mm[1]) for x, y in lump.points]
    patches = [sample_print(seen, things[0], point) for point in points]
    found: list[DieTop] = []
    left = {thing.piece: thing for thing in things}
    free = list(range(len(points)))
    while left and free:
        top = _best(taught, left, [(points[n], patches[n]) for n in free])
        found.append(top)
        del left[top.thing.piece]
        away = 0.8 * top.thing.width_mm
        free = [n for n in free if _gap(points[n], top.at) > away]
    return found


def _best(
    taught: PrintBank, left: dict[Piece, Thing], shown: list[tuple[PointMm, Floats]]
) -> DieTop:
    """Return the die whose top fits best, of those not found yet."""
    ranked, which = rank_names(taught, [print_ for _, print_ in shown])
    name = next(name for name, _ in ranked if name[0] in left)
    at = shown[which[name]][0]
    # What else it may be is asked of this die alone, not of one that lies beside it.
    own, _ = rank_names(
        taught, [print_ for point, print_ in shown if _gap(point, at) < NEAR_MM]
    )
    return DieTop(
        left[name[0]], at, tuple((name, gap) for name, gap in own if name[0] in left)
    )


def _gap(one: PointMm, other: PointMm) -> float:
    return float(np.hypot(one[0] - other[0], one[1] - other[1]))
