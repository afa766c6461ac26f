"""How many lines of play there are: one number guards the whole move generator."""

import pytest

from companion.games.dragorun import GAME
from tests.games.dragorun.tables import new_game, scene

START = (5, 4, 3, 2, 1)


def count(state, depth):
    """Return the number of ways to make *depth* moves, chance included."""
    if not depth:
        return 1
    moves = list(GAME.legal(state))
    if depth == 1:
        return len(moves)
    return sum(count(GAME.apply(state, move)[0], depth - 1) for move in moves)


def test_one_turn_by_hand():
    # 36 throws and 4 markers to take.
    assert count(scene(START, finish=7), 1) == 40
    # A colour (30 throws): its move, or 36 + 6 + 6 second throws: 49 each. White (6):
    # five moves instead of one, 53 each. A swap (4): seven sorts of eggs.
    assert count(scene(START, finish=7), 2) == 30 * 49 + 6 * 53 + 4 * 7


def test_the_set_up_by_hand():
    # Five dragons on five cells in any order, 5*5, then 4*4 ...; then five markers for
    # the first seat and four for the second.
    assert count(new_game(), 2) == 25 * 16
    assert count(new_game(), 3) == 25 * 16 * 9


@pytest.mark.parametrize(
    ("options", "counts"),
    [
        ({}, (1_816, 10_162, 400_597)),
        ({"DG1": "next_cell"}, (1_816, 12_034, 485_845)),
        ({"DG2": "stay"}, (1_816, 13_906, 571_093)),
        ({"DG6": "stay"}, (1_816, 19_646, 848_753)),
        ({"DG7": "exact"}, (1_816, 16_018, 678_757)),
        ({"DG11": "both"}, (1_816, 10_161, 400_586)),
        ({"DG23": "must_move"}, (1_813, 9_898, 388_823)),
    ],
    ids=lambda value: "-".join(value) or "defaults" if isinstance(value, dict) else "",
)
def test_lines_of_play(options, counts):
    # Red is one step from the finish and violet on the snail cell. The first count is
    # the one by hand above, 1470 + 318 + 28; with DG23 white loses three moves that
    # would stay: red's on the trophy, violet's on -1 and on the snail. The deeper
    # counts are recorded, so that a change of any rule shows.
    state = scene((6, 4, 2, 1, 0), finish=7, riders="red green blue", options=options)

    assert tuple(count(state, depth) for depth in (2, 3, 4)) == counts
