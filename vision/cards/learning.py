"""Learn from several shots of the same cards how far apart the same card may look.

Leave-one-out: each shot is explained by the mean of the others, and the residuals say
how much is usual. Robust: a tenth of the shots may be bad ones.
"""

from typing import NamedTuple

import cv2
import numpy as np

from vision.arrays import Floats
from vision.cards.noise import (
    COARSE_PX,
    FINE_PX,
    Noise,
    deviation_map,
    residual_variance,
    slope_and_ink,
    split_hue,
)
from vision.cards.templates import (
    CONTRAST,
    HUES,
    Template,
    TemplateMatch,
    make_template,
    match_template,
)

LEAST_SHOTS = 24
"""Left-out shots below which the usual noise is better than a learned one."""

_FLOORS = (0.3, 0.1, 0.15, 0.15)
"""Least usual size of blur, contrast and hues: shots of one minute agree too well."""

_ROBUST = 1.48
"""Standard deviation over median of absolute values of normal noise."""

_WIDER = 1.5
"""Usual sizes over what was seen among shots: play is less careful than teaching."""


class HeldOutShot(NamedTuple):
    """A held-out shot: the mean of the other shots of its card, matched to it."""

    model: Template
    found: TemplateMatch


def learn_noise(aligned: list[list[Floats]], start: Noise) -> Noise:
    """Return the noise of a deck.

    Args:
        aligned: Shots of each card, ``(h, w, 3)`` tones in the same light and place.
        start: What to explain them with at first; returned as it is if there are too
            few shots.
    """
    several = [shots for shots in aligned if len(shots) > 1]
    if sum(len(shots) for shots in several) < LEAST_SHOTS:
        return start
    sizes = _sizes(leave_one_out(several, start))
    usual = np.maximum(sizes[6:] * _WIDER, _FLOORS)
    tight = _with_usual(start, usual)
    found = leave_one_out(several, tight)
    good = _good(found)
    sizes = _sizes(found)
    learned = Noise(
        fine_table=_table(good, FINE_PX),
        coarse_table=_table(good, COARSE_PX),
        usual=_with_usual(start, usual).usual,
        contrast=max(float(sizes[CONTRAST]), 0.05),
        # The shots of a lesson are of one lamp, and know nothing of another's hue.
        along=max(_hue_variance(found, 0), start.along),
        across=max(_hue_variance(found, 1), start.across),
        limits=(1.0, 1.0),
        shots=len(found),
    )
    return _with_limits(learned, found)


def leave_one_out(several: list[list[Floats]], noise: Noise) -> list[HeldOutShot]:
    """Return how each shot is explained by the mean of the others of its card."""
    found = []
    for shots in several:
        for index, shot in enumerate(shots):
            others = [other for i, other in enumerate(shots) if i != index]
            model = make_template(np.mean(others, 0).astype(np.float32), noise)
            found.append(HeldOutShot(model, match_template(shot, model)))
    return found


def _sizes(found: list[HeldOutShot]) -> Floats:
    """Return the usual size of each harmless change, ``(CHANGES,)``."""
    return np.asarray(
        _ROBUST * np.median([np.abs(one.found.sizes) for one in found], 0), np.float64
    )


def _with_usual(noise: Noise, usual: Floats) -> Noise:
    blur, contrast, red, blue = (float(size) for size in usual)
    return Noise(
        noise.fine_table,
        noise.coarse_table,
        (blur, contrast, red, blue),
        noise.contrast,
        noise.along,
        noise.across,
        noise.limits,
    )


def _good(found: list[HeldOutShot]) -> list[HeldOutShot]:
    """Return the nine tenths that leave least over for what is printed on them."""
    residual = np.array(
        [
            (one.found.residual**2).mean() / (one.model.goal.var() + 0.02)
            for one in found
        ]
    )
    limit = np.quantile(residual, 0.9)
    return [one for one, over in zip(found, residual, strict=True) if over <= limit]


def _table(
    good: list[HeldOutShot], square_px: int
) -> tuple[tuple[float, float, float], ...]:
    """Return variance anywhere, by slope and by ink, for each of the three tones."""
    terms, squares = [], []
    for one in good:
        steep, printed = slope_and_ink(one.model.tones, square_px)
        residual = cv2.blur(one.found.residual, (square_px, square_px))
        planes = np.stack([np.ones_like(steep), steep, printed], -1)
        terms.append(planes.reshape(-1, 3, 3)[::5])
        squares.append(np.asarray(residual, np.float32).reshape(-1, 3)[::5] ** 2)
    term, square = np.concatenate(terms), np.concatenate(squares)
    rows = [_positive(term[:, tone], square[:, tone], 1e-5) for tone in range(3)]
    return tuple((float(row[0]), float(row[1]), float(row[2])) for row in rows)


def _positive(terms: Floats, squares: Floats, least: float) -> Floats:
    """Return shares of *terms* ``(N, K)`` that make the variance of *squares*.

    Weighted by the variance itself, so that calm places count as much as lively ones.
    """
    shares: Floats = np.zeros(terms.shape[1])
    shares[0] = squares.mean()
    for _ in range(8):
        weight = 1 / (terms @ shares + 1e-6)
        weighted = terms * weight[:, None]
        shares = np.linalg.lstsq(weighted, squares * weight, rcond=None)[0]
        shares = np.maximum(shares, 0)
        shares[0] = max(float(shares[0]), least)
    return shares


def _hue_variance(found: list[HeldOutShot], part: int) -> tuple[float, float]:
    shifts = np.array(
        [split_hue(one.found.sizes[HUES], one.model.ink)[part] for one in found]
    )
    own = np.array([float(one.model.ink @ one.model.ink) for one in found])
    most = np.quantile(np.abs(shifts), 0.95)
    squares = np.minimum(np.abs(shifts), most) ** 2
    fixed, each = _positive(np.stack([np.ones_like(own), own], -1), squares, 0.02**2)
    return float(fixed), float(each)


def _with_limits(noise: Noise, found: list[HeldOutShot]) -> Noise:
    """Return the noise with limits of twice what the median shot has left over."""
    fine, coarse = [], []
    for one in found:
        usual = residual_variance(one.model.tones, noise)
        fine.append(deviation_map(one.found.residual, usual.fine, FINE_PX).max())
        coarse.append(deviation_map(one.found.residual, usual.coarse, COARSE_PX).max())
    return Noise(
        noise.fine_table,
        noise.coarse_table,
        noise.usual,
        noise.contrast,
        noise.along,
        noise.across,
        (2 * float(np.median(fine)), 2 * float(np.median(coarse))),
        noise.shots,
    )
