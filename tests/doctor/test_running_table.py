"""The doctor asks a running table, and judges light and focus of its picture."""

import json

import cv2
import numpy as np
import pytest

from companion.doctor.running_table import (
    UNEVEN,
    examine_colours,
    examine_eye,
    examine_mat,
    examine_missing,
    examine_mode,
    examine_picture,
    is_table,
)
from firmware.finding import Finding, Level
from vision.camera.device import DeviceFacts
from vision.mat.lens import nominal_lens
from vision.mat.mat import MAT_A4
from vision.mat.pose import Rig
from vision.measure.mat_pictures import (
    Film,
    MatLight,
    draw_print,
    photograph,
    pose_looking_at,
)

STATUS = {"camera": "pi", "camera_trouble": None, "pins": "lgpio"}


def page(status=STATUS, picture=None):
    """Return what a page would answer."""

    def fetch(path: str) -> bytes:
        if path == "/api/state":
            return json.dumps({"status": status}).encode()
        if picture is None:
            raise OSError("HTTP Error 404")
        return cv2.imencode(".jpg", picture)[1].tobytes()

    return fetch


def table(blur_px: float = 0.0, light: float = 1.0) -> np.ndarray:
    """Return a picture of dark pips on light dice, ``(360, 640, 3)``."""
    picture = np.full((360, 640, 3), 110, np.uint8)
    for left in range(60, 600, 90):
        cv2.rectangle(picture, (left, 120), (left + 50, 170), (225, 225, 225), -1)
        cv2.circle(picture, (left + 25, 145), 6, (20, 20, 20), -1)
    if blur_px:
        picture = cv2.GaussianBlur(picture, (0, 0), blur_px)
    return np.clip(picture * light, 0, 255).astype(np.uint8)


def findings(fetch):
    return {one.id: one for one in examine_eye(fetch, is_table(fetch))}


def test_a_good_picture_of_a_running_table_needs_no_remedy():
    found = findings(page(picture=table()))

    assert set(found) == {"buttons", "camera", "light", "focus"}
    assert {one.level for one in found.values()} == {Level.OK}


def test_the_tables_own_trouble_is_passed_on():
    trouble = "The camera does not answer. Check its cable."

    found = findings(page({**STATUS, "camera_trouble": trouble}))

    assert found["camera"].level is Level.FAIL
    assert found["camera"].remedy == trouble


def test_a_table_without_a_camera_is_told_how_to_get_one():
    found = findings(page({**STATUS, "camera": "none"}))

    assert found["camera"].level is Level.WARN
    assert "--camera" in found["camera"].remedy


def test_a_drawn_table_is_not_called_a_camera():
    found = findings(page({**STATUS, "camera": "drawn"}, table()))

    assert set(found) == {"buttons", "camera"}
    assert found["camera"].evidence == (
        "The running table is drawn: no camera looks at one."
    )


@pytest.mark.parametrize(
    ("changes", "level", "told"),
    [
        ({"simulated": False}, Level.OK, "In use by the running table (lgpio)."),
        ({"simulated": True}, Level.OK, "simulated: nothing is wired to them"),
        ({"simulated": True, "pins_trouble": "GPIO busy. Run this."}, Level.FAIL,
         "GPIO busy."),
    ],
)  # fmt: skip
def test_the_buttons_of_a_running_table_are_as_it_says(changes, level, told):
    found = findings(page({**STATUS, **changes}))["buttons"]

    assert found.level is level
    assert told in found.evidence
    assert bool(found.remedy) == (level is Level.FAIL)


@pytest.mark.parametrize(
    ("order", "patches", "level", "told"),
    [
        (True, None, Level.OK, "Red comes out red (by taking red away)."),
        (False, None, Level.OK, "gives red for blue"),
        (None, True, Level.OK, "gives red for blue"),
        # The driver's order was put right before the patches were looked at.
        (False, False, Level.OK, "Red comes out red (by the mat’s patches)."),
        (None, None, Level.WARN, "Not known whether the camera swaps"),
    ],
)
def test_colours_are_proven_or_not_sure(order, patches, level, told):
    found = examine_colours(DeviceFacts("RGB888, 2304x1296", order), patches)

    assert found.level is level
    assert told in found.evidence
    assert bool(found.remedy) == (level is Level.WARN)


