"""Look at one picture file and say what is there, as ``dragon-table see`` prints it.

Pure apart from opening the file: it keeps nothing and asks nobody.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
from msgspec import Struct

from companion.table import BoxPx, Face, Piece
from vision.arrays import Picture
from vision.dice import DiceRules, DieSeen, read_dice, usual_rules
from vision.pictures import open_picture

Kind = Literal["die", "card", "token", "pawn"]

PIP_DIE = "d6"

_GREEN, _AMBER, _WHITE = (60, 190, 60), (0, 170, 255), (255, 255, 255)


class Seen(Struct, frozen=True):
    """A thing that the product takes for what it is without asking."""

    kind: Kind
    piece: Piece
    face: Face
    confidence: float
    box: BoxPx


class Unsure(Struct, frozen=True):
    """A thing that the product would ask about; *choices* are best first."""

    kind: Kind
    piece: Piece | None
    choices: tuple[tuple[Face, float], ...]
    box: BoxPx


class Sighting(Struct, frozen=True):
    """All that one picture shows; its JSON is the contract of ``see --json``.

    *size* is height and width and *box* is in pixels, both after EXIF rotation; *ms* is
    how long the reading took, without opening the file.
    """

    photo: str
    size: tuple[int, int]
    ms: float
    seen: tuple[Seen, ...]
    unsure: tuple[Unsure, ...]


def look(
    path: Path,
    expect: str | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> Sighting:
    """Return what the picture in a file shows.

    Args:
        path: A JPEG, PNG, WebP or BMP file.
        expect: ``"d6"`` or None for pip dice; anything else needs a kit and sees
            nothing yet.
        clock: Seconds, for *ms*.

    Raises:
        PictureUnreadable: The file is no picture that can be opened.
    """
    photo = open_picture(path)
    start = clock()
    dice = see_dice(photo.picture, expect, usual_rules())
    ms = round((clock() - start) * 1000, 1)
    seen = tuple(_seen(die, photo.scale) for die in dice if die.sure)
    unsure = tuple(_unsure(die, photo.scale) for die in dice if not die.sure)
    return Sighting(str(path), photo.size, ms, seen, unsure)


def see_dice(
    picture: Picture, expect: str | None, rules: DiceRules
) -> tuple[DieSeen, ...]:
    """Return the pip dice in a picture, none when something else is expected."""
    if expect not in (None, PIP_DIE, "die"):
        return ()
    return read_dice(picture, rules)


def _seen(die: DieSeen, scale: float) -> Seen:
    face, confidence = die.faces[0]
    return Seen("die", PIP_DIE, str(face), confidence, _grown(die.box, scale))


def _unsure(die: DieSeen, scale: float) -> Unsure:
    choices = tuple((str(face), confidence) for face, confidence in die.faces)
    return Unsure("die", PIP_DIE, choices, _grown(die.box, scale))


def _grown(box: BoxPx, scale: float) -> BoxPx:
    left, top, right, bottom = (round(edge * scale) for edge in box)
    return left, top, right, bottom


def overlay(picture: Picture, sighting: Sighting) -> Picture:
    """Return a copy of the picture ``(h, w, 3)`` with boxes and faces drawn on it.

    Green is taken without asking, amber would be asked.
    """
    drawn = picture.copy()
    scale = sighting.size[0] / picture.shape[0]
    for thing in sighting.seen:
        _outline(drawn, _grown(thing.box, 1 / scale), thing.face, _GREEN)
    for doubt in sighting.unsure:
        words = " / ".join(f"{face} {chance:.0%}" for face, chance in doubt.choices)
        _outline(drawn, _grown(doubt.box, 1 / scale), f"? {words}", _AMBER)
    return drawn


def _outline(
    drawn: Picture, box: BoxPx, words: str, colour: tuple[int, int, int]
) -> None:
    thick = max(1, round(max(drawn.shape[:2]) / 700))
    size = 0.5 * thick
    cv2.rectangle(drawn, box[:2], box[2:], colour, thick)
    (wide, high), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, size, thick)
    top = max(0, box[1] - high - 3 * thick)
    cv2.rectangle(
        drawn, (box[0], top), (box[0] + wide, top + high + 3 * thick), colour, -1
    )
    foot = (box[0], top + high + thick)
    cv2.putText(drawn, words, foot, cv2.FONT_HERSHEY_SIMPLEX, size, _WHITE, thick)


def save_overlay(path: Path, target: Path, sighting: Sighting) -> None:
    """Write the overlay of a picture file as PNG.

    Raises:
        PictureUnreadable: The picture cannot be opened.
        OSError: The target cannot be written.
    """
    drawn = overlay(open_picture(path).picture, sighting)
    done, coded = cv2.imencode(".png", drawn)
    assert done, "OpenCV always codes uint8 BGR as PNG"
    target.write_bytes(np.asarray(coded).tobytes())
