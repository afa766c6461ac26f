"""Parts print without supports, and the mast stands and does not sag or sway for long.

All reckoned: plastic is PLA, printed, of 2.3 GPa and 1.24 g/cm3, and joints are taken
to hold. What only a real mast shows is in TRY.md.
"""

from math import pi, sqrt

import numpy as np
import pytest

from hardware import draw_rig
from hardware.cad.made import read_made
from hardware.cad.mesh import read_stl
from hardware.cad.sizes import HERE, read_sizes, rod_length

SIZES = read_sizes()
VOLUMES = {made.name: made.volume for made in read_made().part}

BRIDGE_MM = 25.0
"""How far a house printer spans between two walls without a support."""

STEEP_DEG = 44.0
"""How far from upright a wall may lean: what leans more needs something below."""

G_PER_MM3, MPA, GRAVITY = 1.24e-3, 2_300.0, 9.81

CAMERA_G = 20.0
"""Module, screws, and the cable's share."""


def overhangs(name):
    """Return the narrower side of each ceiling in a part as it lies on the bed, mm."""
    triangles = read_stl(HERE / "stl" / f"{name}.stl")
    normals = np.cross(
        triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    )
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    down = normals[:, 2] < -np.cos(np.radians(STEEP_DEG))
    groups: list[tuple[set, list]] = []
    for triangle in triangles[down & (triangles[:, :, 2].min(1) > 0.05)]:
        corners = {tuple(np.round(corner, 3)) for corner in triangle}
        touching = [group for group in groups if group[0] & corners]
        merged = (corners, [triangle])
        for group in touching:
            merged[0].update(group[0])
            merged[1].extend(group[1])
            groups.remove(group)
        groups.append(merged)
    for _, members in groups:
        points = np.concatenate(members)
        yield float((points.max(0) - points.min(0))[:2].min())


class TestPrintability:
    @pytest.mark.parametrize("name", VOLUMES)
    def test_nothing_hangs_in_the_air_but_what_a_printer_bridges(self, name):
        assert max(overhangs(name), default=0.0) <= BRIDGE_MM

    def test_the_widest_ceiling_is_that_of_the_arms_socket(self):
        # The arm lies on its side; its socket is the mast's hollow, 22 mm.
        assert max(overhangs("arm")) == pytest.approx(SIZES.mast.inner)
        # A section's hollow narrows at 45 degrees, and only its screw holes remain.
        assert max(overhangs("section")) < SIZES.mast.screw
        # Above the pocket of the rod's nut, 10.3 mm across flats, is the foot's floor.
        assert max(overhangs("foot")) == pytest.approx(SIZES.rod.nut[0], abs=0.01)

    def test_the_cover_is_printed_on_its_roof_and_hangs_nowhere(self):
        assert not list(overhangs("cover"))

    def test_a_slab_on_a_post_would_be_noticed(self, monkeypatch):
        low, high = 20.0, 22.0
        corners = np.array([[0, 0], [60, 0], [60, 60], [0, 60]], float)
        square = [np.append(corner, low) for corner in corners]
        above = [np.append(corner, high) for corner in corners]
        # Its lower side looks down: corners against the clock, seen from below.
        faces = [
            (square[0], square[2], square[1]), (square[0], square[3], square[2]),
            (above[0], above[1], above[2]), (above[0], above[2], above[3]),
        ]  # fmt: skip
        monkeypatch.setattr(f"{__name__}.read_stl", lambda path: np.array(faces))
        assert max(overhangs("slab")) == pytest.approx(60.0)


def moment_nmm(extended, about_mm=0.0):
    """Return how arm and camera pull over a line before the mast, N mm, all solid."""
    arm, head = VOLUMES["arm"] * G_PER_MM3, VOLUMES["head"] * G_PER_MM3 + CAMERA_G
    reach = SIZES.arm.reach + (SIZES.extension.long if extended else 0.0)
    # The arm is thickest at the mast: its middle is taken at half its length.
    pulls = arm * (SIZES.beam_end / 2 - about_mm) + head * (reach - about_mm)
    if extended:
        middle = SIZES.beam_end - SIZES.arm.overlap + SIZES.extension_long / 2
        pulls += VOLUMES["extension"] * G_PER_MM3 * (middle - about_mm)
    return pulls / 1_000 * GRAVITY


