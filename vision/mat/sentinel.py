"""Notice that the camera was bumped, and put the rig right while markers are in view.

A pure machine: it is fed the markers of pictures in which nothing moves, and keeps no
clock. A new place is believed when two pictures in a row agree on it.
"""

from enum import StrEnum

import numpy as np
from msgspec import Struct

from vision.mat.lens import Points
from vision.mat.limits import BumpLimits
from vision.mat.markers import MarkerSeen
from vision.mat.pose import Rig, solve_rig


class Standing(StrEnum):
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
    """Where the machine stands; start with `on_guard`.

    Attributes:
        rig: To be used for pictures from now on.
        known: Markers as they were seen when the rig was solved.
        standing: How the camera stood at the last picture.
        shift_px: Median shift of corners since the rig was solved.
        strays: Numbers of markers that moved alone: pushed, bent or lifted.
        doubt: Markers of the last picture, when they were elsewhere than *known*.
    """

    rig: Rig
    known: tuple[MarkerSeen, ...]
    standing: Standing = Standing.STILL
    shift_px: float = 0.0
    strays: tuple[int, ...] = ()
    doubt: tuple[MarkerSeen, ...] | None = None

    @property
    def trusted(self) -> bool:
        """Whether millimetres may be told by the rig now."""
        return self.standing in (Standing.STILL, Standing.MENDED)


def on_guard(rig: Rig, seen: tuple[MarkerSeen, ...]) -> Sentinel:
    """Return a machine for a rig, and the markers that it was solved by."""
    return Sentinel(rig, tuple(one for one in seen if one.number in rig.used))


def look_again(
    before: Sentinel, seen: tuple[MarkerSeen, ...], limits: BumpLimits
) -> Sentinel:
    """Return where the machine stands after the markers of one more still picture.

    One marker that has not moved is enough to go on: the others are covered.
    """
    shifts = _shifts(before.known, seen)
    if not shifts:
        return Sentinel(before.rig, before.known, Standing.HIDDEN, 0.0)
    corners = np.concatenate(list(shifts.values()))
    usual = np.median(corners, axis=0)
    shift_px = float(np.median(np.linalg.norm(corners, axis=1)))
    if shift_px <= limits.shift_px:
        strays = tuple(
            number
            for number, shift in shifts.items()
            if np.linalg.norm(np.median(shift, axis=0) - usual) > limits.stray_px
        )
        return Sentinel(before.rig, before.known, Standing.STILL, shift_px, strays)
    if not _agree(before.doubt, seen, limits):
        return Sentinel(
            before.rig, before.known, Standing.SHIFTED, shift_px, doubt=seen
        )
    rig = solve_rig(seen, before.rig.layout, before.rig.lens)
    if rig is None:
        return Sentinel(before.rig, before.known, Standing.LOST, shift_px, doubt=seen)
    mended = on_guard(rig, seen)
    strays = tuple(one.number for one in seen if one.number not in rig.used)
    return Sentinel(rig, mended.known, Standing.MENDED, shift_px, strays)


def _shifts(
    known: tuple[MarkerSeen, ...], seen: tuple[MarkerSeen, ...]
) -> dict[int, Points]:
    """Return how the corners ``(4, 2)`` of markers in both have moved, px."""
    now = {one.number: one.corners for one in seen}
    return {
        one.number: now[one.number] - one.corners for one in known if one.number in now
    }


def _agree(
    doubt: tuple[MarkerSeen, ...] | None,
    seen: tuple[MarkerSeen, ...],
    limits: BumpLimits,
) -> bool:
    """Return whether the last two pictures show the markers at the same new places."""
    shifts = _shifts(doubt or (), seen)
    if not shifts:
        return False
    corners = np.concatenate(list(shifts.values()))
    return float(np.median(np.linalg.norm(corners, axis=1))) <= limits.shift_px
