"""Draw dice of flat faces that carry print: cubes, and ten-sided ones.

A face lies in the plane of its corners with a frame of its own, so that artwork comes
to lie on it as a camera sees it. Lengths are in widths of the die.
"""

from functools import cache

import cv2
import numpy as np
from msgspec import Struct

from vision.arrays import Floats, Picture
from vision.drawn.artwork import FACE_PX, paint_face
from vision.tabletop.plan import CUBE, PieceLook, Shape, Thing
from vision.tabletop.pose import CameraPose

_LAMP = np.array((-0.3, -0.3, 0.906))
_AMBIENT = 0.55

_STEEP = 1.0
"""Apex of a ten-sided die above its middle, in radii of its ring: as on dice in shops,
whose kites meet at about a right angle."""


class Facet(Struct, frozen=True):
    """One face of a die.

    Attributes:
        corners: ``(N, 3)``, counted so that they go round.
        middle: ``(3,)``, of the largest circle that fits.
        across: ``(3,)``, unit vector to the right of its print.
        down: ``(3,)``, unit vector to the foot of its print.
        radius: Of that circle.
    """

    corners: Floats
    middle: Floats
    across: Floats
    down: Floats
    radius: float

    @property
    def out(self) -> Floats:
        """Return the unit vector ``(3,)`` that points out of the die."""
        return np.asarray(np.cross(self.across, self.down))


@cache
def facets(shape: Shape) -> tuple[Facet, ...]:
    """Return the faces of a die one wide: opposite ones follow each other."""
    return tuple(_cube() if shape is CUBE else _ten())


def _cube() -> list[Facet]:
    found = []
    for axis in range(3):
        for side in (0.5, -0.5):
            out = np.zeros(3)
            out[axis] = side
            across = np.roll(np.array([0.5, 0, 0]), (axis + 1) % 3)
            down = np.cross(out, across) * 2
            corners = [
                out + a * across + b * down
                for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
            ]
            found.append(Facet(np.array(corners), out, across * 2, down * 2, 0.5))
    return found


def _ten() -> list[Facet]:
    """Return ten kites: two caps of five, turned against each other.

    The zigzag of the ring is what makes each kite flat: ``tan(18 deg)**2`` of the apex.
    """
    zigzag = _STEEP * np.tan(np.radians(18)) ** 2
    ring = [
        np.array([np.cos(a), np.sin(a), zigzag * (-1) ** k])
        for k, a in enumerate(np.radians(36 * np.arange(10)))
    ]
    kites = []
    for number in range(5):
        for odd in (1, 0):
            # Opposite faces are half a turn apart, one in each cap.
            k = (2 * number + (5 if odd == 0 else 0) + 1) % 10
            apex = np.array([0, 0, _STEEP * (1 if k % 2 else -1)])
            kites.append(np.array([apex, ring[k - 1], ring[k], ring[(k + 1) % 10]]))
    tall = 2 * abs(float(_plane(kites[0]) @ kites[0][0]))
    return [_kite(corners / tall) for corners in kites]


def _plane(corners: Floats) -> Floats:
    out = np.cross(corners[1] - corners[0], corners[3] - corners[0])
    out /= np.linalg.norm(out)
    return np.asarray(out * np.sign(out @ corners[0]))


def _kite(corners: Floats) -> Facet:
    out = _plane(corners)
    long = corners[2] - corners[0]
    down = -long / np.linalg.norm(long)
    across = np.cross(down, out)
    # The circle that touches all four sides lies on the long diagonal.
    steps = np.linspace(0.05, 0.95, 181)
    reach = [_to_sides(corners[0] + step * long, corners, out) for step in steps]
    best = int(np.argmax(reach))
    middle = corners[0] + steps[best] * long
    return Facet(corners, np.asarray(middle), down=down, across=across,
                 radius=float(reach[best]))  # fmt: skip


