"""Draw mast and tray from ``parts.toml``: STEP to change them, STL to print them.

python hardware/cad/draw_parts.py    writes step/, stl/ and made.toml

Needs build123d (``pip install --group cad``). Each part lies as it is printed, without
supports. made.toml notes what was drawn from which sizes; tests hold the files to it.
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from build123d import (
    Align,
    Box,
    Cone,
    Cylinder,
    Face,
    Part,
    Plane,
    Polyline,
    Pos,
    Rectangle,
    RectangleRounded,
    RegularPolygon,
    Rot,
    export_step,
    export_stl,
    extrude,
    loft,
)

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from hardware.cad.box_sizes import Pair, Slot, Triple
from hardware.cad.made import Made, digest, write_made
from hardware.cad.sizes import Sizes, read_sizes

FINE_MM = 0.05
"""How far a facet may lie from the round it stands for: below what a nozzle draws."""

STEP_DATE = "2024-01-01T00:00:00"
"""The same part is the same file: the hour would change it at every run."""

ON_GROUND = (Align.CENTER, Align.CENTER, Align.MIN)
THROUGH = 1000.0


def box(size: Triple, at: Triple = (0.0, 0.0, 0.0)) -> Part:
    """Return a box; *at* is the middle of its lower side."""
    return Pos(*at) * Box(*size, align=ON_GROUND)


def post(wide: float, tall: float, at: Triple) -> Part:
    """Return a round post; *at* is the middle of its foot."""
    return Pos(*at) * Cylinder(wide / 2, tall, align=ON_GROUND)


def hole(wide: float, at: Pair) -> Part:
    """Return what a hole straight down takes away."""
    return Pos(at[0], at[1], 0) * Cylinder(wide / 2, THROUGH)


def hole_back(wide: float, at_x: float, at_z: float) -> Part:
    """Return what a hole along y, from the back to the front, takes away."""
    return Pos(at_x, 0, at_z) * Rot(90, 0, 0) * Cylinder(wide / 2, THROUGH)


def four(apart: Pair, middle: Pair = (0.0, 0.0)) -> Iterator[Pair]:
    """Yield the corners of a rectangle."""
    for x in (-apart[0] / 2, apart[0] / 2):
        for y in (-apart[1] / 2, apart[1] / 2):
            yield middle[0] + x, middle[1] + y


def slab(size: Pair, corner: float, tall: float, at_z: float = 0.0) -> Part:
    """Return a plate with round corners."""
    return Pos(0, 0, at_z) * extrude(RectangleRounded(*size, corner), tall)


def spigot(sizes: Sizes, at_z: float) -> Part:
    """Return the square plug on which the next section slides."""
    mast = sizes.mast
    outer = mast.inner - 2 * sizes.printer.play
    inner = outer - 2 * mast.spigot_wall
    tube = box((outer, outer, mast.spigot)) - box((inner, inner, mast.spigot))
    return Pos(0, 0, at_z) * tube


def section(sizes: Sizes) -> Part:
    """Return one section of the mast, its spigot up.

    The hollow narrows below the spigot at 45 degrees, which needs no support.
    """
    mast = sizes.mast
    narrow = mast.inner - 2 * sizes.printer.play - 2 * mast.spigot_wall
    cone = (mast.inner - narrow) / 2
    straight = mast.section - 2 * cone
    tube = box((mast.outer, mast.outer, mast.section))
    tube -= box((mast.inner, mast.inner, straight))
    wide, slim = Rectangle(mast.inner, mast.inner), Rectangle(narrow, narrow)
    tube -= loft([Pos(0, 0, straight) * wide, Pos(0, 0, straight + cone) * slim])
    tube -= box((narrow, narrow, 2 * cone), (0, 0, straight + cone))
    upper = mast.section - mast.cradle_from_top
    tube -= hole_back(mast.screw, mast.cradle_aside, upper)
    tube -= hole_back(mast.screw, -mast.cradle_aside, upper - mast.cradle_apart)
    return tube + spigot(sizes, mast.section)


def foot(sizes: Sizes) -> Part:
    """Return the plate that carries the mast; y = 0 is the mast's axis.

    The rod's lower nut sits in a pocket below it, and pulls at the floor of its spigot.
    """
    wide, deep, thick = sizes.foot.size
    middle = sizes.foot.front - deep / 2
    plate = box(sizes.foot.size, (0, middle, 0))
    edge = 2 * sizes.foot.screw_edge
    for at in four((wide - edge, deep - edge), (0, middle)):
        plate -= hole(sizes.foot.screw, at)
    across = sizes.mast.inner - 2 * sizes.printer.play
    solid = plate + spigot(sizes, thick)
    solid += box((across, across, sizes.rod.floor), (0, 0, thick))
    flats, pocket = sizes.rod.nut
    solid -= extrude(RegularPolygon(flats / 2, 6, major_radius=False), pocket)
    return solid - hole(sizes.rod.bore, (0, 0))


def arm(sizes: Sizes) -> Part:
    """Return the arm, lying on its side: its profile is printed flat.

    Before it is laid down, x is across, y from the mast to the lens, z up.
    """
    mast, shape = sizes.mast, sizes.arm
    half, end, under = mast.outer / 2, sizes.beam_end, shape.under
    outline = [
        (-half, 0), (half, 0), (half, under - shape.gusset),
        (half + shape.gusset, under), (end, under), (end, under + shape.tip),
        (half, shape.tall), (-half, shape.tall),
    ]  # fmt: skip
    profile = Plane.YZ * Face(Polyline(*outline, close=True).wire())
    solid = extrude(profile, mast.outer / 2, both=True)
    solid -= box((mast.inner, mast.inner, mast.spigot + 1))
    solid -= hole(sizes.rod.bore, (0, 0))
    for back in shape.screws:
        solid -= hole(shape.screw, (0, end - back))
    return Pos(0, 0, half) * Rot(0, -90, 0) * solid


def head(sizes: Sizes) -> Part:
    """Return the plate that holds the camera.

    (0, 0) is the lens, y away from the mast.
    """
    camera, shape = sizes.camera, sizes.head
    front = shape.lamp_at + shape.beyond_lamp
    plate = box(
        (shape.wide, sizes.head_long, shape.thick), (0, front - sizes.head_long / 2, 0)
    )
    far = camera.lens_edge - camera.hole_edge
    for at in four(camera.holes, (0, far - camera.holes[1] / 2)):
        plate += post(shape.boss_wide, shape.boss, (*at, shape.thick))
        plate -= hole(camera.hole, at)
    wide, long = shape.window
    plate -= box((wide, long, THROUGH), (0, long / 2 - shape.window_near, -1))
    plate -= hole(shape.lamp, (0, shape.lamp_at))
    for back in sizes.arm.screws:
        plate -= hole(sizes.arm.screw, (0, sizes.beam_end - sizes.arm.reach - back))
    return plate


def extension(sizes: Sizes) -> Part:
    """Return the bar between arm and head, lying; y away from the mast.

    Its screws are those of the arm at the one end and those of the head at the other.
    """
    long = sizes.extension_long
    bar = box((sizes.mast.outer, long, sizes.extension.thick), (0, long / 2, 0))
    for back in sizes.arm.screws:
        bar -= hole(sizes.arm.screw, (0, sizes.arm.overlap - back))
        bar -= hole(sizes.arm.screw, (0, long - back))
    return bar


def plate(sizes: Sizes) -> Part:
    """Return the plate that holds the camera on a quarter-inch screw.

    (0, 0) is the lens, y away from the screw, which comes from behind; its nut is let
    in from above.
    """
    camera, head, shape = sizes.camera, sizes.head, sizes.plate
    begin, end = sizes.plate_ends
    wide, deep, tall = shape.block
    solid = box((head.wide, end - begin, head.thick), (0, (begin + end) / 2, 0))
    far = camera.lens_edge - camera.hole_edge
    for at in four(camera.holes, (0, far - camera.holes[1] / 2)):
        solid += post(head.boss_wide, head.boss, (*at, head.thick))
        solid -= hole(camera.hole, at)
    across, long = head.window
    solid -= box((across, long, THROUGH), (0, long / 2 - head.window_near, -1))
    middle = begin + deep / 2
    solid += box((wide, deep, tall), (0, middle, 0))
    flats, thick = shape.nut
    solid -= box((flats, thick, tall), (0, middle, shape.slot))
    bore = Rot(90, 0, 0) * Cylinder(shape.bore / 2, 2 * deep)
    return solid - Pos(0, begin, shape.axis) * bore


def cradle(sizes: Sizes) -> Part:
    """Return the plate that holds the Pi at the mast's back."""
    shape = sizes.cradle
    plate = box(shape.size)
    for at in four(sizes.pi.holes):
        plate += post(shape.boss_wide, shape.boss, (*at, shape.size[2]))
        plate -= hole(sizes.pi.pilot, at)
    # Four, of which two are used: a section may be turned either way.
    for at in four((2 * sizes.mast.cradle_aside, sizes.mast.cradle_apart)):
        plate -= hole(sizes.mast.screw, at)
    return plate


