"""Draw dice as a camera sees them: rounded cubes with sunk pips, lit by one lamp.

Everything is reckoned here ray by ray; no picture of anybody's dice is used.
"""

from typing import Protocol, TypeAlias

import numpy as np
from msgspec import Struct

from vision.arrays import Floats

Colour: TypeAlias = tuple[float, float, float]

_MARCH_STEPS = 26
"""Steps along each ray; more changes no pixel of a die 200 px wide."""

AXIS_FACES = ((1, 6), (2, 5), (3, 4))
"""Faces at the minus and plus end of each body axis; opposite faces add up to 7."""

_DIAGONAL = ((-1, -1), (1, 1))
_SQUARE = ((-1, -1), (1, 1), (-1, 1), (1, -1))
PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: _DIAGONAL,
    3: (*_DIAGONAL, (0, 0)),
    4: _SQUARE,
    5: (*_SQUARE, (0, 0)),
    6: (*_SQUARE, (-1, 0), (1, 0)),
}
"""Places of the pips on each face, in steps from the middle of the face."""


EVERY_FACE = 7
"""As *marked_face* of a look: the mark stands on all six faces."""


class View(Struct, frozen=True):
    """A pinhole camera that looks at the middle of the table.

    *tilt_deg* is 0 from straight above; *distance* is in die widths; *focal_px* is the
    focal length in pixels; *size* is height and width in pixels; *roll_deg* turns the
    camera about its own axis.
    """

    size: tuple[int, int]
    focal_px: float
    distance: float
    tilt_deg: float = 0.0
    roll_deg: float = 0.0

    def axes(self) -> tuple[Floats, Floats]:
        """Return place ``(3,)`` and axes ``(3, 3)`` (rows: right, down, forward)."""
        tilt, roll = np.radians(self.tilt_deg), np.radians(self.roll_deg)
        forward = np.array([0, np.sin(tilt), -np.cos(tilt)])
        right, down = np.array([1.0, 0, 0]), np.cross(forward, [1.0, 0, 0])
        turn = np.cos(roll), np.sin(roll)
        rows = [right * turn[0] + down * turn[1], down * turn[0] - right * turn[1]]
        place = -forward * self.distance
        return place.astype(np.float32), np.array([*rows, forward], np.float32)

    def project(self, points: Floats) -> Floats:
        """Return pixels ``(N, 2)`` of table points ``(N, 3)`` in die widths."""
        place, axes = self.axes()
        seen = (points - place) @ axes.T
        middle = np.array([self.size[1], self.size[0]]) / 2
        return (seen[:, :2] / seen[:, 2:] * self.focal_px + middle).astype(np.float32)

    def rays(self, rows: range, columns: range) -> Floats:
        """Return unit directions ``(h, w, 3)`` of the rays through some pixels."""
        x = (np.array(columns, np.float32) + 0.5 - self.size[1] / 2) / self.focal_px
        y = (np.array(rows, np.float32) + 0.5 - self.size[0] / 2) / self.focal_px
        grid = np.stack(np.broadcast_arrays(x[None, :], y[:, None], np.float32(1)), -1)
        _, axes = self.axes()
        rays = grid @ axes
        rays /= np.linalg.norm(rays, axis=-1, keepdims=True)
        return rays.astype(np.float32)


class DieCamera(Protocol):
    """A camera that dice can be drawn for; lengths in die widths, z up."""

    @property
    def focal_px(self) -> float:
        """Focal length in pixels."""

    @property
    def distance(self) -> float:
        """How far the dice are, for the softness of their edges."""

    def axes(self) -> tuple[Floats, Floats]:
        """Return place ``(3,)`` and axes ``(3, 3)`` (rows: right, down, forward)."""

    def rays(self, rows: range, columns: range) -> Floats:
        """Return unit directions ``(h, w, 3)`` of the rays through some pixels."""


class DieLook(Struct, frozen=True):
    """What a die is made of; lengths in die widths, colours BGR 0 to 1.

    *ball* is the radius of the sphere that cuts the corners (0.87 cuts nothing);
    *pitch* is the step from the middle of a face to its outer pips; *squeeze* brings
    the two rows of a six nearer together, as some makers do; *veins* mixes
    *second* into *colour* as marble; *ring* is the strength of the ring of light that
    a lamp makes on a glossy top face, *ring_radius* its radius; *mark* is
    a picture ``(n, n)`` 0 to 1 that stands on *marked_face* instead of its pips.
    """

    colour: Colour
    pips: Colour
    second: Colour = (0.0, 0.0, 0.0)
    veins: float = 0.0
    rounding: float = 0.08
    ball: float = 0.87
    pitch: float = 0.25
    pip_radius: float = 0.095
    lone_radius: float = 0.11
    squeeze: float = 1.0
    gloss: float = 0.3
    glow: float = 0.0
    ring: float = 0.0
    ring_radius: float = 0.35
    mark: Floats | None = None
    marked_face: int = 0


