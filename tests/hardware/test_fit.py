"""Mast and tray: the parts fit each other, and the camera sees mat, felt and dice."""

import numpy as np
import pytest

from firmware.wiring import read_wiring, wiring_path
from hardware.cad.mesh import read_stl
from hardware.cad.sizes import (
    HERE,
    MARGIN_MM,
    cable_needed,
    filled,
    lens_height,
    read_sizes,
    rod_length,
)
from hardware.draw_rig import SECTIONS
from vision.mat.calibrate import DIGITS_PX_PER_MM
from vision.mat.lens import nominal_lens
from vision.mat.mat import MAT_A3, MAT_A4, MATS
from vision.mat.pose import Rig, project, px_per_mm
from vision.measure.mat_pictures import pose_looking_at

SIZES = read_sizes()
LENS = nominal_lens(SIZES.camera.lens, (1296, 2304))


def part(name):
    return read_stl(HERE / "stl" / f"{name}.stl")


def camera_above(mat):
    """Return the rig of the camera at the end of its arm, straight above *mat*."""
    width, height = mat.size_mm
    pose = pose_looking_at((width / 2, height / 2), lens_height(SIZES, mat))
    return Rig(LENS, pose, mat, (), 0.0)


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
        # 148 mm farther, but from the last section instead of the one below: 151 less.
        assert cable_needed(SIZES, extended=True) == pytest.approx(
            cable_needed(SIZES) - 3.0
        )


def rim_of(name, axis, at, wide):
    """Tell whether a round hole of *wide* mm along *axis* goes through *at*."""
    across = [i for i in range(3) if i != axis]
    points = part(name).reshape(-1, 3)[:, across]
    away = np.linalg.norm(points - np.array(at), axis=1)
    return int((np.abs(away - wide / 2) < 0.01).sum()) >= 12


