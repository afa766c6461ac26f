"""Tell when the table lies still, so that each stillness is read once.

A pure state machine: it is given small grey pictures with the time they were taken at,
and keeps no clock. It finds hands and rolling dice, and ignores flicker and shadows
that people cast.
"""

from enum import StrEnum
from typing import TypeAlias

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.arrays import Floats, Mask, Picture

Grey: TypeAlias = NDArray[np.uint8]

WIDTH = 320
"""Pictures are watched at this width: a 16 mm die is still 10 pixels on 50 cm."""


DARK = 8.0
"""Grey values that are added before dividing, so that noise in the dark stays small."""


class StillnessLimits(Struct, frozen=True):
    """Limits of stillness.

    Attributes:
        hold_s: The table must lie still for so long: four pictures at 30 a second.
            Tried on drawn sequences only.
        gain_px: Width of the window in which brightness is evened out; wider than a
            die, narrower than a shadow.
        change: Grey values, after evening out, that count as change above the noise.
        noise: How many times the usual noise of the picture counts as change.
        least_px: Changed pixels that count as motion, after single ones are dropped.
    """

    hold_s: float = 0.133
    gain_px: int = 41
    change: float = 9.0
    noise: float = 5.5
    least_px: int = 9


class Stillness(StrEnum):
    """What the table does."""

    MOVING = "moving"
    QUIET = "quiet"
    SETTLED = "settled"


class StillnessState(Struct, frozen=True):
    """What is known of the table's stillness; start with `start_watch`.

    Attributes:
        state: What the table did at the last picture.
        quiet_since: When the present quiet began, None while something moves.
        last: The softened picture before, ``(h, w)``.
        known: The softened picture that was last read, so that nothing is read twice.
        noise: Usual difference between two pictures of a still table, grey values.
        moved: Where something moved between the last two pictures, ``(h, w)``; None
            where nothing did, and at the first picture.
    """

    state: Stillness = Stillness.MOVING
    quiet_since: float | None = None
    last: Floats | None = None
    known: Floats | None = None
    noise: float = 1.5
    moved: Mask | None = None


def start_watch() -> StillnessState:
    """Return the state before the first picture."""
    return StillnessState()


def shrink_to_grey(picture: Picture) -> Grey:
    """Return a picture, BGR or grey, as a grey one ``(h, w)``, uint8, WIDTH px wide."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) if picture.ndim == 3 else picture
    if grey.shape[1] > WIDTH:
        size = (WIDTH, max(1, round(grey.shape[0] * WIDTH / grey.shape[1])))
        grey = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
    return np.asarray(grey, np.uint8)


def watch_picture(
    before: StillnessState, grey: Grey, taken_at: float, limits: StillnessLimits
) -> StillnessState:
    """Return the state after one more picture *grey* ``(h, w)``, uint8.

    The state is SETTLED at one picture only: the first after *hold_s* of quiet, if the
    table looks different from what was last read. That picture should be read.
    """
    soft = np.asarray(cv2.GaussianBlur(grey, (0, 0), 1.0), np.float32)
    last = before.last
    if last is None or last.shape != soft.shape:
        return StillnessState(Stillness.MOVING, None, soft, None, before.noise)
    gap = local_difference(soft, last, limits.gain_px)
    moved = _motion(gap, before.noise, limits)
    if moved is not None:
        return StillnessState(
            Stillness.MOVING, None, soft, before.known, before.noise, moved
        )
    since = taken_at if before.quiet_since is None else before.quiet_since
    noise = _update_noise(before.noise, gap)
    known = before.known
    # Two pictures must show it: noise at the edge of something white shows in one.
    fresh = known is None or all(
        _motion(local_difference(shown, known, limits.gain_px), noise, limits)
        is not None
        for shown in (soft, last)
    )
    if taken_at - since + 1e-9 >= limits.hold_s and fresh:
        return StillnessState(Stillness.SETTLED, since, soft, soft, noise)
    return StillnessState(Stillness.QUIET, since, soft, known, noise)


def local_difference(soft: Floats, other: Floats, gain_px: int) -> Floats:
    """Return how a picture differs from another, ``(h, w)``, in 128ths of its light.

    Lamps that flicker and shadows with soft edges scale a whole neighbourhood of
    *gain_px*: the other picture is brought to the same light first, place by place.
    """
    around, before = _around(soft, gain_px), _around(other, gain_px)
    gap = 128 * (soft - other * ((around + 1) / (before + 1))) / (around + DARK)
    # What a deep shadow leaves is as wide as it is; pieces are not.
    return gap - _around(gap, gain_px)


def _around(picture: Floats, gain_px: int) -> Floats:
    window = (gain_px, gain_px)
    wide = cv2.blur(picture, window, borderType=cv2.BORDER_REFLECT)
    return np.asarray(wide, np.float32)


def _motion(gap: Floats, noise: float, limits: StillnessLimits) -> Mask | None:
    """Return where two pictures show a different table, None where they show one."""
    change = np.abs(gap) > max(limits.change, limits.noise * noise)
    # A changed pixel counts when most of its eight neighbours changed too.
    share = np.asarray(cv2.blur(change.astype(np.float32), (3, 3)))
    moved = np.asarray(share > 0.5, np.bool_)
    return moved if int(moved.sum()) >= limits.least_px else None


def change_mask(grey: Grey, other: Grey, limits: StillnessLimits) -> Mask:
    """Return where two small pictures differ, ``(h, w)``, in any light."""
    soft, before = (
        np.asarray(cv2.GaussianBlur(one, (0, 0), 1.0), np.float32)
        for one in (grey, other)
    )
    gap = local_difference(soft, before, limits.gain_px)
    return np.asarray(np.abs(gap) > limits.change, np.bool_)


def _update_noise(noise: float, gap: Floats) -> float:
    # One pixel in four: a median of 14,400 is as good, and a quarter of the work.
    spread = float(np.median(np.abs(gap[::2, ::2]))) * 1.48
    return 0.9 * noise + 0.1 * max(spread, 0.2)
