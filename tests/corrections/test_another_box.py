"""A box that turns out to differ: all is reckoned anew, or stays as it was."""

from msgspec.structs import replace

from companion.corrections.another_box import BREAKS, CANNOT, EDITED, on_another_box
from companion.kits.box_form import fields, read_facts
from companion.story.log import Edited, Story, Undone, extend
from companion.table import LinePart
from tests.running.table_setup import GAME, new_story, played


def changed(story: Story, **lines: str) -> Story | LinePart:
    """Return a story on our own board with some lines of its form told otherwise."""
    told = {one.name: one.value for one in fields(GAME.id, GAME.stand_in)}
    names = {name.replace("_", "-"): text for name, text in lines.items()}
    box = read_facts(GAME.id, GAME.stand_in, told | names)
    return on_another_box(story, replace(story.header, box=box))


JEWEL_ON_3 = "..jjtj.D.j"
"""The first ten spaces, where our own has the jewel on space 2."""

LIT_3 = ".jljtj.D.j"


def test_points_are_counted_again_from_the_start():
    story = played(new_story(), "throw 3", "advance green", "throw 2")

    found = changed(story, front_0=JEWEL_ON_3)

    assert isinstance(found, Story)
    assert (story.state.won, found.state.won) == ((0, 0, 0), (1, 0, 0))
    assert [entry.body for entry in found.entries[1:]] == [
        entry.body for entry in story.entries[1:]
    ]


def test_what_was_taken_back_stays_taken_back():
    story = extend(played(new_story(), "throw 3", "advance green"), Undone("x"), 1.0)

    found = changed(story, front_0=JEWEL_ON_3)

    assert isinstance(found, Story)
    assert len(found.steps) == 1
    assert found.state.won == (0, 0, 0)


def test_a_note_of_a_secret_is_not_judged_again():
    story = played(new_story(), "note 1 2", "throw 3")

    found = changed(story, front_0=JEWEL_ON_3)

    assert isinstance(found, Story)
    assert found.state.noted == story.state.noted


def lit() -> Story:
    """Return a game on a board whose space 3 is lit all over; green has been there."""
    story = changed(new_story(), front_0=LIT_3)
    assert isinstance(story, Story)
    return played(story, "throw 3", "advance green", "throw 1", "advance green")


def test_a_move_that_the_box_would_forbid_is_named():
    # On our own board green comes to the shadow of space 3, and has to wait there while
    # others stand in the light.
    assert changed(lit()) == LinePart(BREAKS, (("n", 4),))


def test_what_was_forbidden_already_forbids_nothing():
    story = played(new_story(), "throw 3", "advance green", "throw 1", "advance green")

    assert isinstance(changed(story, front_0=JEWEL_ON_3), Story)


def test_a_record_that_was_set_to_the_table_keeps_its_box():
    story = played(new_story(), "throw 3")
    edited = extend(story, Edited(story.state, "table"), 1.0)

    assert changed(edited, front_0=JEWEL_ON_3) == LinePart(EDITED)


def test_a_box_that_no_game_can_begin_with_is_refused():
    story = new_story()

    found = on_another_box(story, replace(story.header, options=(("DH99", "x"),)))

    assert found == LinePart(CANNOT)
