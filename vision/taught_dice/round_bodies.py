"""Find round flat pieces on bare ground, also where some lie side by side."""

from collections.abc import Sequence

import cv2
import numpy as np

from companion.table import BoxPx
from vision.arrays import Picture
from vision.taught_dice.bodies import SeenGround, look_at_bare_ground

ROUND = 0.6, 1.35
"""Sides of what may be a round piece, in the side of those that were shown: markers and
eggs are of one make, and one that was pushed a little is seen longer. First guess."""

NECK = 0.3
"""Half the width, in sides of a round piece, of what joins two that lie side by side at
most: they are 1.0 wide themselves, and touch in a point. First guess."""

AROUND = 1.0
"""Surroundings in which a spot is looked at closely, in sides of a round piece."""


def side_of(box: BoxPx) -> float:
    """Return the side of the square that is as large as a box."""
    return float(np.sqrt((box[2] - box[0]) * (box[3] - box[1])))


def find_rounds_about(
    picture: Picture, bare: Picture | None, box: BoxPx, side_px: float
) -> list[BoxPx]:
    """Return the round pieces about a box that was found in a picture made small.

    Args:
        picture: ``(h, w, 3)``, uint8, BGR.
        bare: The same without them, None where nobody saw it.
        box: Where to look.
        side_px: Side of the box about one.
    """
    more = round(AROUND * side_px)
    left, top = max(0, box[0] - more), max(0, box[1] - more)
    part = np.s_[top : box[3] + more, left : box[2] + more]
    before = None if bare is None else bare[part]
    seen = look_at_bare_ground(picture[part], side_px, before)
    boxes = [
        one
        for body in seen.bodies
        for one in (
            [body.box]
            if _is_round(body.box, side_px)
            else _apart(seen, body.box, side_px)
        )
    ]
    return [(x1 + left, y1 + top, x2 + left, y2 + top) for x1, y1, x2, y2 in boxes]


def _is_round(box: BoxPx, side_px: float) -> bool:
    """Tell whether a box may be that of one round piece."""
    sides = box[2] - box[0], box[3] - box[1]
    return all(ROUND[0] < side / side_px < ROUND[1] for side in sides)


def _apart(seen: SeenGround, box: BoxPx, side_px: float) -> list[BoxPx]:
    """Return the boxes of round pieces that lie so close that they look like one body.

    None where it is no such body: what is left of each within its rim must be several.
    """
    x1, y1, x2, y2 = (round(edge * seen.factor) for edge in box)
    body = np.pad(seen.apart[y1:y2, x1:x2].astype(np.uint8), 1)
    # Rings that are printed alike on both leave holes.
    edges, _ = cv2.findContours(body, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(body, edges, -1, 1, cv2.FILLED)
    deep = cv2.distanceTransform(body, cv2.DIST_L2, 3) > NECK * side_px * seen.factor
    count, _, _, middles = cv2.connectedComponentsWithStats(deep.astype(np.uint8))
    if count < 3:
        return []
    half = side_px / 2
    spots = (middles[1:] - 1 + (x1, y1)) / seen.factor
    return [
        (round(x - half), round(y - half), round(x + half), round(y + half))
        for x, y in spots.tolist()
    ]


def find_rounds(
    picture: Picture, bare: Picture | None, boxes: Sequence[BoxPx], side_px: float
) -> list[BoxPx]:
    """Return the round pieces about some boxes, each once, the largest of it."""
    about = {
        one for box in boxes for one in find_rounds_about(picture, bare, box, side_px)
    }
    found: list[BoxPx] = []
    for box in sorted(about, key=lambda box: (-side_of(box), box)):
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        if not any(b[0] <= x <= b[2] and b[1] <= y <= b[3] for b in found):
            found.append(box)
    return found
