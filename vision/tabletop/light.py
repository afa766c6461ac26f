"""Make a picture look as if the light were white and even, by white paper in it."""

from collections.abc import Callable
from typing import TypeAlias

import cv2
import numpy as np

from vision.arrays import Floats, Picture
from vision.tabletop.plan import Plan
from vision.tabletop.pose import CameraPose

EvenLight: TypeAlias = Callable[[Picture, Plan, CameraPose], Floats | None]
"""Makes a picture's light white and even; None where it is too dark."""

WHITE = 235.0
"""What white paper becomes."""

DARK = 40.0
"""Paper darker than this leaves too few grey values to tell colours apart: at the
"dim" light of the drawn table it is about 105, with a spread of noise of 3.4."""

_BEYOND = 0.5
"""Nowhere is the light so much (as a logarithm) above or below that on any paper: the
"side" light of the drawn table falls by 0.6 from one side to the other."""

_ODD = 0.12
"""Paper that differs so much from what the others say is covered or in a shadow."""


def measure_paper(
    picture: Picture, plan: Plan, pose: CameraPose
) -> tuple[Floats, Floats]:
    """Return where white paper is, ``(N, 2)`` px, and its colour ``(N, 3)``, BGR."""
    middles = np.array([(x, y, 0) for x, y in plan.whites], np.float32)
    seen = pose.project(middles)
    size = plan.white_mm / 4
    found, colours = [], []
    height, width = picture.shape[:2]
    for (x, y), at in zip(plan.whites, seen, strict=True):
        ends = np.array([(x - size, y - size, 0), (x + size, y + size, 0)], np.float32)
        low, high = pose.project(ends)
        left, top = (int(value) for value in np.floor(np.minimum(low, high)))
        right, bottom = (int(value) + 1 for value in np.ceil(np.maximum(low, high)))
        if left < 0 or top < 0 or right > width or bottom > height:
            continue
        found.append(at)
        colours.append(np.median(picture[top:bottom, left:right].reshape(-1, 3), 0))
    return (
        np.array(found, np.float32).reshape(-1, 2),
        np.array(colours, np.float32).reshape(-1, 3),
    )


def even_out_light(picture: Picture, plan: Plan, pose: CameraPose) -> Floats | None:
    """Return a picture ``(h, w, 3)``, float32, in white light; None when it is dark.

    The light is taken to change evenly from side to side and from top to bottom; paper
    that disagrees with the rest (a hand lies on it) is left out.
    """
    places, colours = measure_paper(picture, plan, pose)
    if len(places) < 3 or np.median(colours) < DARK:
        return None
    height, width = picture.shape[:2]
    tones = np.log(np.maximum(colours, 4))
    terms = _terms(places[:, 0] / width, places[:, 1] / height)
    kept = np.abs(tones - np.median(tones, 0)).max(1) < 0.7
    for _ in range(2):
        if kept.sum() < 3:
            return None
        fit, *_ = np.linalg.lstsq(terms[kept], tones[kept], rcond=None)
        off = np.abs(terms @ fit - tones).max(1)
        kept &= (off < _ODD) | (off < np.partition(off, 2)[2] + 1e-6)
    y, x = np.mgrid[0:1:36j, 0:1:64j]
    # Where hands leave papers of one corner only, the rest is anybody's guess.
    light = np.clip(
        _terms(x.ravel(), y.ravel()) @ fit,
        tones[kept].min(0) - _BEYOND,
        tones[kept].max(0) + _BEYOND,
    )
    gain = WHITE / np.exp(light)
    coarse = np.asarray(gain.reshape(36, 64, 3), np.float32)
    full = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.multiply(picture, full, dtype=cv2.CV_32F), np.float32)


def _terms(x: Floats, y: Floats) -> Floats:
    return np.stack([np.ones_like(x), x, y], -1)
