"""Say from one picture how well the camera stands, as ``dragon-table calibrate`` does.

Finds out by itself which mat lies there, or how loose tiles lie; keeps nothing.
"""

from msgspec import Struct

from companion.table import LinePart
from vision.arrays import Picture
from vision.mat.check import Checkup, check_solved, find_layout
from vision.mat.lens import nominal_lens
from vision.mat.light import Lighting
from vision.mat.limits import CheckLimits
from vision.mat.markers import DetectedMarker, find_markers
from vision.mat.mat import TILE_NUMBERS, LooseTile, layout_of_tiles, scale_layout
from vision.mat.pose import Rig, camera_mm, solve_rig, tilt_deg
from vision.mat.tiles import solve_tiles

PIPS_PX_PER_MM = 1.4
"""From here pips are read. Drawn dice still are at 0.9, 40 of 40, but the coarsest
photographs that were tried had 1.4."""

CARDS_PX_PER_MM = 1.8
"""From here symbols and cards are read: a card of 88 mm has 158 px."""

DIGITS_PX_PER_MM = 3.2
"""From here the digits of ten-sided dice, 5 to 6 mm high, are read: 16 px and more."""

_ANY_TILES = layout_of_tiles(
    tuple(LooseTile(number, (0.0, 0.0), 0.0) for number in TILE_NUMBERS)
)


class LensFound(Struct, frozen=True, gc=False):
    """A lens as the markers showed it; *k1* below 0 bends outward."""

    name: str
    focal_px: float
    k1: float


class Stand(Struct, frozen=True, gc=False):
    """How a camera stands that sees enough markers.

    Attributes:
        used: Numbers of the markers that the rig rests on.
        px_per_mm: Least resolution over the field.
        height_mm: Of the camera above the table.
        tilt_deg: Off straight down.
        residual_px: What the rig leaves unexplained at the markers' corners, rms.
        blur_mm: One standard deviation, on the table.
        glare_mm2: Largest reflection in the field.
        lighting: By the patches.
        lens: As far as the markers show it.
    """

    used: tuple[int, ...]
    px_per_mm: float
    height_mm: float
    tilt_deg: float
    residual_px: float
    blur_mm: float
    glare_mm2: float
    lighting: Lighting
    lens: LensFound


class Calibration(Struct, frozen=True, gc=False):
    """The calibration of a picture; its JSON is what ``calibrate --json`` prints.

    Attributes:
        size: Height and width of the picture that was looked at, px.
        layout: ``"A4"``, ``"A3"`` or ``"tiles"``; None when no marker is in view.
        markers: Numbers of the markers in view, of any sheet.
        missing: Those of the mat that are not in view; of loose tiles none is needed.
        stand: None with fewer than four good markers.
        troubles: Why nothing would be read, by the ids of their lines.
    """

    size: tuple[int, int]
    layout: str | None
    markers: tuple[int, ...]
    missing: tuple[int, ...]
    stand: Stand | None
    troubles: tuple[LinePart, ...]


def calibrate(
    picture: Picture, camera: str, ruler_mm: float, limits: CheckLimits
) -> Checkup:
    """Return the checkup of a picture, with the lens learned from it.

    Args:
        picture: ``(H, W, 3)``, uint8, BGR.
        camera: A key of `vision.mat.lens.CAMERAS`.
        ruler_mm: How long the printed ruler of 100 mm came out.
        limits: Limits.

    Raises:
        ValueError: The ruler is not between 80 and 120 mm.
        KeyError: There is no such camera.
    """
    lens = nominal_lens(camera, picture.shape[:2])
    seen = find_markers(picture)
    mat = find_layout(seen)
    if mat is not None:
        mat = scale_layout(mat, ruler_mm)
        return check_solved(
            picture, seen, solve_rig(seen, mat, lens, True), mat, limits
        )
    rig = solve_tiles(seen, lens)
    if rig is None:
        return check_solved(picture, seen, None, _ANY_TILES, limits)
    layout = scale_layout(rig.layout, ruler_mm)
    # Its own tiles only: one that leans was left out.
    rig = solve_rig(_of(rig, seen), layout, rig.lens)
    return check_solved(picture, seen, rig, layout, limits)


def _of(rig: Rig, seen: tuple[DetectedMarker, ...]) -> tuple[DetectedMarker, ...]:
    return tuple(one for one in seen if one.number in rig.used)


def summarise(found: Checkup, picture: Picture) -> Calibration:
    """Return a checkup for people: its figures, rounded to what they are good for."""
    mat = find_layout(found.seen)
    numbers = tuple(one.number for one in found.seen)
    tiles = "tiles" if set(numbers) & set(TILE_NUMBERS) else None
    return Calibration(
        (picture.shape[0], picture.shape[1]), mat.name if mat else tiles, numbers,
        found.missing if mat else (), _stand(found), found.troubles,
    )  # fmt: skip


def _stand(found: Checkup) -> Stand | None:
    rig, light = found.rig, found.lighting
    if rig is None:
        return None
    assert found.px_per_mm is not None, "a rig has a resolution"
    assert found.blur_mm is not None, "a rig has markers with edges"
    assert light is not None, "a rig has markers with white rims"
    lens = rig.lens
    return Stand(
        rig.used, round(found.px_per_mm, 2), round(camera_mm(rig)[2], 1),
        round(tilt_deg(rig), 1), round(rig.residual_px, 3), round(found.blur_mm, 2),
        round(found.glare_mm2), light,
        LensFound(lens.name, round(lens.focal_px, 1), round(lens.bend[0], 4)),
    )  # fmt: skip
