"""Tell a face that is part of another: a two on half of a four, an ace on a two's pip.

Where both fit, the whole explains all that is drawn and the part only some of it.
"""

import cv2
import numpy as np

from vision.taught_dice.discs import fine_disc
from vision.taught_dice.places import DieLooks, FittedFace

_MARK = 1.0
"""Ink from which a spot is drawn on, in spreads of the face's ink. First guess."""

_ALMOST = 0.7
_COVERED = 0.75
"""Share of a part's marks that lie on marks of the whole. First guess."""


def is_part_of(die: DieLooks, part: FittedFace, whole: FittedFace) -> bool:
    """Return whether all of one face lies on some of another, as both were fitted."""
    return (
        _share_covered(die, part, whole) > _COVERED
        and _share_covered(die, whole, part) < _COVERED
    )


def _share_covered(die: DieLooks, one: FittedFace, other: FittedFace) -> float:
    """Return the share of one face's marks that lie on marks of the other."""
    disc, ink = fine_disc(), die.looks[one.look].ink[0]
    drawn = np.abs(ink) > _MARK
    there = disc.points[drawn] @ one.turn.T + np.subtract(one.middle, other.middle)
    pixels = (there @ np.linalg.inv(other.turn).T + 1) / 2 * disc.side - 0.5
    x, y = np.asarray(pixels.T, np.float32)[:, None]
    square = np.zeros((disc.side, disc.side), np.float32)
    square[disc.within] = die.looks[other.look].ink[0]
    # Marks of faces that were fitted apart may miss each other by a pixel.
    near = np.ones((3, 3), np.uint8)
    bright = cv2.remap(cv2.dilate(square, near), x, y, cv2.INTER_LINEAR)[0]
    dark = cv2.remap(cv2.erode(square, near), x, y, cv2.INTER_LINEAR)[0]
    same = np.where(ink[drawn] > 0, bright, -dark) > _ALMOST * _MARK
    return float(same.mean()) if len(same) else 0.0
