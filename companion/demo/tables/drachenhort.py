"""The stand-in table of Drachenhort: 32 rooms in four rows, a score board and a tray.

The way begins at the top left with the treasure hall and turns at the end of each row.
A jewel lies at the near edge of its room, so that no figure hides it from a camera that
leans to the near side.
"""

from collections.abc import Iterator

from companion.games.drachenhort.box import Board, Box, Cell
from companion.games.drachenhort.layout import DIE, DRAGON, JEWEL
from companion.games.drachenhort.pieces import DARK, HALVES, LIT, MEDALS, Metal
from companion.games.drachenhort.state import State
from companion.table import TRAY
from vision.tabletop import plan
from vision.tabletop.plan import Bgr, Ground, PieceLook, Plan, Spot, Thing, Tile

WIDTH_MM, HEIGHT_MM = 640.0, 360.0
ROOM_MM = (55.0, 80.0)
_LEFT_MM, _TOP_MM = 20.0, 20.0
_ROW = 8
_SCORE_X_MM, _SCORE_TOP_MM, _SCORE_ROW_MM = 480.0, 146.0, 27.5

PAINTS: dict[str, tuple[Bgr, Bgr]] = {
    "green": ((60, 140, 40), (110, 200, 90)),
    "red": ((40, 40, 200), (90, 90, 240)),
    "blue": ((190, 90, 30), (235, 160, 90)),
    "orange": ((20, 120, 240), (90, 175, 255)),
    "white": ((235, 238, 240), (200, 205, 205)),
    "yellow": ((30, 205, 235), (120, 235, 250)),
    "violet": ((150, 50, 120), (215, 130, 190)),
    "black": ((40, 36, 34), (90, 86, 84)),
    "pink": ((170, 120, 240), (215, 190, 250)),
    "brown": ((40, 70, 110), (80, 120, 165)),
    "grey": ((130, 130, 130), (180, 180, 180)),
    "turquoise": ((180, 170, 20), (215, 215, 120)),
}
"""Rim and middle of each adventurer's top."""

_METALS: dict[Metal, tuple[Bgr, Bgr]] = {
    Metal.SILVER: ((150, 140, 130), (222, 220, 216)),
    Metal.GOLD: ((20, 110, 160), (90, 200, 235)),
}
_LIGHT: Bgr = (150, 205, 225)
_DIM: Bgr = (104, 84, 78)
_FLOOR: Bgr = (120, 132, 140)


def table(box: Box) -> Plan:
    """Return the table of one copy: its own rooms, our own pieces."""
    return Plan(
        width_mm=WIDTH_MM,
        height_mm=HEIGHT_MM,
        spots=tuple(_spots(box)),
        things=tuple(_things(box)),
        grounds=(
            Ground("front", tuple(_tiles(box, box.front))),
            Ground("back", tuple(_tiles(box, box.back))),
        ),
        looks=tuple(_looks(box)),
        whites=((9, 9), (631, 9), (9, 351), (631, 351), (470, 9), (470, 351)),
    )


def ground(state: State) -> str:
    """Return which side of the board lies upward."""
    return "front" if state.round == 1 else "back"


def room(number: int) -> tuple[float, float]:
    """Return the middle of a room in mm; 0 is the hall, 1 the start room."""
    row, column = divmod(number, _ROW)
    column = column if row % 2 == 0 else _ROW - 1 - column
    wide, high = ROOM_MM
    return _LEFT_MM + (column + 0.5) * wide, _TOP_MM + (row + 0.5) * high


def _spots(box: Box) -> Iterator[Spot]:
    heroes = tuple(hero.value for hero in box.adventurers)
    wide, high = ROOM_MM
    yield Spot(TRAY, (DIE,), 550, 75, 130, 110)
    yield Spot("hall", (DRAGON,), *room(0), wide, high)
    yield Spot("start", (*heroes, DRAGON), *room(1), wide, high)
    # Both sides have the same rooms; which are halved differs, and a room that is
    # wholly lit or dark on one side has two halves on the other.
    for cell, (front, back) in enumerate(
        zip(box.front.cells, box.back.cells, strict=True), start=1
    ):
        x, y = room(cell + 1)
        yield Spot(f"cell/{cell}", (JEWEL,), x, y + 30, wide, 20)
        yield Spot(f"cell/{cell}", (DRAGON,), x, y, wide, high)
        yield from _halves(cell, heroes, {front.light, back.light})
    for row, hero in enumerate(heroes):
        place, y = f"score/{hero}", _SCORE_TOP_MM + (row + 0.5) * _SCORE_ROW_MM
        yield Spot(place, (hero,), _SCORE_X_MM + 24, y, 34, _SCORE_ROW_MM)
        for metal, x in zip(Metal, (74.0, 116.0), strict=True):
            medals = tuple(f"{metal}/{value}" for value in MEDALS)
            yield Spot(place, medals, _SCORE_X_MM + x, y, 34, _SCORE_ROW_MM)


