"""Our own artwork: what grounds, tokens and cards of the stand-in kits look like.

Everything is made from the values of a plan, at PX_PER_MM pixels a millimetre; no
publisher's picture is used. Writing is done at four times the size and shrunk.
"""

import zlib
from functools import lru_cache

import cv2
import numpy as np

from vision.arrays import Picture
from vision.drawn.dice import smooth_noise
from vision.tabletop.plan import CARD, Bgr, Ground, PieceLook, Plan, Thing, Tile

PX_PER_MM = 3.0
"""Finer than any camera here sees the table (2 px/mm), so that nothing looks coarse."""

FACE_PX = 64
"""Side of a die face's artwork: the square about the circle that fits into it."""

_TABLE: Bgr = (96, 128, 150)


def paint_ground(plan: Plan, ground: Ground) -> Picture:
    """Return a ground ``(h, w, 3)``, uint8, BGR, in even white light."""
    size = (round(plan.height_mm * PX_PER_MM), round(plan.width_mm * PX_PER_MM))
    random = np.random.default_rng(zlib.crc32(ground.name.encode()))
    wood = np.array(_TABLE, np.float32) * (
        1 + 0.05 * smooth_noise(size, 40.0, random)[:, :, None]
    )
    wood += 3 * smooth_noise((size[0], 60), 6.0, random)[:, :1, None]
    canvas = np.asarray(np.clip(wood, 0, 255), np.uint8)
    for tile in ground.tiles:
        _lay(canvas, tile, random)
    for x_mm, y_mm in plan.whites:
        side = plan.white_mm
        _lay(canvas, Tile(x_mm, y_mm, side, side, (245, 245, 245)), random)
    return canvas


def _lay(canvas: Picture, tile: Tile, random: np.random.Generator) -> None:
    left = max(0, round((tile.x_mm - tile.width_mm / 2) * PX_PER_MM))
    top = max(0, round((tile.y_mm - tile.height_mm / 2) * PX_PER_MM))
    area = canvas[
        top : round((tile.y_mm + tile.height_mm / 2) * PX_PER_MM),
        left : round((tile.x_mm + tile.width_mm / 2) * PX_PER_MM),
    ]
    rough = 0.05 if tile.sign == "felt" else 0.015
    nap = smooth_noise((area.shape[0], area.shape[1]), 2.0, random)[:, :, None] * rough
    area[:] = np.clip(np.array(tile.colour, np.float32) * (1 + nap), 0, 255)
    if tile.sign == "web":
        _spin(area, tile.ink)
    elif tile.sign and tile.sign != "felt":
        side = min(area.shape[:2]) * 0.8
        middle = (area.shape[1] / 2, area.shape[0] / 2)
        _write(area, tile.sign, middle, side, tile.ink)


