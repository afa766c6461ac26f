"""Draw the printable mats and tiles from `vision.mat.mat`, as PDF to scale.

Run ``python hardware/draw_sheets.py`` after a change of the markers' places or of the
words; with ``--check`` it only says whether the sheets in the repository are true.
"""

import sys
from datetime import UTC, datetime
from pathlib import Path

import cv2
from fpdf import FPDF
from pypdfium2 import PdfDocument, PdfiumError

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from companion.words import LANGUAGES, Words
from hardware.drawn_files import write_or_check
from vision.arrays import Picture
from vision.mat.mat import (
    CELLS,
    INK,
    MARKER_MM,
    MATS,
    PATCH_MM,
    TILE_MM,
    TILE_NUMBERS,
    Layout,
    LooseTile,
    Patch,
    PointMm,
    Shade,
    place_tile,
    tile_outline,
)

FOLDER = HERE / "sheets"

RULER_MM = 100.0

PX_PER_MM = 4.0
"""Of pages that are compared: a line of 0.15 mm is more than half a pixel."""

LINE_MM = 2.7
"""From line to line of 6.5 point text."""

HAIR_MM = 0.15
LIGHT = 190
"""Grey of outlines: seen by people, hardly by the camera."""

A4, A5 = (210.0, 297.0), (210.0, 148.0)
EDGE_MM = (TILE_MM[1] - MARKER_MM) / 2
"""From the cut of a tile to its marker."""


class Sheet:
    """One PDF under way; what it draws lies at millimetres from the top left."""

    def __init__(self, title: str, page_mm: tuple[float, float]) -> None:
        """Begin an empty file."""
        self.pdf = FPDF(unit="mm", format=page_mm)
        self.pdf.set_auto_page_break(False)
        self.pdf.set_title(title)
        self.pdf.set_creator("hardware/draw_sheets.py")
        # The same sheet is the same file: a date would change it at every run.
        self.pdf.set_creation_date(datetime(2024, 1, 1, tzinfo=UTC))

    def begin_page(self) -> None:
        """Begin a page."""
        self.pdf.add_page()
        self.pdf.set_font("Helvetica", size=6.5)
        self.pdf.set_text_color(60)

    def marker(self, number: int, left_top: PointMm) -> None:
        """Draw a marker, as one shape: cell by cell, viewers draw hairs between."""
        cell = MARKER_MM / CELLS
        left, top = left_top
        with self.pdf.new_path() as path:
            path.style.fill_color = "#000000"
            path.style.stroke_color = None
            path.style.intersection_rule = "evenodd"
            for loop in outlines(number):
                (column, row), *others = loop
                path.move_to(left + column * cell, top + row * cell)
                for column, row in others:
                    path.line_to(left + column * cell, top + row * cell)
                path.close()

    def patches(self, patches: tuple[Patch, ...]) -> None:
        """Draw patches; bare paper gets an outline, to be known for one."""
        for patch in patches:
            x, y = patch.corners[0]
            if patch.shade is Shade.WHITE:
                self._line()
                self.pdf.rect(x, y, PATCH_MM, PATCH_MM, style="D")
            else:
                self._fill(INK[patch.shade])
                self.pdf.rect(x, y, PATCH_MM, PATCH_MM, style="F")

    def outline(self, left: float, top: float, right: float, bottom: float) -> None:
        """Draw where to cut, or where things go."""
        self._line()
        self.pdf.set_dash_pattern(dash=2, gap=1.5)
        self.pdf.rect(left, top, right - left, bottom - top, style="D")
        self.pdf.set_dash_pattern()

    def words(self, line: str, left: float, top: float) -> None:
        """Write a line of words in every language, one below the other."""
        for row, language in enumerate(LANGUAGES):
            text = Words(language, strict=True).say(line)
            self.pdf.text(left, top + (row + 1) * LINE_MM, _in_latin_1(text))

    def ruler(self, left: float, top: float) -> None:
        """Draw a ruler of 100 mm, a mark every 10, and how to use it."""
        self.pdf.set_draw_color(0)
        self.pdf.set_line_width(HAIR_MM)
        self.pdf.line(left, top + 2.5, left + RULER_MM, top + 2.5)
        for mark in range(11):
            x = left + 10.0 * mark
            high = 2.5 if mark % 5 == 0 else 1.5
            self.pdf.line(x, top + 2.5 - high, x, top + 2.5)
        self.words("rig.sheet.scale", left, top + 2.8)

    def note(self, text: str, left: float, top: float) -> None:
        """Write a few letters that need no language."""
        self.pdf.text(left, top, text)

    def file(self) -> bytes:
        """Return the finished PDF."""
        return bytes(self.pdf.output())

    def _fill(self, colour: tuple[int, int, int]) -> None:
        self.pdf.set_fill_color(*colour)

    def _line(self) -> None:
        self.pdf.set_draw_color(LIGHT)
        self.pdf.set_line_width(HAIR_MM)


