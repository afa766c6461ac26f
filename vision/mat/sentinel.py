"""Notice that the camera was bumped, and put the rig right while markers are in view.

A pure state machine: it is given the markers of pictures in which nothing moves, and
keeps no clock. A new place is believed when two pictures in a row agree on it.
"""

from enum import StrEnum

import numpy as np
from msgspec import Struct

from vision.mat.lens import Points
from vision.mat.limits import KnockLimits
from vision.mat.markers import DetectedMarker
from vision.mat.pose import Rig, solve_rig


class CameraState(StrEnum):
    """How the camera stands."""

    STILL = "still"
    SHIFTED = "shifted"
    """Seen elsewhere once; nothing should be read until the next picture agrees."""
    MENDED = "mended"
    """Stands elsewhere now, and the rig has been solved again."""
    LOST = "lost"
    """Stands elsewhere, and too few markers are in view to say where."""
    HIDDEN = "hidden"
    """No marker is in view, so nobody knows."""


class Sentinel(Struct, frozen=True):
    """What is known of the camera so far; start with `start_sentinel`.

    Attributes:
        rig: To be used for pictures from now on.
        known: Markers as they were seen when the rig was solved.
        standing: How the camera stood at the last picture.
        shift_px: Median shift of corners since the rig was solved.
        strays: Numbers of markers that moved alone: pushed, bent or lifted.
        doubt: Markers of the last picture, when they were elsewhere than *known*.
    """

    rig: Rig
    known: tuple[DetectedMarker, ...]
    standing: CameraState = CameraState.STILL
    shift_px: float = 0.0
    strays: tuple[int, ...] = ()
    doubt: tuple[DetectedMarker, ...] | None = None

    @property
    def trusted(self) -> bool:
        """Whether the rig may be used now to turn pixels into millimetres."""
        return self.standing in (CameraState.STILL, CameraState.MENDED)


def start_sentinel(rig: Rig, seen: tuple[DetectedMarker, ...]) -> Sentinel:
    """Return the first state for a rig and the markers that it was solved by."""
    return Sentinel(rig, tuple(one for one in seen if one.number in rig.used))


def update_sentinel(
    before: Sentinel, seen: tuple[DetectedMarker, ...], limits: KnockLimits
) -> Sentinel:
    """Return the next state, after the markers of one more still picture.

    One marker that has not moved is enough to go on: the others are covered.
    """
    shifts = _shifts(before.known, seen)
    if not shifts:
        return Sentinel(before.rig, before.known, CameraState.HIDDEN, 0.0)
    corners = np.concatenate(list(shifts.values()))
    usual = np.median(corners, axis=0)
    shift_px = float(np.median(np.linalg.norm(corners, axis=1)))
    if shift_px <= limits.shift_px:
        strays = tuple(
            number
            for number, shift in shifts.items()
            if np.linalg.norm(np.median(shift, axis=0) - usual) > limits.stray_px
        )
        return Sentinel(before.rig, before.known, CameraState.STILL, shift_px, strays)
    if not _agree(before.doubt, seen, limits):
        return Sentinel(
            before.rig, before.known, CameraState.SHIFTED, shift_px, doubt=seen
        )
    rig = solve_rig(seen, before.rig.layout, before.rig.lens)
    if rig is None:
        return Sentinel(
            before.rig, before.known, CameraState.LOST, shift_px, doubt=seen
        )
    mended = start_sentinel(rig, seen)
    strays = tuple(one.number for one in seen if one.number not in rig.used)
    return Sentinel(rig, mended.known, CameraState.MENDED, shift_px, strays)


def _shifts(
    known: tuple[DetectedMarker, ...], seen: tuple[DetectedMarker, ...]
) -> dict[int, Points]:
    """Return how the corners ``(4, 2)`` of markers in both have moved, px."""
    now = {one.number: one.corners for one in seen}
    return {
        one.number: now[one.number] - one.corners for one in known if one.number in now
    }


def _agree(
    doubt: tuple[DetectedMarker, ...] | None,
    seen: tuple[DetectedMarker, ...],
    limits: KnockLimits,
) -> bool:
    """Return whether the last two pictures show the markers at the same new places."""
    shifts = _shifts(doubt or (), seen)
    if not shifts:
        return False
    corners = np.concatenate(list(shifts.values()))
    return float(np.median(np.linalg.norm(corners, axis=1))) <= limits.shift_px