def _to_sides(point: Floats, corners: Floats, out: Floats) -> float:
    nearest = 1e3
    for one, other in zip(corners, np.roll(corners, -1, 0), strict=True):
        along = (other - one) / np.linalg.norm(other - one)
        nearest = min(nearest, abs(float(np.cross(along, point - one) @ out)))
    return nearest


def paint_faceted(
    canvas: Picture,
    thing: Thing,
    looks: tuple[PieceLook, ...],
    top: int,
    spot: tuple[float, float, float],
    pose: CameraPose,
) -> None:
    """Paint a die at a spot (x_mm, y_mm, turn_deg).

    Args:
        canvas: ``(h, w, 3)``, uint8, BGR; painted on.
        thing: Its shape and size.
        looks: How its faces look, in the order of the die's faces.
        top: Which of them lies upward.
        spot: Where it lies.
        pose: Where the camera stands.
    """
    faces = facets(thing.shape)
    turned = _turn(faces[top], spot[2])
    lift = float((turned @ faces[top].middle)[2])
    foot = np.array([spot[0], spot[1], lift * thing.tall_mm])
    eye = np.array(pose.eye_mm)
    for number, facet in enumerate(faces):
        corners = facet.corners @ turned.T * thing.tall_mm + foot
        out = turned @ facet.out
        if (eye - corners[0]) @ out <= 0:
            continue
        light = _AMBIENT + (1 - _AMBIENT) * max(0.0, float(out @ _LAMP)) / _LAMP[2]
        frame = np.stack([facet.across, facet.down, facet.middle]) @ turned.T
        _paint(
            canvas,
            np.asarray(corners, np.float32),
            np.asarray(frame * thing.tall_mm + [[0], [0], [1]] * foot),
            paint_face(looks[number % len(looks)]),
            min(1.0, light),
            facet.radius,
            pose,
        )


def _turn(facet: Facet, turn_deg: float) -> Floats:
    """Return the rotation ``(3, 3)`` that lays a face upward and turns the die."""
    angle = np.radians(turn_deg)
    across = np.array([np.cos(angle), np.sin(angle), 0])
    down = np.array([-np.sin(angle), np.cos(angle), 0])
    after = np.stack([across, down, np.array([0, 0, 1.0])], -1)
    before = np.stack([facet.across, facet.down, facet.out], -1)
    return np.asarray(after @ before.T)


def _paint(
    canvas: Picture,
    corners: Floats,
    frame: Floats,
    art: Picture,
    light: float,
    radius: float,
    pose: CameraPose,
) -> None:
    """Paint one face; *frame* has its axes, one width long, and its middle."""
    outline = pose.project(corners)
    low = np.floor(outline.min(0)).astype(int) - 1
    high = np.ceil(outline.max(0)).astype(int) + 2
    height, width = pose.size
    left, top = max(0, int(low[0])), max(0, int(low[1]))
    right, bottom = min(width, int(high[0])), min(height, int(high[1]))
    if right <= left or bottom <= top:
        return
    ends = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float32)
    on_face = frame[2] + radius * (ends[:, :1] * frame[0] + ends[:, 1:] * frame[1])
    corner = np.array([left, top], np.float32)
    seen = pose.project(np.asarray(on_face, np.float32)) - corner
    # Pixels are counted by their middles.
    edge = np.asarray((ends + 1) / 2 * FACE_PX - 0.5, np.float32)
    way = cv2.getPerspectiveTransform(edge, np.asarray(seen, np.float32))
    size = (right - left, bottom - top)
    shown = cv2.warpPerspective(
        art, way, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE
    )
    cover = np.zeros(size[::-1], np.uint8)
    points = np.rint((outline - corner) * 16).astype(np.int32)
    cv2.fillConvexPoly(cover, points, 255, cv2.LINE_AA, 4)
    share = cover[:, :, None] / np.float32(255)
    area = canvas[top:bottom, left:right]
    area[:] = area * (1 - share) + shown * light * share
