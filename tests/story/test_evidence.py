"""Which pictures an entry rests on, and in which games none may help anybody."""

import pytest

from companion.games import GAMES
from companion.games.core import (
    Config,
)
from companion.games.hidden import (
    is_of_memory,
)
from companion.story.evidence import picture_names
from companion.story.log import Asked, Made, Undone
from companion.table import Glimpse, LinePart, Reading, Shown, UnsureSight

ONE, TWO = "1" * 24, "2" * 24


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_8_dragons_alone_is_a_game_of_memory(game):
    state = game.setup(Config(game.seats[-1], game.stand_in))

    assert is_of_memory(state) is (game.id == "eight_dragons")


def test_a_move_and_a_question_name_each_picture_once():
    seen = Glimpse(Shown("die", "3", "tray"), 0.5, None, ONE)
    unsure = UnsureSight("die", "tray", (("3", 0.5),), None, TWO)
    bare = UnsureSight("die", "tray", (("3", 0.5),))
    reading = Reading((seen,), (unsure, unsure, bare))

    assert picture_names(Made(None, "camera", evidence=(ONE, ONE, TWO))) == (ONE, TWO)
    assert picture_names(Asked(reading, LinePart("x"), ())) == (ONE, TWO)
    assert picture_names(Undone("phone")) == ()


def test_a_name_that_is_no_fingerprint_leads_nowhere():
    names = ("6.png", "../../table.sqlite3", ONE + "/..", "1" * 23)

    assert picture_names(Made(None, "camera", evidence=names)) == ()
