"""A camera over a mat reads what lies on the mat, or says why it cannot."""

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from companion.table import Glimpse, Reading, Shown, UnsureSight
from vision.camera.port import Frame
from vision.mat.check import check_picture
from vision.mat.limits import mat_limits
from vision.mat.mat import MAT_A4
from vision.mat.pose import project
from vision.mat.reading import MatReader, keep_on_mat
from vision.measure.mat_pictures import Film, MatLight, photograph

pytestmark = pytest.mark.slow  # draws and measures pictures


def die(x: float, y: float, face: str = "4") -> Glimpse:
    """Return a die that was seen about a pixel."""
    box = (round(x) - 20, round(y) - 20, round(x) + 20, round(y) + 20)
    return Glimpse(Shown("d6", face, "tray"), 0.99, box)


def at(rig, x_mm: float, y_mm: float) -> tuple[float, float]:
    ((x, y),) = project(rig, np.array([[x_mm, y_mm]]), 8.0)
    return float(x), float(y)


def frame(picture) -> Frame:
    return Frame(picture, 1.0, None, "camera")


@pytest.fixture
def seen(true_rig) -> Reading:
    """A four in the middle of the mat's field, and a two beside the sheet."""
    left, top, right, bottom = MAT_A4.field_mm
    middle = at(true_rig, (left + right) / 2, (top + bottom) / 2)
    beside = at(true_rig, MAT_A4.size_mm[0] + 40, 60)
    return Reading((die(*middle), die(*beside, face="2")))


@pytest.fixture
def kept(plain, true_rig):
    return check_picture(plain, MAT_A4, true_rig.lens, mat_limits().check).rig


def faces(reading: Reading) -> list[str]:
    return [glimpse.sight.face for glimpse in reading.glimpses]


def test_a_die_beside_the_mat_is_not_read(plain, seen):
    reader = MatReader(lambda _: seen)

    reading = reader(frame(plain))

    assert reading.trouble is None
    assert faces(reading) == ["4"]


def test_doubts_beside_the_mat_are_left_out_and_those_without_a_box_kept(seen, kept):
    on, beside = (glimpse.box_px for glimpse in seen.glimpses)
    doubts = tuple(
        UnsureSight("d6", "tray", (("5", 0.6),), box) for box in (on, beside, None)
    )

    reading = keep_on_mat(Reading((), doubts), kept)

    assert [choice.box_px for choice in reading.choices] == [on, None]


def test_without_a_mat_all_is_read_as_it_is(seen):
    table = np.full((720, 1280, 3), (90, 120, 140), np.uint8)
    cv2.circle(table, (640, 360), 60, (20, 30, 50), -1)

    assert MatReader(lambda _: seen)(frame(table)) == seen


def test_a_pushed_camera_is_told_and_found_again(sheet, true_rig, plain, seen):
    x, y, z = true_rig.pose.shift_mm
    pushed = replace(true_rig, pose=replace(true_rig.pose, shift_mm=(x + 3.0, y, z)))
    after = photograph(sheet(MAT_A4), pushed, MatLight(), Film(), 7)
    reader = MatReader(lambda _: seen)
    reader(frame(plain))

    first, second = reader(frame(after)), reader(frame(after))

    assert (first.glimpses, first.trouble) == ((), "rig.trouble.moved")
    assert second.trouble is None
    assert faces(second) == ["4"]


def test_a_covered_mat_is_told(plain, seen):
    reader = MatReader(lambda _: seen)
    reader(frame(plain))
    covered = plain.copy()
    covered[:] = (60, 90, 160)
    covered[::16] = (20, 30, 50)

    assert reader(frame(covered)).trouble == "rig.trouble.hidden"


def test_red_and_blue_swapped_are_told_at_the_very_first_picture(plain, seen):
    swapped = np.ascontiguousarray(plain[:, :, ::-1])

    assert MatReader(lambda _: seen)(frame(swapped)).trouble == "rig.trouble.swapped"


def test_a_kept_rig_gives_the_lens(plain, seen, kept):
    reader = MatReader(lambda _: seen, kept)

    assert faces(reader(frame(plain))) == ["4"]
    # Pictures of another size come from another camera: its lens is learned.
    small = cv2.resize(plain, None, fx=0.75, fy=0.75, interpolation=cv2.INTER_AREA)
    assert reader(frame(small)).trouble is None


def test_no_picture_is_left_to_the_reader():
    nothing = Reading((), trouble="core.ask.no_picture")

    assert MatReader(lambda _: nothing)(Frame(None, 0.0, None, "x")) == nothing
