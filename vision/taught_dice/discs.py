"""Sample discs out of a picture, and describe what is drawn in them.

A disc is what the top face of a die shows whichever way it is turned. Only geometry and
light happen here: nothing knows a die.
"""

from functools import lru_cache
from typing import Literal, TypeAlias

import cv2
import numpy as np
from msgspec import Struct

from vision.arrays import Floats, Indices, Mask, Picture
from vision.pips.patches import pyramid

_SLOW = 0.45
"""Radii over which light and marble change; slower changes are left out."""

_CLIP = 3.0
"""Stronger ink than this many spreads is glare."""


Tone: TypeAlias = Literal["grey", "pale", "dark"]
"""Which values are compared: brightness, how nearly white, or how nearly black."""

TONES: tuple[Tone, ...] = ("grey", "pale", "dark")


class DiscFrames(Struct, frozen=True):
    """Places of discs in a picture.

    A point p of the unit disc lies at ``turns @ p + middles``.

    Attributes:
        turns: ``(N, 2, 2)`` turn, size and slant in px.
        middles: ``(N, 2)`` x and y in px.
    """

    turns: Floats
    middles: Floats

    def only(self, keep: Indices | Mask | list[int]) -> "DiscFrames":
        """Return the frames that an index list or a mask keeps."""
        return DiscFrames(self.turns[keep], self.middles[keep])

    def radii(self) -> Floats:
        """Return the geometric mean of both half axes ``(N,)`` in px."""
        area = np.abs(np.linalg.det(self.turns))
        return np.asarray(np.sqrt(area), np.float32)

    def flatness(self) -> Floats:
        """Return short over long axis ``(N,)``, 1 for a circle."""
        axes = np.linalg.svd(self.turns, compute_uv=False)
        return np.asarray(axes[:, 1] / np.maximum(axes[:, 0], 1e-6), np.float32)

    def scaled(self, factor: float) -> "DiscFrames":
        """Return the frames in a picture *factor* times as large."""
        return DiscFrames(
            np.asarray(self.turns * factor, np.float32),
            np.asarray((self.middles + 0.5) * factor - 0.5, np.float32),
        )


class Levels(Struct, frozen=True):
    """A picture made ready for sampling.

    Attributes:
        grey: Halved again and again, each ``(H, W)``, uint8.
        lab: The same in CIE Lab, ``(H, W, 3)``, uint8.
    """

    grey: tuple[Picture, ...]
    lab: tuple[Picture, ...]


def prepare_levels(picture: Picture, tone: Tone = "grey") -> Levels:
    """Return a picture ``(H, W, 3)``, uint8, BGR, made ready.

    White ink on a pearly die stands out only where the least of the three colours is
    looked at, squared: a glint makes the body bright, but not white.
    """
    lab = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2LAB), np.uint8)
    return Levels(pyramid(_in_tone(picture, tone)), pyramid(lab))


def _in_tone(picture: Picture, tone: Tone) -> Picture:
    if tone == "grey":
        return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    blue, green, red = cv2.split(picture)
    squares = (np.arange(256) ** 2 / 255).round().astype(np.uint8)
    if tone == "pale":
        least = cv2.min(cv2.min(blue, green), red)
        return np.asarray(cv2.LUT(least, squares), np.uint8)
    most = cv2.max(cv2.max(blue, green), red)
    return np.asarray(cv2.LUT(most, 255 - squares[::-1]), np.uint8)


