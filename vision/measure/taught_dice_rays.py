"""Look at one printed body on a table, ray by ray: a third way of drawing.

Lamps with soft shadows, varnish that mirrors them, wood, cloth, a camera that corrects
half of the lamp's tint: what drawings of `vision/drawn` lack. It shares nothing with
them but the shape of ten facets, and no weight of any network was trained on it.
"""

import cv2
import numpy as np
from msgspec import Struct

from vision.arrays import Floats, Mask, Picture
from vision.drawn.faceted import facets
from vision.tabletop.plan import D10

_REACH, _SHADOW = 0.95, 1.5
"""Widths about a body in which it is seen, and its shadow."""

_FINE, _LAMP_RAYS, _SKY_RAYS = 2, 6, 10
"""Samples a pixel along each side; rays to a lamp, and to the sky."""

TABLE_MM, GROUND_PX = 160.0, 4
"""Side of the part of a table that is drawn; pixels a millimetre of what covers it."""


class Face(Struct, frozen=True):
    """One plane of a convex body in widths of the body, seen from its middle.

    Attributes:
        out: ``(3,)``, unit vector.
        away: Distance from the middle.
        across, down: ``(3,)``, to the right and to the foot of its print.
        middle: ``(3,)``, of its print.
        radius: Half a side of its print; 0 for an edge without print.
    """

    out: Floats
    away: float
    across: Floats
    down: Floats
    middle: Floats
    radius: float


class Body(Struct, frozen=True):
    """A convex body.

    Attributes:
        faces: Its planes; those with print come first.
        lie: Numbers of the faces that may lie on top.
        width_mm: What a width is.
    """

    faces: tuple[Face, ...]
    lie: tuple[int, ...]
    width_mm: float


class Paint(Struct, frozen=True):
    """How a body looks: linear light, RGB, 0 to 1.

    Attributes:
        colour: ``(3,)`` of the body where nothing is printed.
        prints: ``(h, w, 3)`` of each face with print.
        gloss: Part of the lamp's light that is mirrored.
    """

    colour: Floats
    prints: tuple[Floats, ...]
    gloss: float


class Room(Struct, frozen=True):
    """A table under a lamp, and the camera over it; mm, x right, y up, z to the camera.

    Attributes:
        ground: ``(h, w, 3)`` linear RGB of the table's cover.
        varnish: Part of the lamp's light that the table mirrors.
        eye: ``(3,)`` of the camera; it looks at the middle of the table.
        lamp: ``(3,)``.
        lamp_mm: Radius of the lamp.
        light: ``(3,)`` strength of the lamp, RGB.
        sky: ``(3,)`` strength of all other light, RGB.
        white: ``(3,)`` what the camera multiplies each channel by, RGB.
        px_per_mm: In the middle of the picture.
        size: Height and width, px.
    """

    ground: Floats
    varnish: float
    eye: Floats
    lamp: Floats
    lamp_mm: float
    light: Floats
    sky: Floats
    white: Floats
    px_per_mm: float
    size: tuple[int, int]


def cube_body(width_mm: float = 16.0, edge: float = 0.11) -> Body:
    """Return a cube whose edges are cut; opposite faces follow each other."""
    found = []
    for axis in range(3):
        for side in (1.0, -1.0):
            out = np.zeros(3)
            out[axis] = side
            across = np.roll(np.array([1.0, 0, 0]), (axis + 1) % 3)
            down = -np.cross(out, across)
            found.append(Face(out, 0.5, across, down, out / 2, 0.5))
    none = np.zeros(3)
    signs = np.stack(np.meshgrid(*[[-1, 0, 1]] * 3), -1).reshape(-1, 3)
    for sign in signs[np.abs(signs).sum(1) > 1]:
        out = sign / np.linalg.norm(sign)
        away = 0.5 * np.abs(sign).sum() / np.linalg.norm(sign)
        found.append(Face(out, float(away - edge * 0.6), none, none, none, 0.0))
    return Body(tuple(found), tuple(range(6)), width_mm)


