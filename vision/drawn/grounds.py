"""Draw grounds that dice may lie on: cloth, wood, print, dots; anything at all."""

import cv2
import numpy as np

from vision.arrays import Floats
from vision.drawn.body import Colour
from vision.drawn.dice import smooth_noise


def random_colour(random: np.random.Generator) -> Colour:
    """Return a colour, BGR 0 to 1: every fourth is nearly black or nearly white."""
    kind = random.integers(4)
    if kind == 0:
        grey = random.choice([random.uniform(0.02, 0.25), random.uniform(0.75, 1.0)])
        warm = random.uniform(0, 0.15)
        return float(grey * (1 - warm)), float(grey * (1 - warm / 3)), float(grey)
    hue = cv2.cvtColor(
        np.array(
            [
                [
                    [
                        random.integers(180),
                        random.integers(90, 256),
                        random.integers(40, 256),
                    ]
                ]
            ],
            np.uint8,
        ),
        cv2.COLOR_HSV2BGR,
    )
    b, g, r = (float(v) / 255 for v in hue[0, 0])
    return b, g, r


def random_ground(size: tuple[int, int], random: np.random.Generator) -> Floats:
    """Return a ground ``(h, w, 3)``, BGR 0 to 1, for a picture of some size."""
    base = np.array(random_colour(random), np.float32) * 0.9
    if random.random() < 0.35:
        base = np.full(3, random.choice([0.08, 0.5, 0.85]), np.float32)
    ground = np.broadcast_to(base, (*size, 3)).copy()
    for _ in range(int(random.integers(0, 4))):
        noise = smooth_noise(size, float(np.exp(random.uniform(0, 3.5))), random)
        tint = np.array(random.normal(1, 0.3, 3), np.float32)
        ground *= 1 + noise[:, :, None] * tint * float(random.uniform(0.01, 0.16))
    kind = int(random.integers(8))
    if kind == 0:
        ground = _add_dots(ground, random)
    elif kind == 1:
        ground = _add_streaks(ground, random)
    elif kind == 2:
        ground = _add_writing(ground, random)
    elif kind == 3:
        ground = _add_weave(ground, random)
    elif kind == 4:
        ground = _add_cards(ground, random)
    y, x = np.mgrid[-1 : 1 : size[0] * 1j, -1 : 1 : size[1] * 1j].astype(np.float32)
    slope = random.normal(0, 0.15, 2)
    lit = 1 + slope[0] * x + slope[1] * y + random.uniform(-0.25, 0.1) * (x**2 + y**2)
    return np.asarray(np.clip(ground * lit[:, :, None], 0, 1), np.float32)


def _add_dots(ground: Floats, random: np.random.Generator) -> Floats:
    """Return the ground with dots and blots, some in rows like pips."""
    colour = random_colour(random)
    rows, ringed = random.random() < 0.4, random.random() < 0.3
    radius = int(random.integers(2, 14))
    step = radius * random.uniform(2.4, 5)
    for index in range(int(random.integers(20, 250))):
        spot = random.uniform(0, 1, 2) * ground.shape[1::-1]
        if rows:
            line, column = divmod(index, 16)
            spot = np.array([column * step + 60, line * step + 60])
        size = radius if rows else int(random.integers(2, 14))
        at = spot.astype(int).tolist()
        if ringed and not rows:
            # A counter with a dot in its middle looks like an ace.
            outer = int(size * random.uniform(2.5, 6))
            cv2.circle(ground, at, outer, random_colour(random), -1, cv2.LINE_AA)
        cv2.circle(ground, at, size, colour, -1, cv2.LINE_AA)
    return ground


