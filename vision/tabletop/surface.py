"""The table laid flat: pictures as seen on a plane at some height, in even light."""

from typing import TypeAlias

import cv2
import numpy as np

from companion.table import BoxPx
from vision.arrays import Floats, Mask, Picture
from vision.ground.difference import find_difference, soften
from vision.tabletop.light import EvenLight, even_out_light
from vision.tabletop.plan import Plan, Spot, Thing
from vision.tabletop.pose import CameraPose

PX_PER_MM = 1.0
"""Enough for tops: one of 15 mm is 15 pixels. Prints are read at full resolution."""

MARGIN_MM = 3.0
"""What a piece hides around its outline: blur, contact shadow, a wrong millimetre."""


class Surface:
    """An evened picture and how to look at planes of it; a plane is laid out once.

    Attributes:
        evened: ``(h, w, 3)``, float32, white paper at 235.
        pose: Where the camera stands.
        plan: What the table is.
    """

    def __init__(self, evened: Floats, pose: CameraPose, plan: Plan) -> None:
        self.evened = evened
        self.pose = pose
        self.plan = plan
        self._planes: dict[float, Floats] = {}
        self._soft: dict[float, Floats] = {}

    def plane(self, tall_mm: float) -> Floats:
        """Return the plane at a height, ``(H, W, 3)``, PX_PER_MM pixels a mm."""
        if tall_mm not in self._planes:
            self._planes[tall_mm] = rectify_plane(
                self.evened, self.plan, self.pose, tall_mm
            )
        return self._planes[tall_mm]

    def soft(self, tall_mm: float) -> Floats:
        """Return the same plane softened."""
        if tall_mm not in self._soft:
            self._soft[tall_mm] = soften(self.plane(tall_mm))
        return self._soft[tall_mm]

    def view(
        self,
        corner_mm: tuple[float, float],
        size_mm: tuple[float, float],
        tall_mm: float,
        px_per_mm: float,
    ) -> Floats:
        """Return part of a plane, ``(h, w, 3)``, as fine as is asked for."""
        to_mm = np.diag([1 / px_per_mm, 1 / px_per_mm, 1.0])
        to_mm[:2, 2] = corner_mm
        size = (round(size_mm[0] * px_per_mm), round(size_mm[1] * px_per_mm))
        way = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        place = self.pose.plane(tall_mm) @ to_mm
        seen = cv2.warpPerspective(self.evened, place, size, flags=way)
        return np.asarray(seen, np.float32)


def make_surface(
    picture: Picture, plan: Plan, pose: CameraPose, even_out: EvenLight = even_out_light
) -> Surface | None:
    """Return a picture in even light; None when it is too dark to read."""
    evened = even_out(picture, plan, pose)
    return None if evened is None else Surface(evened, pose, plan)


def rectify_plane(
    evened: Floats, plan: Plan, pose: CameraPose, tall_mm: float
) -> Floats:
    """Return a plane of an evened picture, ``(H, W, 3)``, float32."""
    to_mm = np.diag([1 / PX_PER_MM, 1 / PX_PER_MM, 1.0])
    size = (round(plan.width_mm * PX_PER_MM), round(plan.height_mm * PX_PER_MM))
    way = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpPerspective(evened, pose.plane(tall_mm) @ to_mm, size, flags=way)
    return np.asarray(seen, np.float32)


Window: TypeAlias = tuple[slice, slice]
"""Rows and columns of a plane."""

WHOLE: Window = (slice(None), slice(None))


def foreground_mask(
    seen: Surface, ground: Surface, tall_mm: float = 0.0, where: Window = WHOLE
) -> Mask:
    """Return where something lies on the ground, ``(H, W)``; shadows are nothing."""
    found = find_difference(seen.soft(tall_mm)[where], ground.soft(tall_mm)[where])
    return found.differs & ~found.shadow


def clear_outline(left: Mask, outline_px: Floats) -> None:
    """Clear what lies within an outline ``(N, 2)``, px, in a mask of what is left."""
    cover = np.zeros(left.shape, np.uint8)
    cv2.fillConvexPoly(cover, np.rint(outline_px).astype(np.int32), 1)
    left &= cover == 0


def window_of_spot(spot: Spot, margin_mm: float = 0.0) -> tuple[slice, slice]:
    """Return rows and columns of a spot in a plane."""
    left = (spot.x_mm - spot.width_mm / 2 - margin_mm) * PX_PER_MM
    top = (spot.y_mm - spot.height_mm / 2 - margin_mm) * PX_PER_MM
    right = left + (spot.width_mm + 2 * margin_mm) * PX_PER_MM
    bottom = top + (spot.height_mm + 2 * margin_mm) * PX_PER_MM
    rows = slice(max(0, round(top)), max(0, round(bottom)))
    return rows, slice(max(0, round(left)), max(0, round(right)))


def box_about_thing(pose: CameraPose, thing: Thing, x_mm: float, y_mm: float) -> BoxPx:
    """Return the box of a thing in the picture, from its foot to its top."""
    reach = (thing.reach_mm or max(thing.width_mm, thing.height_mm) / 2) + 1
    ends = [
        (x_mm + x, y_mm + y, tall)
        for x in (-reach, reach)
        for y in (-reach, reach)
        for tall in (0.0, thing.tall_mm)
    ]
    seen = pose.project(np.array(ends, np.float32))
    low, high = np.floor(seen.min(0)), np.ceil(seen.max(0))
    height, width = pose.size
    return (
        max(0, int(low[0])),
        max(0, int(low[1])),
        min(width, int(high[0])),
        min(height, int(high[1])),
    )


def hidden_outline(pose: CameraPose, thing: Thing, x_mm: float, y_mm: float) -> Floats:
    """Return what a thing hides of the table: an outline ``(N, 2)`` in mm."""
    reach = (thing.reach_mm or max(thing.width_mm, thing.height_mm) / 2) + MARGIN_MM
    angle = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    ring = np.stack([np.cos(angle), np.sin(angle)], -1) * reach + (x_mm, y_mm)
    top = np.column_stack([ring, np.full(len(ring), thing.tall_mm)])
    cast = pose.to_table(pose.project(np.asarray(top, np.float32)))
    hull = cv2.convexHull(np.concatenate([ring, cast]).astype(np.float32))
    return np.asarray(hull.reshape(-1, 2), np.float32)
