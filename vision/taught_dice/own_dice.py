"""Read the dice of an owner's copy where dice fall: by their signs or their colours.

Each die of the box is there once. Where it is seen once for sure, all else that looks a
little like it is clutter; where two places are sure, nobody can say which it is.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from msgspec import Struct

from companion.table import TRAY, BoxPx, Glimpse, Piece, Reading, Shown, UnsureSight
from vision.arrays import Picture
from vision.ground.upper_side import PointBelow, point_below
from vision.pips.reader import pip_limits, read_dice
from vision.taught_dice.bodies import Body, look_at_bare_ground
from vision.taught_dice.hues import HueModel, decide_by_hue, read_hues
from vision.taught_dice.judging import DetectedTaughtDie
from vision.taught_dice.reader import DieModel, read_taught_dice

NEARER = 0.08
"""How much nearer to the middle of its die the upper sign must be than the next one, in
sides: on a drawn die of ten facets they are 0.17 and 0.28 away."""


SIDES = 0.02
"""Share by which the sides of a bare tray may be other ones: ends are whole pixels."""

_CUBE = 6
"""Sides of a die up to which it is taken for a cube."""


class SignDie(Struct, frozen=True):
    """A die with signs, and the colours of its faces: they help where signs do not."""

    piece: Piece
    model: DieModel
    hues: HueModel


class OwnDice(Struct, frozen=True):
    """The dice that an owner has shown: with signs, and with nothing but colours."""

    signs: tuple[SignDie, ...] = ()
    hues: tuple[tuple[Piece, HueModel], ...] = ()

    @property
    def pieces(self) -> frozenset[Piece]:
        """Return the names of the dice."""
        return frozenset(
            [*(die.piece for die in self.signs), *(piece for piece, _ in self.hues)]
        )

    def only(self, *pieces: Piece) -> "OwnDice":
        """Return some of the dice."""
        return OwnDice(
            tuple(die for die in self.signs if die.piece in pieces),
            tuple(one for one in self.hues if one[0] in pieces),
        )


Area = tuple[float, float, float, float]
"""Left, top, right, bottom of where dice fall, as parts of the picture."""


def read_own_dice(
    picture: Picture,
    dice: OwnDice,
    area: Area | None = None,
    taken_at: float = 0.0,
    bare: Picture | None = None,
    below: PointBelow | None = None,
) -> Reading:
    """Return what an owner's dice show in a picture ``(h, w, 3)``, uint8, BGR.

    Args:
        picture: The whole picture, as large as those that the dice were shown in.
        dice: What was taught.
        area: Where dice fall; None for anywhere.
        taken_at: Goes into the reading.
        bare: The same table without dice, from the same stand, where there is one. It
            may have other pixels, as one of the video where *picture* is a still.
        below: The point of the table below the camera; None where it looks straight
            down.
    """
    long_px = float(max(picture.shape[:2]))
    left, top, cut = _cut(picture, area)
    # Where it is only guessed, a side is not taken for the top by it.
    known = None if below is None else below.within(left, top)
    below = known or point_below(picture.shape).within(left, top)
    ground = None if bare is None else as_large(_cut(bare, area)[2], cut)
    found: list[tuple[Piece, DetectedTaughtDie]] = []
    for die in dice.signs:
        has_pips = any(die.model.pips)
        pips = read_dice(cut, pip_limits(), below=known) if has_pips else ()
        places = read_taught_dice(cut, die.model, pips, long_px=long_px)
        side_px, is_cube = die.hues.size * long_px, len(die.hues.faces) <= _CUBE
        tray = look_at_bare_ground(cut, side_px, ground, below if is_cube else None)
        seen = [one for one in places if one.sure or not tray.is_bare_at(one.box)]
        reads = _keep_one(choose_top_faces(seen, tray.bodies))
        if len(reads) == 1 and not reads[0].sure and die.model.always_ask:
            pairs = die.model.always_ask
            reads = [decide_by_hue(cut, reads[0], die.hues, pairs)]
        found += [(die.piece, read) for read in reads]
    for name, hues in dice.hues:
        taken = [read.box for _, read in found]
        found += [
            (name, read)
            for read in _keep_one(read_hues(cut, hues, taken, long_px, ground, below))
        ]
    placed = [(piece, read, _shift_box(read.box, left, top)) for piece, read in found]
    return _as_reading(placed, taken_at)


def _as_reading(
    placed: list[tuple[Piece, DetectedTaughtDie, BoxPx]], taken_at: float
) -> Reading:
    """Return dice, each with its box in the whole picture, as a reading."""
    return Reading(
        glimpses=tuple(
            Glimpse(Shown(piece, read.faces[0][0], TRAY), read.faces[0][1], box)
            for piece, read, box in placed
            if read.sure
        ),
        choices=tuple(
            UnsureSight(piece, TRAY, read.faces, box)
            for piece, read, box in placed
            if not read.sure
        ),
        taken_at=taken_at,
    )


def choose_top_faces(
    reads: Sequence[DetectedTaughtDie], bodies: Sequence[Body]
) -> list[DetectedTaughtDie]:
    """Return of each body the face that lies nearest to the middle of its upper side.

    A die of ten facets shows two or three of them. Where two are about as near, all of
    that body are asked. What nobody is sure of is no die where nothing lies, if one may
    lie elsewhere: the corners of a tray look like one.
    """
    left, kept = list(reads), []
    for body in bodies:
        here = [read for read in left if _is_in(read.box, body.box)]
        left = [read for read in left if not _is_in(read.box, body.box)]
        if not here:
            continue
        here.sort(key=lambda read: _away(read.box, body.top))
        gaps = [_away(read.box, body.top) for read in here]
        best = here[0]
        if len(here) > 1 and gaps[1] - gaps[0] < NEARER:
            best = DetectedTaughtDie(best.faces, False, best.box)
        kept.append(best)
    return kept + [read for read in left if read.sure or not kept]


def _is_in(box: BoxPx, body: BoxPx) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return body[0] <= x <= body[2] and body[1] <= y <= body[3]


def _away(box: BoxPx, top: BoxPx) -> float:
    """Return how far a box is from the middle of an upper side, in its sides."""
    x = (box[0] + box[2] - top[0] - top[2]) / 2
    y = (box[1] + box[3] - top[1] - top[3]) / 2
    side = float(np.sqrt((top[2] - top[0]) * (top[3] - top[1])))
    return float(np.hypot(x, y)) / side


def _keep_one(reads: Sequence[DetectedTaughtDie]) -> list[DetectedTaughtDie]:
    """Return what places that look like one die come to: it is there once at most."""
    sure = [read for read in reads if read.sure]
    if len(sure) == 1:
        return sure
    return [DetectedTaughtDie(read.faces, False, read.box) for read in reads]


def _cut(picture: Picture, area: Area | None) -> tuple[int, int, Picture]:
    """Return where an area begins in a picture, and the picture of it."""
    if area is None:
        return 0, 0, picture
    high, wide = picture.shape[:2]
    left, right = round(area[0] * wide), round(area[2] * wide)
    top, bottom = round(area[1] * high), round(area[3] * high)
    return left, top, picture[top:bottom, left:right]


def as_large(part: Picture, as_this: Picture) -> Picture:
    """Return a part of a picture in the pixels of the same part of another one."""
    size = as_this.shape[1], as_this.shape[0]
    if part.shape == as_this.shape or not part.size:
        return part
    # Parts of other sides are of another view.
    if abs(part.shape[0] * size[0] / (part.shape[1] * size[1]) - 1) > SIDES:
        return part
    return np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_LINEAR), np.uint8)


def _shift_box(box: BoxPx, left: int, top: int) -> BoxPx:
    return box[0] + left, box[1] + top, box[2] + left, box[3] + top
