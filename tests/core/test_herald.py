"""Lamps and the small display always show the newest state."""

from companion.desk import with_story
from companion.herald import Herald, light, panel, turn
from companion.log import Asked, extend
from companion.snapshot import Snapshot
from companion.table import LinePart
from firmware.display import Panel
from tests.core.table_setup import doubted, new_story, played


def asked():
    question = Asked(doubted(("3", 0.5)), LinePart("core.ask.unsure"), ("throw 3",))
    return extend(new_story(), question, 1.0)


def test_the_lamp_says_what_the_table_waits_for():
    assert light(new_story()) == "throw"
    assert light(played(new_story(), "throw 3")) == "act"
    assert light(asked()) == "ask"


def test_the_display_shows_names_points_and_whose_turn_it_is():
    shown = panel(played(new_story(), "throw 3", "advance green"))

    assert shown.title == "Drachenhort"
    assert [name for name, _ in shown.rows] == ["Ana", "Bo", "Cy"]
    assert shown.turn == turn(played(new_story(), "throw 3", "advance green")) == 1


class Stage:
    """A stage that remembers what it showed."""

    def __init__(self):
        self.told = []

    def expect(self, light, seat):
        self.told.append((light, seat))

    def show(self, panel):
        self.told.append(panel)


def test_without_a_game_the_display_shows_where_to_join():
    stage = Stage()

    Herald(None, stage, "http://table").tell(Snapshot())

    assert stage.told == [(None, None), Panel("Dragon Table", qr="http://table")]


def test_with_a_game_the_stage_is_told_of_it():
    stage = Stage()

    Herald(None, stage, "").tell(with_story(Snapshot(), new_story()))

    assert stage.told[0] == ("throw", 0)
    assert stage.told[1].title == "Drachenhort"
