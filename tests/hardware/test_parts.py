"""Mast and tray: the committed parts are whole, can be printed, and fit the table.

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
    MARGIN_MM,
    SizesWrong,
    cable_needed,
    faults_of,
    filled,
    lens_height,
    read_sizes,
)
from vision.rig.calibrate import DIGITS_PX_PER_MM
from vision.rig.lens import nominal
from vision.rig.mat import MAT_A3, MAT_A4, MATS
from vision.rig.pictured import standing
from vision.rig.pose import Rig, project, px_per_mm

SIZES = read_sizes()
NAMES = ("foot", "section", "arm", "head", "cradle", "tray-base", "tray-rim")
LENS = nominal(SIZES.camera.lens, (1296, 2304))


def part(name):
    return read_stl(HERE / "stl" / f"{name}.stl")


def camera_above(mat):
    """Return the rig of the camera at the end of its arm, straight above *mat*."""
    width, height = mat.size_mm
    pose = standing((width / 2, height / 2), lens_height(SIZES, mat))
    return Rig(LENS, pose, mat, (), 0.0)


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
        "cradle": (*SIZES.cradle.size[:2], SIZES.cradle.size[2] + SIZES.cradle.boss),
        "tray-base": (*tray.outer, tray.floor + tray.felt - tray.squeeze),
        "tray-rim": (*tray.outer, tray.rim),
    }[name]  # fmt: skip


def rounded(size, corner):
    return size[0] * size[1] - (4 - pi) * corner**2


def disc(wide):
    return pi / 4 * wide**2


def spigot():
    mast = SIZES.mast
    outer = mast.inner - 2 * SIZES.printer.play
    inner = outer - 2 * mast.spigot_wall
    ring = (outer**2 - inner**2) * mast.spigot
    return ring - disc(mast.screw) * (outer - inner), inner


def foot_volume():
    wide, deep, thick = SIZES.foot.size
    return (wide * deep - 4 * disc(SIZES.foot.screw)) * thick + spigot()[0]


def section_volume():
    mast = SIZES.mast
    plug, narrow = spigot()
    cone = (mast.inner - narrow) / 2
    # A hollow, a frustum, and a narrow hollow as long as the frustum.
    hollow = mast.inner**2 * (mast.section - 2 * cone) + narrow**2 * cone
    hollow += cone / 3 * (mast.inner**2 + mast.inner * narrow + narrow**2)
    # One hole through each joint, two for the cradle: each through two walls.
    holes = 3 * disc(mast.screw) * (mast.outer - mast.inner)
    return mast.outer**2 * mast.section - hollow - holes + plug


def arm_volume():
    mast, arm = SIZES.mast, SIZES.arm
    block = mast.outer * arm.tall
    long = expected_size("arm")[1] - mast.outer
    profile = block + long * (arm.beam + arm.tip) / 2 + arm.gusset**2 / 2
    socket = mast.inner**2 * (mast.spigot + 1)
    across = disc(mast.screw) * (mast.outer - mast.inner)
    slope = (arm.beam - arm.tip) / long
    down = sum(disc(arm.screw) * (arm.tip + slope * back) for back in arm.screws)
    return profile * mast.outer - socket - across - down


def head_volume():
    head, camera, arm = SIZES.head, SIZES.camera, SIZES.arm
    wide, long, _ = expected_size("head")
    flat = wide * long - head.window[0] * head.window[1] - disc(head.lamp)
    flat -= 4 * disc(camera.hole) + len(arm.screws) * disc(arm.screw)
    bosses = 4 * (disc(head.boss_wide) - disc(camera.hole)) * head.boss
    return flat * head.thick + bosses


def cradle_volume():
    wide, long, thick = SIZES.cradle.size
    flat = wide * long - 4 * disc(SIZES.pi.pilot) - 2 * disc(SIZES.mast.screw)
    boss = disc(SIZES.cradle.boss_wide) - disc(SIZES.pi.pilot)
    return flat * thick + 4 * boss * SIZES.cradle.boss


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


VOLUMES = {
    "foot": foot_volume, "section": section_volume, "arm": arm_volume,
    "head": head_volume, "cradle": cradle_volume, "tray-base": base_volume,
    "tray-rim": rim_volume,
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


class TestTheCameraOnItsMast:
    def test_board_and_holes_are_those_of_camera_module_3(self):
        # 25 x 24 mm; holes of M2 at 21 x 12.5 mm, 2 mm from the sides.
        camera = SIZES.camera
        assert camera.board == (25.0, 24.0)
        assert camera.holes == (21.0, 12.5)
        assert (camera.board[0] - camera.holes[0]) / 2 == camera.hole_edge == 2.0
        assert 2.0 < camera.hole < 2.6

    def test_the_holes_are_in_the_printed_head(self):
        # Lens at (0, 0): the far holes are 14.5 - 2 = 12.5 mm ahead, the others level.
        points = part("head").reshape(-1, 3)
        top = points[np.isclose(points[:, 2], 6.0)]
        for x, y in ((-10.5, 12.5), (10.5, 12.5), (-10.5, 0.0), (10.5, 0.0)):
            away = np.hypot(top[:, 0] - x, top[:, 1] - y)
            assert away.min() == pytest.approx(1.2, abs=0.06)  # rim of the 2.4 mm hole

    @pytest.mark.parametrize("mat", MATS, ids=lambda mat: mat.name)
    def test_the_whole_mat_is_in_the_picture_and_fills_it(self, mat):
        rig = camera_above(mat)
        width, height = mat.size_mm
        edge = MARGIN_MM
        corners = np.array([[-edge, -edge], [width + edge, height + edge]])

        (left, top), (right, bottom) = project(rig, corners)

        rows, columns = LENS.size
        assert left >= 0
        assert top >= 0
        assert right <= columns
        assert bottom <= rows
        assert filled(SIZES, mat) > 0.8

    def test_it_hangs_319_and_470_mm_high(self):
        # 6 of the foot, two or three sections of 151, 16 to the beam, 3 of the boss,
        # less 7.7 of the lens.
        assert lens_height(SIZES, MAT_A4) == pytest.approx(319.3)
        assert lens_height(SIZES, MAT_A3) == pytest.approx(470.3)

    def test_on_both_mats_it_sees_digits(self):
        for mat in MATS:
            assert px_per_mm(camera_above(mat), (100.0, 100.0)) > DIGITS_PX_PER_MM

    def test_the_top_of_a_die_is_as_sharp_as_the_mat(self):
        # Depth of field: distance^2 / hyperfocal distance, which is 4.74^2 mm2 over
        # f/1.8 and two pixels of 1.4 um, 4457 mm: 319^2 / 4457 = 23 mm each way.
        hyperfocal = 4.74**2 / (1.8 * 2 * 1.4e-3)
        assert lens_height(SIZES, MAT_A4) ** 2 / hyperfocal > 16.0

    def test_the_cable_is_long_enough(self):
        # 500 mm in the parts list; the Pi hangs at the mast for its sake.
        assert cable_needed(SIZES) < 480.0


class TestTheTray:
    def test_the_camera_sees_all_of_the_felt_and_all_markers(self):
        rig = camera_above(MAT_A4)
        left, top, right, bottom = MAT_A4.field_mm
        middle = np.array([(left + right) / 2, (top + bottom) / 2])
        tray = SIZES.tray

        def box_px(size, z_mm):
            half = np.array(size) / 2
            return project(rig, np.array([middle - half, middle + half]), z_mm)

        felt_from, felt_to = box_px(tray.inner, tray.base)
        mouth_from, mouth_to = box_px(tray.inner, tray.tall)
        assert (mouth_from <= felt_from).all()
        assert (mouth_to >= felt_to).all()
        (rim_from, _), (rim_to, _) = box_px(tray.outer, tray.tall)
        markers = np.array([m.corners for m in MAT_A4.markers]).reshape(-1, 2)
        across = project(rig, markers)[:, 0]
        near = across[across < LENS.size[1] / 2].max()
        far = across[across > LENS.size[1] / 2].min()
        # 5 mm of white paper around each marker stay in sight: 27 px.
        quiet = 5.0 * px_per_mm(rig, (100.0, 100.0))
        assert near + quiet < rim_from
        assert rim_to < far - quiet

    def test_it_lies_in_the_field_of_each_mat(self):
        for mat in MATS:
            left, top, right, bottom = mat.field_mm
            assert SIZES.tray.outer[0] <= right - left
            assert SIZES.tray.outer[1] <= bottom - top

    def test_the_rim_holds_the_felt_by_its_edge(self):
        tray = SIZES.tray
        # 160 - 2 x 6 = 148 inside, 2 mm more on each side below the rim.
        assert tray.inner == (148.0, 138.0)
        assert tray.felt_size == (152.0, 142.0)
        assert tray.recess < tray.felt


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
