"""Eggs and markers beside Dragorun's board: nobody shows where they lie."""

import pytest

from companion.demo.tables import find as find_stand_in
from companion.games import find
from companion.games.dragorun.pieces import Colour, Egg
from companion.games.dragorun.state import Deal, DrawEgg, Place, Swap
from companion.kits.learn import learn_whole_rounds
from companion.story.log import Header, Made, begin, extend
from companion.watching.beside_board import BesideBoard
from tests.watching.drawn_lesson import teach_cards
from vision.drawn.lessons import random_pose
from vision.drawn.light import LIGHTS
from vision.drawn.tabletop import DrawnPiece, Hand, Tabletop

GAME = find("dragorun")
PLAN = find_stand_in("dragorun").table(GAME.stand_in)
ON_BOARD = frozenset(s.place for s in PLAN.spots if s.place.startswith("track/"))
START = (Colour.RED, Colour.GREEN, Colour.BLUE, Colour.YELLOW, Colour.VIOLET)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def rounds(tmp_path_factory):
    """Return the eggs, as the lesson has learned them."""
    folder = tmp_path_factory.mktemp("kits") / "dragorun"
    teach_cards(folder, GAME, PLAN)
    return learn_whole_rounds(folder)


class Table:
    """A table with Dragorun on it, whose hands lay things a little beside their spots.

    Eggs lie where the demo lays them; nobody has told the eye where that is.
    """

    def __init__(self, rounds, light="good"):
        self.light, self.is_all_seen = light, False
        self.pose = random_pose(PLAN, 7)
        self.beside = BesideBoard(rounds, ON_BOARD)
        self.story = begin(GAME, Header("dragorun", ("Ana", "Bo"), GAME.stand_in), 0.0)
        for cell, dragon in zip((5, 4, 3, 2, 1), START, strict=True):
            self.record(Place(dragon, cell))

    def record(self, *moves):
        """Have people enter moves."""
        for move in moves:
            self.story = extend(self.story, Made(move, "phone"), at=0.0)

    def lying(self, story=None):
        """Return what lies there as a record has it."""
        story = story or self.story
        return [t for t in story.game.layout(story.state) if t[2] != "tray"]

    def look(self, lying, hand=None, seed=7, pushed_mm=0.0, untouched=False):
        """Return what is read beside the board where some things lie.

        Markers before the players may have been pushed to the right.
        """
        pieces, used = [], set()
        for piece, face, place in sorted(lying, key=repr):
            spot = next(
                s
                for s in PLAN.spots
                if s.place == place and piece in s.holds and id(s) not in used
            )
            used.add(id(spot))
            # Each lies a little beside its spot, and where it lay before.
            off = sum(map(ord, f"{piece} {place}"))
            x, y = spot.x_mm + off % 3 - 1, spot.y_mm + off % 2
            x += pushed_mm if place.startswith("seat") else 0.0
            # What is laid aside lies apart.
            y += (20.0, -20.0)[len(used) % 2] if place == "pool" else 0.0
            pieces.append(DrawnPiece(piece, face, x, y, 9.0 * (off % 40)))
        tabletop = Tabletop(PLAN, self.pose, LIGHTS[self.light], seed)
        picture = tabletop.picture(PLAN.grounds[0].name, tuple(pieces), hand)
        return self.beside.look(
            picture, self.story, self._is_beside, untouched=untouched
        )

    def _is_beside(self, box):
        """Tell whether a box lies below the track and left of the tray."""
        if self.is_all_seen:
            return True
        low = self.pose.project([(0.0, 120.0, 0.0)])[0][1]
        tray = self.pose.project([(432.0, 200.0, 0.0)])[0][0]
        return box[1] > low and box[2] < tray

    def after(self, *moves):
        """Return what lies there after moves that nobody has entered."""
        story = self.story
        for move in moves:
            story = extend(story, Made(move, "phone"), at=0.0)
        return self.lying(story)


@pytest.fixture
def table(rounds):
    """Return a table at which Ana has red and Bo green, and it is Ana's turn."""
    table = Table(rounds)
    table.look(table.lying())
    table.record(Deal(0, Colour.RED), Deal(1, Colour.GREEN))
    table.look(table.lying())
    return table


def beside(lying):
    return {thing for thing in lying if not thing[2].startswith("track")}


def test_the_marker_that_is_dealt_is_known_by_its_colour(rounds):
    table = Table(rounds)
    table.look(table.lying())

    read = table.look(table.after(Deal(0, Colour.BLUE)))

    assert read.layout == {("marker/blue", "front", "seat/0")}
    assert read.unsure == ()


def test_of_the_last_markers_those_that_lie_together_are_laid_aside(rounds):
    table = Table(rounds)
    table.is_all_seen = True
    table.look(table.lying())
    table.record(Deal(0, Colour.RED))
    table.look(table.lying())

    read = table.look(table.after(Deal(1, Colour.BLUE)), seed=8)

    assert read.layout == {
        ("marker/red", "front", "seat/0"), ("marker/blue", "front", "seat/1"),
        *((f"marker/{one}", "front", "pool") for one in ("green", "yellow", "violet")),
    }  # fmt: skip
    assert read.unsure == ()


EGGS = (Egg.RED, Egg.GREEN, Egg.BLUE, Egg.YELLOW, Egg.VIOLET, Egg.MUSHROOM)


@pytest.mark.parametrize("egg", EGGS)
def test_an_egg_that_is_drawn_is_named_by_its_print(rounds, egg):
    table = Table(rounds)
    table.record(Deal(0, Colour.RED), Deal(1, Colour.GREEN), Swap(Colour.BLUE))
    table.look(table.lying())

    read = table.look(table.after(DrawEgg(egg)), seed=8)

    assert read.layout == beside(table.after(DrawEgg(egg)))
    assert read.unsure == ()


