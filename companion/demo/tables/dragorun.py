"""The stand-in table of Dragorun: a track in two rows, a tray, a row for each player.

Dragons run at the far side: what a figure hides lies farther from the camera, so no
marker and no egg is ever behind one. The track begins at the left in the near row and
comes back in the far one; the snail's cell is as high as both.
"""

from collections.abc import Iterator

from companion.demo.tables.drachenhort import PAINTS
from companion.games.dragorun.box import SNAIL_CELL, Box, Cell
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
from companion.games.dragorun.pieces import EGGS, WHITE, Colour, Egg, Step
from companion.games.dragorun.rules import SEATS
from companion.games.dragorun.state import State
from companion.table import TRAY, Seat
from vision.tabletop import plan
from vision.tabletop.plan import Bgr, Ground, PieceLook, Plan, Spot, Thing, Tile

WIDTH_MM, HEIGHT_MM = 640.0, 360.0
GROUND = "board"

_SNAIL_MM = (50.0, 68.0, 60.0, 96.0)
"""Middle, width and height of the snail's cell: all five dragons may stand there."""

_TRACK_LEFT_MM, _TRACK_WIDTH_MM = 84.0, 536.0
_FAR_Y_MM, _NEAR_Y_MM, _CELL_HIGH_MM = 43.0, 92.0, 46.0

_SEAT_TOP_MM, _SEAT_ROW_MM = 134.0, 42.0
_MARKER_X_MM, _EGG_X_MM, _EGG_STEP_MM = 42.0, 47.0, 27.0
_MARKER_MM, _EGG_MM, _DIE_MM = 26.0, 24.0, 20.0

_TRAY_MM = (512.0, 194.0, 156.0, 116.0)
_POOL_X_MM, _POOL_Y_MM, _POOL_STEP_MM = 448.0, 300.0, 32.0

LETTERS = {
    Colour.RED: "R",
    Colour.GREEN: "G",
    Colour.BLUE: "B",
    Colour.YELLOW: "Y",
    Colour.VIOLET: "V",
    Colour.ORANGE: "O",
    Colour.PINK: "P",
    Colour.TURQUOISE: "T",
    Colour.BLACK: "K",
    Colour.GREY: "A",
}
"""The sign of each dragon: no two that look alike upside down."""

_IVORY: Bgr = (214, 228, 236)
_STEPS: dict[Step, tuple[str, Bgr, Bgr]] = {
    Step.ONE: ("+1", (228, 236, 240), (30, 110, 20)),
    Step.TWO: ("+2", (235, 200, 150), (120, 40, 20)),
    Step.THREE: ("+3", (160, 225, 150), (20, 20, 20)),
    Step.BACK: ("-1", (50, 50, 190), (245, 245, 245)),
    Step.TROPHY: ("T", (70, 195, 230), (20, 40, 80)),
    Step.SNAIL: ("S", (130, 60, 110), (235, 225, 240)),
}
"""Sign, colour and ink of each face of the movement die; 16 pixels of a sign alone are
little to tell +1 from +3."""

_SEAT_TINTS: tuple[Bgr, ...] = (
    (120, 150, 175),
    (140, 160, 140),
    (165, 150, 130),
    (150, 140, 165),
    (130, 165, 165),
)


def table(box: Box) -> Plan:
    """Return the table of one copy: its own track, our own pieces.

    A track of up to 53 cells has room: its cells are then 20 mm wide.
    """
    return Plan(
        width_mm=WIDTH_MM,
        height_mm=HEIGHT_MM,
        spots=tuple(_spots(box)),
        things=tuple(_things(box)),
        grounds=(Ground(GROUND, tuple(_tiles(box))),),
        looks=tuple(_looks(box)),
        whites=((9, 9), (320, 9), (631, 9), (9, 351), (320, 351), (631, 351)),
    )


def ground(state: State) -> str:
    """Return what lies under the pieces: the one side that the board has."""
    del state
    return GROUND


def cell(box: Box, number: Cell) -> tuple[float, float, float, float]:
    """Return the middle, width and height of a cell of the track, mm."""
    if number == SNAIL_CELL:
        return _SNAIL_MM
    columns = (box.finish + 1) // 2
    wide = _TRACK_WIDTH_MM / columns
    near = number <= columns
    column = number - 1 if near else 2 * columns - number
    x_mm = _TRACK_LEFT_MM + (column + 0.5) * wide
    return x_mm, _NEAR_Y_MM if near else _FAR_Y_MM, wide, _CELL_HIGH_MM


