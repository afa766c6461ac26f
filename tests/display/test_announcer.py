"""Lamps and the small display always show the newest state."""

import random
import threading

import pytest
from msgspec.structs import replace

from companion.corrections.amend import mendable
from companion.corrections.look_back import LookBack, open_step
from companion.display.announcer import Announcer, lamp_for
from companion.display.panels import panel, seat_on_turn
from companion.games import GAMES
from companion.games.hidden import is_private
from companion.running.reducer import with_story
from companion.running.snapshot import Snapshot
from companion.story.log import PAUSE, Asked, Header, Made, Noted, begin, extend
from companion.table import Glimpse, LinePart, Placed, Reading, Removed
from companion.words import LANGUAGES, Words
from firmware.display import Panel, text_lines
from tests.running.table_setup import doubted, new_story, played

pytestmark = pytest.mark.slow


def asked():
    question = Asked(doubted(("3", 0.5)), LinePart("core.ask.unsure"), ("throw 3",))
    return extend(new_story(), question, 1.0)


def test_the_lamp_says_what_the_table_waits_for():
    assert lamp_for(new_story()) == "throw"
    assert lamp_for(played(new_story(), "throw 3")) == "act"
    assert lamp_for(asked()) == "ask"


LINK = "http://table"

LINES = 7
"""Lines of the display below its bar."""


def laid(*moves):
    return with_story(Snapshot(), played(new_story(), *moves))


def test_the_display_shows_names_points_and_whose_turn_it_is():
    shown = panel(laid("throw 3", "advance green"), "en", LINK)

    assert shown.title == "Bo"
    assert [name for name, _ in shown.rows] == ["Ana", "Bo", "Cy"]
    assert shown.turn == seat_on_turn(laid("throw 3", "advance green").story) == 1


def test_the_display_says_what_to_do_and_which_button_goes_on():
    shown = panel(laid(), "en", LINK)

    # Above it the first step of setting up, as nothing was moved yet.
    assert "roll" in shown.text[1]
    assert shown.hint == "next >"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_fresh_game_says_how_setting_it_up_begins(game, language):
    names = ("Charlotte", "Bo", "Cy", "Di")[: game.seats.stop - 1]
    story = begin(game, Header(game.id, names, game.stand_in), 0.0)
    first = Words(language, names, strict=True).part(story.to_set_up[0].told)

    text = panel(with_story(Snapshot(), story), language, LINK).text

    assert text[0] == first
    assert len(text) == 2
    assert len(text_lines(text)) < LINES  # the last one says whose turn it is


def test_after_the_first_move_the_display_says_only_what_to_do():
    assert len(panel(laid("throw 3"), "en", LINK).text) == 1


def test_in_a_pause_no_lamp_burns_and_the_display_says_why():
    class Stage:
        def expect(self, light, seat):
            self.awaited = (light, seat)

        def show(self, panel):
            self.panel = panel

    stage = Stage()
    resting = extend(played(new_story(), "throw 3"), Noted(PAUSE), 1.0)

    Announcer(None, stage, LINK).announce(with_story(Snapshot(), resting))

    assert stage.awaited == (None, None)
    assert stage.panel.text[0].startswith("The game is paused.")


def test_the_display_says_which_move_confirm_would_make():
    shown = panel(replace(laid(), cursor=2), "en", LINK)

    assert (shown.title, shown.hint) == ("3/5", "confirm?")
    assert shown.text == ("> Die: 3",)


def test_a_question_stands_above_its_answer():
    why, answer = panel(with_story(Snapshot(), asked()), "en", LINK).text

    assert why.endswith("What does it show?")
    assert answer == "> Die: 3"


