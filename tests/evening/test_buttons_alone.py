"""Whole games without a phone: fingers on pins, eyes on the small display.

The player of these tests sees nothing but the display's picture and touches nothing but
the buttons' pins. What the display says must therefore be enough.
"""

import random
import re

import pytest

from companion.games import find
from companion.herald import Herald
from companion.snapshot import Setup
from firmware.buttons import Buttons
from firmware.display import open_display
from firmware.lights import Lights
from firmware.pins import open_pins
from firmware.sound import Sound
from firmware.stage import Stage
from firmware.wiring import read_wiring, wiring_path
from tests.core.table_setup import running
from tests.evening.reading_dots import read

HELD_S = 0.03
APART_S = 0.06
MOST_PRESSES = 60_000


class Box:
    """A running table in its box: simulated pins, the display as a picture file."""

    def __init__(self, table, folder) -> None:
        self.table = table
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
        self.herald = Herald(table, self.stage, "http://table", "en")
        self.heard = 0
        self.buttons = Buttons(self.pins, self.wiring, clock, self._hear)
        self.presses = 0
        self._show()

    def _hear(self, reading) -> None:
        self.heard += 1
        self.table.hear(reading)

    def press(self, name: str) -> None:
        """Close the contact of a button for a moment, as a finger does."""
        (wired,) = (b for b in self.wiring.button if b.label == name)
        pin = self.pins.factory.pin(wired.bcm)
        version, heard = self.table.snapshot.version, self.heard
        for move, for_s in ((pin.drive_low, HELD_S), (pin.drive_high, APART_S)):
            move()
            self.buttons.poll()
            self.now_s += for_s
            self.buttons.poll()
        assert self.heard == heard + 1, f"{name} was not heard as one press"
        self.presses += 1
        self.table.wait(version, 10.0)
        self._show()

    def _show(self) -> None:
        self.herald.tell(self.table.snapshot)
        self.stage.poll()

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
            box.press("next")
            title, text = box.read()
        (most,) = re.match(r"\d+/(\d+) +confirm", title).groups()
        for _ in range(chance.randrange(int(most))):
            box.press("next")
        title, text = box.read()
        assert "> " in text, f"nothing to confirm: {title}: {text}"
        box.press("confirm")
    raise AssertionError(f"no end after {box.presses} presses: {box.read()}")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "players"),
    [("dragorun", ("Ana", "Bo")), ("drachenhort", ("Ana", "Bo"))],
)
def test_a_whole_game_needs_no_phone(tmp_path, game, players, record_property):
    with running(tmp_path) as table:
        table.open_game(Setup(game, players))
        box = Box(table, tmp_path)
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
