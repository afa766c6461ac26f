"""Draw into a picture what the rig makes of it: markers, patches, a grid of 50 mm."""

import cv2
import numpy as np

from vision.arrays import Picture
from vision.mat.check import Checkup
from vision.mat.lens import Points
from vision.mat.pose import Rig, project

_GREEN, _RED, _GRID, _BLUE = (60, 190, 60), (40, 40, 230), (200, 160, 60), (220, 90, 20)
GRID_MM = 50.0


def draw_rig(picture: Picture, found: Checkup) -> Picture:
    """Return a copy of a picture ``(H, W, 3)``, uint8, BGR, with the rig drawn on it.

    Markers that the rig rests on are green, others red; the grid lies on the table and
    its lines are straight in truth.
    """
    drawn = picture.copy()
    thick = max(1, round(max(picture.shape[:2]) / 900))
    if found.rig is not None:
        _grid(drawn, found.rig, thick)
        for patch in found.rig.layout.patches:
            _loop(drawn, project(found.rig, np.array(patch.corners)), _BLUE, thick)
    used = found.rig.used if found.rig is not None else ()
    for one in found.seen:
        colour = _GREEN if one.number in used else _RED
        _loop(drawn, one.corners, colour, 2 * thick)
        x, y = one.corners.mean(0).round().astype(int).tolist()
        cv2.putText(
            drawn, str(one.number), (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.8 * thick,
            colour, 2 * thick,
        )  # fmt: skip
    return drawn


def _grid(drawn: Picture, rig: Rig, thick: int) -> None:
    wide, high = rig.layout.size_mm
    for x in np.arange(0.0, wide + 1, GRID_MM):
        ends = np.column_stack([np.full(41, x), np.linspace(0, high, 41)])
        _line(drawn, project(rig, ends), thick)
    for y in np.arange(0.0, high + 1, GRID_MM):
        ends = np.column_stack([np.linspace(0, wide, 41), np.full(41, y)])
        _line(drawn, project(rig, ends), thick)


def _line(drawn: Picture, pixels: Points, thick: int) -> None:
    points = (pixels * 16).round().astype(np.int32)
    cv2.polylines(drawn, [points], False, _GRID, thick, cv2.LINE_AA, 4)


def _loop(
    drawn: Picture, pixels: Points, colour: tuple[int, int, int], thick: int
) -> None:
    points = (pixels * 16).round().astype(np.int32)
    cv2.polylines(drawn, [points], True, colour, thick, cv2.LINE_AA, 4)