class DrawnDie(Struct, frozen=True):
    """One die on the table: where, how turned, what it shows and is made of.

    *turn* is ``(3, 3)``: its rows are the body's axes in table coordinates; *place* is
    the middle of the die.
    """

    place: tuple[float, float, float]
    turn: Floats
    look: DieLook


class Lamp(Struct, frozen=True):
    """Where the light comes from (unit vector to the lamp) and its colour, BGR."""

    to_lamp: tuple[float, float, float]
    colour: Colour = (1.0, 1.0, 1.0)
    ambient: float = 0.5


def rotation_for(face: int, yaw_deg: float, mirrored: bool = False) -> Floats:
    """Return the turn of a die that shows *face* on top, as for :class:`DrawnDie`."""
    axis = next(i for i, ends in enumerate(AXIS_FACES) if face in ends)
    up = 1.0 if AXIS_FACES[axis][1] == face else -1.0
    yaw = np.radians(yaw_deg)
    rows = np.zeros((3, 3), np.float32)
    rows[axis] = (0, 0, up)
    rows[(axis + 1) % 3] = (np.cos(yaw), np.sin(yaw), 0)
    rows[(axis + 2) % 3] = (-np.sin(yaw), np.cos(yaw), 0)
    if mirrored:
        rows[(axis + 2) % 3] *= -1
    return rows


def cube_gap(points: Floats, look: DieLook) -> Floats:
    """Return the distance ``(N,)`` from body points ``(N, 3)`` to the die's surface."""
    core = np.abs(points) - np.float32(0.5 - look.rounding)
    outside = np.sqrt((np.maximum(core, 0) ** 2).sum(-1))
    box = outside + np.minimum(core.max(-1), 0) - np.float32(look.rounding)
    ball = np.sqrt((points**2).sum(-1)) - np.float32(look.ball)
    return np.asarray(np.maximum(box, ball), np.float32)


def _march(start: Floats, rays: Floats, look: DieLook) -> tuple[Floats, Floats]:
    """Return body points ``(N, 3)`` where rays end, and their gaps ``(N,)``."""
    reach = -(start * rays).sum(-1) - np.float32(0.9)
    gap = np.zeros_like(reach)
    for _ in range(_MARCH_STEPS):
        gap = cube_gap(start + rays * reach[:, None], look)
        reach = reach + gap
    return start + rays * reach[:, None], gap


def _normals(points: Floats, look: DieLook) -> Floats:
    step = np.float32(0.004)
    slopes = [
        cube_gap(points + offset, look) - cube_gap(points - offset, look)
        for offset in np.eye(3, dtype=np.float32) * step
    ]
    normals = np.stack(slopes, -1)
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True) + 1e-9
    return normals.astype(np.float32)


def _pip_cover(points: Floats, look: DieLook) -> tuple[Floats, Floats]:
    """Return how much of a pip lies at each point (0..1) and the tilt of its bowl."""
    axis = np.abs(points).argmax(-1)
    cover = np.zeros(len(points), np.float32)
    bowl = np.zeros_like(points)
    for index, ends in enumerate(AXIS_FACES):
        others = [(index + 1) % 3, (index + 2) % 3]
        for sign, face in ((-1, ends[0]), (1, ends[1])):
            here = np.flatnonzero((axis == index) & (points[:, index] * sign > 0))
            if not here.size:
                continue
            flat = points[here][:, others]
            if look.mark is not None and look.marked_face in (face, EVERY_FACE):
                cover[here] = _stamp(flat, look.mark)
                continue
            radius = look.lone_radius if face == 1 else look.pip_radius
            for spot in PIPS[face]:
                step = look.pitch * (look.squeeze if face == 6 else 1), look.pitch
                away = flat - np.array(spot, np.float32) * np.array(step, np.float32)
                apart = np.sqrt((away**2).sum(-1)) / np.float32(radius)
                # An edge a tenth of the radius wide keeps small dice from flickering.
                inside = np.clip((1.05 - apart) * 10, 0, 1).astype(np.float32)
                cover[here] = np.maximum(cover[here], inside)
                for slot, other in enumerate(others):
                    bowl[here, other] -= inside * away[:, slot] / np.float32(radius)
    return cover, bowl


