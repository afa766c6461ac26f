"""How much light there is and of what colour, by the printed patches.

Bare paper is the one thing on the table whose colour is known: it shows exposure, white
balance and how even the light is, and whatever is much brighter is a reflection.
"""

from itertools import groupby

import cv2
import numpy as np
from msgspec import Struct

from vision.arrays import Floats, Picture
from vision.mat.lens import Points
from vision.mat.mat import CELLS, GREYS, INK, Patch, Shade
from vision.mat.pose import Rig, project

WHITE_LEVEL = 225.0
"""What `white_balance` makes of bare paper: bright, and short of clipping."""

_GRID = 7
"""Points along the inner half of a patch: 7 x 7 of them, 1 mm apart."""

_GAMMA = 2.2


class Lighting(Struct, frozen=True, gc=False):
    """How the table is lit, by the patches.

    Attributes:
        white: B, G, R of bare paper, 0 to 255, the median of all patches.
        gains: Of B, G, R in linear light, to bring paper to `WHITE_LEVEL`.
        brightest: Of the brightest white patch, its darkest channel.
        evenness: Darkest over brightest white patch in linear light, 0 to 1.
        noise: Standard deviation within white patches, of 255.
        clipped: Share of white patches with a channel at its end, 0 to 1.
        blocks: Numbers of the markers whose patches were seen whole. Where there are
            none (covered, or so bright that grey is white too), the white rims of the
            markers speak for the paper.
        swapped: Whether red patches look blue and blue ones red; None if the light is
            too odd to say.
    """

    white: tuple[float, float, float]
    gains: tuple[float, float, float]
    brightest: float
    evenness: float
    noise: float
    clipped: float
    blocks: tuple[int, ...]
    swapped: bool | None


class _Block(Struct, frozen=True):
    """The six patches of a marker: rows B, G, R by shade, and noise of the white."""

    beside: int
    colours: dict[Shade, Points]
    noise: float


def measure_lighting(picture: Picture, rig: Rig) -> Lighting:
    """Return how the table is lit.

    Args:
        picture: ``(H, W, 3)``, uint8, BGR, of the rig's camera.
        rig: Of the camera; its layout says where the patches lie.
    """
    blocks = [one for one in _blocks(picture, rig) if _is_uncovered(one)]
    if blocks:
        whites = np.array([one.colours[Shade.WHITE] for one in blocks])
        noise = float(np.median([one.noise for one in blocks]))
        gains = _gains(blocks)
    else:
        rims = _rims(picture, rig)
        whites, noise = np.median(rims, axis=1), float(rims.std(1).mean())
        lit = np.maximum(_to_linear(np.median(whites, axis=0)), 1e-4)
        gains = _as_triple(_to_linear(np.array(WHITE_LEVEL)) / lit)
    bright = _to_linear(whites).mean(1)
    return Lighting(
        _as_triple(np.median(whites, axis=0)), gains, float(whites.min(1).max()),
        float(bright.min() / max(float(bright.max()), 1e-6)), noise,
        float((whites.max(1) >= 250).mean()), tuple(one.beside for one in blocks),
        _are_swapped(blocks, gains),
    )  # fmt: skip


