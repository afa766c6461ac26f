"""Lay taught dice and round pieces on tables that are drawn ray by ray.

A table has its wood or cloth, six lamps and a copy of its own; what it teaches and what
is looked at afterwards lies elsewhere, turned, and in other lamps too.
"""

from typing import Literal, TypeAlias, get_args

import cv2
import numpy as np
from msgspec import Struct

from companion.table import Face
from vision.arrays import Floats, Picture
from vision.measure.taught_dice_grounds import cloth, wood
from vision.measure.taught_dice_rays import (
    Looker,
    Paint,
    Room,
    cube_body,
    disc_body,
    ten_body,
)

PieceKind: TypeAlias = Literal["colour", "symbol", "d10", "round"]
KINDS: tuple[PieceKind, ...] = get_args(PieceKind)

SHOTS = 3
"""Shots of each face, as the lesson asks for."""

_TRAY_MM = (112.0, 84.0)
_HEIGHT_MM = 470.0
_PRINT_PX = 160

COLOURS: dict[Face, tuple[float, float, float]] = {
    "red": (0.55, 0.03, 0.03),
    "green": (0.03, 0.28, 0.06),
    "blue": (0.03, 0.10, 0.48),
    "yellow": (0.75, 0.55, 0.04),
    "violet": (0.22, 0.05, 0.32),
    "white": (0.80, 0.79, 0.75),
    "orange": (0.75, 0.22, 0.02),
    "pink": (0.75, 0.30, 0.42),
    "black": (0.03, 0.03, 0.03),
    "brown": (0.18, 0.08, 0.03),
}
"""Linear light that faces give back, RGB."""

_TAUGHT = ("red", "green", "blue", "yellow", "violet", "white")
_STRANGE = ("orange", "pink", "black", "brown")

_GROUNDS = (
    ("wood", (0.35, 0.20, 0.10), 0.12),
    ("wood", (0.55, 0.40, 0.24), 0.10),
    ("wood", (0.12, 0.06, 0.03), 0.18),
    ("cloth", (0.03, 0.12, 0.06), 0.0),
    ("cloth", (0.28, 0.28, 0.29), 0.0),
    ("cloth", (0.40, 0.36, 0.30), 0.10),
    ("cloth", (0.06, 0.05, 0.16), 0.0),
    ("wood", (0.70, 0.66, 0.58), 0.05),
)


class Look(Struct, frozen=True):
    """One look at one piece.

    Attributes:
        face: What lies on top; None for a piece that was never taught.
        picture: ``(h, w, 3)``, uint8, BGR.
        bare: The same table in the same lamp without it.
        lamp: Number of the lamp; 0 lit the lesson.
    """

    face: Face | None
    picture: Picture
    bare: Picture
    lamp: int


class LaidTable(Struct, frozen=True):
    """A table: the shots that teach a piece, and looks at it afterwards."""

    shots: tuple[Look, ...]
    looks: tuple[Look, ...]


def lay_table(
    kind: PieceKind, seed: int, px_per_mm: float, looks: int, strangers: int
) -> LaidTable:
    """Return a table with pieces of a kind.

    Args:
        kind: What lies there.
        seed: Its wood, lamps, copy and throws.
        px_per_mm: How fine the camera sees it.
        looks: Looks at faces that were taught.
        strangers: Looks at pieces that were not.
    """
    random = np.random.default_rng((KINDS.index(kind), seed))
    rooms = _rooms(random, px_per_mm)
    ground = rooms[0].ground.mean((0, 1))
    while kind == "colour" and not all(
        _stands_out(np.log(np.array(COLOURS[name]) / ground)) for name in _TAUGHT
    ):
        rooms = _rooms(random, px_per_mm)
        ground = rooms[0].ground.mean((0, 1))
    lookers = [Looker(room, seed * 10 + n) for n, room in enumerate(rooms)]
    bare = [one.picture() for one in lookers]
    body = _BODIES[kind]()
    paints = _paints(kind, random, ground)
    strange = _paints(kind, random, ground, strange=True)

    def look(face: Face, known: dict[Face, tuple[int, Paint]], lamp: int) -> Picture:
        at = _spot(random)
        top, paint = known[face]
        return lookers[lamp].picture(body, paint, top, at)

    shots = [
        Look(face, look(face, paints, 0), bare[0], 0)
        for face in paints
        for _ in range(SHOTS)
    ]
    seen = []
    for number in range(looks + strangers):
        lamp = 0 if number % 2 else int(random.integers(len(lookers)))
        known = paints if number < looks else strange
        names = list(known)
        face = names[number % len(names)]
        true = face if number < looks else None
        seen.append(Look(true, look(face, known, lamp), bare[lamp], lamp))
    return LaidTable(tuple(shots), tuple(seen))


