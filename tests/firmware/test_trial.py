"""The test plan finds a wire that is loose, swapped or on the wrong pin."""

import subprocess

import pytest
from msgspec.structs import replace

from firmware.finding import Level
from firmware.trial import PATIENCE_S, Trial


class Person:
    """Does what the table asks for; *mistakes* are what is wired wrongly.

    Args:
        mistakes: What a press of a button closes instead; None closes nothing.
        dark: Questions that are answered with no, by a word in them.
        knob: How the knob is wired: "well", "exchanged", "half" (right only), or
            "missing".
    """

    def __init__(self, pins, wiring, clock, mistakes=(), dark=(), knob="well"):
        self._pins, self._wiring, self._clock = pins, wiring, clock
        self._mistakes, self._dark, self._knob = dict(mistakes), dark, knob
        self._due = []
        self.told = []

    def hear(self, words: str) -> None:
        self.told.append(words)
        if words.startswith("Press "):
            self._press(words.removeprefix("Press ").partition(":")[0])
        elif words.startswith("Turn "):
            self._turn("right" in words)
        else:
            self._press("undo" if any(d in words for d in self._dark) else "confirm")

    def _press(self, label: str) -> None:
        label = self._mistakes.get(label, label)
        if label is not None:
            (wired,) = (one for one in self._wiring.button if one.label == label)
            pin = self._pins.factory.pin(wired.bcm)
            begin_s = self._clock() + 0.5
            self._due = [(begin_s, pin.drive_low), (begin_s + 0.1, pin.drive_high)]

    def _turn(self, right: bool) -> None:
        if self._knob == "missing" or (self._knob == "half" and not right):
            return
        wired = self._wiring.knob
        a, b = (self._pins.factory.pin(bcm) for bcm in (wired.a_bcm, wired.b_bcm))
        one, other = (a, b) if right != (self._knob == "exchanged") else (b, a)
        moves = (one.drive_low, other.drive_low, one.drive_high, other.drive_high)
        begin_s = self._clock() + 0.5
        self._due = [(begin_s + 0.02 * n, move) for n, move in enumerate(moves)]

    def wait(self, seconds: float) -> None:
        self._clock.pass_by(seconds)
        while self._due and self._due[0][0] <= self._clock():
            self._due.pop(0)[1]()


@pytest.fixture
def try_out(pins, wiring, clock):
    def run(tone=None, part=None, ask=None, **wrong):
        person = Person(pins, wiring, clock, **wrong)
        known = pins, wiring, None, person.hear, clock, person.wait
        trial = Trial(*known, tone, part, ask)
        return {finding.id: finding for finding in trial.run()}, person

    return run


def test_a_table_that_is_wired_well_has_nothing_to_remedy(try_out, wiring):
    found, person = try_out()

    # Eleven buttons, five lamps, knob, strip and buzzer.
    assert len(found) == len(wiring.button) + len(wiring.lamp) + 3 == 19
    assert {finding.level for finding in found.values()} == {Level.OK}
    assert person.told[0] == "Press confirm: GPIO5, header pin 29, green wire."


def test_what_a_smaller_build_lacks_is_not_asked_for(pins, wiring, clock):
    smaller = replace(wiring, knob=None, strip=None, display=None)
    person = Person(pins, smaller, clock)
    found = list(Trial(pins, smaller, None, person.hear, clock, person.wait).run())

    # Eleven buttons, five lamps and the buzzer.
    assert len(found) == 17
    assert {finding.level for finding in found} == {Level.OK}
    assert not any("knob" in told or "seat by seat" in told for told in person.told)


def test_a_button_that_is_not_connected_is_named_with_its_pins(try_out, clock):
    began_s = clock()
    found, _ = try_out(mistakes={"seat 3": None})

    finding = found["button-seat-3"]
    assert finding.level is Level.FAIL
    assert "GPIO18, header pin 12 and ground on pin 14" in finding.remedy
    assert clock() - began_s < PATIENCE_S + 60
    assert sum(one.level is Level.FAIL for one in found.values()) == 1


def test_two_buttons_with_exchanged_wires_are_named(try_out):
    found, _ = try_out(mistakes={"seat 0": "seat 1", "seat 1": "seat 0"})

    assert found["button-seat-0"].evidence == "seat 1 was heard instead of seat 0."
    assert "seat 0 belongs on GPIO16" in found["button-seat-0"].remedy


