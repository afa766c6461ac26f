"""A printed part as triangles: reads binary STL, measures, and makes plain bodies.

Arrays are ``(N, 3, 3)``, float64, mm: triangle, corner, (x, y, z).

Not trimesh: of the seven parts 5.2 gives the same volumes and finds the same bodies
closed, in 84 ms for 34; it would save half of this file and cost 5 MB that only drawing
and tests need.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Triangles = NDArray[np.float64]

HEADER_BYTES = 84
"""80 of a title and 4 of a count. Source: StL format, 3D Systems, 1989."""

FACET = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("rest", "<u2")])


class NotAPart(ValueError):
    """A file is no binary STL."""


def read_stl(path: Path) -> Triangles:
    """Return the triangles of a file.

    Raises:
        NotAPart: Its length is not that of the triangles that it tells of.
    """
    raw = path.read_bytes()
    count = int.from_bytes(raw[80:HEADER_BYTES], "little")
    if len(raw) != HEADER_BYTES + count * FACET.itemsize:
        raise NotAPart(
            f"{path} is no binary STL; run python hardware/cad/draw_parts.py"
        )
    facets = np.frombuffer(raw, FACET, offset=HEADER_BYTES)
    return facets["corners"].astype(np.float64)


def volume(triangles: Triangles) -> float:
    """Return the volume of a closed body in mm3, negative when it is inside out."""
    a, b, c = triangles.transpose(1, 0, 2)
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


def extent(triangles: Triangles) -> Triangles:
    """Return the least and the greatest corner, ``(2, 3)``."""
    points = triangles.reshape(-1, 3)
    return np.stack([points.min(0), points.max(0)])


def open_edges(triangles: Triangles) -> int:
    """Return how many edges lack a neighbour that runs along them the other way."""
    corners = np.round(triangles, 4)
    here, there = corners, np.roll(corners, -1, axis=1)
    forth = np.concatenate([here, there], axis=2).reshape(-1, 6)
    back = np.concatenate([there, here], axis=2).reshape(-1, 6)
    ways = {edge.tobytes() for edge in forth}
    twice = len(forth) - len(ways)
    return twice + sum(edge.tobytes() not in ways for edge in back)


def moved(
    triangles: Triangles, by: tuple[float, float, float], turn: Triangles | None = None
) -> Triangles:
    """Return a body turned by a matrix ``(3, 3)`` and then shifted."""
    turned = triangles if turn is None else triangles @ turn.T
    return turned + np.array(by)


def turned(axis: str, degrees: float) -> Triangles:
    """Return the matrix that turns about an axis, ``"x"``, ``"y"`` or ``"z"``."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    first, second = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
    matrix = np.eye(3)
    matrix[first, first] = matrix[second, second] = c
    matrix[first, second], matrix[second, first] = -s, s
    return matrix


def box(low: tuple[float, ...], high: tuple[float, ...]) -> Triangles:
    """Return a box between two corners."""
    x, y, z = zip(low, high, strict=True)
    corners = np.array([(i, j, k) for i in x for j in y for k in z], float)
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4),
             (1, 5, 7, 3)]  # fmt: skip
    return np.concatenate([corners[[[a, b, c], [a, c, d]]] for a, b, c, d in quads])


def post(at: tuple[float, float, float], radius: float, tall: float) -> Triangles:
    """Return a round post; *at* is the middle of its foot."""
    angles = np.linspace(0, 2 * np.pi, 33)
    rim = np.stack([radius * np.cos(angles), radius * np.sin(angles), 0 * angles], 1)
    foot = np.array(at)
    top = foot + np.array([0.0, 0.0, tall])
    low, high = rim + foot, rim + top
    faces = []
    for i in range(32):
        faces += [(low[i], low[i + 1], high[i + 1]), (low[i], high[i + 1], high[i]),
                  (foot, low[i + 1], low[i]), (top, high[i], high[i + 1])]  # fmt: skip
    return np.array(faces)
