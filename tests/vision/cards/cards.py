"""Draw cards, and pictures of tables that they lie on."""

from functools import lru_cache

import cv2
import numpy as np

SIZE = (240, 160)

SHAPES = ("disc", "square", "diamond", "cross")
INKS = {"red": (40, 40, 200), "green": (60, 150, 40), "blue": (170, 60, 50)}


def card(shape="disc", ink="red", number=1):
    """Return a card ``(240, 160, 3)`` with some shapes below each other."""
    drawn = np.full((*SIZE, 3), 235, np.uint8)
    colour = INKS[ink]
    for index in range(number):
        middle = (80, round(SIZE[0] * (index + 1) / (number + 1)))
        _draw(drawn, shape, colour, middle)
    cv2.circle(drawn, (18, 18), 8, colour, -1)
    return drawn


def _draw(drawn, shape, colour, middle):
    x, y = middle
    match shape:
        case "disc":
            cv2.circle(drawn, middle, 26, colour, -1)
        case "square":
            cv2.rectangle(drawn, (x - 24, y - 24), (x + 24, y + 24), colour, -1)
        case "diamond":
            points = np.array([(x, y - 32), (x + 32, y), (x, y + 32), (x - 32, y)])
            cv2.fillConvexPoly(drawn, points, colour)
        case _:
            cv2.rectangle(drawn, (x - 30, y - 10), (x + 30, y + 10), colour, -1)
            cv2.rectangle(drawn, (x - 10, y - 30), (x + 10, y + 30), colour, -1)


def table(*placed, size=(700, 900), ground=(60, 70, 40), seed=0):
    """Return a picture of cards on a table.

    Each of *placed* is (card, centre x, centre y, degrees).
    """
    picture = np.clip(np.array(ground) + _noise(size, seed), 0, 255).astype(np.uint8)
    for drawn, x, y, degrees in placed:
        height, width = drawn.shape[:2]
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0)
        turn[:, 2] += (x - width / 2, y - height / 2)
        lain = cv2.warpAffine(drawn, turn, size[::-1])
        mask = cv2.warpAffine(np.full((height, width), 255, np.uint8), turn, size[::-1])
        picture[mask > 127] = lain[mask > 127]
    return cv2.GaussianBlur(picture, (0, 0), 0.8)


@lru_cache(maxsize=4)
def _noise(size, seed):
    return np.random.default_rng(seed).normal(0, 3, (*size, 3))


def alone(shape, ink, number, degrees):
    """Return a close picture of one card on the table."""
    placed = (card(shape, ink, number), 150, 170, degrees)
    return table(placed, size=(340, 300), seed=number)


def lit(picture, gains=(0.8, 0.9, 1.0), slope=0.25):
    """Return a picture under a coloured lamp that stands to the left."""
    width = picture.shape[1]
    fall = 1 - slope * np.linspace(0, 1, width)[None, :, None]
    return np.clip(picture * np.array(gains) * fall, 0, 255).astype(np.uint8)
