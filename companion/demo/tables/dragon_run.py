"""The stand-in table of Dragon Run: the dragon's track, piles, and a seat's cards.

As the rulebook has it (l. 46-54): place cards face down at the left of the track,
treasures above it. Turned place cards lie at the left as well, as the discard needs the
room at the right. Nothing lies near the track, where the dragon, which is tall, would
hide it from a camera that leans.
"""

from collections.abc import Iterator

from companion.demo.tables.dragon_run_looks import looks
from companion.games.dragon_run.box import Box
from companion.games.dragon_run.layout import PATH, ROW, STOCK
from companion.games.dragon_run.pieces import (
    ANGER,
    CHARACTER,
    DIE,
    DRAGON,
    PLACE,
    PLACES,
    SEATS,
    SPECIALS,
    TREASURE,
    VALUABLES,
)
from companion.games.dragon_run.state import State
from companion.table import TRAY
from vision.tabletop import plan
from vision.tabletop.plan import Bgr, Ground, Plan, Spot, Thing, Tile

WIDTH_MM, HEIGHT_MM = 640.0, 360.0
CARD_MM = (22.0, 32.0)
SPOT_MM = (24.0, 34.0)
_STEP_MM = (27.0, 37.0)
"""From one card to the next: 3 mm between their spots."""

_LEFT_MM, _TOP_MM = 17.0, 17.0
_DISCARDS = 10
"""Treasures in a row of the discard; four rows hold all 38."""

_TRACK_MM = (126.0, 116.0)
_SPACE_MM = (22.0, 34.0)

_SEAT_MM = (202.0, 76.0)
_SEATS_TOP_MM = 190.0
_TILE_MM = 34.0
"""Side of a character's spot: it lies upright or across."""

HALL = "hall"
"""The only ground."""


def table(box: Box) -> Plan:
    """Return the table of one copy."""
    return Plan(
        width_mm=WIDTH_MM,
        height_mm=HEIGHT_MM,
        spots=tuple(_spots(box)),
        things=tuple(_things()),
        grounds=(Ground(HALL, tuple(_tiles())),),
        looks=tuple(looks(box)),
        whites=((9, 9), (631, 9), (9, 351), (631, 351), (320, 9), (320, 351)),
    )


def ground(_state: State) -> str:
    """Return the ground that lies under every state."""
    return HALL


def _things() -> Iterator[Thing]:
    yield Thing(DIE, plan.D10, 24.0, tall_mm=24.0)
    yield Thing(DRAGON, plan.FIGURE, 18.0, tall_mm=30.0, reach_mm=15.0)
    for piece in (PLACE, TREASURE, CHARACTER):
        yield Thing(piece, plan.CARD, *CARD_MM, tall_mm=0.4)


