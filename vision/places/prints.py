"""Tell round flat pieces apart by what is printed on them, however they are turned.

Every taught shot is turned to 48 angles beforehand, so that comparing a piece with all
of them is one product of matrices.
"""

from typing import TypeAlias

import cv2
import numpy as np
from msgspec import Struct

from companion.table import Face, Piece
from vision.arrays import Floats
from vision.places.surface import Surface
from vision.plan import Thing

SIDE_PX = 32
"""Width of a piece in the raster that is compared: a digit is then 14 pixels tall."""

TURNS = 48

_COLOUR = 0.6
"""Weight of colour beside print: two metals with the same number differ in it alone."""

_SHIFTS_MM = np.linspace(-1.0, 1.0, 5)
"""Where a piece's middle may be beside where its outline says."""

Name: TypeAlias = tuple[Piece, Face | None]
Ranked: TypeAlias = list[tuple[Name, float]]
PointMm: TypeAlias = tuple[float, float]


_y, _x = np.mgrid[-1 : 1 : SIDE_PX * 1j, -1 : 1 : SIDE_PX * 1j]
_INSIDE = (_x * _x + _y * _y) < 0.92


class Bank(Struct, frozen=True):
    """Taught prints.

    Attributes:
        names: ``N`` pieces and faces, one a row.
        rows: ``(N, D)`` descriptors, one for each shot and turn.
        apart: Of each name, distance to the nearest other name.
        spread: Largest distance of two shots of one name, 0 with single shots.
    """

    names: tuple[Name, ...]
    rows: Floats
    apart: dict[str, float]
    spread: float


def describe(patch: Floats) -> Floats:
    """Return the descriptor ``(D,)`` of a patch ``(SIDE_PX, SIDE_PX, 3)``, 0 to 255."""
    pixels = patch[_INSIDE]
    grey = pixels.mean(1)
    print_ = (grey - grey.mean()) / max(float(grey.std()), 12.0)
    colour = pixels.mean(0) / 40.0
    share = np.sqrt(len(pixels))
    return np.concatenate([print_ / share, colour * _COLOUR]).astype(np.float32)


def bank(shots: dict[Name, list[Floats]]) -> Bank:
    """Return what patches ``(SIDE_PX, SIDE_PX, 3)`` of each name teach."""
    names, rows = [], []
    for name, patches in shots.items():
        for patch in patches:
            for turn in range(TURNS):
                names.append(name)
                rows.append(describe(_turned(patch, turn * 360 / TURNS)))
    table = np.array(rows, np.float32)
    labels = np.array([str(name) for name in names])
    apart, spread = {}, 0.0
    for name, patches in shots.items():
        own = labels == str(name)
        upright = np.array([describe(patch) for patch in patches])
        gaps = _distances(upright, table)
        others = gaps[:, ~own]
        apart[str(name)] = float(others.min()) if others.size else 4.0
        for index, row in enumerate(gaps):
            # Turns of the same shot come in blocks of TURNS.
            rest = np.delete(row[own], slice(index * TURNS, (index + 1) * TURNS))
            if rest.size:
                spread = max(spread, float(rest.min()))
    return Bank(tuple(names), table, apart, spread)


def _turned(patch: Floats, degrees: float) -> Floats:
    middle = ((SIDE_PX - 1) / 2, (SIDE_PX - 1) / 2)
    turn = cv2.getRotationMatrix2D(middle, degrees, 1.0)
    size = (SIDE_PX, SIDE_PX)
    mode = cv2.BORDER_REPLICATE
    return np.asarray(cv2.warpAffine(patch, turn, size, borderMode=mode), np.float32)


def _distances(some: Floats, others: Floats) -> Floats:
    square = (some**2).sum(1)[:, None] + (others**2).sum(1)[None]
    gaps = np.sqrt(np.maximum(square - 2 * some @ others.T, 0))
    return np.asarray(gaps, np.float32)


def rank(taught: Bank, seen: Surface, thing: Thing, at: PointMm) -> Ranked:
    """Return each name with its distance, the nearest first.

    Args:
        taught: The prints.
        seen: The table.
        thing: How wide and tall the piece is.
        at: Its middle (x, y) in mm, good to a millimetre.
    """
    found = np.array(
        [
            describe(patch(seen, thing, (at[0] + float(x), at[1] + float(y))))
            for x in _SHIFTS_MM
            for y in _SHIFTS_MM
        ]
    )
    best = _distances(found, taught.rows).min(0)
    nearest: dict[Name, float] = {}
    for name, gap in zip(taught.names, best, strict=True):
        nearest[name] = min(nearest.get(name, np.inf), float(gap))
    return sorted(nearest.items(), key=lambda pair: pair[1])


def patch(seen: Surface, thing: Thing, at: PointMm) -> Floats:
    """Return a piece about a point in mm as ``(SIDE_PX, SIDE_PX, 3)``, float32."""
    scale = thing.width_mm / SIDE_PX
    half = (SIDE_PX - 1) / 2 * scale
    to_mm = np.array([[scale, 0, at[0] - half], [0, scale, at[1] - half], [0, 0, 1]])
    place = seen.pose.plane(thing.tall_mm) @ to_mm
    way = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (SIDE_PX, SIDE_PX)
    return np.asarray(
        cv2.warpPerspective(seen.evened, place, size, flags=way), np.float32
    )
