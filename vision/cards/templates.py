"""Explain a seen card by a taught one: moved, blurred, faded, in other light.

What no such harmless change explains is the residual. How much is too much is decided
in noise.py.
"""

from typing import NamedTuple

import cv2
import numpy as np

from vision.arrays import Floats
from vision.cards.noise import Noise
from vision.cards.raster import raster_grid

CHANGES = 10
"""Moves (two), turns, shears and sizes (four), blur, contrast, two shifts of hue."""

MOVES = slice(0, 6)
BLUR, CONTRAST = 6, 7
HUES = slice(8, 10)

_MOVE_PX = 1.5
_BEND_PX = 1.0
"""Usual size of moves and of turns at the rim: corners are found to a pixel or two."""

_REACH = 0.07
"""Part of the height that a card may be off; beyond it is another corner's business."""

_MOST_FADING = 3.0
"""Standard deviations of contrast up to which fading is harmless."""

_STEPS = 4
_APART = 1 / 25
"""Neighbouring pixels err together, so 25 of them count as one witness."""


class Template(NamedTuple):
    """A reference made ready for comparing.

    Attributes:
        tones: ``(h, w, 3)``, in even light.
        goal: Its inner pixels ``(N, 3)``.
        trust: Square root of the weight of each inner pixel, ``(N, 3)``.
        lights: Orthonormal terms of slow light under that trust, ``(3, N, 6)``.
        changes: Effect of the harmless changes, without light, ``(3, N, CHANGES)``.
        solve: From effects to sizes of the changes, ``(CHANGES, CHANGES)``.
        ink: Hue per brightness of what is printed, ``(2,)``.
        most_fading: Change of contrast that is still harmless: any card, faded to
            nothing, would explain a blank one.
    """

    tones: Floats
    goal: Floats
    trust: Floats
    lights: Floats
    changes: Floats
    solve: Floats
    ink: Floats
    most_fading: float


class TemplateMatch(NamedTuple):
    """How a reference explains a seen card.

    Attributes:
        residual: What is left over at the inner pixels, ``(h', w', 3)``.
        sizes: Of the harmless changes, ``(CHANGES,)``.
        place: Where the seen card lies: two moves, then turns, shears, sizes; px.
    """

    residual: Floats
    sizes: Floats
    place: Floats


def make_template(even: Floats, noise: Noise) -> Template:
    """Return a reference ``(h, w, 3)`` in even light made ready for comparing."""
    inner = raster_grid((even.shape[0], even.shape[1])).inner
    along, down = gradients(even)
    paper = np.median(even.reshape(-1, 3), 0)
    steep = along**2 + down**2
    variance = (
        4 * noise.fine[:, 0]
        + steep * np.maximum(noise.fine[:, 1], 0.02)
        + (even - paper) ** 2 * noise.fine[:, 2]
    )
    trust = (1 / np.sqrt(variance))[inner].reshape(-1, 3).astype(np.float32)
    effects = _effects(even, along, down, paper)
    lights, changes = _without_light(effects, trust, even.shape[:2])
    gram = np.einsum("cnj,cnk->jk", changes, changes, optimize=True)
    usual = np.array([_MOVE_PX] * 2 + [_BEND_PX] * 4 + list(noise.usual), np.float64)
    solve = np.linalg.inv(gram * _APART + np.diag(1 / usual**2)) * _APART
    goal = even[inner].reshape(-1, 3)
    ink = _ink(goal, trust[:, 0] ** 2)
    return Template(
        even,
        goal,
        trust,
        lights,
        changes,
        solve.astype(np.float32),
        ink,
        _MOST_FADING * noise.contrast,
    )


def gradients(even: Floats) -> tuple[Floats, Floats]:
    """Return how tones change from pixel to pixel, along and down, ``(h, w, 3)``."""
    return (
        np.asarray(cv2.Sobel(even, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8), np.float32),
        np.asarray(cv2.Sobel(even, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8), np.float32),
    )


def _effects(even: Floats, along: Floats, down: Floats, paper: Floats) -> Floats:
    """Return what a unit of each change does to inner pixels, ``(3, N, CHANGES)``."""
    lattice = raster_grid((even.shape[0], even.shape[1]))
    x, y = lattice.x[..., None], lattice.y[..., None]
    ink = even[..., 0] - paper[0]
    none = np.zeros_like(ink)
    blur = cv2.GaussianBlur(even, (0, 0), 1.2) - even
    planes = [
        along,
        down,
        along * x,
        along * y,
        down * x,
        down * y,
        blur,
        even - paper,
        np.stack([none, ink, none], -1),
        np.stack([none, none, ink], -1),
    ]
    stacked = np.stack([plane[lattice.inner] for plane in planes], -1)
    return stacked.reshape(-1, 3, CHANGES).transpose(1, 0, 2).astype(np.float32)


def _without_light(
    effects: Floats, trust: Floats, size: tuple[int, ...]
) -> tuple[Floats, Floats]:
    """Return terms of light and the effects without them, both weighted by trust."""
    slow = raster_grid((size[0], size[1])).slow
    lights, changes = [], []
    for channel in range(3):
        light, _ = np.linalg.qr(slow * trust[:, channel, None])
        effect = effects[channel] * trust[:, channel, None]
        lights.append(light)
        changes.append(effect - light @ (light.T @ effect))
    return np.stack(lights), np.stack(changes)


def _ink(goal: Floats, weight: Floats) -> Floats:
    """Return red and blue less green for each unit of brightness of the print."""
    off = goal - np.median(goal, 0)
    dark = off[:, 0] * weight
    power = float(dark @ off[:, 0]) + 1e-6
    return np.asarray(dark @ off[:, 1:] / power, np.float32)


def warp_tones(shown: Floats, place: Floats) -> Floats:
    """Return tones ``(h, w, 3)`` as seen with a card at *place* put straight."""
    lattice = raster_grid((shown.shape[0], shown.shape[1]))
    x = lattice.columns + place[0] + place[2] * lattice.x + place[3] * lattice.y
    y = lattice.rows + place[1] + place[4] * lattice.x + place[5] * lattice.y
    return np.asarray(
        cv2.remap(
            shown,
            x.astype(np.float32),
            y.astype(np.float32),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        ),
        np.float32,
    )


def match_template(shown: Floats, model: Template) -> TemplateMatch:
    """Return how a reference best explains seen tones ``(h, w, 3)``.

    Gauss-Newton on the place; light, blur, contrast and hue are linear.
    """
    height, width = shown.shape[:2]
    inner = raster_grid((height, width)).inner
    place = np.zeros(6, np.float32)
    for step in range(_STEPS):
        seen = warp_tones(shown, place)[inner]
        off = ((seen.reshape(-1, 3) - model.goal) * model.trust).T
        dark = off[:, None] @ model.lights
        off = off - (model.lights @ dark.transpose(0, 2, 1))[..., 0]
        sizes = model.solve @ (off[:, None] @ model.changes).sum((0, 1))
        if step < _STEPS - 1:
            place = np.clip(place - sizes[MOVES], -_REACH * height, _REACH * height)
    harmless = sizes.copy()
    most = model.most_fading
    harmless[CONTRAST] = min(max(float(sizes[CONTRAST]), -most), most)
    rest = off - model.changes @ harmless
    residual = (rest.T / model.trust).reshape(seen.shape)
    return TemplateMatch(residual.astype(np.float32), sizes, place)
