"""Find figures and gems by the colours of their tops, wherever they stand.

A top is looked at as a middle and a ring around it, each by its mean colour, so that it
looks the same however it is turned. The cost of a spot is how far those colours are
from what was taught, plus how uneven the ring is: a ring that is half ground costs
much.
"""

from typing import NamedTuple

import cv2
import numpy as np
from msgspec import Struct

from companion.table import Piece
from vision.arrays import Floats, Mask
from vision.places.surface import PX_PER_MM, Surface
from vision.plan import Thing


class Top(Struct, frozen=True):
    """The top of a piece as it was taught.

    Attributes:
        piece: Whose.
        colours: ``(6,)``: mean of the middle and of the ring, BGR of 0 to 255.
        spread: Largest distance of a shot to that mean.
    """

    piece: Piece
    colours: Floats
    spread: float


class Tops(NamedTuple):
    """Means over middle and ring about each pixel of a plane.

    Attributes:
        colours: ``(H, W, 6)``.
        uneven: ``(H, W)``, spread of the ring's grey values.
    """

    colours: Floats
    uneven: Floats


def measure(seen: Surface, thing: Thing) -> Tops:
    """Return what tops as wide and tall as a thing's would look like everywhere."""
    plane = seen.at(thing.tall_mm)
    radius = thing.width_mm / 2 * PX_PER_MM
    middle, ring = _disc(radius * 0.36), _disc(radius * 0.84)
    inner = _disc(radius * 0.56)
    pad = (ring.shape[0] - inner.shape[0]) // 2
    ring = np.maximum(ring - np.pad(inner, pad)[: ring.shape[0], : ring.shape[1]], 0)
    ring /= ring.sum()
    grey = plane.mean(2)
    mean = cv2.filter2D(grey, cv2.CV_32F, ring)
    square = cv2.filter2D(grey * grey, cv2.CV_32F, ring)
    uneven = np.sqrt(np.maximum(square - mean * mean, 0))
    colours = [
        cv2.filter2D(plane, cv2.CV_32F, middle / middle.sum()),
        cv2.filter2D(plane, cv2.CV_32F, ring),
    ]
    return Tops(np.concatenate(colours, 2), np.asarray(uneven, np.float32))


def _disc(radius_px: float) -> Floats:
    reach = int(np.ceil(radius_px))
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    away = np.sqrt(x * x + y * y)
    return np.asarray(np.clip(radius_px + 0.5 - away, 0, 1), np.float32)


FAR = 1e3
"""The cost where nothing stands."""


def costs(tops: Tops, taught: Top, shown: Mask) -> Floats:
    """Return how unlike a taught top each pixel is, ``(H, W)``, grey values.

    Only where *shown* says that something stands; FAR elsewhere.
    """
    cost = np.full(shown.shape, FAR, np.float32)
    off = ((tops.colours[shown] - taught.colours) ** 2).mean(1)
    cost[shown] = np.sqrt(off + 0.25 * tops.uneven[shown] ** 2)
    return cost


def learn(piece: Piece, shots: list[Floats]) -> Top:
    """Return a top from the colours ``(6,)`` of some shots of it."""
    mean = np.mean(shots, 0)
    off = [float(np.sqrt(((shot - mean) ** 2).mean())) for shot in shots]
    return Top(piece, np.asarray(mean, np.float32), max(off))


def cap(
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