def _spots(box: Box) -> Iterator[Spot]:
    x, y, wide, high = _tray()
    yield Spot(TRAY, (DIE,), x, y, wide - 20, high - 10)
    for anger in range(max(ANGER.values()) + 1):
        yield Spot(f"anger/{anger}", (DRAGON,), *space(anger), *_SPACE_MM)
    yield Spot(PATH, (PLACE,), *_cell(0, 0), *SPOT_MM)
    for number in range(1, PLACES + 1):
        at = _cell(number % 3, number // 3)
        yield Spot(f"{PATH}/{number}", (PLACE,), *at, *SPOT_MM)
    yield Spot(STOCK, (TREASURE,), *_stock(), *SPOT_MM)
    for number in range(VALUABLES + SPECIALS):
        at = _discard(number)
        yield Spot(f"discard/{number + 1}", (TREASURE,), *at, *SPOT_MM)
    for seat in range(SEATS.stop - 1):
        yield from _before(seat, box)


def _before(seat: int, box: Box) -> Iterator[Spot]:
    """Yield what lies before a seat: its character, talismans, what it lays open.

    A potion that counters another is laid where the next talisman would lie.
    """
    left, top = corner(seat)
    x, y = left + 3 + _TILE_MM / 2, top + 3 + _TILE_MM / 2
    yield Spot(f"seat/{seat}", (CHARACTER,), x, y, _TILE_MM, _TILE_MM)
    fronts = 1 + sum(special.count for special in box.specials if special.talisman)
    for number, at in enumerate(_row_before(seat), start=1):
        here = number - fronts
        place = f"front/{seat}/{number}" if here <= 0 else f"open/{seat}/{here}"
        if here <= ROW:
            yield Spot(place, (TREASURE,), *at, *SPOT_MM)


def _row_before(seat: int) -> Iterator[tuple[float, float]]:
    """Yield where treasures lie before a seat: six beside its owner, seven below."""
    left, top = corner(seat)
    step, down = _STEP_MM
    for number in range(6):
        yield left + 40 + (number + 0.5) * step, top + 3 + SPOT_MM[1] / 2
    for number in range(7):
        yield left + 3 + (number + 0.5) * step, top + 3 + down + SPOT_MM[1] / 2


def corner(seat: int) -> tuple[float, float]:
    """Return the top left corner of a seat's area in mm; the sixth area is the tray."""
    row, column = divmod(seat, 3)
    return _LEFT_MM + column * _SEAT_MM[0], _SEATS_TOP_MM + row * _SEAT_MM[1]


def space(anger: int) -> tuple[float, float]:
    """Return the middle of a space of the track; the dragon sleeps at the left."""
    wide, _ = _SPACE_MM
    return _TRACK_MM[0] + (anger + 0.5) * wide, _TRACK_MM[1]


def _cell(column: int, row: int) -> tuple[float, float]:
    """Return the middle of a card at the left edge."""
    wide, high = _STEP_MM
    return _LEFT_MM + (column + 0.5) * wide, _TOP_MM + (row + 0.5) * high


def _stock() -> tuple[float, float]:
    x, _ = space(max(ANGER.values()) // 2)
    return x, _cell(0, 0)[1]


def _discard(number: int) -> tuple[float, float]:
    row, column = divmod(number, _DISCARDS)
    x, y = _cell(column, row)
    return x + WIDTH_MM - 2 * _LEFT_MM - _DISCARDS * _STEP_MM[0], y


def _tray() -> tuple[float, float, float, float]:
    """Return the middle, width and height of the tray."""
    left, top = corner(SEATS.stop - 1)
    wide, high = _SEAT_MM
    return left + wide / 2, top + high / 2, wide - 4, high - 4


_STONE: Bgr = (88, 92, 96)
_FRAME: Bgr = (112, 118, 122)
_SLEEP: Bgr = (120, 70, 40)
_SPACES: tuple[Bgr, Bgr] = ((176, 166, 146), (156, 144, 122))
"""Cold colours: the dragon is red and yellow, and at its edges all between these."""

_CALM: Bgr = (120, 220, 235)
_FURY: Bgr = (60, 80, 240)
_SEAT: Bgr = (70, 96, 84)
_FELT: Bgr = (64, 84, 44)


def _tiles() -> Iterator[Tile]:
    wide, high = WIDTH_MM - 2 * _LEFT_MM, HEIGHT_MM - 2 * _TOP_MM
    yield Tile(WIDTH_MM / 2, HEIGHT_MM / 2, wide, high, _STONE)
    yield Tile(*_cell(0, 0), *SPOT_MM, _FRAME, "?")
    for number in range(1, PLACES + 1):
        yield Tile(*_cell(number % 3, number // 3), *SPOT_MM, _FRAME)
    yield Tile(*_stock(), *SPOT_MM, _FRAME, "+")
    for number in range(VALUABLES + SPECIALS):
        yield Tile(*_discard(number), *SPOT_MM, _FRAME)
    yield from _track()
    for seat in range(SEATS.stop - 1):
        yield from _area(seat)
    x, y, wide, high = _tray()
    yield Tile(x, y, wide, high, (46, 60, 80))
    yield Tile(x, y, wide - 10, high - 6, _FELT, "felt")


def _track() -> Iterator[Tile]:
    wide, high = _SPACE_MM
    most = max(ANGER.values())
    for anger in range(most + 1):
        share = anger / most
        mixed = [round(a + (b - a) * share) for a, b in zip(_CALM, _FURY, strict=True)]
        x, y = space(anger)
        yield Tile(x, y, wide - 1, high, _SPACES[anger % 2] if anger else _SLEEP)
        # Below the dragon's feet, where it does not hide how angry it is.
        ink = (mixed[0], mixed[1], mixed[2])
        yield Tile(x, y + high / 2 + 7, 14, 14, _STONE, str(anger), ink)


def _area(seat: int) -> Iterator[Tile]:
    left, top = corner(seat)
    wide, high = _SEAT_MM
    yield Tile(left + wide / 2, top + high / 2, wide - 2, high - 1, _SEAT)
    x, y = left + 3 + _TILE_MM / 2, top + 3 + _TILE_MM / 2
    yield Tile(x, y, _TILE_MM, _TILE_MM, _FRAME, str(seat + 1), _SEAT)
