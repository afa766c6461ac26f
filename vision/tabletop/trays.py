"""The dice with pips of a tray: which faces are one die, and what it shows."""

import numpy as np

from companion.table import BoxPx, SurePiece, UnsurePiece
from vision.pips.contest import DetectedDie
from vision.pips.reader import PIP_DIE
from vision.tabletop.plan import Spot, Thing
from vision.tabletop.pose import CameraPose
from vision.tabletop.prints import PointMm

LONE, LONE_WIDTH = 0.9, 0.15
"""A lone die of the known width in its tray is sure at this chance, if no other face of
that width is seen and none is likely: it can be no card, print or side face, for which
the dice reader asks for more. Side faces are foreshortened: 0.7 of the width in throws
of which that reader asked whether four or the six beside it lies on top.
Of 100 drawn throws in six lights that reader left 15 unsure, mostly for want of crisp
pips; all 15 were right, aces with 0.91 to 0.92, the others with 0.998 and more."""


def read_tray(
    dice: list[DetectedDie], spot: Spot, thing: Thing, pose: CameraPose
) -> list[tuple[SurePiece | UnsurePiece, list[PointMm]]]:
    """Return what the dice of a tray show, and where each of their faces is in mm.

    Args:
        dice: Faces with their boxes in the picture.
        spot: The tray.
        thing: How large the dice are.
        pose: Where the camera stands.
    """
    placed = [(die, _middle_of(die.box, thing, pose)) for die in dice]
    placed = [(die, at) for die, at in placed if spot.depth_mm(*at) >= 0]
    read = []
    for group in _groups(placed, thing.width_mm):
        wide = [die for die, at in group if _is_as_wide(die, at, thing, pose)]
        lone = wide[0] if len(group) == len(placed) and len(wide) == 1 else None
        answer = _decide_die([die for die, _ in group], spot, lone)
        read.append((answer, [at for _, at in group]))
    return read


def _middle_of(box: BoxPx, thing: Thing, pose: CameraPose) -> PointMm:
    middle = np.array([[(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]], np.float32)
    x_mm, y_mm = pose.to_table(middle, thing.tall_mm)[0]
    return float(x_mm), float(y_mm)


def _is_as_wide(die: DetectedDie, at: PointMm, thing: Thing, pose: CameraPose) -> bool:
    """Tell whether a face is as wide as the top of a die should be."""
    ends = np.array([(x, at[1], thing.tall_mm) for x in (at[0], at[0] + 1)])
    one_mm = float(np.linalg.norm(np.diff(pose.project(ends), axis=0)))
    return abs(die.width_px / one_mm / thing.width_mm - 1) < LONE_WIDTH


def _groups(
    dice: list[tuple[DetectedDie, PointMm]], width_mm: float
) -> list[list[tuple[DetectedDie, PointMm]]]:
    """Return dice with what is nearer to them than a die is wide: its side faces."""
    groups: list[list[tuple[DetectedDie, PointMm]]] = []
    for die, at in dice:
        for group in groups:
            if any(np.hypot(at[0] - x, at[1] - y) < width_mm for _, (x, y) in group):
                group.append((die, at))
                break
        else:
            groups.append([(die, at)])
    return groups


def _decide_die(
    faces: list[DetectedDie], spot: Spot, lone: DetectedDie | None
) -> SurePiece | UnsurePiece:
    """Return what a die shows of which one or more faces were seen.

    *lone* is the only face as wide as a die, where one die alone lies in the tray.
    """
    sure = [die for die in faces if die.sure]
    if not sure and lone is not None and len(lone.faces) == 1:
        sure = [lone] if lone.faces[0][1] >= LONE else []
    best = (sure or faces)[0]
    if len(sure) == 1:
        face = str(best.faces[0][0])
        return SurePiece(PIP_DIE, face, spot.place, best.confidence, best.box)
    choices = tuple(
        (PIP_DIE, str(face), chance) for die in faces for face, chance in die.faces
    )
    return UnsurePiece(spot.place, choices, best.box)
