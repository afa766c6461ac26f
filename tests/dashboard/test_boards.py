"""The drawing of Drachenhort, and its twin in words."""

from collections.abc import Callable
from itertools import combinations, pairwise
from typing import Any

import pytest
from msgspec.structs import replace

from companion.dashboard.boards.drawing import FIGURE, Drawing, packed
from companion.dashboard.door.auth import Who
from companion.dashboard.view.views import view_of
from companion.games.drachenhort.pieces import Light
from companion.games.drachenhort.state import HALL, OFF
from companion.story.log import Edited
from tests.dashboard.fakes import FakeTable

WATCHER, ANA = Who(), Who(0)


def board(table: FakeTable, who: Who = WATCHER) -> Drawing:
    drawing = view_of(table.snapshot, who, "en", strict=True).board
    assert drawing is not None
    return drawing


def state(table: FakeTable) -> Any:
    assert table.snapshot.story is not None
    return table.snapshot.story.state


def put(table: FakeTable, **changes: Any) -> None:
    table.tell(Edited(replace(state(table), **changes), "test"))


def test_thirty_cells_stand_apart_inside_the_drawing(game: FakeTable):
    drawing = board(game)

    assert [spot.number for spot in drawing.spots] == list(range(1, 31))
    assert len({(spot.x, spot.y) for spot in drawing.spots}) == 30
    for spot in drawing.spots:
        assert 25 <= spot.x <= drawing.width - 25
        assert 29 <= spot.y <= drawing.height - 29


def test_each_cell_lies_beside_the_one_before(game: FakeTable):
    spots = board(game).spots

    for one, next_one in pairwise(spots):
        steps = {abs(one.x - next_one.x), abs(one.y - next_one.y)}
        assert steps in ({58.0, 0.0}, {0.0, 72.0})


def test_a_lit_adventurer_stands_in_the_light_half(game: FakeTable):
    put(game, cells=(4, 4, *state(game).cells[2:]), lit=(True, False, *(True,) * 5))
    drawing = board(game)
    cell = next(spot for spot in drawing.spots if spot.number == 4)

    lit, dark = drawing.pawns[0], drawing.pawns[1]

    assert lit.y < cell.y < dark.y


def test_a_wholly_dark_cell_has_no_halves(game: FakeTable):
    dark = [
        n for n, c in enumerate(state(game).board.cells, 1) if c.light is Light.DARK
    ]
    put(game, cells=(dark[0], *state(game).cells[1:]), lit=(False, *(True,) * 6))
    drawing = board(game)
    spot = next(spot for spot in drawing.spots if spot.number == dark[0])

    assert spot.light == "dark"
    assert (drawing.pawns[0].x, drawing.pawns[0].y) == (spot.x, spot.y)


def test_colour_is_never_alone(game: FakeTable):
    pawns = board(game).pawns

    assert len({pawn.icon.text for pawn in pawns}) == 7
    assert len({pawn.icon.colour for pawn in pawns}) == 7
    assert all(pawn.name for pawn in pawns)


def test_ghosts_show_where_the_throw_leads_only_to_who_may_move(
    game: FakeTable, play: Callable[..., None]
):
    play(until="advance")

    ghosts = [pawn for pawn in board(game, ANA).pawns if pawn.ghost]

    assert len(ghosts) == 7
    assert not any(pawn.ghost for pawn in board(game).pawns)


def test_ghosts_of_all_seven_fit_in_the_half_that_they_come_to(
    game: FakeTable, play: Callable[..., None]
):
    play(until="advance")
    drawing = board(game, ANA)
    # From the start all come to the same cell, of which a half is 50 wide, 29 high.
    (spot,) = [spot for spot in drawing.spots if spot.number == state(game).pips]

    ghosts = [pawn for pawn in drawing.pawns if pawn.ghost]

    for ghost in ghosts:
        reach = ghost.scale * FIGURE / 2
        assert abs(ghost.x - spot.x) + reach <= 25.1
        assert reach - 0.1 <= abs(ghost.y - spot.y) <= 29.1 - reach
    assert len({(ghost.x, ghost.y) for ghost in ghosts}) == 7


@pytest.mark.parametrize("count", range(1, 13))
def test_figures_that_share_a_place_lie_inside_it_and_side_by_side(count: int):
    scale, places = packed(count, 50, 27, 0.82)

    side = scale * FIGURE
    assert len(places) == count
    for x, y in places:
        assert abs(x) + side / 2 <= 25.01
        assert abs(y) + side / 2 <= 13.51
    for (x, y), (other_x, other_y) in combinations(places, 2):
        assert max(abs(x - other_x), abs(y - other_y)) >= side - 0.01


def test_two_figures_are_larger_than_seven():
    # Two in a row of 50: 25 each. Seven in two rows of four: 50 / 4 = 12.5 each.
    assert packed(2, 50, 27, 0.82)[0] * FIGURE == 25
    assert packed(7, 50, 27, 0.82)[0] * FIGURE == 12.5


def test_the_last_move_is_marked_and_stays_so_after_the_next_throw(
    game: FakeTable, play: Callable[..., None]
):
    play(until="advance")
    play(moves=1)
    marked = [spot.number for spot in board(game).spots if spot.mark == "here"]

    play(until="advance")

    assert marked
    assert [s.number for s in board(game).spots if s.mark == "here"] == marked


def test_the_dragon_waits_in_the_hall(game: FakeTable):
    drawing = board(game)

    assert state(game).dragon == HALL
    assert drawing.dragon is not None
    assert drawing.dragon[0] < 100
    assert "The dragon: in the treasure hall" in drawing.twin


def test_the_twin_tells_every_figure_jewel_and_trap(
    game: FakeTable, play: Callable[..., None]
):
    play(moves=40)
    drawing, now = board(game), state(game)

    twin = "\n".join(drawing.twin)

    assert len(drawing.twin) >= 10
    assert f"Jewels on spaces {', '.join(map(str, now.jewels))}" in twin
    off = sum(cell == OFF for cell in now.cells)
    assert twin.count("off the board") == off


def test_medals_stand_under_their_adventurers(
    game: FakeTable, play: Callable[..., None]
):
    play()
    drawing, now = board(game), state(game)

    assert tuple(m.silver for m in drawing.medals) == now.medals[0]
    assert tuple(m.gold for m in drawing.medals) == now.medals[1]
    assert sorted(now.medals[0]) == [1, 2, 3, 4, 5, 6, 8]


def test_who_left_is_not_on_the_board(game: FakeTable, play: Callable[..., None]):
    play(until="flip")

    drawing, now = board(game), state(game)

    assert len(drawing.pawns) == sum(cell != OFF for cell in now.cells)
