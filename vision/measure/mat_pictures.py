"""A mat as a camera would see it: for tests, measurements and the printed sheets.

Draws the layout on a table and photographs it through a lens that bends and blurs, in
light that is dim, coloured, uneven or glaring. All chance comes from a seed.
"""

from functools import lru_cache
from math import cos, radians, sin

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.arrays import Floats, Picture
from vision.mat.lens import Lens, Points
from vision.mat.mat import CELLS, INK, Layout, Marker, PointMm, SquareMm
from vision.mat.pose import Pose, Rig, pose_from_numbers, unproject

WOOD = (84, 116, 150)
"""A table of light wood, BGR."""


class Print(Struct, frozen=True):
    """A flat picture of known size.

    Attributes:
        picture: ``(H, W, 3)``, uint8, BGR, sRGB.
        px_per_mm: Its resolution.
        corner_mm: Where its top left corner lies on the table.
    """

    picture: Picture
    px_per_mm: float
    corner_mm: PointMm


class MatLight(Struct, frozen=True):
    """How a table is lit and exposed.

    Attributes:
        white: What bare paper comes out as, 0 to 255, in the middle.
        cast: Gains of B, G, R in linear light: (0.6, 0.9, 1) is a warm lamp.
        slope: Light at the right edge over that at the left.
        glare_mm: Middle of a reflection of the lamp on the table, if there is one.
        glare_size_mm: Its radius.
    """

    white: float = 215.0
    cast: tuple[float, float, float] = (1.0, 1.0, 1.0)
    slope: float = 1.0
    glare_mm: PointMm | None = None
    glare_size_mm: float = 15.0


class Film(Struct, frozen=True):
    """What lens and sensor do to a picture besides its place.

    Attributes:
        blur_px: Standard deviation of the blur.
        noise: Standard deviation of the noise, of 255, at mid grey.
        jpeg: Quality of the JPEG that it is sent as; None for none.
    """

    blur_px: float = 0.6
    noise: float = 1.5
    jpeg: int | None = 92


def pose_looking_at(
    above_mm: PointMm,
    distance_mm: float,
    tilt: float = 0.0,
    towards: float = 90.0,
    roll: float = 0.0,
) -> Pose:
    """Return the pose of a camera that looks at a point of the table.

    Args:
        above_mm: What it looks at.
        distance_mm: How far it is from there.
        tilt: Off straight down, degrees.
        towards: Where it looks when tilted: 0 is along x, 90 along y, degrees.
        roll: Turned about its own axis, degrees; at 0 its rows run along x.
    """
    t, a, r = radians(tilt), radians(towards), radians(roll)
    ahead = np.array([sin(t) * cos(a), sin(t) * sin(a), cos(t)])
    across = np.cross([0.0, 1.0, 0.0], ahead)
    across /= np.linalg.norm(across)
    down = np.cross(ahead, across)
    turn = np.array(
        [cos(r) * across + sin(r) * down, cos(r) * down - sin(r) * across, ahead]
    )
    eye = np.array([*above_mm, 0.0]) - distance_mm * ahead
    return pose_from_numbers(
        np.concatenate([cv2.Rodrigues(turn)[0].ravel(), -turn @ eye])
    )


def draw_print(
    layout: Layout, px_per_mm: float = 5.0, margin_mm: float = 60.0,
    table: tuple[int, int, int] = WOOD, paper: tuple[SquareMm, ...] | None = None,
) -> Print:  # fmt: skip
    """Return a layout lying on a table, seen from straight above.

    *paper* are the outlines of what is white; by default one sheet of the layout's
    size.
    """
    wide, high = layout.size_mm
    size = (round((high + 2 * margin_mm) * px_per_mm),
            round((wide + 2 * margin_mm) * px_per_mm))  # fmt: skip
    ground = np.full((*size, 3), table, np.uint8)
    sheet = Print(ground, px_per_mm, (-margin_mm, -margin_mm))
    if paper is None:
        paper = (((0.0, 0.0), (wide, 0.0), (wide, high), (0.0, high)),)
    for outline in paper:
        fill_square(sheet, outline, (255, 255, 255))
    for patch in layout.patches:
        red, green, blue = INK[patch.shade]
        fill_square(sheet, patch.corners, (blue, green, red))
    for marker in layout.markers:
        _stamp(sheet, marker)
    return sheet


def to_print(sheet: Print, corners: SquareMm) -> Points:
    """Return pixels ``(4, 2)`` of a print for places on the table."""
    return (np.array(corners) - sheet.corner_mm) * sheet.px_per_mm - 0.5


def fill_square(sheet: Print, corners: SquareMm, colour: tuple[int, int, int]) -> None:
    """Fill a quadrilateral of a print with a colour, BGR."""
    sixteenths = np.round(to_print(sheet, corners) * 16).astype(np.int32)
    cv2.fillConvexPoly(sheet.picture, sixteenths, colour, cv2.LINE_AA, 4)


