"""Draw tables full of dice of every make and light, with what they truly show.

These pictures teach the face reader (vision/measure/training.py). They are uglier than
vision/drawn/dice.py on purpose: clutter, text, cloth, bad light, bad cameras.
"""

import cv2
import numpy as np
from msgspec import Struct

from vision.arrays import Floats, Picture
from vision.drawn.body import (
    EVERY_FACE,
    Colour,
    DieLook,
    DrawnDie,
    Lamp,
    View,
    rotation_for,
)
from vision.drawn.dice import develop, paint_dice, scatter
from vision.drawn.grounds import random_colour, random_ground

_FACES = (0.16, 0.19, 0.15, 0.13, 0.14, 0.23)
"""How often each face is drawn: more of those that makers draw differently."""

_STEEPEST = 0.77
"""Cosine of 40 degrees: further off, a side may show more than the top."""


class TrueFace(Struct, frozen=True):
    """Where a top face truly lies; vectors are ``(2,)`` in pixels.

    *face* is 0 where the face is no pip face (a symbol, a numeral), and -1 where it is
    seen so much from the side that nobody should learn from it.
    """

    middle: Floats
    across: Floats
    down: Floats
    face: int


class Scene(Struct, frozen=True):
    """A picture ``(h, w, 3)``, uint8, BGR, and the top faces in it."""

    picture: Picture
    truth: tuple[TrueFace, ...]


def draw_scene(seed: int) -> Scene:
    """Return a scene; the same seed draws the same one."""
    random = np.random.default_rng(seed)
    height, width = int(random.integers(480, 900)), int(random.integers(640, 1100))
    count = int(
        random.choice([0, 1, 2, 3, 5, 7, 9, 12], p=[0.04, *[0.16] * 3, *[0.12] * 4])
    )
    reach_px = np.exp(random.uniform(2.9, 4.2 if count > 4 else 5.3))
    distance = float(random.uniform(9, 40))
    view = View(
        size=(height, width),
        focal_px=float(reach_px * distance),
        distance=distance,
        tilt_deg=min(40.0, abs(float(random.normal(0, 16)))),
        roll_deg=float(random.uniform(0, 360)),
    )
    lamp = _lamp(random)
    field = min(height, width) / reach_px / 2 * 0.85
    spots = scatter(count, random, (field, field), float(random.uniform(1.15, 1.8)))
    looks = [_random_look(random) for _ in range(int(random.integers(1, 5)))]
    dice: list[DrawnDie] = []
    faces: list[int] = []
    for spot in spots:
        look = looks[int(random.integers(len(looks)))]
        face = int(random.choice(6, p=_FACES)) + 1
        turn = rotation_for(face, random.uniform(0, 360), bool(random.integers(2)))
        dice.append(DrawnDie(place=(*spot, 0.5), turn=turn, look=look))
        faces.append(0 if look.marked_face in (face, EVERY_FACE) else face)
    canvas = paint_dice(random_ground(view.size, random), dice, lamp, view)
    picture = _photograph(canvas, random)
    truth = [_true_face(die, face, view) for die, face in zip(dice, faces, strict=True)]
    return Scene(picture, tuple(truth))


def _true_face(die: DrawnDie, face: int, view: View) -> TrueFace:
    up = np.array([0, 0, 0.5], np.float32)
    sides = [row for row in die.turn if abs(row[2]) < 0.5]
    place = np.array(die.place, np.float32) + up
    ends = [
        place,
        *(place + side / 2 for side in sides),
        *(place - side / 2 for side in sides),
    ]
    seen = view.project(np.array(ends, np.float32))
    eye, _ = view.axes()
    ray = eye - place
    if ray[2] / np.linalg.norm(ray) < _STEEPEST:
        face = -1
    return TrueFace(seen[0], seen[1] - seen[3], seen[2] - seen[4], face)


def _lamp(random: np.random.Generator) -> Lamp:
    angle, height = random.uniform(0, 2 * np.pi), random.uniform(0.4, 3)
    to_lamp = np.array([np.cos(angle), np.sin(angle), height])
    to_lamp /= np.linalg.norm(to_lamp)
    tint = random.normal(1, 0.08, 3)
    strength = random.uniform(0.6, 1.35)
    return Lamp(
        to_lamp=(float(to_lamp[0]), float(to_lamp[1]), float(to_lamp[2])),
        colour=(
            float(tint[0] * strength),
            float(tint[1] * strength),
            float(tint[2] * strength),
        ),
        ambient=float(random.uniform(0.25, 0.85)),
    )


