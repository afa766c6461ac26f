"""Compare cards of one picture at full resolution, where a number in a corner differs.

Brightness only, at the resolution of the camera. A card is laid on a reference, bent a
little if need be, and each small place may differ in light, contrast, blur and a pixel
of place. What is left over tells look-alikes apart.
"""

from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np

from vision.arrays import Floats, Indices, Picture
from vision.cards.raster import rectify_card

_AREA_PX = 26000
"""Pixels of a fine raster, 192 x 136 for most cards: 3 pixels a millimetre of a small
card. With 256 rows no more drawn cards were right, in half as much time again."""

BLOCK_PX = 8
"""A place is three by three blocks: 8 mm of a small card."""

_DARK = 120.0
"""Added to brightness of 0 to 255 before the logarithm. On painted number cards of the
tuning decks, three shots, 15, 60 and 120 read 75, 84 and 84 of 84 right; the least
lead over a look-alike was -0.5, 0.43 and 0.83."""

_SPAN = float(2 * np.log(_DARK / (255 + _DARK)))

_SMOOTH_PX = 14.0
"""What is smoother than this is left out while a card is laid on another: light."""

_BEND_PX = np.array([0.03, 0.02, 0.02, 0.005, 0.005, 0.005] * 2)
"""Usual moves, slopes and bends, parts of the height: a side of an outline may be a
printed frame, and a card's rim stands up."""

_REACH = 0.08

_STIFF = 30.0
_LEVELS = ((4, 5), (2, 3), (1, 3))

_FIT = np.array([0.5, 0.25, 0.8, 0.8, 0.7])
"""Usual light, contrast, moves (px) and blur of one place."""

_FIRM = 1e-4

_EVEN, _STEEP = 0.002, 0.05
"""Variance of what is left over of one card: anywhere, and for each square of slope.
Of three looks at each card of the tuning decks 0.0007 and 0.05; twice the first, as
printed cards have a grain."""

_MOST = 100.0
"""Most that a pixel may count, in variances."""

_DIFFERS = 4.0
"""Variances from which two references differ in a pixel."""

LEAST_POWER = 100.0
"""How much two cards differ before detail says anything: the closest numbers of the
tuning decks, seen with three shots, have 400."""

_MOST_PIXELS = 2000
"""Pixels that a contest looks at, the most different: a number in two corners has 600.
"""

_RIM_PX = 6
_SPOT_PX = 11
"""Side of the square in which leftovers are taken together: a digit is 10 to 20 px."""


class FineReference(NamedTuple):
    """How a card looks in detail.

    Attributes:
        grey: Tones of brightness, ``(h, w)``, float32.
        terms: Effects of light, contrast, moves and blur, ``(5, h, w)``.
        solve: From effects to their sizes at each place, ``(h', w', 5, 5)``.
        variance: Of what is usually left over, ``(h, w)``.
        even: *grey* without wide light and of even contrast.
    """

    grey: Floats
    terms: Floats
    solve: Floats
    variance: Floats
    even: Floats


class Contest(NamedTuple):
    """Where two references differ, as seen from the first.

    Attributes:
        where: Numbers of the pixels that differ most, ``(N,)``.
        toward: Weights that make 0 of the first card and 1 of the second, ``(N,)``.
        power: How much they differ, in variances.
    """

    where: Indices
    toward: Floats
    power: float


def fine_size(aspect: float) -> tuple[int, int]:
    """Return rows and columns for a width over height, multiples of a block."""
    rows = float(np.sqrt(_AREA_PX / max(aspect, 0.3)))
    high = max(4, round(rows / BLOCK_PX)) * BLOCK_PX
    return high, max(4, round(rows * aspect / BLOCK_PX)) * BLOCK_PX


def fine_tones(picture: Picture, corners: Floats, size: tuple[int, int]) -> Floats:
    """Return the brightness between corners as tones ``(h, w)``, float32."""
    raster = rectify_card(picture, corners, size).astype(np.float32).mean(-1)
    return np.asarray(2 * np.log((raster + _DARK) / (255 + _DARK)), np.float32)


def pack_tones(grey: Floats) -> Picture:
    """Return tones as uint8, to keep."""
    return np.asarray(np.clip(255 * (1 - grey / _SPAN), 0, 255).round(), np.uint8)


def unpack_tones(packed: Picture) -> Floats:
    """Return tones, float32, from their uint8."""
    return np.asarray(_SPAN * (1 - packed.astype(np.float32) / 255), np.float32)


@lru_cache(maxsize=12)
def _bends(size: tuple[int, int]) -> tuple[Floats, Floats, Floats]:
    """Return columns, rows and terms of a bend ``(6, h, w)``."""
    y, x = np.mgrid[-1 : 1 : size[0] * 1j, -1 : 1 : size[1] * 1j].astype(np.float32)
    columns, rows = np.meshgrid(
        np.arange(size[1], dtype=np.float32), np.arange(size[0], dtype=np.float32)
    )
    return columns, rows, np.stack([np.ones_like(x), x, y, x * x, x * y, y * y])


def _slopes(grey: Floats) -> tuple[Floats, Floats]:
    return (
        np.asarray(cv2.Sobel(grey, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)),
        np.asarray(cv2.Sobel(grey, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)),
    )


def wide_light(grey: Floats) -> tuple[Floats, Floats]:
    """Return wide mean and wide contrast of tones, both ``(h, w)``."""
    mean = cv2.GaussianBlur(grey, (0, 0), _SMOOTH_PX)
    power = cv2.GaussianBlur((grey - mean) ** 2, (0, 0), _SMOOTH_PX)
    return np.asarray(mean), np.asarray(np.sqrt(power + 0.02**2))


