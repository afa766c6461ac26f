"""Each game is seen whole from a height that can be printed, as RIG.md says."""

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from companion.games import GAMES
from hardware import draw_rig
from hardware.cad.sizes import PICTURE, lens_height, read_sizes
from tests.hardware.box_tables import flat_art
from vision.drawn.artwork import PX_PER_MM
from vision.mat.calibrate import CARDS_PX_PER_MM, DIGITS_PX_PER_MM, calibrate
from vision.mat.lens import nominal_lens
from vision.mat.limits import mat_limits
from vision.mat.mat import (
    MATS,
    TILE_MM,
    Layout,
    LooseTile,
    layout_of_tiles,
    middle_of_square,
    tile_outline,
)
from vision.mat.pose import Rig, camera_mm, project
from vision.measure.mat_pictures import (
    Film,
    MatLight,
    draw_print,
    photograph,
    pose_looking_at,
    to_print,
)

SIZES = read_sizes()
BOXES = {box.id: box for box in draw_rig.read_boxes()}
CAMERAS = {camera.name: camera for camera in draw_rig.CAMERAS_OF_TABLES}
WIDE = CAMERAS["Module 3 Wide"]


def stand_of(game, camera=WIDE):
    return draw_rig.best_stand(SIZES, camera, BOXES[game])


class TestThePage:
    def test_it_is_that_of_sizes_and_lenses(self):
        page = draw_rig.draw(SIZES, draw_rig.read_boxes())
        again = "run python hardware/draw_rig.py"
        assert draw_rig.TARGET.read_text("utf-8") == page, again

    def test_every_game_has_its_size_and_how_to_measure_it(self):
        assert set(BOXES) == {game.id for game in GAMES}
        for box in BOXES.values():
            assert box.known
            assert box.assumed
            assert box.measure

    def test_cards_of_the_size_assumed_lie_on_the_table_assumed(self):
        eight, run = BOXES["eight_dragons"], BOXES["dragon_run"]
        # Seven columns and six rows, 8 mm more each.
        wide, high = eight.card_mm
        assert (7 * (wide + 8), 6 * (high + 8)) == eight.table_mm
        # Ten location cards side by side; four rows, of which the first has the piles.
        wide, high = run.card_mm
        assert 10 * wide <= run.table_mm[0]
        assert 4 * high <= run.table_mm[1]

    def test_a_box_that_is_larger_changes_it(self):
        larger = replace(BOXES["eight_dragons"], table_mm=(900.0, 700.0))
        page = draw_rig.draw(SIZES, (larger,))
        assert "`eight_dragons`, 900 x 700 mm" in page
        # The Wide one sees it from four sections, the others from none.
        assert page.count("does not see all of it") == 3

    def test_every_height_can_be_printed(self):
        # 6 of the foot, sections of 151, 16 to the beam, 3 of the boss, less 7.7 of the
        # lens.
        heights = [draw_rig.height_mm(SIZES, n) for n in draw_rig.SECTIONS]
        assert heights == pytest.approx([319.3, 470.3, 621.3])
        for mat in MATS:
            assert lens_height(SIZES, mat) in heights


class TestWhatIsSeen:
    def test_the_wide_camera_sees_a_large_table_from_three_sections(self):
        # 470.3 mm / 0.4156 is 1132 mm across 2304 or 4608 pixels.
        across, along = draw_rig.seen_mm(WIDE, 470.3)
        assert across == pytest.approx(1131, abs=2)
        assert along == pytest.approx(636, abs=2)
        assert 2304 / across == pytest.approx(2.04, abs=0.01)
        assert 4608 / across == pytest.approx(4.07, abs=0.01)

    def test_it_sees_each_game_on_the_mast_and_reads_four_of_them_in_video(self):
        stands = {game: stand_of(game) for game in BOXES}
        assert all(stands.values())
        assert {one.sections for one in stands.values()} == {3}
        enough = {
            game
            for game, found in stands.items()
            if found.video >= draw_rig.READS[BOXES[game].reads]
        }
        # Digits are too fine for it in video.
        assert enough == set(BOXES) - {"dragon_run"}
        # 8 Dragons is so deep that the arm has to be longer.
        mounts = {game: one.mount for game, one in stands.items()}
        assert mounts.pop("eight_dragons") == "extension"
        assert set(mounts.values()) == {"mast"}

    def test_without_the_extension_it_would_hang_too_high_for_cards(self):
        plain = replace(WIDE, mounts=("mast",))
        found = stand_of("eight_dragons", plain)
        assert found.sections == 4
        assert found.video < CARDS_PX_PER_MM

    @pytest.mark.parametrize(
        ("depth", "mount"), [(440.0, "mast"), (450.0, "extension")]
    )
    def test_a_deep_board_wants_the_extension(self, depth, mount):
        box = replace(BOXES["dragorun"], table_mm=(600.0, depth))
        assert draw_rig.best_stand(SIZES, WIDE, box).mount == mount
        guide = (draw_rig.HERE / "ASSEMBLY.md").read_text("utf-8")
        assert "deeper than 440 mm takes the extension" in guide

    def test_at_rest_it_reads_all_of_them_in_full_resolution(self):
        for game, box in BOXES.items():
            assert stand_of(game).still >= draw_rig.READS[box.reads]

    def test_the_standard_camera_sees_no_board_from_three_sections(self):
        standard = CAMERAS["Module 3"]
        for game in BOXES:
            found = stand_of(game, standard)
            assert found is None or found.sections == 4

    def test_an_ordinary_die_is_too_small_in_a_whole_picture_of_the_wide_camera(self):
        # 1400 / 1132 is 1.24 px/mm, and pips are read from 1.4.
        assert draw_rig._sought(SIZES) == pytest.approx(1.237, abs=0.001)
        assert draw_rig.read_at(draw_rig._sought(SIZES)) == "nothing"

    def test_a_resolution_reads_as_much_as_calibrate_says(self):
        assert draw_rig.read_at(1.3) == "nothing"
        assert draw_rig.read_at(1.4) == "pips"
        assert draw_rig.read_at(CARDS_PX_PER_MM) == "cards"
        assert draw_rig.read_at(DIGITS_PX_PER_MM) == "digits"

    def test_a_deep_table_is_not_seen_from_its_middle(self):
        # The lens hangs 172 - 20 mm before the near edge of the foot.
        assert draw_rig.reach_mm(SIZES, "mast", 300.0) == 150.0
        assert draw_rig.reach_mm(SIZES, "mast", 480.0) == 480.0 - 152.0
        # 148 mm more: boards of up to 600 mm from their middle.
        assert draw_rig.reach_mm(SIZES, "extension", 600.0) == 300.0
        assert draw_rig.reach_mm(SIZES, "extension", 620.0) == 320.0
        assert draw_rig.reach_mm(SIZES, "desk arm", 480.0) == 240.0
        assert draw_rig.height_mm(SIZES, 3, "extension") == pytest.approx(458.3)


