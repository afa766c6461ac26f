"""Draw a whole table as a camera above it sees it: ground, pieces, shadows, hands.

The ground is seen once and kept; pieces are painted on it from far to near. Nothing
here knows a game: what lies where is handed in.
"""

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from companion.table import Face, Piece
from vision.arrays import Floats, Picture
from vision.drawn.artwork import PX_PER_MM, paint_flat, paint_ground
from vision.drawn.faceted import paint_faceted
from vision.drawn.light import Light, Sensor, light_field
from vision.drawn.solids import paint_hand, paint_solid, shadow_outline, sort_far_first
from vision.tabletop.plan import CARD, CUBE, D10, TOKEN, PieceLook, Plan
from vision.tabletop.pose import CameraPose, roll_camera

SOFT_PX = 0.6
"""Blur of a lens that is in focus."""

SHADOW_SOFT_PX = 4.0


class DrawnPiece(Struct, frozen=True):
    """One piece on the table: what it shows, where its middle is, how it is turned.

    *turn_deg* counts clockwise as seen from above.
    """

    piece: Piece
    face: Face | None
    x_mm: float
    y_mm: float
    turn_deg: float = 0.0


class Hand(Struct, frozen=True):
    """A hand in the picture: where its fingers are, and where the arm comes from."""

    x_mm: float
    y_mm: float
    from_deg: float = 90.0