def _stamp(flat: Floats, mark: Floats) -> Floats:
    """Return the values of a mark that spans the middle 0.8 of a face."""
    spots = ((flat / 0.8 + 0.5) * mark.shape[0]).astype(int)
    within = ((spots >= 0) & (spots < mark.shape[0])).all(-1)
    spots = np.clip(spots, 0, mark.shape[0] - 1)
    return np.where(within, mark[spots[:, 0], spots[:, 1]], 0).astype(np.float32)


def _marble(points: Floats, look: DieLook, seed: int) -> Floats:
    """Return how much of the second colour lies at each point, 0 to 1."""
    random = np.random.default_rng(seed)
    waves = np.zeros(len(points), np.float32)
    for _ in range(5):
        direction = random.normal(0, 4.5, 3).astype(np.float32)
        waves += np.sin(points @ direction + random.uniform(0, 6.3) + waves * 0.7)
    mixed = np.clip(0.5 + waves * 0.3, 0, 1) * look.veins
    return np.asarray(mixed, np.float32)


def render_die(
    die: DrawnDie, lamp: Lamp, view: DieCamera, rows: range, columns: range
) -> Floats:
    """Return one die as ``(h, w, 4)``: BGR light 0 to 1 and cover 0 to 1."""
    eye, _ = view.axes()
    rays = view.rays(rows, columns)
    flat = (rays.reshape(-1, 3) @ die.turn.T).astype(np.float32)
    start = ((eye - np.array(die.place, np.float32)) @ die.turn.T).astype(np.float32)
    points, gap = _march(np.broadcast_to(start, flat.shape), flat, die.look)
    # Half a pixel of soft edge, in die widths at this distance.
    blur = view.distance / view.focal_px
    cover = np.clip(1 - gap / blur, 0, 1)
    hit = np.flatnonzero(cover > 0)
    out = np.zeros((flat.shape[0], 4), np.float32)
    if hit.size:
        out[hit, :3] = _colours(points[hit], flat[hit], die, lamp)
        out[hit, 3] = cover[hit]
    return out.reshape(*rays.shape[:2], 4)


def _colours(points: Floats, rays: Floats, die: DrawnDie, lamp: Lamp) -> Floats:
    look = die.look
    normals = _normals(points, look)
    pips, bowl = _pip_cover(points, look)
    normals = normals + bowl * np.float32(0.8)
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    to_lamp = (die.turn @ np.array(lamp.to_lamp, np.float32)).astype(np.float32)
    marble = _marble(points, look, int(abs(die.place[0] * 1e4)))[:, None]
    base = np.array(look.colour) * (1 - marble) + np.array(look.second) * marble
    base = base * (1 - pips[:, None]) + np.array(look.pips) * pips[:, None]
    # Faces that look up see the room; faces that look down see the dark table.
    up = (normals @ die.turn[:, 2]) * 0.25 + 0.75
    light = lamp.ambient * up + (1 - lamp.ambient) * np.clip(normals @ to_lamp, 0, 1)
    rim = 1 - np.clip(-(normals * rays).sum(-1), 0, 1)
    light = light + look.glow * rim
    mirror = rays - 2 * (rays * normals).sum(-1, keepdims=True) * normals
    shine = np.clip(mirror @ to_lamp, 0, 1) ** 30 * look.gloss
    if look.ring:
        shine = shine + _ring(points @ die.turn, die) * (1 - np.float32(0.6) * pips)
    lit = base * light[:, None] * np.array(lamp.colour) + shine[:, None]
    return np.asarray(np.clip(lit, 0, 1), np.float32)


def _ring(points: Floats, die: DrawnDie) -> Floats:
    """Return the ring of light at points ``(N, 3)`` turned as the table is."""
    look = die.look
    apart = np.sqrt((points[:, :2] ** 2).sum(-1)) - np.float32(look.ring_radius)
    start = die.place[0] * 1e3
    turn = np.cos(np.arctan2(points[:, 1], points[:, 0]) - start)
    ring = np.exp(-((apart / 0.03) ** 2)) * (0.65 + 0.35 * turn)
    return np.asarray(ring * (points[:, 2] > 0.42) * look.ring, np.float32)