def _evened(grey: Floats) -> Floats:
    mean, contrast = wide_light(grey)
    return np.asarray((grey - mean) / contrast, np.float32)


def _by_places(plane: Floats) -> Floats:
    """Return means over the places of a raster, ``(h', w')``."""
    height, width = plane.shape
    small = cv2.resize(
        plane, (width // BLOCK_PX, height // BLOCK_PX), interpolation=cv2.INTER_AREA
    )
    return np.asarray(cv2.blur(small, (3, 3))[1:-1, 1:-1], np.float32)


def prepare_fine(grey: Floats) -> FineReference:
    """Return fine tones ``(h, w)`` of a card made ready for comparing."""
    along, down = _slopes(grey)
    blur = cv2.GaussianBlur(grey, (0, 0), 1.2) - grey
    contrast = grey - cv2.blur(grey, (3 * BLOCK_PX + 1,) * 2)
    terms = np.stack([np.ones_like(grey), contrast, along, down, blur])
    gram = np.stack(
        [np.stack([_by_places(a * b) for b in terms], -1) for a in terms], -1
    )
    solve = np.linalg.inv(gram + np.diag(_FIRM / _FIT**2))
    return FineReference(
        grey,
        terms,
        solve.astype(np.float32),
        _EVEN + _STEEP * (along**2 + down**2),
        _evened(grey),
    )


def lay_on(shown: Floats, known: FineReference) -> Floats:
    """Return tones ``(h, w)`` moved and bent so that they lie on a reference's.

    Small and blurred first, as a side of an outline may be off by a printed frame.
    """
    even, place = _evened(shown), np.zeros(12, np.float32)
    for shrink, steps in _LEVELS:
        goal = _shrunk(known.even, shrink)
        place = shrink * _nearer(_shrunk(even, shrink), goal, place / shrink, steps)
    return _moved(shown, place)


def _shrunk(plane: Floats, times: int) -> Floats:
    if times == 1:
        return plane
    height, width = plane.shape
    small = (width // times, height // times)
    return np.asarray(cv2.resize(plane, small, interpolation=cv2.INTER_AREA))


def _moved(plane: Floats, place: Floats) -> Floats:
    columns, rows, bends = _bends(plane.shape)
    x = columns + np.tensordot(place[:6], bends, 1)
    y = rows + np.tensordot(place[6:], bends, 1)
    return np.asarray(
        cv2.remap(plane, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    )


def _nearer(even: Floats, goal: Floats, place: Floats, steps: int) -> Floats:
    """Return a place ``(12,)`` where *even* lies nearer to *goal*: Gauss-Newton."""
    along, down = _slopes(goal)
    bends = _bends(goal.shape)[2]
    rim = (slice(2, -2), slice(2, -2))
    effects = np.concatenate([along * bends, down * bends])[:, *rim].reshape(12, -1)
    usual = _BEND_PX * goal.shape[0]
    firm = np.diag(_STIFF * goal.size / _AREA_PX / usual**2)
    solve = np.linalg.inv(effects @ effects.T + firm)
    most = _REACH * goal.shape[0]
    for _ in range(steps):
        off = np.clip((_moved(even, place) - goal)[rim], -1, 1).ravel()
        step = (solve @ (effects @ off)).astype(np.float32)
        place = np.clip(place - step, -most, most)
    return place


def leftover(laid: Floats, known: FineReference) -> Floats:
    """Return what a reference leaves over of laid tones, ``(h, w)``, place by place."""
    off = laid - known.grey
    effects = np.stack([_by_places(term * off) for term in known.terms], -1)
    sizes = (known.solve @ effects[..., None])[..., 0]
    sizes = np.pad(sizes, ((1, 1), (1, 1), (0, 0)), mode="edge").astype(np.float32)
    whole = cv2.resize(sizes, off.shape[::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(off - np.einsum("khw,hwk->hw", known.terms, whole), np.float32)


def make_contest(known: FineReference, rival: Floats) -> Contest:
    """Return where a reference and the fine tones of a rival ``(h, w)`` differ."""
    apart = leftover(lay_on(rival, known), known)
    power = apart**2 / known.variance
    power[:3], power[-3:], power[:, :3], power[:, -3:] = 0, 0, 0, 0
    power[power < _DIFFERS] = 0
    flat = power.ravel()
    most = np.argpartition(flat, -_MOST_PIXELS)[-_MOST_PIXELS:]
    where = most[flat[most] > 0]
    whole = float(flat[where].sum())
    weights = (apart / known.variance).ravel()[where] / max(whole, 1e-9)
    return Contest(where, weights.astype(np.float32), whole)


def lean(left: Floats, contest: Contest) -> float:
    """Return how far a card leans to the rival where both differ, 0 to 1 for the rival.

    Args:
        left: What the reference leaves over of the seen card, ``(h, w)``.
        contest: Of the reference and the rival.
    """
    return float(contest.toward @ left.ravel()[contest.where])


def worst_spot(left: Floats, variance: Floats) -> float:
    """Return how much more than usual is left over in the worst spot, in deviations."""
    return float(np.sqrt(_spots(left, variance).max()))


def _spots(left: Floats, variance: Floats) -> Floats:
    power = np.minimum(left**2 / variance, _MOST)
    spots = cv2.blur(power, (_SPOT_PX, _SPOT_PX))
    return np.asarray(spots[_RIM_PX:-_RIM_PX, _RIM_PX:-_RIM_PX])
