"""Look at one picture file and say what is there, as ``dragon-table see`` prints it.

Pure apart from opening the file: it keeps nothing and asks nobody.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal, TypeAlias

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from companion.table import BoxPx, Face, Piece
from vision.arrays import Picture
from vision.camera.files import open_picture
from vision.cards.reader import CardReader
from vision.cards.see import UNKNOWN, DetectedCard, see_cards
from vision.ground.upper_side import PointBelow
from vision.pips.reader import (
    PIP_DIE,
    DetectedDie,
    PipLimits,
    pip_limits,
    read_dice,
)
from vision.taught_dice.judging import DetectedTaughtDie
from vision.taught_dice.reader import DieModel, read_taught_dice

Kind = Literal["die", "card", "token", "pawn"]

_GREEN, _AMBER, _WHITE = (60, 190, 60), (0, 170, 255), (255, 255, 255)


class SureThing(Struct, frozen=True):
    """A thing that the product takes for what it is without asking."""

    kind: Kind
    piece: Piece
    face: Face
    confidence: float
    box: BoxPx


class UnsureThing(Struct, frozen=True):
    """A thing that the product would ask about; *choices* are best first."""

    kind: Kind
    piece: Piece | None
    choices: tuple[tuple[Face, float], ...]
    box: BoxPx


class DiceAndDecks(Struct, frozen=True):
    """The dice and decks that an owner has taught, by their names."""

    dice: tuple[tuple[Piece, DieModel], ...] = ()
    decks: tuple[tuple[Piece, CardReader], ...] = ()


class Sighting(Struct, frozen=True):
    """All that one picture shows; its JSON is the contract of ``see --json``.

    *size* is height and width and *box* is in pixels, both after EXIF rotation; *ms* is
    how long the reading took, without opening the file.
    """

    photo: str
    size: tuple[int, int]
    ms: float
    seen: tuple[SureThing, ...]
    unsure: tuple[UnsureThing, ...]


def read_picture_file(
    path: Path,
    expect: str | None = None,
    clock: Callable[[], float] = time.perf_counter,
    taught: DiceAndDecks | None = None,
) -> Sighting:
    """Return all that the picture in a file shows.

    Args:
        path: A JPEG, PNG, WebP or BMP file.
        expect: ``"d6"`` for pip dice only, ``"card"``, ``"die"`` or ``"die:NAME"`` for
            taught ones; None for all that is known.
        clock: Seconds, for *ms*.
        taught: What the owner has shown.

    Raises:
        PictureUnreadable: The file is no picture that can be opened.
    """
    photo = open_picture(path)
    start = clock()
    seen, unsure = _things(photo.picture, expect, taught or DiceAndDecks())
    ms = round((clock() - start) * 1000, 1)
    return Sighting(
        str(path),
        photo.size,
        ms,
        tuple(replace(thing, box=_grown(thing.box, photo.scale)) for thing in seen),
        tuple(replace(doubt, box=_grown(doubt.box, photo.scale)) for doubt in unsure),
    )


Things: TypeAlias = tuple[list[SureThing], list[UnsureThing]]


def _things(picture: Picture, expect: str | None, taught: DiceAndDecks) -> Things:
    """Return what is sure and what is not; a place that a taught die has is its own."""
    kind, _, name = (expect or "").partition(":")
    dice = [die for die in taught.dice if name in ("", die[0])]
    named = kind == "die" and bool(name)
    if kind not in ("", "die"):
        dice = []
    pips = () if kind == "card" else read_dice(picture, pip_limits(), anywhere=True)
    seen: list[SureThing] = []
    unsure: list[UnsureThing] = []
    for piece, model in dice:
        for read in read_taught_dice(picture, model, pips):
            _add_die(piece, read, seen, unsure)
    seen, unsure = _without_rivals(seen, unsure)
    if not named:
        _add_pips(pips, seen, unsure)
    if kind in ("", "card"):
        _add_cards(picture, name, taught, kind, seen, unsure)
    return seen, unsure


def _add_die(
    piece: Piece,
    read: DetectedTaughtDie,
    seen: list[SureThing],
    unsure: list[UnsureThing],
) -> None:
    if read.sure:
        seen.append(SureThing("die", piece, *read.faces[0], read.box))
    else:
        unsure.append(UnsureThing("die", piece, read.faces, read.box))


def _without_rivals(seen: list[SureThing], unsure: list[UnsureThing]) -> Things:
    """Return things after dice of several kinds have claimed one place.

    Where two kinds are sure of it, both faces are asked; where one is, it has it.
    """
    clash = [
        (one, other)
        for index, one in enumerate(seen)
        for other in seen[index + 1 :]
        if one.piece != other.piece and _overlap(one.box, other.box)
    ]
    gone = [thing for pair in clash for thing in pair]
    kept = [one for one in seen if one not in gone]
    asked = [one for one in unsure if not any(_overlap(one.box, it.box) for it in seen)]
    asked += [
        UnsureThing(
            "die", None, ((a.face, a.confidence), (b.face, b.confidence)), a.box
        )
        for a, b in clash
    ]
    return kept, asked


def _add_pips(
    pips: tuple[DetectedDie, ...], seen: list[SureThing], unsure: list[UnsureThing]
) -> None:
    """Add pip dice that lie where no taught die does."""
    taken = [thing.box for thing in seen] + [doubt.box for doubt in unsure]
    for die in pips:
        if any(_overlap(die.box, box) for box in taken):
            continue
        if die.sure:
            seen.append(_sure_thing(die))
        else:
            unsure.append(_unsure_thing(die))


def _overlap(one: BoxPx, other: BoxPx) -> bool:
    """Return whether the middle of either box lies in the other."""
    return _holds(one, other) or _holds(other, one)


def _holds(box: BoxPx, other: BoxPx) -> bool:
    x, y = (other[0] + other[2]) / 2, (other[1] + other[3]) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _add_cards(
    picture: Picture,
    name: str,
    taught: DiceAndDecks,
    kind: str,
    seen: list[SureThing],
    unsure: list[UnsureThing],
) -> None:
    decks = [deck for deck in taught.decks if name in ("", deck[0])]
    if not decks and kind == "card":
        unsure += [UnsureThing("card", None, (), c.box) for c in see_cards(picture)]
    for piece, reader in decks:
        for card in see_cards(picture, reader):
            _add_card(piece, card, seen, unsure)


def _add_card(
    piece: Piece, card: DetectedCard, seen: list[SureThing], unsure: list[UnsureThing]
) -> None:
    if card.face is None:
        unsure.append(UnsureThing("card", piece, card.choices, card.box))
    elif card.face == UNKNOWN:
        # A card, but none that was shown: nobody knows its deck.
        unsure.append(
            UnsureThing("card", None, ((UNKNOWN, card.confidence),), card.box)
        )
    else:
        seen.append(SureThing("card", piece, card.face, card.confidence, card.box))


def read_pip_dice(
    picture: Picture,
    expect: str | None,
    limits: PipLimits,
    below: PointBelow | None = None,
) -> tuple[DetectedDie, ...]:
    """Return the pip dice in a picture, none when something else is expected."""
    if expect not in (None, PIP_DIE, "die"):
        return ()
    return read_dice(picture, limits, anywhere=True, below=below)


def _sure_thing(die: DetectedDie) -> SureThing:
    face = str(die.faces[0][0])
    return SureThing("die", PIP_DIE, face, die.confidence, die.box)


def _unsure_thing(die: DetectedDie) -> UnsureThing:
    choices = tuple((str(face), confidence) for face, confidence in die.faces)
    return UnsureThing("die", PIP_DIE, choices, die.box)


def _grown(box: BoxPx, scale: float) -> BoxPx:
    left, top, right, bottom = (round(edge * scale) for edge in box)
    return left, top, right, bottom


def draw_sighting(picture: Picture, sighting: Sighting) -> Picture:
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
    drawn = draw_sighting(open_picture(path).picture, sighting)
    done, coded = cv2.imencode(".png", drawn)
    assert done, "OpenCV always codes uint8 BGR as PNG"
    target.write_bytes(np.asarray(coded).tobytes())
