"""A table that cannot be read is refused, with the reason that helps."""

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from vision.mat.check import check_picture, find_layout
from vision.mat.focus import measure_blur_px
from vision.mat.lens import nominal_lens
from vision.mat.light import measure_lighting, white_balance
from vision.mat.limits import mat_limits
from vision.mat.markers import DetectedMarker, as_grey
from vision.mat.mat import MAT_A3, MAT_A4, Shade
from vision.mat.pose import project
from vision.measure.mat_pictures import Film, MatLight

pytestmark = pytest.mark.slow  # draws and measures pictures

LIMITS = mat_limits().check


def reasons(checkup) -> list[str]:
    return [one.line.removeprefix("rig.trouble.") for one in checkup.troubles]


@pytest.fixture
def look(true_rig):
    def checkup(picture):
        return check_picture(picture, MAT_A4, true_rig.lens, LIMITS)

    return checkup


def cover(picture, rig, corners, colour=(60, 90, 160)):
    """Return a picture with something opaque on a part of the mat."""
    covered = picture.copy()
    shape = project(rig, np.array(corners, float)).round().astype(np.int32)
    cv2.fillConvexPoly(covered, shape, colour)
    return covered


def test_a_good_picture_has_nothing_against_it(look, plain):
    found = look(plain)

    assert reasons(found) == []
    assert found.missing == ()
    assert found.rig is not None
    # 963 px over 450 to 480 mm, shortened by the tilt of 15 degrees.
    assert found.px_per_mm == pytest.approx(1.88, abs=0.1)
    # A blur of 0.6 px, with that of the pixels themselves.
    assert found.blur_mm == pytest.approx(0.8 / 1.95, abs=0.06)


@pytest.mark.parametrize(
    ("light", "film", "reason"),
    [
        (MatLight(white=35.0), Film(), "too_dark"),
        (MatLight(white=10.0), Film(), "too_dark"),
        (MatLight(white=253.0), Film(), "too_bright"),
        (MatLight(white=500.0), Film(), "too_bright"),
        (MatLight(), Film(blur_px=2.0), "out_of_focus"),
        (MatLight(), Film(blur_px=6.0), "out_of_focus"),
        (MatLight(glare_mm=(150.0, 100.0), white=200.0), Film(), "glare"),
    ],
    ids=["dim", "night", "bright", "burnt", "soft", "blurred away", "lamp"],
)
def test_each_trouble_has_its_own_reason(look, take, light, film, reason):
    assert reasons(look(take(light, film))) == [reason]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("light", "film"),
    [
        (MatLight(white=60.0), Film(noise=4.0)),
        (MatLight(white=245.0), Film()),
        (MatLight(white=200.0, cast=(0.4, 0.75, 1.0)), Film()),
        (MatLight(white=190.0, slope=2.5), Film()),
        (MatLight(white=200.0, glare_mm=(150.0, 100.0), glare_size_mm=2.5), Film()),
        (MatLight(), Film(blur_px=1.2)),
    ],
    ids=["dim", "bright", "warm", "from one side", "a spark", "a little soft"],
)
def test_what_can_still_be_read_is_not_refused(look, take, light, film):
    assert reasons(look(take(light, film))) == []


def test_fewer_than_four_markers_are_counted(look, plain, true_rig):
    half = cover(plain, true_rig, [(-50, -50), (140, -50), (140, 260), (-50, 260)])

    found = look(half)

    assert reasons(found) == ["few_markers"]
    assert dict(found.troubles[0].params) == {"found": 3, "least": 4}
    assert found.missing == (0, 1, 2)
    assert found.rig is None


def test_two_covered_markers_are_named_and_no_trouble(look, plain, true_rig):
    corner = [(0, 0), (55, 0), (55, 155), (0, 155)]
    found = look(cover(plain, true_rig, corner))

    assert found.missing == (0, 1)
    assert reasons(found) == []
    assert found.lighting.blocks == (3, 4)


