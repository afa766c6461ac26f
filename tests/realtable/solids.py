"""Shapes of the pieces of a traced table: meshes that stand on z = 0, millimetres."""

from typing import NamedTuple

import numpy as np

from vision.arrays import Floats


class Mesh(NamedTuple):
    """Points, their normals and places in the print ``(N, 3), (N, 3), (N, 2)``.

    *triangles* ``(M, 3)`` number the points.
    """

    points: Floats
    normals: Floats
    prints: Floats
    triangles: Floats

    def moved(self, x: float, y: float, turn_deg: float, z: float = 0.0) -> "Mesh":
        """Return it turned against the clock about the upright line, then moved."""
        angle = np.radians(turn_deg)
        turn = np.array(
            [[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0],
             [0, 0, 1]]
        )  # fmt: skip
        return self._replace(
            points=self.points @ turn.T + (x, y, z), normals=self.normals @ turn.T
        )


def joined(*meshes: Mesh) -> Mesh:
    """Return several meshes as one."""
    counts = np.cumsum([0, *(len(mesh.points) for mesh in meshes)])
    return Mesh(
        np.concatenate([mesh.points for mesh in meshes]),
        np.concatenate([mesh.normals for mesh in meshes]),
        np.concatenate([mesh.prints for mesh in meshes]),
        np.concatenate(
            [m.triangles + at for m, at in zip(meshes, counts[:-1], strict=True)]
        ),
    )


def turned_on_a_lathe(
    profile: tuple[tuple[float, float], ...], sides: int = 40, *, flat: bool = False
) -> Mesh:
    """Return what comes of (radius, height) pairs from the foot up.

    *flat* gives each facet its own plane, as a cut stone has.
    """
    angles = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    ring = np.column_stack([np.cos(angles), np.sin(angles)])
    rows = np.array(
        [np.column_stack([r * ring, np.full(sides, z)]) for r, z in profile]
    )
    triangles = []
    for row in range(len(profile) - 1):
        for side in range(sides):
            a, b = row * sides + side, row * sides + (side + 1) % sides
            triangles += [(a, b, b + sides), (a, b + sides, a + sides)]
    return _with_normals(rows.reshape(-1, 3), np.array(triangles), flat=flat)


def _with_normals(points: Floats, triangles: Floats, *, flat: bool) -> Mesh:
    if flat:
        points = points[triangles.ravel()]
        triangles = np.arange(len(points)).reshape(-1, 3)
    a, b, c = (points[triangles[:, k]] for k in range(3))
    faces = np.cross(b - a, c - a)
    normals = np.zeros_like(points)
    for k in range(3):
        np.add.at(normals, triangles[:, k], faces)
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    normals = np.where(length > 1e-9, normals / np.maximum(length, 1e-9), (0, 0, 1.0))
    return Mesh(points, normals, np.zeros((len(points), 2)), triangles)


def ball(radius: float, at: tuple[float, float, float], flat: float = 1.0) -> Mesh:
    """Return a ball, or an egg of it that is *flat* times as tall as wide."""
    steps = np.linspace(-np.pi / 2, np.pi / 2, 14)
    profile = tuple(
        (max(1e-3, radius * float(np.cos(s))), flat * radius * float(np.sin(s)))
        for s in steps
    )
    mesh = turned_on_a_lathe(profile, 28)
    return mesh._replace(points=mesh.points + at)


def rod(
    start: tuple[float, float, float], end: tuple[float, float, float],
    radii: tuple[float, float],
) -> Mesh:  # fmt: skip
    """Return a round rod from one point to another."""
    line = np.subtract(end, start).astype(float)
    long = float(np.linalg.norm(line))
    mesh = turned_on_a_lathe(((radii[0], 0.0), (radii[1], long)), 24)
    up = line / long
    aside = np.cross((0.0, 0.0, 1.0) if abs(up[2]) < 0.9 else (1.0, 0.0, 0.0), up)
    aside /= np.linalg.norm(aside)
    frame = np.vstack([aside, np.cross(up, aside), up])
    return mesh._replace(
        points=mesh.points @ frame + start, normals=mesh.normals @ frame
    )


def pawn(wide: float, tall: float, neck: float = 0.34, head: float = 0.30) -> Mesh:
    """Return a pawn with a foot, a body, a collar and a round head."""
    r = wide / 2
    body = (
        (r, 0.0), (r, 0.06 * tall), (0.95 * r, 0.10 * tall), (0.72 * r, 0.16 * tall),
        (0.60 * r, 0.35 * tall), (neck * r * 1.2, 0.60 * tall), (neck * r * 1.9,
        0.63 * tall), (neck * r * 1.9, 0.66 * tall), (neck * r, 0.68 * tall),
    )  # fmt: skip
    radius = head * tall / 1.6
    return joined(turned_on_a_lathe(body), ball(radius, (0.0, 0.0, tall - radius)))


