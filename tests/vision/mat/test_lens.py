"""Lenses of cameras that people have, and lenses that bend."""

from math import degrees

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from vision.mat.lens import CAMERAS, distort, nominal_lens, undistort


@pytest.mark.parametrize(
    ("camera", "across_deg"),
    [("module2", 62.2), ("module3", 67.2), ("module3wide", 100.5), ("hq6mm", 55.3)],
)  # fmt: skip
def test_a_camera_sees_as_wide_as_its_data_sheet_says(camera, across_deg):
    lens = nominal_lens(camera, (1296, 2304))
    assert 2 * degrees(np.arctan(1152 / lens.focal_px)) == pytest.approx(
        across_deg, abs=0.2
    )


def test_a_phone_held_upright_has_the_same_lens():
    assert (
        nominal_lens("unknown", (4000, 3000)).focal_px
        == nominal_lens("unknown", (3000, 4000)).focal_px
    )


@given(
    k1=st.floats(-0.12, 0.12), k2=st.floats(-0.03, 0.03), p1=st.floats(-0.003, 0.003),
    p2=st.floats(-0.003, 0.003), camera=st.sampled_from(sorted(CAMERAS)),
)  # fmt: skip
def test_bending_is_undone_in_the_whole_picture(k1, k2, p1, p2, camera):
    # Wide lenses bend less than this in the model, or corners would fold over.
    calm = 0.2 if camera == "module3wide" else 1.0
    bend = (k1 * calm, k2 * calm, p1 * calm, p2 * calm, 0.0)
    lens = replace(nominal_lens(camera, (720, 1280)), bend=bend)
    pixels = np.array([(x, y) for x in (0, 400, 1279) for y in (0, 360, 719)], float)

    assert np.abs(distort(lens, undistort(lens, pixels)) - pixels).max() < 0.01
