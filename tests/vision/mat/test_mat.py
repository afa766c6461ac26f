"""What is printed lies where the eye expects it, and never on something else."""

from itertools import combinations

import pytest

from vision.mat.mat import (
    MARKER_MM,
    MAT_A3,
    MAT_A4,
    MATS,
    PRINTER_MM,
    QUIET_MM,
    TILE_MM,
    TILE_NUMBERS,
    LooseTile,
    Shade,
    layout_of_tiles,
    middle_of_square,
    place_tile,
    scale_layout,
    tile_outline,
)


def box(corners) -> tuple[float, float, float, float]:
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return min(xs), min(ys), max(xs), max(ys)


def apart(one, other) -> float:
    """Return the gap between two upright boxes in mm, below 0 where they overlap."""
    across = max(one[0] - other[2], other[0] - one[2])
    down = max(one[1] - other[3], other[1] - one[3])
    return max(across, down)


@pytest.mark.parametrize("mat", MATS, ids=lambda mat: mat.name)
class TestAMat:
    def test_is_printed_within_what_house_printers_reach(self, mat):
        wide, high = mat.size_mm
        for thing in (*mat.markers, *mat.patches):
            left, top, right, bottom = box(thing.corners)
            assert left >= PRINTER_MM
            assert top >= PRINTER_MM
            assert right <= wide - PRINTER_MM
            assert bottom <= high - PRINTER_MM

    def test_leaves_each_marker_its_white_rim(self, mat):
        for marker in mat.markers:
            others = [one for one in (*mat.markers, *mat.patches) if one is not marker]
            gaps = [apart(box(marker.corners), box(one.corners)) for one in others]
            assert min(gaps) >= QUIET_MM - 1e-9
            assert apart(box(marker.corners), mat.field_mm) >= QUIET_MM

    def test_has_patches_that_touch_neither_each_other_nor_the_field(self, mat):
        for one, other in combinations(mat.patches, 2):
            assert apart(box(one.corners), box(other.corners)) >= 1.0
        for patch in mat.patches:
            assert apart(box(patch.corners), mat.field_mm) > 0

    def test_has_white_grey_and_colours_at_both_edges(self, mat):
        half = mat.size_mm[0] / 2
        for edge in (True, False):
            shades = {
                one.shade
                for one in mat.patches
                if (middle_of_square(one.corners)[0] < half) is edge
            }
            assert shades == set(Shade)


def test_the_a4_mat_has_six_markers_at_two_edges():
    # 210 mm less 10 at each end and one marker is 150: steps of 75.
    places = {one.number: one.corners[0] for one in MAT_A4.markers}
    assert places == {
        0: (10, 10), 1: (10, 85), 2: (10, 160),
        3: (247, 10), 4: (247, 85), 5: (247, 160),
    }  # fmt: skip


def test_the_a3_mat_has_eight_markers_and_a_field_of_300_by_255_mm():
    left, top, right, bottom = MAT_A3.field_mm
    assert len(MAT_A3.markers) == 8
    assert (right - left, bottom - top) == (300, 255)


def test_no_number_is_on_two_sheets():
    numbers = [one.number for mat in MATS for one in mat.markers]
    numbers += TILE_NUMBERS
    assert len(numbers) == len(set(numbers))


def test_a_marker_is_found_by_its_number_and_no_other():
    assert MAT_A4.marker(5).corners[0] == (247, 160)
    assert MAT_A4.marker(20) is None


def test_a_tile_turned_by_a_quarter_has_its_top_edge_pointing_down():
    marker, _ = place_tile(LooseTile(20, (100.0, 50.0), 90.0))

    # Clockwise from above: what pointed right now points down.
    assert marker.corners[0] == pytest.approx((100, 50))
    assert marker.corners[1] == pytest.approx((100, 90))
    assert marker.corners[3] == pytest.approx((60, 50))


def test_a_tile_keeps_its_print_inside_its_cut():
    tile = LooseTile(20, (6.0, 6.0), 0.0)
    marker, patches = place_tile(tile)

    assert box(tile_outline(tile)) == (0, 0, *TILE_MM)
    for thing in (marker, *patches):
        left, top, right, bottom = box(thing.corners)
        assert left >= QUIET_MM
        assert top >= QUIET_MM
        assert right <= TILE_MM[0] - QUIET_MM
        assert bottom <= TILE_MM[1] - QUIET_MM


def test_loose_tiles_lie_around_their_field():
    around = layout_of_tiles(
        (LooseTile(21, (500.0, 0.0), 0.0), LooseTile(20, (0.0, 0.0), 0.0),
         LooseTile(22, (0.0, 400.0), 0.0), LooseTile(23, (500.0, 400.0), 0.0))
    )  # fmt: skip

    assert [one.number for one in around.markers] == [20, 21, 22, 23]
    assert around.field_mm == (20, 20, 520, 420)


def test_a_sheet_that_was_shrunk_is_put_right_by_its_ruler():
    shrunk = scale_layout(MAT_A4, 97.0)

    assert shrunk.marker(0).corners[0] == pytest.approx((9.7, 9.7))
    side = shrunk.marker(3).corners[1][0] - shrunk.marker(3).corners[0][0]
    assert side == pytest.approx(0.97 * MARKER_MM)


def test_a_ruler_that_no_printer_makes_is_refused():
    with pytest.raises(ValueError, match=r"measures 9\.7 mm; print again"):
        scale_layout(MAT_A4, 9.7)
