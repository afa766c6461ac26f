"""Put a picture back where the camera stood, by the white paper at the rim of a table.

A knock at the mast shifts or turns the picture a little; the paper is still in it, so
nobody has to be asked.
"""

from typing import Any

import cv2
import numpy as np

from vision.arrays import Floats, Picture
from vision.tabletop.plan import Plan
from vision.tabletop.pose import CameraPose

REACH_PX = 26
"""How far paper is looked for: 1 % of 1280 pixels, and 1 degree at 640 pixels from the
middle, are 13 and 11."""

LEAST = 4
"""Papers that must be found: two give shift and turn, the others confirm it."""

AGREE_PX = 1.2
"""How well all must agree on one shift and turn; middles are good to 0.2 pixels."""

STILL_PX = 0.5
"""A smaller slide is not worth the blur of moving the picture."""

_PAPER_SHARE = 0.5
"""Brightness, between the ground's and the paper's, from which a pixel is paper."""


def undo_slide(picture: Picture, plan: Plan, pose: CameraPose) -> Picture | None:
    """Return a picture as if the camera had not been moved; None without enough paper.

    It is returned as it is when nothing slid.
    """
    wanted, found = _papers(picture, plan, pose)
    if len(found) < LEAST:
        return None
    # OpenCV gives no turn at all when no two papers agree; its types do not say so.
    fit: tuple[Any, Any] = cv2.estimateAffinePartial2D(
        found, wanted, ransacReprojThreshold=AGREE_PX
    )
    turn, agree = fit
    if turn is None or int(agree.sum()) < LEAST:
        return None
    if np.abs(found - wanted)[agree.ravel() > 0].max() < STILL_PX:
        return picture
    size = (picture.shape[1], picture.shape[0])
    moved = cv2.warpAffine(picture, turn, size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)


def _papers(picture: Picture, plan: Plan, pose: CameraPose) -> tuple[Floats, Floats]:
    """Return where papers should be and where they are, both ``(N, 2)`` px."""
    places = np.array([(x, y, 0) for x, y in plan.whites], np.float32)
    wanted, found = [], []
    side = plan.white_mm
    for place, at in zip(places, pose.project(places), strict=True):
        ends = np.array([place, place + np.array([side, 0, 0])], np.float32)
        wide = float(np.linalg.norm(np.diff(pose.project(ends), axis=0)))
        seen = _middle(picture, at, wide)
        if seen is not None:
            wanted.append(at)
            found.append(seen)
    shape = (-1, 2)
    return (
        np.array(wanted, np.float32).reshape(shape),
        np.array(found, np.float32).reshape(shape),
    )


def _middle(picture: Picture, at: Floats, wide_px: float) -> Floats | None:
    """Return the middle of the paper near a pixel, if one as wide is there."""
    reach = round(wide_px / 2 + REACH_PX)
    left, top = round(float(at[0])) - reach, round(float(at[1])) - reach
    left, top = max(0, left), max(0, top)
    area = picture[top : top + 2 * reach + 1, left : left + 2 * reach + 1]
    if min(area.shape[:2], default=0) < wide_px:
        return None
    # The darkest channel: paper is bright in all three, wood and gold are not.
    grey = np.asarray(cv2.min(cv2.min(area[..., 0], area[..., 1]), area[..., 2]))
    low, high = np.percentile(grey, (30, 99.5))
    if high - low < 25:
        return None
    bright = (grey > low + (high - low) * _PAPER_SHARE).astype(np.uint8)
    _, _, stats, middles = cv2.connectedComponentsWithStats(bright, connectivity=4)
    for row, middle in zip(stats[1:], middles[1:], strict=True):
        sides = row[cv2.CC_STAT_WIDTH], row[cv2.CC_STAT_HEIGHT]
        fits = all(0.7 * wide_px < side < 1.35 * wide_px for side in sides)
        if fits and row[cv2.CC_STAT_AREA] > 0.6 * wide_px**2:
            return np.asarray(middle + np.array([left, top]), np.float32)
    return None
