"""No move explains what lies there, and the table is right: the game goes on from it.

Once by fingers on pins and eyes on the small display, once under the eye that reads
pictures of the whole table.
"""

import random

import pytest

from companion.corrections.adopt import TableIsRight
from companion.corrections.misplaced import Misplaced, find_misplaced
from companion.demo.setup import drawn_table
from companion.demo.tables import find as find_stand_in
from companion.games import find
from companion.games.hidden import is_private
from companion.referee.changes import apply_changes, changes_between
from companion.running.snapshot import Done, Setup
from companion.story.log import Edited
from companion.table import TRAY, Claim, Glimpse, Placed, Reading, Removed
from companion.watching.table_watcher import TableWatcher
from tests.evening.test_buttons_alone import Box
from tests.running.table_setup import running
from vision.camera.stillness import StillnessLimits

PLAYERS = ("Ana", "Bo")
MOST_PRESSES = 60


def seen(table, lying) -> Reading:
    """Return what an eye tells of a table where *lying* lies."""
    story = table.snapshot.story
    record = story.game.layout(story.state)
    news = [s for s in changes_between(record, lying) if s.place != TRAY]
    return Reading(tuple(Glimpse(sight, 0.99) for sight in news), whole=True)


def hear(table, reading) -> None:
    table.hear(reading, table.snapshot.story.seq)
    table.sync()


def played(table, game, moves: int):
    """Play random moves that all may see, and return what lies there then."""
    chance = random.Random(game.id)
    for _ in range(moves):
        story = table.snapshot.story
        legal = [move for move in game.legal(story.state) if not is_private(move)]
        text = game.notate(story.state, chance.choice(legal))
        claim = Claim(text, None, story.seq, f"made {story.seq}")
        assert isinstance(table.act(claim), Done)
    return game.layout(table.snapshot.story.state)


def shoved(table, game, lying):
    """Return what lies there once a dragon, or a figure, stands somewhere else."""
    places = sorted(place for _, _, place in lying if place != TRAY)
    places += [f"army/{n}" for n in range(1, 5)] + [f"cell/{n}/dark" for n in range(20)]
    for piece, face, here in sorted(lying, key=repr):
        for there in places if face is None and here != TRAY else ():
            act = {Removed(piece, here), Placed(piece, None, there)}
            now = apply_changes(lying, frozenset(act))
            hear(table, seen(table, now))
            if TableIsRight.THIS_TIME in table.snapshot.offers:
                return now
            hear(table, seen(table, lying))
    raise AssertionError("nothing could be put where no move puts it")


def say_that_the_table_is_right(box) -> None:
    """Press next until the display offers it, then confirm."""
    for _ in range(MOST_PRESSES):
        title, text = box.read()
        if "> Keep what is on the table" in text:
            assert title.endswith("confirm?")
            box.press("confirm")
            return
        box.press("next")
    raise AssertionError(f"the buttons never came to it: {box.read()}")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "moves"), [("drachenhort", 9), ("dragonix", 30)])
def test_buttons_alone_set_the_record_to_what_lies_there(tmp_path, name, moves):
    game = find(name)
    with running(tmp_path) as table:
        table.open_game(Setup(name, PLAYERS))
        lying = shoved(table, game, played(table, game, moves))
        box = Box(table, tmp_path)
        try:
            say_that_the_table_is_right(box)
        finally:
            box.close()
        story = table.snapshot.story

        # The next look finds nothing to ask, and the game goes on.
        hear(table, seen(table, lying))
        assert table.snapshot.story == story
        played(table, game, 3)
        story, game_id = table.snapshot.story, table.snapshot.game_id

    assert any(isinstance(entry.body, Edited) for entry in story.entries)
    with running(tmp_path) as again:
        again.resume(game_id)
        assert again.snapshot.story.steps[: len(story.steps)] == story.steps


class Pictured:
    """A running table whose eye reads pictures of drawn pieces."""

    def __init__(self, table, game) -> None:
        self.table, self.game = table, game
        stand_in = find_stand_in(game.id)
        drawn = drawn_table(stand_in, game.stand_in, seed=5, light="good")
        self.pieces, reader = drawn
        self.ground = stand_in.ground
        self.eye = TableWatcher(table, "drawn", self.pieces, reader, StillnessLimits())
        self.eye.start()

    def lay(self, lying) -> None:
        """Make the table lie so, and wait until the eye has said what it thinks."""
        state = self.table.snapshot.story.state
        self.pieces.lay(lying, self.ground(state), None)
        self.pieces.wait_until_seen(20.0)
        self.table.act(Claim("", None, -1, "an answer comes after what came before"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "piece", "here", "there", "moves"),
    [
        ("drachenhort", "green", "start", "cell/5/dark", 1),
        ("dragonix", "red", "army/1", "army/3", 0),
    ],
    ids=["a game that was resumed", "a game that begins"],
)
def test_the_eye_that_asked_finds_the_table_in_order(
    tmp_path, name, piece, here, there, moves
):
    game = find(name)
    with running(tmp_path) as table:
        table.open_game(Setup(name, PLAYERS))
        played(table, game, moves)
        table.resume("game-1")
        pictured = Pictured(table, game)
        try:
            lying = game.layout(table.snapshot.story.state)
            act = {Removed(piece, here), Placed(piece, None, there)}
            lying = apply_changes(lying, frozenset(act))
            pictured.lay(lying)
            story = table.snapshot.story
            assert story.asked is not None
            assert find_misplaced(story, None) == (Misplaced(piece, here, there),)
            assert len(story.steps) == moves

            done = Done(moves + 2, "game-1")
            assert table.adopt(None, story.seq, "k", house=True) == done
            pictured.lay(lying)
        finally:
            pictured.eye.stop()

        story = table.snapshot.story
        assert story.asked is None
        assert isinstance(story.entries[-1].body, Edited)
        lies = {thing for thing in game.layout(story.state) if thing[2] != TRAY}
        assert lies == {thing for thing in lying if thing[2] != TRAY}
