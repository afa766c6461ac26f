"""Mast and tray: the committed parts are whole and as large as their sizes say.

Needs no CAD program: the STL files are read as triangles, and what they should measure
is reckoned from parts.toml.
"""

from math import pi

import numpy as np
import pytest
from msgspec.structs import replace

from hardware.cad.made import MADE, digest, digest_of, read_made
from hardware.cad.mesh import NotAPart, extent, open_edges, read_stl, volume
from hardware.cad.sizes import (
    HERE,
    SizesWrong,
    faults_of,
    read_sizes,
)

SIZES = read_sizes()
NAMES = (
    "foot", "section", "arm", "extension", "head", "plate", "cradle", "cover",
    "tray-base", "tray-rim", "console", "console-lid", "pod", "pod-lid",
)  # fmt: skip


def part(name):
    return read_stl(HERE / "stl" / f"{name}.stl")


def expected_size(name):
    mast, tray, arm, head = SIZES.mast, SIZES.tray, SIZES.arm, SIZES.head
    wide, deep, thick = SIZES.foot.size
    # 8 mm to the plug, 9.5 from there to the lens, 26 below the beam before, and
    # 20.5 + 5.5 with the lamp behind: 69.5 mm.
    plug = SIZES.camera.board[1] - SIZES.camera.lens_edge
    behind = arm.overlap + head.to_plug + plug
    return {
        "foot": (wide, deep, thick + mast.spigot),
        "section": (mast.outer, mast.outer, mast.section + mast.spigot),
        # On its side: from the mast's back to the end of the beam.
        "arm": (arm.tall, mast.outer / 2 + arm.reach - plug - head.to_plug, mast.outer),
        "head": (head.wide, behind + head.lamp_at + head.beyond_lamp,
                 head.thick + head.boss),
        # 148 mm farther, and 26 below the arm.
        "extension": (mast.outer, SIZES.extension.long + arm.overlap,
                      SIZES.extension.thick),
        # A block of 16 mm, 8 mm to the plug, 9.5 from there to the lens, 14.5 to the
        # board's other edge and 3 beyond.
        "plate": (head.wide, SIZES.plate.block[1] + head.to_plug + plug
                  + SIZES.camera.lens_edge + SIZES.plate.edge, SIZES.plate.block[2]),
        "cradle": (*SIZES.cradle.size[:2], SIZES.cradle.size[2] + SIZES.cradle.boss),
        # The Pi's 56 x 85 mm and 1 mm more on each side, 2 mm of wall at the card's; a
        # roof of 2.4 mm, 18 mm above the board.
        "cover": (SIZES.pi.board[0] + 2 * SIZES.cover.edge,
                  SIZES.pi.board[1] + 2 * SIZES.cover.edge + SIZES.cover.wall,
                  SIZES.cover.roof + SIZES.cover.inside),
        "tray-base": (*tray.outer, tray.floor + tray.felt - tray.squeeze),
        "tray-rim": (*tray.outer, tray.rim),
        "console": SIZES.console.size,
        "console-lid": (*SIZES.console.size[:2], SIZES.boxes.wall),
        "pod": SIZES.pod.size,
        "pod-lid": (*SIZES.pod.size[:2], SIZES.boxes.wall),
    }[name]  # fmt: skip


def rounded(size, corner):
    return size[0] * size[1] - (4 - pi) * corner**2


def disc(wide):
    return pi / 4 * wide**2


def spigot():
    mast = SIZES.mast
    outer = mast.inner - 2 * SIZES.printer.play
    inner = outer - 2 * mast.spigot_wall
    return (outer**2 - inner**2) * mast.spigot, inner


def foot_volume():
    (wide, deep, thick), rod = SIZES.foot.size, SIZES.rod
    plug, inner = spigot()
    plate = (wide * deep - 4 * disc(SIZES.foot.screw)) * thick
    # A hexagon of 10.3 mm across flats is 0.866 of their square large; the pocket is as
    # deep as the plate, and from there the bore goes through the floor.
    flats, pocket = rod.nut
    assert pocket == thick
    floor = (inner**2 - disc(rod.bore)) * rod.floor
    return plate + plug + floor - np.sqrt(0.75) * flats**2 * pocket


