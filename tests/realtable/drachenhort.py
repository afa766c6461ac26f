"""A traced Drachenhort: rooms along a snail of stone, and a score sheet beside it."""

from collections.abc import Iterator
from functools import partial

import cv2
import numpy as np

from companion.games.drachenhort.box import Board, Box, Cell
from companion.games.drachenhort.layout import DIE, DRAGON, JEWEL
from companion.games.drachenhort.pieces import DARK, LIT, MEDALS, Metal
from companion.games.drachenhort.pieces import DIE as SIDES
from companion.games.drachenhort.state import State
from companion.table import TRAY, Face, Piece, Place
from tests.realtable import solids
from tests.realtable.artwork import lay_on, star, stone, wood, write
from tests.realtable.dice import lying_on
from tests.realtable.tables import RealTable, Rgb, Solid, die_print, px
from vision.arrays import Picture
from vision.measure.bench.traced import DICE, paint_faces, rounded_cube
from vision.tabletop import plan
from vision.tabletop.plan import Ground, PieceLook, Plan, Shape, Spot, Thing

WIDE, HIGH = 700.0, 394.0
BOARD = (14.0, 30.0, 566.0, 364.0)
"""Left, top, right, bottom."""
TRAY_AT = (582.0, 56.0, 686.0, 176.0)
ROOM = (62.0, 60.0)
_LEFT, _TOP = 22.0, 47.0
_SCORE = (470.0, 150.0, 27.5)
"""Left, top and height of a row."""

PAINTS: dict[str, Rgb] = {
    "green": (0.03, 0.26, 0.07),
    "red": (0.48, 0.02, 0.03),
    "blue": (0.02, 0.07, 0.42),
    "orange": (0.72, 0.22, 0.02),
    "white": (0.78, 0.77, 0.72),
    "yellow": (0.80, 0.58, 0.04),
    "violet": (0.22, 0.04, 0.30),
    "black": (0.02, 0.02, 0.02),
    "pink": (0.75, 0.25, 0.38),
    "brown": (0.16, 0.07, 0.03),
    "grey": (0.25, 0.25, 0.26),
    "turquoise": (0.03, 0.42, 0.42),
}


def _snail() -> Iterator[tuple[int, int]]:
    """Yield column and row of the hall, the start and the thirty cells."""
    for left, top, right, bottom in ((0, 0, 6, 4), (1, 1, 5, 3)):
        yield from ((x, bottom) for x in range(left, right + 1))
        yield from ((right, y) for y in range(bottom - 1, top - 1, -1))
        yield from ((x, top) for x in range(right - 1, left - 1, -1))
        yield from ((left, y) for y in range(top + 1, bottom))


WAY = tuple(_snail())


def room(number: int) -> tuple[float, float]:
    """Return the middle of a room; 0 is the hall, 1 the start."""
    column, row = WAY[number]
    return _LEFT + (column + 0.5) * ROOM[0], _TOP + (row + 0.5) * ROOM[1]


def is_across(number: int) -> bool:
    """Tell whether the way leads on to the left or right, so that halves do too."""
    here, beside = WAY[number], WAY[number + 1 if number + 1 < len(WAY) else number - 1]
    return here[1] == beside[1]


def half(cell: int, light: bool) -> tuple[float, float]:
    """Return the middle of a half of a cell."""
    x, y = room(cell + 1)
    way = -1 if light else 1
    if is_across(cell + 1):
        return x + way * ROOM[0] / 4, y
    return x, y + way * ROOM[1] / 4


def table(box: Box, *, pips: bool = False) -> RealTable:
    """Return the table of a box, with its own die or with an ordinary one."""
    left, top, right, bottom = BOARD
    bars = ((TRAY_AT[0] + TRAY_AT[2]) / 2, (TRAY_AT[1] + TRAY_AT[3]) / 2)
    wide, high = TRAY_AT[2] - TRAY_AT[0], TRAY_AT[3] - TRAY_AT[1]
    oak: Rgb = (0.20, 0.10, 0.05)
    return RealTable(
        game="drachenhort",
        plan=_plan(box, plan.DIE if pips else plan.CUBE),
        ground=lambda name: _art(box, box.front if name == "front" else box.back),
        varnish=0.16,
        fixed=(
            (
                Solid(
                    solids.sheet(1400, 900, -0.6),
                    print_=wood((450, 700), 6, (150, 104, 66), along=True),
                    rough=0.3,
                ),
                WIDE / 2,
                HIGH / 2,
            ),
            (Solid(solids.box(wide + 8, 5, 11), oak), bars[0], TRAY_AT[1] - 2.5),
            (Solid(solids.box(wide + 8, 5, 11), oak), bars[0], TRAY_AT[3] + 2.5),
            (Solid(solids.box(5, high, 11), oak), TRAY_AT[0] - 2.5, bars[1]),
            (Solid(solids.box(5, high, 11), oak), TRAY_AT[2] + 2.5, bars[1]),
        ),
        solid=partial(_solid, pips=pips),
        corners=((left, top), (right, top), (right, bottom), (left, bottom)),
        taps=dict(_taps(box)),
        tray=(TRAY_AT[0] - 4, TRAY_AT[1] - 4, TRAY_AT[2] + 4, TRAY_AT[3] + 4),
        ground_of=_ground_of,
        view_mm=711.0,
    )


