"""The stand-in table of Dragonix: four armies, the tower, and an area for each player.

Rows grow from left to right. A dragon sits to the left of its row: what it hides and
the long shadow of a lamp from the right fall where a sixth card would lie, which is
there for a moment only.
"""

from collections.abc import Iterator

from companion.games.dragonix.box import Box, Colour
from companion.games.dragonix.dealing import SEATS
from companion.games.dragonix.layout import BACK, CAMP, CARD, TOKEN, row_place
from companion.games.dragonix.pieces import (
    ARMIES,
    CARDS,
    COLOUR,
    FULL,
    HAND,
    HERO,
    RED,
    ROWS,
    TOWER,
    UNDEAD,
    VALUE,
    Row,
    Token,
)
from companion.games.dragonix.state import State
from companion.table import Seat
from vision.tabletop import plan
from vision.tabletop.plan import Bgr, Ground, PieceLook, Plan, Spot, Thing, Tile

WIDTH_MM, HEIGHT_MM = 640.0, 360.0
GROUND = "board"

CARD_MM = (34.0, 48.0)
_CARD_STEP_MM = 40.0
_ROW_STEP_MM = 54.0
_COLUMN_MM = (20.0, 322.0)
"""Left edges of the two columns that rows and players' areas are in."""

_FIRST_ROW_MM, _FIRST_SEAT_MM, _SEAT_STEP_MM = 45.0, 233.0, 68.0
_DRAGON_MM, _ROW_CARDS_MM = 24.0, 52.0
"""How far right of its column's edge a dragon sits, and where the cards begin."""

_TOKEN_MM, _TOKEN_STEP_MM = 24.0, 27.0
_OPEN_TOKENS = 3
"""One that is being carried out, a prison and an undead dragon at most lie open."""

PEOPLES: dict[Colour, Bgr] = {
    Colour.GREEN: (70, 150, 60),
    Colour.RED: (50, 50, 200),
    Colour.ORANGE: (40, 130, 235),
    Colour.YELLOW: (60, 210, 235),
    Colour.BLUE: (195, 105, 40),
    Colour.VIOLET: (150, 60, 125),
    Colour.GREY: (140, 140, 140),
    Colour.BLACK: (50, 46, 44),
    Colour.WHITE: (232, 234, 236),
    Colour.BROWN: (50, 80, 120),
}

_BLAZONS: tuple[tuple[Bgr, ...], ...] = (
    ((245, 245, 245), (150, 235, 250), (245, 225, 170)),
    ((20, 20, 20), (90, 20, 20), (20, 10, 90)),
)
"""Light and dark ones, for even and odd values."""

_SHADES = (0.6, 0.8, 1.0, 1.2, 1.4, 1.6)
"""How bright a people's colour is, in turn by value: what a picture tells of two cards
is their mean colour as much as their print."""

_TOKENS: dict[Token, tuple[str, Bgr, Bgr]] = {
    Token.PRISON: ("P", (70, 70, 70), (190, 190, 190)),
    Token.PLAGUE: ("E", (30, 110, 40), (120, 225, 150)),
    Token.REINFORCE: ("+", (140, 70, 20), (240, 200, 150)),
    Token.COUNTER: ("C", (20, 100, 190), (110, 200, 255)),
    Token.UNDEAD: ("U", (60, 20, 60), (150, 90, 150)),
    Token.VOLUNTEERS: ("V", (40, 40, 170), (140, 150, 250)),
    Token.FLIGHT: ("F", (160, 140, 20), (245, 240, 190)),
}
"""Sign, rim and middle of each event token."""

_BACK: tuple[Bgr, Bgr] = ((44, 60, 96), (90, 130, 180))
_FLOOR: Bgr = (112, 128, 136)


def table(box: Box) -> Plan:
    """Return the table of one copy: its peoples in their colours, our own pieces."""
    return Plan(
        width_mm=WIDTH_MM,
        height_mm=HEIGHT_MM,
        spots=tuple(_spots()),
        things=tuple(_things()),
        grounds=(Ground(GROUND, tuple(_tiles())),),
        looks=tuple(_looks(box)),
        whites=((9, 9), (320, 9), (631, 9), (9, 351), (320, 351), (631, 351)),
    )


def ground(state: State) -> str:
    """Return what lies under the pieces: the one side that the board has."""
    del state
    return GROUND


def row_at(row: Row) -> tuple[float, float]:
    """Return the left edge of a row and how far down its middle is, mm.

    Armies I and II and the tower are one column, III and IV the other.
    """
    column, line = divmod({0: 0, 1: 1, 2: 3, 3: 4, TOWER: 2}[row], 3)
    return _COLUMN_MM[column], _FIRST_ROW_MM + line * _ROW_STEP_MM


