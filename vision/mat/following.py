"""Follow a camera through a game: one call for each picture in which nothing moves.

Puts sentinel and check together: the rig to read by, or why nothing should be read.
"""

from vision.arrays import Picture
from vision.mat.check import Checkup, Reason, check_solved, trouble_line
from vision.mat.limits import MatLimits
from vision.mat.markers import find_markers
from vision.mat.sentinel import CameraState, Sentinel, update_sentinel


def follow_camera(
    before: Sentinel, picture: Picture, limits: MatLimits
) -> tuple[Sentinel, Checkup]:
    """Return the next state of the sentinel after a still picture, and its checkup.

    A camera that was bumped costs one picture: the next one that agrees mends the rig.

    Args:
        before: From `vision.mat.sentinel.start_sentinel`, or the last call.
        picture: ``(H, W, 3)``, uint8, BGR, of the size that the rig was solved for.
        limits: Limits.
    """
    seen = find_markers(picture)
    now = update_sentinel(before, seen, limits.bump)
    layout = now.rig.layout
    if now.trusted:
        return now, check_solved(picture, seen, now.rig, layout, limits.check)
    blind = check_solved(picture, seen, None, layout, limits.check)
    if now.standing is CameraState.HIDDEN:
        return now, blind
    moved = (trouble_line(Reason.MOVED),)
    return now, Checkup(seen, None, blind.missing, troubles=moved)