def ten_body(width_mm: float = 16.0) -> Body:
    """Return a die of ten facets, so wide from face to face."""
    # Drawn tables have y towards the camera: here they are seen in a mirror.
    flip = np.array([1.0, -1, 1])
    found = [
        Face(
            one.out * flip, float(one.out @ one.middle), one.across * flip,
            one.down * flip, one.middle * flip, one.radius,
        )
        for one in facets(D10)
    ]  # fmt: skip
    return Body(tuple(found), tuple(range(10)), width_mm)


def disc_body(width_mm: float = 22.0, tall_mm: float = 2.0) -> Body:
    """Return a round flat piece with print on top."""
    up, half = np.array([0.0, 0, 1]), tall_mm / width_mm / 2
    none = np.zeros(3)
    found = [
        Face(up, half, np.array([1.0, 0, 0]), np.array([0, -1.0, 0]), up * half, 0.5),
        Face(-up, half, none, none, none, 0.0),
    ]
    for angle in np.radians(np.arange(0, 360, 15)):
        out = np.array([np.cos(angle), np.sin(angle), 0])
        found.append(Face(out, 0.5, none, none, none, 0.0))
    return Body(tuple(found), (0,), width_mm)


class _Placed(Struct, frozen=True):
    """A body in the room: planes ``n @ p <= d`` in mm."""

    normals: Floats
    away: Floats
    turn: Floats
    middle: Floats
    body: Body


def _place(body: Body, top: int, x: float, y: float, turn_deg: float) -> _Placed:
    face = body.faces[top]
    before = np.stack([face.across, -face.down, face.out])
    angle = np.radians(turn_deg)
    spin = np.array(
        [[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0],
         [0, 0, 1]]
    )  # fmt: skip
    turn = spin @ before
    normals = np.stack([one.out for one in body.faces]) @ turn.T
    # It lies on the face across, which is as far from the middle as the top is.
    middle = np.array([x, y, face.away * body.width_mm])
    away = np.array([one.away for one in body.faces]) * body.width_mm
    return _Placed(normals, away + normals @ middle, turn, middle, body)


