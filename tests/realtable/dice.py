"""How a die lies on a table: one of its faces up."""

from typing import Any

import numpy as np

from tests.realtable.solids import Mesh
from vision.measure.bench.traced import AXES


def lying_on(cube: Any, face: int, side: float) -> Mesh:
    """Return a die of unit size with its face of a number, from 0, on top."""
    points, normals, prints, triangles = cube
    out, right, up = AXES[face]
    turn = np.stack([right, up, out])
    lifted = points @ turn.T * side + (0.0, 0.0, side / 2)
    return Mesh(lifted, normals @ turn.T, prints, np.asarray(triangles, np.int64))


def ten_sided(face: int, wide: float) -> Mesh:
    """Return a die of ten kites with one of them, from 0, on top."""
    kites = _kites()
    apex, aside, low, other = kites[face]
    out = np.cross(aside - apex, other - apex)
    out = out / np.linalg.norm(out) * np.sign(out @ (apex + low))
    up = apex - low
    up = up / np.linalg.norm(up)
    turn = np.stack([np.cross(up, out), up, out]) * wide / 2
    points, normals, prints, triangles = [], [], [], []
    for number, kite in enumerate(kites):
        middle, right, high = _frame(kite)
        for corner in kite:
            points.append(turn @ corner)
            normals.append(turn @ np.cross(right, high) / (wide / 2))
            at = 0.5 + 0.42 * np.array([(corner - middle) @ right,
                                        (corner - middle) @ high])  # fmt: skip
            prints.append(((number + at[0]) / 10, at[1]))
        first = 4 * number
        triangles += [(first, first + 1, first + 2), (first, first + 2, first + 3)]
    placed = np.array(points)
    placed[:, 2] -= placed[:, 2].min()
    return Mesh(placed, np.array(normals), np.array(prints), np.array(triangles))


def _kites() -> list[np.ndarray]:
    """Return the kites of a ring of radius 1: apex, side, far corner, other side."""
    tall = 1.15
    rise = tall * (1 - np.cos(np.pi / 5)) / (1 + np.cos(np.pi / 5))
    ring = [
        np.array(
            [np.cos(np.pi / 5 * k), np.sin(np.pi / 5 * k), rise if k % 2 else -rise]
        )
        for k in range(10)
    ]
    found = []
    for k in range(10):
        apex = np.array([0.0, 0.0, -tall if k % 2 else tall])
        before, after = ring[k - 1], ring[(k + 1) % 10]
        sides = (after, ring[k], before) if k % 2 else (before, ring[k], after)
        found.append(np.array([apex, *sides]))
    return found


def _frame(kite: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the middle of a kite, and to its right and towards its apex."""
    apex, _, low, _ = kite
    high = (apex - low) / np.linalg.norm(apex - low)
    out = np.cross(kite[1] - apex, kite[3] - apex)
    out = out / np.linalg.norm(out) * np.sign(out @ (apex + low))
    return kite.mean(axis=0), np.cross(high, out), high
