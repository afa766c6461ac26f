"""The table in vision/mat/README.md is made by a command, and what it shows holds."""

from pathlib import Path

import pytest
from msgspec.structs import replace

import vision.measure.mat as accuracy
from vision.measure.mat import (
    BEGIN,
    CASES,
    END,
    mat_table,
    measure_case,
    simulate_cameras,
    solve_by_corners,
)

README = Path(accuracy.__file__).parents[1] / "mat" / "README.md"


def case(name: str):
    return next(one for one in CASES if one.name == name)


def test_every_case_has_its_row_in_the_readme():
    shown = README.read_text(encoding="utf-8").split(BEGIN)[1].split(END)[0]
    rows = [line.split("|")[1].strip() for line in shown.strip().splitlines()[2:]]

    assert rows == [one.name for one in CASES]


def test_the_cameras_of_a_case_are_the_same_at_every_run():
    first, second = (
        list(simulate_cameras(case("A4, good light"), 8)) for _ in range(2)
    )

    assert first == second
    assert len({one.pose for one in first}) == 8


@pytest.mark.slow
def test_the_worst_place_is_right_to_a_twentieth_of_a_millimetre_in_good_light():
    row = measure_case(case("A4, good light"), 4)

    assert (row.taken, row.refused) == (4, 0)
    assert row.worst_mm < 0.05
    assert row.die_mm < 0.05


@pytest.mark.slow
def test_a_camera_out_of_focus_is_refused_every_time():
    row = measure_case(case("A4, out of focus, 2.5 px"), 4)

    assert (row.taken, row.refused) == (0, 4)
    assert "| 4 | 4 | – | – | – | – |" in mat_table([row])


@pytest.mark.slow
def test_measuring_all_edges_is_worth_it():
    edges, corners = (
        measure_case(replace(case("A4, good light"), solver=solver), 4)
        for solver in (None, solve_by_corners)
    )

    assert corners.median_mm > 3 * edges.median_mm