class Disc:
    """A unit disc in *side* x *side* pixels, *count* of which lie in it.

    Attributes:
        side: Pixels across.
        points: ``(count, 2)`` x and y of each pixel, -1 to 1.
        within: ``(side, side)`` which pixels these are.
    """

    def __init__(self, side: int) -> None:
        steps = ((np.arange(side) + 0.5) / side * 2 - 1).astype(np.float32)
        across, down = np.meshgrid(steps, steps)
        self.side = side
        self.within: Mask = np.asarray(np.hypot(across, down) <= 1.0, np.bool_)
        self.points = np.stack([across[self.within], down[self.within]], -1)
        self.count = len(self.points)
        self._sharpen = np.eye(self.count, dtype=np.float32) - self.blur(_SLOW)

    def blur(self, spread: float) -> Floats:
        """Return a matrix ``(count, count)`` that averages over *spread* radii."""
        apart = ((self.points[:, None] - self.points[None]) ** 2).sum(-1)
        weight = np.exp(-apart / (2 * spread**2))
        return np.asarray(weight / weight.sum(1, keepdims=True), np.float32)

    def sample(self, levels: tuple[Picture, ...], frames: DiscFrames) -> Floats:
        """Return values ``(N, count)`` or ``(N, count, 3)`` at the points of discs."""
        across, down = self._places(frames)
        fine = frames.radii() * (2 / self.side)
        level_of = np.round(np.log2(np.maximum(fine, 1e-3))).astype(int)
        level_of = np.clip(level_of, 0, len(levels) - 1)
        out = np.zeros((*across.shape, *levels[0].shape[2:]), np.float32)
        for level in np.unique(level_of):
            here = np.flatnonzero(level_of == level)
            # cv2.remap takes at most 32767 rows.
            for some in np.array_split(here, len(here) // 30000 + 1):
                shrunk = np.float32(2.0 ** -int(level))
                out[some] = cv2.remap(
                    levels[level],
                    across[some] * shrunk,
                    down[some] * shrunk,
                    cv2.INTER_LINEAR,
                    borderMode=cv2.BORDER_REPLICATE,
                )
        return out

    def inside(self, frames: DiscFrames, size: tuple[int, ...]) -> Mask:
        """Return which points ``(N, count)`` lie in a picture of that size."""
        x, y = self._places(frames)
        high, wide = size[:2]
        good = (x > -0.5) & (y > -0.5) & (x < wide - 0.5) & (y < high - 0.5)
        return np.asarray(good, np.bool_)

    def _places(self, frames: DiscFrames) -> tuple[Floats, Floats]:
        """Return x and y ``(N, count)`` of the points of discs, px."""
        # Written out: a third of the time of a product of many small matrices.
        turns, (right, low) = frames.turns, self.points.T
        x, y = (
            turns[:, k, :1] * right + turns[:, k, 1:] * low + frames.middles[:, k, None]
            for k in (0, 1)
        )
        return np.asarray(x, np.float32), np.asarray(y, np.float32)

    def ink(self, values: Floats) -> tuple[Floats, Floats]:
        """Return what is drawn ``(N, count)`` and how strongly ``(N,)``.

        Slow light is left out and contrast made one, so that the mean product of two
        inks is their correlation. The strength is in grey values.
        """
        fast = values @ self._sharpen.T
        fast -= fast.mean(1, keepdims=True)
        strength = fast.std(1)
        drawn = np.clip(fast / (strength[:, None] + 1), -_CLIP, _CLIP)
        drawn /= np.sqrt((drawn**2).mean(1, keepdims=True) + 1e-6)
        return np.asarray(drawn, np.float32), np.asarray(strength, np.float32)


def rotation_matrices(degrees: Floats) -> Floats:
    """Return turns ``(N, 2, 2)`` by some degrees."""
    angle = np.radians(degrees)
    cos, sin = np.cos(angle), np.sin(angle)
    rows = [np.stack([cos, -sin], -1), np.stack([sin, cos], -1)]
    return np.asarray(np.stack(rows, 1), np.float32)


@lru_cache(maxsize=1)
def coarse_disc() -> Disc:
    """Return the disc that pictures are searched with."""
    return Disc(12)


@lru_cache(maxsize=1)
def fine_disc() -> Disc:
    """Return the disc that faces are compared in."""
    return Disc(24)


@lru_cache(maxsize=1)
def print_disc() -> Disc:
    """Return the disc that the prints of round pieces are held against each other in.

    A letter's stroke on a piece of 22 mm is 3 pixels wide where a millimetre has 3.3.
    """
    return Disc(40)