def dragon(wide: float, tall: float) -> Mesh:
    """Return a crouching dragon on a round foot, with two wings and a long neck."""
    r = wide / 2
    foot = turned_on_a_lathe(((r, 0.0), (r, 2.0), (0.9 * r, 2.5), (0.01, 2.6)))
    body = ball(0.55 * r, (-0.1 * r, 0.0, 0.30 * tall), 1.3)
    neck = rod((0.2 * r, 0.0, 0.40 * tall), (0.55 * r, 0.0, 0.85 * tall),
               (0.24 * r, 0.15 * r))  # fmt: skip
    head = ball(0.26 * r, (0.72 * r, 0.0, 0.88 * tall), 0.8)
    tail = rod((-0.5 * r, 0.0, 0.2 * tall), (-1.25 * r, 0.2 * r, 0.08 * tall),
               (0.22 * r, 0.03 * r))  # fmt: skip
    wings = [
        plate(
            ((0.2 * r, side * 0.2 * r, 0.45 * tall), (-0.1 * r, side * 1.5 * r,
             0.85 * tall), (-0.8 * r, side * 1.1 * r, 0.55 * tall), (-0.5 * r,
             side * 0.2 * r, 0.40 * tall))
        )
        for side in (-1, 1)
    ]  # fmt: skip
    return joined(foot, body, neck, head, tail, *wings)


def plate(corners: tuple[tuple[float, float, float], ...], thick: float = 0.8) -> Mesh:
    """Return a thin plate with four corners, both sides of it."""
    top = np.array(corners, float)
    normal = np.cross(top[1] - top[0], top[2] - top[0])
    down = normal / np.linalg.norm(normal) * thick
    points = np.concatenate([top, top - down])
    triangles = np.array([(0, 1, 2), (0, 2, 3), (4, 6, 5), (4, 7, 6)])
    sides = [
        part
        for k in range(4)
        for part in ((k, 4 + k, (k + 1) % 4), ((k + 1) % 4, 4 + k, 4 + (k + 1) % 4))
    ]
    return _with_normals(points, np.concatenate([triangles, sides]), flat=True)


def gem(wide: float, tall: float) -> Mesh:
    """Return a cut stone with six sides."""
    r = wide / 2
    profile = ((0.55 * r, 0.0), (r, 0.45 * tall), (0.6 * r, tall), (1e-3, tall))
    return turned_on_a_lathe(profile, 6, flat=True)


def disc(wide: float, tall: float) -> Mesh:
    """Return a flat round piece whose upper side carries a print."""
    r = wide / 2
    rim = turned_on_a_lathe(((r, 0.0), (r, tall)), 48)
    angles = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    ring = np.column_stack([np.cos(angles), np.sin(angles)])
    points = np.vstack([(0, 0, tall), np.column_stack([r * ring, np.full(48, tall)])])
    top = Mesh(
        points,
        np.tile((0.0, 0.0, 1.0), (49, 1)),
        np.vstack([(0.5, 0.5), 0.5 + 0.5 * ring]),
        np.array([(0, 1 + k, 1 + (k + 1) % 48) for k in range(48)]),
    )
    at_rim = np.tile((0.5, 0.998), (len(rim.points), 1))
    return joined(rim._replace(prints=at_rim), top)


def sheet(wide: float, high: float, z: float, bow: float = 0.0) -> Mesh:
    """Return a card or board with a print on its upper side; *bow* lifts its ends."""
    steps = np.linspace(-0.5, 0.5, 9)
    x, y = (grid.ravel() for grid in np.meshgrid(steps, steps))
    height = z + bow * (2 * x) ** 2
    points = np.column_stack([x * wide, y * high, height])
    corner = np.add.outer(np.arange(8) * 9, np.arange(8)).ravel()
    triangles = np.concatenate(
        [
            np.stack([corner, corner + 1, corner + 10], 1),
            np.stack([corner, corner + 10, corner + 9], 1),
        ]
    )
    mesh = _with_normals(points, triangles, flat=False)
    return mesh._replace(prints=np.column_stack([x + 0.5, y + 0.5]))


def box(wide: float, high: float, tall: float) -> Mesh:
    """Return a block that stands on the table."""
    x, y = wide / 2, high / 2
    corners = [(-x, -y), (x, -y), (x, y), (-x, y)]
    parts = [plate(tuple((a, b, tall) for a, b in corners), tall)]
    return joined(*parts)


def hand(x: float, y: float, side_deg: float, reach: float) -> Mesh:
    """Return a hand whose fingers are at a point, with an arm that comes from a side.

    *side_deg* is where the arm lies as seen from the fingers, *reach* how long it is.
    """
    parts = [
        ball(38.0, (70.0, 0.0, 38.0), 0.42),
        rod((95.0, 0.0, 42.0), (95.0 + reach, 0.0, 60.0), (27.0, 38.0)),
    ]
    for number, (aside, long) in enumerate(((-24, 44), (-9, 56), (7, 54), (22, 42))):
        tip = (56.0 - long, aside * 0.8, 14.0 + 2 * number)
        knuckle = (62.0, float(aside), 44.0)
        parts += [rod(knuckle, tip, (9.0, 7.5)), ball(7.5, tip)]
    parts += [rod((66.0, -30.0, 34.0), (14.0, -34.0, 14.0), (10.0, 8.0)),
              ball(8.0, (14.0, -34.0, 14.0))]  # fmt: skip
    return joined(*parts).moved(x, y, side_deg)
