"""A rig as a file, so that a table that stands needs no setting up again."""

from pathlib import Path

import msgspec

from companion.files import UNREADABLE, write_whole
from vision.camera.files import VisionError
from vision.mat.pose import Rig


class RigUnreadable(VisionError, OSError, ValueError):
    """A file holds no rig."""


def save_rig(rig: Rig, path: Path) -> None:
    """Write a rig as JSON, whole or not at all.

    Raises:
        OSError: The file cannot be written.
    """
    write_whole(path, msgspec.json.format(msgspec.json.encode(rig)))


def load_rig(path: Path) -> Rig:
    """Return the rig in a file.

    Raises:
        RigUnreadable: There is no such file, or it holds something else.
    """
    why = RigUnreadable(
        f"{path} holds no rig; make one with 'dragon-table calibrate --save {path}'"
    )
    try:
        rig = msgspec.json.decode(path.read_bytes(), type=Rig)
    except UNREADABLE as error:
        raise why from error
    if not _can_be(rig):
        raise why
    return rig


def _can_be(rig: Rig) -> bool:
    """Tell whether a camera may see like this over a mat that may be printed."""
    left, top, right, bottom = rig.layout.field_mm
    return (
        min(*rig.lens.size, rig.lens.focal_px) > 0
        and left < right
        and top < bottom
        and len(rig.layout.markers) > 0
    )
