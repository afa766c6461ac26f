"""No move explains what lies there, and nobody has a phone: the buttons lead on.

Fingers on pins, eyes on the small display, and an eye over the whole table.
"""

import random

import pytest

from companion.adopting import ADOPT
from companion.games import find
from companion.log import Edited
from companion.sights import TRAY, changed, difference, is_private
from companion.snapshot import Done, Setup
from companion.table import Claim, Glimpse, Placed, Reading, Removed
from tests.core.table_setup import running
from tests.evening.test_buttons_alone import Box

PLAYERS = ("Ana", "Bo")
MOST_PRESSES = 60


def seen(table, lying) -> Reading:
    """Return what an eye tells of a table where *lying* lies."""
    story = table.snapshot.story
    record = story.game.table(story.state)
    news = [s for s in difference(record, lying) if s.place != TRAY]
    return Reading(tuple(Glimpse(sight, 0.99) for sight in news), whole=True)


def hear(table, reading) -> None:
    version = table.snapshot.version
    table.hear(reading, table.snapshot.story.seq)
    table.wait(version, 10.0)


def played(table, game, moves: int):
    """Play random moves that all may see, and return what lies there then."""
    chance = random.Random(game.id)
    for _ in range(moves):
        story = table.snapshot.story
        legal = [move for move in game.legal(story.state) if not is_private(move)]
        text = game.notate(story.state, chance.choice(legal))
        claim = Claim(text, None, story.seq, f"made {story.seq}")
        assert isinstance(table.act(claim), Done)
    return game.table(table.snapshot.story.state)


def shoved(table, game, lying):
    """Return what lies there once a dragon, or a figure, stands somewhere else."""
    places = sorted(place for _, _, place in lying if place != TRAY)
    places += [f"army/{n}" for n in range(1, 5)] + [f"cell/{n}/dark" for n in range(20)]
    for piece, face, here in sorted(lying, key=repr):
        for there in places if face is None and here != TRAY else ():
            act = {Removed(piece, here), Placed(piece, None, there)}
            now = changed(lying, frozenset(act))
            hear(table, seen(table, now))
            if ADOPT in table.snapshot.offers:
                return now
            hear(table, seen(table, lying))
    raise AssertionError("nothing could be put where no move puts it")


def say_that_the_table_is_right(box) -> None:
    """Press next until the display offers it, then confirm."""
    for _ in range(MOST_PRESSES):
        title, text = box.read()
        if "> The table is right" in text:
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
