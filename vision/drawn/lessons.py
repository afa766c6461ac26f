"""Draw the lessons in which a stand-in copy is taught, as an owner would show it."""

import numpy as np
from msgspec.structs import replace

from companion.table import Face, Piece
from vision.drawn.light import LIGHTS
from vision.drawn.tabletop import DrawnPiece, Tabletop
from vision.tabletop.plan import CARD, DIE, Plan, Spot
from vision.tabletop.pose import CameraPose, camera_above
from vision.tabletop.teaching import TeachingPicture

SIZE = (720, 1280)

ROUNDS = 3
"""How often each piece is shown; with one shot a poisoned one would go unnoticed."""


CROOKED_DEG = 1.5
"""Spread of how far from straight people lay cards on a printed frame."""


def random_pose(plan: Plan, seed: int, size: tuple[int, int] = SIZE) -> CameraPose:
    """Return a camera about half a metre above a table, leaning a little.

    The whole table fills its picture but for a narrow rim.
    """
    random = np.random.default_rng(seed)
    middle = (plan.width_mm / 2, plan.height_mm / 2)
    focal = size[1] * 0.8
    wide = max(plan.width_mm, plan.height_mm * size[1] / size[0])
    return camera_above(
        size,
        focal,
        (middle[0] + float(random.uniform(-3, 3)), middle[1] + 4.0),
        wide * 1.06 * focal / size[1],
        tilt_deg=float(random.uniform(0, 7)),
        roll_deg=float(random.uniform(-1, 1)),
        lean_deg=float(random.uniform(-3, 3)),
    )


def draw_lessons(plan: Plan, seed: int) -> tuple[TeachingPicture, ...]:
    """Return lessons that show each piece ROUNDS times, each time from elsewhere."""
    lessons: list[TeachingPicture] = []
    for number in range(ROUNDS):
        random = np.random.default_rng((seed, number))
        pose = random_pose(plan, seed * 31 + number)
        table = Tabletop(plan, pose, LIGHTS["good"], seed * 31 + number)
        bare = table.picture(plan.grounds[0].name, ())
        left = [
            (look.piece, look.face)
            for look in plan.looks
            if plan.thing(look.piece).shape is not DIE and not look.quarter
        ]
        while left:
            shown, left = _arrange(plan, left, random)
            lessons.append(
                _draw(plan, table, TeachingPicture(bare, bare, pose, ()), shown, random)
            )
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
            for spot in _first_spots(plan, piece)
            if all(_apart(spot, other) for _, _, other in shown)
        ]
        if free:
            shown.append((piece, face, free[int(random.integers(len(free)))]))
        else:
            left.append((piece, face))
    return shown, left


def _first_spots(plan: Plan, piece: Piece) -> list[Spot]:
    """Return one spot of each place that may hold a piece: a lesson names places."""
    places = dict.fromkeys(spot.place for spot in plan.spots_of(piece))
    return [plan.spots_of(piece, place)[0] for place in places]


def _apart(one: Spot, other: Spot) -> bool:
    beside = abs(one.x_mm - other.x_mm) - (one.width_mm + other.width_mm) / 2
    along = abs(one.y_mm - other.y_mm) - (one.height_mm + other.height_mm) / 2
    return max(beside, along) > -1.0


def _turn(plan: Plan, piece: Piece, random: np.random.Generator) -> float:
    """Return how a piece is laid down: cards upright, a little crooked."""
    if plan.thing(piece).shape is CARD:
        return float(random.normal(0, CROOKED_DEG))
    return float(random.uniform(0, 360))


def _draw(
    plan: Plan,
    table: Tabletop,
    empty: TeachingPicture,
    shown: list[tuple[Piece, Face | None, Spot]],
    random: np.random.Generator,
) -> TeachingPicture:
    """Return the lesson in which pieces were laid on an empty table."""
    lying = tuple(
        DrawnPiece(
            piece,
            face,
            spot.x_mm + float(random.uniform(-1, 1)),
            spot.y_mm + float(random.uniform(-1, 1)),
            _turn(plan, piece, random),
        )
        for piece, face, spot in shown
    )
    named = tuple((piece, face, spot.place) for piece, face, spot in shown)
    picture = table.picture(plan.grounds[0].name, lying)
    return replace(empty, picture=picture, lying=named)
