"""Look at whole dice where pips alone prove too little.

The one pip of an ace may be any spot, and pips of which glare leaves a half are told in
the picture without white alone: both need a second opinion. A network that needs no pip
gives it, from the whole die in many turns and sizes, as wide as the die seems to be.
"""

import cv2
import msgspec
import numpy as np

from vision.arrays import Floats, Picture
from vision.pips.candidates import FaceCandidates
from vision.pips.company import has_company
from vision.pips.contest import LIKELY, SURE, group_by_die, trust_group
from vision.pips.dicenet import CELL_PX, DIE_PX, dice_chances
from vision.pips.limits import PipLimits

_REACH = 8
"""Cells seen to each side of a middle: so far the network sees, 1.6 dice."""

_SIZES = ((1.0, 8), (0.87, 2), (1.15, 2))
"""Sizes that are looked at, and in how many turns, mirrors among them: how wide a die
is does not follow from the one pip of an ace."""

_MOST = 12
"""Dice that are looked at in one picture; each takes 12 patches."""


def look_at_whole_dice(
    worked: Picture, candidates: FaceCandidates, limits: PipLimits
) -> FaceCandidates:
    """Return the candidates with the looks of those dice that a look may make surer.

    A likely die is sure then; one in doubt is likely, which is of use beside a sure die
    of its size only.

    Args:
        worked: The picture ``(H, W, 3)`` at working size, uint8, BGR.
        candidates: What pips, outlines and a second look found.
        limits: Limits.
    """
    groups = group_by_die(candidates, limits)
    trust = [trust_group(candidates, group, limits) for group in groups]
    company = [g[0] for g, level in zip(groups, trust, strict=True) if level == SURE]
    wanted = [
        group[0]
        for group, level in zip(groups, trust, strict=True)
        if level < _with_best_look(candidates, group, limits)
        and (level == LIKELY or has_company(candidates, group, company, limits))
    ]
    whole = candidates.whole.copy()
    for lead in wanted[:_MOST]:
        width_px = float(candidates.widths[lead])
        whole[lead] = _look(worked, candidates.frames.middles[lead], width_px)
    return msgspec.structs.replace(candidates, whole=whole)


def _with_best_look(
    candidates: FaceCandidates, group: list[int], limits: PipLimits
) -> int:
    """Return how far a group is trusted if its whole die shows its face for certain."""
    best = np.zeros(7, np.float32)
    best[candidates.face(group[0])] = 1
    return trust_group(candidates, group, limits, best)


def _look(worked: Picture, middle: Floats, width_px: float) -> Floats:
    """Return the mean chances ``(7,)`` of a die in some turns and sizes."""
    turned: list[Picture] = []
    for zoom, turns in _SIZES:
        patch = _cut(worked, middle, width_px / zoom)
        quarters = [np.rot90(patch, quarter) for quarter in range(4)]
        turned += [*quarters, *(quarter[:, ::-1] for quarter in quarters)][:turns]
    chances = dice_chances(np.stack(turned))
    # Where its middle lies is known to a cell: the one that is surest of a die.
    near = chances[:, _REACH - 1 : _REACH + 2, _REACH - 1 : _REACH + 2]
    cells = near.reshape(len(turned), -1, 7).mean(0)
    return np.asarray(cells[cells[:, 0].argmin()], np.float32)


def _cut(picture: Picture, middle: Floats, width_px: float) -> Picture:
    """Return what lies around a die of that width, as large as the network knows dice.

    Edges go on where the picture ends.
    """
    factor, half = DIE_PX / width_px, _REACH * CELL_PX
    reach_px = round((half + CELL_PX) / factor)
    left, top = (max(0, round(float(v)) - reach_px) for v in middle)
    around = picture[top : top + 2 * reach_px, left : left + 2 * reach_px]
    way = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    resized = cv2.resize(around, None, fx=factor, fy=factor, interpolation=way)
    x, y = (middle - (left, top)) * factor
    shift = np.array([[1, 0, half - x], [0, 1, half - y]], np.float32)
    side = (2 * half + 1,) * 2
    cut = cv2.warpAffine(resized, shift, side, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cut, np.uint8)
