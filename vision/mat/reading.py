"""Read a camera by the mat that lies under it, where one does.

What lies beside the mat is not on the table; a camera that was pushed, light that is
too poor or a lamp that shines back from the table are troubles and no readings.
"""

from collections.abc import Callable

import numpy as np
from msgspec.structs import replace

from companion.table import BoxPx, LinePart, Reading
from vision.arrays import Picture
from vision.camera.port import Frame
from vision.mat.calibrate import calibrate
from vision.mat.check import Checkup, Reason, check_picture
from vision.mat.following import follow_camera
from vision.mat.limits import MatLimits, mat_limits
from vision.mat.pose import Rig, unproject
from vision.mat.sentinel import Sentinel, start_sentinel

MIDDLE_MM = 8.0
"""Height of the middle of a die, where the middle of its box is looked for."""

ReadFrame = Callable[[Frame], Reading]


class MatReader:
    """Reads frames of one camera; keeps where that camera stands.

    A picture without any marker, when none was seen before, is read as it is.

    Args:
        read: Reads a frame that may be read.
        rig: What ``calibrate --save`` kept: the lens, and how large the mat came out.
        limits: Limits.
    """

    def __init__(
        self, read: ReadFrame, rig: Rig | None = None, limits: MatLimits | None = None
    ) -> None:
        self._read = read
        self._kept = rig
        self._limits = limits or mat_limits()
        self._guard: Sentinel | None = None

    def __call__(self, frame: Frame) -> Reading:
        """Return what lies on the mat, or why nothing is read."""
        if frame.picture is None:
            return self._read(frame)
        found = self._look(frame.picture)
        if found is None:
            return self._read(frame)
        if found.troubles:
            return _refuse(frame, found.troubles[0])
        assert found.rig is not None, "a checkup without trouble has a rig"
        return keep_on_mat(self._read(frame), found.rig)

    def _look(self, picture: Picture) -> Checkup | None:
        """Return the checkup of a picture, None where no mat was ever seen."""
        guard = self._guard
        if guard is not None and guard.rig.lens.size == picture.shape[:2]:
            self._guard, found = follow_camera(guard, picture, self._limits)
            return found
        found = self._first(picture)
        if not found.seen:
            return None
        if found.rig is not None and not found.troubles:
            self._guard = start_sentinel(found.rig, found.seen)
        return found

    def _first(self, picture: Picture) -> Checkup:
        kept = self._kept
        if kept is not None and kept.lens.size == picture.shape[:2]:
            return check_picture(picture, kept.layout, kept.lens, self._limits.check)
        return calibrate(picture, "unknown", 100.0, self._limits.check)


def keep_on_mat(reading: Reading, rig: Rig) -> Reading:
    """Return a reading without what lies beside the mat's field.

    What has no box may lie anywhere and is kept.
    """
    return replace(
        reading,
        glimpses=tuple(g for g in reading.glimpses if _is_on(g.box_px, rig)),
        choices=tuple(c for c in reading.choices if _is_on(c.box_px, rig)),
    )


def _is_on(box: BoxPx | None, rig: Rig) -> bool:
    if box is None:
        return True
    left, top, right, bottom = box
    middle = np.array([[(left + right) / 2, (top + bottom) / 2]])
    ((x, y),) = unproject(rig, middle, MIDDLE_MM)
    x0, y0, x1, y1 = rig.layout.field_mm
    return bool(x0 <= x <= x1 and y0 <= y <= y1)


def _refuse(frame: Frame, why: LinePart) -> Reading:
    # A reading's trouble is a line without numbers.
    few = f"rig.trouble.{Reason.FEW_MARKERS}"
    return Reading(
        (),
        taken_at=frame.taken_at,
        position=frame.position,
        trouble="rig.trouble.hidden" if why.line == few else why.line,
    )
