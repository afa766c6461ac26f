"""Pictures as they are kept and shown: small JPEGs, and what of a frame is kept at all.

Only the table is ever kept: what a reading is about, and a little around it.
"""

from collections.abc import Callable
from typing import TypeAlias

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from companion.table import BoxPx, Glimpse, Piece, Place, Reading
from vision.arrays import Floats, Picture

LONGEST_PX = 1280
"""A phone shows less than half of this; the crop of a die stays readable."""

QUALITY = 80
"""JPEG quality, 0 to 100: 1280x720 of felt and dice is then about 90 kB."""

AROUND = 0.3
"""So much of a thing's longer side is kept around it, to know it by its neighbours."""

LEAST_AROUND_PX = 8

LONGEST_CROP_PX = 480
"""A die of 60 pixels stays as it is; a whole row of cards still fits a phone."""

MOST_PICTURES = 6
"""Of one reading: a move changes one or two places, a new deal may change thirty."""

TABLE_ONLY = 128
"""Grey in place of what lies beyond the table's rim."""

Keep: TypeAlias = Callable[[bytes], str]
"""Takes a picture as JPEG and gives the name under which it is found again."""


def _nowhere(_piece: Piece, _place: Place) -> BoxPx | None:
    return None


class Framing(Struct, frozen=True):
    """What of a camera's picture is table, and where its places are.

    Attributes:
        outline: The table's rim, ``(N, 2)`` px; None where it is not known: then
            only what lies close around a thing is kept.
        box_of: Gives the box of a piece's place, None where that is not known.
    """

    outline: Floats | None = None
    box_of: Callable[[Piece, Place], BoxPx | None] = _nowhere


def encode_jpeg(picture: Picture, longest_px: int = LONGEST_PX) -> bytes:
    """Return a picture ``(h, w, 3)``, uint8, BGR, as a JPEG of at most *longest_px*."""
    scale = longest_px / max(picture.shape[:2])
    if scale < 1:
        size = (round(picture.shape[1] * scale), round(picture.shape[0] * scale))
        picture = np.asarray(
            cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8
        )
    done, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    assert done, "OpenCV codes every uint8 picture"
    return np.asarray(coded).tobytes()


def grey_out_beyond(picture: Picture, outline: Floats) -> Picture:
    """Return a picture of the same size with all grey that lies beyond *outline*."""
    inside = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillPoly(inside, [np.rint(outline).astype(np.int32)], 1)
    kept = np.where(inside[..., None] > 0, picture, np.uint8(TABLE_ONLY))
    return np.asarray(kept, np.uint8)


def crop_around(
    picture: Picture, box: BoxPx, outline: Floats | None = None
) -> Picture | None:
    """Return what lies in a box and close around it; None where that is no picture."""
    left, top, right, bottom = box
    around = max(LEAST_AROUND_PX, round(AROUND * max(right - left, bottom - top)))
    height, width = picture.shape[:2]
    a, b = max(0, left - around), max(0, top - around)
    c, d = min(width, right + around), min(height, bottom + around)
    if a >= c or b >= d:
        return None
    part = picture[b:d, a:c]
    return part if outline is None else grey_out_beyond(part, outline - (a, b))


def attach_pictures(
    reading: Reading, picture: Picture, keep: Keep, framing: Framing
) -> Reading:
    """Return *reading* with the name of a picture beside each glimpse and choice."""
    names: dict[BoxPx, str | None] = {}

    def name(box: BoxPx | None) -> str | None:
        if box is None or (box not in names and len(names) == MOST_PICTURES):
            return None
        if box not in names:
            part = crop_around(picture, box, framing.outline)
            names[box] = (
                None if part is None else keep(encode_jpeg(part, LONGEST_CROP_PX))
            )
        return names[box]

    return replace(
        reading,
        glimpses=tuple(
            replace(glimpse, evidence_id=name(_box(glimpse, framing)))
            for glimpse in reading.glimpses
        ),
        choices=tuple(
            replace(choice, evidence_id=name(choice.box_px))
            for choice in reading.choices
        ),
    )


def _box(glimpse: Glimpse, framing: Framing) -> BoxPx | None:
    """Return where a glimpse is; of what has gone, where it lay."""
    if glimpse.box_px is not None:
        return glimpse.box_px
    piece = getattr(glimpse.sight, "piece", None)
    place = getattr(glimpse.sight, "place", None)
    if piece is None or place is None:
        return None
    return framing.box_of(piece, place)