def _pip_colour(body: Colour, random: np.random.Generator) -> Colour:
    """Return a colour that stands out from the body, at times only just."""
    if random.random() < 0.3:
        return _faint(body, random)
    wanted = float(random.choice([0.16, 0.3, 0.5], p=[0.25, 0.35, 0.4]))
    for _ in range(40):
        plain = random.random() < 0.6
        grey = float(random.choice([0.05, 0.95])) + float(random.normal(0, 0.03))
        pips = (grey, grey, grey) if plain else random_colour(random)
        if np.abs(np.subtract(pips, body)).max() > wanted:
            return pips
    return (0.0, 0.0, 0.0) if sum(body) > 1.5 else (1.0, 1.0, 1.0)


def _faint(body: Colour, random: np.random.Generator) -> Colour:
    """Return a colour that differs from the body by little: red on black, say."""
    for _ in range(40):
        pips = random_colour(random)
        if 0.14 < np.abs(np.subtract(pips, body)).max() < 0.4:
            return pips
    shift = float(random.uniform(0.15, 0.35)) * (1 if sum(body) < 1.5 else -1)
    return body[0], body[1], min(1.0, max(0.0, body[2] + shift))


def _random_look(random: np.random.Generator) -> DieLook:
    body = random_colour(random)
    marked = random.random() < 0.16
    return DieLook(
        colour=body,
        pips=_pip_colour(body, random),
        second=random_colour(random),
        veins=float(random.choice([0, random.uniform(0.1, 0.6)], p=[0.6, 0.4])),
        rounding=float(random.uniform(0.02, 0.16)),
        ball=float(random.choice([0.87, random.uniform(0.66, 0.8)])),
        pitch=float(random.uniform(0.205, 0.285)),
        pip_radius=float(random.uniform(0.07, 0.118)),
        lone_radius=float(random.uniform(0.085, 0.17)),
        squeeze=float(random.choice([1.0, random.uniform(0.55, 1.0)])),
        gloss=float(random.uniform(0, 0.8)),
        glow=float(random.choice([0, random.uniform(0, 0.5)])),
        ring=float(random.choice([0, random.uniform(0.1, 0.7)], p=[0.75, 0.25])),
        ring_radius=float(random.uniform(0.14, 0.45)),
        mark=_random_mark(random) if marked else None,
        marked_face=int(random.integers(1, 8)) if marked else 0,
    )


def _random_mark(random: np.random.Generator) -> Floats:
    """Return a sign to stand on a face: a numeral, a letter, rings, bars or blots."""
    n = 96
    mark = np.zeros((n, n), np.uint8)
    kind = int(random.integers(5))
    if kind <= 1:
        sign = "0123456789ABXKQ+-"[int(random.integers(17))]
        cv2.putText(
            mark,
            sign,
            (22, 74),
            int(random.integers(0, 5)),
            2.6,
            255,
            int(random.integers(4, 14)),
        )
    elif kind == 2:
        cv2.circle(
            mark,
            (48, 48),
            int(random.integers(14, 40)),
            255,
            int(random.integers(3, 12)),
        )
        cv2.circle(mark, (48, 48), int(random.integers(3, 12)), 255, -1)
    elif kind == 3:
        for _ in range(int(random.integers(2, 6))):
            a, b = random.integers(8, 88, 2), random.integers(8, 88, 2)
            cv2.line(mark, a.tolist(), b.tolist(), 255, int(random.integers(4, 14)))
    else:
        for _ in range(int(random.integers(2, 7))):
            centre, axes = random.integers(12, 84, 2), random.integers(3, 24, 2)
            cv2.ellipse(
                mark,
                centre.tolist(),
                axes.tolist(),
                float(random.uniform(0, 180)),
                0,
                360,
                255,
                -1,
            )
    return np.asarray(mark, np.float32) / 255


def _photograph(canvas: Floats, random: np.random.Generator) -> Picture:
    exposure = float(
        random.choice([1.0, random.uniform(0.4, 1.0), random.uniform(1.0, 1.6)])
    )
    blur = float(random.choice([0.5, random.uniform(0.4, 1.4)]))
    picture = develop(
        canvas * exposure, random, noise=float(random.uniform(0.5, 7)), blur_px=blur
    )
    if random.random() < 0.6:
        quality = int(random.integers(35, 95))
        _, jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
        picture = np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)
    return picture