def _add_streaks(ground: Floats, random: np.random.Generator) -> Floats:
    height, width = ground.shape[:2]
    lines = cv2.resize(
        random.normal(0, 1, (height // 2, 12)).astype(np.float32), (width, height)
    )
    return np.asarray(ground * (1 + 0.15 * np.asarray(lines)[:, :, None]), np.float32)


def _add_writing(ground: Floats, random: np.random.Generator) -> Floats:
    # OpenCV 5 writes on uint8 only.
    page = (np.clip(ground, 0, 1) * 255).astype(np.uint8)
    extent = page.shape[1::-1]
    for _ in range(int(random.integers(0, 5))):
        a, b = ((random.uniform(0, 1, 2) * extent).astype(int).tolist() for _ in "ab")
        kind = int(random.choice([-1, 3]))
        cv2.rectangle(page, a, b, _ink(random), kind, cv2.LINE_AA)
    for _ in range(int(random.integers(5, 40))):
        letters = random.integers(48, 122, int(random.integers(1, 12)))
        text = "".join(chr(letter) for letter in letters)
        spot = (random.uniform(0, 1, 2) * extent).astype(int).tolist()
        font, size = int(random.integers(0, 8)), float(random.uniform(0.3, 2.5))
        thick = int(random.integers(1, 5))
        cv2.putText(page, text, spot, font, size, _ink(random), thick, cv2.LINE_AA)
    return np.asarray(page, np.float32) / 255


def _ink(random: np.random.Generator) -> Colour:
    b, g, r = random_colour(random)
    return b * 255, g * 255, r * 255


def _add_cards(ground: Floats, random: np.random.Generator) -> Floats:
    """Return the ground with playing cards on it: signs in columns, not round."""
    for _ in range(int(random.integers(1, 9))):
        width = float(random.uniform(60, 260))
        angle, middle = (
            random.uniform(0, 6.3),
            random.uniform(0, 1, 2) * ground.shape[1::-1],
        )
        turn = np.array(
            [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
        )
        card = np.array([(-0.5, -0.7), (0.5, -0.7), (0.5, 0.7), (-0.5, 0.7)]) * width
        paper = float(random.uniform(0.7, 1))
        fill_outline(ground, card @ turn.T + middle, (paper, paper, paper))
        colour, sign = random_colour(random), _sign(random) * width * 0.11
        columns = int(random.integers(1, 4))
        rows = int(random.integers(1, 5))
        for x in np.linspace(-0.27, 0.27, columns) if columns > 1 else (0.0,):
            for y in np.linspace(-0.45, 0.45, rows) if rows > 1 else (0.0,):
                spot = sign + np.array([x, y]) * width
                fill_outline(ground, spot @ turn.T + middle, colour)
    return ground


def _sign(random: np.random.Generator) -> Floats:
    """Return the outline ``(N, 2)`` of a diamond, heart, club or something such."""
    angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    waves = int(random.integers(2, 7))
    size = 1 + random.uniform(0.1, 0.5) * np.cos(waves * angle + random.uniform(0, 6.3))
    stretch = random.uniform(0.6, 1.0)
    return np.stack([size * np.cos(angle) * stretch, size * np.sin(angle)], -1)


def fill_outline(ground: Floats, outline: Floats, colour: Colour) -> None:
    """Fill a convex or starry outline ``(N, 2)``, in pixels, on the ground."""
    points = np.rint(outline).astype(np.int32)
    cv2.fillPoly(ground, [points], colour, cv2.LINE_AA)


def _add_weave(ground: Floats, random: np.random.Generator) -> Floats:
    height, width = ground.shape[:2]
    y, x = np.mgrid[:height, :width].astype(np.float32)
    a, b = random.uniform(4, 24, 2)
    angle = random.uniform(0, 3)
    u = (
        x * np.cos(angle)
        + y * np.sin(angle)
        + smooth_noise((height, width), 12, random) * 1.5
    )
    v = (
        y * np.cos(angle)
        - x * np.sin(angle)
        + smooth_noise((height, width), 12, random) * 1.5
    )
    weave = np.sin(u * 6.28 / a) * np.sin(v * 6.28 / b)
    deep = random.uniform(0.1, 0.7)
    return np.asarray(
        np.clip(ground * (1 + deep * weave[:, :, None]), 0, 1), np.float32
    )
