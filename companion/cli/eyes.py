"""Opens the camera that was asked for, with the reader behind it."""

import time
from pathlib import Path

from companion.cli.errors import BadInput
from companion.demo import DrawnDice
from companion.lookout import LiveLookout, Lookout, RecordedLookout
from companion.service import Table
from companion.table import Reading
from vision.cameras import CameraMissing, FolderCamera, Frame, PiCamera, WebcamCamera
from vision.reader import Awaited, Reader
from vision.settle import SettleRules


def open_eye(camera: str | None, table: Table, seed: int = 0) -> Lookout | None:
    """Return who looks at the table, not yet looking; None without a camera.

    Args:
        camera: ``pi``, a webcam's number, ``drawn``, or a folder of pictures.
        table: Who hears the readings.
        seed: What the drawn dice show.

    Raises:
        BadInput: There is no such camera.
    """
    if camera is None:
        return None
    reader = Reader()
    # How many dice lie there is left open: a second one in the picture is asked about.
    awaited = Awaited()

    def read(frame: Frame) -> Reading:
        return reader.read_frame(frame, awaited)

    try:
        if camera == "drawn":
            return RecordedLookout(table, camera, read, DrawnDice(seed, time.monotonic))
        if camera == "pi":
            return LiveLookout(
                table, camera, read, PiCamera(time.monotonic), SettleRules()
            )
        if camera.isdigit():
            webcam = WebcamCamera(int(camera), time.monotonic)
            return LiveLookout(table, camera, read, webcam, SettleRules())
        folder = FolderCamera(Path(camera), clock=time.monotonic)
        return RecordedLookout(table, camera, read, folder)
    except CameraMissing as error:
        raise BadInput(str(error)) from error