def seat_at(seat: Seat) -> tuple[float, float]:
    """Return the left edge of a player's area and how far down its middle is, mm."""
    line, column = divmod(seat, 2)
    return _COLUMN_MM[column], _FIRST_SEAT_MM + line * _SEAT_STEP_MM


def _deserters_at() -> tuple[float, float]:
    return _COLUMN_MM[1] + _ROW_CARDS_MM, _FIRST_ROW_MM + 2 * _ROW_STEP_MM


def _spots() -> Iterator[Spot]:
    for row in (*ARMIES, TOWER):
        left, y = row_at(row)
        yield from _cards(row_place(row), left + _ROW_CARDS_MM, y, FULL)
        if row != TOWER:
            dragons = (RED.value, UNDEAD.value)
            yield Spot(row_place(row), dragons, left + _DRAGON_MM, y, 34, 48)
    yield from _cards("deserters", *_deserters_at(), 1)
    for seat in range(SEATS.stop - 1):
        left, y = seat_at(seat)
        yield from _cards(f"show/{seat}", left + 4, y, HAND)
        x = left + 4 + (HAND + 0.5) * _CARD_STEP_MM + 4
        yield Spot(f"camp/{seat}", (CAMP,), x, y, _CARD_STEP_MM, 50)
        x += 42
        yield Spot(f"tokens/{seat}", (TOKEN,), x, y, _TOKEN_STEP_MM, 40)
        for number in range(1, _OPEN_TOKENS + 1):
            at = x + 3 + number * _TOKEN_STEP_MM
            yield Spot(f"event/{seat}", (TOKEN,), at, y, _TOKEN_STEP_MM, 40)


def _cards(place: str, left: float, y: float, count: int) -> Iterator[Spot]:
    for number in range(count):
        x = left + (number + 0.5) * _CARD_STEP_MM
        yield Spot(place, (CARD,), x, y, _CARD_STEP_MM, _ROW_STEP_MM - 2)


def _things() -> Iterator[Thing]:
    wide, high = CARD_MM
    yield Thing(CARD, plan.CARD, wide, high, tall_mm=0.5)
    yield Thing(CAMP, plan.CARD, wide, high, tall_mm=0.5)
    yield Thing(TOKEN, plan.TOKEN, _TOKEN_MM, tall_mm=2.0)
    yield Thing(RED.value, plan.FIGURE, 18.0, tall_mm=30.0, reach_mm=18.0)
    yield Thing(UNDEAD.value, plan.FIGURE, 18.0, tall_mm=30.0, reach_mm=18.0)


def _looks(box: Box) -> Iterator[PieceLook]:
    for card, name in enumerate(CARDS):
        if card == HERO:
            yield PieceLook(CARD, name, (120, 190, 225), (20, 60, 110), "H")
            continue
        people = PEOPLES[box.colours[COLOUR[card]]]
        value = VALUE[card]
        colour = _shaded(people, _SHADES[(value // 2) % 6])
        blazon = _BLAZONS[value % 2][(value // 2 + value // 6) % 3]
        yield PieceLook(CARD, name, colour, blazon, str(value))
    yield PieceLook(CAMP, BACK, *_BACK)
    yield PieceLook(TOKEN, BACK, *_BACK)
    for token, (sign, rim, middle) in _TOKENS.items():
        yield PieceLook(TOKEN, token.value, rim, middle, sign)
    yield PieceLook(RED.value, None, (30, 30, 150), (60, 190, 240), "wings")
    yield PieceLook(UNDEAD.value, None, (130, 40, 100), (190, 225, 170), "wings")


def _shaded(colour: Bgr, bright: float) -> Bgr:
    b, g, r = (min(255, round(value * bright)) for value in colour)
    return b, g, r


def _tiles() -> Iterator[Tile]:
    for row, name in enumerate(ROWS):
        left, y = row_at(row)
        yield Tile(left + 146, y, 292, _ROW_STEP_MM - 3, (74, 92, 84))
        if row != TOWER:
            yield Tile(left + _DRAGON_MM, y, 36, 46, (96, 116, 104), name)
        else:
            yield Tile(left + _DRAGON_MM, y, 36, 46, (120, 120, 130), "T")
        yield from _card_tiles(left + _ROW_CARDS_MM, y, FULL - 1)
    left, y = _deserters_at()
    yield from _card_tiles(left, y, 1)
    for seat in range(SEATS.stop - 1):
        left, y = seat_at(seat)
        yield Tile(left + 146, y, 296, _SEAT_STEP_MM - 4, _FLOOR)
        yield Tile(left + 289, y, 10, 30, _FLOOR, str(seat + 1))
        yield from _card_tiles(left + 4, y, HAND)


def _card_tiles(left: float, y: float, count: int) -> Iterator[Tile]:
    wide, high = CARD_MM
    for number in range(count):
        x = left + (number + 0.5) * _CARD_STEP_MM
        yield Tile(x, y, wide, high, (94, 110, 104))
