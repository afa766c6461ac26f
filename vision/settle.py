"""Tell when the table lies still, so that each stillness is read once.

A pure machine: it is fed small grey pictures with the time they were taken at, and
keeps no clock. It finds hands and rolling dice, and is not moved by flicker or by
shadows that people cast.
"""

from enum import StrEnum
from typing import TypeAlias

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.arrays import Floats, Picture

Grey: TypeAlias = NDArray[np.uint8]

WIDTH = 320
"""Pictures are watched at this width: a 16 mm die is still 10 pixels on 50 cm."""


DARK = 3.0
"""Grey values that are added before dividing, so that noise in the dark stays small.
More of it makes a bright figure change with the light: by 16 with 8, by 5 with 3."""


class SettleRules(Struct, frozen=True):
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


class Watch(Struct, frozen=True):
    """Where the machine stands; start with :func:`begin`.

    Attributes:
        state: What the table did at the last picture.
        quiet_since: When the present quiet began, None while something moves.
        last: The evened picture before, ``(h, w)``.
        known: The evened picture that was last read, so that nothing is read twice.
        noise: Usual difference between two pictures of a still table, grey values.
    """

    state: Stillness = Stillness.MOVING
    quiet_since: float | None = None
    last: Floats | None = None
    known: Floats | None = None
    noise: float = 1.5


def begin() -> Watch:
    """Return a machine that has seen nothing."""
    return Watch()


def small(picture: Picture) -> Grey:
    """Return a picture as the small grey one that is watched."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) if picture.ndim == 3 else picture
    if grey.shape[1] > WIDTH:
        size = (WIDTH, max(1, round(grey.shape[0] * WIDTH / grey.shape[1])))
        grey = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
    return np.asarray(grey, np.uint8)


def watch(before: Watch, grey: Grey, taken_at: float, rules: SettleRules) -> Watch:
    """Return where the machine stands after one more picture.

    The state is SETTLED at one picture only: the first after *hold_s* of quiet, if the
    table looks different from what was last read. That picture should be read.
    """
    even = evened(grey, rules.gain_px)
    last = before.last
    if last is None or last.shape != even.shape:
        return Watch(Stillness.MOVING, None, even, None, before.noise)
    if differs(even, last, before.noise, rules):
        return Watch(Stillness.MOVING, None, even, before.known, before.noise)
    since = taken_at if before.quiet_since is None else before.quiet_since
    noise = _learned(before.noise, even, last)
    known = before.known
    fresh = known is None or differs(even, known, noise, rules)
    if taken_at - since + 1e-9 >= rules.hold_s and fresh:
        return Watch(Stillness.SETTLED, since, even, even, noise)
    return Watch(Stillness.QUIET, since, even, known, noise)


def evened(grey: Grey, gain_px: int) -> Floats:
    """Return a picture ``(h, w)`` freed of slow changes of brightness, mean about 128.

    Lamps that flicker and shadows with soft edges scale a whole neighbourhood; dividing
    by it leaves what things look like.
    """
    soft = np.asarray(cv2.GaussianBlur(grey, (0, 0), 1.0), np.float32)
    window = (gain_px, gain_px)
    around = np.asarray(
        cv2.blur(soft, window, borderType=cv2.BORDER_REFLECT), np.float32
    )
    return np.asarray(128 * (soft + DARK) / (around + DARK), np.float32)


def differs(even: Floats, other: Floats, noise: float, rules: SettleRules) -> bool:
    """Return whether two evened pictures show a different table."""
    gap = even - other
    # What a deep shadow leaves after evening out is as wide as it is; pieces are not.
    window = (rules.gain_px, rules.gain_px)
    gap -= np.asarray(cv2.blur(gap, window, borderType=cv2.BORDER_REFLECT), np.float32)
    change = np.abs(gap) > max(rules.change, rules.noise * noise)
    # A changed pixel counts when most of its eight neighbours changed too.
    share = cv2.blur(change.astype(np.float32), (3, 3))
    return int((np.asarray(share) > 0.5).sum()) >= rules.least_px


def _learned(noise: float, even: Floats, last: Floats) -> float:
    spread = float(np.median(np.abs(even - last))) * 1.48
    return 0.9 * noise + 0.1 * max(spread, 0.2)