def _halves(cell: int, heroes: tuple[str, ...], lights: set[object]) -> Iterator[Spot]:
    """Yield where an adventurer stands in a room.

    On the stand-in boards a wholly dark or lit room keeps both halves: whoever stands
    there is put into the half of its light.
    """
    assert lights <= {HALVES, DARK, LIT}
    x, y = room(cell + 1)
    wide, high = ROOM_MM
    yield Spot(f"cell/{cell}/light", heroes, x - wide / 4, y, wide / 2, high)
    yield Spot(f"cell/{cell}/dark", heroes, x + wide / 4, y, wide / 2, high)


def _things(box: Box) -> Iterator[Thing]:
    for hero in box.adventurers:
        yield Thing(hero.value, plan.FIGURE, 15.0, tall_mm=24.0)
    yield Thing(DRAGON, plan.FIGURE, 18.0, tall_mm=34.0, reach_mm=18.0)
    yield Thing(JEWEL, plan.GEM, 11.0, tall_mm=6.0)
    for metal in Metal:
        for value in MEDALS:
            yield Thing(f"{metal}/{value}", plan.TOKEN, 22.0, tall_mm=2.0)
    yield Thing(DIE, plan.DIE, 16.0, tall_mm=16.0, reach_mm=13.0)


def _looks(box: Box) -> Iterator[PieceLook]:
    for hero in box.adventurers:
        yield PieceLook(hero.value, None, *PAINTS[hero.value])
    yield PieceLook(DRAGON, None, (36, 26, 112), (40, 200, 230), "wings")
    yield PieceLook(JEWEL, None, (165, 185, 10), (240, 250, 190))
    for metal, paint in _METALS.items():
        for value in MEDALS:
            yield PieceLook(f"{metal}/{value}", None, *paint, str(value))
    for pips in range(1, 7):
        yield PieceLook(DIE, str(pips), (247, 242, 230), (18, 18, 20), str(pips))


def _tiles(box: Box, board: Board) -> Iterator[Tile]:
    wide, high = ROOM_MM
    yield Tile(240, 180, 448, 328, (60, 74, 84))
    yield Tile(*room(0), wide - 2, high - 2, (70, 130, 170), "H")
    yield Tile(*room(1), wide - 2, high - 2, _LIGHT)
    for number, cell in enumerate(board.cells, start=2):
        yield from _room_tiles(room(number), cell)
    yield Tile(550, 75, 140, 120, (50, 70, 96))
    yield Tile(550, 75, 130, 110, (72, 96, 52), "felt")
    for row, hero in enumerate(box.adventurers):
        y = _SCORE_TOP_MM + (row + 0.5) * _SCORE_ROW_MM
        yield Tile(550, y, 140, _SCORE_ROW_MM - 1.5, _FLOOR)
        yield Tile(483, y, 6, _SCORE_ROW_MM - 4, PAINTS[hero.value][0])


def _room_tiles(middle: tuple[float, float], cell: Cell) -> Iterator[Tile]:
    x, y = middle
    wide, high = ROOM_MM
    left = _LIGHT if cell.light is not DARK else _DIM
    right = _DIM if cell.light is not LIT else _LIGHT
    yield Tile(x - wide / 4, y, wide / 2 - 0.5, high - 2, left)
    yield Tile(x + wide / 4, y, wide / 2 - 0.5, high - 2, right)
    if cell.trap:
        yield Tile(x, y - 30, 18, 16, (90, 96, 150), "web", (30, 30, 60))
    if cell.jewel:
        yield Tile(x, y + 30, 14, 14, (90, 110, 120))
