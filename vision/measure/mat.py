"""Measure the rig on simulated cameras and write the table of README.md.

``python -m vision.measure.mat`` takes some minutes. Every picture has another camera:
place, turn, focal length and distortion are drawn from a seed, the truth stays known.
"""

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from vision.arrays import Picture
from vision.mat.check import check_solved
from vision.mat.lens import Lens, Points, nominal_lens
from vision.mat.limits import mat_limits
from vision.mat.markers import DetectedMarker, as_grey, find_markers
from vision.mat.mat import (
    MAT_A3,
    MAT_A4,
    Layout,
    LooseTile,
    layout_of_tiles,
    tile_outline,
)
from vision.mat.pose import Rig, project, solve_rig, unproject
from vision.mat.tiles import solve_tiles
from vision.measure.mat_pictures import (
    Film,
    MatLight,
    Print,
    draw_print,
    photograph,
    pose_looking_at,
)

BEGIN, END = "<!-- rig: begin -->", "<!-- rig: end -->"

HD, FULL = (720, 1280), (1296, 2304)
TILTS = (0.0, 10.0, 20.0, 30.0)
DIE_MM = 16.0

Solver = Callable[
    [Picture, Layout, Lens], tuple[tuple[DetectedMarker, ...], Rig | None]
]


class Case(Struct, frozen=True):
    """One row: a mat and what its pictures suffer."""

    name: str
    layout: Layout = MAT_A4
    size: tuple[int, int] = HD
    distance_mm: float = 450.0
    light: MatLight = MatLight()
    film: Film = Film()
    solver: Solver | None = None


class MatRow(Struct, frozen=True):
    """Figures of a case; errors are those of the worst place of each picture, mm."""

    name: str
    pictures: int
    taken: int
    refused: int
    median_mm: float
    p95_mm: float
    worst_mm: float
    die_mm: float
    ms: float


def solve_learning_lens(
    picture: Picture, layout: Layout, lens: Lens
) -> tuple[tuple[DetectedMarker, ...], Rig | None]:
    """Solve as `calibrate` does: the lens is learned from the same picture."""
    seen = find_markers(picture)
    return seen, solve_rig(seen, layout, lens, learn=True)


def solve_with_nominal_lens(
    picture: Picture, layout: Layout, lens: Lens
) -> tuple[tuple[DetectedMarker, ...], Rig | None]:
    """Solve with the lens of the data sheet."""
    seen = find_markers(picture)
    return seen, solve_rig(seen, layout, lens)


def solve_by_corners(
    picture: Picture, layout: Layout, lens: Lens
) -> tuple[tuple[DetectedMarker, ...], Rig | None]:
    """Solve with corners by OpenCV's cornerSubPix in place of all edges."""
    seen = tuple(
        replace(one, corners=_sub_pixel(as_grey(picture), one.corners))
        for one in find_markers(picture)
    )
    return seen, solve_rig(seen, layout, lens, learn=True)


def _sub_pixel(grey: Picture, corners: Points) -> Points:
    start = corners.astype(np.float32).reshape(-1, 1, 2)
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 40, 0.005)
    moved = cv2.cornerSubPix(grey, start, (4, 4), (-1, -1), stop)
    return np.asarray(moved, float).reshape(4, 2)


def solve_four_markers(
    picture: Picture, layout: Layout, lens: Lens
) -> tuple[tuple[DetectedMarker, ...], Rig | None]:
    """Solve with two markers of six covered: one at each side."""
    seen = tuple(one for one in find_markers(picture) if one.number % 3 != 1)
    return seen, solve_rig(seen, layout, lens, learn=True)


def solve_loose_tiles(
    picture: Picture, _layout: Layout, lens: Lens
) -> tuple[tuple[DetectedMarker, ...], Rig | None]:
    """Find out how loose tiles lie."""
    seen = find_markers(picture)
    return seen, solve_tiles(seen, lens)


AROUND = (
    LooseTile(20, (60.0, 70.0), 3.0), LooseTile(21, (520.0, 62.0), -93.0),
    LooseTile(22, (75.0, 400.0), 178.0), LooseTile(23, (555.0, 390.0), 40.0),
    LooseTile(24, (290.0, 40.0), 7.0), LooseTile(25, (310.0, 420.0), -130.0),
)  # fmt: skip
"""Six tiles around a board of 400 x 300 mm."""

_DIM = MatLight(white=70.0, cast=(0.5, 0.8, 1.0))
_SIDE = MatLight(white=190.0, slope=2.0)

