"""Read ordinary pip dice: what each shows, how sure that is, and where it lies.

Spots that could be pips suggest frames of faces; a small network says what each frame
shows; the frames of one place then compete. What cannot be told for sure is said to be
unsure, with its candidates. No kit is needed and no colour is expected.
"""

import cv2
import numpy as np

from vision.arrays import Picture
from vision.pips.candidates import Claims, both, claims_of, free_of
from vision.pips.contest import WORK_PX, DieSeen, judge, known, places
from vision.pips.limits import PipLimits, pip_limits
from vision.pips.outlines import body_frames
from vision.pips.patches import pyramid
from vision.pips.pip_frames import find_frames
from vision.pips.second_look import look_again
from vision.pips.spots import find_spots

__all__ = ["MOST_GROWN", "PIP_DIE", "DieSeen", "PipLimits", "pip_limits", "read_dice"]

PIP_DIE = "d6"
"""What a die with pips is called where no kit says which die it is."""

MOST_GROWN = 2.0
"""Small pictures are enlarged this much at most; more adds pixels but no pips."""


def read_dice(picture: Picture, limits: PipLimits) -> tuple[DieSeen, ...]:
    """Return the dice in a picture ``(H, W, 3)``, uint8, BGR, the surest first."""
    worked, scale = to_work_size(picture)
    claims = find_claims(worked, limits)
    dice = judge(claims, places(claims, limits), limits)
    return tuple(scaled(die, scale, picture.shape[:2]) for die in dice)


def find_claims(worked: Picture, limits: PipLimits) -> Claims:
    """Return what lies in a picture of working size: pips, outlines, a second look."""
    levels = pyramid(worked)
    spots = find_spots(worked, limits.spots)
    frames = find_frames(spots)
    frames = frames.only(frames.flatness() > limits.flatness)
    claims = claims_of(levels, frames, limits.ask / 2)
    free = free_of(spots.centres, *known(claims, limits))
    bodies = body_frames(spots, free, limits.bodies)
    claims = both(claims, claims_of(levels, bodies, limits.ask / 2))
    return look_again(worked, levels, claims, limits)


def to_work_size(picture: Picture) -> tuple[Picture, float]:
    """Return the picture at working size and how many of its pixels make one."""
    factor = min(WORK_PX / max(picture.shape[:2]), MOST_GROWN)
    if abs(factor - 1) < 0.1:
        return picture, 1.0
    way = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    resized = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=way)
    return np.asarray(resized, np.uint8), factor


def scaled(die: DieSeen, factor: float, shape: tuple[int, ...]) -> DieSeen:
    """Return a die of a picture of working size in pixels of the given picture."""
    left, top, right, bottom = (round(edge / factor) for edge in die.box)
    box = (
        max(0, left),
        max(0, top),
        min(int(shape[1]), right),
        min(int(shape[0]), bottom),
    )
    return DieSeen(die.faces, die.sure, box, die.width_px / factor)
