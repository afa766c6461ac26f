"""What the guide's pictures show: the printed parts put together, and what they carry.

x runs to the left as you sit in front of the table, y from the mast towards you, z up;
the origin is the mast's axis on the board.
"""

from collections.abc import Iterator

import cv2
import numpy as np

from hardware.cad.box_sizes import Console, Pair, Pod, Triple
from hardware.cad.mesh import Triangles, box, moved, post, read_stl, turned
from hardware.cad.render import Bgr, Body
from hardware.cad.sizes import HERE, Sizes
from vision.mat.mat import CELLS, INK, Layout, RectMm

PLASTIC: Bgr = (176, 150, 92)
SECOND: Bgr = (120, 170, 205)
BOARD: Bgr = (90, 140, 60)
WOOD: Bgr = (150, 185, 214)
METAL: Bgr = (170, 170, 170)
BLACK: Bgr = (40, 40, 40)
FELT: Bgr = (70, 95, 60)
WHITE: Bgr = (252, 252, 252)

SHEET_MM = 0.2
BOARD_MM = 1.6


def part(name: str) -> Triangles:
    """Return a part as it is printed."""
    return read_stl(HERE / "stl" / f"{name}.stl")


def seat_mast(sizes: Sizes, sections: int, apart: float = 0.0) -> list[Body]:
    """Return foot, sections, arm and rod; *apart* is the gap between them, mm."""
    bodies = [Body(part("foot"), PLASTIC)]
    at_z = sizes.foot.size[2] + apart
    for number in range(sections):
        colour = SECOND if number % 2 == 0 else PLASTIC
        bodies.append(Body(moved(part("section"), (0, 0, at_z)), colour))
        at_z += sizes.mast.section + apart
    bodies.append(Body(moved(upright_arm(sizes), (0, 0, at_z)), PLASTIC))
    return [*bodies, *rod(sizes, at_z + sizes.arm.tall, apart)]


def rod(sizes: Sizes, top: float, apart: float = 0.0) -> list[Body]:
    """Return the threaded rod up through the mast, with what is on the arm at *top*."""
    wide, thick = sizes.rod.washer
    washer = post((0, 0, top + apart / 2), wide / 2, thick)
    nut_z = top + thick + apart * 3 / 4
    nut = post((0, 0, nut_z), sizes.rod.nut[0] / 2, sizes.rod.nut_tall)
    end = top + thick + sizes.rod.nut_tall + 2.0 + apart
    return [Body(one, METAL) for one in (washer, nut, post((0, 0, 1.0), 3.0, end))]


def upright_arm(sizes: Sizes) -> Triangles:
    """Return the arm as it is used: printed on its side, it is turned upright."""
    return moved(part("arm"), (-sizes.mast.outer / 2, 0, 0), turned("y", 90))


def top_of(sizes: Sizes, sections: int) -> float:
    """Return how high the last section ends."""
    return sizes.foot.size[2] + sections * sizes.mast.section


def extended_arm(sizes: Sizes, apart: float = 0.0) -> list[Body]:
    """Return arm, extension and head with the camera; z = 0 is the mast's top.

    *apart* is the gap between them, mm.
    """
    bar_z = sizes.arm.under - sizes.extension.thick - apart
    bar = moved(part("extension"), (0, sizes.beam_end - sizes.arm.overlap, bar_z))
    head_z = bar_z - sizes.head.thick - apart
    lens_y = sizes.arm.reach + sizes.extension.long
    return [
        Body(upright_arm(sizes), PLASTIC), Body(bar, METAL),
        *_shifted(camera(sizes), (0, lens_y, head_z)),
    ]  # fmt: skip


def camera(sizes: Sizes, drop: float = 0.0, on: str = "head") -> list[Body]:
    """Return head and camera; (0, 0) is the lens, z = 0 the head's lower side.

    *drop* lifts the camera off its bosses; *on* is the part that holds it.
    """
    shape, module = sizes.head, sizes.camera
    low = shape.thick + shape.boss + drop
    far, wide = module.lens_edge, module.board[0] / 2
    board = box((-wide, far - module.board[1], low), (wide, far, low + 1.0))
    plug = box((-10.5, far - module.board[1], low + 1), (10.5, -4.0, low + 3.8))
    lens = box((-5.5, -5.5, low - 4.0), (5.5, 5.5, low))
    rim = post((0, 0, low - module.lens_tall), 4.5, module.lens_tall - 4.0)
    return [
        Body(part(on), SECOND), Body(board, BOARD), Body(plug, BLACK),
        Body(lens, BLACK), Body(rim, BLACK),
    ]  # fmt: skip


