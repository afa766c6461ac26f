"""Where markers and patches lie on the mats and tiles that an owner prints, in mm.

Constants and plain geometry only: the printable sheets, the drawn table and the eye all
take their places from here. Nothing in this module looks at a picture.

Points are (x, y) in mm on the table, seen from above: x to the right, y down the sheet,
z up from it. (Such axes are left-handed; `vision.mat.pose` turns z over for OpenCV.)
"""

from enum import StrEnum
from math import cos, radians, sin
from types import MappingProxyType
from typing import TypeAlias

from msgspec import Struct

PointMm: TypeAlias = tuple[float, float]

SquareMm: TypeAlias = tuple[PointMm, PointMm, PointMm, PointMm]
"""Corners as printed: top left, top right, bottom right, bottom left. The order in
which cv2.aruco names the corners of a marker."""

RectMm: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom."""

MARKER_MM = 40.0
"""Side of a marker's black square: 9 pixels a cell at 1.8 px/mm, where 3 are enough."""

CELLS = 8
"""Cells along a marker of AprilTag 36h11, its black rim counted.

Source: Olson, AprilTag (2011), and the family's table: 6 x 6 bits within a rim of 1.
"""

QUIET_MM = MARKER_MM / CELLS
"""White that a marker needs around it: one cell."""

PATCH_MM = 12.0
"""Side of a patch. Its inner half is looked at: 10 x 10 pixels at 1.8 px/mm."""

PRINTER_MM = 10.0
"""Kept free at the edges of a page: house printers reach to 3 to 6 mm from it."""

TILE_MM = (84.0, 52.0)
"""Width and height of a loose tile, cut out: four fit on A5, eight on A4."""

TILE_NUMBERS = tuple(range(20, 28))
"""Numbers of the loose tiles; those of the mats are below, so that a picture of any
four markers says what was printed."""


class Shade(StrEnum):
    """What a patch is printed in."""

    WHITE = "white"
    GREY = "grey"
    DARK = "dark"
    RED = "red"
    GREEN = "green"
    BLUE = "blue"


INK: MappingProxyType[Shade, tuple[int, int, int]] = MappingProxyType(
    {
        Shade.WHITE: (255, 255, 255),
        Shade.GREY: (150, 150, 150),
        Shade.DARK: (80, 80, 80),
        Shade.RED: (200, 40, 40),
        Shade.GREEN: (40, 150, 60),
        Shade.BLUE: (40, 70, 190),
    }
)
"""What the printer is sent, sRGB in the order R, G, B, 0 to 255. White is bare paper.
How dark a grey comes out is the printer's affair; that it is grey is not."""

GREYS = (Shade.WHITE, Shade.GREY, Shade.DARK)

_BLOCK = (GREYS, (Shade.RED, Shade.GREEN, Shade.BLUE))
"""Patches beside a marker, row by row."""


class Marker(Struct, frozen=True, gc=False):
    """One printed marker.

    Attributes:
        number: Which of the 587 markers of AprilTag 36h11.
        corners: Corners of the black square on the table.
    """

    number: int
    corners: SquareMm


class Patch(Struct, frozen=True, gc=False):
    """One square of known ink; *beside* is the number of the marker it belongs to.

    Six patches belong to one marker and are seen or covered together.
    """

    shade: Shade
    corners: SquareMm
    beside: int


class Layout(Struct, frozen=True, gc=False):
    """All that is printed, where it lies on the table.

    Attributes:
        name: ``"A4"``, ``"A3"`` or ``"tiles"``.
        size_mm: Width and height of what the markers lie on; (0, 0) is its top left.
        field_mm: Where dice, cards and boards go; free of print.
        markers: By number.
        patches: White and grey for the light, colours for the order of channels.
    """

    name: str
    size_mm: tuple[float, float]
    field_mm: RectMm
    markers: tuple[Marker, ...]
    patches: tuple[Patch, ...]

    def marker(self, number: int) -> Marker | None:
        """Return the marker with this number, None where there is none."""
        return next((one for one in self.markers if one.number == number), None)


class LooseTile(Struct, frozen=True, gc=False):
    """One loose tile on the table.

    Attributes:
        number: Of its marker.
        at_mm: Top left corner of its marker.
        turn_deg: Turned clockwise, seen from above, from upright.
    """

    number: int
    at_mm: PointMm
    turn_deg: float


def square_at(left: float, top: float, side: float) -> SquareMm:
    """Return the corners of an upright square."""
    right, bottom = left + side, top + side
    return (left, top), (right, top), (right, bottom), (left, bottom)


def _block(left: float, top: float, beside: int) -> tuple[Patch, ...]:
    """Return the six patches of a block of 40 x 25 mm."""
    across = (MARKER_MM - 3 * PATCH_MM) / 2 + PATCH_MM
    return tuple(
        Patch(
            shade, square_at(left + column * across, top + row * 13.0, PATCH_MM), beside
        )
        for row, shades in enumerate(_BLOCK)
        for column, shade in enumerate(shades)
    )