class Tabletop:
    """A table that can be photographed.

    Args:
        plan: What lies where and what it looks like.
        pose: Where the camera stands.
        light: How the table is lit.
        seed: Noise and flicker; the same seed gives the same pictures in turn.
    """

    def __init__(self, plan: Plan, pose: CameraPose, light: Light, seed: int) -> None:
        self._plan = plan
        self._put_up = self._pose = pose
        self._knocked = (pose.shift_px, 0.0)
        self._light = light
        self._things = {thing.piece: thing for thing in plan.things}
        self._looks = {(look.piece, look.face): look for look in plan.looks}
        self._grounds: dict[str, Picture] = {}
        bright = np.clip(np.rint(light_field(light, pose.size) * 255), 0, 255)
        self._field = np.asarray(bright, np.uint8)
        self._sensor = Sensor(light, pose.size, seed)
        self._last: tuple[object, Picture] | None = None
        self._covered: tuple[object, Picture] | None = None

    def picture(
        self,
        ground: str,
        lying: tuple[DrawnPiece, ...],
        hand: Hand | None = None,
        slid_px: tuple[float, float] = (0.0, 0.0),
        turned_deg: float = 0.0,
    ) -> Picture:
        """Return one picture ``(h, w, 3)``, uint8, BGR, of what lies on a ground.

        *slid_px* is how far the picture has slid to the right and down since the camera
        was put up, *turned_deg* how far it has turned about its middle: somebody
        knocked at its mast.
        """
        knocked = (slid_px, turned_deg)
        if knocked != self._knocked:
            self._knocked = knocked
            turned = roll_camera(self._put_up, turned_deg)
            self._pose = replace(turned, shift_px=slid_px)
            self._grounds, self._covered = {}, None
        key = (ground, lying, hand, knocked)
        if self._last is None or self._last[0] != key:
            self._last = (key, self._lit(ground, lying, hand))
        return self._sensor.expose(self._last[1])

    def _lit(
        self, ground: str, lying: tuple[DrawnPiece, ...], hand: Hand | None
    ) -> Picture:
        """Return the light that reaches the sensor, without its noise."""
        flat = tuple(one for one in lying if self._things[one.piece].shape in _FLAT)
        solid = [one for one in lying if self._things[one.piece].shape not in _FLAT]
        # Figures and dice move more often than cards do.
        key = (ground, flat, self._pose.shift_px)
        if self._covered is None or self._covered[0] != key:
            self._covered = (key, self._with_flat(ground, flat))
        canvas = self._covered[1].copy()
        shadow = np.full(self._pose.size, 255, np.uint8)
        outlines = [
            shadow_outline(self._things[one.piece], one.x_mm, one.y_mm, self._light)
            for one in solid
        ]
        for outline in outlines:
            self._fill(shadow, outline, round(255 * self._light.shade))
        soft = cv2.GaussianBlur(shadow, (0, 0), SHADOW_SOFT_PX)
        canvas = np.asarray(
            cv2.multiply(canvas, cv2.merge([soft] * 3), scale=1 / 255), np.uint8
        )
        for one in sort_far_first(solid, self._pose):
            self._stand(canvas, one)
        if hand is not None:
            spot = (hand.x_mm, hand.y_mm, hand.from_deg)
            canvas = paint_hand(canvas, spot, self._pose, self._light)
        lit = cv2.multiply(canvas, self._field, scale=1 / 255)
        return np.asarray(cv2.GaussianBlur(lit, (0, 0), SOFT_PX), np.uint8)

    def _with_flat(self, ground: str, flat: tuple[DrawnPiece, ...]) -> Picture:
        """Return a ground with all that lies flat on it."""
        canvas = self._ground(ground).copy()
        for one in flat:
            self._lay(canvas, one)
        return canvas

    def _ground(self, name: str) -> Picture:
        if name not in self._grounds:
            ground = next(one for one in self._plan.grounds if one.name == name)
            art = cv2.GaussianBlur(paint_ground(self._plan, ground), (0, 0), 0.7)
            # Pixels are counted by their middles.
            half = 0.5 / PX_PER_MM
            to_mm = np.array([[1 / PX_PER_MM, 0, half], [0, 1 / PX_PER_MM, half]])
            to_mm = np.vstack([to_mm, [0, 0, 1]])
            size = self._pose.size[::-1]
            self._grounds[name] = np.asarray(
                cv2.warpPerspective(
                    art, self._pose.plane() @ to_mm, size, borderValue=(70, 80, 90)
                ),
                np.uint8,
            )
        return self._grounds[name]

    def _stand(self, canvas: Picture, one: DrawnPiece) -> None:
        """Paint a piece that stands up from the table."""
        thing = self._things[one.piece]
        spot = (one.x_mm, one.y_mm, one.turn_deg)
        if thing.shape not in (CUBE, D10):
            paint_solid(canvas, thing, self._look(one), spot, self._pose)
            return
        looks = tuple(look for look in self._plan.looks if look.piece == one.piece)
        top = [look.face for look in looks].index(one.face)
        paint_faceted(canvas, thing, looks, top, spot, self._pose)

    def _look(self, one: DrawnPiece) -> PieceLook:
        """Return the look of what a piece shows, else of the piece."""
        found = self._looks.get((one.piece, one.face))
        return found or self._looks[(one.piece, None)]

    def _lay(self, canvas: Picture, one: DrawnPiece) -> None:
        """Paint a flat piece."""
        thing = self._things[one.piece]
        art, cover = paint_flat(thing, self._look(one))
        to_px = self._pose.plane(thing.tall_mm) @ _art_to_table(one, art.shape)
        corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)
        ends = (corners * art.shape[1::-1]).reshape(-1, 1, 2)
        seen = cv2.perspectiveTransform(ends, to_px).reshape(-1, 2)
        left, top = np.floor(seen.min(0)).astype(int) - 2
        right, bottom = np.ceil(seen.max(0)).astype(int) + 3
        height, width = self._pose.size
        left, top = max(0, left), max(0, top)
        right, bottom = min(width, right), min(height, bottom)
        if right <= left or bottom <= top:
            return
        here = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1.0]]) @ to_px
        size = (int(right - left), int(bottom - top))
        shown = cv2.warpPerspective(art, here, size, borderMode=cv2.BORDER_REPLICATE)
        share = np.asarray(cv2.warpPerspective(cover, here, size))[:, :, None] / 255
        spot = canvas[top:bottom, left:right]
        spot[:] = spot * (1 - share) + shown * share

    def _fill(self, mask: Picture, outline_mm: Floats, value: int) -> None:
        flat = np.column_stack([outline_mm, np.zeros(len(outline_mm))])
        points = np.rint(self._pose.project(np.asarray(flat, np.float32)))
        cv2.fillConvexPoly(mask, points.astype(np.int32), value, cv2.LINE_AA)


_FLAT = (CARD, TOKEN)


def _art_to_table(one: DrawnPiece, shape: tuple[int, ...]) -> Floats:
    """Return ``(3, 3)`` from pixels of the artwork to (x, y) in mm on the table."""
    turn = np.radians(one.turn_deg)
    c, s = np.cos(turn) / PX_PER_MM, np.sin(turn) / PX_PER_MM
    half = (shape[1] - 1) / 2, (shape[0] - 1) / 2
    return np.array(
        [
            [c, -s, one.x_mm - c * half[0] + s * half[1]],
            [s, c, one.y_mm - s * half[0] - c * half[1]],
            [0, 0, 1],
        ]
    )
