"""Every kind of correction by fingers on pins and eyes on the small display alone."""

from contextlib import contextmanager

import pytest

from companion.games import find
from companion.referee.changes import apply_changes, changes_between
from companion.running.snapshot import Setup
from companion.story.log import Amended, Edited, Undone
from companion.table import Claim, Glimpse, Placed, Reading, Removed
from tests.evening.test_buttons_alone import Box
from tests.running.table_setup import doubted, running, saw

GAME = find("drachenhort")
PLAYERS = ("Ana", "Bo", "Cy")


@contextmanager
def box_of(folder, *moves):
    """Open a box with a game in it, after some moves."""
    with running(folder) as table:
        table.open_game(Setup("drachenhort", PLAYERS))
        for number, text in enumerate(moves):
            table.act(Claim(text, None, number, f"made {number}"))
        box = Box(table, folder)
        try:
            yield box
        finally:
            box.close()


def hear(box, reading) -> None:
    box.table.hear(reading, box.table.snapshot.story.seq)
    box.table.sync()
    box.show()


def look(box, lying) -> None:
    """Let an eye tell of a table where *lying* lies."""
    record = GAME.layout(box.story.state)
    news = [
        Glimpse(s, 0.99) for s in changes_between(record, lying) if s.place != "tray"
    ]
    hear(box, Reading(tuple(news), whole=True))


def press_until(box, words: str, button: str = "next") -> None:
    """Press a button until the display says *words*."""
    for _ in range(40):
        if words in box.read()[1]:
            return
        box.press(button)
    raise AssertionError(f"never came to {words!r}: {box.read()}")


def test_a_wrong_die_is_put_right_by_buttons(tmp_path):
    with box_of(tmp_path) as box:
        hear(box, saw("3"))

        box.press("undo", long=True)
        title, text = box.read()
        assert title.split() == ["1/1", "this", "one?"]
        assert text == "Correct a move: is it this one? > Die: 3"
        box.press("confirm")
        press_until(box, "> Die: 6")
        box.press("confirm")

        assert box.story.state.pips == 6
        assert [step.made.source for step in box.story.steps] == ["amend"]


def test_a_move_is_taken_back_by_buttons(tmp_path):
    with box_of(tmp_path, "throw 3") as box:
        box.press("undo")

        assert isinstance(box.story.entries[-1].body, Undone)
        assert box.story.steps == ()
        assert "roll" in box.read()[1]


PLAYED = ("throw 1", "advance green", "throw 4", "advance red")


def test_an_earlier_move_is_amended_by_buttons_after_a_preview(tmp_path):
    with box_of(tmp_path, *PLAYED) as box:
        box.press("undo", long=True)
        press_until(box, "> Die: 4")
        assert box.read()[0].startswith("2/4")
        box.press("confirm")
        press_until(box, "> Die: 2")
        title, text = box.read()
        assert title.endswith("confirm?")
        # The four brought red to a jewel; a two would not have.
        assert text == "Not: Die: 4 > Die: 2 Bo 1 > 0"

        box.press("confirm")

        amended = box.story.entries[-1].body
        assert isinstance(amended, Amended)
        assert (amended.step, box.story.steps[2].made.move.pips) == (3, 2)
        assert box.read()[0].startswith("Cy")


def test_an_amendment_that_breaks_a_later_move_says_so_and_changes_nothing(tmp_path):
    with box_of(
        tmp_path, "throw 1", "advance green", "throw 2", "advance green"
    ) as box:
        before = box.story
        box.press("undo", long=True)
        press_until(box, "> Die: 2")
        box.press("confirm")
        press_until(box, "> Die: 4")
        assert "Move 4 would no longer be legal." in box.read()[1]

        box.press("confirm")

        assert box.story is before
        assert box.read()[0] == "!"
        assert box.read()[1].startswith("Not changed: move 4")


def test_undo_leads_out_of_looking_back_and_nothing_has_changed(tmp_path):
    with box_of(tmp_path, *PLAYED) as box:
        before, shown = box.story, box.read()
        box.press("undo", long=True)
        box.press("confirm")
        box.press("undo")
        assert box.read()[0].startswith("1/4")
        box.press("undo")

        assert (box.story, box.read()) == (before, shown)


SHOVED = {Removed("green", "start"), Placed("green", None, "cell/5/dark")}


@pytest.mark.parametrize(
    ("said", "note"),
    [("> Keep what is on the table", "table"), ("> House rule: leave it", "house")],
    ids=["the table is right", "a house rule"],
)
def test_what_lies_there_is_taken_over_by_buttons(tmp_path, said, note):
    with box_of(tmp_path) as box:
        look(box, apply_changes(GAME.layout(box.story.state), frozenset(SHOVED)))
        press_until(box, said)
        # What would change for whom is there to be read first.
        assert "No scores would change." in box.read()[1]

        box.press("confirm")

        edited = box.story.entries[-1].body
        assert isinstance(edited, Edited)
        assert edited.note.startswith(note)
        assert box.story.state.cells[0] == 5


def test_an_unsure_reading_is_settled_by_one_press(tmp_path):
    with box_of(tmp_path) as box:
        hear(box, doubted(("6", 0.5), ("3", 0.3)))
        assert box.read()[1].endswith("What does it show? > Die: 6")

        box.press("confirm")

        assert box.story.state.pips == 6
        assert box.presses == 1


def test_pieces_are_put_back_one_by_one_as_the_display_says(tmp_path):
    with box_of(tmp_path) as box:
        right = GAME.layout(box.story.state)
        one = apply_changes(right, frozenset(SHOVED))
        red = {Removed("red", "start"), Placed("red", None, "cell/7/dark")}
        look(box, apply_changes(one, frozenset(red)))
        assert box.read()[1].startswith(
            "Green is on space 5, in the shadow; it belongs at the start. "
            "Put it back, or leave it there?"
        )

        look(box, apply_changes(right, frozenset(red)))
        assert box.read()[1].startswith(
            "Red is on space 7, in the shadow; it belongs at the start."
        )

        look(box, right)
        assert box.story.asked is None
        assert box.story.steps == ()


def test_confirm_held_for_two_seconds_pauses_and_goes_on(tmp_path):
    with box_of(tmp_path) as box:
        box.press("confirm", long=True)
        assert box.story.paused
        assert "confirm is held for 2 s" in box.read()[1]
        hear(box, saw("3"))
        assert box.story.steps == ()

        box.press("confirm", long=True)

        assert not box.story.paused