def test_a_webcam_that_gives_few_pictures_is_warned_of():
    slow = examine_mode(DeviceFacts("YUYV, 1280x720, 10 pictures a second", slow=True))

    assert slow.level is Level.WARN
    assert "YUYV, 1280x720, 10 pictures a second" in slow.evidence
    assert slow.remedy


@pytest.mark.parametrize(
    ("picture", "id_"),
    [
        (table(light=0.3), "light"),
        (table(light=2.5), "light"),
        (table(blur_px=4), "focus"),
    ],
)
def test_what_hinders_reading_is_warned_of_with_a_remedy(picture, id_):
    found = {one.id: one for one in examine_picture(picture)}

    assert found[id_].level is Level.WARN
    assert found[id_].remedy


@pytest.mark.parametrize("answer", [b"", b"<html>", b"[]", b'{"status": 3}'])
def test_another_program_at_the_port_is_not_taken_for_a_table(answer):
    assert is_table(lambda path: answer) is None


@pytest.mark.slow
class TestAMat:
    def seen(self, light):
        lens = nominal_lens("module3", (720, 1280))
        rig = Rig(lens, pose_looking_at((148.5, 105.0), 400.0, 12.0), MAT_A4, (), 0.0)
        return photograph(draw_print(MAT_A4), rig, light, Film(), 1)

    def test_in_good_light_is_told_with_its_light_and_reflections(self):
        (found,) = examine_mat(self.seen(MatLight()))

        assert (found.id, found.level, found.remedy) == ("mat", Level.OK, "")
        assert found.evidence.startswith(
            "A4 mat: 6 markers, 2.2 px/mm; white paper at "
        )
        assert "reflection in the field 0 mm2" in found.evidence

    def test_with_a_lamp_mirrored_in_its_field_says_how_large_and_what_to_do(self):
        (found,) = examine_mat(
            self.seen(MatLight(glare_mm=(150.0, 90.0), glare_size_mm=15.0))
        )

        assert found.level is Level.WARN
        assert "Move the lamp" in found.remedy

    def test_lit_by_a_lamp_that_is_too_near_says_where_to_put_it(self):
        # The patches of one side get a quarter of the light of the other's.
        (found,) = examine_mat(self.seen(MatLight(white=180.0, slope=100.0)))

        assert found.level is Level.WARN
        assert "even" in found.evidence
        assert "with its diffuser" in found.remedy

    def test_a_lamp_where_the_guide_puts_it_is_even_enough(self):
        def evenness(aside_mm, up_mm):
            """Return far over near edge of an A3 mat: a lamp fades as r squared.

            What it gives a flat table goes by the cosine of its angle too, up / r.
            """
            near, far = aside_mm - 210, aside_mm + 210
            return ((near**2 + up_mm**2) / (far**2 + up_mm**2)) ** 1.5

        # Higher than the camera, 470 mm; beside the mast.
        assert evenness(400, 600) == pytest.approx(0.40, abs=0.005)
        assert evenness(400, 600) > UNEVEN
        assert evenness(360, 350) == pytest.approx(0.18, abs=0.005)
        assert evenness(360, 350) < UNEVEN

    def test_that_nobody_laid_is_nothing_to_tell(self):
        assert list(examine_mat(table())) == []

    def test_half_covered_says_how_many_markers_are_needed(self):
        picture = self.seen(MatLight())
        picture[:, 640:] = 120
        (found,) = examine_mat(picture)

        assert found.level is Level.WARN
        assert "at least 4 are needed" in found.remedy

    def test_is_looked_at_where_the_table_runs(self):
        found = findings(page(picture=self.seen(MatLight())))

        assert found["mat"].level is Level.OK


def test_what_a_running_table_goes_on_without_is_told_with_its_cause():
    missing = [
        {"text": "The plan of the wires is wrong.", "why": "GPIO6.", "in_play": True},
        {"text": "The box cannot be read.", "why": "kit.toml", "in_play": False},
    ]

    assert tuple(examine_missing({"missing": missing})) == (
        Finding("missing", Level.FAIL, "GPIO6.", "The plan of the wires is wrong."),
        Finding("missing", Level.WARN, "kit.toml.", "The box cannot be read."),
    )