def cover(sizes: Sizes) -> Part:
    """Return the cover of the Pi as it is printed: its roof lies on the bed.

    Seen so, left and right are exchanged; y is up at the mast.
    """
    shape, half = sizes.cover, sizes.pi.board[0] / 2
    low, high = sizes.cover_ends
    wide = sizes.pi.board[0] + 2 * shape.edge
    solid = box((wide, high - low, shape.roof), (0, (low + high) / 2, 0))
    wall = (wide, shape.wall, shape.roof + shape.skirt)
    solid += box(wall, (0, high - shape.wall / 2, 0))
    along, inwards = shape.header
    across = inwards + shape.edge
    solid -= box((across, along, THROUGH), (-half + inwards - across / 2, 0, -1))
    for x in shape.slots:
        solid -= box((*shape.vent, THROUGH), (x, 0, -1))
    for at in four(sizes.pi.holes):
        solid += post(shape.pillar, shape.tall, (*at, 0))
        solid -= hole(shape.bore, at)
    return solid


def case(sizes: Sizes, size: Triple, slots: tuple[Slot, ...]) -> Part:
    """Return a box without lid as it is printed: its upper side lies on the bed.

    Seen so, left and right are exchanged.
    """
    shape, (wide, deep, tall) = sizes.boxes, size
    inside = (wide - 2 * shape.wall, deep - 2 * shape.wall, tall)
    solid = box(size) - box(inside, (0, 0, shape.wall))
    for at in four((wide - shape.corner, deep - shape.corner)):
        solid += box((shape.corner, shape.corner, tall), (*at, 0))
    for at in _case_screws(sizes, size):
        solid -= post(shape.pilot, shape.pilot_deep, (*at, tall - shape.pilot_deep))
    for slot in slots:
        x, y = slot_at(slot, size, 0.0)
        through = 4 * shape.wall
        sides = (slot.wide, through) if slot.side == "back" else (through, slot.wide)
        solid -= box((*sides, slot.tall), (-x, y, tall - slot.tall))
    return solid