def boxed(sizes: Sizes, name: str, apart: float = 0.0) -> list[Body]:
    """Return a box with its upper side up and its lid below; *apart* is the gap, mm."""
    tall = (sizes.console if name == "console" else sizes.pod).size[2]
    upright = moved(part(name), (0, 0, tall), turned("y", 180))
    down = -sizes.boxes.wall - apart
    return [
        Body(upright, PLASTIC), Body(moved(part(f"{name}-lid"), (0, 0, down)), SECOND),
    ]  # fmt: skip


def wired(sizes: Sizes, name: str) -> list[Body]:
    """Return a box on its upper side, as it is printed, with what sits in it.

    Seen so, left and right are exchanged.
    """
    inner = _in_pod(sizes.pod) if name == "pod" else _in_console(sizes.console)
    up = sizes.boxes.wall
    return [
        Body(part(name), PLASTIC),
        *(Body(moved(one.triangles, (0, 0, up)), one.colour) for one in inner),
    ]


def _in_pod(pod: Pod) -> Iterator[Body]:
    yield from _button(pod.button_at)
    yield _lying((0.0, pod.led_at), (4 * pod.led_apart, 10.0, 1.0), WHITE)
    for at in pod.leds:
        yield _lying(at, (5.0, 5.0, 2.4), METAL)


def _in_console(console: Console) -> Iterator[Body]:
    for wide, at in console.round_holes:
        if wide == console.button:
            yield from _button(at)
        elif wide == console.lamp:
            yield _standing(at, 5.8, 8.0, SECOND)
        elif wide == console.knob:
            yield _lying(at, (12.5, 13.5, 7.0), METAL)
        else:
            yield _standing(at, 12.0, 7.0, BLACK)
    yield _lying(console.display_at, (27.5, 28.0, 2.0), BOARD)


def _button(at: Pair) -> Iterator[Body]:
    yield _standing(at, 28.0, 5.0, SECOND)
    yield _standing(at, 22.0, 24.0, BLACK)


def _standing(at: Pair, wide: float, tall: float, ink: Bgr) -> Body:
    return Body(post((-at[0], at[1], 0.0), wide / 2, tall), ink)


def _lying(at: Pair, size: Triple, ink: Bgr) -> Body:
    (x, y), (wide, deep, tall) = at, size
    low, high = (-x - wide / 2, y - deep / 2, 0.0), (-x + wide / 2, y + deep / 2, tall)
    return Body(box(low, high), ink)


def cradled_pi(sizes: Sizes, apart: float = 0.0, *, covered: bool = True) -> list[Body]:
    """Return cradle, Pi and cover at the mast's back; z = 0 is the cradle's middle.

    *apart* is the gap between them, mm.
    """
    back = turned("x", 90)
    thick, boss = sizes.cradle.size[2], sizes.cradle.boss
    face = -sizes.mast.outer / 2 - apart
    half = sizes.pi.board[0] / 2
    low, high = sizes.pi_ends
    at = thick + boss + apart
    board = box((-half, low, at), (half, high, at + BOARD_MM))
    top = at + BOARD_MM
    sockets = [
        box((-26.0 + 18 * i, low - 2, top), (-11.0 + 18 * i, low + 17, top + 14))
        for i in range(3)
    ]
    header = box((half - 6, -25.4, top), (half - 1, 25.4, top + 8.5))
    cooler = box((-22.0, low + 30, top), (18.0, low + 74, top + 10))
    bodies = [
        Body(part("cradle"), SECOND), Body(board, BOARD), Body(header, BLACK),
        Body(cooler, METAL), *(Body(one, METAL) for one in sockets),
    ]  # fmt: skip
    if covered:
        # Printed on its roof, it is turned over the Pi.
        roof = (0.0, 0.0, top + apart + sizes.cover.tall)
        bodies.append(Body(moved(part("cover"), roof, turned("y", 180)), PLASTIC))
    return [
        Body(moved(body.triangles, (0, face, 0), back), body.colour) for body in bodies
    ]


