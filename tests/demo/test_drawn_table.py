"""Hands move drawn pieces as a layout says, and a camera sees it picture by picture."""

import threading

import numpy as np
import pytest

from companion.demo.drawn_table import STILL_PICTURES, DrawnTable
from companion.demo.tables import dragonix, dragorun
from companion.demo.tables.drachenhort import table
from companion.games import find
from companion.games.drachenhort import STAND_IN

PLAN = table(STAND_IN)
START = frozenset(
    {("die", None, "tray"), ("dragon", None, "hall"), ("jewel", None, "cell/2")}
    | {(hero.value, None, "start") for hero in STAND_IN.adventurers}
)
DRAGONIX = dragonix.table(find("dragonix").stand_in)
DRAGORUN = dragorun.table(find("dragorun").stand_in)


class Drawn:
    """A tabletop that draws nothing and remembers what lay there."""

    def __init__(self):
        self.shown = []

    def picture(self, ground, lying, hand, slid_px, turned_deg):
        self.shown.append((ground, lying, hand))
        return np.zeros((4, 4, 3), np.uint8)


def laid(layout=START, ground="front", plan=PLAN, **more):
    drawn = Drawn()
    there = DrawnTable(plan, drawn, 5)
    there.lay(layout, ground, **more)
    return there, drawn


def look(there, drawn, times):
    """Take pictures; return what lies in the last, by piece."""
    for _ in range(times):
        there.read()
    return {one.piece: one for one in drawn.shown[-1][1]}


def test_all_pieces_of_a_layout_come_to_lie_in_spots_of_their_places():
    there, drawn = laid()

    lying = look(there, drawn, 2 + STILL_PICTURES)

    assert set(lying) == {piece for piece, _, _ in START} - {"die"}
    for piece, _, place in START - {("die", None, "tray")}:
        at = lying[piece].x_mm, lying[piece].y_mm
        assert max(s.depth_mm(*at) for s in PLAN.spots_of(piece, place)) > 3


def test_figures_in_one_room_stand_apart():
    there, drawn = laid()
    lying = look(there, drawn, 2 + STILL_PICTURES)

    figures = [lying[hero.value] for hero in STAND_IN.adventurers]
    gaps = [np.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm) for a in figures
            for b in figures if a is not b]  # fmt: skip

    # 15 mm wide each: at most they touch by the millimetre that hands shake.
    assert min(gaps) > 14


def test_only_what_differs_is_touched():
    there, drawn = laid()
    before = look(there, drawn, 2 + STILL_PICTURES)

    moved = (START - {("red", None, "start")}) | {("red", None, "cell/3/dark")}
    there.lay(moved, "front")
    after = look(there, drawn, 2 + STILL_PICTURES)

    changed = {piece for piece in before if before[piece] != after[piece]}
    assert changed == {"red"}


def test_a_die_lies_there_from_its_first_throw_and_comes_to_lie_elsewhere_each_time():
    there, drawn = laid(dice={"die": "5"})
    first = look(there, drawn, 2 + STILL_PICTURES)["die"]
    there.lay(START, "front", {"die": "5"})
    second = look(there, drawn, 2 + STILL_PICTURES)["die"]

    assert (first.face, second.face) == ("5", "5")
    assert (first.x_mm, first.y_mm) != (second.x_mm, second.y_mm)


def row_of(*cards):
    return frozenset(("card", card, "army/1") for card in cards)


def test_cards_of_a_row_lie_side_by_side_and_a_gap_is_filled_first():
    """A sixth of the row is 40 mm wide; it begins 72 mm from the left."""
    there, drawn = laid(row_of("sun1", "sun2", "sun3"), "board", DRAGONIX)
    look(there, drawn, 2 + STILL_PICTURES)
    there.lay(row_of("sun1", "sun3"), "board")
    there.lay(row_of("sun1", "sun3", "sun9"), "board")
    look(there, drawn, 2 * (1 + STILL_PICTURES))

    lying = {one.face: one for one in drawn.shown[-1][1]}
    middles = [lying[face].x_mm for face in ("sun1", "sun9", "sun3")]
    assert middles == pytest.approx([92, 132, 172], abs=1)


def test_cards_lie_upright_or_upside_down_and_hardly_crooked():
    there, drawn = laid(
        row_of("sun1", "sun2", "sun3", "sun4", "sun5"), "board", DRAGONIX
    )
    look(there, drawn, 3)

    turns = [one.turn_deg % 360 for one in drawn.shown[-1][1]]
    # With a spread of 1.5 degrees, five cards stay within four times that.
    assert all(min(turn % 180, 180 - turn % 180) < 6 for turn in turns)
    assert {round(turn / 180) % 2 for turn in turns} == {0, 1}


def test_one_of_two_dice_is_thrown_and_the_other_stays():
    there, drawn = laid(
        frozenset(), "board", DRAGORUN, dice={"colour": "red", "move": "+1"}
    )
    first = look(there, drawn, 2 + STILL_PICTURES)
    there.lay(frozenset(), "board", {"move": "snail"})
    second = look(there, drawn, 2 + STILL_PICTURES)

    assert second["colour"] == first["colour"]
    assert (first["move"].face, second["move"].face) == ("+1", "snail")
    assert (first["move"].x_mm, first["move"].y_mm) != (
        second["move"].x_mm, second["move"].y_mm,
    )  # fmt: skip


def test_a_hand_is_in_the_picture_while_things_move_and_gone_when_they_lie():
    there, drawn = laid()
    look(there, drawn, 2 + STILL_PICTURES)

    hands = [hand is not None for _, _, hand in drawn.shown]
    assert hands == [True] * 2 + [False] * STILL_PICTURES


def test_the_board_lies_as_it_was_turned():
    there, drawn = laid(ground="back")
    look(there, drawn, 3)

    assert drawn.shown[-1][0] == "back"


def test_who_waits_for_a_picture_is_let_go_when_the_camera_is_closed():
    there, _ = laid()
    taken = []
    reader = threading.Thread(target=lambda: taken.extend(iter(there.read, None)))
    reader.start()

    assert there.wait_until_seen(10.0)
    there.close()
    reader.join(10.0)

    assert len(taken) == 2 + STILL_PICTURES
    assert [frame.taken_at for frame in taken[:2]] == pytest.approx([1 / 15, 2 / 15])


def test_pieces_that_the_plan_has_no_spot_for_cannot_be_laid():
    with pytest.raises(AssertionError, match="no spot for dragon at tray"):
        laid(frozenset({("dragon", None, "tray")}))
