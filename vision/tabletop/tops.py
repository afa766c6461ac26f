"""Find figures and gems by the colours of their tops, wherever they stand.

A top is looked at as a middle and a ring around it, each by its mean colour, so that it
looks the same however it is turned. The cost of a spot is how far those colours are
from what was taught, plus how uneven the ring is: a ring that is half ground costs
much.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
from msgspec import Struct

from companion.table import Piece
from vision.arrays import Floats, Mask
from vision.tabletop.plan import Thing
from vision.tabletop.surface import PX_PER_MM, WHOLE, Surface, Window


class TaughtTop(Struct, frozen=True):
    """The top of a piece as it was taught.

    Attributes:
        piece: Whose.
        colours: ``(6,)``: mean of the middle and of the ring, BGR of 0 to 255.
        spread: Largest distance of a shot to that mean.
    """

    piece: Piece
    colours: Floats
    spread: float


class TopMaps(NamedTuple):
    """Means over middle and ring about each pixel of a plane that was measured.

    Attributes:
        colours: ``(H, W, 6)``.
        uneven: ``(H, W)``, spread of the ring's grey values.
    """

    colours: Floats
    uneven: Floats


def measure_tops(seen: Surface, thing: Thing, shown: Mask | None = None) -> TopMaps:
    """Return what tops as wide and tall as a thing's would look like.

    Only where *shown* says that something stands, 0 elsewhere; everywhere without it.
    """
    plane = seen.plane(thing.tall_mm)
    middle, ring = _middle_and_ring(thing.width_mm / 2 * PX_PER_MM)
    colours = np.zeros((*plane.shape[:2], 6), np.float32)
    uneven = np.zeros(plane.shape[:2], np.float32)
    for here in (
        _windows_about(shown, len(ring) // 2) if shown is not None else (WHOLE,)
    ):
        part = plane[here]
        around = cv2.filter2D(part, cv2.CV_32F, ring)
        colours[here][..., :3] = cv2.filter2D(part, cv2.CV_32F, middle)
        colours[here][..., 3:] = around
        grey, mean = cv2.transform(part, _GREY), cv2.transform(around, _GREY)
        square = cv2.filter2D(grey * grey, cv2.CV_32F, ring)
        uneven[here] = np.sqrt(np.maximum(square - mean * mean, 0))
    return TopMaps(colours, uneven)


_GREY = np.full((1, 3), 1 / 3, np.float32)


@lru_cache(maxsize=16)
def _middle_and_ring(radius: float) -> tuple[Floats, Floats]:
    """Return weights of a top's middle and of the ring around it; *radius* in px."""
    middle, ring = _disc(radius * 0.36), _disc(radius * 0.84)
    inner = _disc(radius * 0.56)
    pad = (ring.shape[0] - inner.shape[0]) // 2
    ring = np.maximum(ring - np.pad(inner, pad)[: ring.shape[0], : ring.shape[1]], 0)
    return np.asarray(middle / middle.sum()), np.asarray(ring / ring.sum())


def _windows_about(shown: Mask, reach: int) -> Iterator[Window]:
    """Yield windows that hold all that is shown, with as much around it."""
    side = 2 * reach + 1
    near = cv2.dilate(shown.astype(np.uint8), np.ones((side, side), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(near, connectivity=8)
    for left, top, wide, high, _ in stats[1:].tolist():
        yield slice(top, top + high), slice(left, left + wide)


def _disc(radius_px: float) -> Floats:
    reach = int(np.ceil(radius_px))
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    away = np.sqrt(x * x + y * y)
    return np.asarray(np.clip(radius_px + 0.5 - away, 0, 1), np.float32)


FAR = 1e3
"""The cost where nothing stands."""


def cost_map(tops: TopMaps, taught: TaughtTop, shown: Mask) -> Floats:
    """Return how unlike a taught top each pixel is, ``(H, W)``, grey values.

    Only where *shown* says that something stands; FAR elsewhere.
    """
    cost = np.full(shown.shape, FAR, np.float32)
    off = tops.colours[shown] - taught.colours
    square = np.einsum("ij,ij->i", off, off) / off.shape[1]
    cost[shown] = np.sqrt(square + 0.25 * tops.uneven[shown] ** 2)
    return cost


def learn_top(piece: Piece, shots: list[Floats]) -> TaughtTop:
    """Return a top from the colours ``(6,)`` of some shots of it."""
    mean = np.mean(shots, 0)
    off = [float(np.sqrt(((shot - mean) ** 2).mean())) for shot in shots]
    return TaughtTop(piece, np.asarray(mean, np.float32), max(off))


def locate_top(
    shown: Mask, thing: Thing, nadir_mm: tuple[float, float]
) -> tuple[int, int] | None:
    """Return row and column of a lone thing's top in its plane; None without one.

    A standing thing covers a streak that leads away from the point below the camera;
    its top is the far end.
    """
    disc = _disc(thing.width_mm / 2 * PX_PER_MM * 0.85)
    cover = cv2.filter2D(shown.astype(np.float32), cv2.CV_32F, disc / disc.sum())
    rows, columns = np.nonzero(cover > 0.96)
    if not rows.size:
        return None
    away = np.array([columns, rows]).T / PX_PER_MM - nadir_mm
    middle = away.mean(0)
    far = away @ (middle / max(float(np.linalg.norm(middle)), 1e-6))
    # The end of the streak is a few pixels wide: its middle is taken.
    end = far > far.max() - 1.0
    return round(float(rows[end].mean())), round(float(columns[end].mean()))
