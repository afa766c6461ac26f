"""Reads the small display's picture file, dot by dot, as a person reads its letters."""

from functools import cache
from pathlib import Path

import cv2
import numpy as np

from firmware.display import HEIGHT_PX, WIDTH_PX
from firmware.glyphs import LINE_PX, STEP_PX, write_text

COLUMNS = WIDTH_PX // STEP_PX
BAR_PX = 9


@cache
def letters() -> dict[bytes, str]:
    """Return every sign of the display by its dots."""
    known = {}
    for code in range(ord(" "), ord("~") + 1):
        dots = np.zeros((7, 5), np.bool_)
        write_text(dots, chr(code), 0, 0)
        known[dots.tobytes()] = chr(code)
    return known


def read(path: Path) -> tuple[str, str]:
    """Return the title and the text of the display's picture file."""
    picture = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
    enlarged = picture.shape[0] // HEIGHT_PX
    dots = picture[::enlarged, ::enlarged] > 127
    title = _line(~dots[:BAR_PX], 1, 1)
    assert title is not None
    for top in (BAR_PX + 1, BAR_PX):
        rows = range(top, HEIGHT_PX - 6, LINE_PX)
        lines = [_line(dots, row, 0) for row in rows]
        if None not in lines:
            return title.strip(), " ".join(" ".join(lines).split())
    raise AssertionError(f"{path} shows no letters")


def _line(dots: np.ndarray, row: int, column: int) -> str | None:
    signs = []
    for number in range(COLUMNS):
        left = column + number * STEP_PX
        cell = dots[row : row + 7, left : left + 5]
        if cell.shape == (7, 5):
            signs.append(letters().get(np.ascontiguousarray(cell).tobytes()))
    return None if None in signs else "".join(signs)
