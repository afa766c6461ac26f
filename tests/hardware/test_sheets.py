"""Every printed sheet, photographed by a simulated camera, is read back."""

import importlib.util
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest

from hardware.cad.sizes import lens_height, read_sizes
from hardware.draw_rig import height_mm
from vision.mat.check import check_picture, find_layout
from vision.mat.lens import nominal_lens
from vision.mat.light import measure_lighting
from vision.mat.limits import mat_limits
from vision.mat.markers import find_markers
from vision.mat.mat import (
    MATS,
    TILE_MM,
    TILE_NUMBERS,
    Layout,
    LooseTile,
    layout_of_tiles,
    tile_outline,
)
from vision.mat.pose import Rig, project, solve_rig, unproject
from vision.mat.tiles import solve_tiles
from vision.measure.mat_pictures import (
    WOOD,
    Film,
    MatLight,
    Print,
    photograph,
    pose_looking_at,
)

HARDWARE = Path(__file__).parents[2] / "hardware"
SHEETS = HARDWARE / "sheets"
PX_PER_MM = 4.0
LENS = nominal_lens("module3", (1296, 2304))
SIZES = read_sizes()

LEANING = {"A4": height_mm(SIZES, 3), "A3": height_mm(SIZES, 4)}
"""A mast that leans has to be a section higher, or a corner of the mat is not seen."""


def drawer():
    # hardware/ is no package: the drawing is a program.
    path = HARDWARE / "draw_sheets.py"
    spec = importlib.util.spec_from_file_location("draw_sheets", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def page_of(name: str) -> np.ndarray:
    return drawer().pages((SHEETS / name).read_bytes())[0]


def on_table(page: np.ndarray, margin_mm: float = 40.0) -> Print:
    margin = round(margin_mm * PX_PER_MM)
    table = cv2.copyMakeBorder(
        page, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=WOOD
    )
    return Print(np.asarray(table, np.uint8), PX_PER_MM, (-margin_mm, -margin_mm))


def above(layout: Layout, distance_mm: float, tilt: float) -> Rig:
    left, top, right, bottom = layout.field_mm
    middle = ((left + right) / 2, (top + bottom) / 2)
    pose = pose_looking_at(middle, distance_mm, tilt, towards=75.0, roll=2.0)
    return Rig(LENS, pose, layout, (), 0.0)


def grid(layout: Layout) -> np.ndarray:
    left, top, right, bottom = layout.field_mm
    x, y = np.meshgrid(np.linspace(left, right, 7), np.linspace(top, bottom, 5))
    return np.stack([x.ravel(), y.ravel()], 1)


@pytest.mark.parametrize("name", ["mat-a4", "mat-a3", "tiles-a4", "tiles-a5"])
def test_the_sheets_in_the_repository_are_those_of_the_constants(name):
    module = drawer()
    kept = (SHEETS / f"{name}.pdf").read_bytes()
    same = module.is_same(kept, module.sheets()[f"{name}.pdf"])
    assert same, "run python hardware/draw_sheets.py"


@pytest.mark.parametrize("mat", MATS, ids=lambda mat: mat.name)
def test_a_page_is_as_large_as_its_paper(mat):
    document = pypdfium2.PdfDocument(
        (SHEETS / f"mat-{mat.name.lower()}.pdf").read_bytes()
    )
    width, height = (points / 72 * 25.4 for points in document[0].get_size())

    assert (width, height) == pytest.approx(mat.size_mm, abs=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("mat", MATS, ids=lambda mat: mat.name)
@pytest.mark.parametrize(
    ("tilt", "light", "film"),
    [
        (0.0, MatLight(), Film()),
        (20.0, MatLight(white=180.0, slope=1.5), Film(blur_px=1.0, noise=3.0)),
        (30.0, MatLight(white=90.0, cast=(0.5, 0.8, 1.0)), Film(noise=3.0, jpeg=80)),
    ],
    ids=["straight above", "a lamp at the side", "evening"],
)  # fmt: skip
def test_a_printed_mat_is_read_back_to_a_tenth_of_a_millimetre(mat, tilt, light, film):
    true = above(mat, LEANING[mat.name] if tilt else lens_height(SIZES, mat), tilt)
    sheet = on_table(page_of(f"mat-{mat.name.lower()}.pdf"))
    picture = photograph(sheet, true, light, film, seed=4)

    found = check_picture(picture, mat, LENS, mat_limits().check)

    assert find_layout(found.seen) is mat
    assert found.missing == ()
    assert found.troubles == ()
    for z_mm in (0.0, 16.0):
        off = unproject(found.rig, project(true, grid(mat), z_mm), z_mm) - grid(mat)
        assert np.linalg.norm(off, axis=1).max() < 0.1


@pytest.mark.slow
@pytest.mark.parametrize("mat", MATS, ids=lambda mat: mat.name)
def test_printed_patches_are_white_grey_and_in_the_right_colours(mat):
    true = above(mat, LEANING[mat.name], 10.0)
    sheet = on_table(page_of(f"mat-{mat.name.lower()}.pdf"))
    picture = photograph(sheet, true, MatLight(white=200.0), Film(), seed=2)

    found = measure_lighting(picture, solve_rig(find_markers(picture), mat, LENS))

    # All markers but the lowest of each side have patches below them.
    assert len(found.blocks) == len(mat.markers) - 2
    assert np.abs(np.array(found.white) - 200).max() < 4
    assert found.swapped is False


def test_the_ruler_is_100_mm_long():
    page = page_of("mat-a4.pdf")
    left, _, right, bottom = MATS[0].field_mm
    strip = page[round((bottom + 10) * 4) : round((bottom + 15) * 4),
                 round((left - 5) * 4) : round(right * 4)].max(2)  # fmt: skip
    # The row of the ruler's line is the darkest; its ends are the ruler's.
    row = strip[strip.mean(1).argmin()]
    dark = np.flatnonzero(row < 160)

    assert (dark.max() - dark.min()) / PX_PER_MM == pytest.approx(100.0, abs=0.6)


def cut_out(content: bytes, page_mm: tuple[float, float]) -> dict[int, np.ndarray]:
    """Return each tile of a sheet, cut along its dashes."""
    tiles = {}
    for page, places in zip(
        drawer().pages(content), drawer().tiles_on(page_mm), strict=True
    ):
        for tile in places:
            left, top = tile_outline(tile)[0]
            x, y = round(left * PX_PER_MM), round(top * PX_PER_MM)
            wide, high = (round(side * PX_PER_MM) for side in TILE_MM)
            tiles[tile.number] = page[y : y + high, x : x + wide]
    return tiles


def thrown_down(tiles: dict[int, np.ndarray], places: tuple[LooseTile, ...]) -> Print:
    """Return a table with cut tiles on it, anyhow."""
    table = np.full((round(560 * PX_PER_MM), round(760 * PX_PER_MM), 3), WOOD, np.uint8)
    for place in places:
        tile = tiles[place.number]
        high, wide = tile.shape[:2]
        edge = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32) - 0.5
        there = np.array(tile_outline(place)) * PX_PER_MM - 0.5
        to = cv2.getPerspectiveTransform(
            edge.astype(np.float32), there.astype(np.float32)
        )
        cv2.warpPerspective(
            tile, to, table.shape[1::-1], dst=table, borderMode=cv2.BORDER_TRANSPARENT
        )
    return Print(table, PX_PER_MM, (0.0, 0.0))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "page_mm"), [("tiles-a4", (210.0, 297.0)), ("tiles-a5", (210.0, 148.0))]
)
def test_tiles_that_are_cut_out_and_laid_around_a_board_are_read_back(name, page_mm):
    tiles = cut_out((SHEETS / f"{name}.pdf").read_bytes(), page_mm)
    assert set(tiles) == set(TILE_NUMBERS)
    places = (
        LooseTile(20, (120.0, 110.0), -8.0), LooseTile(23, (590.0, 100.0), 95.0),
        LooseTile(25, (130.0, 420.0), 183.0), LooseTile(27, (600.0, 430.0), 30.0),
        LooseTile(26, (350.0, 90.0), 0.0),
    )  # fmt: skip
    true = above(layout_of_tiles(places), 700.0, 15.0)
    picture = photograph(thrown_down(tiles, places), true, MatLight(), Film(), seed=1)

    found = solve_tiles(find_markers(picture), LENS)

    assert found.used == (20, 23, 25, 26, 27)
    # 430 mm apart on the table, wherever the found table begins.
    ends = np.array([[150.0, 260.0], [580.0, 260.0]])
    one, other = unproject(found, project(true, ends))
    assert np.linalg.norm(other - one) == pytest.approx(430.0, abs=0.4)


