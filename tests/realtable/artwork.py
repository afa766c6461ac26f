"""Wood, cloth, stone and print for traced tables, painted by chance and by number.

Pictures are ``(h, w, 3)``, uint8, RGB, at PX_PER_MM.
"""

import cv2
import numpy as np

from vision.arrays import Floats, Picture

PX_PER_MM = 4.0

Rgb = tuple[int, int, int]


def noise(
    size_px: tuple[int, int], grain_px: tuple[float, float], seed: int, deep: int = 4
) -> Floats:
    """Return uneven noise about 0, ``(h, w)``, coarse and fine laid on each other."""
    chance = np.random.default_rng(seed)
    total = np.zeros(size_px, np.float32)
    for octave in range(deep):
        high = max(2, round(size_px[0] / grain_px[0] * 2**octave))
        wide = max(2, round(size_px[1] / grain_px[1] * 2**octave))
        some = chance.normal(0, 1, (min(high, size_px[0]), min(wide, size_px[1])))
        large = cv2.resize(
            some.astype(np.float32), size_px[::-1], interpolation=cv2.INTER_CUBIC
        )
        total += large / 2**octave
    return total / 1.5


def tinted(colour: Rgb, uneven: Floats) -> Picture:
    """Return a colour made lighter and darker by *uneven*, 0 for as it is."""
    shade = np.array(colour, np.float32) * np.exp(uneven[..., None])
    return np.asarray(np.minimum(shade, 255, out=shade), np.uint8)


def wood(size_mm: tuple[float, float], seed: int, colour: Rgb, along: bool) -> Picture:
    """Return boards of wood with rings and pores, laid from side to side if *along*."""
    high, wide = (round(side * PX_PER_MM) for side in size_mm)
    size = (high, wide) if along else (wide, high)
    rings = np.sin(14 * noise(size, (90, 1500), seed, 3)) * 0.10
    pores = np.minimum(0, noise(size, (3, 160), seed + 1, 2) + 0.9) * 0.35
    tone = noise(size, (400, 2600), seed + 2, 2) * 0.10
    picture = tinted(colour, rings + pores + tone)
    step = round(110 * PX_PER_MM)
    for row in range(step // 2, size[0], step):
        cv2.line(picture, (0, row), (size[1], row), tuple(c // 3 for c in colour), 2)
    return picture if along else np.ascontiguousarray(np.rot90(picture))


def cloth(size_mm: tuple[float, float], seed: int, colour: Rgb) -> Picture:
    """Return woven cloth with threads, folds and lint."""
    high, wide = (round(side * PX_PER_MM) for side in size_mm)
    y, x = np.mgrid[0:high, 0:wide].astype(np.float32)
    weave = 0.05 * np.sin(x * 1.9) * np.sin(y * 1.7)
    uneven = 0.08 * noise((high, wide), (300, 300), seed, 3)
    lint = 0.05 * noise((high, wide), (3, 3), seed + 1, 1)
    return tinted(colour, weave + uneven + lint)


def stone(size_px: tuple[int, int], seed: int, colour: Rgb) -> Picture:
    """Return rough stone with cracks."""
    rough = 0.12 * noise(size_px, (60, 60), seed, 5)
    cracks = np.abs(noise(size_px, (120, 90), seed + 1, 3)) < 0.02
    return tinted(colour, rough - 0.5 * cracks)


def lay_on(under: Picture, over: Picture, at: tuple[int, int], round_px: int) -> None:
    """Paint a picture with round corners onto another; *at* is (left, top) px."""
    high, wide = over.shape[:2]
    mask = np.zeros((high, wide), np.uint8)
    r = min(round_px, high // 2, wide // 2)
    cv2.rectangle(mask, (r, 0), (wide - 1 - r, high - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (wide - 1, high - 1 - r), 255, -1)
    for x in (r, wide - 1 - r):
        for y in (r, high - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1)
    left, top = at
    part = under[top : top + high, left : left + wide]
    soft = cv2.GaussianBlur(mask, (0, 0), 1.0)[..., None].astype(np.float32) / 255
    part[...] = part * (1 - soft) + over[: part.shape[0], : part.shape[1]] * soft


def write(
    picture: Picture, text: str, middle: tuple[float, float], tall_px: float, ink: Rgb,
    bold: int = 0, font: int = cv2.FONT_HERSHEY_TRIPLEX,
) -> None:  # fmt: skip
    """Write a short text about a point, px."""
    (_, base), _ = cv2.getTextSize(text, font, 1.0, 1)
    scale = tall_px / (base + 14)
    thick = bold or max(1, round(scale * 1.6))
    (wide, high), _ = cv2.getTextSize(text, font, scale, thick)
    at = (round(middle[0] - wide / 2), round(middle[1] + high / 2))
    cv2.putText(picture, text, at, font, scale, ink, thick, cv2.LINE_AA)


def star(
    picture: Picture, middle: tuple[float, float], radius: float, ink: Rgb,
    points: int = 8, inner: float = 0.45,
) -> None:  # fmt: skip
    """Paint a star."""
    angles = np.pi * np.arange(2 * points) / points
    reach = np.where(np.arange(2 * points) % 2 == 0, radius, inner * radius)
    ends = np.column_stack([reach * np.cos(angles), reach * np.sin(angles)]) + middle
    cv2.fillPoly(picture, [np.rint(ends).astype(np.int32)], ink, cv2.LINE_AA)
