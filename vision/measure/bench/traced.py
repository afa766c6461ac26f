"""A second renderer: dice and cards path-traced by Mitsuba, which taught nothing.

Soft shadows, glances of the lamp, light from one die on the next: what our own drawings
lack. No limit was chosen on these pictures. Needs ``pip install --group traced``.
"""

import importlib
from types import ModuleType
from typing import Any, NamedTuple

import cv2
import numpy as np
from msgspec import Struct

from vision.arrays import Floats, Picture

WIDTH_PX, HEIGHT_PX = 1280, 720
FIELD_DEG = 38.0
"""From the left to the right edge of the picture."""

_RAYS = 24
"""A pixel; what noise they leave is like a small camera's at dusk."""

_FACE_PX = 160
_STEPS = np.concatenate([np.linspace(0, 0.2, 7), np.linspace(0.8, 1, 7)]) - 0.5
"""Where the mesh of a face is cut: close together where it is round."""

_PIPS = {
    1: ((0.0, 0.0),),
    2: ((-1.0, -1.0), (1.0, 1.0)),
    3: ((-1.0, -1.0), (0.0, 0.0), (1.0, 1.0)),
    4: ((-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)),
    5: ((-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0), (0.0, 0.0)),
    6: tuple((x, y) for x in (-1.0, 1.0) for y in (-1.0, 0.0, 1.0)),
}
AXES = np.array(
    [
        # Outwards, to the right and upwards, of the faces 1 to 6.
        [[0, 0, 1], [1, 0, 0], [0, 1, 0]],
        [[0, -1, 0], [1, 0, 0], [0, 0, 1]],
        [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
        [[-1, 0, 0], [0, -1, 0], [0, 0, 1]],
        [[0, 1, 0], [-1, 0, 0], [0, 0, 1]],
        [[0, 0, -1], [1, 0, 0], [0, -1, 0]],
    ],
    np.float32,
)


class TracedDieLook(Struct, frozen=True):
    """How dice of one colour look: body and pips as RGB of 0 to 1."""

    body: tuple[float, float, float]
    pips: tuple[float, float, float]
    rounding: float = 0.14
    shine: float = 0.25


DICE = (
    TracedDieLook((0.85, 0.84, 0.80), (0.03, 0.03, 0.03)),
    TracedDieLook((0.04, 0.04, 0.05), (0.85, 0.85, 0.85), shine=0.2),
    TracedDieLook((0.55, 0.03, 0.04), (0.86, 0.86, 0.84)),
    TracedDieLook((0.03, 0.08, 0.45), (0.86, 0.86, 0.84), rounding=0.2),
    TracedDieLook((0.02, 0.30, 0.10), (0.86, 0.86, 0.84)),
    TracedDieLook((0.80, 0.68, 0.42), (0.12, 0.02, 0.02), rounding=0.08),
)

GROUNDS = (
    (0.03, 0.12, 0.06),
    (0.30, 0.18, 0.09),
    (0.30, 0.30, 0.31),
    (0.05, 0.06, 0.15),
)


class TracedPosition(NamedTuple):
    """A die or card on the table; lengths in mm, y away from the camera."""

    x_mm: float
    y_mm: float
    turn_deg: float


class TracedCard(NamedTuple):
    """A card that lies on the table with its picture, BGR."""

    at: TracedPosition
    picture: Picture
    width_mm: float = 63.0
    height_mm: float = 88.0


class TracedDie(NamedTuple):
    """A die that lies on the table with a face on top."""

    at: TracedPosition
    face: int
    look: TracedDieLook
    width_mm: float = 16.0


class TracedScene(NamedTuple):
    """What is traced: things under a lamp, seen from *eye_mm* (the table is z = 0)."""

    dice: tuple[TracedDie, ...]
    cards: tuple[TracedCard, ...]
    ground: tuple[float, float, float]
    eye_mm: tuple[float, float, float]
    lamp_mm: tuple[float, float, float]
    seed: int


def mitsuba() -> ModuleType | None:
    """Return the renderer, None where it is not installed."""
    try:
        module = importlib.import_module("mitsuba")
    except ImportError:
        return None
    module.set_variant("scalar_rgb")
    return module


def trace(mi: Any, scene: TracedScene) -> Picture:
    """Return the scene as a camera of WIDTH_PX x HEIGHT_PX sees it, uint8, BGR."""
    to_world = mi.ScalarTransform4f
    parts: dict[str, Any] = {
        "type": "scene",
        "integrator": {"type": "path", "max_depth": 5},
        "sensor": {
            "type": "perspective",
            "fov": FIELD_DEG,
            "to_world": to_world().look_at(
                origin=scene.eye_mm, target=(0, 0, 0), up=(0, 1, 0)
            ),
            "film": {
                "type": "hdrfilm", "width": WIDTH_PX, "height": HEIGHT_PX,
                "rfilter": {"type": "gaussian"},
            },
            "sampler": {
                "type": "independent", "sample_count": _RAYS, "seed": scene.seed,
            },
        },
        "sky": {"type": "constant", "radiance": 0.45},
        "lamp": {
            "type": "rectangle",
            "to_world": to_world().look_at(
                origin=scene.lamp_mm, target=(0, 0, 0), up=(0, 1, 0.01)
            ).scale(70),
            "emitter": {"type": "area", "radiance": {
                "type": "rgb", "value": (26.0, 24.5, 22.0)}},
        },
        "ground": {
            "type": "rectangle",
            "to_world": to_world().scale(600),
            "bsdf": _printed_surface(mi, _cloth(scene), shine=None),
        },
    }  # fmt: skip
    for number, die in enumerate(scene.dice):
        parts[f"die{number}"] = _die(mi, die)
    for number, card in enumerate(scene.cards):
        x, y, turn = card.at
        parts[f"card{number}"] = {
            "type": "rectangle",
            "to_world": to_world().translate((x, y, 0.4)).rotate((0, 0, 1), turn)
            .scale((card.width_mm / 2, card.height_mm / 2, 1)),
            "bsdf": _printed_surface(mi, card.picture[::-1, :, ::-1], shine=0.3),
        }  # fmt: skip
    light = np.array(mi.render(mi.load_dict(parts)), np.float32)[:, :, :3]
    return _develop(light, scene.seed)


def _printed_surface(mi: Any, picture: Picture, shine: float | None) -> dict[str, Any]:
    """Return a surface with a picture ``(h, w, 3)``, RGB; glossy with a *shine*."""
    paint = {
        "type": "bitmap",
        "bitmap": mi.Bitmap(np.ascontiguousarray(picture)),
        "filter_type": "bilinear",
    }
    if shine is None:
        return {"type": "diffuse", "reflectance": paint}
    return {"type": "roughplastic", "diffuse_reflectance": paint, "alpha": shine}


def _cloth(scene: TracedScene) -> Picture:
    """Return the table's cover, RGB, uneven in patches and threads."""
    chance = np.random.default_rng(scene.seed)
    patches = cv2.resize(chance.normal(0, 1, (24, 24)), (700, 700))
    threads = chance.normal(0, 1, (700, 700))
    uneven = 1 + 0.10 * patches + 0.12 * threads
    linear = np.array(scene.ground) * uneven[:, :, None]
    return np.asarray(255 * np.clip(linear, 0, 1) ** (1 / 2.2), np.uint8)


def _die(mi: Any, die: TracedDie) -> Any:
    """Return the mesh of a die: a rounded cube with a picture on each face."""
    points, normals, prints, triangles = rounded_cube(die.look.rounding)
    out, right, up = AXES[die.face - 1]
    angle = np.radians(die.at.turn_deg)
    spin = np.array(
        [[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0],
         [0, 0, 1]]
    )  # fmt: skip
    turn = spin @ np.stack([right, up, out])
    at = (die.at.x_mm, die.at.y_mm, die.width_mm / 2)
    props = mi.Properties()
    props["mesh_bsdf"] = mi.load_dict(
        _printed_surface(mi, paint_faces(die.look), die.look.shine)
    )
    mesh = mi.Mesh(
        "die", len(points), len(triangles), props=props,
        has_vertex_normals=True, has_vertex_texcoords=True,
    )  # fmt: skip
    parts = mi.traverse(mesh)
    parts["vertex_positions"] = np.ravel(points @ turn.T * die.width_mm + at)
    parts["vertex_normals"] = np.ravel(normals @ turn.T)
    parts["vertex_texcoords"] = np.ravel(prints)
    parts["faces"] = np.ravel(triangles)
    parts.update()
    return mesh


def rounded_cube(rounding: float) -> tuple[Floats, Floats, Floats, Floats]:
    """Return points, normals, places in the atlas and triangles of a unit cube."""
    count = len(_STEPS)
    x, y = (grid.ravel() for grid in np.meshgrid(_STEPS, _STEPS))
    points, prints, triangles = [], [], []
    for number, (out, right, up) in enumerate(AXES):
        flat = 0.5 * out + x[:, None] * right + y[:, None] * up
        points.append(flat)
        prints.append(np.stack([(number + x + 0.5) / 6, y + 0.5], 1))
        corner = np.add.outer(np.arange(count - 1) * count, np.arange(count - 1))
        corner = corner.ravel() + number * count * count
        triangles += [
            np.stack([corner, corner + 1, corner + count + 1], 1),
            np.stack([corner, corner + count + 1, corner + count], 1),
        ]
    cube = np.concatenate(points)
    inner = np.clip(cube, rounding - 0.5, 0.5 - rounding)
    normals = cube - inner
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return (
        inner + rounding * normals, normals, np.concatenate(prints),
        np.concatenate(triangles),
    )  # fmt: skip


def paint_faces(look: TracedDieLook) -> Picture:
    """Return the six faces side by side ``(h, 6 h, 3)``, uint8, RGB."""
    faces = []
    for face in range(1, 7):
        cover = np.zeros((4 * _FACE_PX, 4 * _FACE_PX), np.uint8)
        middle, reach = 2 * _FACE_PX, _FACE_PX
        for x, y in _PIPS[face]:
            at = (round(middle + reach * x), round(middle + reach * y))
            cv2.circle(cover, at, round(0.36 * _FACE_PX), 255, -1)
        share = cv2.resize(cover, (_FACE_PX, _FACE_PX), interpolation=cv2.INTER_AREA)
        part = share[:, :, None].astype(np.float32) / 255
        faces.append((1 - part) * np.array(look.body) + part * np.array(look.pips))
    linear = np.concatenate(faces, 1)
    return np.asarray(255 * np.clip(linear, 0, 1) ** (1 / 2.2), np.uint8)


def _develop(light: Floats, seed: int) -> Picture:
    """Return light ``(h, w, 3)``, RGB, as a camera keeps it: exposed, noisy, packed."""
    chance = np.random.default_rng(seed)
    gain = 0.2 / max(float(light.mean()), 1e-6)
    exposed = np.clip(light[:, :, ::-1] * gain, 0, 1) ** (1 / 2.2)
    soft = cv2.GaussianBlur(exposed, (0, 0), float(chance.uniform(0.6, 1.1)))
    noisy = 255 * soft + chance.normal(0, 2.0, soft.shape)
    picture = np.asarray(np.clip(noisy, 0, 255), np.uint8)
    kept = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 88])[1]
    return np.asarray(cv2.imdecode(kept, cv2.IMREAD_COLOR), np.uint8)
