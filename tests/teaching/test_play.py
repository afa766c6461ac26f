"""Dice of an owner's copy that were read where dice fall are throws of the game."""

import pytest

from companion.running.snapshot import Setup
from companion.table import BoxPx, Claim, Glimpse, Reading, Shown, UnsureSight
from tests.running.table_setup import running

SET_UP = (
    "place red 1", "place green 2", "place blue 3", "place yellow 4", "place violet 5",
    "deal 0 red", "deal 1 green",
)  # fmt: skip


@pytest.fixture
def table(tmp_path):
    with running(tmp_path) as table:
        table.open_game(Setup("dragorun", ("Ana", "Bo")))
        for number, move in enumerate(SET_UP):
            seq = table.snapshot.story.seq
            table.act(Claim(move, None, seq, f"set-up/{number}"))
        yield table


def told(table, reading):
    """Return the story once a reading was heard; nothing else is in the inbox."""
    table.hear(reading)
    table.sync()
    return table.snapshot.story


def seen(piece, face, left=0) -> Glimpse:
    box: BoxPx = (left, 0, left + 20, 20)
    return Glimpse(Shown(piece, face, "tray"), 0.98, box)


def newest(story) -> str:
    states = (story.start, *(step.state for step in story.steps))
    return story.game.notate(states[-2], story.steps[-1].made.move)


def test_both_dice_of_dragorun_are_one_throw(table):
    story = told(table, Reading((seen("colour", "blue"), seen("move", "+2", 60))))

    assert newest(story) == "throw blue +2"


def test_one_that_is_unsure_is_asked_with_the_other_kept(table):
    doubt = UnsureSight("move", "tray", (("+2", 0.5), ("+3", 0.4)), (60, 0, 80, 20))

    story = told(table, Reading((seen("colour", "blue"),), (doubt,)))

    assert story.asked is not None
    # Only throws that show what was seen or nearly seen come first.
    assert story.asked.options[0] == "throw blue +2"


def test_one_die_alone_is_asked(table):
    story = told(table, Reading((seen("colour", "blue"),)))

    assert story.asked is not None
