"""Draw single cards as a camera sees them, in decks whose cards differ by a number.

Nothing here is from a publisher. Two ways of painting are for choosing limits, two
others, unlike them, for reporting.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import cv2
import numpy as np

from companion.table import Face
from vision.arrays import Floats, Picture
from vision.drawn.artwork import paint_flat
from vision.drawn.dice import smooth_noise
from vision.tabletop.plan import CARD, Bgr, PieceLook, Thing

ART_PX_PER_MM = 6.0
_CARD_MM = (44.0, 63.0)
_INKS: tuple[Bgr, ...] = (
    (50, 60, 190), (70, 140, 50), (180, 90, 40), (40, 170, 220)
)  # fmt: skip

_SLANT = 0.45
"""Tangent of how askance a camera half a metre up sees a card 20 cm from below it."""

Paint: TypeAlias = Callable[[int, str, Bgr], Picture]
"""Draws a card: which picture, what is written on it, and the colour of its rim."""


class LookLimits(NamedTuple):
    """How hard a card is to see; the defaults are a lamp over a table and no care.

    Attributes:
        px_per_mm: Of the camera.
        corner_px: How far off the corners of an outline are, at most, either way.
        curl_mm: How far a card's rim stands up at most.
        noise: Spread of the sensor's noise in grey values.
    """

    px_per_mm: float = 3.0
    corner_px: float = 0.5
    curl_mm: float = 1.0
    noise: float = 2.5


def _sized(width_mm: float, height_mm: float) -> tuple[int, int]:
    return round(height_mm * ART_PX_PER_MM), round(width_mm * ART_PX_PER_MM)


def _write(
    art: Picture, text: str, at: tuple[int, int], high_px: int, ink: Bgr, font: int
) -> None:
    """Write a text about a point, so many pixels high."""
    thick = max(2, high_px // 9)
    scale = cv2.getFontScaleFromHeight(font, high_px, thick)
    (wide, high), _ = cv2.getTextSize(text, font, scale, thick)
    start = (at[0] - wide // 2, at[1] + high // 2)
    cv2.putText(art, text, start, font, scale, ink, thick, cv2.LINE_AA)


def paint_landscape(number: int, text: str, ink: Bgr) -> Picture:
    """Return clouds of colour and shapes, the text in a disc in two corners."""
    chance = np.random.default_rng((1, number))
    size = _sized(*_CARD_MM)
    art = np.full((*size, 3), ink, np.float32)
    rim = 14
    inner = art[rim:-rim, rim:-rim]
    for width_px in (90.0, 25.0, 7.0):
        for channel in range(3):
            noise = smooth_noise(inner.shape[:2], width_px, chance)
            inner[..., channel] += noise * width_px**0.5 * 4
    inner += chance.uniform(-40, 40, 3).astype(np.float32)
    drawn = np.asarray(np.clip(art, 0, 255), np.uint8)
    for _ in range(int(chance.integers(3, 8))):
        points = chance.uniform((30, 60), (size[1] - 30, size[0] - 60), (3, 2))
        shade = tuple(int(v) for v in chance.integers(20, 235, 3))
        cv2.fillPoly(drawn, [np.rint(points).astype(np.int32)], shade, cv2.LINE_AA)
    for part in (drawn, drawn[::-1, ::-1]):
        corner = np.array(part[:70, :70])
        cv2.circle(corner, (35, 35), 28, (232, 236, 238), -1, cv2.LINE_AA)
        _write(corner, text, (35, 35), 34, (30, 30, 30), cv2.FONT_HERSHEY_DUPLEX)
        part[:70, :70] = corner
    return drawn


def paint_pale(number: int, text: str, ink: Bgr) -> Picture:
    """Return a pale card with rings, the text in the rim's colour at the top left."""
    chance = np.random.default_rng((2, number))
    height, width = _sized(*_CARD_MM)
    art = np.full((height, width, 3), (222, 232, 236), np.uint8)
    cv2.rectangle(art, (8, 8), (width - 9, height - 9), ink, 5, cv2.LINE_AA)
    for _ in range(int(chance.integers(4, 9))):
        spot = chance.uniform((60, 90), (width - 50, height - 50))
        middle = (int(spot[0]), int(spot[1]))
        shade = tuple(int(v) for v in chance.integers(30, 225, 3))
        radius = int(chance.integers(14, 46))
        cv2.circle(art, middle, radius, shade, int(chance.integers(3, 9)), cv2.LINE_AA)
    _write(art, text, (42, 44), 42, ink, cv2.FONT_HERSHEY_SIMPLEX)
    return art


