"""Pictures of mats, taken once for all tests."""

from collections.abc import Callable
from functools import lru_cache

import pytest

from vision.arrays import Picture
from vision.mat.lens import nominal_lens
from vision.mat.mat import MAT_A4, Layout
from vision.mat.pose import Rig
from vision.measure.mat_pictures import (
    Film,
    MatLight,
    Print,
    draw_print,
    photograph,
    pose_looking_at,
)

SIZE = (720, 1280)
LENS = nominal_lens("module3", SIZE)


@lru_cache(maxsize=4)
def sheet_of(layout: Layout) -> Print:
    return draw_print(layout)


PLAIN_LIGHT, PLAIN_FILM = MatLight(), Film()


def stand(layout: Layout = MAT_A4, distance_mm: float = 450.0, **how: float) -> Rig:
    """Return the true rig of a camera that looks at the middle of a mat."""
    middle = (layout.size_mm[0] / 2, layout.size_mm[1] / 2)
    return Rig(LENS, pose_looking_at(middle, distance_mm, **how), layout, (), 0.0)


@pytest.fixture(scope="session")
def sheet() -> Callable[[Layout], Print]:
    return sheet_of


@pytest.fixture(scope="session")
def true_rig() -> Rig:
    """The camera 45 cm away, 15 degrees off straight down."""
    return stand(tilt=15.0, roll=3.0)


@pytest.fixture(scope="session")
def plain(true_rig: Rig) -> Picture:
    """What it sees of the A4 mat in good light."""
    return photograph(sheet_of(MAT_A4), true_rig, MatLight(), Film(), seed=1)


@pytest.fixture(scope="session")
def take(true_rig: Rig) -> Callable[..., Picture]:
    """Return a function that takes another picture from there."""

    def picture(
        light: MatLight = PLAIN_LIGHT,
        film: Film = PLAIN_FILM,
        seed: int = 1,
    ) -> Picture:
        return photograph(sheet_of(MAT_A4), true_rig, light, film, seed)

    return picture
