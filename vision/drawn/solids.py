"""Draw what stands up from the table: figures, gems, dice and hands, with shadows."""

from collections.abc import Iterable
from typing import Protocol, TypeVar

import cv2
import numpy as np

from vision.arrays import Floats, Picture
from vision.drawn.body import DieLook, DrawnDie, Lamp, render_die, rotation_for
from vision.drawn.light import Light
from vision.tabletop.plan import DIE, GEM, Bgr, PieceLook, Thing
from vision.tabletop.pose import CameraPose

_ROUND = np.linspace(0, 2 * np.pi, 40, endpoint=False)
_WINGS = np.array([(-1.9, -0.5), (-0.7, 0.7), (0.7, 0.7), (1.9, -0.5), (0, -0.15)])
"""Outline of a pair of wings, in half widths of the figure."""

_SKIN: Bgr = (120, 150, 205)
_HAND_TALL_MM = 45.0


class Placed(Protocol):
    """Anything with a place on the table."""

    @property
    def x_mm(self) -> float:
        """From the left."""

    @property
    def y_mm(self) -> float:
        """From the far side."""


P = TypeVar("P", bound=Placed)


def sort_far_first(placed: Iterable[P], pose: CameraPose) -> list[P]:
    """Return things in the order in which they hide each other."""
    x, y, _ = pose.eye_mm
    return sorted(placed, key=lambda one: -((one.x_mm - x) ** 2 + (one.y_mm - y) ** 2))


def circle_points(x_mm: float, y_mm: float, radius_mm: float) -> Floats:
    """Return points ``(N, 2)`` of a circle in mm."""
    ring = np.stack([np.cos(_ROUND), np.sin(_ROUND)], -1) * radius_mm
    return np.asarray(ring + np.array([x_mm, y_mm]), np.float32)


def shadow_outline(thing: Thing, x_mm: float, y_mm: float, light: Light) -> Floats:
    """Return the outline ``(N, 2)`` in mm of a thing's shadow on the table."""
    foot = circle_points(x_mm, y_mm, thing.width_mm / 2)
    head = foot + np.array(light.fall, np.float32) * thing.tall_mm
    hull = cv2.convexHull(np.concatenate([foot, head]).astype(np.float32))
    return np.asarray(hull.reshape(-1, 2), np.float32)