def _spot(random: np.random.Generator) -> tuple[float, float, float]:
    x, y = (float(random.uniform(-0.34, 0.34)) * side for side in _TRAY_MM)
    return x, y, float(random.uniform(0, 360))


def _rooms(random: np.random.Generator, px_per_mm: float) -> list[Room]:
    """Return one table in six lamps."""
    cover, colour, rough = _GROUNDS[int(random.integers(len(_GROUNDS)))]
    tint = np.array(colour) * np.exp(random.normal(0, 0.15, 3))
    make = wood if cover == "wood" else cloth
    ground = make(random, tint, rough)
    varnish = float(random.uniform(0.01, 0.06)) if cover == "wood" else 0.0
    lean, side = np.radians(random.uniform(0, 9)), random.uniform(0, 2 * np.pi)
    off = np.tan(lean) * _HEIGHT_MM
    eye = np.array([off * np.cos(side), off * np.sin(side), _HEIGHT_MM])
    rooms = []
    for _ in range(6):
        warmth = float(random.uniform(-0.15, 0.4))
        light = np.array([1 + warmth, 1.0, 1 - warmth]) * random.uniform(0.6, 1.2)
        way = random.uniform(0, 2 * np.pi)
        away = random.uniform(150, 600)
        lamp = np.array(
            [away * np.cos(way), away * np.sin(way), random.uniform(450, 900)]
        )
        sky = np.array([1.0, 1.0, 1.02]) * random.uniform(0.25, 0.7)
        # White balance that takes most of the lamp's tint out.
        white = (1 / (light + sky)) ** random.uniform(0.4, 1.0)
        rooms.append(
            Room(
                ground, varnish, eye, lamp, float(random.uniform(25, 90)), light, sky,
                white / white.mean(), px_per_mm,
                (round(_TRAY_MM[1] * px_per_mm), round(_TRAY_MM[0] * px_per_mm)),
            )
        )  # fmt: skip
    return rooms


def _paints(
    kind: PieceKind, random: np.random.Generator, ground: Floats, strange: bool = False
) -> dict[Face, tuple[int, Paint]]:
    """Return each face with its number on the body and the body's paint."""
    gloss = float(random.uniform(0.02, 0.12))
    if kind == "colour":
        return _colour_faces(random, gloss, strange)
    if kind == "round":
        return {
            name: (0, Paint(rim, (print_,), 0.03))
            for name, rim, print_ in _round_prints(random, strange)
        }
    body, ink = _inks(random, ground)
    if kind == "symbol":
        letters = list("KRX247" if strange else "ABETZ35")
        signs = [*random.permutation(letters)[:3], "#", "#", "#"]
    else:
        digits = "0123456789"
        signs = list(digits) if not strange else list("ABCDEFHKPR")
    font = int(random.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX,
                              cv2.FONT_HERSHEY_COMPLEX]))  # fmt: skip
    size = 0.5 if kind == "symbol" else 0.6
    prints = tuple(
        _sign_print(str(sign), body, ink, font, size, random) for sign in signs
    )
    # Each sign lies on the face of its number; numbers go round as on real dice.
    paint = Paint(body, prints, gloss)
    names = [str(s) if s != "#" else f"figure {n}" for n, s in enumerate(signs)]
    return {name: (number, paint) for number, name in enumerate(names)}


def _colour_faces(
    random: np.random.Generator, gloss: float, strange: bool
) -> dict[Face, tuple[int, Paint]]:
    names = _STRANGE if strange else _TAUGHT
    shades = [
        np.clip(np.array(COLOURS[name]) * np.exp(random.normal(0, 0.12, 3)), 0, 0.9)
        for name in names
    ]
    prints = tuple(np.broadcast_to(shade, (8, 8, 3)) for shade in shades)
    paint = Paint(np.array([0.5, 0.5, 0.5]), prints, gloss)
    return {name: (number, paint) for number, name in enumerate(names)}


def _inks(random: np.random.Generator, ground: Floats) -> tuple[Floats, Floats]:
    """Return the colours of a body that stands out, and of what is printed on it."""
    bodies = [
        np.array(colour)
        for colour in COLOURS.values()
        if _stands_out(np.log(np.array(colour) / ground))
    ]
    body = bodies[int(random.integers(len(bodies)))]
    light = float(body @ [0.3, 0.6, 0.1]) > 0.25
    ink = np.full(3, 0.04) if light else np.full(3, 0.8)
    return body, ink


