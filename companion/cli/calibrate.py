"""``dragon-table calibrate``: markers, resolution, focus and light, and what to do."""

import time
from pathlib import Path

import click
import cv2
import msgspec
import numpy as np

from companion.cli.errors import BadInput
from companion.cli.play import pace_option
from companion.cli.watchers import check_pace, device
from companion.words import Words
from companion.words.said import say
from vision.arrays import Picture
from vision.camera.device import Device
from vision.camera.files import PictureUnreadable, open_picture
from vision.camera.port import CameraMissing, FolderCamera
from vision.mat.calibrate import (
    CARDS_PX_PER_MM,
    DIGITS_PX_PER_MM,
    PIPS_PX_PER_MM,
    Calibration,
    Stand,
    calibrate,
    summarise,
)
from vision.mat.check import Checkup
from vision.mat.lens import CAMERAS
from vision.mat.limits import mat_limits
from vision.mat.overlay import draw_rig
from vision.mat.rig_file import save_rig

WARM_UP = 15
"""Pictures of a live camera that are let pass: it looks for its exposure meanwhile."""

FLAT_PX = 0.35
"""More than this is left over when a corner of the sheet is 2 mm up, seen askance; a
flat one leaves 0.02 to 0.1 px."""


@click.command("calibrate")
@click.argument("photo", required=False, type=click.Path(path_type=Path))
@click.option("--camera", default=None, help="pi, a webcam's number, or a folder.")
@pace_option
@click.option(
    "--lens", type=click.Choice(sorted(CAMERAS)), default="unknown", show_default=True,
    help="Which camera it is; 'unknown' learns more from the markers.",
)  # fmt: skip
@click.option(
    "--ruler", "ruler_mm", type=float, default=100.0, show_default=True,
    help="Measured length in mm of the printed 100 mm ruler.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--overlay", "overlay_path", type=click.Path(path_type=Path), default=None,
    help="Draw what was found into a copy of the picture (PNG).",
)  # fmt: skip
@click.option(
    "--save", "save_path", type=click.Path(path_type=Path), default=None,
    help="Save the rig to a file; play uses rig.json in the data folder.",
)  # fmt: skip
def calibrate_command(
    photo: Path | None, camera: str | None, pictures_a_second: float | None, lens: str,
    ruler_mm: float, as_json: bool, overlay_path: Path | None, save_path: Path | None,
) -> int:  # fmt: skip
    """Report how the camera of PHOTO, or --camera, stands over its mat or tiles."""
    check_pace(camera, pictures_a_second)
    picture = _picture(photo, camera, pictures_a_second)
    try:
        found = calibrate(picture, lens, ruler_mm, mat_limits().check)
    except ValueError as error:
        raise BadInput(str(error)) from error
    calibration = summarise(found, picture)
    if as_json:
        click.echo(msgspec.json.encode(calibration))
    else:
        for line in in_words(calibration, Words("en")):
            click.echo(line)
    if overlay_path is not None:
        _write(overlay_path, draw_rig(picture, found))
    if save_path is not None:
        _keep(found, save_path)
    return 1 if calibration.troubles else 0


def in_words(calibration: Calibration, words: Words) -> list[str]:
    """Return the lines that a person reads, the troubles last with what to do."""
    lines = [_markers_line(calibration)]
    if calibration.stand is not None:
        lines += _stand_lines(calibration.stand)
    lines += [f"  do      {words.part(trouble)}" for trouble in calibration.troubles]
    if not calibration.markers:
        lines.append(
            "  note    Dice and cards can also be read without markers, "
            "in a plain picture from above."
        )
    return (
        lines if calibration.troubles else [*lines, "  good    The table can be read."]
    )


def _stand_lines(stand: Stand) -> list[str]:
    white, even = max(stand.lighting.white), stand.lighting.evenness
    flat = "" if stand.residual_px <= FLAT_PX else "; press the sheet flat"
    too_much = mat_limits().check.blur_mm
    return [
        f"  camera  {stand.height_mm / 10:.0f} cm above the table, "
        f"{stand.tilt_deg:.0f} degrees off straight down",
        f"  detail  {stand.px_per_mm:.1f} px/mm: {_readable(stand.px_per_mm)}",
        f"  focus   edges blurred by {stand.blur_mm:.1f} mm; {too_much} is too much",
        f"  light   white paper at {white:.0f} of 255, {even:.0%} even",
        f"  markers fit to {stand.residual_px:.2f} px{flat}",
    ]


def _markers_line(calibration: Calibration) -> str:
    if calibration.layout is None:
        return "No marker was found."
    numbers = ", ".join(map(str, calibration.markers))
    what = (
        "loose tiles" if calibration.layout == "tiles" else f"{calibration.layout} mat"
    )
    gone = ", ".join(map(str, calibration.missing))
    return f"{what}: markers {numbers}" + (f"; not seen: {gone}" if gone else "")


def _readable(px_per_mm: float) -> str:
    if px_per_mm >= DIGITS_PX_PER_MM:
        return "enough for everything"
    if px_per_mm >= CARDS_PX_PER_MM:
        return f"enough for pips and cards; small digits need {DIGITS_PX_PER_MM}"
    if px_per_mm >= PIPS_PX_PER_MM:
        return f"enough for pips; cards need {CARDS_PX_PER_MM}"
    return f"too little for pips ({PIPS_PX_PER_MM}); bring the camera closer"


def _picture(
    photo: Path | None, camera: str | None, pictures_a_second: float | None
) -> Picture:
    if (photo is None) == (camera is None):
        raise BadInput(say("terminal.photo_or_camera"))
    if photo is not None:
        try:
            return open_picture(photo).picture
        except PictureUnreadable as error:
            raise BadInput(str(error)) from error
    assert camera is not None, "one of the two was given"
    try:
        opens = device(camera, pictures_a_second)
        return _first(Path(camera)) if opens is None else settled_picture(opens())
    except (CameraMissing, OSError) as error:
        raise BadInput(str(error)) from error


def settled_picture(camera: Device) -> Picture:
    """Return a picture of a camera that has found its exposure, and close it."""
    try:
        for _ in range(WARM_UP):
            shot = camera.shoot()
        return shot.picture
    finally:
        camera.close()


def _first(folder: Path) -> Picture:
    """Return the first picture of a folder.

    Raises:
        BadInput: It cannot be opened.
    """
    frame = FolderCamera(folder, clock=time.monotonic).read()
    if frame is None or frame.picture is None:
        why = frame.trouble if frame and frame.trouble else say("terminal.no_picture")
        raise BadInput(why)
    return frame.picture


def _keep(found: Checkup, path: Path) -> None:
    if found.rig is None or found.troubles:
        raise BadInput(say("terminal.fix_first", path=str(path)))
    try:
        save_rig(found.rig, path)
    except OSError as error:
        why = str(error.strerror)
        raise BadInput(say("terminal.unwritable", path=str(path), why=why)) from error


def _write(path: Path, drawn: Picture) -> None:
    done, coded = cv2.imencode(".png", drawn)
    assert done, "OpenCV always codes uint8 BGR as PNG"
    try:
        path.write_bytes(np.asarray(coded).tobytes())
    except OSError as error:
        why = str(error.strerror)
        raise BadInput(say("terminal.unwritable", path=str(path), why=why)) from error
