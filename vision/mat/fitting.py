"""Least squares by Levenberg and Marquardt, for the few unknowns of a rig.

numpy only: scipy would be 100 MB on the Pi for these forty lines.
"""

from collections.abc import Callable

import numpy as np

from vision.mat.lens import Points

STEPS = 60
_SMALL = 1e-6


def least_squares(residuals: Callable[[Points], Points], start: Points) -> Points:
    """Return the unknowns ``(N,)`` that make the sum of squared residuals least.

    Args:
        residuals: From unknowns ``(N,)`` to residuals ``(M,)``, in units of their
            usual size.
        start: Where to begin; the nearest valley is found, not the deepest.

    Source: Marquardt, An Algorithm for Least-Squares Estimation of Nonlinear
    Parameters, 1963.
    """
    unknowns, damping = np.array(start, float), 1e-3
    off = residuals(unknowns)
    for _ in range(STEPS):
        slopes = _slopes(residuals, unknowns, off)
        square, pull = slopes.T @ slopes, slopes.T @ off
        step = np.linalg.solve(
            square + damping * np.diag(np.diag(square) + 1e-12), -pull
        )
        tried = residuals(unknowns + step)
        if not np.isfinite(tried).all() or tried @ tried >= off @ off:
            damping *= 10
            if damping > 1e9:
                break
            continue
        gained = (off @ off - tried @ tried) / max(float(off @ off), 1e-30)
        unknowns, off, damping = unknowns + step, tried, damping / 10
        if gained < _SMALL:
            break
    return unknowns


def _slopes(
    residuals: Callable[[Points], Points], unknowns: Points, off: Points
) -> Points:
    """Return the slopes ``(M, N)`` of the residuals, by small differences."""
    slopes = np.empty((len(off), len(unknowns)))
    for column, value in enumerate(unknowns):
        step = 1e-6 * max(1.0, abs(float(value)))
        moved = unknowns.copy()
        moved[column] += step
        slopes[:, column] = (residuals(moved) - off) / step
    return slopes
