"""What changed at the spaces of a board since it was last believed.

A space is a point that was tapped once; what lies there may be any figure or token that
nobody ever showed. So nothing is recognised here: two pictures of the same board are
compared where its spaces are, with light and small knocks taken out, and what stands
where it did not stand before is a change. Which piece it is mostly follows from the
rules.
"""

from collections.abc import Mapping

import cv2
import numpy as np
from msgspec import Struct

from companion.table import Place
from vision.arrays import Floats, Mask
from vision.board.flat import DARK, REACH, BoardLayout
from vision.tabletop.surface import difference_mask

LEAST = 0.03
"""Area of a change, in squared distances between neighbours, below which it is noise, a
printed line that does not meet. First guess."""

_BLOB = 0.25
"""Side of a square that a piece fills at least, in distances between neighbours. First
guess."""

_REACHING, _HUGE, _BESIDE = 1.0, 6.0, 3.0
"""Area, in squared distances between neighbours, from which a change that reaches over
the rim, or one on the spaces, or all beside them is a hand or worse. A figure of 24 mm
makes 0.7 where halves lie 27 mm apart; where cells lie 33 mm apart an egg makes 0.4,
and an arm of which half is seen 5.8. First guess."""

_FOOT = 0.15
"""Part of what has changed that counts as its foot."""

_ODD = 0.12
"""Logarithm of brightness by which a space differs from the rest when it has changed:
that of `vision.tabletop.light`."""

_BRIGHT = 235.0
"""The brightest hundredth of a board is brought to this, so that the limits of
`vision.tabletop.surface` hold in any light."""


class SpaceChange(Struct, frozen=True):
    """How much of a space has changed.

    Attributes:
        part: Its changed area, in squared distances between neighbours.
        blob: Share of the most changed square in it: 1 where something stands now, or
            stood before, that fills such a square, however small it is in the space.
        feet: Area of what has its foot there, in the same measure, however far it
            reaches.
    """

    part: float = 0.0
    blob: float = 0.0
    feet: float = 0.0


UNCHANGED = SpaceChange()


class BoardChanges(Struct, frozen=True):
    """How each space that has changed has done so.

    *area* is what has changed of all of them, in squared distances between neighbours;
    *hand* says that a hand rests there.
    """

    changes: Mapping[Place, SpaceChange]
    area: float = 0.0
    hand: bool = False


def find_changes(now: Floats, before: Floats, layout: BoardLayout) -> BoardChanges:
    """Return how much each space of a board has changed, in any light.

    *now* and *before* are flat boards ``(H, W, 3)``, float32, BGR, of one shape.

    Shadows are no changes, neither those that came nor those that went.
    """
    bright = max(float(np.percentile(before[::4, ::4].max(-1), 99)), DARK)
    old = before * np.float32(_BRIGHT / bright)
    new = _match_light(now, before, layout) * np.float32(_BRIGHT / bright)
    mask = difference_mask(new, old) & difference_mask(old, new) & layout.visible
    parts = np.bincount(
        layout.nearest[mask & (layout.nearest >= 0)], minlength=len(layout.places)
    )
    feet, hand = _feet(mask, layout)
    return BoardChanges(
        {
            place: SpaceChange(
                float(parts[k] / layout.gap_px[k] ** 2),
                _blob(mask, layout, k),
                float(feet[k]),
            )
            for k, place in enumerate(layout.places)
            if parts[k]
        },
        float(parts.sum() / np.median(layout.gap_px) ** 2),
        hand,
    )


def _blob(mask: Mask, layout: BoardLayout, k: int) -> float:
    rows, columns = window_around(layout, k, mask.shape)
    inside = (mask[rows, columns] & (layout.nearest[rows, columns] == k)).astype(
        np.float32
    )
    side = max(3, round(float(layout.gap_px[k]) * _BLOB))
    dense = cv2.blur(inside, (side, side), borderType=cv2.BORDER_CONSTANT)
    return float(dense.max(initial=0.0))


def window_around(
    layout: BoardLayout, k: int, shape: tuple[int, ...]
) -> tuple[slice, slice]:
    """Return rows and columns around a space."""
    (x, y), reach = layout.middles[k], REACH * layout.gap_px[k]
    rows = slice(max(0, int(y - reach)), min(shape[0], int(y + reach) + 1))
    columns = slice(max(0, int(x - reach)), min(shape[1], int(x + reach) + 1))
    return rows, columns


def _feet(mask: Mask, layout: BoardLayout) -> tuple[Floats, bool]:
    """Return the area of what has its foot on each space, ``(N,)``, and: is it a hand?

    A figure is seen from its foot to its top, and may hide the space behind it.
    """
    feet = np.zeros(len(layout.places), np.float32)
    whole = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3)))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(whole)
    reaching = set(np.unique(labels[layout.rim]))
    gap, beside = float(np.median(layout.gap_px)), 0.0
    for number, (left, top, wide, high, area) in enumerate(stats[1:], start=1):
        part = area / gap**2
        if part < LEAST:
            continue
        y, x = np.nonzero(labels[top : top + high, left : left + wide] == number)
        x, y = x + left, y + top
        on_spaces = (layout.nearest[y, x] >= 0).sum() / gap**2
        if on_spaces > LEAST and part > (_REACHING if number in reaching else _HUGE):
            # What lies beside the spaces, at the rim too, is in nobody's way.
            return feet, True
        beside += part - on_spaces
        far = np.hypot(x - layout.nadir[0], y - layout.nadir[1])
        foot = far <= np.quantile(far, _FOOT)
        k = layout.nearest[round(float(y[foot].mean())), round(float(x[foot].mean()))]
        if k >= 0:
            feet[k] += area / layout.gap_px[k] ** 2
    # An arm of about the ground's colour is seen in parts, most of them off the spaces.
    return feet, beside > _BESIDE


def _match_light(now: Floats, before: Floats, layout: BoardLayout) -> Floats:
    """Return a flat board as it would look in the light of an earlier picture.

    The light is taken to change evenly across the board; spaces that disagree with the
    rest have changed for another reason.
    """
    at, tones = [], []
    half = 6
    for x, y in layout.middles.astype(int):
        spot = slice(max(0, y - half), y + half), slice(max(0, x - half), x + half)
        new, old = now[spot].reshape(-1, 3), before[spot].reshape(-1, 3)
        if len(new):
            tones.append(np.median(np.log((new + 8) / (old + 8)), axis=0))
            at.append((x / now.shape[1], y / now.shape[0]))
    if not at:
        return now
    places, gains = np.array(at, np.float32), np.array(tones, np.float32)
    terms = np.column_stack([np.ones(len(places)), places])
    fit = np.zeros((3, 3))
    fit[0] = np.median(gains, axis=0)
    for _ in range(3):
        kept = np.abs(gains - terms @ fit).max(axis=1) < _ODD
        if kept.sum() < 4:
            break
        fit, *_ = np.linalg.lstsq(terms[kept], gains[kept], rcond=None)
    y, x = np.mgrid[0:1:18j, 0:1:32j]
    whole = np.column_stack([np.ones(x.size), x.ravel(), y.ravel()]) @ fit
    gain = np.exp(-whole).reshape(18, 32, 3).astype(np.float32)
    full = cv2.resize(gain, (now.shape[1], now.shape[0]))
    return np.asarray(now * full, np.float32)
