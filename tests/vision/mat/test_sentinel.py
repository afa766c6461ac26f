"""A bump is noticed, and put right without a click while markers are in view."""

from itertools import pairwise

import numpy as np
import pytest
from msgspec.structs import replace

from vision.mat.lens import nominal_lens
from vision.mat.limits import mat_limits
from vision.mat.markers import DetectedMarker, find_markers
from vision.mat.mat import MAT_A4, Marker, square_at
from vision.mat.pose import Rig, project, solve_rig, unproject
from vision.mat.sentinel import CameraState, Sentinel, start_sentinel, update_sentinel
from vision.measure.mat_pictures import Film, MatLight, photograph, pose_looking_at

LIMITS = mat_limits().bump
LENS = nominal_lens("module3", (720, 1280))
MIDDLE = np.array([[148.5, 105.0]])


def rig(x_mm: float = 148.5, distance_mm: float = 450.0, tilt: float = 12.0) -> Rig:
    return Rig(LENS, pose_looking_at((x_mm, 105.0), distance_mm, tilt), MAT_A4, (), 0.0)


def seen_from(true: Rig, seed: int = 0, noise_px: float = 0.05):
    rng = np.random.default_rng(seed)
    return tuple(
        DetectedMarker(
            one.number,
            project(true, np.array(one.corners)) + rng.normal(0, noise_px, (4, 2)),
        )
        for one in true.layout.markers
    )


@pytest.fixture
def guard() -> Sentinel:
    seen = seen_from(rig())
    return start_sentinel(solve_rig(seen, MAT_A4, LENS), seen)


def test_a_table_that_nobody_touches_stays_still_for_a_thousand_looks(guard):
    for seed in range(1, 1001):
        guard = update_sentinel(guard, seen_from(rig(), seed, noise_px=0.15), LIMITS)
        assert guard.standing is CameraState.STILL
        assert guard.strays == ()


def test_a_bump_of_one_pixel_is_noticed_and_mended_at_the_next_look(guard):
    # 450 mm away and 963 px of focal length: 1 px is 0.47 mm.
    bumped = rig(x_mm=148.97)

    first = update_sentinel(guard, seen_from(bumped, 1), LIMITS)
    second = update_sentinel(first, seen_from(bumped, 2), LIMITS)

    assert first.standing is CameraState.SHIFTED
    assert first.shift_px == pytest.approx(1.0, abs=0.1)
    assert not first.trusted
    assert second.standing is CameraState.MENDED
    assert second.trusted
    back = unproject(second.rig, project(bumped, MIDDLE))
    assert np.abs(back - MIDDLE).max() < 0.05


def test_after_mending_the_new_place_is_the_still_one(guard):
    for seed in range(2):
        guard = update_sentinel(guard, seen_from(rig(tilt=18.0), seed), LIMITS)

    again = update_sentinel(guard, seen_from(rig(tilt=18.0), 5), LIMITS)

    assert guard.standing is CameraState.MENDED
    assert again.standing is CameraState.STILL
    assert again.rig == guard.rig


def test_a_camera_that_still_swings_is_not_believed(guard):
    places = [149.5, 151.0, 150.0, 152.0]
    for x_mm in places:
        guard = update_sentinel(guard, seen_from(rig(x_mm=x_mm)), LIMITS)
        assert guard.standing is CameraState.SHIFTED


def test_a_slow_drift_is_mended_before_it_is_a_pixel(guard):
    standings = []
    places = np.linspace(148.5, 149.5, 60)  # 1 mm, 2.1 px, in 60 looks
    for seed, (_, x_mm) in enumerate(pairwise(places)):
        guard = update_sentinel(guard, seen_from(rig(x_mm=x_mm), seed), LIMITS)
        standings.append(guard.standing)
        assert guard.shift_px < 0.8

    assert CameraState.MENDED in standings
    assert CameraState.LOST not in standings


def test_three_markers_that_have_not_moved_keep_the_rig(guard):
    now = update_sentinel(guard, seen_from(rig())[:3], LIMITS)

    assert now.standing is CameraState.STILL
    assert now.rig == guard.rig


def test_three_markers_that_have_moved_cannot_tell_where_to(guard):
    for seed in range(2):
        guard = update_sentinel(guard, seen_from(rig(x_mm=152.0), seed)[:3], LIMITS)

    assert guard.standing is CameraState.LOST
    assert not guard.trusted


def test_markers_that_come_back_into_view_mend_what_was_lost(guard):
    for seed, shown in enumerate((3, 3, 6)):
        guard = update_sentinel(guard, seen_from(rig(x_mm=152.0), seed)[:shown], LIMITS)

    assert guard.standing is CameraState.MENDED


def test_without_any_marker_nobody_knows(guard):
    hidden = update_sentinel(guard, (), LIMITS)

    assert hidden.standing is CameraState.HIDDEN
    assert not hidden.trusted
    assert (
        update_sentinel(hidden, seen_from(rig()), LIMITS).standing is CameraState.STILL
    )


def test_a_marker_that_moved_alone_is_named_and_moves_nothing(guard):
    moved = (*MAT_A4.markers[:5], Marker(5, square_at(249.0, 160.0, 40.0)))
    pushed = replace(rig(), layout=replace(MAT_A4, markers=moved))

    now = update_sentinel(guard, seen_from(pushed), LIMITS)

    assert now.standing is CameraState.STILL
    assert now.strays == (5,)


@pytest.mark.slow
def test_pictures_of_a_camera_that_was_pushed_by_a_millimetre(sheet, true_rig, plain):
    seen = find_markers(plain)
    guard = start_sentinel(solve_rig(seen, MAT_A4, true_rig.lens), seen)
    x, y, z = true_rig.pose.shift_mm
    pushed = replace(true_rig, pose=replace(true_rig.pose, shift_mm=(x + 1.0, y, z)))

    for seed in (5, 6):
        picture = photograph(sheet(MAT_A4), pushed, MatLight(), Film(), seed)
        guard = update_sentinel(guard, find_markers(picture), LIMITS)

    # 963 px over 450 mm.
    assert guard.shift_px == pytest.approx(2.1, abs=0.1)
    assert guard.standing is CameraState.MENDED
    assert np.abs(unproject(guard.rig, project(pushed, MIDDLE)) - MIDDLE).max() < 0.05
