"""``dragon-table calibrate`` says how the camera stands, and what to do."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from vision.mat.lens import nominal_lens
from vision.mat.mat import MAT_A4, LooseTile, layout_of_tiles, tile_outline
from vision.mat.pose import Rig
from vision.mat.rig_file import RigUnreadable, load_rig
from vision.measure.mat_pictures import (
    Film,
    MatLight,
    draw_print,
    photograph,
    pose_looking_at,
)

LENS = nominal_lens("module3", (720, 1280))

pytestmark = pytest.mark.slow


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    """Return exit code, output and errors of the command, as a shell would see them."""
    with pytest.raises(SystemExit) as ended:
        main(("calibrate", *arguments))
    told = capsys.readouterr()
    code = ended.value.code
    return (code if isinstance(code, int) else 0), told.out, told.err


@pytest.fixture(scope="module")
def good(tmp_path_factory) -> Path:
    """A photograph of the A4 mat from 40 cm, 12 degrees off straight down."""
    rig = Rig(LENS, pose_looking_at((148.5, 105.0), 400.0, 12.0), MAT_A4, (), 0.0)
    path = tmp_path_factory.mktemp("photos") / "good.png"
    cv2.imwrite(str(path), photograph(draw_print(MAT_A4), rig, MatLight(), Film(), 1))
    return path


def test_a_good_mat_is_described_and_nothing_is_to_do(good, capsys):
    code, out, err = run(capsys, str(good), "--lens", "module3")

    assert (code, err) == (0, "")
    assert "A4 mat: markers 0, 1, 2, 3, 4, 5\n" in out
    # 400 mm along the axis, 12 degrees off: 391 mm high.
    assert "39 cm above the table, 12 degrees off straight down" in out
    assert "enough for pips and cards" in out
    assert out.endswith("good    The table can be read.\n")


@pytest.mark.parametrize(
    ("language", "height", "end"),
    [
        ("fr_FR.UTF-8", "caméra  à 39 cm au-dessus", "bien    La table peut être lue."),
        (
            "de_DE.UTF-8",
            "Kamera  39 cm über dem",
            "gut     Der Tisch lässt sich lesen.",
        ),
    ],
)
def test_it_is_described_in_the_language_of_its_reader(
    good, capsys, monkeypatch, language, height, end
):
    monkeypatch.setenv("LC_ALL", language)

    _, out, _ = run(capsys, str(good), "--lens", "module3")

    assert height in out
    assert out.endswith(f"{end}\n")
    assert "above the table" not in out


def test_json_has_markers_resolution_focus_light_and_lens(good, capsys):
    code, out, _ = run(capsys, str(good), "--json")
    told = json.loads(out)

    assert code == 0
    assert told["layout"] == "A4"
    assert told["missing"] == []
    assert told["troubles"] == []
    stand = told["stand"]
    assert stand["px_per_mm"] == pytest.approx(2.2, abs=0.1)
    assert stand["blur_mm"] < 0.5
    assert max(stand["lighting"]["white"]) == pytest.approx(215, abs=2)
    # An unknown lens is learned from the tilted mat.
    assert stand["lens"]["focal_px"] == pytest.approx(LENS.focal_px, rel=0.02)


def test_a_dark_picture_says_what_to_do_and_fails(good, tmp_path, capsys):
    dark = tmp_path / "dark.png"
    cv2.imwrite(str(dark), (cv2.imread(str(good)) * 0.14).astype(np.uint8))

    code, out, _ = run(capsys, str(dark))

    assert code == 1
    assert "do      It is too dark to read the table." in out


def test_a_lamp_that_is_too_near_is_told_where_to_stand(tmp_path, capsys):
    rig = Rig(LENS, pose_looking_at((148.5, 105.0), 400.0, 12.0), MAT_A4, (), 0.0)
    near = tmp_path / "near.png"
    # The patches of one side get a quarter of the light of the other's.
    lit = MatLight(white=180.0, slope=100.0)
    cv2.imwrite(str(near), photograph(draw_print(MAT_A4), rig, lit, Film(), 1))

    code, out, _ = run(capsys, str(near), "--lens", "module3")

    assert code == 0  # it is read all the same
    assert "put the lamp farther off and higher, with its diffuser" in out


def test_without_markers_it_says_what_still_works(tmp_path, capsys):
    plain = tmp_path / "plain.png"
    drawn = np.full((480, 640, 3), 90, np.uint8)
    cv2.rectangle(drawn, (100, 100), (300, 300), (230, 230, 230), -1)
    cv2.imwrite(str(plain), drawn)

    code, out, _ = run(capsys, str(plain))

    assert code == 1
    assert out.startswith("No marker was found.\n")
    assert "Markers in view: 0; at least 4 are needed." in out
    assert "can also be read without markers" in out


@pytest.mark.slow
def test_loose_tiles_are_laid_out_and_kept(tmp_path, capsys):
    tiles = (
        LooseTile(20, (30.0, 30.0), 0.0), LooseTile(21, (300.0, 20.0), 90.0),
        LooseTile(22, (40.0, 200.0), 170.0), LooseTile(23, (330.0, 210.0), 20.0),
    )  # fmt: skip
    paper = tuple(tile_outline(one) for one in tiles)
    rig = Rig(
        LENS,
        pose_looking_at((180.0, 110.0), 480.0, 10.0),
        layout_of_tiles(tiles),
        (),
        0.0,
    )
    photo, kept = tmp_path / "tiles.png", tmp_path / "rig.json"
    picture = photograph(
        draw_print(layout_of_tiles(tiles), paper=paper), rig, MatLight(), Film(), 1
    )
    cv2.imwrite(str(photo), picture)

    code, out, _ = run(
        capsys, str(photo), "--lens", "module3", "--save", str(kept), "--ruler", "97"
    )

    assert code == 0
    assert "loose tiles: markers 20, 21, 22, 23\n" in out
    layout = load_rig(kept).layout
    corners = np.array(layout.marker(20).corners)
    # The ruler came out 3 % short, and so did the markers of 40 mm.
    assert np.linalg.norm(corners[1] - corners[0]) == pytest.approx(38.8, abs=0.01)


def test_an_overlay_shows_what_was_found(good, tmp_path, capsys):
    target = tmp_path / "seen.png"

    run(capsys, str(good), "--overlay", str(target))

    drawn, before = cv2.imread(str(target)), cv2.imread(str(good))
    assert drawn.shape == before.shape
    green = (drawn == (60, 190, 60)).all(2)
    # Six outlines of four sides, 85 px long and 2 px thick.
    assert green.sum() > 6 * 4 * 85


def test_a_folder_is_a_camera_whose_first_picture_is_looked_at(good, capsys):
    code, out, _ = run(capsys, "--camera", str(good.parent), "--lens", "module3")

    assert code == 0
    assert "A4 mat" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "give either a PHOTO or --camera"),
        (("a.png", "--camera", "0"), "give either a PHOTO or --camera"),
        (("gone.png",), "gone.png does not exist"),
        (("--camera", "/no/such/folder"), "is no folder"),
        (("a.png", "--lens", "eye"), "'eye' is not one of"),
    ],
)
def test_wrong_calls_end_with_one_line(arguments, words, capsys):
    code, out, err = run(capsys, *arguments)

    assert (code, out) == (2, "")
    assert words in err
    assert len(err.strip().splitlines()) == 1


def test_a_ruler_that_no_printer_makes_and_a_target_that_is_no_file(
    good, tmp_path, capsys
):
    code, _, err = run(capsys, str(good), "--ruler", "9.7")
    assert code == 2
    assert "the 100 mm ruler measures 9.7 mm" in err

    code, _, err = run(capsys, str(good), "--overlay", str(tmp_path))
    assert code == 2
    assert "cannot be written" in err


def test_a_rig_with_troubles_is_not_kept(good, tmp_path, capsys):
    dark, kept = tmp_path / "dark.png", tmp_path / "rig.json"
    cv2.imwrite(str(dark), (cv2.imread(str(good)) * 0.14).astype(np.uint8))

    code, _, err = run(capsys, str(dark), "--save", str(kept))

    assert code == 2
    assert "was not written" in err
    with pytest.raises(RigUnreadable, match="holds no rig; make one"):
        load_rig(kept)
