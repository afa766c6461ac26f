"""Keep a rig in a file, so that a table that stands needs no setting up again."""

from pathlib import Path

import msgspec

from companion.files import write_whole
from vision.pictures import VisionError
from vision.rig.pose import Rig


class RigUnreadable(VisionError, OSError, ValueError):
    """A file holds no rig."""


def keep_rig(rig: Rig, path: Path) -> None:
    """Write a rig as JSON, whole or not at all.

    Raises:
        OSError: The file cannot be written.
    """
    write_whole(path, msgspec.json.format(msgspec.json.encode(rig)))


def kept_rig(path: Path) -> Rig:
    """Return the rig in a file.

    Raises:
        RigUnreadable: There is no such file, or it holds something else.
    """
    try:
        return msgspec.json.decode(path.read_bytes(), type=Rig)
    except (OSError, msgspec.DecodeError) as error:
        raise RigUnreadable(
            f"{path} holds no rig; make one with 'dragon-table calibrate --save {path}'"
        ) from error
