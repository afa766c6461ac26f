"""Cards in rows: which cell looks otherwise than before, in any light."""

import cv2
import numpy as np
import pytest

from vision.cards.rows import (
    CELL_PX,
    card_in_cell,
    cell_of,
    changed_cells,
    flatten_rows,
    is_bare,
    lies_on,
)
from vision.cards.zones import cells, grid_between

ROWS, COLUMNS = 3, 4
PITCH = 100
CARD = 60, 84
CORNERS = ((100, 100), (400, 100), (400, 300), (100, 300))
SIZE = (400, 500)
GRID = grid_between(CORNERS, ROWS, COLUMNS)


def print_of(number):
    """Return a card of some blots, white at its rim."""
    random = np.random.default_rng(number)
    card = np.full((CARD[1], CARD[0], 3), 225, np.uint8)
    card[5:-5, 5:-5] = random.integers(40, 200, 3)
    for _ in range(5):
        at = tuple(
            int(v) for v in random.integers((14, 14), (CARD[0] - 14, CARD[1] - 14))
        )
        colour = tuple(int(v) for v in random.integers(0, 255, 3))
        cv2.circle(card, at, int(random.integers(5, 12)), colour, -1)
    return card


def table(cells, nudged=(0, 0)):
    """Return a picture of cards, by row and column; other cells are bare."""
    random = np.random.default_rng(1)
    picture = random.normal(95, 2, (*SIZE, 3))
    for (row, column), number in cells.items():
        x = CORNERS[0][0] + column * PITCH - CARD[0] // 2 + nudged[0]
        y = CORNERS[0][1] + row * PITCH - CARD[1] // 2 + nudged[1]
        picture[y : y + CARD[1], x : x + CARD[0]] = print_of(number)
    noise = random.normal(0, 2, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


ALL = {(row, column): 7 for row in range(ROWS) for column in range(COLUMNS)}


def differing(before, now):
    found = changed_cells(flatten_rows(now, GRID), flatten_rows(before, GRID))
    return {(int(r), int(c)) for r, c in zip(*np.nonzero(found), strict=True)}


def lit(picture, gain):
    return np.clip(picture * np.asarray(gain), 0, 255).astype(np.uint8)


def test_cells_are_where_the_four_corner_cards_say():
    assert cells(GRID)[0, 0].tolist() == [[50, 50], [150, 50], [150, 150], [50, 150]]
    assert cells(GRID)[2, 3].tolist()[0] == pytest.approx([350, 250], abs=1e-3)


def test_a_card_that_was_turned_one_that_is_gone_and_one_that_came_have_changed():
    before = {at: 7 for at in ALL if at != (2, 0)}
    now = before | {(1, 1): 3, (2, 0): 7}
    del now[0, 2]

    assert differing(table(before), table(now)) == {(1, 1), (2, 0), (0, 2)}


@pytest.mark.parametrize(
    "gain",
    [
        0.45,  # half the light
        (0.8, 1.0, 1.2),  # a warm lamp
        np.linspace(0.6, 1.1, SIZE[1])[None, :, None],  # from one side
        np.where(np.arange(SIZE[1]) < 230, 0.6, 1.0)[None, :, None],  # a shadow's edge
    ],
    ids=["half", "warm", "from one side", "a shadow"],
)
def test_nothing_has_changed_in_another_light(gain):
    picture = table(ALL | {(1, 2): 4})

    assert differing(picture, lit(picture, gain)) == set()


def test_nothing_has_changed_where_the_camera_was_touched_by_a_pixel():
    assert differing(table(ALL), table(ALL, nudged=(1, -1))) == set()


def test_cards_of_one_print_and_another_colour_are_two():
    now = table(ALL)
    now[58:142, 70:130] = cv2.cvtColor(now[58:142, 70:130], cv2.COLOR_BGR2RGB)

    assert differing(table(ALL), now) == {(0, 0)}


class TestACell:
    def cell(self, cells, gain=1.0):
        flat = flatten_rows(lit(table(cells), gain), GRID)
        return flat[cell_of(1, 1)]

    def test_is_bare_without_a_card_and_not_with_one(self):
        assert is_bare(self.cell({}))
        assert not is_bare(self.cell(ALL))

    def test_something_small_and_round_lies_on_its_card(self):
        before, now = self.cell(ALL), self.cell(ALL).copy()
        cv2.circle(now, (CELL_PX // 2, CELL_PX // 2), 7, (20, 30, 200), -1)

        assert lies_on(now, before)
        assert not lies_on(before, before)
        assert not lies_on(self.cell({(1, 1): 3}), before)
        assert not lies_on(self.cell({}), before)


def test_the_card_of_a_cell_is_found_by_the_size_that_all_have():
    picture = table(ALL)

    corners = card_in_cell(picture, GRID, (1, 2), CARD).array()

    assert corners.min(0) == pytest.approx((270, 158), abs=1.5)
    assert corners.max(0) == pytest.approx((329, 241), abs=1.5)
    assert card_in_cell(table({}), GRID, (1, 2), CARD) is None