class TestPartsThatMeet:
    def test_the_rod_goes_through_foot_and_arm_in_the_middle_of_the_mast(self):
        bore = SIZES.rod.bore
        assert 6.0 < bore < 7.0
        assert rim_of("foot", 2, (0.0, 0.0), bore)
        # Lying on its side the arm's height is -x: the rod comes along it.
        assert rim_of("arm", 0, (0.0, SIZES.mast.outer / 2), bore)
        # Nothing of a section is in its way: the narrowest is the spigot's hollow.
        narrow = SIZES.mast.inner - 2 * (SIZES.printer.play + SIZES.mast.spigot_wall)
        assert narrow == pytest.approx(15.4)
        assert narrow > bore

    def test_the_rods_lower_nut_sits_in_the_foot_and_cannot_turn(self):
        # M6: 10 mm across flats and 5 mm high.
        (flats, pocket), rod = SIZES.rod.nut, SIZES.rod
        assert 10.0 < flats < 10.5
        assert rod.nut_tall < pocket == SIZES.foot.size[2]
        points = part("foot").reshape(-1, 3)
        hexagon = points[np.isclose(points[:, 2], 0.0)]
        away = np.hypot(hexagon[:, 0], hexagon[:, 1])
        # Its six corners are 10.3 / 2 / cos 30 from the axis, and nothing is nearer.
        assert away.min() == pytest.approx(5.947, abs=0.01)
        # The pocket ends below the floor of the spigot, which is wider than it.
        assert 2 * away.min() < 15.4

    def test_the_rods_upper_nut_has_the_arms_flat_top(self):
        wide, _ = SIZES.rod.washer
        top = part("arm")
        top = top[np.isclose(top[:, :, 0], -SIZES.arm.tall).all(1)]
        low, high = top.reshape(-1, 3).min(0), top.reshape(-1, 3).max(0)
        assert low[1] <= -wide / 2
        assert high[1] >= wide / 2
        assert high[2] - low[2] == pytest.approx(SIZES.mast.outer)

    def test_the_rod_is_as_long_as_mast_nuts_and_washer(self):
        # 6 of the foot, 302 of two sections, 40 of the arm, 1.6 of the washer, 5 of the
        # nut and 2 beyond it, less the 1 mm of the pocket below the other nut.
        assert rod_length(SIZES, 2) == pytest.approx(355.6)
        assert rod_length(SIZES, 3) == pytest.approx(506.6)
        # One of a metre is enough for every mast of RIG.md.
        assert max(rod_length(SIZES, n) for n in SECTIONS) < 1_000

    def test_a_spigot_has_play_on_each_side_of_the_hollow(self):
        points = part("section").reshape(-1, 3)
        plug = points[points[:, 2] > SIZES.mast.section + 1]
        hollow = points[points[:, 2] < 1]
        inner = np.abs(hollow[:, 0])[np.abs(hollow[:, 0]) < 14].max()

        assert inner - np.abs(plug[:, 0]).max() == pytest.approx(0.3, abs=0.001)

    def test_cradle_and_section_share_two_holes(self):
        screw, apart = SIZES.mast.screw, SIZES.mast.cradle_apart
        top = SIZES.mast.section - SIZES.mast.cradle_from_top
        aside = SIZES.mast.cradle_aside
        assert rim_of("section", 1, (aside, top), screw)
        assert rim_of("section", 1, (-aside, top - apart), screw)
        # A section that is turned about has them the other way round.
        for x in (-aside, aside):
            assert rim_of("cradle", 2, (x, apart / 2), screw)
            assert rim_of("cradle", 2, (x, -apart / 2), screw)

    def test_the_cradles_screws_pass_beside_the_rod(self):
        mast, rod = SIZES.mast, SIZES.rod
        # M4 beside M6, and within the hollow.
        assert mast.cradle_aside - mast.screw / 2 - rod.bore / 2 > 1.5
        assert mast.cradle_aside + mast.screw / 2 < mast.inner / 2

    def test_the_pi_sits_on_its_four_posts(self):
        # 58 x 49 mm on every Raspberry Pi since the Model B+.
        for x in (-24.5, 24.5):
            for y in (-29.0, 29.0):
                assert rim_of("cradle", 2, (x, y), SIZES.pi.pilot)

    def test_the_cover_stands_on_the_pis_four_holes(self):
        for x in (-24.5, 24.5):
            for y in (-29.0, 29.0):
                assert rim_of("cover", 2, (x, y), SIZES.cover.bore)
                assert rim_of("cover", 2, (x, y), SIZES.cover.pillar)
        # The board is bare for 6 mm around its holes; M2.5 goes through.
        assert SIZES.cover.pillar <= 6.0
        assert 2.5 < SIZES.cover.bore < 3.2

    def test_the_cover_leaves_plugs_card_and_air_free(self):
        shape = SIZES.cover
        # USB sockets are 16 mm high.
        assert shape.inside >= 16.0 + 1.5
        # Card and power button are at the upper end, 4 mm high at most.
        assert shape.inside - shape.skirt > 4.0
        # Twenty plugs of 2.54 mm, in two rows; pin 1 is 7.1 mm from the card's edge and
        # the inner row 6.04 mm from the long one. Printed on its roof, it is turned.
        along, inwards = shape.header
        assert along > 20 * 2.54
        assert inwards > 6.04 + 1.27
        points = part("cover").reshape(-1, 3)
        corner = points[np.isclose(points[:, 0], -SIZES.pi.board[0] / 2 + inwards)]
        assert corner[:, 1].min() == pytest.approx(-along / 2)
        assert corner[:, 1].max() == pytest.approx(along / 2)
        # The pillars do not stand in that opening.
        assert along / 2 < SIZES.pi.holes[1] / 2 - shape.pillar / 2
        assert len(shape.slots) * shape.vent[0] * shape.vent[1] > 500.0

    def test_head_and_arm_share_two_holes_when_the_lens_is_where_it_should_be(self):
        screw, end = SIZES.arm.screw, SIZES.beam_end
        for back in SIZES.arm.screws:
            # Along y the head counts from the lens and the arm from the mast's axis.
            assert rim_of("head", 2, (0.0, end - back - SIZES.arm.reach), screw)
            middle = SIZES.mast.outer / 2
            assert rim_of("arm", 0, (end - back, middle), screw)

    def test_the_extension_shares_its_holes_with_arm_and_head(self):
        screw, bar = SIZES.arm.screw, SIZES.extension
        for back in SIZES.arm.screws:
            # It begins 26 mm before the arm's end, and the head hangs below its own.
            assert rim_of("extension", 2, (0.0, SIZES.arm.overlap - back), screw)
            assert rim_of("extension", 2, (0.0, SIZES.extension_long - back), screw)
        # 26 mm below the arm and 148 beyond: the lens hangs 320 mm from the mast.
        assert SIZES.extension_long == 174.0
        assert SIZES.arm.reach + bar.long == 320.0

    def test_a_quarter_inch_nut_sits_in_the_plate_and_cannot_turn(self):
        shape = SIZES.plate
        # 7/16 inch across flats, 7/32 inch high; its corners are 12.83 mm apart.
        flats, thick = 7 / 16 * 25.4, 7 / 32 * 25.4
        assert flats < shape.nut[0] < flats + 0.5
        assert thick < shape.nut[1] < thick + 0.5
        assert shape.axis - shape.slot >= flats / np.cos(np.pi / 6) / 2
        assert 0.25 * 25.4 < shape.bore < 0.25 * 25.4 + 0.5
        # A wall of five millimetres on each side of it.
        assert (shape.block[1] - shape.nut[1]) / 2 > 5.0

    def test_plate_and_head_hold_the_camera_alike(self):
        points = part("plate").reshape(-1, 3)
        top = points[np.isclose(points[:, 2], 6.0)]
        for x, y in ((-10.5, 12.5), (10.5, 12.5), (-10.5, 0.0), (10.5, 0.0)):
            away = np.hypot(top[:, 0] - x, top[:, 1] - y)
            assert away.min() == pytest.approx(1.2, abs=0.06)
        # The block leaves the cable the room that the arm leaves it.
        begin, _ = SIZES.plate_ends
        plug = SIZES.camera.board[1] - SIZES.camera.lens_edge
        assert -plug - (begin + SIZES.plate.block[1]) == SIZES.head.to_plug

    def test_rim_and_base_share_four_holes(self):
        wide, long = (side / 2 - SIZES.tray.screw_in for side in SIZES.tray.outer)
        for x in (-wide, wide):
            for y in (-long, long):
                assert rim_of("tray-base", 2, (x, y), SIZES.tray.screw)
                assert rim_of("tray-rim", 2, (x, y), SIZES.tray.pilot)


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