def paint_engraved(number: int, text: str, ink: Bgr) -> Picture:
    """Return an etching of waves over a dark wash, the text on a shield at the foot."""
    chance = np.random.default_rng((3, number))
    height, width = _sized(*_CARD_MM)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    bend = smooth_noise((height, width), 60.0, chance) * 14
    slant = float(chance.uniform(0.5, 2.0))
    lines = np.sin((x * slant + y + bend) / float(chance.uniform(5, 9))) > 0.2
    wash = np.array(ink, np.float32) * 0.5 + 20
    art = np.full((height, width, 3), wash, np.float32)
    art += smooth_noise((height, width), 80.0, chance)[..., None] * 18
    art[lines] += 70
    drawn = np.asarray(np.clip(art, 0, 255), np.uint8)
    for _ in range(3):
        spot = chance.uniform((60, 60), (width - 60, height - 130))
        axes = (int(chance.integers(18, 60)), int(chance.integers(18, 60)))
        shade = tuple(int(v) for v in chance.integers(60, 250, 3))
        middle = (int(spot[0]), int(spot[1]))
        cv2.ellipse(drawn, middle, axes, 30, 0, 360, shade, -1, cv2.LINE_AA)
    shield = np.array([(-34, -30), (34, -30), (34, 12), (0, 36), (-34, 12)])
    foot = (width // 2, height - 56)
    cv2.fillPoly(drawn, [(shield + foot).astype(np.int32)], (60, 90, 150), cv2.LINE_AA)
    _write(drawn, text, (foot[0], foot[1] - 4), 36, (225, 235, 240),
           cv2.FONT_HERSHEY_TRIPLEX)  # fmt: skip
    return drawn


def paint_blazon(number: int, text: str, ink: Bgr) -> Picture:
    """Return a card of the drawn table, larger: a blazon, its sign in two corners."""
    look = PieceLook("card", text, ink, (200, 215, 225), text, same_as=str(number))
    thing = Thing("card", CARD, _CARD_MM[0], _CARD_MM[1])
    small, _ = paint_flat(thing, look)
    size = _sized(*_CARD_MM)
    return np.asarray(
        cv2.resize(small, size[::-1], interpolation=cv2.INTER_CUBIC), np.uint8
    )


TUNING: tuple[Paint, ...] = (paint_landscape, paint_pale)
REPORTED: tuple[Paint, ...] = (paint_engraved, paint_blazon)


def twelve_by_four(paint: Paint) -> dict[Face, Picture]:
    """Return one picture in four colours, with the numbers 1 to 12 on each."""
    return {
        f"{colour}/{value}": paint(0, str(value), ink)
        for colour, ink in enumerate(_INKS)
        for value in range(1, 13)
    }


def pairs(paint: Paint, pictures: int = 14, values: int = 2) -> dict[Face, Picture]:
    """Return some pictures, each on cards of several values and of one colour."""
    return {
        f"{picture}/{value + 1}": paint(
            picture, str(value + 1), _INKS[picture % len(_INKS)]
        )
        for picture in range(1, pictures + 1)
        for value in range(values)
    }


def look_at(
    art: Picture, seed: int | tuple[int, ...], limits: LookLimits
) -> tuple[Picture, Floats]:
    """Return a picture of a card that lies about, and its corners as they are found.

    The card lies at any angle a little askance, stands up at its rim, reflects the lamp
    and is lit by it from one side; the white balance is half right.
    """
    chance = np.random.default_rng(seed)
    scale = limits.px_per_mm / ART_PX_PER_MM
    shown = cv2.resize(art, None, fx=scale * 1.5, fy=scale * 1.5,
                       interpolation=cv2.INTER_AREA)  # fmt: skip
    height, width = shown.shape[:2]
    side = round(float(np.hypot(height, width)) / 1.5 + 24)
    corners = _place(chance, (height / 1.5, width / 1.5), side)
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    back = np.asarray(cv2.getPerspectiveTransform(corners, target), np.float32)
    u, v = _card_places(back, side)
    a, b = u / width * 2 - 1, v / height * 2 - 1
    lift = _lift(a, b, chance) * limits.curl_mm * limits.px_per_mm * 1.5
    slant = chance.uniform(-_SLANT, _SLANT, 2)
    u += (slant[0] * lift).astype(np.float32)
    v += (slant[1] * lift).astype(np.float32)
    linear = (shown.astype(np.float32) / 255) ** 2.2
    card = cv2.remap(linear, u - 0.5, v - 0.5, cv2.INTER_LINEAR,
                     borderMode=cv2.BORDER_REPLICATE)  # fmt: skip
    inside = (np.abs(a) < 1) & (np.abs(b) < 1)
    cover = cv2.GaussianBlur(inside.astype(np.float32), (0, 0), 0.5)[..., None]
    ground = chance.uniform(0.02, 0.35, 3).astype(np.float32)
    ground = ground * (1 + 0.1 * smooth_noise((side, side), 3.0, chance)[..., None])
    light = card * cover + ground * (1 - cover)
    return _develop(light, cover, chance, limits), (
        corners + chance.uniform(-limits.corner_px, limits.corner_px, (4, 2)) - 0.5
    ).astype(np.float32)


def _place(chance: np.random.Generator, size: tuple[float, float], side: int) -> Floats:
    """Return the corners ``(4, 2)`` of a card that lies at any angle, px."""
    turn = chance.uniform(0, 2 * np.pi)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    half = np.array(size[::-1]) / 2
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    flat = square * half @ spin.T
    flat *= chance.uniform(0.93, 1.0, 2)
    flat *= 1 + (flat @ chance.uniform(-2e-4, 2e-4, 2))[:, None]
    return np.asarray(flat + side / 2 + chance.uniform(-2, 2, 2), np.float32)


def _lift(across: Floats, down: Floats, chance: np.random.Generator) -> Floats:
    """Return how far a bent card stands up at places of -1 to 1 on it, at most 1."""
    ways = chance.uniform(-1, 1, 3)
    bent = ways[0] * across**2 + ways[1] * across * down + ways[2] * down**2
    return np.asarray(bent / max(float(np.abs(ways).sum()), 1.0), np.float32)


def _card_places(back: Floats, side: int) -> tuple[Floats, Floats]:
    """Return where on the card each pixel lies, both ``(side, side)``."""
    y, x = np.mgrid[0:side, 0:side].astype(np.float32) + np.float32(0.5)
    u, v, w = np.einsum("ij,jhw->ihw", back, np.stack([x, y, np.ones_like(x)]))
    return (u / w).astype(np.float32), (v / w).astype(np.float32)


def _develop(
    light: Floats, cover: Floats, chance: np.random.Generator, limits: LookLimits
) -> Picture:
    """Return light as a camera's picture, under a lamp of its own, through JPEG."""
    side = light.shape[0]
    y, x = np.mgrid[-1 : 1 : side * 1j, -1 : 1 : side * 1j].astype(np.float32)
    slope = chance.uniform(-0.3, 0.3, 2)
    lamp = np.array([0.55, 0.82, 1.0]) ** chance.uniform(0, 0.8)
    spot = chance.uniform(-1, 1, 2)
    wide = chance.uniform(0.2, 0.7)
    glance = np.exp(-((x - spot[0]) ** 2 + (y - spot[1]) ** 2) / (2 * wide**2))
    shine = chance.uniform(0, 0.25) * glance[..., None] * cover
    level = chance.uniform(0.45, 1.0) * (1 + slope[0] * x + slope[1] * y)
    seen = (light * level[..., None] + shine) * lamp
    seen = cv2.GaussianBlur(seen, (0, 0), float(chance.uniform(0.5, 0.9)))
    grey = 255 * np.clip(seen, 0, 1) ** (1 / 2.2)
    grey += chance.normal(0, limits.noise, grey.shape)
    picture = np.asarray(np.clip(grey, 0, 255), np.uint8)
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(chance.integers(78, 93))]
    coded = cv2.imencode(".jpg", picture, quality)[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
