"""Draw a throw of pip dice on a felt tray, for the demo and for tests.

The same faces and seed give the same picture; nothing is read from a file.
"""

import cv2
import numpy as np

from vision.arrays import Floats, Picture
from vision.drawn.body import (
    Colour,
    DieLook,
    DrawnDie,
    Lamp,
    View,
    render_die,
    rotation_for,
)

_LOOKS = (
    DieLook(colour=(0.90, 0.95, 0.97), pips=(0.08, 0.07, 0.07), ball=0.72, gloss=0.25),
    DieLook(
        colour=(0.16, 0.14, 0.62), pips=(0.93, 0.95, 0.96), rounding=0.1, gloss=0.4
    ),
    DieLook(
        colour=(0.34, 0.18, 0.10), pips=(0.92, 0.94, 0.95), rounding=0.1, gloss=0.4
    ),
    DieLook(
        colour=(0.72, 0.88, 0.93),
        pips=(0.10, 0.10, 0.45),
        second=(0.45, 0.70, 0.82),
        veins=0.35,
        ball=0.74,
    ),
)
_FELT: tuple[Colour, ...] = ((0.20, 0.27, 0.12), (0.30, 0.16, 0.12), (0.16, 0.14, 0.32))
_WOOD: Colour = (0.17, 0.27, 0.42)


def draw_roll(
    faces: tuple[str, ...], seed: int, size: tuple[int, int] = (720, 1280)
) -> Picture:
    """Return a picture ``(h, w, 3)``, uint8, BGR, of dice that show *faces*.

    The dice lie apart, in the middle of a tray, under one lamp whose place, strength
    and warmth depend on *seed*.

    Args:
        faces: Top faces, each ``"1"`` to ``"6"``; up to 12 of them.
        seed: Any whole number; the same one draws the same picture.
        size: Height and width in pixels.

    Raises:
        ValueError: A face that no pip die has, or more than 12 dice.
    """
    if len(faces) > 12 or any(face not in "123456" or len(face) != 1 for face in faces):
        raise ValueError(f"{faces} cannot be drawn; give up to 12 faces '1' to '6'")
    random = np.random.default_rng(seed)
    view = View(
        size=size,
        focal_px=size[0] * 1.6,
        distance=16.0,
        tilt_deg=float(random.uniform(4, 16)),
    )
    lamp = _lamp(random)
    look = _LOOKS[int(random.integers(len(_LOOKS)))]
    spots = scatter(len(faces), random, reach=(4.6, 2.4), apart=1.75)
    dice = [
        DrawnDie(
            place=(*spot, 0.5),
            turn=rotation_for(int(face), random.uniform(0, 90)),
            look=look,
        )
        for face, spot in zip(faces, spots, strict=True)
    ]
    return develop(paint_dice(_tray(view, random), dice, lamp, view), random, noise=1.6)


def _lamp(random: np.random.Generator) -> Lamp:
    angle, height = random.uniform(0, 2 * np.pi), random.uniform(1.3, 2.2)
    to_lamp = np.array([np.cos(angle), np.sin(angle), height])
    to_lamp /= np.linalg.norm(to_lamp)
    warmth = random.uniform(-0.06, 0.1)
    return Lamp(
        to_lamp=(float(to_lamp[0]), float(to_lamp[1]), float(to_lamp[2])),
        colour=(1.04 - warmth, 1.06, 1.06 + warmth / 2),
        ambient=float(random.uniform(0.45, 0.6)),
    )


def scatter(
    count: int, random: np.random.Generator, reach: tuple[float, float], apart: float
) -> list[tuple[float, float]]:
    """Return *count* places within ±*reach*, no two nearer than *apart*.

    Where chance finds no free place after 200 tries, the distance asked for shrinks.
    """
    spots: list[tuple[float, float]] = []
    while len(spots) < count:
        for _ in range(200):
            x, y = (float(random.uniform(-side, side)) for side in reach)
            if all((x - a) ** 2 + (y - b) ** 2 >= apart**2 for a, b in spots):
                spots.append((x, y))
                break
        else:
            apart *= 0.9
    return spots


def paint_dice(ground: Floats, dice: list[DrawnDie], lamp: Lamp, view: View) -> Floats:
    """Return the ground ``(h, w, 3)``, BGR 0 to 1, with shadows and dice on it."""
    canvas = ground * _shadow(dice, lamp, view)[:, :, None]
    eye, _ = view.axes()
    far_first = sorted(dice, key=lambda die: -float(np.linalg.norm(eye - die.place)))
    for die in far_first:
        rows, columns = _window(die, view)
        if not len(rows) or not len(columns):
            continue
        drawn = render_die(die, lamp, view, rows, columns)
        cover = drawn[:, :, 3:]
        spot = canvas[rows.start : rows.stop, columns.start : columns.stop]
        spot[:] = spot * (1 - cover) + drawn[:, :, :3] * cover
    return canvas


