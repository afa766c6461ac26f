"""Say whether the table can be read in a picture, and if not, why.

An unclear table is a value: a trouble is a line of words with its numbers, of which the
first is the one to mend first.
"""

from enum import StrEnum

import cv2
import numpy as np
from msgspec import Struct

from companion.table import LinePart
from vision.arrays import Picture
from vision.mat.focus import measure_blur_px
from vision.mat.lens import Lens
from vision.mat.light import Lighting, measure_lighting
from vision.mat.limits import CheckLimits
from vision.mat.markers import DetectedMarker, as_grey, find_markers
from vision.mat.mat import MATS, TILE_NUMBERS, Layout, RectMm
from vision.mat.pose import LEAST_MARKERS, Rig, px_per_mm, solve_rig
from vision.mat.straight import Window, rectify_window


class Reason(StrEnum):
    """Why a picture is not read; each is the end of the id of a line of words."""

    FEW_MARKERS = "few_markers"
    OUT_OF_FOCUS = "out_of_focus"
    TOO_DARK = "too_dark"
    TOO_BRIGHT = "too_bright"
    GLARE = "glare"
    SWAPPED = "swapped"
    MOVED = "moved"


class Checkup(Struct, frozen=True):
    """Camera, markers and light as one picture shows them.

    Attributes:
        seen: The markers in the picture, of this layout or not.
        rig: Where the camera stands; None with fewer than four good markers.
        missing: Numbers of the layout's markers that are not seen.
        px_per_mm: Least resolution over the field; None without a rig.
        blur_mm: Blur of the markers' edges on the table, one standard deviation.
        lighting: By the patches; None without a rig.
        glare_mm2: Largest reflection in the field, mm2.
        troubles: Why the picture is refused, the first to be mended first.
    """

    seen: tuple[DetectedMarker, ...]
    rig: Rig | None
    missing: tuple[int, ...]
    px_per_mm: float | None = None
    blur_mm: float | None = None
    lighting: Lighting | None = None
    glare_mm2: float = 0.0
    troubles: tuple[LinePart, ...] = ()


def trouble_line(reason: Reason, **numbers: int) -> LinePart:
    """Return the line of words for a reason."""
    return LinePart(f"rig.trouble.{reason}", tuple(numbers.items()))


def find_layout(seen: tuple[DetectedMarker, ...]) -> Layout | None:
    """Return the mat whose markers are in view, None for loose tiles or nothing."""
    numbers = {one.number for one in seen}
    counts = [
        len(numbers & {one.number for one in mat.markers}) for mat in MATS
    ]  # fmt: skip
    if max(counts) == 0 or max(counts) < len(numbers & set(TILE_NUMBERS)):
        return None
    return MATS[counts.index(max(counts))]


def check_picture(
    picture: Picture,
    layout: Layout,
    lens: Lens,
    limits: CheckLimits,
    learn: bool = False,
) -> Checkup:
    """Return the checkup of a picture, with every reason to refuse it.

    Args:
        picture: ``(H, W, 3)``, uint8, BGR.
        layout: Where the markers lie.
        lens: Of the camera, for pictures of this size.
        limits: Limits.
        learn: Also learn the lens; once, when the camera is set up.
    """
    seen = find_markers(picture)
    rig = solve_rig(seen, layout, lens, learn)
    return check_solved(picture, seen, rig, layout, limits)


def check_solved(
    picture: Picture, seen: tuple[DetectedMarker, ...], rig: Rig | None, layout: Layout,
    limits: CheckLimits,
) -> Checkup:  # fmt: skip
    """Return the checkup of a picture whose markers and rig are solved already."""
    numbers = {one.number for one in seen}
    missing = tuple(one.number for one in layout.markers if one.number not in numbers)
    if rig is None:
        known = len(layout.markers) - len(missing)
        return Checkup(
            seen, None, missing, troubles=(_why_few(picture, known, limits),)
        )
    least = _least_px_per_mm(rig, layout.field_mm)
    blur_mm = _blur_mm(seen, rig)
    lighting = measure_lighting(picture, rig)
    glare_mm2 = largest_glare_mm2(picture, rig, layout.field_mm, lighting, limits)
    found = Checkup(seen, rig, missing, least, blur_mm, lighting, glare_mm2)
    return Checkup(
        seen,
        rig,
        missing,
        least,
        blur_mm,
        lighting,
        glare_mm2,
        _troubles(found, limits),
    )


def _why_few(picture: Picture, known: int, limits: CheckLimits) -> LinePart:
    """Return why fewer than four markers are found, by the picture as a whole."""
    grey = as_grey(picture)
    if float(np.quantile(grey, 0.99)) < limits.dark:
        return trouble_line(Reason.TOO_DARK)
    if float((grey >= 250).mean()) > limits.burnt:
        return trouble_line(Reason.TOO_BRIGHT)
    if measure_blur_px(grey) > limits.blur_px:
        return trouble_line(Reason.OUT_OF_FOCUS)
    return trouble_line(Reason.FEW_MARKERS, found=known, least=LEAST_MARKERS)


def _troubles(found: Checkup, limits: CheckLimits) -> tuple[LinePart, ...]:
    troubles = []
    light = found.lighting
    if light is not None and max(light.white) < limits.dark:
        troubles.append(trouble_line(Reason.TOO_DARK))
    if light is not None and light.clipped >= limits.clipped:
        troubles.append(trouble_line(Reason.TOO_BRIGHT))
    if light is not None and light.swapped:
        troubles.append(trouble_line(Reason.SWAPPED))
    if found.blur_mm is not None and found.blur_mm > limits.blur_mm:
        troubles.append(trouble_line(Reason.OUT_OF_FOCUS))
    if found.glare_mm2 > limits.glare_mm2:
        troubles.append(trouble_line(Reason.GLARE))
    return tuple(troubles)


def _least_px_per_mm(rig: Rig, rect_mm: RectMm) -> float:
    left, top, right, bottom = rect_mm
    return min(px_per_mm(rig, (x, y)) for x in (left, right) for y in (top, bottom))


def _blur_mm(seen: tuple[DetectedMarker, ...], rig: Rig) -> float:
    """Return the blur at the markers that the rig rests on, the worse half of them.

    A camera that is focused on its near edge leaves the far one blurred.
    """
    blurs = []
    for one in seen:
        marker = rig.layout.marker(one.number)
        if marker is not None and one.number in rig.used:
            blurs.append(one.blur_px / px_per_mm(rig, marker.corners[0]))
    return float(np.quantile(blurs, 0.75))


def largest_glare_mm2(
    picture: Picture,
    rig: Rig,
    rect_mm: RectMm,
    lighting: Lighting,
    limits: CheckLimits,
) -> float:
    """Return the area of the largest reflection in a part of the table, mm2.

    A reflection of the lamp is much brighter than the brightest paper. Where paper is
    at its end already, the two look the same and the picture is too bright.
    """
    if lighting.brightest >= 250:
        return 0.0
    window = Window(rect_mm, 1.0)
    seen = rectify_window(picture, rig, window)
    limit = lighting.brightest + limits.glare_above * (255 - lighting.brightest)
    bright = (seen.min(2) > limit).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(bright)
    return float(stats[1:, cv2.CC_STAT_AREA].max(initial=0))
