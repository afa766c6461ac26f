"""Through a game, each still picture gives a rig to read by, or a reason not to."""

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from vision.mat.check import check_picture
from vision.mat.following import follow_camera
from vision.mat.limits import mat_limits
from vision.mat.mat import MAT_A4
from vision.mat.sentinel import CameraState, Sentinel, start_sentinel
from vision.measure.mat_pictures import Film, MatLight, photograph

pytestmark = pytest.mark.slow  # draws and measures pictures

LIMITS = mat_limits()


@pytest.fixture
def guard(plain, true_rig) -> Sentinel:
    found = check_picture(plain, MAT_A4, true_rig.lens, LIMITS.check)
    return start_sentinel(found.rig, found.seen)


@pytest.fixture
def bumped(sheet, true_rig):
    """What the camera sees after it was pushed 3 mm to the side."""
    x, y, z = true_rig.pose.shift_mm
    rig = replace(true_rig, pose=replace(true_rig.pose, shift_mm=(x + 3.0, y, z)))
    return photograph(sheet(MAT_A4), rig, MatLight(), Film(), 7)


def reasons(checkup) -> list[str]:
    return [one.line.removeprefix("rig.trouble.") for one in checkup.troubles]


def without_markers(picture, rows: slice = slice(None), columns: slice = slice(None)):
    covered = picture.copy()
    covered[rows, columns] = (60, 90, 160)
    # Something with edges, or the picture would pass for blurred.
    covered[rows, columns][::16] = (20, 30, 50)
    return covered


def test_a_still_camera_goes_on_with_the_rig_it_has(guard, take):
    now, found = follow_camera(guard, take(seed=9), LIMITS)

    assert found.troubles == ()
    assert found.rig == guard.rig
    assert now.standing is CameraState.STILL


def test_a_bump_costs_one_picture(guard, bumped):
    now, first = follow_camera(guard, bumped, LIMITS)
    now, second = follow_camera(now, bumped, LIMITS)

    assert reasons(first) == ["moved"]
    assert first.rig is None
    assert now.standing is CameraState.MENDED
    assert second.troubles == ()
    assert second.rig is not None
    assert second.rig != guard.rig


@pytest.mark.parametrize(
    ("share", "turn_deg"), [(0.01, 0.0), (0.0, 1.0)], ids=["by 1 %", "by 1 degree"]
)
def test_a_bump_is_noticed_before_anything_is_read_and_mended_without_a_click(
    guard, plain, share, turn_deg
):
    high, wide = plain.shape[:2]
    turn = cv2.getRotationMatrix2D((wide / 2, high / 2), turn_deg, 1.0)
    turn[0, 2] += share * wide
    bumped = cv2.warpAffine(plain, turn, (wide, high), borderMode=cv2.BORDER_REPLICATE)

    first, blind = follow_camera(guard, bumped, LIMITS)
    second, seeing = follow_camera(first, bumped, LIMITS)

    assert (first.standing, first.trusted, blind.rig) == (
        CameraState.SHIFTED,
        False,
        None,
    )
    assert (second.standing, second.trusted) == (CameraState.MENDED, True)
    assert seeing.rig is not None


def test_three_covered_markers_and_no_bump_change_nothing(guard, plain):
    half = without_markers(plain, columns=slice(0, 600))

    _, found = follow_camera(guard, half, LIMITS)

    assert found.missing == (0, 1, 2)
    assert found.troubles == ()
    assert found.rig == guard.rig


def test_a_bump_with_three_markers_covered_stops_the_reading(guard, bumped):
    half = without_markers(bumped, columns=slice(0, 600))
    now = guard
    for _ in range(3):
        now, found = follow_camera(now, half, LIMITS)
        assert reasons(found) == ["moved"]
    assert now.standing is CameraState.LOST


def test_with_all_markers_covered_they_are_asked_for(guard, plain):
    now, found = follow_camera(guard, without_markers(plain), LIMITS)

    assert reasons(found) == ["few_markers"]
    assert now.standing is CameraState.HIDDEN


def test_a_lamp_that_goes_out_is_no_bump(guard, plain):
    dark = (plain * 0.1).astype(np.uint8)

    _, found = follow_camera(guard, dark, LIMITS)

    assert reasons(found) == ["too_dark"]