def tray(sizes: Sizes, apart: float = 0.0) -> list[Body]:
    """Return base, felt and rim; *apart* is the gap between them, mm."""
    shape = sizes.tray
    wide, long = (side / 2 for side in shape.felt_size)
    # Corners are cut with scissors, straight.
    cut = shape.felt_corner * 0.6
    flat = [(-wide + cut, -long), (wide - cut, -long), (wide, -long + cut),
            (wide, long - cut), (wide - cut, long), (-wide + cut, long),
            (-wide, long - cut), (-wide, -long + cut)]  # fmt: skip
    low = shape.floor + apart
    felt = sheet(flat, low + shape.recess)
    rim = moved(part("tray-rim"), (0, 0, shape.rim), turned("x", 180))
    up = shape.base + 2 * apart
    return [
        Body(part("tray-base"), PLASTIC),
        Body(felt, FELT),
        Body(moved(rim, (0, 0, up)), SECOND),
    ]


def sheet(outline: list[tuple[float, float]], at_z: float) -> Triangles:
    """Return a flat polygon without holes or dents."""
    points = np.array([(*point, at_z) for point in outline], float)
    fan = [(points[0], points[i], points[i + 1]) for i in range(1, len(points) - 1)]
    return np.array(fan)


def laid_mat(sizes: Sizes, mat: Layout) -> list[Body]:
    """Return a printed mat in its place before the mast."""
    width, height = mat.size_mm
    bodies = [_paper(sizes, mat, (0.0, 0.0, width, height), WHITE, SHEET_MM)]
    book = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    for marker in mat.markers:
        black = cv2.aruco.generateImageMarker(book, marker.number, CELLS) == 0
        (left, top), _, (right, _), _ = marker.corners
        cell = (right - left) / CELLS
        cells = [
            _paper(sizes, mat, (left + column * cell, top + row * cell,
                   left + (column + 1) * cell, top + (row + 1) * cell),
                   BLACK, 2 * SHEET_MM).triangles
            for row, column in np.argwhere(black)
        ]  # fmt: skip
        bodies.append(Body(np.concatenate(cells), BLACK))
    for patch in mat.patches:
        (left, top), _, (right, bottom), _ = patch.corners
        ink = INK[patch.shade][::-1]
        bodies.append(_paper(sizes, mat, (left, top, right, bottom), ink, 2 * SHEET_MM))
    return bodies


def at_mat(
    sizes: Sizes, mat: Layout, point: tuple[float, float]
) -> tuple[float, float]:
    """Return (x, y) of a point of *mat*: its middle lies below the lens."""
    width, height = mat.size_mm
    return width / 2 - point[0], sizes.arm.reach - height / 2 + point[1]


def _paper(sizes: Sizes, mat: Layout, rect: RectMm, colour: Bgr, at_z: float) -> Body:
    left, top = at_mat(sizes, mat, rect[:2])
    right, bottom = at_mat(sizes, mat, rect[2:])
    corners = [(left, top), (left, bottom), (right, bottom), (right, top)]
    return Body(sheet(corners, at_z), colour)


def whole_table(sizes: Sizes, mat: Layout) -> list[Body]:
    """Return the finished table with *mat* and the tray on it."""
    sections = sizes.mast.sections[mat.name]
    height = top_of(sizes, sections) + sizes.arm.under - sizes.head.thick
    width, deep = mat.size_mm[0] / 2 + 15, sizes.arm.reach + mat.size_mm[1] / 2 + 15
    behind = sizes.foot.front - sizes.foot.size[1] - 15
    wood = box((-width, behind, -12.0), (width, deep, 0.0))
    left, top, right, bottom = mat.field_mm
    middle = at_mat(sizes, mat, ((left + right) / 2, (top + bottom) / 2))
    cradle_z = cradle_height(sizes, sections)
    return [
        Body(wood, WOOD),
        *laid_mat(sizes, mat),
        *seat_mast(sizes, sections),
        *_shifted(camera(sizes), (0, sizes.arm.reach, height)),
        *_shifted(cradled_pi(sizes), (0, 0, cradle_z)),
        *_shifted(tray(sizes), (*middle, 2 * SHEET_MM)),
    ]


def cradle_height(sizes: Sizes, sections: int) -> float:
    """Return how high the cradle's middle is: at the last section but one."""
    mast = sizes.mast
    down = mast.cradle_from_top + mast.cradle_apart / 2
    return top_of(sizes, sections - 1) - down


def _shifted(bodies: list[Body], by: tuple[float, float, float]) -> list[Body]:
    return [Body(moved(body.triangles, by), body.colour) for body in bodies]
