"""Follow a camera through a game: one call for each picture in which nothing moves.

Puts sentinel and check together: the rig to read by, or why nothing should be read.
"""

from vision.arrays import Picture
from vision.mat.check import Checkup, Reason, checked, trouble
from vision.mat.limits import MatLimits
from vision.mat.markers import find_markers
from vision.mat.sentinel import Sentinel, Standing, look_again


def follow(
    before: Sentinel, picture: Picture, limits: MatLimits
) -> tuple[Sentinel, Checkup]:
    """Return where the sentinel stands after a still picture, and its checkup.

    A camera that was bumped costs one picture: the next one that agrees mends the rig.

    Args:
        before: From `vision.mat.sentinel.on_guard`, or the last call.
        picture: ``(H, W, 3)``, uint8, BGR, of the size that the rig was solved for.
        limits: Limits.
    """
    seen = find_markers(picture)
    now = look_again(before, seen, limits.bump)
    layout = now.rig.layout
    if now.trusted:
        return now, checked(picture, seen, now.rig, layout, limits.check)
    blind = checked(picture, seen, None, layout, limits.check)
    if now.standing is Standing.HIDDEN:
        return now, blind
    moved = (trouble(Reason.MOVED),)
    return now, Checkup(seen, None, blind.missing, troubles=moved)