def slot_at(slot: Slot, size: Triple, inwards: float) -> Pair:
    """Return a place at a slot, so far from the box's outer edge, seen from above."""
    if slot.side == "back":
        return slot.at, size[1] / 2 - inwards
    sign = -1 if slot.side == "left" else 1
    return sign * (size[0] / 2 - inwards), slot.at


def lid(sizes: Sizes, size: Triple, slots: tuple[Slot, ...]) -> Part:
    """Return the lid of a box, with holes for screws and cable ties."""
    shape = sizes.boxes
    plate_ = box((size[0], size[1], shape.wall))
    for at in _case_screws(sizes, size):
        plate_ -= hole(shape.screw, at)
    for slot in slots:
        x, y = slot_at(slot, size, shape.tie_in)
        for aside in (-shape.tie_apart / 2, shape.tie_apart / 2):
            along = (aside, 0.0) if slot.side == "back" else (0.0, aside)
            plate_ -= hole(shape.tie, (x + along[0], y + along[1]))
    return plate_


def pod(sizes: Sizes) -> Part:
    """Return the box at a seat, its upper side down."""
    shape = sizes.pod
    solid = case(sizes, shape.size, shape.slots)
    solid -= hole_in_top(sizes, shape.button, shape.button_at)
    for at in shape.leds:
        solid -= hole_in_top(sizes, shape.led, at)
    return solid


