"""The guide's pictures show the parts as they are, and the camera sees the mat."""

import cv2
import numpy as np
import pytest

from hardware.cad import draw_steps, scenes
from hardware.cad.mesh import box
from hardware.cad.render import PAPER, Body, View, askew, render
from hardware.cad.sizes import PICTURE, lens_height, read_sizes
from vision.mat.lens import CAMERAS, nominal_lens
from vision.mat.markers import find_markers
from vision.mat.mat import MATS
from vision.mat.pose import camera_mm, solve_rig

SIZES = read_sizes()


def test_every_picture_is_there_and_no_other():
    names = sorted(path.name for path in draw_steps.FOLDER.iterdir())
    assert names == sorted(f"{name}.png" for name in draw_steps.STEPS)


@pytest.mark.slow
@pytest.mark.parametrize("name", draw_steps.STEPS)
def test_a_picture_is_that_of_the_parts(name):
    kept = cv2.imread(str(draw_steps.FOLDER / f"{name}.png"))

    drawn = draw_steps.STEPS[name](SIZES)

    assert draw_steps.is_same(kept, drawn), "run python hardware/cad/draw_steps.py"


def test_a_part_that_grew_by_a_tenth_is_another_picture():
    cube = box((0.0, 0.0, 0.0), (10.0, 10.0, 10.0))
    taller = box((0.0, 0.0, 0.0), (10.0, 10.0, 11.0))
    one, other = (
        render([Body(each, scenes.PLASTIC)], askew(30, 30), (120, 120))
        for each in (cube, taller)
    )

    assert draw_steps.is_same(one, one.copy())
    assert not draw_steps.is_same(one, other)
    assert not draw_steps.is_same(None, one)


def test_what_is_nearer_hides_what_is_behind_it():
    far = Body(box((0.0, 0.0, 0.0), (10.0, 10.0, 1.0)), (0, 0, 255))
    near = Body(box((3.0, 3.0, 5.0), (7.0, 7.0, 6.0)), (255, 0, 0))
    down = View(np.array([[-1.0, 0, 0], [0, 1, 0], [0, 0, -1]]))

    for bodies in ([far, near], [near, far]):
        picture = render(bodies, down, (60, 60))
        blue, _, red = picture[30, 30]
        assert blue > red
        blue, _, red = picture[8, 30]
        assert red > blue
        assert tuple(picture[1, 1]) == PAPER


@pytest.mark.slow
@pytest.mark.parametrize("mat", MATS, ids=lambda mat: mat.name)
def test_above_the_finished_table_the_camera_finds_every_marker(mat):
    eye = (0.0, SIZES.arm.reach, lens_height(SIZES, mat))
    focal = CAMERAS[SIZES.camera.lens].focal_per_width
    view = View(np.array([[-1.0, 0, 0], [0, 1, 0], [0, 0, -1]]), eye, focal)
    size = (round(1280 * PICTURE), 1280)
    picture = render(scenes.whole_table(SIZES, mat), view, size)

    seen = find_markers(picture)
    rig = solve_rig(seen, mat, nominal_lens(SIZES.camera.lens, size))

    assert {one.number for one in seen} == {one.number for one in mat.markers}
    x, y, z = camera_mm(rig)
    assert (x, y) == pytest.approx((mat.size_mm[0] / 2, mat.size_mm[1] / 2), abs=2.0)
    assert abs(z) == pytest.approx(eye[2], rel=0.01)


def test_the_program_says_whether_its_pictures_are_true(monkeypatch, tmp_path, capsys):
    steps = {"tray": lambda sizes: np.zeros((4, 4, 3), np.uint8)}
    monkeypatch.setattr(draw_steps, "FOLDER", tmp_path)
    monkeypatch.setattr(draw_steps, "STEPS", steps)
    monkeypatch.setattr("sys.argv", ["draw_steps.py", "--check"])
    assert draw_steps.main() == 1
    assert "tray.png" in capsys.readouterr().err

    monkeypatch.setattr("sys.argv", ["draw_steps.py"])
    assert draw_steps.main() == 0
    monkeypatch.setattr("sys.argv", ["draw_steps.py", "--check"])
    assert draw_steps.main() == 0