def _rims(picture: Picture, rig: Rig) -> Points:
    """Return colours ``(M, N, 3)`` half a cell outside the markers of the pose."""
    along = np.linspace(0.0, 1.0, CELLS)
    out = np.full(CELLS, 0.5 / CELLS)
    square = np.concatenate(
        [np.stack([along, -out], 1), np.stack([along, 1 + out], 1),
         np.stack([-out, along], 1), np.stack([1 + out, along], 1)]
    )  # fmt: skip
    places = []
    for number in rig.used:
        marker = rig.layout.marker(number)
        assert marker is not None, "a pose rests on markers of its layout"
        o, x, _, y = np.array(marker.corners)
        places.append(o + square[:, :1] * (x - o) + square[:, 1:] * (y - o))
    maps = project(rig, np.concatenate(places)).astype(np.float32)
    seen = cv2.remap(
        picture, maps[:, 0], maps[:, 1], cv2.INTER_NEAREST,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    return np.asarray(seen, float).reshape(len(rig.used), -1, 3)


def white_balance(picture: Picture, gains: tuple[float, float, float]) -> Picture:
    """Return a picture ``(H, W, 3)``, uint8, BGR, with paper white and of one level."""
    light = (np.arange(256) / 255.0)[:, None] ** _GAMMA * np.array(gains)
    table = np.clip(255 * light ** (1 / _GAMMA) + 0.5, 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(picture, table.reshape(1, 256, 3)), np.uint8)


def _blocks(picture: Picture, rig: Rig) -> list[_Block]:
    found = []
    for beside, several in groupby(rig.layout.patches, key=lambda one: one.beside):
        patches = tuple(several)
        seen = _samples(picture, rig, patches)
        if seen is None:
            continue
        colours = dict(
            zip([one.shade for one in patches], np.median(seen, axis=1), strict=True)
        )
        white = [one.shade for one in patches].index(Shade.WHITE)
        found.append(_Block(beside, colours, float(seen[white].std(0).mean())))
    return found


def _samples(picture: Picture, rig: Rig, patches: tuple[Patch, ...]) -> Floats | None:
    """Return colours ``(P, N, 3)`` in the inner halves of patches, None outside."""
    inner = (np.arange(_GRID) + 0.5) / _GRID * 0.5 + 0.25
    u, v = (one.ravel()[:, None] for one in np.meshgrid(inner, inner))
    places = []
    for patch in patches:
        o, x, _, y = np.array(patch.corners)
        places.append(o + u * (x - o) + v * (y - o))
    at = project(rig, np.concatenate(places)).reshape(len(patches), -1, 2)
    height, width = picture.shape[:2]
    if at.min() < 0 or at[..., 0].max() > width - 1 or at[..., 1].max() > height - 1:
        return None
    maps = at.astype(np.float32)
    seen = cv2.remap(picture, maps[..., 0], maps[..., 1], cv2.INTER_NEAREST)
    return np.asarray(seen, np.float32)


def _is_uncovered(block: _Block) -> bool:
    """Return whether nothing lies on a block: white over grey over dark, and calm.

    Light from one side changes all six together; a sleeve or a die on one does not.
    """
    white, grey, dark = (_to_linear(block.colours[shade]).mean() for shade in GREYS)
    clear = white > 1.3 * grey and grey > 1.3 * dark
    return bool(clear and block.noise < 0.15 * block.colours[Shade.WHITE].mean() + 6)


def _gains(blocks: list[_Block]) -> tuple[float, float, float]:
    """Return gains by least squares over white, grey and dark patches.

    White weighs most, as it should: it is paper, the others are a printer's guess.
    """
    known = np.array([_to_linear(np.array(INK[shade][::-1])) for shade in GREYS])
    seen = np.array(
        [[_to_linear(one.colours[shade]) for shade in GREYS] for one in blocks]
    )
    lit = (seen * known).sum((0, 1)) / (len(blocks) * (known**2).sum(0))
    return _as_triple(_to_linear(np.array(WHITE_LEVEL)) / np.maximum(lit, 1e-4))


def _are_swapped(
    blocks: list[_Block], gains: tuple[float, float, float]
) -> bool | None:
    """Return whether red and blue are swapped, by what is left once paper is white."""
    redder = []
    for block in blocks:
        red, blue = (
            _to_linear(block.colours[s]) * gains for s in (Shade.RED, Shade.BLUE)
        )
        # Each should lead the other in its own channel.
        redder += [red[2] - red[0], blue[0] - blue[2]]
    if not redder:
        return None
    lead = float(np.median(redder))
    return None if abs(lead) < 0.05 else lead < 0


def _to_linear(coded: Points) -> Points:
    return np.asarray((np.asarray(coded, float) / 255) ** _GAMMA)


def _as_triple(numbers: Points) -> tuple[float, float, float]:
    b, g, r = (float(number) for number in numbers)
    return b, g, r