def _stamp(sheet: Print, marker: Marker) -> None:
    """Draw a marker with half a cell of its white rim.

    OpenCV 4 leaves out pixels at the rim of what it warps, 5 does not: of white on
    white nobody sees it.
    """
    cell = 24
    side, rim = cell * CELLS, cell // 2
    book = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    drawn = cv2.copyMakeBorder(
        cv2.aruco.generateImageMarker(book, marker.number, side),
        rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=255,
    )  # fmt: skip
    edge = np.array([[0, 0], [side, 0], [side, side], [0, side]]) + rim - 0.5
    to = cv2.getPerspectiveTransform(
        edge.astype(np.float32), to_print(sheet, marker.corners).astype(np.float32)
    )
    height, width = sheet.picture.shape[:2]
    ink = cv2.warpPerspective(
        cv2.cvtColor(drawn, cv2.COLOR_GRAY2BGR), to, (width, height),
        dst=sheet.picture.copy(), flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_TRANSPARENT,
    )  # fmt: skip
    sheet.picture[:] = ink


def photograph(
    sheet: Print, rig: Rig, light: MatLight, film: Film, seed: int = 0
) -> Picture:
    """Return the picture ``(H, W, 3)``, uint8, BGR, that a camera takes of a print."""
    rng = np.random.default_rng(seed)
    lit = _LIGHT[sheet.picture] * _lamp(sheet, light) + _glare(sheet, light)
    seen = _project(lit, sheet, rig)
    if film.blur_px > 0:
        seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), film.blur_px), np.float32)
    coded = _to_srgb(seen)
    if film.noise > 0:
        # Photons make bright parts noisier, the amplifier dark ones: about even here.
        coded = coded + rng.normal(0, film.noise, coded.shape)
    picture = np.clip(np.round(coded), 0, 255).astype(np.uint8)
    if film.jpeg is None:
        return picture
    _, file = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, film.jpeg])
    return np.asarray(cv2.imdecode(file, cv2.IMREAD_COLOR), np.uint8)


def _project(lit: Floats, sheet: Print, rig: Rig) -> Floats:
    """Return what falls on each pixel, taken at four points of it and averaged."""
    height, width = rig.lens.size
    maps = _places(rig.lens, rig.pose, rig.layout)
    maps = ((maps - sheet.corner_mm) * sheet.px_per_mm - 0.5).astype(np.float32)
    fine = cv2.remap(
        lit, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    return np.asarray(
        cv2.resize(fine, (width, height), interpolation=cv2.INTER_AREA), np.float32
    )


@lru_cache(maxsize=2)
def _places(lens: Lens, pose: Pose, layout: Layout) -> Points:
    """Return the place ``(2 H, 2 W, 2)`` in mm of each quarter of a pixel."""
    height, width = lens.size
    y, x = np.mgrid[0:height, 0:width]
    pixels = np.stack([x.ravel(), y.ravel()], 1).astype(float)
    places = unproject(Rig(lens, pose, layout, (), 0.0), pixels)
    # Past the horizon: far outside every print.
    middles = np.nan_to_num(places, nan=-1e5).reshape(height, width, 2)
    # Twice as large, OpenCV interpolates at a quarter of a pixel to each side.
    return np.asarray(cv2.resize(middles, (2 * width, 2 * height)), float)


def _lamp(sheet: Print, light: MatLight) -> Floats:
    """Return the light ``(H, W, 3)`` on a print; 1 makes white paper 255."""
    height, width = sheet.picture.shape[:2]
    across = np.linspace(0, 1, width)[None, :, None]
    fall = 1 + (light.slope - 1) * (across - 0.5) * 2 / (1 + light.slope)
    lamp = _to_linear(np.array(light.white)) * np.array(light.cast) * fall
    return np.broadcast_to(lamp, (height, width, 3)).astype(np.float32)


def _glare(sheet: Print, light: MatLight) -> Floats:
    """Return the lamp's reflection ``(H, W, 1)`` on a print, soft at its rim."""
    height, width = sheet.picture.shape[:2]
    glare = np.zeros((height, width), np.float32)
    if light.glare_mm is not None:
        at = to_print(sheet, (light.glare_mm,) * 4)[0]
        radius = light.glare_size_mm * sheet.px_per_mm
        cv2.circle(glare, (round(at[0]), round(at[1])), round(radius), 2.0, -1)
        glare = np.asarray(cv2.GaussianBlur(glare, (0, 0), radius / 6), np.float32)
    return glare[..., None]


def _to_linear(coded: NDArray[np.generic]) -> Floats:
    """Return light, 0 to 1, for sRGB values of 0 to 255.

    Source: IEC 61966-2-1, by its plain power of 2.2.
    """
    return np.asarray((np.asarray(coded, np.float32) / 255) ** 2.2, np.float32)


def _to_srgb(linear: Floats) -> Floats:
    return np.asarray(255 * np.clip(linear, 0, 1) ** np.float32(1 / 2.2), np.float32)


_LIGHT = _to_linear(np.arange(256))
"""Light for each sRGB value."""
