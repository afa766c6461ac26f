"""What the eye promises on drawn tables, counted where no limit was chosen."""

import pytest

from vision.measure.tabletop import KindCounts, count_tables, kinds_table

PROMISED = {"d6": 95, "d10": 75, "cube": 75, "card": 95, "number": 90, "pawn": 95}
"""Of 100 things so many are read without asking."""


def holds(row: KindCounts) -> bool:
    return 100 * row.right >= PROMISED[row.kind] * row.things


@pytest.mark.slow
def test_a_few_tables_are_read_without_a_mistake():
    rows = count_tables(3)

    assert [row.kind for row in rows] == list(PROMISED)
    # Three tables with ten d6, nine d10 and one that is strange, eleven of each deck.
    assert [row.things for row in rows] == [30, 27, 3, 33, 33, 30]
    assert [row.foreign for row in rows] == [0, 3, 0, 3, 3, 0]
    assert all(row.right + row.asked + row.wrong == row.things for row in rows)
    assert sum(row.wrong for row in rows) == 0
    assert sum(row.foreign_taken for row in rows) == 0


def test_figures_are_told_as_a_table():
    assert kinds_table([KindCounts("d6", 4, 3, 1, 0)]).splitlines()[-1] == (
        "| d6 | 4 | 75.0 % | 1 | 0 | 0 | 0 |"
    )


@pytest.mark.long
def test_three_thousand_things_of_each_kind_are_read_without_a_mistake(record_property):
    rows = {row.kind: row for row in count_tables(360)}

    record_property(
        "figures",
        "; ".join(
            f"{row.kind} {100 * row.right / row.things:.1f} % of {row.things:,} right, "
            f"{row.wrong} wrong, {row.foreign_taken} of {row.foreign} strange taken"
            for row in rows.values()
        ),
    )
    for kind in ("d6", "d10", "card", "number", "pawn"):
        assert rows[kind].right >= 3_000
    assert all(holds(row) for row in rows.values())
    assert sum(row.wrong for row in rows.values()) == 0
    for row in rows.values():
        assert row.foreign_taken <= 0.01 * row.foreign
