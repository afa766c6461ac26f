"""What lies on the table after what was seen, and when that is open."""

from companion.corrections.adopt import adoption, layout_after
from companion.story.log import Asked, extend
from companion.table import (
    Flipped,
    Glimpse,
    LinePart,
    Moved,
    Placed,
    Pressed,
    Reading,
    Removed,
    Shown,
    Turned,
)
from tests.running.table_setup import new_story

KNOWN = frozenset(
    {
        ("die", "3", "tray"),
        ("green", None, "start"),
        ("card", "sun1", "army/1"),
        ("card", "sun2", "army/1"),
        ("card", "back", "grid/1"),
        ("egg", "snail", "seat/1"),
    }
)


def changed(*sights):
    """Return what left the table and what came, None if that is open."""
    after = layout_after(KNOWN, sights)
    return None if after is None else (KNOWN - after, after - KNOWN)


class TestWhatLiesThere:
    def test_what_has_moved_shows_what_it_showed(self):
        egg, there = ("egg", "snail", "seat/1"), ("egg", "snail", "seat/2")

        assert changed(Moved("egg", "seat/1", "seat/2")) == ({egg}, {there})

    def test_a_card_turned_over_lies_there_once(self):
        turned = {("card", "back", "grid/1")}, {("card", "red", "grid/1")}

        assert changed(Flipped("card", "red", "grid/1")) == turned
        assert changed(Placed("card", "red", "grid/1")) == turned
        assert changed(Shown("card", "red", "grid/1")) == turned

    def test_two_cards_of_an_army_are_told_apart_by_their_faces(self):
        gone = {("card", "sun2", "army/1")}, set()

        assert changed(Removed("card", "army/1", "sun2")) == gone

    def test_one_of_two_cards_is_open_while_nobody_says_which(self):
        assert changed(Removed("card", "army/1")) is None
        assert changed(Moved("card", "army/1", "army/2")) is None
        assert changed(Flipped("card", "sun3", "army/1")) is None

    def test_a_card_of_several_that_was_another_one_is_told_with_what_it_was(self):
        sights = Removed("card", "army/1", "sun2"), Flipped("card", "sun3", "army/1")

        told = {("card", "sun2", "army/1")}, {("card", "sun3", "army/1")}
        assert changed(*sights) == told

    def test_what_never_lay_there_cannot_have_gone(self):
        assert changed(Removed("green", "cell/3")) is None

    def test_a_throw_is_left_to_the_moves(self):
        assert changed(Placed("die", "6", "tray")) == (set(), set())

    def test_a_turn_on_the_spot_and_a_press_are_in_no_layout(self):
        assert changed(Turned("green", "start", 1)) is None
        assert changed(Pressed("confirm", None)) is None


class TestTheQuestion:
    def asked(self, *sights, **more):
        story = new_story()
        glimpses = tuple(Glimpse(sight, 0.99) for sight in sights)
        reading = Reading(glimpses, **more)
        asked = Asked(reading, LinePart("core.ask.table_unexpected"), ())
        return extend(story, asked, 1.0)

    def test_it_tells_what_would_change_in_the_record_and_for_whom(self):
        moved = Moved("green", "start", "cell/5/dark")

        found = adoption(self.asked(moved, whole=True), None)

        gone, came = Removed("green", "start"), Placed("green", None, "cell/5/dark")
        assert found.changes == {gone, came}
        assert [now == then for now, then in found.scores] == [True] * 3

    def test_only_a_look_at_the_whole_table_is_about_the_whole_table(self):
        moved = Moved("green", "start", "cell/5/dark")

        assert adoption(self.asked(moved), None) is None
        assert adoption(new_story(), None) is None

    def test_a_throw_alone_changes_nothing_that_could_be_taken_over(self):
        die = Shown("die", "3", "tray")

        assert adoption(self.asked(die, whole=True), None) is None