def section_volume():
    mast = SIZES.mast
    plug, narrow = spigot()
    cone = (mast.inner - narrow) / 2
    # A hollow, a frustum, and a narrow hollow as long as the frustum.
    hollow = mast.inner**2 * (mast.section - 2 * cone) + narrow**2 * cone
    hollow += cone / 3 * (mast.inner**2 + mast.inner * narrow + narrow**2)
    # Two holes for the cradle, each through two walls.
    holes = 2 * disc(mast.screw) * (mast.outer - mast.inner)
    return mast.outer**2 * mast.section - hollow - holes + plug


def arm_volume():
    mast, arm = SIZES.mast, SIZES.arm
    block = mast.outer * arm.tall
    long = expected_size("arm")[1] - mast.outer
    profile = block + long * (arm.beam + arm.tip) / 2 + arm.gusset**2 / 2
    socket = mast.inner**2 * (mast.spigot + 1)
    bore = disc(SIZES.rod.bore) * (arm.tall - mast.spigot - 1)
    slope = (arm.beam - arm.tip) / long
    down = sum(disc(arm.screw) * (arm.tip + slope * back) for back in arm.screws)
    return profile * mast.outer - socket - bore - down


def head_volume():
    head, camera, arm = SIZES.head, SIZES.camera, SIZES.arm
    wide, long, _ = expected_size("head")
    flat = wide * long - head.window[0] * head.window[1] - disc(head.lamp)
    flat -= 4 * disc(camera.hole) + len(arm.screws) * disc(arm.screw)
    bosses = 4 * (disc(head.boss_wide) - disc(camera.hole)) * head.boss
    return flat * head.thick + bosses


def extension_volume():
    wide, long, thick = expected_size("extension")
    return (wide * long - 2 * len(SIZES.arm.screws) * disc(SIZES.arm.screw)) * thick


def plate_volume():
    head, shape, camera = SIZES.head, SIZES.plate, SIZES.camera
    wide, long, _ = expected_size("plate")
    across, deep, tall = shape.block
    flat = wide * long - head.window[0] * head.window[1] - 4 * disc(camera.hole)
    bosses = 4 * (disc(head.boss_wide) - disc(camera.hole)) * head.boss
    block = across * deep * (tall - head.thick)
    flats, thick = shape.nut
    slot = flats * thick * (tall - shape.slot)
    # The bore goes through the block's two walls; between them is the slot.
    bore = disc(shape.bore) * (deep - thick)
    return flat * head.thick + bosses + block - slot - bore


def cradle_volume():
    wide, long, thick = SIZES.cradle.size
    flat = wide * long - 4 * disc(SIZES.pi.pilot) - 4 * disc(SIZES.mast.screw)
    boss = disc(SIZES.cradle.boss_wide) - disc(SIZES.pi.pilot)
    return flat * thick + 4 * boss * SIZES.cradle.boss


def cover_volume():
    shape = SIZES.cover
    wide, long, tall = expected_size("cover")
    along, inwards = shape.header
    flat = wide * long - along * (inwards + shape.edge)
    flat -= shape.vents * shape.vent[0] * shape.vent[1] + 4 * disc(shape.bore)
    pillars = 4 * (disc(shape.pillar) - disc(shape.bore)) * (tall - shape.roof)
    return flat * shape.roof + pillars + wide * shape.wall * shape.skirt


def base_volume():
    tray = SIZES.tray
    sink = (tray.screw_head - tray.screw) / 2
    # A countersink is a frustum less the hole that it widens.
    head, shaft = tray.screw_head, tray.screw
    cone = pi / 12 * sink * (head**2 + head * shaft + shaft**2) - disc(shaft) * sink
    slab = rounded(tray.outer, tray.corner) * tray.base
    felt = rounded(tray.felt_size, tray.felt_corner) * tray.recess
    return slab - felt - 4 * (disc(shaft) * tray.base + cone)