class TestTheBoxes:
    """Console and pods: everything has its hole, and room behind it."""

    def holes(self, name):
        """Return (half of what a part needs inside, middle) of all in a box's top."""
        if name == "pod":
            return [(15.0, SIZES.pod.button_at)]
        shape = SIZES.console
        # A button's nut is 30 mm wide, a knob's body 14, an LED and a buzzer's hole 6.
        needs = {shape.button: 15.0, shape.knob: 7.0}
        return [(needs.get(wide, 3.0), at) for wide, at in shape.round_holes]

    def test_console_and_pods_take_all_buttons_and_lamps_of_the_wiring(self):
        wiring = read_wiring(wiring_path())
        shared = [one for one in wiring.button if one.seat is None]
        wide = [hole for hole, _ in SIZES.console.round_holes]
        assert wide.count(SIZES.console.button) == len(shared)
        # The lamp dragon is on the mast.
        assert wide.count(SIZES.console.lamp) == sum(
            not one.tray for one in wiring.lamp
        )
        assert len(SIZES.pod.leds) == wiring.strip.leds_per_seat
        # 30 LEDs a metre.
        assert SIZES.pod.led_apart == pytest.approx(1000 / 30, abs=0.05)

    @pytest.mark.parametrize("name", ["pod", "console"])
    def test_nothing_in_the_top_touches_a_wall_or_its_neighbour(self, name):
        size = getattr(SIZES, name).size
        walls = SIZES.boxes.wall
        placed = self.holes(name)
        for half, (x, y) in placed:
            assert abs(x) + half <= size[0] / 2 - walls
            assert abs(y) + half <= size[1] / 2 - walls
        for n, (half, at) in enumerate(placed):
            for other, there in placed[n + 1 :]:
                apart = np.hypot(at[0] - there[0], at[1] - there[1])
                assert apart >= half + other

    def test_the_strip_lies_beside_the_button_of_its_pod(self):
        pod = SIZES.pod
        # A strip of 10 mm, 133 mm long, between the walls; the button's nut is 30 mm.
        assert abs(pod.led_at) + 5.0 <= pod.size[1] / 2 - SIZES.boxes.wall
        assert pod.button_at[1] - 15.0 - (pod.led_at + 5.0) >= 3.0
        assert 4 * pod.led_apart <= pod.size[0] - 2 * SIZES.boxes.wall

    @pytest.mark.parametrize("name", ["pod", "console"])
    def test_a_button_has_room_below_it(self, name):
        # 24 mm deep and 8 mm of lugs, below an upper side of 2.4 mm.
        assert getattr(SIZES, name).size[2] - SIZES.boxes.wall > 24 + 8

    @pytest.mark.parametrize("name", ["pod", "console"])
    def test_box_and_lid_share_four_screws(self, name):
        wide, deep, _ = getattr(SIZES, name).size
        inwards = SIZES.boxes.screw_in
        for x in (-wide / 2 + inwards, wide / 2 - inwards):
            for y in (-deep / 2 + inwards, deep / 2 - inwards):
                assert rim_of(name, 2, (x, y), SIZES.boxes.pilot)
                assert rim_of(f"{name}-lid", 2, (x, y), SIZES.boxes.screw)
        # M3 x 12 through the lid, whole in the pilot.
        assert 12 - SIZES.boxes.wall < SIZES.boxes.pilot_deep

    @pytest.mark.parametrize("name", ["pod", "console"])
    def test_beside_each_slot_the_lid_takes_a_cable_tie(self, name):
        shape, boxes = getattr(SIZES, name), SIZES.boxes
        for slot in shape.slots:
            for aside in (-boxes.tie_apart / 2, boxes.tie_apart / 2):
                if slot.side == "back":
                    at = (slot.at + aside, shape.size[1] / 2 - boxes.tie_in)
                else:
                    sign = -1 if slot.side == "left" else 1
                    at = (sign * (shape.size[0] / 2 - boxes.tie_in), slot.at + aside)
                assert rim_of(f"{name}-lid", 2, at, boxes.tie)
        # Four wires of 0.34 mm2 in a sheath are 5 mm thick.
        assert min(shape.slots[0].wide, shape.slots[0].tall) > 5.0
