"""``dragon-table calibrate``: markers, resolution, focus and light, and what to do."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import click
import cv2
import msgspec
import numpy as np

from companion.cli.device import own_language
from companion.cli.errors import BadInput, InputFile
from companion.cli.play import pace_option
from companion.cli.watchers import check_pace, device
from companion.doctor.running_table import UNEVEN
from companion.table import Value
from companion.words import Words
from companion.words.said import say
from vision.arrays import Picture
from vision.camera.device import CameraDevice
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
@click.argument("photo", required=False, type=InputFile())
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
        for line in in_words(calibration, Words(own_language(os.environ))):
            click.echo(line)
    if overlay_path is not None:
        _write(overlay_path, draw_rig(picture, found))
    if save_path is not None:
        _keep(found, save_path)
    return 1 if calibration.troubles else 0


def in_words(calibration: Calibration, words: Words) -> list[str]:
    """Return the lines that a person reads, the troubles last with what to do."""

    def said(line: str, **values: Value) -> str:
        return f"  {words.say(f'terminal.rig.{line}', values)}"

    lines = [_markers_line(calibration, words)]
    if calibration.stand is not None:
        for line, values in _stand(calibration.stand, words):
            lines.append(said(line, **values))
    lines += [said("do", trouble=words.part(one)) for one in calibration.troubles]
    if not calibration.markers:
        lines.append(said("note"))
    return lines if calibration.troubles else [*lines, said("good")]


def _stand(stand: Stand, words: Words) -> Iterator[tuple[str, dict[str, Value]]]:
    """Yield the lines that say how the camera stands, with their values."""
    white, even = max(stand.lighting.white), stand.lighting.evenness
    height, tilt = f"{stand.height_mm / 10:.0f}", f"{stand.tilt_deg:.0f}"
    yield "camera", {"height": height, "tilt": tilt}
    enough, needed = _readable(stand.px_per_mm)
    values: dict[str, Value] = {"needed": str(needed)} if needed else {}
    readable = words.say(f"terminal.rig.{enough}", values)
    yield "detail", {"scale": f"{stand.px_per_mm:.1f}", "readable": readable}
    most = str(mat_limits().check.blur_mm)
    yield "focus", {"blur": f"{stand.blur_mm:.1f}", "most": most}
    light = "light_uneven" if even < UNEVEN else "light"
    yield light, {"white": f"{white:.0f}", "even": f"{even:.0%}"}
    flat = "fit" if stand.residual_px <= FLAT_PX else "fit_flat"
    yield flat, {"off": f"{stand.residual_px:.2f}"}


def _markers_line(calibration: Calibration, words: Words) -> str:
    if calibration.layout is None:
        return words.say("terminal.rig.none")
    values: dict[str, Value] = {"numbers": ", ".join(map(str, calibration.markers))}
    kind = "tiles" if calibration.layout == "tiles" else "mat"
    if kind == "mat":
        values["layout"] = str(calibration.layout)
    line = words.say(f"terminal.rig.{kind}", values)
    if not calibration.missing:
        return line
    gone = {"numbers": ", ".join(map(str, calibration.missing))}
    return f"{line}; {words.say('terminal.rig.gone', gone)}"


def _readable(px_per_mm: float) -> tuple[str, float | None]:
    """Return the line that says what can be read, and what more would need."""
    if px_per_mm >= DIGITS_PX_PER_MM:
        return "all", None
    if px_per_mm >= CARDS_PX_PER_MM:
        return "cards", DIGITS_PX_PER_MM
    if px_per_mm >= PIPS_PX_PER_MM:
        return "pips", CARDS_PX_PER_MM
    return "little", PIPS_PX_PER_MM


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


def settled_picture(camera: CameraDevice) -> Picture:
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
