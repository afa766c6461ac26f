"""Markers are found, and their corners measured, in good pictures and in bad ones."""

import cv2
import numpy as np
import pytest

from vision.mat.markers import find_markers
from vision.mat.mat import MAT_A4
from vision.mat.pose import project
from vision.measure.mat_pictures import Film, MatLight

pytestmark = pytest.mark.slow  # draws and measures pictures


def corner_error_px(seen, true_rig) -> float:
    """Return the rms distance of corners from where they are."""
    off = [
        one.corners - project(true_rig, np.array(MAT_A4.marker(one.number).corners))
        for one in seen
    ]
    return float(np.sqrt((np.array(off) ** 2).sum(-1).mean()))


@pytest.mark.parametrize(
    ("light", "film", "within_px"),
    [
        (MatLight(), Film(), 0.05),
        (MatLight(white=250.0, slope=1.6), Film(), 0.06),
        (MatLight(white=110.0, cast=(0.5, 0.8, 1.0)), Film(noise=4.0), 0.15),
        (MatLight(), Film(blur_px=1.5), 0.10),
        (MatLight(), Film(jpeg=60), 0.10),
    ],
    ids=["good", "bright, from one side", "dim and warm", "blurred", "jpeg"],
)  # fmt: skip
def test_corners_are_right_to_a_small_part_of_a_pixel(
    take, true_rig, light, film, within_px
):
    seen = find_markers(take(light, film))

    assert [one.number for one in seen] == [0, 1, 2, 3, 4, 5]
    assert corner_error_px(seen, true_rig) < within_px


@pytest.mark.slow
def test_the_blur_of_the_picture_is_told_by_the_markers_edges(take):
    def told(blur_px: float) -> float:
        seen = find_markers(take(film=Film(blur_px=blur_px)))
        return float(np.median([one.blur_px for one in seen]))

    # Pixels are as wide as a blur of 0.3, and looking between them adds as much.
    assert told(0.4) == pytest.approx(0.6, abs=0.1)
    assert told(1.2) == pytest.approx(1.3, abs=0.1)


def test_a_marker_that_is_half_covered_is_not_read(plain, true_rig):
    covered = plain.copy()
    corners = project(true_rig, np.array(MAT_A4.marker(4).corners))
    hand = np.array([corners[0], corners[1], corners[2]]).round().astype(np.int32)
    cv2.fillConvexPoly(covered, hand, (120, 150, 210))

    assert [one.number for one in find_markers(covered)] == [0, 1, 2, 3, 5]


def test_a_number_that_is_seen_twice_counts_for_nothing(plain):
    twice = np.concatenate([plain, plain], axis=0)

    assert find_markers(twice) == ()


def test_a_photograph_of_many_pixels_is_measured_as_well(plain, true_rig):
    large = cv2.resize(plain, None, fx=2.5, fy=2.5, interpolation=cv2.INTER_CUBIC)
    seen = find_markers(large)
    off = [
        (one.corners + 0.5) / 2.5 - 0.5
        - project(true_rig, np.array(MAT_A4.marker(one.number).corners))
        for one in seen
    ]  # fmt: skip

    assert len(seen) == 6
    assert np.abs(off).max() < 0.15


def test_a_picture_without_markers_has_none():
    noise = np.random.default_rng(3).integers(0, 256, (480, 640, 3), np.uint8)

    assert find_markers(noise) == ()
    assert find_markers(np.zeros((16, 16, 3), np.uint8)) == ()