def seat_y_mm(seat: Seat) -> float:
    """Return how far down a player's row lies."""
    return _SEAT_TOP_MM + (seat + 0.5) * _SEAT_ROW_MM


def _spots(box: Box) -> Iterator[Spot]:
    dragons = tuple(dragon.value for dragon in box.dragons)
    markers = tuple(marker(dragon) for dragon in box.dragons)
    yield Spot(TRAY, (COLOUR_DIE, MOVE_DIE), *_TRAY_MM)
    for number in range(box.finish + 1):
        yield Spot(track_place(number), dragons, *cell(box, number))
    for seat in range(SEATS.stop - 1):
        y = seat_y_mm(seat)
        yield Spot(seat_place(seat), markers, _MARKER_X_MM, y, 30, 36)
        for number in range(1, EGGS + 1):
            x = _EGG_X_MM + number * _EGG_STEP_MM
            yield Spot(egg_place(seat, number), (EGG,), x, y, 27, 36)
    for number in range(len(markers)):
        x = _POOL_X_MM + number * _POOL_STEP_MM
        yield Spot(POOL, markers, x, _POOL_Y_MM, 31, 36)


def _things(box: Box) -> Iterator[Thing]:
    yield Thing(COLOUR_DIE, plan.CUBE, _DIE_MM, tall_mm=_DIE_MM, reach_mm=15.0)
    yield Thing(MOVE_DIE, plan.CUBE, _DIE_MM, tall_mm=_DIE_MM, reach_mm=15.0)
    for dragon in box.dragons:
        yield Thing(dragon.value, plan.FIGURE, 18.0, tall_mm=24.0)
        yield Thing(marker(dragon), plan.TOKEN, _MARKER_MM, tall_mm=2.0)
    yield Thing(EGG, plan.TOKEN, _EGG_MM, tall_mm=2.0)


def _looks(box: Box) -> Iterator[PieceLook]:
    for dragon in box.dragons:
        rim, middle = PAINTS[dragon.value]
        letter = LETTERS[dragon]
        yield PieceLook(dragon.value, None, rim, middle)
        yield PieceLook(marker(dragon), FRONT, rim, middle, letter)
        # The pale side protects it, rulebook l. 121; its sign is small as well.
        yield PieceLook(marker(dragon), BACK, _pale(middle), _pale(rim), letter.lower())
        yield PieceLook(EGG, dragon.value, _IVORY, rim, f"+{letter}")
        yield PieceLook(COLOUR_DIE, dragon.value, _IVORY, rim)
    yield PieceLook(EGG, Egg.SNAIL.value, _IVORY, (90, 140, 190), "S")
    yield PieceLook(EGG, Egg.MUSHROOM.value, _IVORY, (235, 235, 235), "M")
    yield PieceLook(COLOUR_DIE, WHITE.value, _IVORY, (250, 250, 250))
    for step, (sign, colour, ink) in _STEPS.items():
        yield PieceLook(MOVE_DIE, step.value, colour, ink, sign)


def _pale(colour: Bgr) -> Bgr:
    b, g, r = (round(value + (255 - value) * 0.6) for value in colour)
    return b, g, r


def _tiles(box: Box) -> Iterator[Tile]:
    yield Tile(320, 68, 608, 104, (70, 96, 78))
    for number in range(box.finish + 1):
        yield _cell_tile(box, number)
    x, y, wide, high = _TRAY_MM
    yield Tile(x, y, wide + 10, high + 10, (50, 70, 96))
    yield Tile(x, y, wide, high, (72, 96, 52), "felt")
    for seat in range(SEATS.stop - 1):
        y = seat_y_mm(seat)
        yield Tile(205, y, 370, _SEAT_ROW_MM - 2, _SEAT_TINTS[seat])
        yield Tile(_MARKER_X_MM, y, 32, 34, (100, 118, 130), str(seat + 1))
    pool_x = _POOL_X_MM + 2 * _POOL_STEP_MM
    yield Tile(pool_x, _POOL_Y_MM, 5 * _POOL_STEP_MM + 6, 40, (112, 128, 136))


def _cell_tile(box: Box, number: Cell) -> Tile:
    x, y, wide, high = cell(box, number)
    size = (x, y, wide - 2, high - 2)
    if number == SNAIL_CELL:
        return Tile(*size, (140, 165, 190), "S", (90, 120, 150))
    if number == box.finish:
        return Tile(*size, (90, 190, 225), "F", (30, 90, 120))
    start = number in box.starts
    colour: Bgr = (190, 200, 170) if start else (165, 200, 205)
    return Tile(*size, colour, str(number), (135, 165, 170))
