"""The drawing of Dragorun: a track for every copy, and who rides whom."""

import random
from itertools import combinations
from math import dist

import pytest
from msgspec.structs import replace

from companion.dashboard.boards.dragorun.draw import Track
from companion.dashboard.door.auth import VIEWER, Who
from companion.dashboard.view.views import view_of
from companion.games.dragorun.box import STAND_IN
from companion.games.dragorun.pieces import Colour, Egg, Step
from companion.games.dragorun.state import Phase
from companion.running.snapshot import Setup
from companion.story.log import Edited
from tests.dashboard.fakes import FakeTable
from tests.dashboard.playing import play_on

ANA = Who(0)


@pytest.fixture
def race(table: FakeTable) -> FakeTable:
    table.open_game(Setup("dragorun", ("Ana", "Bo", "Cy")))
    play_on(table, random.Random(2), 60, "turn")
    return table


def track(table: FakeTable, who: Who = VIEWER) -> Track:
    board = view_of(table.snapshot, who, "en", strict=True).board
    assert isinstance(board, Track)
    return board


def put(table: FakeTable, **changes: object) -> None:
    assert table.snapshot.story is not None
    state = replace(table.snapshot.story.state, **changes)
    table.tell(Edited(state, "test"))


@pytest.mark.parametrize("finish", [7, 12, 25, 40, 64])
def test_cells_of_any_copy_stand_apart_inside_the_drawing(finish: int, race: FakeTable):
    setting = race.snapshot.story.state.setting
    box = replace(STAND_IN, finish=finish)
    put(race, setting=replace(setting, box=box))

    drawing = track(race)

    places = [(cell.x, cell.y) for cell in drawing.cells]
    assert len(places) == finish
    assert min(dist(a, b) for a, b in combinations(places, 2)) > 36
    for x, y in places:
        assert 18 <= x <= drawing.width - 18
        assert 18 <= y < drawing.snail_y - 40


def test_dragons_on_the_snails_field_stand_side_by_side(race: FakeTable):
    put(race, cells=(0, 0, 0, 0, 0), line=(3, 1, 0, 2, 4))

    pawns = track(race).pawns

    assert {pawn.y for pawn in pawns} == {track(race).snail_y}
    assert [p.icon.colour for p in sorted(pawns, key=lambda pawn: pawn.x)] == [
        "yellow",
        "green",
        "red",
        "blue",
        "violet",
    ]
    assert all(30 < pawn.x < 340 for pawn in pawns)


def test_a_ghost_shows_where_the_throw_leads(race: FakeTable):
    put(
        race,
        phase=Phase.KEEP,
        colour=Colour.RED,
        step=Step.TROPHY,
        seat=0,
        cells=(1, 2, 3, 4, 5),
    )

    ghosts = [pawn for pawn in track(race, ANA).pawns if pawn.ghost]

    cell = track(race).cells[5]
    assert [(g.icon.colour, g.x, g.y) for g in ghosts] == [("red", cell.x, cell.y)]
    assert not any(pawn.ghost for pawn in track(race).pawns)


def test_riders_have_their_dragon_eggs_and_protection(race: FakeTable):
    put(
        race,
        markers=(4, 0, 2),
        hidden=(False, True, False),
        eggs=((Egg.SNAIL, Egg.RED), (), (Egg.MUSHROOM,)),
    )

    drawing = track(race)

    assert [r.dragon and r.dragon.icon.colour for r in drawing.riders] == [
        "violet",
        "red",
        "blue",
    ]
    assert [rider.protected for rider in drawing.riders] == [False, True, False]
    assert [len(rider.eggs) for rider in drawing.riders] == [2, 0, 1]
    assert [held.icon.colour for held in drawing.spare] == ["green", "yellow"]
    assert drawing.eggs_left == 9
    assert [pawn.rider for pawn in drawing.pawns] == ["Bo", "", "Cy", "", "Ana"]