def test_an_egg_that_is_taken_from_a_supply_on_the_table_is_named_too(rounds):
    table = Table(rounds)
    table.record(Deal(0, Colour.RED), Deal(1, Colour.GREEN), Swap(Colour.BLUE))
    supply = [("egg", "red", "egg/3/9"), ("egg", "red", "egg/3/11")]
    table.look([*table.lying(), *supply])

    read = table.look([*table.after(DrawEgg(Egg.VIOLET)), supply[0]], seed=8)

    assert read.layout == beside(table.after(DrawEgg(Egg.VIOLET)))
    assert read.unsure == ()


@pytest.mark.parametrize("egg", [Egg.RED, Egg.YELLOW, Egg.MUSHROOM])
def test_an_egg_whose_print_is_not_sure_is_asked_with_the_likeliest_first(rounds, egg):
    """Two pixels a millimetre in a dim lamp are little for a print."""
    table = Table(rounds, "dim")
    table.record(Deal(0, Colour.RED), Deal(1, Colour.GREEN), Swap(Colour.BLUE))
    table.look(table.lying())

    read = table.look(table.after(DrawEgg(egg)), seed=8)

    assert read.layout == beside(table.lying())
    (question,) = read.unsure
    assert question.place == "egg/0/1"
    assert question.choices[0][:2] == ("egg", egg)


def test_a_swap_is_seen_by_the_two_markers_that_changed_places(table):
    read = table.look(table.after(Swap(Colour.GREEN)), seed=8)

    assert read.layout == beside(table.after(Swap(Colour.GREEN)))
    assert read.unsure == ()


def test_what_people_enter_before_they_do_it_is_not_seen_twice(table):
    before = table.lying()
    table.record(Swap(Colour.GREEN))

    assert table.look(before, seed=8).layout == beside(table.lying())
    assert table.look(table.lying(), seed=9).layout == beside(table.lying())
    after = table.look(table.lying(), seed=10)
    assert (after.layout, after.unsure) == (beside(table.lying()), ())


@pytest.mark.parametrize("pushed_mm", [3.0, 8.0, 14.0])
def test_markers_that_were_only_pushed_have_not_changed_places(table, pushed_mm):
    """Both at once, as when somebody clears a glass away: 3, 8 and 14 of 26 mm."""
    read = table.look(table.lying(), seed=8, pushed_mm=pushed_mm)

    assert (read.layout, read.unsure) == (beside(table.lying()), ())


def test_nothing_is_said_while_a_hand_reaches_in(table):
    swapped = table.after(Swap(Colour.GREEN))

    read = table.look(swapped, hand=Hand(60, 200), seed=8)

    assert (read.layout, read.unsure) == (beside(table.lying()), ())


def test_a_hand_over_what_was_entered_long_ago_is_no_table_to_compare_with(table):
    """Two moves on the board are recorded; the swap is seen once the hand is gone."""
    swapped = table.after(Swap(Colour.GREEN))
    table.beside._since -= 2

    table.look(table.lying(), hand=Hand(60, 200), seed=8)
    read = table.look(swapped, seed=9)

    assert (read.layout, read.unsure) == (beside(swapped), ())


def test_a_marker_that_was_turned_over_unseen_keeps_no_move_from_being_seen(table):
    """A swap turns a marker; that it was turned back nobody has seen."""
    table.record(Swap(Colour.GREEN))
    table.look(table.lying(), seed=8)
    table.look(table.lying(), seed=9)
    turned = frozenset(
        (piece, "front" if face == "back" else face, place)
        for piece, face, place in table.lying()
    )
    table.beside._believed = frozenset(beside(turned))

    table.look(table.lying(), seed=9)

    assert table.beside._believed == beside(table.lying())


def test_a_thing_that_no_move_lays_there_is_nobodys_business(table):
    glass = ("egg", "mushroom", "egg/1/3")

    read = table.look([*table.lying(), glass], seed=8)

    assert (read.layout, read.unsure) == (beside(table.lying()), ())


def test_a_table_whose_eggs_were_never_shown_is_left_to_people():
    table = Table({})
    table.look(table.lying())
    table.record(Deal(0, Colour.RED), Deal(1, Colour.GREEN))

    read = table.look(table.after(Swap(Colour.GREEN)), seed=8)

    assert (read.layout, read.unsure) == (beside(table.lying()), ())


@pytest.mark.parametrize("lamp", ["cool", "dim", "side", "mixed"])
def test_a_swap_is_seen_after_another_lamp_was_lit(table, lamp):
    """Nobody was at the table while it was: so all else lies as it did."""
    table.light = lamp
    table.look(table.lying(), untouched=True)

    read = table.look(table.after(Swap(Colour.GREEN)), seed=8)

    assert read.layout == beside(table.after(Swap(Colour.GREEN)))
    assert read.unsure == ()


@pytest.mark.parametrize("lamp", ["side", "mixed"])
def test_what_was_done_before_another_lamp_was_lit_is_not_lost(table, lamp):
    swapped = table.after(Swap(Colour.GREEN))
    read = table.look(swapped, seed=8)
    table.light = lamp

    # Nobody has recorded it yet.
    assert table.look(swapped, untouched=True).layout == read.layout


def test_a_swap_that_shows_another_hue_is_asked_about(table):
    """In warm light the back of the green marker looks yellow."""
    table.light = "warm"
    table.look(table.lying(), untouched=True)

    read = table.look(table.after(Swap(Colour.GREEN)), seed=8)

    assert read.layout == beside(table.lying())
    (question,) = read.unsure
    assert ("marker/green", "back") in [one[:2] for one in question.choices]