def outlines(number: int) -> list[list[tuple[int, int]]]:
    """Return the loops around the black cells of a marker, in cells."""
    book = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    white = cv2.aruco.generateImageMarker(book, number, CELLS) > 0
    steps: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for row, column in ((r, c) for r in range(CELLS) for c in range(CELLS)):
        if white[row, column]:
            continue
        square = [(column, row), (column + 1, row), (column + 1, row + 1),
                  (column, row + 1)]  # fmt: skip
        for here, there in zip(square, (*square[1:], square[0]), strict=True):
            # A side that two black cells share is walked both ways, and falls away.
            if here in steps.get(there, ()):
                steps[there].remove(here)
            else:
                steps.setdefault(here, []).append(there)
    loops = []
    while start := next((point for point, ahead in steps.items() if ahead), None):
        loop, here = [start], steps[start].pop()
        while here != start:
            loop.append(here)
            here = steps[here].pop()
        loops.append(loop)
    return loops


def _in_latin_1(text: str) -> str:
    """Return text in the letters that every PDF viewer has a font for."""
    return text.replace("’", "'").replace("\u202f", "\u00a0")


def draw_mat(mat: Layout) -> bytes:
    """Return the PDF of a mat."""
    sheet = Sheet(f"Dragon Table, {mat.name}", mat.size_mm)
    sheet.begin_page()
    for marker in mat.markers:
        sheet.marker(marker.number, marker.corners[0])
    sheet.patches(mat.patches)
    left, _, _, bottom = mat.field_mm
    sheet.outline(*mat.field_mm)
    sheet.words("rig.sheet.field", left, bottom + 0.6)
    sheet.ruler(left, bottom + 10.6)
    return sheet.file()


def tiles_on(page_mm: tuple[float, float]) -> list[tuple[LooseTile, ...]]:
    """Return where the loose tiles lie on each page, two abreast."""
    left = (page_mm[0] - 2 * TILE_MM[0]) / 2
    top = 12.0
    rows = int((page_mm[1] - top - 25.0) // TILE_MM[1])
    spots = [
        (left + EDGE_MM + column * TILE_MM[0], top + EDGE_MM + row * TILE_MM[1])
        for row in range(rows)
        for column in range(2)
    ]
    tiles = [
        LooseTile(number, spots[i % len(spots)], 0.0)
        for i, number in enumerate(TILE_NUMBERS)
    ]
    return [
        tuple(tiles[i : i + len(spots)]) for i in range(0, len(tiles), len(spots))
    ]  # fmt: skip


def draw_tiles(name: str, page_mm: tuple[float, float]) -> bytes:
    """Return the PDF of the loose tiles."""
    sheet = Sheet(f"Dragon Table, {name}", page_mm)
    for tiles in tiles_on(page_mm):
        sheet.begin_page()
        for tile in tiles:
            marker, patches = place_tile(tile)
            (left, top), _, (right, bottom), _ = tile_outline(tile)
            sheet.outline(left, top, right, bottom)
            sheet.marker(marker.number, marker.corners[0])
            sheet.patches(patches)
            sheet.note(str(tile.number), right - EDGE_MM - 3.0, bottom - 2.0)
        left, foot = tile_outline(tiles[0])[0][0], tile_outline(tiles[-1])[2][1]
        sheet.words("rig.sheet.tiles", left, foot + 1.0)
        sheet.ruler(left, foot + 11.0)
    return sheet.file()


def sheets() -> dict[str, bytes]:
    """Return all sheets by the name of their file."""
    drawn = {f"mat-{mat.name.lower()}.pdf": draw_mat(mat) for mat in MATS}
    for name, page_mm in (("tiles-a4", A4), ("tiles-a5", A5)):
        drawn[f"{name}.pdf"] = draw_tiles(name, page_mm)
    return drawn


def is_same(one: bytes, other: bytes) -> bool:
    """Tell whether two PDFs show the same pages, pixel for pixel.

    Their bytes may differ: releases of the PDF writer and of zlib pack them otherwise.
    """
    return [page.tobytes() for page in pages(one)] == [
        page.tobytes() for page in pages(other)
    ]


def pages(content: bytes) -> list[Picture]:
    """Return the pages of a PDF as pictures, ``(h, w, 3)``, uint8, BGR, 4 px a mm.

    A file that is no PDF has none.
    """
    try:
        document = PdfDocument(content)
    except PdfiumError:
        return []
    # A hair less: a page of 1188.0004 pixels would be stretched to 1189.
    scale = PX_PER_MM * 25.4 / 72 * (1 - 1e-5)
    drawn = [
        document[i].render(scale=scale, rev_byteorder=False).to_numpy()[..., :3].copy()
        for i in range(len(document))
    ]
    document.close()
    return drawn


def main() -> int:
    """Write the sheets, or with ``--check`` only compare; return the exit code."""
    made = {FOLDER / name: content for name, content in sheets().items()}
    return write_or_check(made, __file__, is_same)


if __name__ == "__main__":
    sys.exit(main())
