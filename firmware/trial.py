"""The test plan of a table: every button is pressed, every lamp looked at.

Only people can tell whether a lamp burns or a tone sounds: they answer with the
buttons, which were tried before. While a table is being built, one kind of part is
tried by itself, and people answer otherwise.
"""

import subprocess
from collections import deque
from collections.abc import Callable, Iterator

from companion.table import Pressed, Reading
from firmware.buttons import Buttons
from firmware.contacts import Clock
from firmware.display import Display, Panel
from firmware.finding import Finding, Level
from firmware.lights import Lights
from firmware.pins import Part, Pins, one_line
from firmware.sound import Sound
from firmware.wiring import ButtonPin, Wiring

PATIENCE_S = 20.0
"""How long each press is waited for: time to find the button and to get up."""

LOOK_S = 0.02

YES, NO = "confirm", "undo"

PARTS = ("buttons", "knob", "lamps", "strip", "buzzer", "loudspeaker", "display")
"""What can be tried by itself, in the order in which all are."""


class Trial:
    """Asks for one thing after the other and yields what came of each.

    The knob is one that a table may lack: nobody turning it is no fault.

    Args:
        pins: The pins, which no running table may hold.
        wiring: What should be on which pin.
        display: The small display, None for a table without.
        say: Tells people what to do next.
        clock: Seconds that only ever grow.
        wait: Lets some seconds pass.
        tone: Plays a tone on the loudspeaker, None for a table without.
        part: One of `PARTS` to try alone, None for all.
        ask: Answers a question with yes or no, None where nobody did; without it people
            answer with the buttons.
    """

    def __init__(
        self,
        pins: Pins,
        wiring: Wiring,
        display: Display | None,
        say: Callable[[str], None],
        clock: Clock,
        wait: Callable[[float], object],
        tone: Callable[[], object] | None = None,
        part: str | None = None,
        ask: Callable[[str], bool | None] | None = None,
    ) -> None:
        self._part, self._ask = part, ask
        self._wiring, self._display, self._tone = wiring, display, tone
        self._say, self._clock, self._wait = say, clock, wait
        self._heard: deque[str] = deque()
        self._lights = Lights(pins, wiring)
        self._sound = Sound(pins, wiring, clock, run=None, wait=wait)
        self._buttons = Buttons(pins, wiring, clock, self._hear)

    def run(self) -> Iterator[Finding]:
        """Yield a finding for each button and each thing that shines or sounds."""
        try:
            tried = False
            for finding in self._all():
                tried = True
                yield finding
            if not tried:
                yield Finding(
                    "trial", Level.WARN, f"There is no {self._part} to try.",
                    "Add its block to pins.toml, or plug the loudspeaker in.",
                )  # fmt: skip
        finally:
            self._close()

    def _all(self) -> Iterator[Finding]:
        pressed = set()
        for wired in self._wiring.button if self._wants("buttons") else ():
            finding = self._press(wired)
            if finding.level is Level.OK:
                pressed.add(wired.label)
            yield finding
        if self._wants("knob"):
            yield from self._turn()
        if self._ask is not None or {YES, NO} <= pressed:
            yield from self._look()
        elif self._part is None:
            yield Finding(
                "trial", Level.WARN, "Lamps and buzzer were not tried.",
                f"They are answered for with {YES} and {NO}; mend these first.",
            )  # fmt: skip

    def _wants(self, part: str) -> bool:
        return self._part in (None, part)

    def _press(self, wired: ButtonPin) -> Finding:
        self._say(f"Press {wired.label}: {_where(wired)}, {wired.wire} wire.")
        label = self._next_press()
        id_ = f"button-{wired.label.replace(' ', '-')}"
        if label == wired.label:
            return Finding(id_, Level.OK, f"{wired.part} was heard.")
        if label is not None:
            return Finding(
                id_, Level.FAIL, f"{label} was heard instead of {wired.label}.",
                f"Exchange their wires: {wired.label} belongs on {_where(wired)}.",
            )  # fmt: skip
        return Finding(
            id_, Level.FAIL, f"{wired.part} was not heard in {PATIENCE_S:.0f} s.",
            f"Check its wires: {_where(wired)} and ground on pin {wired.ground}.",
        )  # fmt: skip

    def _turn(self) -> Iterator[Finding]:
        if (knob := self._wiring.knob) is None:
            return
        where = f"{_where(knob.a)}, and {_where(knob.b)}"
        self._say("Turn the knob one click to the right, or wait if there is none.")
        label = self._next_press()
        if label == "next":
            self._say("Turn it one click to the left.")
            label = self._next_press()
            yield (
                Finding("knob", Level.OK, "knob was heard in both directions.")
                if label == "previous"
                else Finding(
                    "knob", Level.FAIL, "knob was heard to the right only.",
                    f"Check its wires: {where}.",
                )
            )  # fmt: skip
        elif label == "previous":
            yield Finding(
                "knob", Level.FAIL, "knob turns the wrong way round.",
                f"Exchange its wires: {where}.",
            )  # fmt: skip
        else:
            yield Finding(
                "knob", Level.WARN, f"knob was not heard in {PATIENCE_S:.0f} s.",
                f"Fine for a table without one; else check its wires: {where}, and "
                f"ground on pin {knob.ground}.",
            )  # fmt: skip

    def _look(self) -> Iterator[Finding]:
        if self._wants("lamps"):
            yield from self._look_at_lamps()
        if (strip := self._wiring.strip) is not None and self._wants("strip"):
            for seat in range(strip.seats):
                self._lights.show(frozenset(), seat)
                self._wait(0.5)
            self._lights.show(frozenset())
            asked = "Did the light go once round the table, seat by seat?"
            yield self._answered(strip.part, asked, f"{_where(strip)}, and its 5 V")
        if (buzzer := self._wiring.buzzer) is not None and self._wants("buzzer"):
            self._sound.call("win")
            self._sound.play_next()
            yield self._answered(buzzer.part, "Did you hear a tune?", _where(buzzer))
        if self._tone is not None and self._wants("loudspeaker"):
            yield self._listen(self._tone)
        if self._display is not None and self._wants("display"):
            shown = Panel("Dragon Table", text=("Can you read this?",), hint="test")
            self._display.show(shown)
            asked = "Can you read the small display?"
            yield self._answered("display", asked, "I2C is on, and its four wires")

    def _look_at_lamps(self) -> Iterator[Finding]:
        for lamp in self._wiring.lamp:
            self._lights.show(frozenset({lamp.name}))
            where = f"{_where(lamp)}, long leg to its {lamp.wire} wire"
            yield self._answered(
                lamp.part, f"Does only the {lamp.led} {lamp.part} burn?", where
            )
        self._lights.show(frozenset())

    def _listen(self, tone: Callable[[], object]) -> Finding:
        """Return whether a tone was heard; a program that fails is no silence."""
        try:
            tone()
        except (OSError, subprocess.SubprocessError) as error:
            return Finding(
                "loudspeaker", Level.FAIL, f"No tone was played: {one_line(error)}.",
                "Run `aplay -l`: it should be listed; else plug it in anew.",
            )  # fmt: skip
        asked = "Did you hear a long tone from the loudspeaker?"
        return self._answered("loudspeaker", asked, "its plug, its switch and volume")

    def _answered(self, part: str, question: str, where: str) -> Finding:
        id_ = part.replace(" ", "-")
        answer = self._yes_or_no(question)
        if answer:
            return Finding(id_, Level.OK, f"{part} works.")
        told = "was not answered for" if answer is None else "does not work"
        return Finding(id_, Level.FAIL, f"{part} {told}.", f"Check {where}.")

    def _yes_or_no(self, question: str) -> bool | None:
        if self._ask is not None:
            return self._ask(question)
        self._say(f"{question} {YES}: yes, {NO}: no.")
        answer = self._next_press(YES, NO)
        return None if answer is None else answer == YES

    def _next_press(self, *of: str) -> str | None:
        """Return the next button that is pressed, None if none is in time."""
        self._heard.clear()
        until_s = self._clock() + PATIENCE_S
        while self._clock() < until_s:
            self._buttons.poll()
            while self._heard:
                label = self._heard.popleft()
                if not of or label in of:
                    return label
            self._wait(LOOK_S)
        return None

    def _hear(self, reading: Reading) -> None:
        for glimpse in reading.glimpses:
            if isinstance(sight := glimpse.sight, Pressed):
                name = sight.button.partition(".")[0]
                seat = "" if sight.seat is None else f" {sight.seat}"
                self._heard.append(f"{name}{seat}")

    def _close(self) -> None:
        for close in (self._buttons.close, self._sound.close, self._lights.close):
            close()
        if self._display is not None:
            self._display.close()


def _where(wired: Part) -> str:
    return f"GPIO{wired.bcm}, header pin {wired.header}"
