"""Measure spots: where their edge lies, how round they are, how calm it is around them.

A spot is looked at along rays from its middle, on the axis from its own colour to that
of its surroundings. Which spots are good enough is decided in vision/pips/spots.py.
"""

import cv2
import numpy as np
from msgspec import Struct

from vision.arrays import Floats, Indices, Mask, Picture

ANGLES = 16
"""Rays from the middle of a spot along which its edge is looked for."""

_STEPS = 16
_REACH = 1.9
"""The rays end at this many radii, just before the next pip of a six begins."""


_CALM = 0.55
"""Change of the ground, in inks, that still counts as one ground. First guess: nothing
but the number of frames of a carpet was looked at."""


class Spots(Struct, frozen=True):
    """Round spots, sharpest first.

    Attributes:
        centres: ``(N, 2)`` x and y in pixels.
        radii: ``(N,)`` geometric mean of the half axes in pixels.
        inks: ``(N, 3)`` colour of the spot minus colour around it, BGR.
        grounds: ``(N, 3)`` colour around the spot, BGR 0 to 255.
        roundness: ``(N,)`` spread of the edge about its best ellipse, in radii; 0 is
            perfect.
        flatness: ``(N,)`` share of the half axes, short to long, 0 to 1.
        calm: ``(N, ANGLES)`` whether the ground stays as it is out to 2.5 radii along
            each ray; ray k leaves at k * 22.5 degrees from x towards y.
    """

    centres: Floats
    radii: Floats
    inks: Floats
    grounds: Floats
    roundness: Floats
    flatness: Floats
    calm: Mask

    def only(self, keep: Mask | Indices) -> "Spots":
        """Return the spots that a mask or an index list keeps."""
        return Spots(*(getattr(self, name)[keep] for name in self.__struct_fields__))

    def scaled(self, factor: float) -> "Spots":
        """Return the spots as they lie in a picture *factor* times as large."""
        return Spots(
            self.centres * np.float32(factor),
            self.radii * np.float32(factor),
            self.inks,
            self.grounds,
            self.roundness,
            self.flatness,
            self.calm,
        )