def _spin(area: Picture, ink: Bgr) -> None:
    """Draw a web of rings and rays: the sign of a trap."""
    height, width = area.shape[:2]
    middle = (width // 2, height // 2)
    for share in (0.2, 0.45, 0.7, 0.95):
        radii = (int(width / 2 * share), int(height / 2 * share))
        cv2.ellipse(area, middle, radii, 0, 0, 360, ink, 2, cv2.LINE_AA)
    for angle in np.linspace(0, np.pi, 5)[:-1]:
        x, y = int(np.cos(angle) * width / 2), int(np.sin(angle) * height / 2)
        a, b = (middle[0] - x, middle[1] - y), (middle[0] + x, middle[1] + y)
        cv2.line(area, a, b, ink, 2, cv2.LINE_AA)


def _write(
    area: Picture, text: str, middle: tuple[float, float], width_px: float, ink: Bgr
) -> None:
    """Write a short text about *middle*, at most *width_px* wide."""
    font, scale, thick = cv2.FONT_HERSHEY_DUPLEX, 4.0, 10
    (wide, high), below = cv2.getTextSize(text, font, scale, thick)
    stamp = np.zeros((high + below + 24, wide + 24), np.uint8)
    cv2.putText(stamp, text, (12, high + 12), font, scale, 255, thick, cv2.LINE_AA)
    factor = min(width_px / stamp.shape[1], width_px / stamp.shape[0])
    cover = cv2.resize(stamp, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    top = round(middle[1] - cover.shape[0] / 2)
    left = round(middle[0] - cover.shape[1] / 2)
    spot = area[
        max(0, top) : top + cover.shape[0], max(0, left) : left + cover.shape[1]
    ]
    part = np.asarray(cover, np.float32)[: spot.shape[0], : spot.shape[1], None] / 255
    spot[:] = spot * (1 - part) + np.array(ink, np.float32) * part


@lru_cache(maxsize=512)
def paint_flat(thing: Thing, look: PieceLook) -> tuple[Picture, Picture]:
    """Return a token or card ``(h, w, 3)``, uint8, BGR, and its cover ``(h, w)``."""
    width = round(thing.width_mm * PX_PER_MM)
    height = round((thing.height_mm or thing.width_mm) * PX_PER_MM)
    if thing.shape is CARD:
        return _card(width, height, look), np.full((height, width), 255, np.uint8)
    art = np.full((height, width, 3), look.colour, np.uint8)
    middle, radius = (width // 2, height // 2), width // 2 - 1
    cv2.circle(art, middle, int(radius * 0.78), look.second, -1, cv2.LINE_AA)
    if look.sign:
        ink: Bgr = (25, 25, 25) if sum(look.second) > 330 else (240, 240, 240)
        _write(art, look.sign, middle, radius * 1.25, ink)
        # A bar below the sign tells a six from a nine.
        low = int(middle[1] + radius * 0.68)
        ends = (middle[0] - radius // 3, low), (middle[0] + radius // 3, low)
        cv2.line(art, *ends, ink, max(2, radius // 12), cv2.LINE_AA)
    cover = np.zeros((height, width), np.uint8)
    cv2.circle(cover, middle, radius, 255, -1, cv2.LINE_AA)
    return art, cover


@lru_cache(maxsize=128)
def paint_face(look: PieceLook) -> Picture:
    """Return the face of a die ``(FACE_PX, FACE_PX, 3)``, uint8, BGR.

    Beyond its edge a face goes on in the colour of its rim.
    """
    art = np.full((FACE_PX, FACE_PX, 3), look.colour, np.uint8)
    if not look.sign:
        rim = FACE_PX // 7
        art[rim:-rim, rim:-rim] = look.second
        return art
    middle = (FACE_PX / 2, FACE_PX / 2)
    _write(art, look.sign, middle, FACE_PX * 0.68, look.second)
    if look.sign in _TURN_ALIKE:
        low = round(FACE_PX * 0.9)
        ends = (FACE_PX // 3, low), (FACE_PX - FACE_PX // 3, low)
        cv2.line(art, *ends, look.second, FACE_PX // 14, cv2.LINE_AA)
    return art


_TURN_ALIKE = ("6", "9")
"""Signs that look like each other upside down; dice mark them by a bar at the foot."""


def _card(width: int, height: int, look: PieceLook) -> Picture:
    """Return a card: a rim, a figure made from its name, and its sign twice."""
    art = np.full((height, width, 3), (236, 242, 244), np.uint8)
    rim = max(3, width // 18)
    inner = art[rim : height - rim, rim : width - rim]
    inner[:] = look.colour
    name = f"{look.piece}/{look.same_as or look.face}"
    random = np.random.default_rng(zlib.crc32(name.encode()))
    _figure(inner, look.second, random)
    if look.sign:
        dark: Bgr = (25, 25, 25)
        side = width * 0.34
        for part, turned in ((art, False), (art[::-1, ::-1], True)):
            corner = np.array(part[: round(side), : round(side)])
            corner[:] = (236, 242, 244)
            _write(corner, look.sign, (side / 2, side / 2), side * 0.85, dark)
            art[
                slice(None, -round(side) - 1, -1) if turned else slice(0, round(side)),
                slice(None, -round(side) - 1, -1) if turned else slice(0, round(side)),
            ] = corner
    return art


def _figure(area: Picture, colour: Bgr, random: np.random.Generator) -> None:
    """Draw a blazon that no other name has: a star-like outline with rings in it."""
    height, width = area.shape[:2]
    middle = np.array([width / 2, height / 2])
    angle = np.linspace(0, 2 * np.pi, 90, endpoint=False)
    waves, deep = int(random.integers(2, 8)), float(random.uniform(0.1, 0.45))
    reach = 1 + deep * np.cos(waves * angle + random.uniform(0, 6.3))
    stretch = random.uniform(0.5, 0.95, 2) * np.array([width, height]) * 0.34
    outline = np.stack([np.cos(angle) * reach, np.sin(angle) * reach], -1) * stretch
    points = np.rint(outline + middle).astype(np.int32)
    cv2.fillPoly(area, [points], colour, cv2.LINE_AA)
    for _ in range(int(random.integers(1, 5))):
        spot = np.rint(middle + random.uniform(-0.3, 0.3, 2) * (width, height))
        shade = tuple(int(v) for v in random.integers(20, 235, 3))
        size = int(random.integers(width // 14, width // 6))
        where = (int(spot[0]), int(spot[1]))
        cv2.circle(area, where, size, shade, -1, cv2.LINE_AA)