def _stands_out(off: Floats) -> bool:
    """Tell whether a lesson sees a body; *off* is its light over the ground's, in logs.

    What is only darker looks like a shadow: its owner lays it on another ground.
    """
    return bool(off.max() > 0.6 or np.ptp(off) > 0.8)


def _sign_print(
    sign: str,
    body: Floats,
    ink: Floats,
    font: int,
    size: float,
    random: np.random.Generator,
) -> Floats:
    """Return a face with a sign; a six and a nine are underlined, ``#`` is a figure."""
    side = _PRINT_PX * 2
    cover = np.zeros((side, side), np.uint8)
    if sign == "#":
        _figure(cover, random)
    else:
        tall = cv2.getTextSize(sign, font, 1.0, 2)[0]
        scale = size * side / tall[1]
        thick = max(2, round(scale * 3.4))
        wide, high = cv2.getTextSize(sign, font, scale, thick)[0]
        at = (side - wide) // 2, (side + high) // 2
        cv2.putText(cover, sign, at, font, scale, 255, thick, cv2.LINE_AA)
        if sign in "69":
            low = at[1] + round(0.09 * side)
            ends = (at[0], low), (at[0] + wide, low)
            cv2.line(cover, *ends, 255, thick, cv2.LINE_AA)
    share = cv2.resize(cover, (_PRINT_PX, _PRINT_PX), interpolation=cv2.INTER_AREA)
    part = share[:, :, None] / np.float32(255)
    return np.asarray(body * (1 - part) + ink * part, np.float32)


def _figure(cover: Picture, random: np.random.Generator) -> None:
    """Draw a blazon: a star-like outline with holes that no other has."""
    side = cover.shape[0]
    angle = np.linspace(0, 2 * np.pi, 120, endpoint=False)
    waves, deep = int(random.integers(1, 7)), float(random.uniform(0.15, 0.45))
    reach = 1 + deep * np.cos(waves * angle + random.uniform(0, 6.3))
    stretch = random.uniform(0.6, 1.0, 2) * side * 0.27
    outline = np.stack([np.cos(angle) * reach, np.sin(angle) * reach], -1) * stretch
    cv2.fillPoly(cover, [np.rint(outline + side / 2).astype(np.int32)], 255)
    for _ in range(int(random.integers(0, 3))):
        spot = side / 2 + random.uniform(-0.12, 0.12, 2) * side
        where = (int(spot[0]), int(spot[1]))
        cv2.circle(cover, where, int(side * random.uniform(0.04, 0.09)), 0, -1)


def _round_prints(
    random: np.random.Generator, strange: bool
) -> list[tuple[Face, Floats, Floats]]:
    """Return eight round pieces: pairs of one colour, pairs of one sign, two plain.

    No strange one has the sign, nor a plain one the colour, of one that is not.
    """
    names = [str(name) for name in random.permutation(list(COLOURS))]
    signs = [str(one) for one in random.permutation(list("X2457" if strange else
                                                         "ABEKRT"))]  # fmt: skip
    plain = [name for name in names if (name in _STRANGE) is strange]
    rims = [names[0], names[0], names[1], names[2], names[3], names[4], *plain[:2]]
    drawn = [signs[0], signs[1], signs[2], signs[2], "#", "#", "", ""]
    found = []
    for number, (rim, sign) in enumerate(zip(rims, drawn, strict=True)):
        colour = np.array(COLOURS[rim])
        light = float(colour @ [0.3, 0.6, 0.1]) > 0.25
        ink = np.full(3, 0.04) if light else np.full(3, 0.8)
        font = cv2.FONT_HERSHEY_DUPLEX
        art = (
            _sign_print(sign, colour, ink, font, 0.42, random)
            if sign
            else np.broadcast_to(colour, (_PRINT_PX, _PRINT_PX, 3)).copy()
        )
        art = np.asarray(art, np.float32)
        if number % 2:
            _ring(art, ink)
        found.append((f"{number} {rim} {sign}", colour, art))
    return found


def _ring(art: Floats, ink: Floats) -> None:
    """Draw a ring near the rim of a round print."""
    side = art.shape[0]
    steps = (np.arange(side) + 0.5) / side * 2 - 1
    away = np.hypot(*np.meshgrid(steps, steps))
    art[(away > 0.8) & (away < 0.9)] = ink


_BODIES = {
    "colour": cube_body,
    "symbol": cube_body,
    "d10": ten_body,
    "round": disc_body,
}
