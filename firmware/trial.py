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
from firmware.finding import (
    Finding,
    Level,
    button_name,
    colour_name,
    part_name,
    sentence,
)
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
                    "trial",
                    Level.WARN,
                    sentence(
                        "trial.none",
                        "There is no {part} to try.",
                        part=self._part or "",
                    ),
                    sentence(
                        "trial.none_do",
                        "Add its block to pins.toml, or plug the loudspeaker in.",
                    ),
                )
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
                "trial",
                Level.WARN,
                sentence("trial.not_tried", "Lamps and buzzer were not tried."),
                sentence(
                    "trial.not_tried_do",
                    "They are answered for with {yes} and {no}; mend these first.",
                    yes=button_name(YES),
                    no=button_name(NO),
                ),
            )

    def _wants(self, part: str) -> bool:
        return self._part in (None, part)

    def _press(self, wired: ButtonPin) -> Finding:
        name, part = button_name(wired.label), part_name(wired.part)
        self._say(
            sentence(
                "trial.press", "Press {button}: {where}, {wire} wire.",
                button=name, where=_where(wired), wire=colour_name(wired.wire),
            )
        )  # fmt: skip
        label = self._next_press()
        id_ = f"button-{wired.label.replace(' ', '-')}"
        if label == wired.label:
            said = sentence("trial.heard", "{part} was heard.", part=part)
            return Finding(id_, Level.OK, said)
        if label is not None:
            return Finding(
                id_,
                Level.FAIL,
                sentence(
                    "trial.instead", "{found} was heard instead of {wanted}.",
                    found=button_name(label), wanted=name,
                ),
                sentence(
                    "trial.instead_do",
                    "Exchange their wires: {wanted} belongs on {where}.",
                    wanted=name, where=_where(wired),
                ),
            )  # fmt: skip
        return Finding(
            id_,
            Level.FAIL,
            _unheard(part),
            sentence(
                "trial.unheard_do",
                "Check its wires: {where} and ground on pin {ground}.",
                where=_where(wired), ground=wired.ground,
            ),
        )  # fmt: skip

    def _turn(self) -> Iterator[Finding]:
        if (knob := self._wiring.knob) is None:
            return
        a, b = _where(knob.a), _where(knob.b)
        where = sentence("trial.two", "{a}, and {b}", a=a, b=b)
        self._say(
            sentence(
                "trial.turn",
                "Turn the knob one click to the right, or wait if there is none.",
            )
        )
        label = self._next_press()
        if label == "next":
            self._say(sentence("trial.turn_left", "Turn it one click to the left."))
            yield _heard_to_the_left(self._next_press() == "previous", where)
        elif label == "previous":
            yield Finding(
                "knob",
                Level.FAIL,
                sentence("trial.knob.wrong", "knob turns the wrong way round."),
                sentence(
                    "trial.knob.wrong_do", "Exchange its wires: {where}.", where=where
                ),
            )
        else:
            yield Finding(
                "knob",
                Level.WARN,
                _unheard(part_name(knob.part)),
                sentence(
                    "trial.knob.unheard_do",
                    "Fine for a table without one; else check its wires: {where}, and "
                    "ground on pin {ground}.",
                    where=where,
                    ground=knob.ground,
                ),
            )

    def _look(self) -> Iterator[Finding]:
        if self._wants("lamps"):
            yield from self._look_at_lamps()
        if (strip := self._wiring.strip) is not None and self._wants("strip"):
            for seat in range(strip.seats):
                self._lights.show(frozenset(), seat)
                self._wait(0.5)
            self._lights.show(frozenset())
            asked = sentence(
                "trial.strip", "Did the light go once round the table, seat by seat?"
            )
            where = sentence(
                "trial.strip_where", "{where}, and its 5 V", where=_where(strip)
            )
            yield self._answered(strip.part, asked, where)
        if (buzzer := self._wiring.buzzer) is not None and self._wants("buzzer"):
            self._sound.call("win")
            self._sound.play_next()
            asked = sentence("trial.tune", "Did you hear a tune?")
            yield self._answered(buzzer.part, asked, _where(buzzer))
        if self._tone is not None and self._wants("loudspeaker"):
            yield self._listen(self._tone)
        if self._display is not None and self._wants("display"):
            shown = Panel("Dragon Table", text=("Can you read this?",), hint="test")
            self._display.show(shown)
            asked = sentence("trial.display", "Can you read the small display?")
            where = sentence("trial.display_where", "I2C is on, and its four wires")
            yield self._answered("display", asked, where)

    def _look_at_lamps(self) -> Iterator[Finding]:
        for lamp in self._wiring.lamp:
            self._lights.show(frozenset({lamp.name}))
            asked = sentence(
                "trial.lamp", "Does only the {led} {part} burn?",
                led=colour_name(lamp.led), part=part_name(lamp.part),
            )  # fmt: skip
            where = sentence(
                "trial.lamp_where", "{where}, long leg to its {wire} wire",
                where=_where(lamp), wire=colour_name(lamp.wire),
            )  # fmt: skip
            yield self._answered(lamp.part, asked, where)
        self._lights.show(frozenset())

    def _listen(self, tone: Callable[[], object]) -> Finding:
        """Return whether a tone was heard; a program that fails is no silence."""
        try:
            tone()
        except (OSError, subprocess.SubprocessError) as error:
            return Finding(
                "loudspeaker",
                Level.FAIL,
                sentence(
                    "trial.no_tone", "No tone was played: {why}.", why=one_line(error)
                ),
                sentence(
                    "trial.no_tone_do",
                    "Run `aplay -l`: it should be listed; else plug it in anew.",
                ),
            )
        asked = sentence("trial.tone", "Did you hear a long tone from the loudspeaker?")
        where = sentence("trial.tone_where", "its plug, its switch and volume")
        return self._answered("loudspeaker", asked, where)

    def _answered(self, part: str, question: str, where: str) -> Finding:
        id_ = part.replace(" ", "-")
        answer = self._yes_or_no(question)
        name = part_name(part)
        if answer:
            return Finding(
                id_, Level.OK, sentence("trial.works", "{part} works.", part=name)
            )
        told = (
            sentence("trial.unanswered", "{part} was not answered for.", part=name)
            if answer is None
            else sentence("trial.dark", "{part} does not work.", part=name)
        )
        check = sentence("trial.check", "Check {where}.", where=where)
        return Finding(id_, Level.FAIL, told, check)

    def _yes_or_no(self, question: str) -> bool | None:
        if self._ask is not None:
            return self._ask(question)
        self._say(
            sentence(
                "trial.yes_no", "{question} {yes}: yes, {no}: no.",
                question=question, yes=button_name(YES), no=button_name(NO),
            )
        )  # fmt: skip
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
    return sentence(
        "where",
        "GPIO{bcm}, header pin {header}",
        bcm=wired.bcm,
        header=wired.header,
    )


def _unheard(part: str) -> str:
    return sentence(
        "trial.unheard",
        "{part} was not heard in {seconds} s.",
        part=part,
        seconds=round(PATIENCE_S),
    )


def _heard_to_the_left(heard: bool, where: str) -> Finding:
    if heard:
        said = sentence("trial.knob.both", "knob was heard in both directions.")
        return Finding("knob", Level.OK, said)
    return Finding(
        "knob",
        Level.FAIL,
        sentence("trial.knob.right", "knob was heard to the right only."),
        sentence("trial.knob.right_do", "Check its wires: {where}.", where=where),
    )