def tiles_beside(table_mm):
    """Return six loose tiles, three to each side of a table, outside of it."""
    width, depth = table_mm
    across, along = min(TILE_MM), max(TILE_MM)
    lefts = (-across, width)
    tops = (0.0, (depth - along) / 2, depth - along)
    tiles = []
    for number, (left, top) in enumerate((x, y) for x in lefts for y in tops):
        turned = np.array(tile_outline(LooseTile(20 + number, (0.0, 0.0), 90.0)))
        x, y = np.array([left, top]) - turned.min(0)
        tiles.append(LooseTile(20 + number, (float(x), float(y)), 90.0))
    return tuple(tiles)


SMALL = {"dragonix", "dragon_run"}
"""Games whose tables are measured in seconds; all others take minutes together."""

SEEN = [
    pytest.param(
        game, camera,
        marks=pytest.mark.slow
        if game in SMALL and camera == WIDE.name
        else pytest.mark.long,
    )
    for game in BOXES
    for camera in CAMERAS
    if stand_of(game, CAMERAS[camera]) is not None
]  # fmt: skip
"""All that RIG.md says is seen whole."""


def lay_out(sheet, art):
    """Lay a painted table of 3 pixels a millimetre on a sheet, from 0, 0 on."""
    scale = sheet.px_per_mm / PX_PER_MM
    large = cv2.resize(art, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    left, top = (round(float(v)) for v in to_print(sheet, ((0.0, 0.0),) * 4)[0] + 0.5)
    high, wide = large.shape[:2]
    sheet.picture[top : top + high, left : left + wide] = large


@pytest.mark.parametrize(("game", "name"), SEEN)
def test_the_eye_measures_a_drawn_table_of_each_game_from_its_height(game, name):
    """Its pieces lie there: squares, signs and rims that are no markers."""
    box, camera = BOXES[game], CAMERAS[name]
    found = stand_of(game, camera)
    width, depth = box.table_mm
    tiles = tiles_beside(box.table_mm)
    # The drawn table has its left upper corner at 0, 0; prints begin there.
    moved = layout_of_tiles(tiles)
    size = (round(camera.video_px * PICTURE), camera.video_px)
    lens = nominal_lens(camera.lens, size)
    # A copy whose lens is 3 % longer and bends, as wide ones do.
    lens = replace(
        lens, focal_px=lens.focal_px * 1.03, bend=(-0.03, 0.0, 0.0, 0.0, 0.0)
    )
    from_back = depth - draw_rig.reach_mm(SIZES, found.mount, depth)
    pose = pose_looking_at((width / 2, from_back), found.height_mm, 2.0)
    true = Rig(lens, pose, moved, (), 0.0)
    ground = Layout(
        "tiles", (width, depth), moved.field_mm, moved.markers, moved.patches
    )
    sheet = draw_print(
        ground, 4.0, 200.0, paper=tuple(tile_outline(tile) for tile in tiles)
    )
    lay_out(sheet, flat_art(game))
    picture = photograph(sheet, true, MatLight(), Film(), seed=1)

    seen = calibrate(picture, camera.lens, 100.0, mat_limits().check)

    assert seen.troubles == ()
    assert seen.rig.used == tuple(range(20, 26))  # six of six
    # From straight above, a lens that is 3 % longer looks like one that hangs lower.
    assert camera_mm(seen.rig)[2] == pytest.approx(found.height_mm, rel=0.04)
    assert seen.px_per_mm == pytest.approx(found.video, rel=0.08)
    # All four corners of the table are in the picture.
    corners = project(true, np.array([(0, 0), (width, 0), (0, depth), (width, depth)]))
    assert (corners >= 0).all()
    assert (corners <= (size[1] - 1, size[0] - 1)).all()
    # Distances over the whole table come out within a millimetre.
    middles = np.array([middle_of_square(one.corners) for one in moved.markers])
    measured = np.array(
        [middle_of_square(one.corners) for one in seen.rig.layout.markers]
    )
    far = np.linalg.norm(middles[:, None] - middles, axis=2)
    assert (
        np.abs(np.linalg.norm(measured[:, None] - measured, axis=2) - far).max() < 1.0
    )
