"""Loose tiles around a board are found out once, from one picture."""

import numpy as np
import pytest
from msgspec.structs import replace

from vision.mat.lens import nominal_lens
from vision.mat.markers import DetectedMarker, find_markers
from vision.mat.mat import Layout, LooseTile, layout_of_tiles, place_tile, tile_outline
from vision.mat.pose import Rig, project, tilt_deg, unproject
from vision.mat.tiles import solve_tiles
from vision.measure.mat_pictures import (
    Film,
    MatLight,
    draw_print,
    photograph,
    pose_looking_at,
)

LENS = nominal_lens("module3", (1296, 2304))

AROUND = (
    LooseTile(20, (60.0, 70.0), 3.0), LooseTile(21, (520.0, 62.0), -93.0),
    LooseTile(22, (75.0, 400.0), 178.0), LooseTile(23, (555.0, 390.0), 40.0),
    LooseTile(24, (290.0, 40.0), 7.0), LooseTile(25, (310.0, 420.0), -130.0),
)  # fmt: skip
"""Six tiles around a board of 400 x 300 mm, as people throw them down."""


def stand(layout: Layout, lens=LENS, **how: float) -> Rig:
    left, top, right, bottom = layout.field_mm
    middle = ((left + right) / 2, (top + bottom) / 2)
    return Rig(lens, pose_looking_at(middle, 650.0, **how), layout, (), 0.0)


def seen_by(true: Rig, noise_px: float = 0.03, seed: int = 0):
    rng = np.random.default_rng(seed)
    return tuple(
        DetectedMarker(
            one.number,
            project(true, np.array(one.corners)) + rng.normal(0, noise_px, (4, 2)),
        )
        for one in true.layout.markers
    )


def all_corners(layout: Layout) -> np.ndarray:
    return np.concatenate([np.array(one.corners) for one in layout.markers])


def worst_mm(found: Layout, true: Layout) -> float:
    """Return the largest error of a corner, once laid upon each other."""
    here = all_corners(found)
    there = np.concatenate(
        [np.array(true.marker(one.number).corners) for one in found.markers]
    )
    a, b = here - here.mean(0), there - there.mean(0)
    left, _, right = np.linalg.svd(a.T @ b)
    return float(np.linalg.norm(a @ (left @ right) - b, axis=1).max())


@pytest.mark.parametrize("tilt", [0.0, 12.0, 28.0])
@pytest.mark.parametrize("tiles", [AROUND[:4], AROUND], ids=["four", "six"])
def test_tiles_are_found_where_they_lie(tiles, tilt):
    true = stand(layout_of_tiles(tiles), tilt=tilt, roll=5.0)

    found = solve_tiles(seen_by(true), LENS)

    assert found.used == tuple(one.number for one in tiles)
    assert worst_mm(found.layout, true.layout) < 0.4
    assert tilt_deg(found) == pytest.approx(tilt, abs=0.3)


def test_distances_on_the_board_come_out_right_to_a_thousandth():
    true = stand(layout_of_tiles(AROUND), tilt=15.0)
    found = solve_tiles(seen_by(true), LENS)
    ends = project(true, np.array([[120.0, 230.0], [520.0, 230.0]]))

    one, other = unproject(found, ends)

    assert np.linalg.norm(one - other) == pytest.approx(400.0, abs=0.4)


def test_an_odd_lens_is_learned_from_the_tiles():
    odd = replace(LENS, focal_px=LENS.focal_px * 0.97, bend=(-0.04, 0, 0, 0, 0))
    true = stand(layout_of_tiles(AROUND), odd, tilt=22.0)

    found = solve_tiles(seen_by(true), LENS)

    assert worst_mm(found.layout, true.layout) < 0.3
    assert found.lens.bend[0] == pytest.approx(-0.04, abs=0.01)


def test_the_table_begins_at_its_top_left_and_lies_as_in_the_picture():
    true = stand(layout_of_tiles(AROUND), tilt=10.0, roll=35.0)
    found = solve_tiles(seen_by(true), LENS)

    tiles = [
        tile_outline(LooseTile(one.number, one.corners[0], turn_of(one.corners)))
        for one in found.layout.markers
    ]
    assert np.array(tiles).min((0, 1)) == pytest.approx([0, 0], abs=0.01)
    left, right = unproject(found, np.array([[1000.0, 648.0], [1300.0, 648.0]]))
    assert abs(right[1] - left[1]) < 0.02 * (right[0] - left[0])


def turn_of(corners) -> float:
    (x0, y0), (x1, y1) = corners[:2]
    return float(np.degrees(np.arctan2(y1 - y0, x1 - x0)))


def test_a_tile_that_is_not_flat_is_left_out():
    true = stand(layout_of_tiles(AROUND), tilt=15.0)
    seen = list(seen_by(true))
    # Leaning on the board's edge: one side 8 mm up.
    lying = place_tile(AROUND[4])[0].corners
    leaning = [(*point, z) for point, z in zip(lying, (8, 8, 0, 0), strict=True)]
    seen[4] = DetectedMarker(24, project(true, np.array(leaning)))

    found = solve_tiles(tuple(seen), LENS)

    assert 24 not in found.used
    assert worst_mm(found.layout, true.layout) < 0.4


def test_three_tiles_are_too_few_and_mats_are_no_tiles():
    true = stand(layout_of_tiles(AROUND), tilt=10.0)
    seen = seen_by(true)

    assert solve_tiles(seen[:3], LENS) is None
    assert solve_tiles(
        tuple(replace(one, number=one.number - 20) for one in seen), LENS
    ) is (None)


@pytest.mark.slow
def test_tiles_in_a_photograph():
    layout = layout_of_tiles(AROUND)
    true = stand(layout, tilt=14.0)
    paper = tuple(tile_outline(one) for one in AROUND)
    picture = photograph(
        draw_print(layout, 4.0, paper=paper), true, MatLight(), Film(), 3
    )

    found = solve_tiles(find_markers(picture), LENS)

    assert found.used == (20, 21, 22, 23, 24, 25)
    assert worst_mm(found.layout, layout) < 0.2
