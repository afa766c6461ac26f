"""What is new on a table that was seen clear, and whether it is a hand.

A hand reaches in over the rim of the picture; a shadow is no thing.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.arrays import Floats, Mask, Picture
from vision.ground.difference import find_difference
from vision.ground.knock import move_picture

WIDE_PX = 640
"""Pictures are compared at this width: a die of 16 mm is 13 pixels on 80 cm."""

PLAIN = 22.0
"""Grey values that count as change after the light was made even: of drawn tables in
six lights, noise and flicker stay below 14."""

HAND_PART = 0.006
"""Part of the picture that a hand covers at least which reaches in over the rim: on two
traced tables hands 0.013 to 0.10, figures and cards at the rim 0.003 at most."""

MOVED = 0.5
"""Where more of the picture differs, the camera stands elsewhere. First guess."""


BRIGHTER = 1.06
"""Light of a channel over that of the bare table from which a place is no shadow: grain
of the drawn tables stays below. First guess."""

_FLOOR = 6.0
"""Grey values added before dividing, so that noise in the dark stays small."""


class ClearTable:
    """The table as it was last seen without a hand over what is watched.

    A picture that a hand is in is none to compare with: what lies under it would seem
    to be gone, and to come back.
    """

    def __init__(self) -> None:
        self._small: Picture | None = None

    @property
    def is_known(self) -> bool:
        """Tell whether it was seen."""
        return self._small is not None

    def keep(self, picture: Picture) -> None:
        """Keep a picture ``(h, w, 3)``, uint8, BGR, of the table without a hand."""
        self._small = shrink_to_compare(picture)

    def forget(self) -> None:
        """Know nothing of the table any more."""
        self._small = None

    def follow(self, knock: Floats, wide_px: int) -> None:
        """Follow a camera that was knocked, of which a picture is so wide."""
        if self._small is None:
            return
        scale = self._small.shape[1] / wide_px
        small = np.diag([scale, scale, 1.0])
        own = np.asarray(small @ knock @ np.linalg.inv(small), np.float32)
        self._small = move_picture(self._small, own)

    def has_hand(
        self, picture: Picture, at: Sequence[tuple[float, float]], least: float = 0.0
    ) -> bool:
        """Tell whether a hand lies at some points; of a table not known, False.

        Args:
            picture: ``(h, w, 3)``, uint8, BGR.
            at: The points, parts of the picture's sides.
            least: Part of the picture that it covers at least.
        """
        return self._small is not None and reaches_in(self._small, picture, at, least)


def reaches_in(
    before: Picture,
    picture: Picture,
    at: Sequence[tuple[float, float]],
    least: float = 0.0,
) -> bool:
    """Tell whether what is new at some points reaches in over the rim of the picture.

    Args:
        before: The same table without it.
        picture: ``(h, w, 3)``, uint8, BGR, as *before* is.
        at: The points, parts of the picture's sides.
        least: Part of the picture that it covers at least.
    """
    mask = new_thing_mask(shrink_to_compare(before), shrink_to_compare(picture))
    if mask.mean() > MOVED:
        return False
    rows, columns = mask.shape
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
    rim = np.ones_like(mask)
    rim[1:-1, 1:-1] = False
    there = {
        int(labels[min(int(y * rows), rows - 1), min(int(x * columns), columns - 1)])
        for x, y in at
        if 0 <= x <= 1 and 0 <= y <= 1
    }
    at_rim = there & set(np.unique(labels[rim & mask]).tolist())
    return any(stats[one][cv2.CC_STAT_AREA] > least * mask.size for one in at_rim)


def new_thing_mask(bare: Picture, picture: Picture) -> Mask:
    """Return where a new thing lies, ``(h, w)``; the light may have changed evenly."""
    soft, before = _in_one_light(bare, picture)
    found = find_difference(soft, before, PLAIN)
    new = (found.differs & ~found.shadow).astype(np.uint8)
    whole = cv2.morphologyEx(new, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    whole = cv2.morphologyEx(whole, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    return np.asarray(whole > 0, np.bool_)


def brighter_mask(bare: Picture, picture: Picture) -> Mask:
    """Return where a channel is brighter than on the bare table, ``(h, w)``.

    No shadow is, whatever colour a second lamp gives it.
    """
    soft, before = _in_one_light(bare, picture)
    ratio = (soft + _FLOOR) / (before + _FLOOR)
    return np.asarray(ratio.max(-1) > BRIGHTER, np.bool_)


def _in_one_light(bare: Picture, picture: Picture) -> tuple[Floats, Floats]:
    """Return a softened picture, and the bare table as it looks in its light."""
    soft = np.asarray(cv2.blur(picture, (3, 3)), np.float32)
    before = np.asarray(cv2.blur(bare, (3, 3)), np.float32)
    # Most of the table is as before: the middle ratio is that of the light.
    gain = np.median((soft + _FLOOR) / (before + _FLOOR), axis=(0, 1))
    return soft, np.asarray((before + _FLOOR) * gain - _FLOOR, np.float32)


def shrink_to_compare(picture: Picture) -> Picture:
    """Return a picture as small as it is compared here, to be kept in its place.

    One that is as small already stays as it is.
    """
    factor = WIDE_PX / picture.shape[1]
    if factor >= 1.0:
        return picture
    way = cv2.INTER_AREA
    small = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=way)
    return np.asarray(small, np.uint8)
