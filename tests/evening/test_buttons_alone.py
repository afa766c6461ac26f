"""Whole games without a phone: fingers on pins, eyes on the small display.

The player of these tests sees nothing but the display's picture and touches nothing but
the pins of buttons, or of the knob. What the display says must therefore be enough.
"""

import random
import re

import pytest

from companion.display.announcer import Announcer
from companion.games import find
from companion.running.snapshot import Setup
from firmware.buttons import Buttons
from firmware.display import open_display
from firmware.lights import Lights
from firmware.pins import open_pins
from firmware.sound import Sound
from firmware.stage import Stage
from firmware.wiring import read_wiring, wiring_path
from tests.evening.reading_dots import read
from tests.running.table_setup import running

HELD_S = 0.03
APART_S = 0.06
MOST_PRESSES = 60_000


class Box:
    """A running table in its box: simulated pins, the display as a picture file."""

    def __init__(self, table, folder, by_knob=False) -> None:
        self.table, self.by_knob = table, by_knob
        self.now_s = 100.0
        self.wiring = read_wiring(wiring_path())
        self.pins = open_pins(kind="mock", model_path=folder / "no-pi")
        self.picture = folder / "display.png"
        display, missing = open_display(self.pins, self.wiring, self.picture)
        assert missing is None
        clock = lambda: self.now_s  # noqa: E731
        sound = Sound(self.pins, self.wiring, clock, run=None, wait=lambda _: None)
        lights = Lights(self.pins, self.wiring)
        self.stage = Stage(lights, sound, display, clock)
        self.announcer = Announcer(table, self.stage, "http://table", "en")
        self.heard = 0
        self.buttons = Buttons(self.pins, self.wiring, clock, self._hear)
        self.presses = 0
        self.show()

    def _hear(self, reading) -> None:
        self.heard += 1
        self.table.hear(reading)

    def go(self, by: int, of: int) -> None:
        """Go on *by* of *of* choices; a knob turns back where that is nearer."""
        back = self.by_knob and by > of / 2
        for _ in range(of - by if back else by):
            self._turn(right=not back) if self.by_knob else self.press("next")

    def press(self, name: str, long: bool = False) -> None:
        """Close the contact of a button for a moment, or *long*, as a finger does."""
        (wired,) = (b for b in self.wiring.button if b.label == name)
        pin = self.pins.factory.pin(wired.bcm)
        held_s = wired.long_s + APART_S if long else HELD_S
        self._move(((pin.drive_low, held_s), (pin.drive_high, APART_S)), name)

    def _turn(self, right: bool) -> None:
        knob = self.wiring.knob
        a, b = (self.pins.factory.pin(bcm) for bcm in (knob.a_bcm, knob.b_bcm))
        one, other = (a, b) if right else (b, a)
        moves = (one.drive_low, other.drive_low, one.drive_high, other.drive_high)
        self._move(tuple((move, 0.01) for move in moves), "knob")

    def _move(self, moves, name: str) -> None:
        heard = self.heard
        for move, for_s in moves:
            move()
            self.buttons.poll()
            self.now_s += for_s
            self.buttons.poll()
        assert self.heard == heard + 1, f"{name} was not heard as one press"
        self.presses += 1
        self.table.sync()
        self.show()

    @property
    def story(self):
        return self.table.snapshot.story

    def show(self) -> None:
        self.announcer.announce(self.table.snapshot)
        self.stage.poll()
        self.stage.paint()

    def read(self) -> tuple[str, str]:
        return read(self.picture)

    def close(self) -> None:
        self.buttons.close()
        self.stage.close()
        self.pins.close()


def play(box: Box, seed: int) -> str:
    """Play by what the display says until it tells the end; return what it said."""
    chance = random.Random(seed)
    while box.presses < MOST_PRESSES:
        title, text = box.read()
        if text.startswith("The end!"):
            return text
        if " confirm?" not in title:
            assert title.endswith("next >") or title == "!", (
                f"no way on: {title}: {text}"
            )
            box.go(1, of=2)
            title, text = box.read()
        (most,) = re.match(r"\d+/(\d+) +confirm", title).groups()
        box.go(chance.randrange(int(most)), of=int(most))
        title, text = box.read()
        assert "> " in text, f"nothing to confirm: {title}: {text}"
        box.press("confirm")
    raise AssertionError(f"no end after {box.presses} presses: {box.read()}")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "by_knob"),
    [
        pytest.param("dragorun", False, marks=pytest.mark.long),
        ("drachenhort", False),
        pytest.param("drachenhort", True, marks=pytest.mark.long),
    ],
    ids=["dragorun", "drachenhort", "drachenhort by the knob"],
)
def test_a_whole_game_needs_no_phone(tmp_path, game, by_knob, record_property):
    players = ("Ana", "Bo")
    with running(tmp_path) as table:
        table.open_game(Setup(game, players))
        box = Box(table, tmp_path, by_knob)
        try:
            said = play(box, seed=7)
        finally:
            box.close()
        story = table.snapshot.story

    record_property("figures", f"{len(story.steps)} moves, {box.presses} presses")
    outcome = find(game).outcome(story.state)
    assert outcome is not None
    for winner in outcome.winners:
        assert players[winner] in said
    assert {step.made.source for step in story.steps} == {"button"}