def rim_volume():
    tray = SIZES.tray
    ring = rounded(tray.outer, tray.corner) - rounded(tray.inner, tray.inner_corner)
    return ring * tray.rim - 4 * disc(tray.pilot) * tray.pilot_deep


def case_volume(size, slots, in_top):
    shape, (wide, deep, tall) = SIZES.boxes, size
    wall = shape.wall
    inside = (wide - 2 * wall) * (deep - 2 * wall) * (tall - wall)
    blocks = 4 * (shape.corner - wall) ** 2 * (tall - wall)
    pilots = 4 * disc(shape.pilot) * shape.pilot_deep
    cuts = sum(slot.wide * slot.tall * wall for slot in slots)
    return wide * deep * tall - inside + blocks - pilots - cuts - in_top * wall


def lid_volume(size, slots):
    shape = SIZES.boxes
    holes = 4 * disc(shape.screw) + 2 * len(slots) * disc(shape.tie)
    return (size[0] * size[1] - holes) * shape.wall


def console_volume():
    shape = SIZES.console
    in_top = 4 * disc(shape.button) + 4 * disc(shape.lamp) + disc(shape.knob)
    in_top += disc(shape.buzzer) + shape.display[0] * shape.display[1]
    return case_volume(shape.size, shape.slots, in_top)


def pod_volume():
    shape = SIZES.pod
    in_top = disc(shape.button) + 4 * disc(shape.led)
    return case_volume(shape.size, shape.slots, in_top)


VOLUMES = {
    "foot": foot_volume, "section": section_volume, "arm": arm_volume,
    "extension": extension_volume, "head": head_volume, "plate": plate_volume,
    "cradle": cradle_volume, "cover": cover_volume, "tray-base": base_volume,
    "tray-rim": rim_volume, "console": console_volume, "pod": pod_volume,
    "console-lid": lambda: lid_volume(SIZES.console.size, SIZES.console.slots),
    "pod-lid": lambda: lid_volume(SIZES.pod.size, SIZES.pod.slots),
}  # fmt: skip


class TestThePartsInTheRepository:
    def test_each_part_has_both_files_and_no_file_is_left_over(self):
        assert tuple(one.name for one in read_made().part) == NAMES
        for folder, ending in (("step", ".step"), ("stl", ".stl")):
            names = sorted(path.name for path in (HERE / folder).iterdir())
            assert names == sorted(f"{name}{ending}" for name in NAMES)

    def test_they_were_drawn_from_the_sizes_as_they_are_now(self):
        again = "run python hardware/cad/draw_parts.py"
        assert read_made().sizes == digest_of(SIZES), again

    def test_a_changed_size_is_noticed_and_a_changed_comment_is_not(self, tmp_path):
        text = (HERE / "parts.toml").read_text("utf-8")
        other = tmp_path / "parts.toml"
        other.write_text("# A word more.\n" + text, "utf-8")
        assert digest_of(read_sizes(other)) == digest_of(SIZES)

        other.write_text(text.replace("rim = 20.0", "rim = 19.0"), "utf-8")
        assert digest_of(read_sizes(other)) != digest_of(SIZES)

    @pytest.mark.parametrize("made", read_made().part, ids=lambda made: made.name)
    def test_nobody_changed_a_file_by_hand(self, made):
        assert digest(HERE / "step" / f"{made.name}.step") == made.step
        assert digest(HERE / "stl" / f"{made.name}.stl") == made.stl

    @pytest.mark.parametrize("name", NAMES)
    def test_a_part_is_closed(self, name):
        assert open_edges(part(name)) == 0

    @pytest.mark.parametrize("name", NAMES)
    def test_a_part_is_as_large_as_its_sizes_say(self, name):
        low, high = extent(part(name))

        assert high - low == pytest.approx(expected_size(name), abs=0.01)
        assert low[2] == pytest.approx(0.0, abs=0.001)

    @pytest.mark.parametrize("name", NAMES)
    def test_a_part_has_the_volume_that_its_sizes_say(self, name):
        (made,) = (one for one in read_made().part if one.name == name)

        # The exact solid; its triangles cut the rounds a little short.
        assert made.volume == pytest.approx(VOLUMES[name](), rel=1e-4)
        assert volume(part(name)) == pytest.approx(made.volume, rel=0.002)

    @pytest.mark.parametrize("name", NAMES)
    def test_the_step_file_holds_the_same_part(self, name):
        points = corners_of((HERE / "step" / f"{name}.step").read_text("ascii"))
        low, high = extent(part(name))

        # The arm's corners stand upright there; that it lies is a placement.
        reach = sorted(points.max(0) - points.min(0))
        assert reach == pytest.approx(sorted(high - low), abs=0.01)

    @pytest.mark.parametrize("name", NAMES)
    def test_a_part_fits_the_print_bed(self, name):
        low, high = extent(part(name))

        assert (high - low <= np.array(SIZES.printer.bed)).all()
        assert SIZES.printer.bed == (220.0, 220.0, 250.0)

    def test_a_file_that_is_cut_short_is_told(self, tmp_path):
        whole = (HERE / "stl" / "foot.stl").read_bytes()
        (tmp_path / "foot.stl").write_bytes(whole[:-20])

        with pytest.raises(NotAPart, match="draw_parts"):
            read_stl(tmp_path / "foot.stl")

    def test_a_missing_triangle_leaves_three_open_edges(self):
        assert open_edges(part("foot")[1:]) == 3


