"""A small renderer: bodies as flat-shaded triangles with their sharp edges drawn.

numpy and OpenCV only, so that the pictures of the guide need no CAD program. The same
scene is the same picture, pixel for pixel.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from hardware.cad.mesh import Triangles

Picture = NDArray[np.uint8]
Bgr = tuple[int, int, int]

PAPER: Bgr = (250, 250, 252)
INK = np.array((60, 50, 45), np.uint8)

FINER = 2
"""Pixels drawn for one that is kept, along each side: smooths the edges."""

SHARP = 0.9
"""Cosine of 25 degrees: flatter joints belong to a round and get no line."""

BIAS = 2.0
"""How far an edge may lie behind what was drawn in its pixel, in units of depth."""

NEAR_MM = 1.0
"""What is nearer to the eye is left out: its perspective would have no end."""

LAMP = np.array((-0.35, 0.5, 0.8)) / np.linalg.norm((-0.35, 0.5, 0.8))


class Body(Struct, frozen=True):
    """Something to draw: triangles ``(N, 3, 3)`` in mm, and its colour."""

    triangles: Triangles
    colour: Bgr


class View(Struct, frozen=True):
    """From where a scene is looked at.

    Attributes:
        turn: Matrix ``(3, 3)``: rows are right, down and away from who looks.
        eye: Place of the eye in mm; None for a drawing without perspective.
        focal: Focal length over the picture's width, for an eye.
        clear: Part of the picture that stays free around a drawing, 0 to 1.
    """

    turn: Triangles
    eye: tuple[float, float, float] | None = None
    focal: float = 1.0
    clear: float = 0.06


def askew(azimuth: float, elevation: float) -> View:
    """Return a view from an angle, degrees; at azimuth 0 from the seat in front."""
    a, e = np.radians(azimuth), np.radians(elevation)
    right = np.array([-np.cos(a), np.sin(a), 0.0])
    away = -np.array([np.sin(a) * np.cos(e), np.cos(a) * np.cos(e), np.sin(e)])
    return View(np.stack([right, np.cross(away, right), away]))


def render(bodies: Sequence[Body], view: View, size: tuple[int, int]) -> Picture:
    """Return a picture ``(height, width, 3)``, uint8, BGR, of *bodies*."""
    high, wide = size[0] * FINER, size[1] * FINER
    bodies = [_ahead(body, view) for body in bodies]
    seen = _projected(bodies, view, (high, wide))
    depth = np.full((high, wide), np.inf)
    canvas = np.full((high, wide, 3), PAPER, np.uint8)
    for body, corners in zip(bodies, seen, strict=True):
        for corner, shade in zip(corners, _shades(body), strict=True):
            _fill(canvas, depth, corner, shade)
    for body, corners in zip(bodies, seen, strict=True):
        _line(canvas, depth, corners, _sharp_edges(body.triangles))
    small = cv2.resize(canvas, size[::-1], interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def _ahead(body: Body, view: View) -> Body:
    """Return the part of a body that lies before the eye."""
    if view.eye is None:
        return body
    away = (body.triangles - view.eye) @ view.turn[2]
    return Body(body.triangles[(away > NEAR_MM).all(1)], body.colour)


def _projected(
    bodies: Sequence[Body], view: View, size: tuple[int, int]
) -> list[Triangles]:
    """Return the triangles as (column, row, depth)."""
    high, wide = size
    if view.eye is not None:
        rays = [(body.triangles - view.eye) @ view.turn.T for body in bodies]
        focal = view.focal * wide
        middle = np.array([(wide - 1) / 2, (high - 1) / 2])
        return [
            np.concatenate([r[..., :2] / r[..., 2:] * focal + middle, r[..., 2:]], -1)
            for r in rays
        ]
    flat = [body.triangles @ view.turn.T for body in bodies]
    points = np.concatenate([f.reshape(-1, 3) for f in flat])
    low, far = points.min(0), points.max(0)
    room = np.array([wide, high]) * (1 - 2 * view.clear)
    scale = float((room / (far - low)[:2]).min())
    shift = np.array([wide, high]) / 2 - scale * (low + far)[:2] / 2
    return [
        np.concatenate([f[..., :2] * scale + shift, f[..., 2:] * scale], -1)
        for f in flat
    ]


def _shades(body: Body) -> NDArray[np.uint8]:
    normals = _normals(body.triangles)
    light = 0.62 + 0.38 * np.clip(normals @ LAMP, -0.6, 1.0)
    return np.clip(light[:, None] * np.array(body.colour), 0, 255).astype(np.uint8)


def _normals(triangles: Triangles) -> Triangles:
    a, b, c = triangles.transpose(1, 0, 2)
    normals = np.cross(b - a, c - a)
    return normals / np.maximum(np.linalg.norm(normals, axis=1), 1e-12)[:, None]


def _fill(
    canvas: Picture, depth: Triangles, corner: Triangles, shade: NDArray[np.uint8]
) -> None:
    """Draw one triangle where nothing nearer was drawn."""
    high, wide = depth.shape
    left, top = np.maximum(np.floor(corner[:, :2].min(0)).astype(int), 0)
    right, foot = np.ceil(corner[:, :2].max(0)).astype(int) + 1
    x, y = np.arange(left, min(right, wide)), np.arange(top, min(foot, high))[:, None]
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = corner
    area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
    if abs(area) < 1e-9 or x.size == 0 or y.size == 0:
        return
    v = ((x - ax) * (cy - ay) - (cx - ax) * (y - ay)) / area
    w = ((bx - ax) * (y - ay) - (x - ax) * (by - ay)) / area
    z = az + v * (bz - az) + w * (cz - az)
    window = slice(top, top + y.size), slice(left, left + x.size)
    nearer = (v >= -1e-9) & (w >= -1e-9) & (v + w <= 1 + 1e-9) & (z < depth[window])
    depth[window][nearer] = z[nearer]
    canvas[window][nearer] = shade


def _sharp_edges(triangles: Triangles) -> NDArray[np.intp]:
    """Return (triangle, corner) of each edge where two faces meet at an angle."""
    normals = _normals(triangles)
    sides: dict[frozenset[bytes], list[tuple[int, int]]] = {}
    points = np.round(triangles, 3) + 0.0  # no -0.0, whose bytes differ
    for i, corners in enumerate(points):
        for k in range(3):
            ends = frozenset((corners[k].tobytes(), corners[(k + 1) % 3].tobytes()))
            sides.setdefault(ends, []).append((i, k))
    sharp = [
        both[0]
        for both in sides.values()
        if len(both) != 2 or normals[both[0][0]] @ normals[both[1][0]] < SHARP
    ]
    return np.array(sharp, np.intp).reshape(-1, 2)


def _line(
    canvas: Picture, depth: Triangles, seen: Triangles, edges: NDArray[np.intp]
) -> None:
    """Draw edges where nothing lies before them."""
    high, wide = depth.shape
    for i, k in edges:
        one, other = seen[i, k], seen[i, (k + 1) % 3]
        steps = int(np.abs(other - one)[:2].max()) + 2
        along = np.linspace(one, other, min(steps, 8000))
        column, row = np.round(along[:, :2]).astype(int).T
        inside = (column > 0) & (row > 0) & (column < wide - 1) & (row < high - 1)
        column, row, z = column[inside], row[inside], along[inside, 2]
        # An edge lies in its own faces, of which a neighbouring pixel may show more.
        near = [depth[row + dy, column + dx] for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
        shown = (z <= np.max(near, axis=0)) & (z <= depth[row, column] + BIAS)
        canvas[row[shown], column[shown]] = INK
