"""Reads ordinary dice where dice fall, in all the pixels that the camera has there.

What reads pips shrinks a picture to 1400 pixels. A camera that sees a whole board and
more has 2304 across 1132 mm: a die of 16 mm is 33 of them, and 20 are too few.
"""

from typing import TypeAlias

from msgspec.structs import replace

from companion.table import BoxPx, Reading
from vision.camera.port import Frame
from vision.reader import Awaited, Reader

Tray: TypeAlias = tuple[float, float, float, float]
"""Left, top, right and bottom of where dice fall, as parts of the picture."""

AROUND = 0.04
"""Part of the picture's width that is looked at beyond each side of the tray: a knock
slides the view by 3 % in the tests, and what lies beyond is no throw anyway."""


def read_plain_dice(reader: Reader, frame: Frame, tray: Tray | None) -> Reading:
    """Return what ordinary dice show; boxes are in pixels of the frame's picture.

    Args:
        reader: Reads pips.
        frame: The whole table.
        tray: Where dice fall; None where they may fall anywhere.
    """
    if frame.picture is None or tray is None:
        return reader.read_frame(frame, Awaited())
    high, wide = frame.picture.shape[:2]
    around = AROUND * wide
    left, top = (max(0, round(a - around)) for a in (tray[0] * wide, tray[1] * high))
    right, bottom = round(tray[2] * wide + around), round(tray[3] * high + around)
    cut = frame.picture[top:bottom, left:right]
    if not cut.size:
        return reader.read_frame(frame, Awaited())
    below = None if frame.below is None else frame.below.within(left, top)
    seen = reader.read_frame(replace(frame, picture=cut, below=below), Awaited())

    def shifted(box: BoxPx | None) -> BoxPx | None:
        if box is None:
            return None
        return box[0] + left, box[1] + top, box[2] + left, box[3] + top

    return replace(
        seen,
        glimpses=tuple(replace(g, box_px=shifted(g.box_px)) for g in seen.glimpses),
        choices=tuple(replace(c, box_px=shifted(c.box_px)) for c in seen.choices),
    )