def console(sizes: Sizes) -> Part:
    """Return the box of what everybody shares, its upper side down."""
    shape = sizes.console
    solid = case(sizes, shape.size, shape.slots)
    for wide, at in shape.round_holes:
        solid -= hole_in_top(sizes, wide, at)
    x, y = shape.display_at
    return solid - box((*shape.display, 2 * sizes.boxes.wall), (-x, y, 0))


def hole_in_top(sizes: Sizes, wide: float, at: Pair) -> Part:
    """Return what a round hole in a box's upper side takes away, as it is printed."""
    return post(wide, 2 * sizes.boxes.wall, (-at[0], at[1], 0))


def _case_screws(sizes: Sizes, size: Triple) -> Iterator[Pair]:
    inwards = 2 * sizes.boxes.screw_in
    return four((size[0] - inwards, size[1] - inwards))


def tray_base(sizes: Sizes) -> Part:
    """Return the tray's floor, with the recess for the felt."""
    tray = sizes.tray
    base = slab(tray.outer, tray.corner, tray.base)
    base -= slab(tray.felt_size, tray.felt_corner, tray.recess, tray.floor)
    sink = (tray.screw_head - tray.screw) / 2
    for at in _tray_screws(sizes):
        base -= hole(tray.screw, at)
        base -= Pos(*at, 0) * Cone(
            tray.screw_head / 2, tray.screw / 2, sink, align=ON_GROUND
        )
    return base


def tray_rim(sizes: Sizes) -> Part:
    """Return the tray's rim, upside down: the holes for its screws look up."""
    tray = sizes.tray
    rim = slab(tray.outer, tray.corner, tray.rim)
    rim -= slab(tray.inner, tray.inner_corner, tray.rim)
    for at in _tray_screws(sizes):
        rim -= post(tray.pilot, tray.pilot_deep, (*at, tray.rim - tray.pilot_deep))
    return rim


def _tray_screws(sizes: Sizes) -> Iterator[Pair]:
    wide, long = (side - 2 * sizes.tray.screw_in for side in sizes.tray.outer)
    return four((wide, long))


PARTS: dict[str, Callable[[Sizes], Part]] = {
    "foot": foot, "section": section, "arm": arm, "extension": extension, "head": head,
    "plate": plate, "cradle": cradle, "cover": cover, "tray-base": tray_base,
    "tray-rim": tray_rim, "console": console,
    "console-lid": lambda sizes: lid(sizes, sizes.console.size, sizes.console.slots),
    "pod": pod, "pod-lid": lambda sizes: lid(sizes, sizes.pod.size, sizes.pod.slots),
}  # fmt: skip


def main() -> int:
    """Write all parts and what they were made from; return the exit code."""
    sizes = read_sizes()
    made = []
    for name, draw in PARTS.items():
        part = draw(sizes)
        assert len(part.solids()) == 1, f"{name} falls into pieces"
        step, stl = HERE / "step" / f"{name}.step", HERE / "stl" / f"{name}.stl"
        export_step(part, step, timestamp=STEP_DATE)
        export_stl(part, stl, tolerance=FINE_MM, angular_tolerance=0.3)
        low, high = part.bounding_box().min, part.bounding_box().max
        size = tuple(round(far - near, 3) for near, far in zip(low, high, strict=True))
        made.append(Made(name, size, round(part.volume, 1), digest(step), digest(stl)))
    write_made(sizes, made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