def _ground_of(state: State) -> str:
    return "front" if state.round == 1 else "back"


def _taps(box: Box) -> Iterator[tuple[Place, tuple[float, float]]]:
    yield "hall", room(0)
    yield "start", room(1)
    for cell in range(1, len(box.front.cells) + 1):
        yield f"cell/{cell}/light", half(cell, light=True)
        yield f"cell/{cell}/dark", half(cell, light=False)
    for row, hero in enumerate(box.adventurers):
        yield f"score/{hero}", (_SCORE[0] + 15, _SCORE[1] + (row + 0.5) * _SCORE[2])


def _plan(box: Box, die: Shape) -> Plan:
    return Plan(
        WIDE, HIGH, tuple(_spots(box)), tuple(_things(box, die)),
        (Ground("front", ()), Ground("back", ())), tuple(_looks(box)), (),
    )  # fmt: skip


def _spots(box: Box) -> Iterator[Spot]:
    heroes = tuple(hero.value for hero in box.adventurers)
    wide, high = ROOM
    x, y = (TRAY_AT[0] + TRAY_AT[2]) / 2, (TRAY_AT[1] + TRAY_AT[3]) / 2
    yield Spot(TRAY, (DIE,), x, y, 80, 96)
    yield Spot("hall", (DRAGON,), *room(0), wide, high)
    yield Spot("start", (*heroes, DRAGON), *room(1), wide, high)
    for cell in range(1, len(box.front.cells) + 1):
        x, y = room(cell + 1)
        yield Spot(f"cell/{cell}", (DRAGON,), x, y, wide, high)
        yield Spot(f"cell/{cell}", (JEWEL,), x + 18, y + 21, 26, 16)
        size = (wide / 2, high) if is_across(cell + 1) else (wide, high / 2)
        for light in (True, False):
            place = f"cell/{cell}/{'light' if light else 'dark'}"
            yield Spot(place, heroes, *half(cell, light), *size)
    for row, hero in enumerate(heroes):
        place, y = f"score/{hero}", _SCORE[1] + (row + 0.5) * _SCORE[2]
        yield Spot(place, (hero,), _SCORE[0] + 15, y, 30, _SCORE[2])
        for metal, x in zip(Metal, (44.0, 74.0), strict=True):
            medals = tuple(f"{metal}/{value}" for value in MEDALS)
            yield Spot(place, medals, _SCORE[0] + x, y, 28, _SCORE[2])


def _things(box: Box, die: Shape) -> Iterator[Thing]:
    for hero in box.adventurers:
        yield Thing(hero.value, plan.FIGURE, 15.0, tall_mm=26.0)
    yield Thing(DRAGON, plan.FIGURE, 20.0, tall_mm=30.0, reach_mm=16.0)
    yield Thing(JEWEL, plan.GEM, 9.0, tall_mm=6.0)
    for metal in Metal:
        for value in MEDALS:
            yield Thing(f"{metal}/{value}", plan.TOKEN, 20.0, tall_mm=2.2)
    yield Thing(DIE, die, 16.0, tall_mm=16.0, reach_mm=12.0)


def _looks(box: Box) -> Iterator[PieceLook]:
    none = (0, 0, 0)
    for thing in _things(box, plan.DIE):
        if thing.piece != DIE:
            yield PieceLook(thing.piece, None, none, none)
    for face in range(1, 7):
        yield PieceLook(DIE, str(face), none, none)


def _solid(piece: Piece, face: Face | None, *, pips: bool) -> Solid:
    if piece in PAINTS:
        return Solid(solids.pawn(15.0, 26.0), PAINTS[piece], rough=0.22)
    if piece == DRAGON:
        return Solid(solids.dragon(20.0, 30.0), (0.05, 0.09, 0.06), rough=0.18)
    if piece == JEWEL:
        return Solid(solids.gem(9.0, 6.0), (0.55, 0.03, 0.20), rough=0.06)
    if piece == DIE and pips:
        cube = lying_on(rounded_cube(0.15), int(str(face)) - 1, 16.0)
        return Solid(cube, print_=paint_faces(DICE[2]), rough=0.16)
    if piece == DIE:
        art = die_print(tuple(map(str, SIDES)), (0.72, 0.68, 0.55), (0.30, 0.02, 0.02))
        return Solid(_die(str(face)), print_=art, rough=0.16)
    metal, _, value = piece.partition("/")
    return Solid(solids.disc(20.0, 2.2), print_=_medal(metal, value), rough=0.2)


def _die(face: str) -> solids.Mesh:
    # The ordinary die's five is on no side of it: what shows a two may be either.
    sides = [str(side) for side in SIDES]
    return lying_on(
        rounded_cube(0.15), sides.index(face if face in sides else "2"), 16.0
    )


