"""The stage shows what is awaited, lets events flash, and leaves a read tray alone."""

from threading import Event
from time import monotonic

import pytest

from companion.table import Cue, LinePart
from firmware.display import Panel
from firmware.lights import Lights
from firmware.sound import Sound, Spoken
from firmware.stage import FLASH_S, HOLD_S, Stage


class Screen:
    def __init__(self) -> None:
        self.shown: list[Panel] = []
        self.broken = False

    def show(self, panel: Panel) -> None:
        if self.broken:
            raise OSError("no answer")
        self.shown.append(panel)

    def close(self) -> None:
        self.shown.append(Panel("dark"))


@pytest.fixture
def screen():
    return Screen()


@pytest.fixture
def heard():
    return []


@pytest.fixture
def sound(pins, wiring, clock, heard):
    opened = Sound(pins, wiring, clock, run=heard.append, wait=heard.append)
    yield opened
    opened.close()


@pytest.fixture
def stage(pins, wiring, clock, sound, screen):
    def speak(part: LinePart, players: tuple[str, ...]) -> Spoken:
        return Spoken(part.line, f"<{' '.join((part.line, *players))}>", "en")

    opened = Stage(Lights(pins, wiring), sound, screen, clock, speak)
    yield opened
    opened.close()


@pytest.fixture
def lit(pins, wiring):
    return lambda: {one.name for one in wiring.lamp if pins.factory.pin(one.bcm).state}


def test_what_is_awaited_has_its_lamp(stage, lit):
    stage.expect("throw", 0)
    stage.poll()
    assert lit() == {"throw"}


def test_an_event_flashes_and_then_shows_again_what_is_awaited(stage, lit, clock):
    stage.expect("throw", 0)
    stage.play(Cue(light="dragon"))
    assert stage.poll() == clock.now_s + FLASH_S
    assert lit() == {"dragon"}
    clock.pass_by(FLASH_S)
    assert stage.poll() is None
    assert lit() == {"throw"}


def test_a_cue_is_heard_and_spoken(stage, sound, heard):
    stage.play(Cue(sound="draw", spoken=LinePart("your-throw")), ("Ana", "Bo"))
    stage.poll()
    sound.play_next()
    assert heard[0] == 0.06
    assert heard[1][-1] == "<your-throw Ana Bo>"


def test_an_empty_cue_changes_nothing(stage, sound, lit):
    stage.expect("ask", None)
    stage.play(Cue())
    stage.poll()
    assert lit() == {"ask"}
    assert not sound.play_next()


def test_a_light_that_the_table_has_not_is_dark_and_no_fault(stage, lit):
    stage.play(Cue(light="no such light"))
    stage.poll()
    assert lit() == set()


def test_lamps_in_the_tray_rest_while_the_camera_reads(stage, lit, clock):
    stage.hold()
    stage.expect("act", 0)
    stage.play(Cue(light="done"))
    stage.poll()
    assert lit() == {"throw", "act"}
    stage.release()
    stage.poll()
    assert lit() == {"throw", "act", "dragon"}


def test_a_camera_that_died_while_reading_does_not_hold_the_lamps_for_ever(
    stage, lit, clock
):
    stage.hold()
    stage.expect("dragon", None)
    assert stage.poll() == clock.now_s + HOLD_S
    clock.pass_by(HOLD_S)
    stage.poll()
    assert lit() == {"dragon"}


def test_the_display_shows_the_last_panel_once(stage, screen):
    stage.show(Panel("one"))
    stage.show(Panel("two"))
    stage.paint()
    stage.paint()
    assert screen.shown == [Panel("two")]


def test_a_broken_display_is_said_once_and_the_lamps_go_on(stage, screen, lit, caplog):
    screen.broken = True
    for name in ("one", "two", "three"):
        stage.show(Panel(name))
        stage.expect("ask", None)
        stage.paint()
        stage.poll()
    assert lit() == {"ask"}
    assert [record.getMessage() for record in caplog.records] == [
        "left out: display: no answer"
    ]


def test_a_table_without_display_and_voice_plays_on(pins, wiring, clock, sound, lit):
    stage = Stage(Lights(pins, wiring), sound, None, clock)
    stage.show(Panel("one"))
    stage.paint()
    stage.play(Cue(light="ask", spoken=LinePart("x")))
    stage.poll()
    assert lit() == {"ask"}
    stage.close()
    assert lit() == set()


def test_the_thread_of_the_stage_plays_and_ends(pins, wiring, sound, screen):
    stage = Stage(Lights(pins, wiring), sound, screen, monotonic)
    stage.start()
    stage.show(Panel("one"))
    stage.close()
    assert screen.shown[-1] == Panel("dark")


def test_a_display_whose_bus_hangs_holds_up_no_lamp_and_no_end(
    pins, wiring, sound, lit, monkeypatch
):
    monkeypatch.setattr("firmware.stage.CLOSE_S", 0.05)
    begun, ends = Event(), Event()

    class Hanging(Screen):
        def show(self, panel):
            begun.set()
            ends.wait(10)

    screen = Hanging()
    stage = Stage(Lights(pins, wiring), sound, screen, monotonic)
    stage.start()
    stage.show(Panel("one"))
    assert begun.wait(5)

    stage.expect("ask", None)

    waited = Event()
    while lit() != {"ask"}:
        waited.wait(0.001)
    stage.close()
    assert lit() == set()
    assert screen.shown == []  # one that hangs is not closed as well
    ends.set()
