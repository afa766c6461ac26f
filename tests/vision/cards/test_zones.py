import numpy as np
import pytest

from vision.cards.quads import Quad
from vision.cards.zones import Grid, cards_in_cells, cells, find_grid, lay_out


def card(x, y, wide=60, high=80, degrees=0):
    turn = np.radians(degrees)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    half = np.array([(-wide, -high), (wide, -high), (wide, high), (-wide, high)]) / 2
    corners = half @ axes + (x, y)
    return Quad(tuple((float(a), float(b)) for a, b in corners), 1.0)


def laid(rows, columns, slope=0.0, seed=1):
    """Return cards laid by hand: up to 15 px and 12 degrees off their places."""
    chance = np.random.default_rng(seed)
    return {
        (row, column): card(
            150 + 100 * column + 10 * row + chance.uniform(-15, 15),
            120 + 120 * row + slope * column + chance.uniform(-15, 15),
            degrees=chance.uniform(-12, 12),
        )
        for row in range(rows)
        for column in range(columns)
    }


class TestProposingAGrid:
    @pytest.mark.parametrize(("rows", "columns"), [(2, 2), (4, 7), (6, 6), (7, 6)])
    def test_cards_laid_by_hand_in_rows_are_a_grid(self, rows, columns):
        there = laid(rows, columns)

        grid = find_grid(list(there.values()))

        assert (grid.rows, grid.columns) == (rows, columns)
        assert cards_in_cells(grid, list(there.values())) == there

    def test_a_grid_lies_askew_under_the_camera(self):
        there = laid(4, 6, slope=15)

        grid = find_grid(list(there.values()))

        assert cards_in_cells(grid, list(there.values())) == there

    def test_holes_leave_the_others_their_cells(self):
        there = laid(4, 6)
        for cell in [(0, 1), (0, 2), (2, 3), (3, 5), (3, 4), (1, 4)]:
            del there[cell]

        grid = find_grid(list(there.values()))

        assert (grid.rows, grid.columns) == (4, 6)
        assert cards_in_cells(grid, list(there.values())) == there

    def test_the_first_corner_is_the_top_left_of_the_laid_area(self):
        exact = [card(100 + 100 * c, 100 + 120 * r) for r in range(3) for c in range(4)]

        grid = find_grid(exact)

        assert grid.corners == ((50, 40), (450, 40), (450, 400), (50, 400))
        assert cells(grid)[2, 3].tolist() == [
            [350, 280],
            [450, 280],
            [450, 400],
            [350, 400],
        ]

    def test_four_taps_and_two_numbers_do_as_well(self):
        there = laid(6, 7)
        taps = ((110, 90), (775, 70), (810, 770), (165, 765))

        grid = Grid(taps, 6, 7)

        assert cards_in_cells(grid, list(there.values())) == there

    def test_a_row_is_no_grid(self):
        assert find_grid([card(100 + 100 * n, 300) for n in range(6)]) is None

    def test_four_cards_before_four_players_are_no_grid(self):
        before = [(360, 80), (600, 450), (380, 740), (80, 470)]

        assert find_grid([card(x, y) for x, y in before]) is None

    def test_an_empty_table_has_no_grid(self):
        assert find_grid([]) is None

    def test_a_card_beside_the_grid_lies_in_no_cell(self):
        there = laid(4, 6)
        grid = find_grid(list(there.values()))

        assert cards_in_cells(grid, [card(150 + 100 * 8, 300)]) == {}


class TestProposingZones:
    def test_a_grid_a_row_a_fan_and_piles_are_told_apart(self):
        grid = [card(80 + 100 * c, 80 + 120 * r) for r in range(3) for c in range(4)]
        row = [card(100 + 80 * n, 700, degrees=3 * n) for n in range(5)]
        fan = [card(800 + 25 * n, 300 + 6 * n, degrees=20 * n) for n in range(3)]
        piles = [card(800, 700), card(1100, 650, degrees=90)]

        zones = lay_out([*grid, *row, *fan, *piles])

        assert [(zone.kind, zone.cards) for zone in zones] == [
            ("grid", tuple(range(12))),
            ("row", (12, 13, 14, 15, 16)),
            ("fan", (17, 18, 19)),
            ("pile", (20,)),
            ("pile", (21,)),
        ]

    def test_a_row_is_told_from_the_left_whatever_was_found_first(self):
        (zone,) = lay_out([card(x, 300) for x in (420, 180, 340, 260)])

        assert (zone.kind, zone.cards) == ("row", (1, 3, 2, 0))

    def test_a_column_is_a_row_from_the_top(self):
        (zone,) = lay_out([card(300, y) for y in (420, 200, 310)])

        assert (zone.kind, zone.cards) == ("row", (1, 2, 0))

    def test_a_zone_reaches_around_its_cards(self):
        (zone,) = lay_out([card(100 + 80 * n, 300) for n in range(3)])

        xs, ys = zip(*zone.corners, strict=True)
        assert (min(xs), max(xs), min(ys), max(ys)) == (70, 290, 260, 340)

    def test_strewn_cards_are_each_their_own(self):
        zones = lay_out([card(100, 100), card(180, 150, degrees=40), card(120, 230)])

        assert [zone.kind for zone in zones] == ["pile"] * 3

    def test_an_empty_table_has_none(self):
        assert lay_out([]) == ()
