"""Another light on the same board: what a board would look like in it."""

import cv2
import numpy as np
from msgspec import Struct

from vision.arrays import Floats, Mask

_STEP = 8
"""Of so many pixels one is looked at, each way."""

_ODD = 0.12
"""Logarithm of brightness by which a pixel differs from the rest when it has changed:
that of `vision.tabletop.light`."""

_STIFF = 0.01
"""Weight with which colours are thought to change alike, in mean squares of the board's
own logarithms: a board of one colour tells nothing else."""

_FLOOR = 8.0
"""Grey values added before the logarithm, so that noise in the dark stays small."""

_TINT = 0.005
"""What a colour does to the light less than this is not worth the time."""

_TURNS = 5

_FIELD = 6
"""Terms of the light across the board."""


class OtherLight(Struct, frozen=True):
    """A board as it would look in another light.

    Attributes:
        board: ``(H, W, 3)``, float32, BGR.
        cast: Logarithm by which one channel has gained on another at most.
        misfit: Logarithm by which the middle pixel still differs from the other board.
    """

    board: Floats
    cast: float
    misfit: float


def relight(board: Floats, like: Floats, seen: Mask) -> OtherLight:
    """Return a flat board ``(H, W, 3)`` in the light of another picture of it.

    The light may change its colour, and evenly across the board; what a colour becomes
    in it depends on that colour alone. Pixels that disagree with the rest have changed
    for another reason.
    """
    high, wide = seen.shape
    y, x = np.mgrid[_STEP // 2 : high : _STEP, _STEP // 2 : wide : _STEP]
    kept = seen[y, x]
    y, x = y[kept], x[kept]
    # Softened, as printed lines need not meet to the pixel.
    old, new = (
        np.log(cv2.blur(one, (_STEP, _STEP))[y, x] + _FLOOR) for one in (board, like)
    )
    middle = np.median(old, axis=0)
    field = _field(2 * x / wide - 1, 2 * y / high - 1)
    terms = np.column_stack([field, old - middle]).astype(np.float32)
    fit, off = _fit(terms, np.asarray(new - old, np.float32))
    v, u = np.mgrid[-1:1:18j, -1:1:32j]
    gain = (_field(u.ravel(), v.ravel()) @ fit[:_FIELD]).reshape(18, 32, 3)
    tint = fit[_FIELD:].T.copy()
    factor = cv2.resize(np.exp(gain).astype(np.float32), (wide, high))
    if np.abs(tint).max() > _TINT:
        logs = np.log(board + np.float32(_FLOOR)) - middle.astype(np.float32)
        factor *= np.exp(cv2.transform(logs, tint))
    lit = (board + np.float32(_FLOOR)) * factor - np.float32(_FLOOR)
    return OtherLight(lit, float(np.ptp(fit[0])), float(np.median(off)))


def _field(x: Floats, y: Floats) -> Floats:
    """Return terms ``(N, 6)`` of a light that changes evenly, or has a bright spot."""
    return np.column_stack([np.ones_like(x), x, y, x * x, x * y, y * y])


def _fit(terms: Floats, gains: Floats) -> tuple[Floats, Floats]:
    """Return what fits most pixels, ``(9, 3)``, and by how much each differs."""
    stiff = np.diag([0.0] * _FIELD + [1.0] * 3) * _STIFF * len(terms)
    fit = np.zeros((_FIELD + 3, 3), np.float32)
    fit[0] = np.median(gains, axis=0)
    for _ in range(_TURNS):
        off = np.abs(gains - terms @ fit).max(axis=1)
        weight = 1 / (1 + (off / max(_ODD, float(np.median(off)))) ** 2) ** 2
        heavy = terms * weight[:, None]
        fit = np.linalg.solve(heavy.T @ terms + stiff, heavy.T @ gains)
        fit = np.asarray(fit, np.float32)
    return fit, np.abs(gains - terms @ fit).max(axis=1)
