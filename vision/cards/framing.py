"""Frame a card anew whose outline was taken from its neighbours.

On a pile of cards with pale rims one rim runs into the next, and an outline of the
right size lies across two cards. How large a card is, its lesson has shown: it is tried
beside where it was found, and read where it looks most like one that may lie there.
"""

import numpy as np

from vision.arrays import Floats, Picture
from vision.cards.outlines import CardSize
from vision.cards.quads import Quad, usual_size
from vision.cards.reader import CardReader

_LIKE_SIZE = 0.06
"""An outline whose sides are so near to those of the lesson, as a part, keeps its own:
the camera stands where it stood, and its lean makes a twentieth. First guess."""

BESIDE, ON_PILE = 2, 3
"""How many steps each way a card is tried: beside its own outline, and where only that
of the card below it is known, which lies up to 6 mm away."""

_WIDE, _NEAR = 0.08, np.arange(-1, 2) * 0.035
"""Steps in which a card is tried, in its shorter side: cards of a pile lie 3 mm beside
each other, a seventh of the smallest ones."""

_TURNS = (-3.0, 0.0, 3.0)
"""By how many degrees it is turned: by as much people lay cards askew. First guess."""


def frame_anew(
    reader: CardReader, picture: Picture, corners: Floats, steps: int = BESIDE
) -> Floats:
    """Return where a card that may lie there looks most like itself, ``(4, 2)``, px.

    Args:
        reader: Of the deck, among the faces that may lie there.
        picture: ``(H, W, 3)``, uint8, BGR.
        corners: Of the outline, around with the clock, ``(4, 2)``, px.
        steps: How far from it.
    """
    start = _of_size(corners, reader.deck.card_px)
    wide_off = np.arange(-steps, steps + 1) * _WIDE
    wide = [_moved(start, x, y) for x in wide_off for y in wide_off]
    best = _closest(reader, picture, wide)
    near = [_moved(best, x, y) for x in _NEAR for y in _NEAR]
    best = _closest(reader, picture, near)
    return _closest(reader, picture, [_turned(best, degrees) for degrees in _TURNS])


def _closest(reader: CardReader, picture: Picture, frames: list[Floats]) -> Floats:
    return min(frames, key=lambda frame: reader.thumb_distance(picture, frame))


def _axes(corners: Floats) -> tuple[Floats, Floats]:
    """Return half of the way from left to right, and of that from top to bottom."""
    along = (corners[1] - corners[0] + corners[2] - corners[3]) / 4
    down = (corners[3] - corners[0] + corners[2] - corners[1]) / 4
    return along, down


def _of_size(corners: Floats, size: CardSize) -> Floats:
    """Return an outline with its own middle and turn, and the sides of a card.

    It keeps its own where nobody knows how large a card is.
    """
    if not size[0]:
        return corners
    quad = Quad(tuple((float(x), float(y)) for x, y in corners), 1.0)
    sides = usual_size([quad])
    off = max(abs(own / usual - 1) for own, usual in zip(sides, size, strict=True))
    if off < _LIKE_SIZE:
        return corners
    along, down = _axes(corners)
    short, long = size
    wide, high = float(np.linalg.norm(along)), float(np.linalg.norm(down))
    across, up = (short, long) if wide < high else (long, short)
    along = along * (across / 2 / max(wide, 1e-6))
    down = down * (up / 2 / max(high, 1e-6))
    ends = [-along - down, along - down, along + down, down - along]
    return np.asarray(corners.mean(0) + ends, np.float32)


def _moved(corners: Floats, x: float, y: float) -> Floats:
    """Return an outline moved by parts of its shorter side along its own sides."""
    along, down = _axes(corners)
    short = 2 * min(float(np.linalg.norm(along)), float(np.linalg.norm(down)))
    unit_x = along / max(float(np.linalg.norm(along)), 1e-6)
    unit_y = down / max(float(np.linalg.norm(down)), 1e-6)
    return np.asarray(corners + short * (x * unit_x + y * unit_y), np.float32)


def _turned(corners: Floats, degrees: float) -> Floats:
    angle = np.radians(degrees)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    middle = corners.mean(0)
    return np.asarray((corners - middle) @ turn.T + middle, np.float32)