@pytest.mark.parametrize(
    ("knob", "level", "evidence"),
    [
        ("well", Level.OK, "knob was heard in both directions."),
        ("missing", Level.WARN, "knob was not heard in 20 s."),
        ("half", Level.FAIL, "knob was heard to the right only."),
        ("exchanged", Level.FAIL, "knob turns the wrong way round."),
    ],
)
def test_the_knob_is_turned_and_a_table_without_one_is_no_fault(
    try_out, knob, level, evidence
):
    found, _ = try_out(knob=knob)

    assert (found["knob"].level, found["knob"].evidence) == (level, evidence)
    if level is not Level.OK:
        assert "GPIO14, header pin 8, and GPIO15, header pin 10" in found["knob"].remedy
    assert sum(one.level is Level.FAIL for one in found.values()) == (
        level is Level.FAIL
    )


def test_a_lamp_that_stays_dark_is_named_with_its_pin(try_out):
    found, _ = try_out(dark=("lamp ask",))

    assert found["lamp-ask"].evidence == "lamp ask does not work."
    assert "GPIO24" in found["lamp-ask"].remedy


@pytest.mark.parametrize(
    ("part", "found"),
    [
        ("buttons", {"button-confirm", "button-undo", "button-next", "button-help"}),
        ("knob", {"knob"}),
        (
            "lamps",
            {"lamp-throw", "lamp-act", "lamp-ask", "lamp-refused", "lamp-dragon"},
        ),
        ("strip", {"LED-strip"}),
        ("buzzer", {"buzzer"}),
        ("loudspeaker", {"loudspeaker"}),
    ],
)
def test_one_kind_of_part_is_tried_by_itself_while_the_table_is_built(
    try_out, part, found
):
    asked = []

    def ask(question):
        asked.append(question)
        return True

    # Nothing else is wired yet.
    mistakes = {} if part == "buttons" else {"confirm": None, "undo": None}
    tried, person = try_out(tone=lambda: None, part=part, ask=ask, mistakes=mistakes)

    seats = {f"button-seat-{seat}" for seat in range(7)} if part == "buttons" else set()
    assert set(tried) == found | seats
    assert {finding.level for finding in tried.values()} == {Level.OK}
    # What can be pressed or turned needs no answer.
    assert len(asked) == (0 if part in ("buttons", "knob") else len(found))
    assert not [told for told in person.told if "confirm: yes" in told]


def test_a_part_that_nobody_answered_for_or_denied_is_no_success(try_out):
    denied, _ = try_out(part="buzzer", ask=lambda question: False)
    assert denied["buzzer"].evidence == "buzzer does not work."
    silent, _ = try_out(part="buzzer", ask=lambda question: None)
    assert silent["buzzer"].evidence == "buzzer was not answered for."


def test_a_part_that_the_table_lacks_is_told(pins, wiring, clock):
    smaller = replace(wiring, strip=None)
    person = Person(pins, smaller, clock)
    known = pins, smaller, None, person.hear, clock, person.wait
    (found,) = Trial(*known, None, "strip", lambda question: True).run()
    assert found.level is Level.WARN
    assert found.evidence == "There is no strip to try."


def test_the_loudspeaker_plays_a_tone_and_its_silence_is_told(try_out):
    played = []
    found, _ = try_out(tone=lambda: played.append("tone"))
    assert played == ["tone"]
    assert found["loudspeaker"].level is Level.OK

    found, _ = try_out(tone=lambda: None, dark=("loudspeaker",))
    assert found["loudspeaker"].evidence == "loudspeaker does not work."
    assert "volume" in found["loudspeaker"].remedy


def test_a_tone_that_cannot_be_played_is_told_with_the_reason(try_out):
    def fail():
        raise subprocess.CalledProcessError(1, "aplay")

    found, person = try_out(tone=fail)

    assert found["loudspeaker"].level is Level.FAIL
    assert "aplay" in found["loudspeaker"].evidence
    assert not any("loudspeaker" in told for told in person.told)


def test_without_the_buttons_that_answer_lamps_are_not_tried(try_out):
    found, _ = try_out(mistakes={"undo": None})

    assert found["trial"].level is Level.WARN
    assert "lamp-ask" not in found


def test_afterwards_all_is_dark_and_every_pin_is_free_again(try_out, pins, wiring):
    try_out()
    again, _ = try_out()

    assert {finding.level for finding in again.values()} == {Level.OK}
    for lamp in wiring.lamp:
        assert pins.factory.pin(lamp.bcm).state in (0, 0.0, False)
