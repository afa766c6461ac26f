"""Draw the lessons in which a stand-in copy is taught, as an owner would show it."""

import numpy as np

from companion.table import Face, Piece, Place
from vision.drawn.light import LIGHTS
from vision.drawn.tabletop import Lying, Tabletop
from vision.places.teaching import Lesson
from vision.plan import DIE, Plan, Spot
from vision.pose import Pose, above

SIZE = (720, 1280)

ROUNDS = 3
"""How often each piece is shown; with one shot a poisoned one would go unnoticed."""


def pose_for(plan: Plan, seed: int, size: tuple[int, int] = SIZE) -> Pose:
    """Return a camera about half a metre above a table, leaning a little.

    The whole table fills its picture but for a narrow rim.
    """
    random = np.random.default_rng(seed)
    middle = (plan.width_mm / 2, plan.height_mm / 2)
    focal = size[1] * 0.8
    wide = max(plan.width_mm, plan.height_mm * size[1] / size[0])
    return above(
        size,
        focal,
        (middle[0] + float(random.uniform(-3, 3)), middle[1] + 4.0),
        wide * 1.06 * focal / size[1],
        tilt_deg=float(random.uniform(0, 7)),
        roll_deg=float(random.uniform(-1, 1)),
        lean_deg=float(random.uniform(-3, 3)),
    )


def draw_lessons(plan: Plan, seed: int) -> tuple[Lesson, ...]:
    """Return lessons that show every piece ROUNDS times, each from another place."""
    lessons: list[Lesson] = []
    for number in range(ROUNDS):
        random = np.random.default_rng((seed, number))
        left = [
            (look.piece, look.face)
            for look in plan.looks
            if plan.thing(look.piece).shape is not DIE
        ]
        while left:
            shown, left = _arrange(plan, left, random)
            lessons.append(_draw(plan, shown, seed * 31 + len(lessons), random))
    return tuple(lessons)


def _arrange(
    plan: Plan, wanted: list[tuple[Piece, Face | None]], random: np.random.Generator
) -> tuple[list[tuple[Piece, Face | None, Spot]], list[tuple[Piece, Face | None]]]:
    """Return pieces with a spot each, far from each other, and those left over."""
    shown: list[tuple[Piece, Face | None, Spot]] = []
    left = []
    for piece, face in wanted:
        free = [
            spot
            for spot in plan.spots_of(piece)
            if all(_apart(spot, other) for _, _, other in shown)
        ]
        if free:
            shown.append((piece, face, free[int(random.integers(len(free)))]))
        else:
            left.append((piece, face))
    return shown, left


def _apart(one: Spot, other: Spot) -> bool:
    beside = abs(one.x_mm - other.x_mm) - (one.width_mm + other.width_mm) / 2
    along = abs(one.y_mm - other.y_mm) - (one.height_mm + other.height_mm) / 2
    return max(beside, along) > -1.0


def _draw(
    plan: Plan,
    shown: list[tuple[Piece, Face | None, Spot]],
    seed: int,
    random: np.random.Generator,
) -> Lesson:
    pose = pose_for(plan, seed)
    table = Tabletop(plan, pose, LIGHTS["good"], seed)
    ground = plan.grounds[0].name
    lying = tuple(
        Lying(
            piece,
            face,
            spot.x_mm + float(random.uniform(-1, 1)),
            spot.y_mm + float(random.uniform(-1, 1)),
            float(random.uniform(0, 360)),
        )
        for piece, face, spot in shown
    )
    named: tuple[tuple[Piece, Face | None, Place], ...] = tuple(
        (piece, face, spot.place) for piece, face, spot in shown
    )
    bare, picture = table.picture(ground, ()), table.picture(ground, lying)
    return Lesson(bare, picture, pose, named)