class Looker:
    """Looks at a room again and again; what no body covers is reckoned once."""

    def __init__(self, room: Room, seed: int) -> None:
        self._room = room
        self._random = np.random.default_rng((seed, 77))
        forward = -room.eye / np.linalg.norm(room.eye)
        right = np.cross(forward, [0, 1.0, 0])
        right /= np.linalg.norm(right)
        self._axes = np.stack([right, np.cross(forward, right), forward])
        self._focal = room.px_per_mm * float(np.linalg.norm(room.eye))
        high, wide = room.size
        self._bare = self._ground_light((0, 0, wide, high), None)
        # By the mean, but white paper must not burn out.
        self._gain = min(
            0.19 / float(self._bare.mean()),
            0.95 / float(((room.light + room.sky) * room.white).max()),
        )

    def picture(
        self,
        body: Body | None = None,
        paint: Paint | None = None,
        top: int = 0,
        at: tuple[float, float, float] = (0, 0, 0),
    ) -> Picture:
        """Return the picture ``(h, w, 3)``, uint8, BGR, of the table and one body.

        *at* is x and y in mm and the turn in degrees.
        """
        light = self._bare.copy()
        if body is not None and paint is not None:
            placed = _place(body, top, *at)
            wide = self._window(placed, _SHADOW)
            _part(light, wide)[:] = self._ground_light(wide, placed)
            near = self._window(placed, _REACH)
            cover, shade = self._body_light(near, placed, paint)
            _part(light, near)[:] = _part(light, near) * (1 - cover) + shade
        return self._develop(light)

    def _window(self, placed: _Placed, widths: float) -> tuple[int, int, int, int]:
        """Return where so many widths about a body are seen, px."""
        reach = placed.body.width_mm * widths
        offsets = np.array([(a, b, 0) for a in (-1, 1) for b in (-1, 1)]) * reach
        seen = self._project(placed.middle + offsets)
        high, wide = self._room.size
        left, upper = np.maximum(0, np.floor(seen.min(0))).astype(int).tolist()
        right, lower = np.minimum((wide, high), np.ceil(seen.max(0))).astype(int)
        return left, upper, int(right), int(lower)

    def _project(self, points: Floats) -> Floats:
        seen = (points - self._room.eye) @ self._axes.T
        high, wide = self._room.size
        middle = np.array([wide / 2, high / 2])
        return np.asarray(seen[:, :2] / seen[:, 2:] * self._focal + middle)

    def _rays(self, window: tuple[int, int, int, int], fine: int) -> Floats:
        """Return directions ``(N, 3)`` through the samples of a window."""
        left, upper, right, lower = window
        high, wide = self._room.size
        x = (np.arange((right - left) * fine) + 0.5) / fine + left - wide / 2
        y = (np.arange((lower - upper) * fine) + 0.5) / fine + upper - high / 2
        grid = np.stack(np.meshgrid(x, y), -1).reshape(-1, 2) / self._focal
        rays = np.c_[grid, np.ones(len(grid))] @ self._axes
        return np.asarray(rays, np.float32)

    def _ground_light(
        self, window: tuple[int, int, int, int], placed: _Placed | None
    ) -> Floats:
        """Return the light of the table in a window ``(h, w, 3)``, linear RGB."""
        room = self._room
        rays = self._rays(window, 1)
        points = room.eye - rays * (room.eye[2] / rays[:, 2:])
        pixels = (points[:, :2] + TABLE_MM / 2) * GROUND_PX
        left, upper, right, lower = window
        wide, high = right - left, lower - upper
        paint = _sampled(room.ground, pixels.reshape(high, wide, 2)).reshape(-1, 3)
        up = np.broadcast_to(np.array([0, 0, 1.0]), points.shape)
        lamp: Floats = np.ones(len(points))
        sky: Floats = np.ones(len(points))
        if placed is not None:
            some = points.reshape(high, wide, 3)[::3, ::3]
            lamp, sky = (
                np.asarray(
                    cv2.resize(seen.reshape(some.shape[:2]), (wide, high)).ravel(),
                    np.float64,
                )
                for seen in self._seen_lights(some.reshape(-1, 3), placed)
            )
        light = self._shade(points, up, paint, room.varnish, lamp, sky)
        return light.reshape(high, wide, 3)

    def _seen_lights(self, points: Floats, placed: _Placed) -> tuple[Floats, Floats]:
        """Return which part of lamp and sky each point sees past a body."""
        spread = np.random.default_rng(5)
        offsets = spread.normal(0, self._room.lamp_mm / 2, (_LAMP_RAYS, 3))
        lamp = np.mean(
            [
                ~_is_hidden(points, self._room.lamp + o - points, placed)
                for o in offsets
            ],
            0,
        )
        ways = spread.normal(0, 1, (_SKY_RAYS, 3))
        ways[:, 2] = np.abs(ways[:, 2]) + 0.15
        ways /= np.linalg.norm(ways, axis=1, keepdims=True)
        sky = np.average(
            [~_is_hidden(points, np.broadcast_to(w, points.shape), placed)
             for w in ways], axis=0, weights=ways[:, 2],
        )  # fmt: skip
        return np.asarray(lamp), np.asarray(sky)

    def _shade(
        self,
        points: Floats,
        normals: Floats,
        paint: Floats,
        gloss: float,
        lamp: Floats,
        sky: Floats,
    ) -> Floats:
        """Return the light ``(N, 3)`` that points send to the camera."""
        room = self._room
        to_lamp = room.lamp - points
        far = np.linalg.norm(to_lamp, axis=1, keepdims=True)
        to_lamp = to_lamp / far
        fall = (np.linalg.norm(room.lamp) / far) ** 2
        facing = np.maximum(0, (normals * to_lamp).sum(1, keepdims=True))
        upward = 0.5 + 0.5 * normals[:, 2:]
        received = room.light * fall * facing * lamp[:, None]
        received = received + room.sky * upward * sky[:, None]
        to_eye = room.eye - points
        to_eye = to_eye / np.linalg.norm(to_eye, axis=1, keepdims=True)
        half = to_lamp + to_eye
        half /= np.linalg.norm(half, axis=1, keepdims=True)
        mirror = np.maximum(0, (normals * half).sum(1, keepdims=True)) ** 60
        glance = gloss * mirror * room.light * fall * lamp[:, None] * 2
        return np.asarray(paint * received + glance + gloss * 0.05 * room.sky)

    def _body_light(
        self, window: tuple[int, int, int, int], placed: _Placed, paint: Paint
    ) -> tuple[Floats, Floats]:
        """Return how much of each pixel a body covers, and its light there."""
        rays = self._rays(window, _FINE)
        start = np.broadcast_to(self._room.eye, rays.shape)
        near, _, first = _cross(start, rays, placed)
        hit = np.flatnonzero(np.isfinite(near))
        light = np.zeros((len(rays), 3))
        points = start[hit] + rays[hit] * near[hit, None]
        normals = placed.normals[first[hit]]
        colour = _painted(points, first[hit], placed, paint)
        every = np.ones(len(hit))
        light[hit] = self._shade(points, normals, colour, paint.gloss, every, every)
        cover = np.isfinite(near).astype(np.float32)
        left, upper, right, lower = window
        shape = (lower - upper, _FINE, right - left, _FINE)
        return (
            cover.reshape(*shape, 1).mean((1, 3)),
            light.reshape(*shape, 3).mean((1, 3)),
        )

    def _develop(self, light: Floats) -> Picture:
        """Return light as a camera keeps it: exposed, soft, noisy, packed; BGR."""
        chance = self._random
        gain = self._gain * float(np.exp(chance.normal(0, 0.05)))
        exposed = np.clip(light * self._room.white * gain, 0, 1)[:, :, ::-1]
        soft = cv2.GaussianBlur(exposed, (0, 0), float(chance.uniform(0.5, 0.9)))
        toned = soft ** (1 / 2.2)
        noisy = 255 * toned + chance.normal(0, 2.5, soft.shape)
        picture = np.asarray(np.clip(noisy, 0, 255), np.uint8)
        kept = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])[1]
        return np.asarray(cv2.imdecode(kept, cv2.IMREAD_COLOR), np.uint8)


