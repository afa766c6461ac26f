"""The eye says what lies where, and doubts what it does not know."""

import numpy as np
import pytest

from companion.demo.tables.drachenhort import room
from vision.camera.evidence import grey_out_beyond
from vision.drawn.light import LIGHTS
from vision.drawn.tabletop import DrawnPiece, Hand
from vision.tabletop.teaching import NotTaught, TeachingPicture, teach_pieces

pytestmark = pytest.mark.slow


def half(cell: int, side: int) -> tuple[float, float]:
    """Return a point in the light (-1) or dark (1) half of a cell."""
    x, y = room(cell + 1)
    return x + side * 13.5, y - 5


LYING = (
    DrawnPiece("green", None, *half(1, -1)),
    DrawnPiece("red", None, *half(5, 1), 40),
    DrawnPiece("blue", None, *half(9, -1), 80),
    DrawnPiece("orange", None, *half(13, 1), 120),
    DrawnPiece("white", None, *half(17, -1), 160),
    DrawnPiece("yellow", None, *half(21, 1), 200),
    DrawnPiece("violet", None, *half(25, -1), 240),
    DrawnPiece("dragon", None, *room(0), 20),
    DrawnPiece("jewel", None, *[a + b for a, b in zip(room(3), (0, 30), strict=True)]),
    DrawnPiece("silver/6", None, 554, 160, 200),
    DrawnPiece("gold/8", None, 596, 190, 70),
    DrawnPiece("die", "4", 540, 80, 30),
)
PLACES = {
    ("green", None, "cell/1/light"),
    ("red", None, "cell/5/dark"),
    ("blue", None, "cell/9/light"),
    ("orange", None, "cell/13/dark"),
    ("white", None, "cell/17/light"),
    ("yellow", None, "cell/21/dark"),
    ("violet", None, "cell/25/light"),
    ("dragon", None, "hall"),
    ("jewel", None, "cell/2"),
    ("silver/6", None, "score/green"),
    ("gold/8", None, "score/red"),
    ("d6", "4", "tray"),
}


def named(seen):
    return {(one.piece, one.face, one.place) for one in seen.found}


@pytest.mark.parametrize("light", LIGHTS)
def test_all_that_lies_there_is_found_in_every_light(watched, light):
    tabletop, reader = watched(light)

    seen = reader.read(tabletop.picture("front", LYING))

    # What is unsure may be missing; nothing may be wrong, and most must be there.
    assert named(seen) <= PLACES
    assert len(named(seen)) >= len(PLACES) - 1
    assert all(one.confidence >= 0.9 for one in seen.found)
    assert len(seen.doubts) == len(PLACES) - len(named(seen))
    assert (seen.ground, seen.hand, seen.trouble) == ("front", False, None)


def test_an_empty_table_shows_nothing_and_which_side_lies_up(watched):
    tabletop, reader = watched()

    seen = reader.read(tabletop.picture("back", ()))

    assert (seen.found, seen.doubts, seen.ground) == ((), (), "back")


def test_a_hand_in_the_picture_leaves_nothing_to_believe(watched):
    tabletop, reader = watched()

    seen = reader.read(tabletop.picture("front", LYING, Hand(300, 200)))

    assert seen.hand
    assert seen.found == ()


@pytest.mark.parametrize("light", ["good", "dim"])
def test_fingertips_on_the_paper_at_a_corner_are_asked_about_by_nobody(watched, light):
    """A hand leaves slowly: of two fingers some 100 mm2 show, on no place."""
    tabletop, reader = watched(light)

    seen = reader.read(tabletop.picture("front", LYING, Hand(626, 352)))

    assert named(seen) <= PLACES
    assert all(doubt.choices for doubt in seen.doubts)
    assert not seen.hand


def test_a_figure_between_two_halves_is_unsure(watched):
    tabletop, reader = watched()
    x, y = room(2)

    seen = reader.read(
        tabletop.picture("front", (DrawnPiece("green", None, x, y - 5),))
    )

    assert [one.piece for one in seen.found] == ["green"]
    assert seen.found[0].confidence < 0.9


def test_a_thing_that_was_never_shown_is_a_doubt(watched, plan):
    """A medal lies in a room of the board, where no medal is expected."""
    tabletop, reader = watched()

    seen = reader.read(
        tabletop.picture("front", (DrawnPiece("gold/1", None, 240, 100),))
    )

    assert all(one.confidence < 0.9 for one in seen.found)
    assert seen.found or [doubt.choices for doubt in seen.doubts] == [()]


def test_a_table_in_the_dark_is_said_to_be_dark(watched):
    tabletop, reader = watched()
    picture = tabletop.picture("front", LYING) // 8

    assert reader.read(picture).trouble == "core.ask.dark"


@pytest.mark.parametrize("light", LIGHTS)
def test_a_camera_that_was_knocked_is_put_right_without_asking(watched, light):
    """13 px are 1 % of the picture's width: 6 mm on the table, half a figure."""
    tabletop, reader = watched(light)

    seen = reader.read(tabletop.picture("front", LYING, slid_px=(-12.0, 5.0)))

    assert named(seen) <= PLACES
    assert len(named(seen)) >= len(PLACES) - 1
    assert all(one.confidence >= 0.9 for one in seen.found)


def test_with_the_room_greyed_out_the_same_is_read_also_after_a_knock(watched):
    """What is kept for a capsule must be read as the whole picture is."""
    tabletop, reader = watched(seed=1)
    picture = tabletop.picture("front", LYING, slid_px=(-12.0, 18.0))

    kept = grey_out_beyond(picture, reader.framing.outline)

    assert (kept != picture).any()
    assert reader.read(kept) == watched(seed=1)[1].read(picture)


def test_a_table_that_slid_out_of_reach_is_not_read(watched):
    tabletop, reader = watched()

    seen = reader.read(tabletop.picture("front", LYING, slid_px=(60.0, 0.0)))

    assert (seen.found, seen.hand or seen.trouble == "core.ask.moved") == ((), True)


def test_a_medal_that_lies_as_before_is_not_read_again(watched, monkeypatch):
    tabletop, reader = watched()
    first = reader.read(tabletop.picture("front", LYING))

    def fail(*_):
        raise AssertionError("it was compared with all prints again")

    monkeypatch.setattr("vision.tabletop.flat.rank_names", fail)
    again = reader.read(tabletop.picture("front", LYING))

    assert named(again) == named(first)


class TestTeaching:
    def test_a_lesson_without_its_piece_says_which_and_where(self, plan, lessons):
        lesson = lessons[0]
        empty = TeachingPicture(lesson.bare, lesson.bare, lesson.pose, lesson.lying)

        with pytest.raises(NotTaught, match="is seen at"):
            teach_pieces(plan, (empty,))

    def test_a_lesson_in_the_dark_asks_for_a_lamp(self, plan, lessons):
        dark = lessons[0].picture // 10
        lesson = TeachingPicture(dark, dark, lessons[0].pose, lessons[0].lying)

        with pytest.raises(NotTaught, match="lamp"):
            teach_pieces(plan, (lesson,))

    def test_tops_are_learned_with_their_own_colours(self, taught):
        tops = {top.piece: top.colours for top in taught.tops}

        # Red's middle is (90, 90, 240) and its ring (40, 40, 200), B, G, R; white
        # paper of 245 is taken as 235.
        middle, ring = np.split(tops["red"], 2)
        assert middle == pytest.approx([86, 86, 230], abs=22)
        assert ring == pytest.approx([38, 38, 192], abs=24)
