"""A traced 8 Dragons: six rows of seven cards on a bare cloth."""

from collections.abc import Iterator

import cv2
import numpy as np

from companion.games.eight_dragons.box import Box
from companion.games.eight_dragons.layout import BACK, CARD, PLACES, TOKEN
from companion.games.eight_dragons.pieces import (
    CARDS,
    COLOUR,
    PART,
    ROWS,
    Card,
    Colour,
    Part,
)
from companion.games.eight_dragons.state import State
from companion.table import Face, Piece
from tests.realtable import solids
from tests.realtable.artwork import cloth, noise, star, stone, tinted, write
from tests.realtable.tables import RealTable, Solid
from vision.arrays import Picture
from vision.tabletop import plan
from vision.tabletop.plan import Ground, PieceLook, Plan, Spot, Thing

WIDE, HIGH = 700.0, 394.0
CARD_MM = (40.0, 56.0)
_LEFT, _TOP = 58.0, 44.0
_COLUMN, _ROW = 92.0, 61.0
TOKEN_MM = 20.0

_FIELDS: dict[Colour, tuple[int, int, int]] = {
    Colour.RED: (196, 52, 40),
    Colour.GREEN: (56, 134, 70),
    Colour.GOLD: (226, 178, 58),
    Colour.MULTI: (150, 70, 150),
    Colour.SILVER: (182, 188, 196),
}


def card_at(index: int) -> tuple[float, float]:
    """Return the middle of the card of a place; places count down columns."""
    column, row = divmod(index, ROWS)
    return _LEFT + (column + 0.5) * _COLUMN - 24, _TOP + (row + 0.5) * _ROW - 30


def table(_box: Box) -> RealTable:
    """Return the table: every copy has the same cards."""
    middles = [card_at(index) for index in range(len(PLACES))]
    return RealTable(
        game="eight_dragons",
        plan=_plan(),
        ground=lambda _: cloth((HIGH, WIDE), 21, (58, 92, 104)),
        varnish=None,
        fixed=(
            (
                Solid(
                    solids.sheet(1400, 900, -0.6),
                    print_=cloth((450, 700), 22, (58, 92, 104)),
                    rough=None,
                ),
                WIDE / 2,
                HIGH / 2,
            ),
        ),
        solid=_solid,
        # The four cards at the corners are tapped: of the first and the last column.
        corners=tuple(middles[n] for n in (0, len(middles) - ROWS, -1, ROWS - 1)),
        taps=dict(zip(PLACES, middles, strict=True)),
        tray=None,
        ground_of=_ground_of,
        view_mm=711.0,
    )


def _ground_of(state: State) -> str:
    del state
    return "cloth"


def _plan() -> Plan:
    return Plan(
        WIDE, HIGH, tuple(_spots()),
        (
            Thing(CARD, plan.CARD, *CARD_MM, tall_mm=0.4),
            Thing(TOKEN, plan.TOKEN, TOKEN_MM, tall_mm=3.0),
        ),
        (Ground("cloth", ()),), tuple(_looks()), (),
    )  # fmt: skip


def _spots() -> Iterator[Spot]:
    for index, place in enumerate(PLACES):
        x, y = card_at(index)
        yield Spot(place, (CARD,), x, y, 44, 60)
        yield Spot(place, (TOKEN,), x + 34, y + 8, 24, 24)


def _looks() -> Iterator[PieceLook]:
    none = (0, 0, 0)
    for card in CARDS:
        if card is not Card.TWIN:
            yield PieceLook(CARD, card.value, none, none)
    yield PieceLook(CARD, BACK, none, none)
    yield PieceLook(TOKEN, None, none, none)


def _solid(piece: Piece, face: Face | None) -> Solid:
    if piece == TOKEN:
        return Solid(solids.disc(TOKEN_MM, 3.0), print_=_token(), rough=0.2)
    known = {card.value: card for card in CARDS if card is not Card.TWIN}
    # The twin card looks like a back on its other side too.
    art = _back() if face not in known else _face(known[face])
    sheet = solids.sheet(*CARD_MM, 0.35, bow=0.5)
    return Solid(sheet, print_=np.ascontiguousarray(art[::-1]), rough=0.22)


