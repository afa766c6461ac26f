"""Read dice whose faces have nothing on them but a colour.

Colours are compared with that of the ground beside the die, channel by channel, so that
neither the strength nor the tint of the light matters. A die is what differs from the
ground of the tray; its face is the middle of what is seen of it.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from companion.table import BoxPx, Face
from vision.arrays import Floats, Picture
from vision.ground.upper_side import PointBelow
from vision.taught_dice.bodies import LEAST, find_bodies
from vision.taught_dice.judging import DetectedTaughtDie
from vision.taught_dice.looks import FaceShot

DISC = 0.4
"""Radius of the disc that is looked at, over half a side of the box: within the rim of
the face, however the die is turned."""

APART = 0.30
"""Distance of two colours below which a pair is always asked."""

SAFE = 0.45
"""Part of the way to the nearest other colour within which a face is taken."""

FAR = 0.185
"""Farther than this from every colour that was shown, it is none of them: the middle
between the farthest die of its own colour and the nearest of a strange one on drawn
tables 0 to 2, 0.169 and 0.202 of 201 in six lamps."""

SIZES = (LEAST, 1.7)
"""Sides of what is seen over those that were shown; larger are two dice that touch."""

FLOOR = 16.0
"""Grey values added before logarithms are taken: dark channels are mostly noise."""

BESIDE = 1.2
"""Sides about a box in which the ground is looked at: what is kept about a shot."""

_FACES = 3

LIKELY = 0.1
"""Chance below which a face does not come into a question of signs that look alike."""


class HueModel(Struct, frozen=True):
    """A die of colours that was shown.

    Attributes:
        faces: Each face with its colour: logarithms of B, G, R over the ground's.
        safe: For each face, the distance to the nearest other one.
        always_ask: Pairs of faces too much alike to be decided.
        bad: Numbers of shots that look like no other of their face.
        mistaken: Numbers of shots that look like another face, and which.
        size: Side of its box over the longer side of the picture.
    """

    faces: tuple[tuple[Face, tuple[float, float, float]], ...]
    safe: dict[Face, float]
    size: float
    always_ask: tuple[tuple[Face, Face], ...] = ()
    bad: tuple[int, ...] = ()
    mistaken: tuple[tuple[int, Face], ...] = ()


def teach_hues(shots: Sequence[FaceShot]) -> HueModel:
    """Return the die of colours that shots show, each with ground about its box."""
    seen = [hue_over_ground(shot.picture, shot.box) for shot in shots]
    by_face: dict[Face, list[int]] = {}
    for number, shot in enumerate(shots):
        by_face.setdefault(shot.face, []).append(number)
    middles = {
        face: np.median([seen[n] for n in some], axis=0)
        for face, some in by_face.items()
    }
    mistaken, bad = [], []
    for number, shot in enumerate(shots):
        ranked = sorted(middles, key=lambda f: _gap(seen[number], middles[f]))
        own = _gap(seen[number], middles[shot.face])
        if ranked[0] != shot.face and own > APART:
            mistaken.append((number, ranked[0]))
        elif own > APART and len(by_face[shot.face]) > 2:
            bad.append(number)
    gone = {*bad, *(number for number, _ in mistaken)}
    kept = {
        face: np.mean([seen[n] for n in some if n not in gone], axis=0)
        for face, some in by_face.items()
        if set(some) - gone
    }
    safe = {
        face: min((_gap(at, kept[other]) for other in kept if other != face), default=9)
        for face, at in kept.items()
    }
    names = sorted(kept)
    twins = tuple(
        (one, other)
        for index, one in enumerate(names)
        for other in names[index + 1 :]
        if _gap(kept[one], kept[other]) < APART
    )
    size = float(np.median([_side(shot.box) / shot.long_px for shot in shots]))
    faces = tuple(
        (face, (float(at[0]), float(at[1]), float(at[2]))) for face, at in kept.items()
    )
    return HueModel(faces, safe, size, twins, tuple(bad), tuple(mistaken))


def hue_over_ground(picture: Picture, box: BoxPx) -> Floats:
    """Return logarithms ``(3,)``, B, G, R, of the colour in a box over the ground's.

    The ground is what lies about the box: light that falls from one side or is mirrored
    by varnish changes both alike. A box may reach over the picture's edge, but its
    middle lies in the picture.
    """
    left, top, right, bottom = box
    radius = max(1.0, DISC * _side(box) / 2)
    middle = (left + right - 1) / 2, (top + bottom - 1) / 2
    y, x = np.mgrid[max(0, top) : max(0, bottom), max(0, left) : max(0, right)]
    part = picture[max(0, top) : max(0, bottom), max(0, left) : max(0, right)]
    within = np.hypot(x - middle[0], y - middle[1]) <= radius
    cut = part[within[: part.shape[0], : part.shape[1]]]
    seen = np.median(cut.reshape(-1, 3), axis=0)
    return np.asarray(
        np.log((seen + FLOOR) / (measure_ground(picture, box) + FLOOR)), np.float32
    )


def measure_ground(picture: Picture, box: BoxPx) -> Floats:
    """Return the colour of the ground about a box, ``(3,)``, BGR."""
    left, top, right, bottom = box
    inner, outer = round(0.15 * _side(box)), round(BESIDE * _side(box))
    x, y = max(0, left - outer), max(0, top - outer)
    cut = picture[y : bottom + outer, x : right + outer]
    beside = np.ones(cut.shape[:2], np.bool_)
    beside[
        max(0, top - inner - y) : max(0, bottom + inner - y),
        max(0, left - inner - x) : max(0, right + inner - x),
    ] = False
    some = cut[beside] if beside.any() else cut.reshape(-1, 3)
    return np.asarray(np.median(some, axis=0), np.float32)


def read_hues(
    picture: Picture,
    model: HueModel,
    taken: Sequence[BoxPx] = (),
    long_px: float | None = None,
    bare: Picture | None = None,
    below: PointBelow | None = None,
) -> tuple[DetectedTaughtDie, ...]:
    """Return the dice of colours in a picture of a tray, ``(h, w, 3)``, uint8, BGR.

    Args:
        picture: The tray and little else: most of it is bare ground.
        model: The die.
        taken: Where other dice were read.
        long_px: Longer side of the photograph that *picture* was cut from.
        bare: The same tray without dice, in whatever light, where there is one.
        below: The point below the camera; None where nobody knows.
    """
    side = model.size * (long_px or float(max(picture.shape[:2])))
    bodies = find_bodies(picture, side, bare, below)
    boxes = [body.top for body in bodies if not _holds(taken, body.top)]
    found = [_decide(picture, box, side, model) for box in boxes]
    dice = [die for die in found if die is not None]
    sure = [die for die in dice if die.sure]
    least_px = SIZES[0] * side
    if len(sure) == 1 and all(_side(die.box) < least_px or die.sure for die in dice):
        # What is too small for a die is a rim of the tray that a knock has moved.
        return tuple(sure)
    # Of several things one is no die of this throw, and nobody can say which.
    return tuple(DetectedTaughtDie(die.faces, False, die.box) for die in dice)


def decide_by_hue(
    picture: Picture,
    read: DetectedTaughtDie,
    model: HueModel,
    alike: Sequence[tuple[Face, Face]],
) -> DetectedTaughtDie:
    """Return a die whose sign may be one of some that look alike, decided by colour.

    It stays a question where another face than those comes into it, or where their
    colours are not apart either. *alike* has the pairs whose signs look the same.
    """
    named = {face for face, chance in read.faces if chance > LIKELY}
    first = read.faces[0][0]
    if not all(
        face == first or any({first, face} == set(pair) for pair in alike)
        for face in named
    ):
        return read
    seen = hue_over_ground(picture, read.box)
    colours = {face: np.array(at) for face, at in model.faces}
    group = {first, *(face for pair in alike if first in pair for face in pair)}
    if len(group) < 2 or not group <= colours.keys():
        return read
    gaps = sorted((_gap(seen, colours[face]), face) for face in group)
    best, face = gaps[0]
    apart = min(_gap(colours[face], colours[other]) for other in group - {face})
    if apart < APART or best > SAFE * apart:
        return read
    return DetectedTaughtDie(((face, 0.97),), True, read.box)


def _decide(
    picture: Picture, box: BoxPx, side_px: float, model: HueModel
) -> DetectedTaughtDie | None:
    """Return what a body shows, None for what is far too large for a die."""
    grown = _side(box) / side_px
    if grown > 3 * SIZES[1]:
        return None
    seen = hue_over_ground(picture, box)
    gaps = sorted((_gap(seen, np.array(at)), face) for face, at in model.faces)
    best, face = gaps[0]
    twin = any(face in pair for pair in model.always_ask)
    sure = (
        best < min(FAR, SAFE * model.safe.get(face, 9.0))
        and not twin
        and SIZES[0] < grown < SIZES[1]
    )
    if sure:
        return DetectedTaughtDie(((face, 0.98),), True, box)
    weights = [(name, float(np.exp(-3 * gap))) for gap, name in gaps[:_FACES]]
    total = sum(weight for _, weight in weights) + 0.02
    chances = tuple((name, round(weight / total, 3)) for name, weight in weights)
    return DetectedTaughtDie(chances, False, box)


def _holds(taken: Sequence[BoxPx], box: BoxPx) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return any(t[0] <= x <= t[2] and t[1] <= y <= t[3] for t in taken)


def _side(box: BoxPx) -> float:
    return float(np.sqrt((box[2] - box[0]) * (box[3] - box[1])))


def _gap(one: Floats, other: Floats) -> float:
    """Return the distance of two colours in brightness and in the channel farthest off.

    Lamps change all three channels more than one of them.
    """
    off = np.asarray(one) - np.asarray(other)
    level = float(off.mean())
    return float(np.hypot(level, np.abs(off - level).max()))