def test_what_was_refused_comes_first():
    refused = replace(laid(), notice=LinePart("core.nothing_to_undo"))

    assert panel(refused, "en", LINK) == Panel("!", text=("There is nothing to undo.",))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_whatever_is_said_fits_on_the_display(game, language):
    for shown in played_at_random(game, acts=60):
        panels = [panel(shown, language, LINK)]
        panels += [
            panel(replace(shown, cursor=n), language, LINK)
            for n in range(0, len(shown.offers), 5)
        ]
        for one in panels:
            assert len(text_lines(one.text)) <= LINES, one.text
            # Whose turn it is can always be read below.
            assert one.turn is None or len(text_lines(one.text)) < LINES, one


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_looking_back_and_what_lies_astray_fit_as_well(game, language):
    *_, shown = played_at_random(game, acts=40)
    story = shown.story
    for step in mendable(story)[:6]:
        back = LookBack(step.seq)
        panels = [panel(replace(shown, back=back), language, LINK)]
        opened = open_step(story, back)
        many = len(opened.alternatives)
        for at in range(0, many, 1 + many // 4):
            back = replace(opened, at=at)
            panels.append(panel(replace(shown, back=back), language, LINK))
        for one in panels:
            assert len(text_lines(one.text)) <= LINES, one.text
            assert any(text.startswith("> ") for text in one.text), one.text
    table = sorted(game.layout(story.state), key=repr)
    for thing in [thing for thing in table if thing[2] != "tray"][:30:3]:
        gone = Glimpse(Removed(thing[0], thing[2], thing[1]), 0.99)
        came = Glimpse(Placed(thing[0], thing[1], table[0][2]), 0.99)
        seen = Reading((gone, came), whole=True)
        why = LinePart("core.ask.table_unexpected")
        astray = with_story(shown, extend(story, Asked(seen, why, ()), 1.0))
        one = panel(replace(astray, cursor=-1), language, LINK)
        assert len(text_lines(one.text)) <= LINES, one.text


def played_at_random(game, acts):
    chance = random.Random(3)
    names = ("Alexandra", "Maximilian", "Cy", "Dédé", "Emma", "Finn", "Gigi")
    header = Header(game.id, names[: max(game.seats)], game.stand_in)
    story = begin(game, header, at=0.0)
    for _ in range(acts):
        yield with_story(Snapshot(), story)
        moves = [m for m in game.legal(story.state) if not is_private(m)]
        if not moves:
            return
        story = extend(story, Made(chance.choice(moves), "test"), at=1.0)


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

    Announcer(None, stage, "http://table").announce(Snapshot())

    assert stage.told == [(None, None), Panel("Dragon Table", qr="http://table")]


def test_with_a_game_the_stage_is_told_of_it():
    stage = Stage()

    Announcer(None, stage, "").announce(laid())

    assert stage.told[0] == ("throw", 0)
    assert stage.told[1].title == "Ana"


def test_the_display_leads_to_the_page_when_something_must_be_read():
    warned = Snapshot(warnings=(LinePart("core.store.refuses"),))

    lobby = panel(warned, "en", LINK)

    assert lobby.qr == LINK
    assert lobby.text == ("Saved games: see page",)


def test_a_fault_of_ours_never_leaves_an_old_state_on_the_display(caplog):
    def fail(*_args):
        raise RuntimeError("a fault of ours")

    good = laid()
    story = replace(good.story, game=replace(good.story.game, expects=fail))
    stage = Stage()
    announcer = Announcer(None, stage, LINK, "en")

    announcer.announce(good)
    announcer.announce(replace(good, story=story, version=7))

    instead = Panel("!", text=("This cannot be shown here. Look at a phone.",))
    assert stage.told[2:] == [(None, None), instead]
    assert "the display cannot tell state 7" in caplog.text


def test_a_stage_that_fails_once_does_not_darken_the_next_state(caplog):
    class Flickering(Stage):
        def show(self, panel):
            if not self.told:
                self.told.append("failed")
                raise OSError("the bus is gone")
            super().show(panel)
            shown.set()

        def expect(self, light, seat):
            pass

    class Table:
        def wait(self, version: int, timeout_s: float) -> Snapshot:
            return Snapshot(version=min(version + 1, 2) or 1)

    shown, stage = threading.Event(), Flickering()
    announcer = Announcer(Table(), stage, LINK)
    announcer.start()
    assert shown.wait(10)
    announcer.stop()

    assert stage.told == ["failed", Panel("Dragon Table", qr=LINK)]
    assert "leave out state 1" in caplog.text
