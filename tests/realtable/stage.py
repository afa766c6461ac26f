"""Traces a table with what lies on it; only what has changed is traced anew.

The light of the bare board is kept, and so is that of everything that was laid on it.
What comes, goes or moves changes the picture where it is seen, where its shadow falls,
and a little around.
"""

from typing import Any, NamedTuple

import numpy as np

from tests.realtable import solids
from tests.realtable.camera import Pose
from tests.realtable.lamps import Lamp, Light, shadow_points
from tests.realtable.tables import RealTable, Solid
from vision.arrays import Floats
from vision.drawn.tabletop import DrawnPiece, Hand
from vision.tabletop.plan import CARD

AROUND_MM = 7.0
"""What a piece takes from the light of the sky, and gives back, ends about here."""

AROUND_PX = 4
"""The filter of a pixel reaches so far."""

SKIN = (0.48, 0.25, 0.17)

STEP_MM = 0.8
"""A card that lies on another is so much higher: it is bowed, and thick."""

Window = tuple[int, int, int, int]
"""Left, top, right, bottom, px."""


class View(NamedTuple):
    """What one picture is taken of: which ground, in which light, from where."""

    ground: str
    light: Light
    pose: Pose


class Laid(NamedTuple):
    """A piece, and how high above the table it lies, mm."""

    piece: DrawnPiece
    high_mm: float