def corners_of(step):
    """Return the corners ``(N, 3)`` of a solid in a STEP file.

    Source: ISO 10303-21: ``#7=VERTEX_POINT('',#8); #8=CARTESIAN_POINT('',(x,y,z));``
    """
    entities = {}
    for line in "".join(step.split()).split(";"):
        number, _, body = line.partition("=")
        entities[number] = body
    places = [
        body.split(",")[1].rstrip(")")
        for body in entities.values()
        if body.startswith("VERTEX_POINT")
    ]
    told = (entities[place].partition("(")[2].partition("(")[2] for place in places)
    return np.array([[float(n) for n in one.rstrip(")").split(",")] for one in told])


class TestSizesThatDoNotGoTogether:
    @pytest.mark.parametrize(
        ("of", "size", "value", "fault"),
        [
            ("mast", "section", 140.0, "mast.section longer"),
            ("arm", "reach", 160.0, "arm.reach longer"),
            ("tray", "outer", (166.0, 150.0), "hide markers"),
            ("tray", "outer", (160.0, 170.0), "make it shorter"),
        ],
    )
    def test_each_is_told_with_what_to_change(self, of, size, value, fault):
        changed = replace(getattr(SIZES, of), **{size: value})

        assert fault in " ".join(faults_of(replace(SIZES, **{of: changed})))

    def test_a_file_with_such_sizes_is_refused_in_one_line(self, tmp_path):
        text = (HERE / "parts.toml").read_text("utf-8")
        path = tmp_path / "parts.toml"
        path.write_text(text.replace("section = 151.0", "section = 100.0"), "utf-8")

        with pytest.raises(SizesWrong, match="lens hangs") as told:
            read_sizes(path)
        assert "\n" not in str(told.value)

    def test_a_misspelt_size_is_refused(self, tmp_path):
        text = (HERE / "parts.toml").read_text("utf-8")
        path = tmp_path / "parts.toml"
        path.write_text(text.replace("\nwall = 6.0", "\nwal = 6.0"), "utf-8")

        with pytest.raises(SizesWrong, match="wal"):
            read_sizes(path)


def test_the_record_says_who_wrote_it():
    assert MADE.read_text("utf-8").startswith("# Written by draw_parts.py")


@pytest.mark.slow
def test_whoever_has_build123d_draws_the_same_parts():
    pytest.importorskip("build123d", reason="needs `pip install --group cad`")
    from hardware.cad.draw_parts import PARTS

    for made in read_made().part:
        drawn = PARTS[made.name](SIZES)
        assert drawn.volume == pytest.approx(made.volume, abs=0.1)
