"""A part of the table is shown from straight above, in millimetres."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from vision.mat.lens import nominal_lens
from vision.mat.markers import find_markers
from vision.mat.mat import MAT_A4
from vision.mat.pose import Rig
from vision.mat.straight import Window, rectify_window, to_mm, to_px
from vision.measure.mat_pictures import pose_looking_at

pytestmark = pytest.mark.slow  # draws and measures pictures

WHOLE = Window((0.0, 0.0, 297.0, 210.0), 3.0)


def test_markers_lie_where_they_were_printed(plain, true_rig):
    straight = rectify_window(plain, true_rig, WHOLE)

    assert straight.shape == (630, 891, 3)
    for one in find_markers(straight):
        places = to_mm(one.corners, WHOLE)
        assert np.abs(places - MAT_A4.marker(one.number).corners).max() < 0.1


def test_a_coarse_window_shows_the_mean_of_what_it_covers(plain, true_rig):
    # Half black and half white cells 5 mm wide: a window of 0.5 px/mm mixes them.
    left, top = MAT_A4.marker(0).corners[0]
    coarse = rectify_window(
        plain, true_rig, Window((left, top, left + 40, top + 40), 0.5)
    )
    fine = rectify_window(
        plain, true_rig, Window((left, top, left + 40, top + 40), 4.0)
    )

    assert coarse.shape == (20, 20, 3)
    assert coarse.mean() == pytest.approx(fine.mean(), abs=3)


def test_what_the_camera_does_not_see_is_black(plain, true_rig):
    beside = rectify_window(plain, true_rig, Window((-900.0, 0.0, -800.0, 50.0), 1.0))

    assert beside.max() == 0


def test_a_picture_of_another_size_is_refused(plain, true_rig):
    with pytest.raises(ValueError, match="640x360 and the rig was solved for 1280x720"):
        rectify_window(plain[::2, ::2], true_rig, WHOLE)


def test_the_top_of_a_die_lies_right_only_on_its_own_height(true_rig):
    # Seen from 15 degrees off, 16 mm of height shift by about 16 * tan(15) = 4.3 mm.
    straight_down = replace(true_rig, pose=pose_looking_at((148.5, 105.0), 450.0, 15.0))
    rows = np.arange(720 * 1280, dtype=np.int64).reshape(720, 1280) // 1280
    picture = np.repeat((rows % 256).astype(np.uint8)[..., None], 3, axis=2)
    low, high = (
        rectify_window(
            picture, straight_down, Window((148.0, 104.0, 149.0, 105.0), 2.0, z)
        )
        for z in (0.0, 16.0)
    )

    # The middle of the picture on the table; 8 px, 4 mm, off it at the height of 16 mm.
    shift_px = int(low.mean()) - int(high.mean())
    assert abs(shift_px) == pytest.approx(8.6, abs=1.5)


@given(x=st.floats(-50, 350), y=st.floats(-50, 250), fine=st.floats(0.5, 10))
def test_pixels_of_a_window_and_millimetres_turn_into_each_other(x, y, fine):
    window = Window((-20.0, 15.0, 200.0, 100.0), fine)
    place = np.array([[x, y]])

    assert to_mm(to_px(place, window), window) == pytest.approx(place)


def test_the_same_window_is_shown_again_without_reckoning(plain, true_rig):
    first, second = (rectify_window(plain, true_rig, WHOLE) for _ in range(2))

    assert (first == second).all()


def test_a_rig_that_was_kept_is_the_same_one(true_rig):
    import msgspec

    kept = msgspec.json.encode(true_rig)

    assert msgspec.json.decode(kept, type=Rig) == true_rig
    assert len(kept) < 10_000
    assert nominal_lens("module3", (720, 1280)) == true_rig.lens