def _sample(picture: Picture, x: Floats, y: Floats) -> Floats:
    """Return colours at points of any shape, as ``(*shape, 3)``; borders repeat."""
    shape, rays = x.shape, int(np.prod(x.shape[1:]))
    if not shape[0]:
        return np.zeros((*shape, 3), np.float32)
    flat = cv2.remap(
        picture,
        x.reshape(shape[0], rays).astype(np.float32),
        y.reshape(shape[0], rays).astype(np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(flat, np.float32).reshape(*shape, 3)


def measure_spots(picture: Picture, centres: Floats, radii: Floats) -> Spots:
    """Return the spots about some seeds, moved to their middle and measured."""
    edge = np.zeros((len(centres), ANGLES), np.float32)
    ring = strays = np.zeros(len(centres), np.float32)
    inks = grounds = np.zeros((len(centres), 3), np.float32)
    for turn in range(2):
        edge, inks, grounds, ring = _edges(picture, centres, radii)
        edge, strays = _replace_strays(edge)
        centres, radii = _recentre(centres, edge)
        if turn == 0:
            hopeful = (np.abs(inks).max(1) > 5) & (strays < 0.6) & (ring < 1.2)
            centres, radii = centres[hopeful], radii[hopeful]
    ellipse, roundness, flatness = _ellipses(edge)
    # A spot whose surroundings are as lively as itself is texture: no spot.
    roundness = np.where(ring > 1.0, np.float32(9), roundness)
    ink_strength = np.sqrt((inks**2).sum(-1))
    roundness = roundness + np.maximum(ring - 0.12, 0) * 0.35 + strays * 0.25
    roundness = np.where(ink_strength < 1.0, np.float32(9), roundness)
    calm = _calm(picture, centres, ellipse, inks, grounds)
    roundness = roundness.astype(np.float32)
    return Spots(centres, ellipse, inks, grounds, roundness, flatness, calm)


def _calm(
    picture: Picture, centres: Floats, radii: Floats, inks: Floats, grounds: Floats
) -> Mask:
    """Return where the ground ``(N, ANGLES)`` goes on beyond the spot."""
    cos, sin = _directions()
    reach = radii[:, None, None] * np.array([1.6, 2.0, 2.5], np.float32)
    x = centres[:, 0, None, None] + reach * cos[None, :, None]
    y = centres[:, 1, None, None] + reach * sin[None, :, None]
    change = _sample(picture, x, y) - grounds[:, None, None]
    limit = _CALM * np.abs(inks).max(-1)[:, None]
    return np.asarray(np.abs(change).max(-1).max(-1) < limit, np.bool_)


def _directions() -> tuple[Floats, Floats]:
    angle = np.arange(ANGLES, dtype=np.float32) * np.float32(2 * np.pi / ANGLES)
    return np.cos(angle), np.sin(angle)


def _edges(
    picture: Picture, centres: Floats, radii: Floats
) -> tuple[Floats, Floats, Floats, Floats]:
    """Return edges ``(N, ANGLES)``, ink, ground ``(N, 3)`` and unrest of the ground."""
    cos, sin = _directions()
    steps = np.linspace(_REACH / _STEPS, _REACH, _STEPS, dtype=np.float32)
    reach = radii[:, None, None] * steps[None, None, :]
    x = centres[:, 0, None, None] + reach * cos[None, :, None]
    y = centres[:, 1, None, None] + reach * sin[None, :, None]
    colours = _sample(picture, x, y)
    inner = np.einsum("nasc->nc", colours[:, :, steps < 0.65])
    inner /= ANGLES * (steps < 0.65).sum()
    around = (steps > 1.22) & (steps < 1.55)
    # The median over the rays: a few of them may end in a neighbouring pip.
    ground = np.median(colours[:, :, around].mean(2), 1)
    ink = inner - ground
    power = np.einsum("nc,nc->n", ink, ink) + np.float32(1e-3)
    share = np.matmul(colours, ink[:, None, :, None])[..., 0]
    share -= np.einsum("nc,nc->n", ground, ink)[:, None, None]
    share /= power[:, None, None]
    # Of all places where a ray leaves the ink, the one nearest the expected edge: a
    # glint in the pip ends the ink early, a neighbouring pip ends late.
    leaves = (share[:, :, :-1] > 0.5) & (share[:, :, 1:] <= 0.5)
    cost = np.where(leaves, np.abs(steps[:-1] - 1.0), np.float32(9))
    last = cost.argmin(-1)
    none = np.take_along_axis(cost, last[:, :, None], 2)[:, :, 0] > 0.6
    here = np.take_along_axis(share, last[:, :, None], 2)[:, :, 0]
    beyond = np.take_along_axis(share, last[:, :, None] + 1, 2)[:, :, 0]
    part = np.clip((here - 0.5) / np.maximum(here - beyond, 1e-3), 0, 1)
    edge = (steps[last] + part * np.float32(_REACH / _STEPS)) * radii[:, None]
    edge = np.where(none, np.nan, edge)
    unrest = np.quantile(np.abs(share[:, :, around]).mean(-1), 0.6, axis=1)
    return (
        edge.astype(np.float32),
        ink.astype(np.float32),
        ground.astype(np.float32),
        unrest.astype(np.float32),
    )


def _replace_strays(edge: Floats) -> tuple[Floats, Floats]:
    """Return edges with stray rays put on the median, and the share that strayed."""
    lost = np.isnan(edge)
    filled = np.where(lost, np.float32(1.0), edge)
    middle = np.median(filled, 1, keepdims=True)
    stray = lost | (np.abs(filled / np.maximum(middle, 0.3) - 1) > 0.42)
    mended = np.where(stray, middle, filled)
    return mended.astype(np.float32), stray.mean(1).astype(np.float32)


def _recentre(centres: Floats, edge: Floats) -> tuple[Floats, Floats]:
    cos, sin = _directions()
    # An edge that is d off its middle has d/2 as its first wave.
    shift = 2 * np.stack([(edge * cos).mean(1), (edge * sin).mean(1)], -1)
    radii = np.clip(np.median(edge, 1), 1.0, None)
    return (centres + shift).astype(np.float32), radii.astype(np.float32)


def _ellipses(edge: Floats) -> tuple[Floats, Floats, Floats]:
    """Return radius, spread about the best ellipse and flatness, each ``(N,)``."""
    angle = np.arange(ANGLES) * 2 * np.pi / ANGLES
    basis = np.stack([np.ones(ANGLES), np.cos(2 * angle), np.sin(2 * angle)], -1)
    waves = np.stack([np.cos(angle), np.sin(angle)], -1)
    every = np.hstack([basis, waves])
    fit = edge @ np.linalg.pinv(every).T
    mean = np.maximum(fit[:, 0], 0.5)
    bend = np.sqrt(fit[:, 1] ** 2 + fit[:, 2] ** 2) / mean
    spread = (edge - fit @ every.T).std(1) / mean
    flatness = np.clip((1 - bend) / (1 + bend), 0, 1)
    return (
        mean.astype(np.float32),
        spread.astype(np.float32),
        flatness.astype(np.float32),
    )
