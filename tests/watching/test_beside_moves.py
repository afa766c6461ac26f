"""Which things lie together beside a board, and so came with one move."""

import pytest

from companion.table import Placed
from companion.watching.beside_moves import is_torn_apart


def placed(colour, place):
    return Placed(f"marker/{colour}", "front", place)


BLUE_TO_BO = frozenset(
    [placed("blue", "seat/1"), placed("red", "pool"), placed("green", "pool")]
)
GREEN_TO_BO = frozenset(
    [placed("green", "seat/1"), placed("red", "pool"), placed("blue", "pool")]
)
AT = {"blue": 0, "red": 1, "green": 2}


def spots(*middles):
    return [(x - 10, 90, x + 10, 110) for x in middles]


def test_a_move_whose_pool_lies_far_apart_was_another():
    # Blue lies 400 from red, which lies 30 from green: 400 is more than 8 times 30.
    seen = spots(100, 500, 530)

    assert not is_torn_apart(BLUE_TO_BO, AT, seen)
    assert is_torn_apart(GREEN_TO_BO, AT, seen)


@pytest.mark.parametrize("middles", [(100, 200, 300), (100, 150, 490)])
def test_where_they_lie_in_a_row_nobody_can_tell(middles):
    # At most 390 apart, and the nearest others 50: less than 8 times that.
    assert not is_torn_apart(BLUE_TO_BO, AT, spots(*middles))
    assert not is_torn_apart(GREEN_TO_BO, AT, spots(*middles))


def test_colours_that_nobody_names_tell_nothing():
    assert not is_torn_apart(GREEN_TO_BO, {None: 2, "red": 1}, spots(100, 500, 530))