def test_the_program_says_whether_its_sheets_are_true(monkeypatch, tmp_path, capsys):
    module = drawer()
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    monkeypatch.setattr("sys.argv", ["draw_sheets.py", "--check"])
    assert module.main() == 1
    assert "mat-a4.pdf" in capsys.readouterr().err

    monkeypatch.setattr("sys.argv", ["draw_sheets.py"])
    assert module.main() == 0
    monkeypatch.setattr("sys.argv", ["draw_sheets.py", "--check"])
    assert module.main() == 0


def test_sheets_that_another_release_packed_otherwise_are_true_and_stay(
    monkeypatch, tmp_path
):
    module = drawer()
    drawn = module.sheets()
    monkeypatch.setattr(module, "sheets", lambda: drawn)
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    for name, content in drawn.items():
        # A comment after the end: other bytes, the same pages.
        (tmp_path / name).write_bytes(content + b"% packed otherwise\n")
    monkeypatch.setattr("sys.argv", ["draw_sheets.py", "--check"])
    assert module.main() == 0
    monkeypatch.setattr("sys.argv", ["draw_sheets.py"])
    assert module.main() == 0
    for name in drawn:
        assert (tmp_path / name).read_bytes().endswith(b"otherwise\n")


@pytest.mark.parametrize(
    "spoilt", [b"", b"no PDF", "tiles-a5.pdf"], ids=["empty", "text", "another sheet"]
)
def test_a_sheet_that_shows_something_else_is_out_of_date(spoilt):
    module = drawer()
    drawn = module.sheets()
    other = drawn[spoilt] if isinstance(spoilt, str) else spoilt
    assert not module.is_same(other, drawn["tiles-a4.pdf"])