CASES = (
    Case("A4, good light"),
    Case("A4, dim, warm and noisy", light=_DIM, film=Film(noise=5.0, jpeg=80)),
    Case("A4, light from one side", light=_SIDE),
    Case("A4, a little soft, 1.2 px", film=Film(blur_px=1.2)),
    Case("A4, out of focus, 2.5 px", film=Film(blur_px=2.5)),
    Case("A4, JPEG of quality 60", film=Film(jpeg=60)),
    Case("A4, four markers", solver=solve_four_markers),
    Case("A4, lens as stated", solver=solve_with_nominal_lens),
    Case("A4, corners by cornerSubPix", solver=solve_by_corners),
    Case("A3, good light", MAT_A3, distance_mm=600.0),
    Case("A3, 2304 x 1296", MAT_A3, FULL, 600.0),
    Case("A3, 2304 x 1296, dim", MAT_A3, FULL, 600.0, _DIM, Film(noise=5.0, jpeg=80)),
    Case(
        "six tiles, 2304 x 1296",
        layout_of_tiles(AROUND),
        FULL,
        680.0,
        solver=solve_loose_tiles,
    ),
)


def simulate_cameras(case: Case, count: int) -> Iterator[Rig]:
    """Yield true rigs: as many places and lenses, none as its data sheet says."""
    rng = np.random.default_rng(11)
    left, top, right, bottom = case.layout.field_mm
    for i in range(count):
        tilt = TILTS[i % len(TILTS)]
        stated = nominal_lens("module3", case.size)
        lens = replace(
            stated, focal_px=stated.focal_px * float(1 + rng.normal(0, 0.02)),
            bend=(float(rng.normal(0, 0.03)), 0.0, 0.0, 0.0, 0.0),
        )  # fmt: skip
        middle = ((left + right) / 2 + float(rng.uniform(-10, 10)),
                  (top + bottom) / 2 + float(rng.uniform(-10, 10)))  # fmt: skip
        pose = pose_looking_at(
            middle, case.distance_mm * float(rng.uniform(0.97, 1.1)), tilt,
            float(rng.uniform(50, 130)), float(rng.uniform(-5, 5)),
        )  # fmt: skip
        yield Rig(lens, pose, case.layout, (), 0.0)


def measure_case(case: Case, count: int) -> MatRow:
    """Return the figures of a case over *count* pictures."""
    sheet = _print(case)
    stated = nominal_lens("module3", case.size)
    solver = case.solver or solve_learning_lens
    flat, high, spent = [], [], []
    refused = 0
    for seed, true in enumerate(simulate_cameras(case, count)):
        picture = photograph(sheet, true, case.light, case.film, seed)
        begun = time.process_time()
        seen, rig = solver(picture, case.layout, stated)
        found = check_solved(
            picture, seen, rig, rig.layout if rig else case.layout, mat_limits().check
        )
        spent.append(1000 * (time.process_time() - begun))
        if found.troubles or found.rig is None:
            refused += 1
            continue
        flat.append(_off_mm(found.rig, true, 0.0))
        high.append(_off_mm(found.rig, true, DIE_MM))
    taken = len(flat)
    if not taken:
        return MatRow(
            case.name, count, 0, refused, *(4 * (float("nan"),)), _median(spent)
        )
    return MatRow(
        case.name, count, taken, refused, _median(flat), float(np.quantile(flat, 0.95)),
        max(flat), _median(high), _median(spent),
    )  # fmt: skip


def _median(numbers: list[float]) -> float:
    return float(np.median(numbers))


def _print(case: Case) -> Print:
    if case.layout.name != "tiles":
        return draw_print(case.layout)
    return draw_print(
        case.layout, 4.0, paper=tuple(tile_outline(one) for one in AROUND)
    )


def _off_mm(found: Rig, true: Rig, z_mm: float) -> float:
    """Return the error at the worst of 35 places of the field.

    The table that tiles make begins elsewhere: both are laid upon each other first.
    """
    left, top, right, bottom = true.layout.field_mm
    x, y = np.meshgrid(np.linspace(left, right, 7), np.linspace(top, bottom, 5))
    places = np.stack([x.ravel(), y.ravel()], 1)
    back = unproject(found, project(true, places, z_mm), z_mm)
    if true.layout.name == "tiles":
        a, b = back - back.mean(0), places - places.mean(0)
        u, _, v = np.linalg.svd(a.T @ b)
        back, places = a @ (u @ v), b
    return float(np.linalg.norm(back - places, axis=1).max())


def mat_table(rows: list[MatRow]) -> str:
    """Return the figures as a Markdown table."""
    lines = [
        "| what | pictures | refused | median mm | 95 % | worst | on a die | ms |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for row in rows:
        figures = " | – | – | – | –"
        if row.taken:
            errors = (row.median_mm, row.p95_mm, row.worst_mm, row.die_mm)
            figures = "".join(f" | {error:.3f}" for error in errors)
        lines.append(
            f"| {row.name} | {row.pictures} | {row.refused}{figures} | {row.ms:.0f} |"
        )
    return "\n".join(lines)


def main(readme: Path, count: int) -> None:
    """Measure all cases and put the table into the README."""
    rows = []
    for case in CASES:
        rows.append(measure_case(case, count))
        sys.stdout.write(f"{rows[-1]}\n")
        sys.stdout.flush()
    words = readme.read_text(encoding="utf-8")
    head, tail = words.split(BEGIN)[0], words.split(END)[1]
    text = f"{head}{BEGIN}\n{mat_table(rows)}\n{END}{tail}"
    readme.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(__file__).parents[1] / "mat" / "README.md", 24)