def _mat(
    name: str, size_mm: tuple[float, float], columns: int, first: int, strip_mm: float
) -> Layout:
    """Return a sheet with markers down its left and right edge, patches between.

    *columns* markers stand at each edge; *strip_mm* at the foot of the field stays
    free for the ruler and the words.
    """
    width, height = size_mm
    step = (height - 2 * PRINTER_MM - MARKER_MM) / (columns - 1)
    lefts = (PRINTER_MM, width - PRINTER_MM - MARKER_MM)
    places = [
        (left, PRINTER_MM + row * step) for left in lefts for row in range(columns)
    ]
    markers = tuple(
        Marker(first + i, square_at(left, top, MARKER_MM))
        for i, (left, top) in enumerate(places)
    )
    gap = (step - MARKER_MM - 25.0) / 2
    patches = tuple(
        patch
        for i, (left, top) in enumerate(places)
        if top + step < height - PRINTER_MM
        for patch in _block(left, top + MARKER_MM + gap, first + i)
    )
    inner = PRINTER_MM + MARKER_MM + 2 * QUIET_MM
    field = (inner, PRINTER_MM, width - inner, height - PRINTER_MM - strip_mm)
    return Layout(name, size_mm, field, markers, patches)


MAT_A4 = _mat("A4", (297.0, 210.0), columns=3, first=0, strip_mm=22.0)
"""Six markers around a field of 177 x 168 mm: a tray for dice, or a few cards."""

MAT_A3 = _mat("A3", (420.0, 297.0), columns=4, first=10, strip_mm=22.0)
"""Eight markers around a field of 300 x 255 mm."""

MATS = (MAT_A4, MAT_A3)


def place_tile(tile: LooseTile) -> tuple[Marker, tuple[Patch, ...]]:
    """Return marker and patches of a loose tile, in mm on the table, where it lies."""

    def there(corners: SquareMm) -> SquareMm:
        first, second, third, fourth = (_to_table(point, tile) for point in corners)
        return first, second, third, fourth

    right = MARKER_MM + QUIET_MM + 1.0
    patches = tuple(
        Patch(
            shade,
            there(square_at(right + 14.0 * column, 14.0 * row, PATCH_MM)),
            tile.number,
        )
        for column, shades in enumerate(_BLOCK)
        for row, shade in enumerate(shades)
    )
    return Marker(tile.number, there(square_at(0.0, 0.0, MARKER_MM))), patches


def tile_outline(tile: LooseTile) -> SquareMm:
    """Return the corners of a loose tile as it is cut out."""
    wide, high = TILE_MM
    edge = (high - MARKER_MM) / 2
    corners = ((-edge, -edge), (wide - edge, -edge), (wide - edge, high - edge))
    first, second, third = (_to_table(point, tile) for point in corners)
    return first, second, third, _to_table((-edge, high - edge), tile)


def _to_table(point: PointMm, tile: LooseTile) -> PointMm:
    """Return a point of a tile on the table; y grows down, so clockwise is positive."""
    c, s = cos(radians(tile.turn_deg)), sin(radians(tile.turn_deg))
    x, y = point
    return tile.at_mm[0] + c * x - s * y, tile.at_mm[1] + s * x + c * y


def layout_of_tiles(tiles: tuple[LooseTile, ...]) -> Layout:
    """Return the layout of loose tiles; its field is the box between their markers.

    The box is that of the markers' middles, so a tile may stick into it by half.
    """
    assert tiles, "a layout needs a tile"
    pieces = [place_tile(tile) for tile in sorted(tiles, key=lambda one: one.number)]
    middles = [middle_of_square(marker.corners) for marker, _ in pieces]
    outline = [point for tile in tiles for point in tile_outline(tile)]
    xs, ys = [x for x, _ in middles], [y for _, y in middles]
    size = (max(x for x, _ in outline), max(y for _, y in outline))
    return Layout(
        "tiles", size, (min(xs), min(ys), max(xs), max(ys)),
        tuple(marker for marker, _ in pieces),
        tuple(patch for _, patches in pieces for patch in patches),
    )  # fmt: skip


def middle_of_square(corners: SquareMm) -> PointMm:
    """Return the middle of a square."""
    return sum(x for x, _ in corners) / 4, sum(y for _, y in corners) / 4


def scale_layout(layout: Layout, ruler_mm: float) -> Layout:
    """Return a layout as it came out of a printer whose 100 mm are *ruler_mm* long.

    Printers that fit to the page make everything 3 to 6 % smaller; measuring the ruler
    puts all lengths right without printing again.

    Raises:
        ValueError: The ruler is not between 80 and 120 mm.
    """
    if not 80.0 <= ruler_mm <= 120.0:
        raise ValueError(
            f"the 100 mm ruler measures {ruler_mm:g} mm; print again at 100 %"
        )
    by = ruler_mm / 100.0

    def grown(corners: SquareMm) -> SquareMm:
        first, second, third, fourth = ((x * by, y * by) for x, y in corners)
        return first, second, third, fourth

    left, top, right, bottom = (edge * by for edge in layout.field_mm)
    return Layout(
        layout.name, (layout.size_mm[0] * by, layout.size_mm[1] * by),
        (left, top, right, bottom),
        tuple(Marker(one.number, grown(one.corners)) for one in layout.markers),
        tuple(
            Patch(one.shade, grown(one.corners), one.beside) for one in layout.patches
        ),
    )  # fmt: skip
