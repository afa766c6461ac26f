"""A traced Dragorun: stepping stones through a river, and a row for each player."""

from collections.abc import Iterator

import cv2
import numpy as np

from companion.games.dragorun.box import Box
from companion.games.dragorun.layout import (
    BACK,
    COLOUR_DIE,
    EGG,
    FRONT,
    MOVE_DIE,
    POOL,
    egg_place,
    marker,
    seat_place,
    track_place,
)
from companion.games.dragorun.pieces import EGGS, STEPS, Egg
from companion.games.dragorun.rules import FACES, SEATS
from companion.games.dragorun.state import State
from companion.table import TRAY, Face, Piece
from tests.realtable import solids
from tests.realtable.artwork import cloth, lay_on, star, stone, wood, write
from tests.realtable.dice import lying_on
from tests.realtable.drachenhort import PAINTS
from tests.realtable.tables import RealTable, Rgb, Solid, px
from vision.arrays import Floats, Picture
from vision.measure.bench.traced import rounded_cube
from vision.tabletop import plan
from vision.tabletop.plan import Ground, PieceLook, Plan, Spot, Thing

WIDE, HIGH = 700.0, 394.0
BOARD = (16.0, 14.0, 506.0, 246.0)
TRAY_AT = (530.0, 30.0, 684.0, 150.0)
_ROWS = (206.0, 130.0, 54.0)
_ENDS = (70.0, 452.0)
_SEAT_TOP, _SEAT_ROW = 258.0, 26.5
_POOL = (560.0, 330.0, 30.0)

SIGNS = {
    "+1": "1", "+2": "2", "+3": "3", "-1": "-1", "trophy": "W", "snail": "@",
}  # fmt: skip


def path(many: int) -> Floats:
    """Return so many points an even way apart along the river, ``(N, 2)`` mm."""
    left, right = _ENDS
    low, middle, high = _ROWS
    ends = [(x, low) for x in np.linspace(left, right, 60)]
    turns = np.linspace(0, np.pi, 40)
    r = (low - middle) / 2
    ends += [(right + r * np.sin(t), low - r + r * np.cos(t)) for t in turns]
    ends += [(x, middle) for x in np.linspace(right, left, 60)]
    r = (middle - high) / 2
    ends += [(left - r * np.sin(t), middle - r + r * np.cos(t)) for t in turns]
    ends += [(x, high) for x in np.linspace(left, right, 60)]
    points = np.array(ends)
    gaps = np.hypot(*np.diff(points, axis=0).T)
    far = np.concatenate([[0.0], np.cumsum(gaps)])
    wanted = np.linspace(0, far[-1], many)
    return np.column_stack([np.interp(wanted, far, points[:, k]) for k in (0, 1)])


def cells(box: Box) -> list[tuple[float, float]]:
    """Return the middle of each cell, the snail's first."""
    return [(float(x), float(y)) for x, y in path(box.finish + 1)]


def table(box: Box) -> RealTable:
    """Return the table of a box."""
    left, top, right, bottom = BOARD
    return RealTable(
        game="dragorun",
        plan=_plan(box),
        ground=lambda _: _art(box),
        varnish=0.2,
        fixed=(
            (
                Solid(
                    solids.sheet(1400, 900, -0.6),
                    print_=cloth((450, 700), 9, (116, 92, 84)),
                    rough=None,
                ),
                WIDE / 2,
                HIGH / 2,
            ),
        ),
        solid=lambda piece, face: _solid(box, piece, face),
        corners=((left, top), (right, top), (right, bottom), (left, bottom)),
        taps={track_place(k): at for k, at in enumerate(cells(box))},
        tray=TRAY_AT,
        ground_of=_ground_of,
        view_mm=711.0,
    )


def _ground_of(state: State) -> str:
    del state
    return "board"


def _plan(box: Box) -> Plan:
    return Plan(
        WIDE, HIGH, tuple(_spots(box)), tuple(_things(box)), (Ground("board", ()),),
        tuple(_looks(box)), (),
    )  # fmt: skip