def _medal(metal: str, value: str) -> Picture:
    base = (188, 190, 196) if metal == "silver" else (214, 164, 60)
    picture = stone((160, 160), 3, base)
    dark = tuple(part // 2 for part in base)
    cv2.circle(picture, (80, 80), 74, dark, 3, cv2.LINE_AA)
    star(picture, (80, 80), 66, tuple(round(part * 0.8) for part in base), 10, 0.8)
    write(picture, value, (80, 80), 84, (40, 30, 20), bold=6)
    return np.ascontiguousarray(picture[::-1])


def _art(box: Box, board: Board) -> Picture:
    """Paint the table, the board and the score sheet, RGB."""
    seed = 11 if board == box.front else 12
    picture = wood((HIGH, WIDE), 5, (150, 104, 66), along=True)
    left, top, right, bottom = px(*BOARD)
    slab = stone((bottom - top, right - left), seed, (92, 84, 96))
    lay_on(picture, slab, (left, top), 24)
    for number in range(len(WAY)):
        cell = board.cells[number - 2] if number >= 2 else None
        _paint_room(picture, number, cell, seed)
    _paint_emblem(picture, seed)
    _paint_score(picture, box)
    tray = px(*TRAY_AT)
    felt = stone((tray[3] - tray[1], tray[2] - tray[0]), 77, (40, 66, 52))
    lay_on(picture, felt, (tray[0], tray[1]), 3)
    return picture


def _paint_room(picture: Picture, number: int, cell: Cell | None, seed: int) -> None:
    x, y = room(number)
    wide, high = ROOM[0] - 3, ROOM[1] - 3
    (left, top) = px(x - wide / 2, y - high / 2)
    size = (px(high)[0], px(wide)[0])
    bright, dim = (202, 178, 122), (78, 74, 104)
    if cell is None:
        floor = stone(
            size, seed + number, (168, 76, 52) if number == 0 else (120, 150, 96)
        )
        star(
            floor,
            (size[1] / 2, size[0] / 2),
            size[0] * 0.36,
            (220, 190, 90),
            5 + number,
        )
    else:
        one = stone(size, seed + number, bright if cell.light is not DARK else dim)
        other = stone(
            size, seed + 50 + number, dim if cell.light is not LIT else bright
        )
        floor = one.copy()
        if is_across(number):
            floor[:, size[1] // 2 :] = other[:, size[1] // 2 :]
        else:
            floor[size[0] // 2 :] = other[size[0] // 2 :]
        cv2.rectangle(floor, (3, 3), (size[1] - 4, size[0] - 4), (50, 40, 36), 3)
        _paint_signs(floor, number - 1, cell)
    lay_on(picture, floor, (left, top), 14)


def _paint_signs(floor: Picture, number: int, cell: Cell) -> None:
    high, wide = floor.shape[:2]
    write(floor, str(number), (0.13 * wide, 0.87 * high), 0.13 * high, (235, 225, 200))
    if cell.trap:
        for k in range(5):
            cv2.circle(floor, (round(0.84 * wide), round(0.18 * high)), 4 + 6 * k,
                       (120, 20, 24), 2, cv2.LINE_AA)  # fmt: skip
    if cell.jewel:
        at = (round(wide * (0.5 + 18 / ROOM[0])), round(high * (0.5 + 21 / ROOM[1])))
        cv2.circle(floor, at, 26, (60, 46, 40), 3, cv2.LINE_AA)


def _paint_emblem(picture: Picture, seed: int) -> None:
    """Paint arcs in the free middle of the snail and above the score sheet."""
    chance = np.random.default_rng(seed)
    for x, y, many in ((239.0, 197.0, 26), (514.0, 96.0, 34)):
        for _ in range(many):
            at = px(x + float(chance.normal(0, 20)), y + float(chance.normal(0, 9)))
            axes = tuple(int(v) for v in chance.integers(8, 46, 2))
            ink = tuple(int(v) for v in chance.integers((120, 40, 20), (240, 190, 90)))
            cv2.ellipse(picture, at, axes, int(chance.integers(180)), 20, 300, ink, 4,
                        cv2.LINE_AA)  # fmt: skip


def _paint_score(picture: Picture, box: Box) -> None:
    left, top, row_mm = _SCORE
    for row, hero in enumerate(box.adventurers):
        size = px(row_mm - 2, 90)
        strip = stone((size[0], size[1]), 200 + row, (176, 160, 128))
        shade = tuple(round(255 * part ** (1 / 2.2)) for part in PAINTS[hero.value])
        cv2.rectangle(strip, (2, 2), (18, size[0] - 3), shade, -1)
        for x in (15, 44, 74):
            cv2.circle(strip, px(x, row_mm / 2 - 1), px(11.2)[0], (110, 92, 66), 2,
                       cv2.LINE_AA)  # fmt: skip
        lay_on(picture, strip, px(left, top + row * row_mm + 1), 8)