def rod_n():
    """Return how a rod of M6 pulls whose nut is tightened by two fingers, N.

    A spanner held by its end gives 0.3 N m; dry threads take a fifth of the diameter.
    """
    return 0.3 / (0.2 * 0.006)


def tube_mm4():
    """Return how the mast's square tube resists bending."""
    return (SIZES.mast.outer**4 - SIZES.mast.inner**4) / 12


class TestStability:
    @pytest.mark.parametrize("extended", [False, True])
    def test_the_foots_back_screws_hold_the_arm_easily(self, extended):
        foot = SIZES.foot
        # It tips over its front edge; the back screws are 80 mm behind that.
        lever = foot.size[1] - foot.screw_edge
        pull_n = moment_nmm(extended) / lever / 2
        # Wood screws of 4 mm hold some hundred newton, a screw clamp more.
        assert pull_n < 10.0

    def test_without_screws_or_clamps_it_would_tip(self):
        # About the foot's front edge, 20 mm before the mast; the foot's own middle is
        # 35 mm behind the mast.
        front = SIZES.foot.front
        behind = SIZES.foot.size[1] / 2 - front
        holds = VOLUMES["foot"] * (front + behind) + 3 * VOLUMES["section"] * front
        holds *= G_PER_MM3 / 1_000 * GRAVITY
        assert moment_nmm(extended=True, about_mm=front) > holds
        guide = (HERE.parent / "ASSEMBLY.md").read_text("utf-8")
        assert "screw clamp over each of its back corners" in " ".join(guide.split())

    def test_the_extension_sags_by_less_than_a_tenth_of_a_millimetre(self):
        bar = SIZES.extension
        stiff = SIZES.mast.outer * bar.thick**3 / 12 * MPA
        head_n = (VOLUMES["head"] * G_PER_MM3 + CAMERA_G) / 1_000 * GRAVITY
        own_n = VOLUMES["extension"] * G_PER_MM3 / 1_000 * GRAVITY
        # A beam held at one end: F l^3 / 3 E I at its tip, and an eighth for its own
        # weight.
        sag = head_n * bar.long**3 / (3 * stiff) + own_n * bar.long**3 / (8 * stiff)
        assert 0.01 < sag < 0.1

    def test_the_rod_holds_the_joints_together_whatever_the_arm_pulls(self):
        # A joint opens where bending takes away what the rod presses. Its ring is the
        # end of a section, 30 mm outside and 22 inside.
        ring_mm2 = SIZES.mast.outer**2 - SIZES.mast.inner**2
        bends = moment_nmm(extended=True) / (tube_mm4() / (SIZES.mast.outer / 2))
        assert rod_n() / ring_mm2 > 3 * bends

    def test_the_rod_crushes_nothing(self):
        rod = SIZES.rod
        washer = pi / 4 * (rod.washer[0] ** 2 - rod.bore**2)
        nut = sqrt(0.75) * 10.0**2 - pi / 4 * rod.bore**2
        ring = SIZES.mast.outer**2 - SIZES.mast.inner**2
        # PLA yields from 50 MPa on; at a tenth of that it hardly creeps.
        for mm2 in (washer, nut, ring):
            assert rod_n() / mm2 < 5.0
        # The nut would tear out a hexagon as thick as the floor.
        assert rod_n() / (6 * 10.0 / sqrt(3) * rod.floor) < 1.0

    @pytest.mark.parametrize("sections", draw_rig.SECTIONS)
    def test_the_mast_sways_fast_and_so_rests_soon(self, sections):
        tall = draw_rig.height_mm(SIZES, sections)
        stiff = 3 * MPA * tube_mm4() / tall**3  # N/mm at its top
        grams = (
            VOLUMES["arm"] + VOLUMES["extension"] + VOLUMES["head"]
        ) * G_PER_MM3 + CAMERA_G
        # A quarter of the mast itself moves with it.
        grams += sections * VOLUMES["section"] * G_PER_MM3 / 4
        # So does a quarter of the rod, 0.18 g a millimetre, and the nut at its top.
        grams += rod_length(SIZES, sections) * 0.18 / 4 + 5.0
        hertz = sqrt(stiff * 1_000 / (grams / 1_000)) / (2 * pi)
        # Above five swings a second a nudge is over in less than one.
        assert hertz > 5.0
