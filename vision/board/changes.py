"""What changed at the spaces of a board since it was last believed.

A space is a point that was tapped once; what lies there may be any figure or token that
nobody ever showed. So nothing is recognised here: two pictures of the same board are
compared where its spaces are, with the light taken out, and what stands where it did
not stand before is a change. Which piece it is mostly follows from the rules.
"""

from collections.abc import Mapping
from enum import StrEnum

import cv2
import numpy as np
from msgspec import Struct

from companion.table import Place
from vision.arrays import Floats, Mask
from vision.board.changed import changed_mask
from vision.board.flat import DARK, REACH, BoardLayout, rim_mask, window_around
from vision.board.light import relight

LEAST = 0.03
"""Area of a change, in squared distances between neighbours, below which it is noise, a
printed line that does not meet. First guess."""

_BLOB = 0.25
"""Side of a square that a piece fills at least, in distances between neighbours. First
guess."""

_REACHING, _HUGE, _BESIDE = 1.0, 6.0, 3.0
"""Area, in squared distances between neighbours, from which a change that reaches over
the rim, or one on the spaces, or all beside them is no figure. A figure of 24 mm
makes 0.7 where halves lie 27 mm apart; where cells lie 33 mm apart an egg makes 0.4,
and an arm of which half is seen 5.8. First guess."""

_ARM = 2.5
"""Distances between neighbours from which on what reaches in over the rim is an arm;
what is shorter is a thing that lies at the rim. First guess."""

_FOOT = 0.15
"""Part of what has changed that counts as its foot."""

_CAST = 1.0
"""Logarithm by which one channel may gain on another: more is a coloured lamp, in which
what differs in colour may look alike. Between the six lights of the drawn table it is
0.46 at most, under the lamps of `board_light` 0.2 to 0.8 where they are yellow or
orange, and 0.8 to 6 under the others."""

_MISFIT = 0.05
"""Logarithm by which the middle pixel of a board may still differ once the light was
taken out: 0.03 at most between any two lights of the drawn table, 0.03 for a webcam's
noise, 0.07 and more where a lamp of `board_light` has changed its colour."""

_DAZZLED = 0.5
"""Share of a board that may be burnt out."""


class Obstacle(StrEnum):
    """Why a board cannot be compared; the value is the line that says so."""

    HAND = "core.eye.hand"
    THING = "core.eye.thing"
    DARK = "core.ask.dark"
    BRIGHT = "core.eye.bright"
    COLOURED = "core.eye.coloured"
    LAMP = "core.eye.lamp"
    MOVED = "core.eye.moved"
    FLAT = "core.eye.flat"


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
    *obstacle* says why nobody can tell what has.
    """

    changes: Mapping[Place, SpaceChange]
    area: float = 0.0
    obstacle: Obstacle | None = None


def find_changes(now: Floats, before: Floats, layout: BoardLayout) -> BoardChanges:
    """Return how much each space of a board has changed, in any light.

    *now* and *before* are flat boards ``(H, W, 3)``, float32, BGR, of one shape.

    Shadows are no changes, neither those that came nor those that went.
    """
    bright = _brightness(now, layout)
    if bright is not None:
        return BoardChanges({}, obstacle=bright)
    lit = relight(before, now, layout.visible)
    mask = changed_mask(now, lit.board, layout)
    parts = np.bincount(
        layout.nearest[mask & (layout.nearest >= 0)], minlength=len(layout.places)
    )
    feet, obstacle = _feet(mask, layout)
    if lit.cast > _CAST:
        obstacle = Obstacle.COLOURED
    elif lit.misfit > _MISFIT:
        obstacle = Obstacle.LAMP
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
        obstacle,
    )


def _brightness(board: Floats, layout: BoardLayout) -> Obstacle | None:
    """Return whether a board is too dark or too bright to be compared."""
    shown = board[::4, ::4][layout.visible[::4, ::4]]
    if np.percentile(shown.max(-1), 99) < DARK:
        return Obstacle.DARK
    burnt = float((shown.min(-1) >= 254).mean())
    return Obstacle.BRIGHT if burnt > _DAZZLED else None


def _blob(mask: Mask, layout: BoardLayout, k: int) -> float:
    reach = float(REACH * layout.gap_px[k])
    rows, columns = window_around(layout.middles[k], reach, mask.shape)
    inside = (mask[rows, columns] & (layout.nearest[rows, columns] == k)).astype(
        np.float32
    )
    side = max(3, round(float(layout.gap_px[k]) * _BLOB))
    dense = cv2.blur(inside, (side, side), borderType=cv2.BORDER_CONSTANT)
    return float(dense.max(initial=0.0))


def _feet(mask: Mask, layout: BoardLayout) -> tuple[Floats, Obstacle | None]:
    """Return the area of what has its foot on each space, ``(N,)``, if it is no hand.

    A figure is seen from its foot to its top, and may hide the space behind it.
    """
    feet = np.zeros(len(layout.places), np.float32)
    whole = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3)))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(whole)
    reaching = set(np.unique(labels[rim_mask(layout.visible)]))
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
            arm = number in reaching and max(wide, high) > _ARM * gap
            return feet, Obstacle.HAND if arm else Obstacle.THING
        beside += part - on_spaces
        far = np.hypot(x - layout.nadir[0], y - layout.nadir[1])
        foot = far <= np.quantile(far, _FOOT)
        k = layout.nearest[round(float(y[foot].mean())), round(float(x[foot].mean()))]
        if k >= 0:
            feet[k] += area / layout.gap_px[k] ** 2
    # An arm of about the ground's colour is seen in parts, most of them off the spaces.
    return feet, Obstacle.HAND if beside > _BESIDE else None
