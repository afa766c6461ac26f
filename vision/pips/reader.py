"""Read ordinary pip dice: what each shows, how sure that is, and where it lies.

Spots that could be pips suggest frames of faces; a small network says what each frame
shows; the frames of one place then compete. What cannot be told for sure is said to be
unsure, with its candidates. No kit is needed and no colour is expected.
"""

import cv2
import numpy as np

from vision.arrays import Picture
from vision.ground.upper_side import PointBelow
from vision.pips.candidates import (
    FaceCandidates,
    classify_frames,
    merge_candidates,
    points_off_dice,
)
from vision.pips.company import decide_dice, locate_sure_dice
from vision.pips.contest import WORK_PX, DetectedDie, group_by_die
from vision.pips.limits import PipLimits, pip_limits
from vision.pips.outlines import frames_on_outlines, may_be_dice
from vision.pips.patches import pyramid
from vision.pips.pip_frames import find_frames
from vision.pips.second_look import add_second_look
from vision.pips.spots import find_spots
from vision.pips.whole_dice import look_at_whole_dice

__all__ = [
    "MOST_GROWN",
    "PIP_DIE",
    "DetectedDie",
    "PipLimits",
    "pip_limits",
    "read_dice",
]

PIP_DIE = "d6"
"""What a die with pips is called where no kit says which die it is."""

MOST_GROWN = 2.0
"""Small pictures are enlarged this much at most; more adds pixels but no pips."""


def read_dice(
    picture: Picture,
    limits: PipLimits,
    anywhere: bool = False,
    below: PointBelow | None = None,
) -> tuple[DetectedDie, ...]:
    """Return the dice in a picture ``(H, W, 3)``, uint8, BGR, the surest first.

    Args:
        picture: Of where dice fall.
        limits: Limits.
        anywhere: Whether it may show a whole room: what is in doubt there is a die only
            where a sure one of its size lies too.
        below: The point of the table below the camera, where it is known: it tells the
            top of a die from its sides.
    """
    worked, scale = to_work_size(picture)
    candidates = find_candidates(worked, limits)
    groups = group_by_die(candidates, limits)
    foot = None if below is None else below.scaled(scale)
    dice = decide_dice(candidates, groups, limits, anywhere, foot)
    return tuple(scale_die(die, scale, picture.shape[:2]) for die in dice)


def find_candidates(worked: Picture, limits: PipLimits) -> FaceCandidates:
    """Return what lies in a picture of working size: pips, outlines, whole dice."""
    levels = pyramid(worked)
    spots = find_spots(worked, limits.spots)
    frames = find_frames(spots)
    frames = frames.only(frames.flatness() > limits.flatness)
    candidates = classify_frames(levels, frames, limits.ask / 2)
    middles, widths = locate_sure_dice(candidates, limits)
    free = points_off_dice(spots.centres, middles, widths)
    free &= may_be_dice(spots, widths)
    bodies = frames_on_outlines(spots, free, limits.bodies)
    candidates = merge_candidates(
        candidates, classify_frames(levels, bodies, limits.ask / 2)
    )
    candidates = add_second_look(worked, levels, candidates, limits)
    return look_at_whole_dice(worked, candidates, limits)


def to_work_size(picture: Picture) -> tuple[Picture, float]:
    """Return the picture at working size and how many of its pixels make one."""
    factor = min(WORK_PX / max(picture.shape[:2]), MOST_GROWN)
    if abs(factor - 1) < 0.1:
        return picture, 1.0
    way = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    resized = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=way)
    return np.asarray(resized, np.uint8), factor


def scale_die(die: DetectedDie, factor: float, shape: tuple[int, ...]) -> DetectedDie:
    """Return a die of a picture of working size in pixels of the given picture."""
    left, top, right, bottom = (round(edge / factor) for edge in die.box)
    box = (
        max(0, left),
        max(0, top),
        min(int(shape[1]), right),
        min(int(shape[0]), bottom),
    )
    return DetectedDie(die.faces, die.sure, box, die.width_px / factor)