def _part(light: Floats, window: tuple[int, int, int, int]) -> Floats:
    left, upper, right, lower = window
    return light[upper:lower, left:right]


def _cross(
    start: Floats, rays: Floats, placed: _Placed
) -> tuple[Floats, Floats, Floats]:
    """Return where rays enter and leave a body, and by which plane; inf for never."""
    toward = rays @ placed.normals.T
    gap = placed.away - start @ placed.normals.T
    with np.errstate(divide="ignore", invalid="ignore"):
        at = gap / toward
    into = np.where(toward < 0, at, -np.inf)
    out = np.where(toward > 0, at, np.inf)
    first = into.argmax(1)
    near, far = into.max(1), out.min(1)
    missed = (near >= far) | (far <= 0)
    return np.where(missed, np.inf, near), far, first


def _is_hidden(points: Floats, ways: Floats, placed: _Placed) -> Mask:
    near, far, _ = _cross(points, ways, placed)
    return np.asarray(np.isfinite(near) & (far > 1e-6), np.bool_)


def _painted(points: Floats, first: Floats, placed: _Placed, paint: Paint) -> Floats:
    """Return the colour of points ``(N, 3)`` on a body."""
    colours = np.broadcast_to(paint.colour, points.shape).copy()
    width = placed.body.width_mm
    own = (points - placed.middle) @ placed.turn / width
    for number, print_ in enumerate(paint.prints):
        here = np.flatnonzero(first == number)
        face = placed.body.faces[number]
        if not len(here) or not face.radius:
            continue
        off = own[here] - face.middle
        x = off @ face.across / face.radius
        y = off @ face.down / face.radius
        side = print_.shape[0]
        pixels = (np.stack([x, y], -1) + 1) / 2 * side - 0.5
        colours[here] = _sampled(print_, pixels[None])[0]
    return np.asarray(colours)


def _sampled(picture: Floats, pixels: Floats) -> Floats:
    """Return the colours of a picture at places ``(h, w, 2)``, x and y in px."""
    at = np.asarray(pixels, np.float32)
    seen = cv2.remap(
        np.asarray(picture, np.float32), at[..., 0], at[..., 1], cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    return np.asarray(seen)
