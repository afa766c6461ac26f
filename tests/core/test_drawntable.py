"""Hands move drawn pieces as a layout says, and a camera sees it picture by picture."""

import threading

import numpy as np
import pytest

from companion.drawntable import STILL_PICTURES, DrawnTable
from companion.games.drachenhort import STAND_IN
from companion.standin.drachenhort import table

PLAN = table(STAND_IN)
START = frozenset(
    {("die", None, "tray"), ("dragon", None, "hall"), ("jewel", None, "cell/2")}
    | {(hero.value, None, "start") for hero in STAND_IN.adventurers}
)


class Drawn:
    """A tabletop that draws nothing and remembers what lay there."""

    def __init__(self):
        self.shown = []

    def picture(self, ground, lying, hand, slid_px):
        self.shown.append((ground, lying, hand))
        return np.zeros((4, 4, 3), np.uint8)


def laid(layout=START, ground="front", **more):
    drawn = Drawn()
    there = DrawnTable(PLAN, drawn, 5)
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
