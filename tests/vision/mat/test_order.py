"""Red patches must look red: the order of channels is proven, not believed."""

import numpy as np
import pytest

from vision.mat.order import swaps_red_and_blue
from vision.measure.mat_pictures import Film, MatLight

pytestmark = pytest.mark.slow  # draws and measures pictures


def mixed_up(picture):
    return np.ascontiguousarray(picture[..., ::-1])


def test_a_mat_tells_which_colour_comes_first(plain):
    assert swaps_red_and_blue(plain) is False
    assert swaps_red_and_blue(mixed_up(plain)) is True


@pytest.mark.parametrize(
    "light",
    [MatLight(white=120.0, cast=(0.45, 0.8, 1.0)), MatLight(cast=(1.0, 0.9, 0.6))],
    ids=["candles", "shade"],
)
def test_whatever_the_light(take, light):
    picture = take(light, Film(blur_px=1.0, noise=3.0))

    assert swaps_red_and_blue(picture) is False
    assert swaps_red_and_blue(mixed_up(picture)) is True


def test_without_a_mat_nothing_tells(plain):
    assert swaps_red_and_blue(np.full_like(plain, 120)) is None