def paint_solid(
    canvas: Picture,
    thing: Thing,
    look: PieceLook,
    spot: tuple[float, float, float],
    pose: CameraPose,
) -> None:
    """Paint a standing thing at a spot (x_mm, y_mm, turn_deg)."""
    if thing.shape is DIE:
        _paint_die(canvas, thing, look, spot, pose)
        return
    x_mm, y_mm, turn_deg = spot
    radius = thing.width_mm / 2
    foot = _project_at(circle_points(x_mm, y_mm, radius), 0, pose)
    rim = _project_at(circle_points(x_mm, y_mm, radius * 0.92), thing.tall_mm, pose)
    if look.sign == "wings":
        _paint_wings(canvas, thing, look, spot, pose)
    side = tuple(round(value * 0.62) for value in look.colour)
    body = cv2.convexHull(np.concatenate([foot, rim])).reshape(-1, 2)
    _fill(canvas, np.asarray(body, np.float32), side)
    if thing.shape is GEM:
        corners = circle_points(x_mm, y_mm, radius * 0.9)[:: len(_ROUND) // 6]
        _fill(canvas, _project_at(corners, thing.tall_mm, pose), look.colour)
        glint = circle_points(x_mm - radius / 4, y_mm - radius / 4, radius * 0.3)
        _fill(canvas, _project_at(glint, thing.tall_mm, pose), look.second)
        return
    _fill(canvas, rim, look.colour)
    middle = _project_at(circle_points(x_mm, y_mm, radius * 0.48), thing.tall_mm, pose)
    _fill(canvas, middle, look.second)
    # A knob's top catches the lamp on one side.
    angle = np.radians(turn_deg)
    lit = (x_mm + 0.66 * radius * np.cos(angle), y_mm + 0.66 * radius * np.sin(angle))
    pale = tuple(round(value + (255 - value) * 0.3) for value in look.colour)
    glint = circle_points(lit[0], lit[1], radius * 0.12)
    _fill(canvas, _project_at(glint, thing.tall_mm, pose), pale)


def _paint_wings(
    canvas: Picture,
    thing: Thing,
    look: PieceLook,
    spot: tuple[float, float, float],
    pose: CameraPose,
) -> None:
    turn = np.radians(spot[2])
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    wings = _WINGS @ spin.T * (thing.width_mm / 2) + spot[:2]
    seen = _project_at(np.asarray(wings, np.float32), thing.tall_mm * 0.6, pose)
    dark = tuple(round(value * 0.8) for value in look.colour)
    cv2.fillPoly(canvas, [np.rint(seen).astype(np.int32)], dark, cv2.LINE_AA)


def _project_at(points_mm: Floats, tall_mm: float, pose: CameraPose) -> Floats:
    tall = np.full(len(points_mm), tall_mm, np.float32)
    return pose.project(np.column_stack([points_mm, tall]).astype(np.float32))


def _fill(canvas: Picture, outline_px: Floats, colour: tuple[int, ...]) -> None:
    # Sixteenths of a pixel, so that a figure moved by less than one looks moved.
    points = np.rint(outline_px * 16).astype(np.int32)
    cv2.fillConvexPoly(canvas, points, colour, cv2.LINE_AA, 4)


class _DieView:
    """The camera as the die drawing wants it: lengths in die widths, y away from us."""

    def __init__(
        self, pose: CameraPose, thing: Thing, x_mm: float, y_mm: float
    ) -> None:
        self._pose = pose
        self.focal_px = pose.focal_px
        flip = np.array([1, -1, 1], np.float32)
        place = np.array(pose.eye_mm, np.float32) - np.array([x_mm, y_mm, 0])
        self._eye = np.asarray(place * flip / thing.width_mm, np.float32)
        self._axes = np.asarray(pose.axes * flip, np.float32)
        self.distance = float(np.linalg.norm(self._eye))

    def axes(self) -> tuple[Floats, Floats]:
        """Return place ``(3,)`` and axes ``(3, 3)`` of the camera."""
        return self._eye, self._axes

    def rays(self, rows: range, columns: range) -> Floats:
        """Return unit directions ``(h, w, 3)`` of the rays through some pixels."""
        height, width = self._pose.size
        right, down = self._pose.shift_px
        x = (np.array(columns, np.float32) + 0.5 - width / 2 - right) / self.focal_px
        y = (np.array(rows, np.float32) + 0.5 - height / 2 - down) / self.focal_px
        grid = np.stack(np.broadcast_arrays(x[None, :], y[:, None], np.float32(1)), -1)
        rays = grid @ self._axes
        rays /= np.linalg.norm(rays, axis=-1, keepdims=True)
        return np.asarray(rays, np.float32)


_LAMP = Lamp(to_lamp=(-0.3, 0.3, 0.906), ambient=0.62)


def _paint_die(
    canvas: Picture,
    thing: Thing,
    look: PieceLook,
    spot: tuple[float, float, float],
    pose: CameraPose,
) -> None:
    """Paint a die; its face stands in the sign of its look."""
    b, g, r = (value / 255 for value in look.colour)
    ink_b, ink_g, ink_r = (value / 255 for value in look.second)
    die = DrawnDie(
        place=(0.0, 0.0, 0.5),
        turn=rotation_for(int(look.sign), spot[2]),
        look=DieLook(colour=(b, g, r), pips=(ink_b, ink_g, ink_r), ball=0.74),
    )
    outline = circle_points(spot[0], spot[1], thing.width_mm * 0.8)
    ends = np.concatenate(
        [_project_at(outline, 0, pose), _project_at(outline, thing.width_mm, pose)]
    )
    height, width = pose.size
    left, top = np.floor(ends.min(0)).astype(int)
    right, bottom = np.ceil(ends.max(0)).astype(int) + 1
    rows = range(max(0, int(top)), min(height, int(bottom)))
    columns = range(max(0, int(left)), min(width, int(right)))
    if not len(rows) or not len(columns):
        return
    drawn = render_die(
        die, _LAMP, _DieView(pose, thing, spot[0], spot[1]), rows, columns
    )
    cover = drawn[:, :, 3:]
    area = canvas[rows.start : rows.stop, columns.start : columns.stop]
    area[:] = np.clip(area * (1 - cover) + drawn[:, :, :3] * cover * 255, 0, 255)


def paint_hand(
    canvas: Picture, spot: tuple[float, float, float], pose: CameraPose, light: Light
) -> Picture:
    """Return the canvas with a hand over it: spot is (x_mm, y_mm, from_deg)."""
    x_mm, y_mm, from_deg = spot
    away = np.radians(from_deg)
    back = np.array([np.cos(away), np.sin(away)])
    across = np.array([-back[1], back[0]])
    palm = np.array([x_mm, y_mm]) + back * 55
    parts = [
        _stick(palm, palm + back * 700, 26.0),
        _stick(palm, palm + back * 25, 34.0),
    ]
    parts += [
        _stick(palm, palm - back * 60 + across * spread * 40, 7.5)
        for spread in (-0.8, -0.3, 0.15, 0.55)
    ]
    shadow = np.full(pose.size, 255, np.uint8)
    fall = np.array(light.fall) * _HAND_TALL_MM
    for part in parts:
        _fill(shadow, _project_at(np.asarray(part + fall, np.float32), 0, pose), (150,))
    soft = cv2.GaussianBlur(shadow, (0, 0), 9)
    shaded = np.asarray(
        cv2.multiply(canvas, cv2.merge([soft] * 3), scale=1 / 255), np.uint8
    )
    for part in parts:
        _fill(
            shaded,
            _project_at(np.asarray(part, np.float32), _HAND_TALL_MM, pose),
            _SKIN,
        )
    return shaded


def _stick(start: Floats, end: Floats, radius_mm: float) -> Floats:
    """Return the outline ``(N, 2)`` of a stick with round ends."""
    both = np.concatenate(
        [
            circle_points(float(start[0]), float(start[1]), radius_mm),
            circle_points(float(end[0]), float(end[1]), radius_mm),
        ]
    )
    hull = cv2.convexHull(both)
    return np.asarray(hull.reshape(-1, 2), np.float32)