def test_a_camera_that_swaps_red_and_blue_is_noticed(look, plain):
    assert reasons(look(np.ascontiguousarray(plain[..., ::-1]))) == ["swapped"]


def test_warm_light_does_not_look_like_swapped_colours(look, take):
    warm = take(MatLight(white=220.0, cast=(0.3, 0.7, 1.0)))

    assert look(warm).lighting.swapped is False


def test_gains_make_paper_white_and_grey_grey_under_a_warm_lamp(take, true_rig):
    warm = take(MatLight(white=200.0, cast=(0.4, 0.75, 1.0)))
    gains = measure_lighting(warm, true_rig).gains

    evened = white_balance(warm, gains)

    white = np.array(measure_lighting(evened, true_rig).white)
    assert np.abs(white - 225).max() < 3
    for patch in MAT_A4.patches:
        if patch.shade in (Shade.GREY, Shade.DARK):
            at = project(true_rig, np.array(patch.corners)).mean(0).round().astype(int)
            assert np.ptp(evened[at[1], at[0]].astype(int)) < 12


def test_gains_are_the_lamps_colour_turned_over(take, true_rig):
    found = measure_lighting(
        take(MatLight(white=200.0, cast=(0.5, 0.8, 1.0))), true_rig
    )

    # Blue came at half, so it needs twice the gain of red; green 1 / 0.8.
    assert found.gains[0] / found.gains[2] == pytest.approx(2.0, rel=0.03)
    assert found.gains[1] / found.gains[2] == pytest.approx(1.25, rel=0.03)


def test_light_from_one_side_is_told(take, true_rig):
    even = measure_lighting(take(MatLight(white=190.0)), true_rig)
    slanted = measure_lighting(take(MatLight(white=190.0, slope=2.0)), true_rig)

    assert even.evenness > 0.97
    assert slanted.evenness < 0.75


def test_covered_patches_leave_the_white_of_the_markers_rims(plain, true_rig):
    covered = plain
    for left in (8.0, 245.0):
        for top in (53.0, 128.0):
            strip = [
                (left, top),
                (left + 44, top),
                (left + 44, top + 28),
                (left, top + 28),
            ]
            covered = cover(covered, true_rig, strip)
    rig = replace(true_rig, used=(0, 1, 2, 3, 4, 5))

    found = measure_lighting(covered, rig)

    assert found.blocks == ()
    assert np.abs(np.array(found.white) - 215).max() < 4
    assert found.swapped is None


def test_the_mat_is_told_by_its_markers(plain, look):
    def some(*numbers: int) -> tuple[DetectedMarker, ...]:
        return tuple(DetectedMarker(number, np.zeros((4, 2))) for number in numbers)

    assert find_layout(look(plain).seen) is MAT_A4
    assert find_layout(some(10, 11, 12, 3)) is MAT_A3
    assert find_layout(some(20, 21, 22, 23, 3)) is None
    assert find_layout(()) is None


@pytest.mark.slow
def test_a_picture_without_markers_says_how_blurred_it_is(take):
    told = [
        measure_blur_px(as_grey(take(film=Film(blur_px=b)))) for b in (0.6, 1.5, 3.0)
    ]

    assert told == sorted(told)
    assert told[0] < 1.3
    assert told[2] > LIMITS.blur_px


@pytest.mark.parametrize("size", [(16, 16), (16, 3000), (1500, 16), (480, 640)])
@pytest.mark.parametrize("fill", ["black", "white", "noise"])
def test_no_picture_is_too_odd_to_be_refused_in_order(size, fill):
    rng = np.random.default_rng(2)
    value = {"black": 0, "white": 255}.get(fill)
    picture = np.full((*size, 3), value or 0, np.uint8)
    if fill == "noise":
        picture = rng.integers(0, 256, (*size, 3), np.uint8)

    found = check_picture(picture, MAT_A4, nominal_lens("unknown", size), LIMITS)

    assert found.rig is None
    expected = {"black": "too_dark", "white": "too_bright"}.get(fill, "few_markers")
    assert reasons(found) == [expected]
