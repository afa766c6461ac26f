"""Reads in stills what was taught in stills; boxes are those of the video's pictures.

Everything else goes on in the size of the video: where the camera stands, what moves,
what is kept as evidence. One still is held at a time, and only while it is read.
"""

from collections.abc import Callable
from typing import TypeAlias

from msgspec.structs import replace

from companion.kits.own_dice import LearnedKits
from companion.table import BoxPx, Reading
from companion.watching.table_watcher import ReadsTables
from vision.arrays import Picture
from vision.camera.port import Frame
from vision.camera.stills import (
    Stills,
    factor_between,
    scaled_box,
    scaled_reading,
)
from vision.ground.upper_side import PointBelow
from vision.tabletop.seen import TableReading

ReadDice: TypeAlias = Callable[..., Reading]
"""Reads the dice of a picture, given the point below the camera where it is known."""


class OwnDiceReader:
    """Reads the dice that were taught, in a still where they were taught in some.

    Args:
        own: What was taught.
        stills: Gives stills of a table at rest.
    """

    def __init__(self, own: LearnedKits, stills: Stills) -> None:
        self._own, self._stills = own, stills

    def read(self, kit: str, frame: Frame) -> Reading | None:
        """Return what the dice of a kit show; None where none of them was taught."""
        picture, still = frame.picture, frame.fine
        if picture is None:
            return None
        long_px = self._own.dice_px(kit)
        if long_px is None:
            return self._own.read(kit, picture, frame.below)
        if still is None:
            # One that a board's reader made has no moment: it is of the table as it is.
            still = self._stills.in_size(picture, long_px, frame.taken_at or None)
        factor = factor_between(picture, still)
        below = None if frame.below is None else frame.below.scaled(factor)
        found = self._own.read(kit, still, below)
        return None if found is None else scaled_reading(found, 1 / factor)


class StillTableReader:
    """Reads a table of cards that were taught in stills.

    Args:
        stills: Gives stills of a table at rest.
        long_px: Longer side of those that it was taught in.
        read: Reads the dice of a frame, whose mat is seen by the video.
        make: Makes the reader of the table, given what reads the dice of its pictures.
    """

    def __init__(
        self,
        stills: Stills,
        long_px: float,
        read: Callable[[Frame], Reading],
        make: Callable[[ReadDice], ReadsTables],
    ) -> None:
        self._stills, self._long_px, self._read = stills, long_px, read
        self._video: Picture | None = None
        self._reader = make(self._dice)

    def read(self, picture: Picture, *, untouched: bool = False) -> TableReading:
        """Return what lies there, where it lies in *picture*, which is of the video."""
        still = self._stills.in_size(picture, self._long_px)
        back = factor_between(still, picture)
        self._video = picture
        try:
            seen = self._reader.read(still, untouched=untouched)
        finally:
            self._video = None

        def scaled(box: BoxPx | None) -> BoxPx | None:
            return None if box is None else scaled_box(box, back)

        return replace(
            seen,
            found=tuple(replace(o, box_px=scaled(o.box_px)) for o in seen.found),
            doubts=tuple(replace(o, box_px=scaled(o.box_px)) for o in seen.doubts),
        )

    def _dice(self, still: Picture, below: PointBelow | None = None) -> Reading:
        """Return the dice of the still that is being read, with boxes in it."""
        video = self._video
        assert video is not None, "dice are read with the table"
        factor = factor_between(video, still)
        point = None if below is None else below.scaled(1 / factor)
        frame = Frame(video, 0.0, None, "still", below=point, fine=still)
        return scaled_reading(self._read(frame), factor)