class Stage:
    """A traced table.

    Args:
        mi: The renderer.
        table: What is on it.
        size: Height and width of a picture.
        rays: Of each pixel, for what stays and for a hand that passes.
    """

    def __init__(
        self, mi: Any, table: RealTable, size: tuple[int, int],
        rays: tuple[int, int] = (14, 5),
    ) -> None:  # fmt: skip
        self._mi, self._table, self._size, self._rays = mi, table, size, rays
        self._view: View | None = None
        self._lying: frozenset[Laid] = frozenset()
        self._light: Floats | None = None
        self._grounds: dict[str, Any] = {}
        self._fixed: list[Any] | None = None
        self._surfaces: dict[int, tuple[Solid, Any]] = {}
        self._shapes: dict[Laid, Any] = {}
        self._looks: dict[object, Solid] = {}
        self._seed = 0
        self._skin = Solid(solids.ball(1.0, (0.0, 0.0, 0.0)), SKIN, rough=None)
        self.traced_px = 0

    def picture(
        self, view: View, lying: tuple[DrawnPiece, ...], hand: Hand | None = None
    ) -> Floats:
        """Return the light of a picture ``(h, w, 3)``, float32, RGB."""
        now = frozenset(self._stacked(lying))
        if self._light is None or view != self._view:
            self._view, self._lying = view, now
            whole = (0, 0, self._size[1], self._size[0])
            self._light = self._trace(view, now, None, whole, self._rays[0])
        elif now != self._lying:
            changed = [self._window(view, one) for one in now ^ self._lying]
            self._lying = now
            for part in merged(changed):
                traced = self._trace(view, now, None, part, self._rays[0])
                self._light[part[1] : part[3], part[0] : part[2]] = traced
        if hand is None:
            return self._light.copy()
        light = self._light.copy()
        reach = self._hand(hand)
        part = self._seen(view, reach)
        passing = self._trace(view, now, reach, part, self._rays[1])
        light[part[1] : part[3], part[0] : part[2]] = passing
        return light

    def _solid(self, piece: DrawnPiece) -> Solid:
        key = piece.piece, piece.face
        if key not in self._looks:
            self._looks[key] = self._table.solid(*key)
        return self._looks[key]

    def _stacked(self, lying: tuple[DrawnPiece, ...]) -> list[Laid]:
        """Return how high each piece lies: a card on those that came before it."""
        laid: list[Laid] = []
        for one in lying:
            thing = self._table.plan.thing(one.piece)
            below = [
                other.high_mm + STEP_MM
                for other in laid
                if thing.shape is CARD
                and other.piece.piece == one.piece
                and abs(other.piece.x_mm - one.x_mm) < thing.width_mm / 2
                and abs(other.piece.y_mm - one.y_mm) < thing.height_mm / 2
            ]
            laid.append(Laid(one, max(below, default=0.0)))
        return laid

    def _placed(self, laid: Laid) -> solids.Mesh:
        piece = laid.piece
        x, y = self._table.world(piece.x_mm, piece.y_mm)
        return self._solid(piece).mesh.moved(x, y, -piece.turn_deg, laid.high_mm)

    def _hand(self, hand: Hand) -> solids.Mesh:
        """Return a hand that comes in over the nearest side, but not from afar."""
        x, y = self._table.world(hand.x_mm, hand.y_mm)
        side = -90.0 if abs(x) < 200 else (-25.0 if x > 0 else 205.0)
        return solids.hand(x, y, side, 480.0)

    def _window(self, view: View, laid: Laid) -> Window:
        return self._seen(view, self._placed(laid))

    def _seen(self, view: View, mesh: solids.Mesh) -> Window:
        """Return where a mesh and its shadows are seen."""
        low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
        around = np.array((AROUND_MM, AROUND_MM, 0.0))
        low, high = low - around, high + around
        corners = [
            (float(x), float(y), float(z))
            for x in (low[0], high[0]) for y in (low[1], high[1])
            for z in (max(0.0, low[2]), high[2])
        ]  # fmt: skip
        points = list(corners)
        for lamp in view.light.lamps:
            points += shadow_points(lamp, corners)
        seen = view.pose.project(np.array(points), self._size)
        left, top = np.floor(seen.min(axis=0)) - AROUND_PX
        right, bottom = np.ceil(seen.max(axis=0)) + AROUND_PX
        rows, columns = self._size
        return (
            int(np.clip(left, 0, columns - 1)), int(np.clip(top, 0, rows - 1)),
            int(np.clip(right, 1, columns)), int(np.clip(bottom, 1, rows)),
        )  # fmt: skip

    def _trace(
        self, view: View, lying: frozenset[Laid], hand: solids.Mesh | None,
        part: Window, rays: int,
    ) -> Floats:  # fmt: skip
        """Return the light of a part of the picture."""
        mi = self._mi
        parts: dict[str, Any] = {
            "type": "scene",
            "integrator": {"type": "path", "max_depth": 3},
            "sky": {"type": "constant", "radiance": _rgb(view.light.sky)},
            "ground": self._ground(view.ground),
        }
        for number, lamp in enumerate(view.light.lamps):
            parts[f"lamp{number}"] = self._lamp(lamp)
        for number, shape in enumerate(self._standing()):
            parts[f"fixed{number}"] = shape
        self._shapes = {
            one: self._shapes[one]
            if one in self._shapes
            else self._shape("piece", self._solid(one.piece), self._placed(one))
            for one in sorted(lying, key=str)
        }
        for number, shape in enumerate(self._shapes.values()):
            parts[f"piece{number}"] = shape
        if hand is not None:
            parts["hand"] = self._shape("hand", self._skin, hand)
        scene = mi.load_dict(parts)
        self._seed += 1
        self.traced_px += (part[2] - part[0]) * (part[3] - part[1])
        sensor = mi.load_dict(self._sensor(view.pose, part, rays))
        light = mi.render(scene, sensor=sensor, spp=rays, seed=self._seed)
        return np.array(light, np.float32)[:, :, :3]

    def _sensor(self, pose: Pose, part: Window, rays: int) -> dict[str, Any]:
        _, up, ahead = pose.axes()
        rows, columns = self._size
        target = np.array(pose.eye) + ahead
        return {
            "type": "perspective", "fov": pose.field_deg, "fov_axis": "x",
            "to_world": self._mi.ScalarTransform4f().look_at(
                origin=list(pose.eye), target=target.tolist(), up=up.tolist()
            ),
            "film": {
                "type": "hdrfilm", "width": columns, "height": rows,
                "crop_offset_x": part[0], "crop_offset_y": part[1],
                "crop_width": part[2] - part[0], "crop_height": part[3] - part[1],
                "rfilter": {"type": "gaussian"}, "pixel_format": "rgb",
            },
            "sampler": {"type": "independent", "sample_count": rays},
        }  # fmt: skip

    def _lamp(self, lamp: Lamp) -> dict[str, Any]:
        return {
            "type": "rectangle",
            "to_world": self._mi.ScalarTransform4f().look_at(
                origin=list(lamp.at), target=[0, 0, 0], up=[0, 1, 0.01]
            ).scale(lamp.half),
            "emitter": {"type": "area", "radiance": _rgb(lamp.shine)},
        }  # fmt: skip

    def _ground(self, name: str) -> Any:
        if name not in self._grounds:
            wide, high = self._table.plan.width_mm, self._table.plan.height_mm
            art = np.ascontiguousarray(self._table.ground(name)[::-1])
            near = Solid(solids.sheet(wide, high, 0.0), print_=art,
                         rough=self._table.varnish)  # fmt: skip
            self._grounds[name] = self._shape("ground", near, near.mesh)
        return self._grounds[name]

    def _standing(self) -> list[Any]:
        """Return what stands there all the time, as the renderer keeps it."""
        if self._fixed is None:
            self._fixed = [
                self._shape(
                    f"f{number}", solid, solid.mesh.moved(*self._table.world(x, y), 0.0)
                )
                for number, (solid, x, y) in enumerate(self._table.fixed)
            ]
        return self._fixed

    def _shape(self, name: str, solid: Solid, mesh: solids.Mesh) -> Any:
        """Return a mesh with its surface, as the renderer keeps it."""
        mi = self._mi
        props = mi.Properties()
        props["mesh_bsdf"] = self._surface(solid)
        made = mi.Mesh(
            name, len(mesh.points), len(mesh.triangles), props=props,
            has_vertex_normals=True, has_vertex_texcoords=True,
        )  # fmt: skip
        parts = mi.traverse(made)
        parts["vertex_positions"] = np.ravel(mesh.points).astype(np.float32)
        parts["vertex_normals"] = np.ravel(mesh.normals).astype(np.float32)
        parts["vertex_texcoords"] = np.ravel(mesh.prints).astype(np.float32)
        parts["faces"] = np.ravel(mesh.triangles).astype(np.uint32)
        parts.update()
        return made

    def _surface(self, solid: Solid) -> Any:
        """Return what a solid is covered with; it takes the renderer a moment."""
        if id(solid) not in self._surfaces:
            made = self._mi.load_dict(self._told(solid))
            self._surfaces[id(solid)] = solid, made
        return self._surfaces[id(solid)][1]

    def _told(self, solid: Solid) -> dict[str, Any]:
        paint: dict[str, Any] = _rgb(solid.paint)
        if solid.print_ is not None:
            paint = {
                "type": "bitmap",
                "bitmap": self._mi.Bitmap(np.ascontiguousarray(solid.print_)),
                "filter_type": "bilinear", "wrap_mode": "clamp",
            }  # fmt: skip
        if solid.rough is None:
            inner = {"type": "diffuse", "reflectance": paint}
        else:
            inner = {
                "type": "roughplastic", "diffuse_reflectance": paint,
                "alpha": solid.rough,
            }  # fmt: skip
        return {"type": "twosided", "inner": inner}


def _rgb(value: tuple[float, float, float]) -> dict[str, Any]:
    return {"type": "rgb", "value": list(value)}


def merged(windows: list[Window]) -> list[Window]:
    """Return windows that do not overlap, which cover all that the given ones do."""
    done: list[Window] = []
    for window in windows:
        whole = window
        while other := next((one for one in done if _overlap(whole, one)), None):
            done.remove(other)
            whole = (
                min(whole[0], other[0]), min(whole[1], other[1]),
                max(whole[2], other[2]), max(whole[3], other[3]),
            )  # fmt: skip
        done.append(whole)
    return done


def _overlap(one: Window, other: Window) -> bool:
    return (
        one[0] < other[2] and other[0] < one[2]
        and one[1] < other[3] and other[1] < one[3]
    )  # fmt: skip
