"""The stand-in table of 8 Dragons: a rectangle of seven columns and six rows of cards.

A token lies on the square beside the card that it blocks, not on the card itself, so
that both can be read. Before each seat there is room for dragons that are laid, which
have no place in the game's layout.
"""

from collections.abc import Iterator

from companion.games.eight_dragons.box import Box
from companion.games.eight_dragons.layout import BACK, CARD, PLACES, TOKEN
from companion.games.eight_dragons.pieces import (
    CARDS,
    COLOUR,
    COLUMNS,
    PART,
    ROWS,
    Card,
    Colour,
    Part,
)
from companion.games.eight_dragons.state import MOST_SEATS, State
from vision.tabletop import plan
from vision.tabletop.plan import Bgr, Ground, PieceLook, Plan, Spot, Thing, Tile

WIDTH_MM, HEIGHT_MM = 640.0, 360.0
CARD_MM = (30.0, 43.0)
CARD_SPOT_MM = (34.0, 47.0)
TOKEN_MM, TOKEN_SPOT_MM = 20.0, 24.0
_LEFT_MM, _TOP_MM = 98.0, 31.0
_COLUMN_MM, _ROW_MM = 64.0, 51.0
_GAP_MM = 3.0

CARPET = "carpet"
"""The only ground."""

FIELDS: dict[Colour, Bgr] = {
    Colour.RED: (40, 36, 190),
    Colour.GREEN: (60, 140, 40),
    Colour.GOLD: (40, 175, 235),
    Colour.MULTI: (165, 45, 140),
    Colour.SILVER: (196, 192, 186),
}
"""The field of each dragon's cards, in the middle of its shades."""

_BLACK: Bgr = (28, 26, 26)
_WHITE: Bgr = (250, 250, 250)
BLAZONS: dict[Part, Bgr] = {
    Part.TAIL: _BLACK,
    Part.LEGS: _WHITE,
    Part.CLAWS: _BLACK,
    Part.HEAD: _WHITE,
}
_DEEP, _PALE = (1.35, 1.35, 0.8, 0.8), (1.1, 0.8, 0.8, 0.5)
SHADES: dict[Colour, tuple[float, ...]] = {
    Colour.RED: _DEEP,
    Colour.GREEN: _DEEP,
    Colour.GOLD: _PALE,
    Colour.MULTI: _DEEP,
    Colour.SILVER: _PALE,
}
"""Fields darken from tail to head: parts of one dragon differ in shade or in blazon. In
the same paint throughout, one card of 60 was unsure in side and mixed light."""

LETTERS: dict[Colour, str] = {
    Colour.RED: "R",
    Colour.GREEN: "V",
    Colour.GOLD: "O",
    Colour.MULTI: "D",
    Colour.SILVER: "A",
}
"""First letters of rouge, vert, or, diapré and argent (rulebook l. 92-96)."""

NUMBERS: dict[Part, str] = {
    Part.TAIL: "1",
    Part.LEGS: "2",
    Part.CLAWS: "3",
    Part.HEAD: "4",
}
"""The parts from behind to before, as the rulebook counts them (l. 57)."""

_SPECIALS: dict[Card, tuple[Bgr, Bgr, str]] = {
    Card.DIAMOND: ((210, 200, 70), (250, 250, 235), "+1"),
    Card.DIAMONDS: ((150, 110, 20), (250, 235, 170), "+2"),
    Card.GRAB: ((190, 130, 250), (90, 20, 110), "+H"),
    Card.FIREBALL: ((30, 28, 34), (30, 130, 250), "-1"),
    Card.FIREBALLS: ((28, 70, 150), (40, 230, 250), "-2"),
}


def table(_box: Box) -> Plan:
    """Return the table: every copy has the same cards."""
    return Plan(
        width_mm=WIDTH_MM,
        height_mm=HEIGHT_MM,
        spots=tuple(_spots()),
        things=(
            Thing(CARD, plan.CARD, *CARD_MM, tall_mm=0.4),
            Thing(TOKEN, plan.TOKEN, TOKEN_MM, tall_mm=2.0),
        ),
        grounds=(Ground(CARPET, tuple(_tiles())),),
        looks=tuple(_looks()),
        whites=((9, 9), (631, 9), (9, 351), (631, 351), (320, 9), (320, 351)),
    )


def ground(_state: State) -> str:
    """Return the ground that lies under every state."""
    return CARPET


def card_at(index: int) -> tuple[float, float]:
    """Return the middle of the card of a place in mm; places count down columns."""
    column, row = divmod(index, ROWS)
    wide, high = CARD_SPOT_MM
    return _LEFT_MM + column * _COLUMN_MM + wide / 2, _TOP_MM + row * _ROW_MM + high / 2


def token_at(index: int) -> tuple[float, float]:
    """Return the middle of the square beside the card of a place in mm."""
    x, y = card_at(index)
    return x + CARD_SPOT_MM[0] / 2 + _GAP_MM + TOKEN_SPOT_MM / 2, y


def _spots() -> Iterator[Spot]:
    for index, place in enumerate(PLACES):
        yield Spot(place, (CARD,), *card_at(index), *CARD_SPOT_MM)
        square = TOKEN_SPOT_MM, TOKEN_SPOT_MM
        yield Spot(place, (TOKEN,), *token_at(index), *square)


def _looks() -> Iterator[PieceLook]:
    """Yield the looks of all that can lie open; the twin card looks like a back."""
    for card in CARDS:
        if card in PART:
            colour, part = COLOUR[card], PART[card]
            sign = LETTERS[colour] + NUMBERS[part]
            field = _shaded(colour, part)
            yield PieceLook(CARD, card.value, field, BLAZONS[part], sign)
        elif card is not Card.TWIN:
            yield PieceLook(CARD, card.value, *_SPECIALS[card])
    yield PieceLook(CARD, BACK, (92, 52, 24), (190, 140, 70), "8")
    yield PieceLook(TOKEN, None, (30, 30, 120), (235, 235, 235), "X")


def _shaded(colour: Colour, part: Part) -> Bgr:
    shade = SHADES[colour][list(Part).index(part)]
    b, g, r = (min(255, round(value * shade)) for value in FIELDS[colour])
    return b, g, r


_CLOTH: Bgr = (74, 62, 48)
_FRAME: Bgr = (112, 104, 88)
_SQUARE: Bgr = (92, 84, 70)
_SEAT: Bgr = (70, 92, 106)
_CHALK: Bgr = (200, 205, 205)


def _tiles() -> Iterator[Tile]:
    yield Tile(320, 180, 606, 326, _CLOTH, "felt")
    for index in range(len(PLACES)):
        yield Tile(*card_at(index), *CARD_SPOT_MM, _FRAME)
        yield Tile(*token_at(index), TOKEN_SPOT_MM, TOKEN_SPOT_MM, _SQUARE)
    # The names of the places, such as e3, stand at the edges of the rectangle.
    for column, letter in enumerate(COLUMNS):
        x, _ = card_at(column * ROWS)
        yield Tile(x, 23.5, 10, 10, _CLOTH, letter, _CHALK)
    for row in range(ROWS):
        _, y = card_at(row)
        yield Tile(90, y, 10, 10, _CLOTH, str(row + 1), _CHALK)
    for seat in range(MOST_SEATS):
        right, below = seat % 2, seat // 2
        yield Tile(51 + right * 539, 100 + below * 160, 62, 150, _SEAT, str(seat + 1))
