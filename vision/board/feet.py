"""Where figures have their feet, and what is no figure but a hand or a thing."""

from typing import NamedTuple

import cv2
import numpy as np

from vision.arrays import Floats, Mask
from vision.board.flat import BoardLayout, is_on_board, rim_mask
from vision.board.obstacle import Obstacle

LEAST = 0.03
"""Area of a change, in squared distances between neighbours, below which it is noise, a
printed line that does not meet. First guess."""

_REACHING, _HUGE, _BESIDE = 1.0, 6.0, 3.0
"""Area, in squared distances between neighbours, from which a change that reaches over
the rim, or one on the spaces, or all beside them is no figure. A figure of 24 mm
makes 0.7 where halves lie 27 mm apart; where cells lie 33 mm apart an egg makes 0.4,
and an arm of which half is seen 5.8. First guess."""

_ARM = 2.5
"""Distances between neighbours from which on what reaches in over the rim is an arm;
what is shorter is a thing that lies at the rim. First guess."""

_BETWEEN = 0.14
"""Distances between neighbours from the border of two spaces up to which nobody can
tell on which of them a figure stands: 3.8 mm where they lie 27 mm apart. Taps may be
3 mm off, and the foot of a drawn figure is found to 0.04, 1 mm."""

_RIM = 0.02
"""Part of what is seen of a figure that lies beyond its nearest edge: noise."""


_TIP = 0.2
"""Area, in squared distances between neighbours, from which what is new on a space may
be the tip of a hand: half of what a small figure shows."""


class Foot(NamedTuple):
    """Where something has its foot.

    Attributes:
        space: Number of the space.
        others: Those on which it may stand as well.
        area: Of all that is seen of it, in squared distances between neighbours.
    """

    space: int
    others: tuple[int, ...]
    area: float


class Feet(NamedTuple):
    """What has its foot on a space, and what else is in the way.

    *may_be_hands* are points, px, one in each thing that may be the tip of a hand;
    *off_board* ``(H, W)`` is what stands beside the board.
    """

    feet: tuple[Foot, ...]
    off_board: Mask
    obstacle: Obstacle | None = None
    may_be_hands: tuple[tuple[float, float], ...] = ()


def find_feet(mask: Mask, layout: BoardLayout) -> Feet:
    """Return what has its foot on a space, and what else is in the way.

    Args:
        mask: Where the board has changed, ``(H, W)``.
        layout: Its spaces.
    """
    feet, tips = [], []
    off_board = np.zeros(mask.shape, np.bool_)
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
            return Feet((), off_board, Obstacle.HAND if arm else Obstacle.THING)
        if on_spaces > LEAST and part > _TIP:
            middle = int(np.argmin(np.hypot(x - x.mean(), y - y.mean())))
            tips.append((float(x[middle]), float(y[middle])))
        beside += part - on_spaces
        at = find_foot(np.column_stack([x, y]), layout.nadir)
        if not is_on_board(at, mask.shape):
            off_board[y, x] = True
        elif (foot := _stand(at, layout, float(area))) is not None:
            feet.append(foot)
    # An arm of about the ground's colour is seen in parts, most of them off the spaces.
    obstacle = Obstacle.HAND if beside > _BESIDE else None
    return Feet(tuple(feet), off_board, obstacle, tuple(tips))


def _stand(foot: Floats, layout: BoardLayout, area: float) -> Foot | None:
    """Return on which spaces something stands whose foot is at a point, px."""
    far = np.linalg.norm(layout.middles - foot, axis=1)
    high, wide = layout.nearest.shape
    x, y = np.clip(np.rint(foot), 0, (wide - 1, high - 1)).astype(int)
    k = int(layout.nearest[y, x])
    if k < 0:
        return None
    apart = np.linalg.norm(layout.middles - layout.middles[k], axis=1)
    apart[k] = 1.0
    border = (far**2 - far[k] ** 2) / (2 * apart)
    near = border < _BETWEEN * layout.gap_px[k]
    others = tuple(int(j) for j in np.flatnonzero(near) if j != k)
    return Foot(k, others, area / float(layout.gap_px[k]) ** 2)


def find_foot(points: Floats, nadir: Floats) -> Floats:
    """Return where a figure stands that covers points ``(N, 2)``, px, of a flat board.

    It leans away from the point below the camera, the *nadir*. Its foot is as wide as
    it is itself, and its near edge is that of its foot.
    """
    middle = points.mean(axis=0)
    lean = middle - nadir
    along = lean / max(float(np.linalg.norm(lean)), 1e-6)
    across = np.array((-along[1], along[0]))
    depth, side = (points - middle) @ along, (points - middle) @ across
    near, far = np.quantile(depth, (_RIM, 1 - _RIM))
    left, right = np.quantile(side, (_RIM, 1 - _RIM))
    half = min(right - left, far - near) / 2
    low = depth <= near + 2 * half
    foot = middle + along * (near + half) + across * np.median(side[low])
    return np.asarray(foot, np.float32)