def die_corners(die: DrawnDie) -> Floats:
    """Return the eight corners ``(8, 3)`` of a die in table coordinates."""
    cube = np.array(
        [(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)],
        np.float32,
    )
    return (cube @ die.turn + np.array(die.place, np.float32)).astype(np.float32)


def _window(die: DrawnDie, view: View) -> tuple[range, range]:
    seen = view.project(die_corners(die))
    low, high = np.floor(seen.min(0)) - 2, np.ceil(seen.max(0)) + 3
    height, width = view.size
    return (
        range(max(0, int(low[1])), max(0, min(height, int(high[1])))),
        range(max(0, int(low[0])), max(0, min(width, int(high[0])))),
    )


def _shadow(dice: list[DrawnDie], lamp: Lamp, view: View) -> Floats:
    """Return the share of light ``(h, w)`` that reaches the ground."""
    share = np.ones(view.size, np.float32)
    slant = np.array(lamp.to_lamp[:2]) / max(lamp.to_lamp[2], 0.2)
    for die in dice:
        points = die_corners(die)
        cast = points[:, :2] - points[:, 2:] * slant
        flat = np.column_stack([cast, np.zeros(8)]).astype(np.float32)
        hull = cv2.convexHull(view.project(flat))
        cv2.fillConvexPoly(
            share, np.rint(hull).astype(np.int32), lamp.ambient * 0.8, cv2.LINE_AA
        )
    softness = view.focal_px / view.distance * 0.05
    return np.asarray(cv2.GaussianBlur(share, (0, 0), max(softness, 0.5)), np.float32)


def _tray(view: View, random: np.random.Generator) -> Floats:
    """Return felt in a wooden rim ``(h, w, 3)``, BGR 0 to 1."""
    height, width = view.size
    felt = np.array(_FELT[int(random.integers(len(_FELT)))], np.float32)
    nap = (
        smooth_noise(view.size, 1.0, random) * 0.10
        + smooth_noise(view.size, 7.0, random) * 0.05
    )
    ground = felt * (1 + nap[:, :, None])
    rim = np.zeros(view.size, np.uint8)
    edge = np.array([(-6.1, -3.9), (6.1, -3.9), (6.1, 3.9), (-6.1, 3.9)], np.float32)
    floor = np.column_stack([edge, np.zeros(4)]).astype(np.float32)
    cv2.fillConvexPoly(
        rim, np.rint(view.project(floor)).astype(np.int32), 255, cv2.LINE_AA
    )
    inside = np.asarray(rim, np.float32)[:, :, None] / 255
    lines = cv2.resize(
        random.normal(0, 1, (height, 24)).astype(np.float32), (width, height)
    )
    streaks = np.asarray(cv2.GaussianBlur(lines, (0, 0), 1.2), np.float32)
    wood = np.array(_WOOD, np.float32) * (1 + 0.16 * streaks[:, :, None])
    inner = np.asarray(cv2.GaussianBlur(inside, (0, 0), height / 60), np.float32)
    falloff = 0.55 + 0.45 * np.clip(inner.reshape(height, width, 1) * 2 - 1, 0, 1)
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    lamplight = (1.15 - 0.25 * (x**2 + y**2))[:, :, None]
    lit = (ground * falloff * inside + wood * (1 - inside)) * lamplight
    return np.asarray(lit, np.float32)


def smooth_noise(
    size: tuple[int, int], width_px: float, random: np.random.Generator
) -> Floats:
    """Return smooth noise of shape *size*, mean 0 and spread 1."""
    small = (max(2, int(size[0] / width_px)), max(2, int(size[1] / width_px)))
    noise = random.normal(0, 1, small).astype(np.float32)
    return np.asarray(
        cv2.resize(noise, (size[1], size[0]), interpolation=cv2.INTER_CUBIC), np.float32
    )


def develop(
    canvas: Floats, random: np.random.Generator, noise: float, blur_px: float = 0.6
) -> Picture:
    """Return light ``(h, w, 3)`` 0 to 1 as a camera's uint8 picture.

    *noise* is the spread of the sensor's noise in grey values.
    """
    soft = np.asarray(cv2.GaussianBlur(canvas, (0, 0), blur_px), np.float32)
    grey = np.clip(soft, 0, 1) ** 0.85 * 255
    grey += random.normal(0, noise, grey.shape).astype(np.float32)
    return np.asarray(np.clip(grey, 0, 255), np.uint8)
