"""Look a second time where dice are in doubt, with most of the white taken out.

Glare is white, and the brightness of a red pip is hardly another than that of its black
die: in the paler picture such pips stand out.
"""

import cv2
import numpy as np

from vision.arrays import Picture
from vision.pips.candidates import (
    FaceCandidates,
    classify_frames,
    merge_candidates,
    points_off_dice,
)
from vision.pips.company import locate_sure_dice
from vision.pips.limits import PipLimits
from vision.pips.patches import pyramid
from vision.pips.pip_frames import find_frames
from vision.pips.spots import find_spots

_WHITE, _HUE = 0.3, 1.3
"""Factors of what all three colours share and of what they do not. Of 564 dice that are
read in the plain picture, the paler one alone gives 445 with these, with 0 and 1.5 only
170: grey dice are lost. Of 144 that were asked about it gives 28 and 6."""


def add_second_look(
    worked: Picture,
    levels: tuple[Picture, ...],
    candidates: FaceCandidates,
    limits: PipLimits,
) -> FaceCandidates:
    """Return the candidates of a picture with those of a second look, if one is needed.

    Args:
        worked: The picture at working size.
        levels: It and its halves.
        candidates: Of the first look.
        limits: Limits.
    """
    promising = limits.ask / 2
    middles, widths = locate_sure_dice(candidates, limits)
    some = candidates.chances[:, 0] < 1 - promising
    if not (some & points_off_dice(candidates.frames.middles, middles, widths)).any():
        return candidates
    pale = without_white(worked)
    frames = find_frames(find_spots(pale, limits.spots))
    frames = frames.only(frames.flatness() > limits.flatness)
    frames = frames.only(points_off_dice(frames.middles, middles, widths))
    found = classify_frames(pyramid(pale), frames, promising, pale=True)
    # A frame from the paler picture often fits what the plain one shows more clearly.
    better = frames.only(found.chances[:, 0] < 1 - promising)
    again = classify_frames(levels, better, promising, pale=True)
    return merge_candidates(candidates, merge_candidates(found, again))


def without_white(picture: Picture) -> Picture:
    """Return a picture ``(h, w, 3)`` whose colours count more than its brightness."""
    blue, green, red = cv2.split(picture)
    white = cv2.min(cv2.min(blue, green), red)
    white = cv2.merge([white, white, white])
    mixed = cv2.addWeighted(picture, _HUE, white, _WHITE - _HUE, 0)
    return np.asarray(mixed, np.uint8)