def _token() -> Picture:
    picture = stone((120, 120), 5, (60, 20, 24))
    star(picture, (60, 60), 44, (236, 220, 180), 4, 0.3)
    return np.ascontiguousarray(picture[::-1])


def _blank(colour: tuple[int, int, int], seed: int) -> Picture:
    """Return a card of 8 px a millimetre with a white rim."""
    size = round(CARD_MM[1] * 8), round(CARD_MM[0] * 8)
    card = np.full((*size, 3), (240, 238, 230), np.uint8)
    inner = tinted(colour, 0.16 * noise((size[0] - 32, size[1] - 32), (70, 70), seed))
    card[16:-16, 16:-16] = inner
    return card


def _back() -> Picture:
    card = _blank((44, 40, 84), 500)
    middle = card.shape[1] / 2, card.shape[0] / 2
    for k in range(7):
        at, axes = (round(middle[0]), round(middle[1])), (26 + 17 * k, 40 + 24 * k)
        cv2.ellipse(card, at, axes, 20 * k, 0, 360, (176, 140, 80), 3, cv2.LINE_AA)
    star(card, middle, 44, (210, 180, 110), 8)
    card[:16] = card[-16:] = card[:, :16] = card[:, -16:] = (240, 238, 230)
    return card


def _face(card: Card) -> Picture:
    if card not in PART:
        return _special(card)
    colour, part = COLOUR[card], PART[card]
    number = list(Part).index(part)
    picture = _blank(_FIELDS[colour], 510 + 10 * list(Colour).index(colour) + number)
    _paint_part(picture, number, list(Colour).index(colour))
    return picture


def _paint_part(picture: Picture, number: int, seed: int) -> None:
    """Paint a tail, legs, claws or a head, each from strokes of its own."""
    chance = np.random.default_rng(700 + seed)
    high, wide = picture.shape[:2]
    ink = tuple(int(v) for v in chance.integers(10, 90, 3))
    pale = tuple(int(v) for v in chance.integers(170, 250, 3))
    if number == 0:
        t = np.linspace(0, 4 * np.pi, 120)
        curve = np.column_stack(
            [wide / 2 + (20 + 8 * t) * np.cos(t), high / 2 + (22 + 10 * t) * np.sin(t)]
        )
        cv2.polylines(picture, [np.rint(curve).astype(np.int32)], False, ink, 22)
        cv2.polylines(picture, [np.rint(curve).astype(np.int32)], False, pale, 6)
    elif number == 1:
        for x in (0.3, 0.68):
            leg, foot = (round(x * wide), round(0.4 * high)), round(0.72 * high)
            cv2.ellipse(picture, leg, (44, 96), 12, 0, 360, ink, -1, cv2.LINE_AA)
            at = leg[0] + 20, foot
            cv2.ellipse(picture, at, (58, 26), 0, 0, 360, pale, -1, cv2.LINE_AA)
    elif number == 2:
        for k in range(4):
            x = round((0.2 + 0.2 * k) * wide)
            hook = [(x, 90), (x + 34, 120), (x + 16, round(0.8 * high)), (x - 20, 160)]
            cv2.fillPoly(picture, [np.array(hook)], pale if k % 2 else ink, cv2.LINE_AA)
    else:
        at = round(0.48 * wide), round(0.45 * high)
        cv2.ellipse(picture, at, (100, 74), -15, 0, 360, ink, -1, cv2.LINE_AA)
        jaw = [(90, 250), (300, 300), (230, 340), (80, 320)]
        cv2.fillPoly(picture, [np.array(jaw)], ink, cv2.LINE_AA)
        cv2.circle(picture, (at[0] + 26, at[1] - 22), 20, pale, -1, cv2.LINE_AA)
        cv2.circle(picture, (at[0] + 30, at[1] - 22), 8, (10, 10, 10), -1, cv2.LINE_AA)


def _special(card: Card) -> Picture:
    number = list(Card).index(card)
    base = [(60, 150, 170), (30, 80, 120), (220, 130, 170), (40, 30, 34), (120, 60, 30)]
    picture = _blank(base[number % 5], 560 + number)
    middle = picture.shape[1] / 2, picture.shape[0] / 2
    star(picture, middle, 120, (250, 236, 190), 3 + number % 5, 0.4)
    write(picture, card.value[:2].upper(), middle, 70, (30, 20, 20), bold=7)
    return picture
