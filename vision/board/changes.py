"""What changed at the spaces of a board since it was last believed.

A space is a point that was tapped once; what lies there may be any figure or token that
nobody ever showed. So nothing is recognised here: two pictures of the same board are
compared where its spaces are, with the light taken out, and what stands where it did
not stand before is a change. Which piece it is mostly follows from the rules.
"""

from collections.abc import Mapping

import cv2
import numpy as np
from msgspec import Struct

from companion.table import Place
from vision.arrays import Floats, Mask
from vision.board.changed import changed_mask
from vision.board.feet import find_feet
from vision.board.flat import DARK, REACH, BoardLayout, window_around
from vision.board.light import relight
from vision.board.obstacle import Obstacle

_BLOB = 0.25
"""Side of a square that a piece fills at least, in distances between neighbours. First
guess."""

_CAST = 1.0
"""Logarithm by which one channel may gain on another: more is a coloured lamp, in
which what differs in colour may look alike. From the warm to the cool light of the
drawn table it is 0.60, under the lamps of `board_light` 0.2 to 1.5 where they are
yellow or orange, and mostly 2 to 6 under the others."""

_MISFIT = 0.05
"""Logarithm by which the middle pixel of a board may still differ once the light was
taken out: 0.016 at most between lights of the drawn table, 0.04 in games on cloth
(`tiles_fixed_camera`); a lamp of `board_light` that changes its colour leaves 0.07 and
more."""

_DAZZLED = 0.5
"""Share of a board that may be burnt out."""


class SpaceChange(Struct, frozen=True):
    """How much of a space has changed.

    Attributes:
        part: Its changed area, in squared distances between neighbours.
        blob: Share of the most changed square in it: 1 where something stands now, or
            stood before, that fills such a square, however small it is in the space.
        feet: Area of what has its foot there, in the same measure, however far it
            reaches.
        or_at: Neighbours on which it may have its foot as well.
    """

    part: float = 0.0
    blob: float = 0.0
    feet: float = 0.0
    or_at: frozenset[Place] = frozenset()


UNCHANGED = SpaceChange()


class BoardChanges(Struct, frozen=True):
    """How each space that has changed has done so.

    *area* is what has changed of all of them, in squared distances between neighbours;
    *obstacle* says why nobody can tell what has; *may_be_hands* are points, px of the
    flat board, each in what may be the tip of one.
    """

    changes: Mapping[Place, SpaceChange]
    area: float = 0.0
    obstacle: Obstacle | None = None
    may_be_hands: tuple[tuple[float, float], ...] = ()


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
    feet, off_board, obstacle, tips = find_feet(mask, layout)
    mask &= ~off_board
    parts = np.bincount(
        layout.nearest[mask & (layout.nearest >= 0)], minlength=len(layout.places)
    )
    if lit.cast > _CAST:
        obstacle = Obstacle.COLOURED
    elif lit.misfit > _MISFIT:
        obstacle = Obstacle.LAMP
    return BoardChanges(
        {
            place: SpaceChange(
                float(parts[k] / layout.gap_px[k] ** 2),
                _blob(mask, layout, k),
                sum(foot.area for foot in feet if foot.space == k),
                frozenset(
                    layout.places[j]
                    for foot in feet
                    if foot.space == k
                    for j in foot.others
                ),
            )
            for k, place in enumerate(layout.places)
            if parts[k]
        },
        float(parts.sum() / np.median(layout.gap_px) ** 2),
        obstacle,
        tips,
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
