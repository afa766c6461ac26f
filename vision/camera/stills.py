"""Pictures of a table at rest in more pixels than the video has, where some are wanted.

What asks for them is a kit whose pieces were shown in stills: it is read in as many
pixels as it was taught in. All else sees the video only.
"""

import math
from collections.abc import Callable

import cv2
import numpy as np
from msgspec.structs import replace

from companion.table import BoxPx, Reading
from vision.arrays import Picture
from vision.camera.port import Frame
from vision.ground.clear_table import new_thing_mask, shrink_to_compare

NEW = 0.003
"""Part of a still that may show what the video's picture does not: hands cover 0.013 at
least, figures and cards 0.003 at most (`vision.ground.clear_table.HAND_PART`)."""


class Stills:
    """Gives the still that belongs to a picture of the video; to be used by one thread.

    Of a camera that takes none, as all do before `serve`, it gives none. *long_px* is
    the longer side of the last that came, also where it was of no use.
    """

    def __init__(self) -> None:
        self._take: Callable[[], Frame | None] = lambda: None
        self._newest_s = -math.inf
        self.long_px: float | None = None

    def serve(self, take: Callable[[], Frame | None]) -> None:
        """Take stills from here on by a call that waits for one: `Feed.still`."""
        self._take = take

    def of(self, picture: Picture, taken_at: float | None = None) -> Picture | None:
        """Return a still of what a picture of the video shows; None where none is had.

        Args:
            picture: ``(h, w, 3)``, uint8, BGR: the table at rest, a moment ago.
            taken_at: When it was taken, on the camera's clock. No still belongs to one
                that is older than the last that got one: hands were there since.
        """
        if taken_at is not None:
            if taken_at < self._newest_s:
                return None
            self._newest_s = taken_at
        still = self._take()
        if still is None or still.picture is None:
            return None
        self.long_px = float(max(still.picture.shape[:2]))
        return still.picture if _is_the_same_table(picture, still.picture) else None

    def in_size(
        self, picture: Picture, long_px: float, taken_at: float | None = None
    ) -> Picture:
        """Return what a picture shows in the size of stills that a kit was taught in.

        Where no still is had it is the picture itself, made as large: what is known of
        the pieces in pixels holds for it too.

        Args:
            picture: As for `of`.
            long_px: Longer side of the stills.
            taken_at: As for `of`.
        """
        still = self.of(picture, taken_at)
        return resized(picture if still is None else still, long_px)


def resized(picture: Picture, long_px: float) -> Picture:
    """Return a picture whose longer side is *long_px*; itself if it is so already."""
    high, wide = picture.shape[:2]
    factor = long_px / max(high, wide)
    size = round(wide * factor), round(high * factor)
    if size == (wide, high):
        return picture
    way = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(picture, size, interpolation=way), np.uint8)


def factor_between(one: Picture, other: Picture) -> float:
    """Return how many pixels of *other* are as long as one of *one*."""
    return float(max(other.shape[:2]) / max(one.shape[:2]))


def scaled_box(box: BoxPx, factor: float) -> BoxPx:
    """Return where a box lies in a picture that is larger by a factor."""
    left, top, right, bottom = (round(edge * factor) for edge in box)
    return left, top, max(right, left + 1), max(bottom, top + 1)


def scaled_reading(reading: Reading, factor: float) -> Reading:
    """Return a reading with its boxes in a picture that is larger by a factor."""

    def scaled(box: BoxPx | None) -> BoxPx | None:
        return None if box is None else scaled_box(box, factor)

    return replace(
        reading,
        glimpses=tuple(
            replace(one, box_px=scaled(one.box_px)) for one in reading.glimpses
        ),
        choices=tuple(
            replace(one, box_px=scaled(one.box_px)) for one in reading.choices
        ),
    )


def _is_the_same_table(picture: Picture, still: Picture) -> bool:
    """Tell whether a hand came in between; the still shows the view of the video."""
    before = shrink_to_compare(picture)
    size = before.shape[1], before.shape[0]
    now = np.asarray(cv2.resize(still, size, interpolation=cv2.INTER_AREA), np.uint8)
    return bool(new_thing_mask(before, now).mean() <= NEW)