def _spots(box: Box) -> Iterator[Spot]:
    dragons = tuple(dragon.value for dragon in box.dragons)
    markers = tuple(marker(dragon) for dragon in box.dragons)
    x, y = (TRAY_AT[0] + TRAY_AT[2]) / 2, (TRAY_AT[1] + TRAY_AT[3]) / 2
    yield Spot(TRAY, (COLOUR_DIE, MOVE_DIE), x, y, 130, 96)
    for number, (x, y) in enumerate(cells(box)):
        side = 62.0 if number == 0 else 24.0
        yield Spot(track_place(number), dragons, x - (14 if number == 0 else 0), y,
                   side, side)  # fmt: skip
    for seat in range(SEATS.stop - 1):
        y = _SEAT_TOP + (seat + 0.5) * _SEAT_ROW
        yield Spot(seat_place(seat), markers, 40, y, 26, 26)
        for number in range(1, EGGS + 1):
            yield Spot(egg_place(seat, number), (EGG,), 50 + 27 * number, y, 26, 26)
    for number in range(len(markers)):
        at = _POOL[0] + _POOL[2] * (number % 4), _POOL[1] + 32 * (number // 4)
        yield Spot(POOL, markers, *at, 29, 30)


def _things(box: Box) -> Iterator[Thing]:
    yield Thing(COLOUR_DIE, plan.CUBE, 18.0, tall_mm=18.0, reach_mm=13.0)
    yield Thing(MOVE_DIE, plan.CUBE, 18.0, tall_mm=18.0, reach_mm=13.0)
    for dragon in box.dragons:
        yield Thing(dragon.value, plan.FIGURE, 17.0, tall_mm=25.0)
        yield Thing(marker(dragon), plan.TOKEN, 24.0, tall_mm=2.0)
    yield Thing(EGG, plan.TOKEN, 22.0, tall_mm=3.0)


def _looks(box: Box) -> Iterator[PieceLook]:
    none = (0, 0, 0)
    for dragon in box.dragons:
        yield PieceLook(dragon.value, None, none, none)
        for side in (FRONT, BACK):
            yield PieceLook(marker(dragon), side, none, none)
    for egg in _eggs(box):
        yield PieceLook(EGG, egg, none, none)
    for colour in FACES[box.fifth]:
        yield PieceLook(COLOUR_DIE, colour.value, none, none)
    for step in STEPS:
        yield PieceLook(MOVE_DIE, step.value, none, none)


def _eggs(box: Box) -> list[str]:
    return [*(d.value for d in box.dragons), Egg.SNAIL.value, Egg.MUSHROOM.value]


def _coded(paint: Rgb) -> tuple[int, int, int]:
    red, green, blue = (round(255 * part ** (1 / 2.2)) for part in paint)
    return red, green, blue


def _solid(box: Box, piece: Piece, face: Face | None) -> Solid:
    if piece == COLOUR_DIE:
        faces = [colour.value for colour in FACES[box.fifth]]
        mesh = lying_on(rounded_cube(0.2), faces.index(str(face)), 18.0)
        return Solid(mesh, print_=_colour_print(faces), rough=0.14)
    if piece == MOVE_DIE:
        faces = [step.value for step in STEPS]
        mesh = lying_on(rounded_cube(0.12), faces.index(str(face)), 18.0)
        return Solid(mesh, print_=_step_print(), rough=0.2)
    if piece == EGG:
        return Solid(solids.disc(22.0, 3.0), print_=_egg(str(face)), rough=0.3)
    if "/" in piece:
        paint = PAINTS[piece.partition("/")[2]]
        return Solid(
            solids.disc(24.0, 2.0), print_=_marker(paint, str(face)), rough=0.25
        )
    return Solid(solids.dragon(17.0, 25.0), PAINTS[piece], rough=0.25)


def _colour_print(faces: list[str]) -> Picture:
    """Return a die whose faces are all paint but for a narrow dark rim."""
    sides = []
    for name in faces:
        side = np.full((160, 160, 3), (46, 40, 36), np.uint8)
        cv2.rectangle(side, (22, 22), (137, 137), _coded(PAINTS[name]), -1)
        sides.append(side)
    return np.ascontiguousarray(np.concatenate(sides, 1)[::-1])


def _step_print() -> Picture:
    sides = []
    for step in STEPS:
        side = np.full((160, 160, 3), (222, 212, 186), np.uint8)
        if step.value == "trophy":
            cup = [(44, 36), (116, 36), (92, 90), (92, 112), (116, 128), (44, 128),
                   (68, 112), (68, 90)]  # fmt: skip
            cv2.fillPoly(side, [np.array(cup)], (150, 96, 10))
        elif step.value == "snail":
            cv2.ellipse(side, (84, 76), (40, 40), 0, 0, 360, (92, 40, 110), 14)
            cv2.circle(side, (84, 76), 16, (92, 40, 110), -1)
            cv2.line(side, (28, 130), (136, 130), (92, 40, 110), 14)
        else:
            ink = (150, 16, 16) if step.value == "-1" else (20, 60, 30)
            write(side, step.value, (80, 80), 84, ink, bold=10)
        sides.append(side)
    return np.ascontiguousarray(np.concatenate(sides, 1)[::-1])


def _egg(face: str) -> Picture:
    picture = stone((150, 150), 8, (226, 214, 190))
    if face == "snail":
        cv2.circle(picture, (75, 75), 40, (92, 40, 110), 12, cv2.LINE_AA)
        cv2.circle(picture, (75, 75), 14, (92, 40, 110), -1, cv2.LINE_AA)
    elif face == "mushroom":
        cv2.ellipse(picture, (75, 66), (50, 36), 0, 180, 360, (180, 30, 30), -1)
        cv2.rectangle(picture, (62, 66), (88, 112), (240, 236, 226), -1)
    else:
        star(picture, (75, 75), 56, _coded(PAINTS[face]), 5, 0.6)
    return np.ascontiguousarray(picture[::-1])


def _marker(paint: Rgb, face: str) -> Picture:
    shade = _coded(paint)
    pale = tuple(round(part + (255 - part) * 0.6) for part in shade)
    base, sign = (shade, pale) if face == FRONT else (pale, shade)
    picture = stone((160, 160), 4, (base[0], base[1], base[2]))
    for k in range(3):
        cv2.circle(picture, (80, 80), 60 - 20 * k, sign, 7, cv2.LINE_AA)
    return np.ascontiguousarray(picture[::-1])


def _art(box: Box) -> Picture:
    """Paint the cloth, the river board and the felt where dice fall, RGB."""
    picture = cloth((HIGH, WIDE), 9, (116, 92, 84))
    left, top, right, bottom = px(*BOARD)
    grass = stone((bottom - top, right - left), 31, (96, 134, 62))
    lay_on(picture, grass, (left, top), 40)
    many = np.rint(path(400) * 4).astype(np.int32)
    cv2.polylines(picture, [many], False, (70, 120, 158), 150, cv2.LINE_AA)
    cv2.polylines(
        picture, [many + np.array((0, 30))], False, (92, 146, 178), 20, cv2.LINE_AA
    )
    for number, (x, y) in enumerate(cells(box)):
        wide = 58.0 if number == 0 else 29.0
        size = px(wide, wide)
        tone = (188, 168, 140) if number in box.starts else (168, 164, 158)
        if number == box.finish:
            tone = (222, 180, 60)
        slab = stone((size[0], size[1]), 300 + number, tone)
        write(
            slab, str(number), (size[0] / 2, size[0] * 0.8), size[0] * 0.2, (60, 50, 40)
        )
        middle = x - (14 if number == 0 else 0)
        lay_on(picture, slab, px(middle - wide / 2, y - wide / 2), size[0] // 2)
    for seat in range(SEATS.stop - 1):
        y = _SEAT_TOP + seat * _SEAT_ROW
        strip = wood(
            (_SEAT_ROW - 2, 372), 40 + seat, (140 - 12 * seat, 110, 80), along=True
        )
        lay_on(picture, strip, px(22, y + 1), 10)
    tray = px(*TRAY_AT)
    felt = stone((tray[3] - tray[1], tray[2] - tray[0]), 78, (96, 34, 44))
    lay_on(picture, felt, (tray[0], tray[1]), 20)
    return picture
