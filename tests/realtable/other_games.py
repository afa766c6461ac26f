"""Traced tables of Dragon Run and Dragonix: cards and figures on a cloth.

Where things lie is the stand-in's plan seen in a mirror; what they look like is not.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

import cv2
import numpy as np
from msgspec.structs import replace

from companion.demo.tables import find as find_stand_in
from companion.games.copy import Zone
from companion.kits.spaces import card_zones
from companion.table import TRAY, Face, Piece, Place
from tests.realtable import solids
from tests.realtable.artwork import cloth, lay_on, noise, star, stone, tinted, write
from tests.realtable.dice import ten_sided
from tests.realtable.tables import RealTable, Rgb, Solid, px
from vision.arrays import Picture
from vision.tabletop.plan import (
    CARD,
    D10,
    FIGURE,
    TOKEN,
    Bgr,
    Ground,
    PieceLook,
    Plan,
    Spot,
)

CLOTHS = {"dragon_run": (70, 58, 66), "dragonix": (92, 104, 84)}

UNEVEN_MM = 3.0
"""So far from the middle of a pile its cards lie, each on another side."""

DIGITS = tuple("0123456789")


def table(game: str, box: Any) -> RealTable:
    """Return the table of a game for a box."""
    stand_in = find_stand_in(game)
    assert stand_in is not None
    zones = card_zones(game, box)
    plan = _piled(_mirrored(stand_in.table(box)), zones)
    wide, high = plan.width_mm, plan.height_mm
    tray = next((_edges(spot) for spot in plan.spots if spot.place == TRAY), None)
    tone = CLOTHS[game]
    under = cloth((450, 700), 62, tone)
    return RealTable(
        game=game,
        plan=plan,
        ground=lambda _: _art(plan, tone),
        varnish=None,
        fixed=(
            (
                Solid(solids.sheet(1400, 900, -0.6), print_=under, rough=None),
                wide / 2,
                high / 2,
            ),
        ),
        solid=partial(_solid, plan),
        corners=(),
        taps=dict(_area_corners(plan, zones)),
        tray=tray,
        ground_of=stand_in.ground,
        view_mm=711.0,
    )


def _mirrored(plan: Plan) -> Plan:
    return replace(
        plan,
        spots=tuple(replace(s, x_mm=plan.width_mm - s.x_mm) for s in plan.spots),
        grounds=tuple(Ground(ground.name, ()) for ground in plan.grounds),
        whites=(),
    )


def _piled(plan: Plan, zones: tuple[Zone, ...]) -> Plan:
    """Return a plan where the cards of a pile lie on each other."""
    piles = [zone for zone in zones if zone.is_pile]

    def piled(spot: Spot) -> Spot:
        pile = next((one for one in piles if one.has(spot.place)), None)
        if pile is None:
            return spot
        first = next(one for one in plan.spots if pile.has(one.place))
        number = int(spot.place.rpartition("/")[2])
        x, y = UNEVEN_MM * np.cos(2.4 * number), UNEVEN_MM * np.sin(2.4 * number)
        return replace(spot, x_mm=first.x_mm + float(x), y_mm=first.y_mm + float(y))

    return replace(plan, spots=tuple(map(piled, plan.spots)))


def _area_corners(
    plan: Plan, zones: tuple[Zone, ...]
) -> Iterator[tuple[Place, tuple[float, float]]]:
    """Yield where people tap the corners of each area, a little beyond its cards.

    Those of one family are as large as the first.
    """
    sizes: dict[str, tuple[float, float]] = {}
    for zone in zones:
        edges = [_edges(spot) for spot in plan.spots if zone.has(spot.place)]
        left, top = (min(edge[k] for edge in edges) - 2 for k in (0, 1))
        right, bottom = (max(edge[k] for edge in edges) + 2 for k in (2, 3))
        wide, high = sizes.setdefault(zone.family, (right - left, bottom - top))
        yield zone.corners[0], (left, top)
        yield zone.corners[1], (left + wide, top + high)


def _edges(spot: Spot) -> tuple[float, float, float, float]:
    x, y, wide, high = spot.x_mm, spot.y_mm, spot.width_mm / 2, spot.height_mm / 2
    return x - wide, y - high, x + wide, y + high


def _art(plan: Plan, tone: tuple[int, int, int]) -> Picture:
    """Paint a cloth, with felt where dice fall and slabs where figures stand, RGB."""
    picture = cloth((plan.height_mm, plan.width_mm), 61, tone)
    figures = {thing.piece for thing in plan.things if thing.shape is FIGURE}
    for number, spot in enumerate(plan.spots):
        left, top, right, bottom = px(*_edges(spot))
        size = bottom - top, right - left
        if spot.place == TRAY:
            lay_on(picture, stone(size, 79, (36, 60, 92)), (left, top), 30)
        elif set(spot.holds) & figures:
            shade = (150, 120 - number % 5 * 8, 84)
            lay_on(picture, stone(size, 400 + number, shade), (left, top), 12)
    return picture


def _solid(plan: Plan, piece: Piece, face: Face | None) -> Solid:
    thing = plan.thing(piece)
    look = next(
        (one for one in plan.looks if (one.piece, one.face) == (piece, face)), None
    )
    if look is None:  # what nobody has seen yet lies face down
        look = next(one for one in plan.looks if one.piece == piece)
    if thing.shape is FIGURE:
        mesh = solids.dragon(thing.width_mm, thing.tall_mm)
        return Solid(mesh, _paint(look.colour), rough=0.2)
    if thing.shape is D10:
        return Solid(
            ten_sided(DIGITS.index(str(face)), thing.width_mm),
            print_=_digits((130, 26, 40), (244, 238, 226)),
            rough=0.12,
        )
    if thing.shape is TOKEN:
        art = _disc(look)
        return Solid(solids.disc(thing.width_mm, 2.2), print_=art, rough=0.25)
    assert thing.shape is CARD
    sheet = solids.sheet(thing.width_mm, thing.height_mm, 0.35, bow=0.4)
    return Solid(sheet, print_=_card(look, thing.width_mm, thing.height_mm), rough=0.22)


def _rgb(colour: Bgr) -> tuple[int, int, int]:
    blue, green, red = colour
    return red, green, blue


def _paint(colour: Bgr) -> Rgb:
    red, green, blue = ((part / 255) ** 2.2 for part in _rgb(colour))
    return red, green, blue


def _card(look: PieceLook, wide_mm: float, high_mm: float) -> Picture:
    """Return a card: a field of its colour with strokes, its sign in a corner."""
    high, wide = round(high_mm * 10), round(wide_mm * 10)
    card = np.full((high, wide, 3), (240, 238, 230), np.uint8)
    seed = sum(part * 7**k for k, part in enumerate((*look.colour, *look.second)))
    chance = np.random.default_rng(seed)
    uneven = 0.16 * noise((high - 24, wide - 24), (60, 60), seed % 9973)
    card[12:-12, 12:-12] = tinted(_rgb(look.colour), uneven)
    ink = _rgb(look.second)
    for _ in range(7):
        at = tuple(int(v * s) for v, s in zip(chance.uniform(0.2, 0.8, 2), (wide, high),
                                              strict=True))  # fmt: skip
        axes = tuple(int(v) for v in chance.uniform(0.06, 0.26, 2) * wide)
        cv2.ellipse(card, at, axes, int(chance.integers(180)), 0,
                    int(chance.integers(120, 360)), ink, 7, cv2.LINE_AA)  # fmt: skip
    if look.sign:
        write(card, look.sign, (wide * 0.24, high * 0.16), high * 0.2, ink, bold=7)
        write(card, look.sign, (wide * 0.5, high * 0.62), high * 0.3, ink, bold=9)
    return np.ascontiguousarray(card[::-1])


def _disc(look: PieceLook) -> Picture:
    picture = stone((160, 160), 6, _rgb(look.colour))
    star(picture, (80, 80), 70, _rgb(look.second), 7, 0.75)
    if look.sign:
        write(picture, look.sign, (80, 80), 80, (20, 16, 14), bold=8)
    return np.ascontiguousarray(picture[::-1])


def _digits(body: tuple[int, int, int], ink: tuple[int, int, int]) -> Picture:
    """Return ten kites side by side, each with its digit."""
    faces = []
    for digit in DIGITS:
        face = np.full((160, 160, 3), body, np.uint8)
        write(face, digit, (80, 84), 62, ink, bold=7)
        if digit in "69":
            cv2.line(face, (62, 122), (98, 122), ink, 6, cv2.LINE_AA)
        faces.append(face)
    return np.ascontiguousarray(np.concatenate(faces, 1)[::-1])
