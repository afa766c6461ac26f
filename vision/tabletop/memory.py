"""A cache of answers about spots: one that looks as before is not read again."""

from collections.abc import Callable
from typing import Generic, TypeVar

import cv2
import numpy as np
from msgspec import Struct

from vision.arrays import Floats
from vision.tabletop.plan import Spot

STILL = 14.0
"""Grey values up to which a softened spot has not changed; noise makes 3 to 6."""

T = TypeVar("T")


class _Kept(Struct, Generic[T]):
    """What was last read at a spot: its softened picture, and the answer."""

    soft: Floats
    answer: T


class AnswerCache(Generic[T]):
    """The last answer about each spot."""

    def __init__(self) -> None:
        self._kept: dict[Spot, _Kept[T]] = {}

    def get(self, spot: Spot, even: Floats, read: Callable[[], T]) -> T:
        """Return the answer about a spot that looks like *even* ``(h, w, 3)``, float32.

        *read* is called only where the spot looks otherwise than at the last time.
        """
        soft = np.asarray(cv2.GaussianBlur(even, (0, 0), 1.5), np.float32)
        kept = self._kept.get(spot)
        if kept is None or np.abs(kept.soft - soft).max() > STILL:
            kept = _Kept(soft, read())
            self._kept[spot] = kept
        return kept.answer
