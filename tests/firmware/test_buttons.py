"""Fingers press simulated pins; the referee's inbox gets one reading for each press."""

from collections.abc import Iterator
from queue import Queue
from random import Random
from time import monotonic

import pytest
from gpiozero import GPIOZeroError
from msgspec.structs import replace

from companion.table import Pressed, Reading
from firmware.buttons import Buttons, NoSuchButton, NotSimulated, StillPressing
from firmware.contacts import MISSED_S
from firmware.edge_queue import MOST_EDGES
from firmware.edges import CHATTER_EDGES
from firmware.finding import Level
from tests.firmware.traces import noise, presses

CONFIRM, UNDO, SEAT_3 = 5, 6, 18


def test_whoever_watches_is_told_every_edge_that_was_heard(pins, wiring, clock, inbox):
    seen = []
    buttons = Buttons(pins, wiring, clock, inbox.append, lambda *e: seen.append(e))
    pin = pins.factory.pin(CONFIRM)
    for drive, held_s in ((pin.drive_low, 0.05), (pin.drive_high, 0.1)):
        drive()
        clock.pass_by(held_s)
        buttons.poll()
    buttons.close()

    assert seen == [("confirm", True, 100.0), ("confirm", False, 100.05)]
    assert {wired.label for wired in buttons.wired} >= {"confirm", "undo", "seat 3"}
    assert len(inbox) == 1


class Inbox(list[Reading]):
    @property
    def pressed(self) -> list[Pressed]:
        return [reading.glimpses[0].sight for reading in self]


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


@pytest.fixture
def buttons(pins, wiring, clock, inbox) -> Iterator[Buttons]:
    opened = Buttons(pins, wiring, clock, inbox.append)
    yield opened
    opened.close()


@pytest.fixture
def finger(pins, buttons, clock):
    """Return a way to press a pin from the world's side and let time pass."""

    def press(bcm: int, held_s: float = 0.05) -> None:
        pin = pins.factory.pin(bcm)
        pin.drive_low()
        pass_by(held_s)
        pin.drive_high()
        pass_by(0.1)

    def pass_by(seconds: float) -> None:
        # As the listening thread does: at every time that the buttons ask for.
        end_s = clock.now_s + seconds
        while (due := buttons.poll()) is not None and due < end_s:
            clock.now_s = due
        clock.now_s = end_s
        buttons.poll()

    press.pass_by = pass_by
    return press


def test_a_press_is_a_reading_from_a_button(finger, inbox):
    finger(CONFIRM)
    (reading,) = inbox
    assert reading.source == "button"
    assert reading.glimpses[0].sight == Pressed("confirm", None)
    assert reading.glimpses[0].confidence == 1.0
    assert reading.taken_at == pytest.approx(100.085)


def test_a_seat_button_names_its_seat(finger, inbox):
    finger(SEAT_3)
    assert inbox.pressed == [Pressed("seat", 3)]


def test_every_button_of_the_table_can_be_pressed(finger, inbox, wiring):
    for wired in wiring.button:
        finger(wired.bcm)
    assert inbox.pressed == [Pressed(one.name, one.seat) for one in wiring.button]


def test_a_long_press_comes_while_the_finger_is_still_there(finger, pins, inbox, clock):
    pins.factory.pin(UNDO).drive_low()
    finger.pass_by(0.81)
    assert inbox.pressed == [Pressed("undo.long", None)]
    pins.factory.pin(UNDO).drive_high()
    finger.pass_by(1.0)
    assert len(inbox) == 1


def test_the_help_button_must_be_held_for_two_seconds(finger, inbox):
    finger(26, held_s=1.9)
    finger(26, held_s=2.1)
    assert inbox.pressed == [Pressed("help", None), Pressed("help.long", None)]


def test_a_finger_that_comes_as_the_table_ends_finds_no_button(
    pins, wiring, clock, inbox
):
    buttons = Buttons(pins, wiring, clock, inbox.append)
    buttons.close()

    with pytest.raises(NoSuchButton, match="the buttons are closed, as the table ends"):
        buttons.simulate("confirm")
    assert inbox == []


def test_a_double_press_has_its_own_name_where_pins_toml_waits_for_one(
    pins, wiring, clock, inbox
):
    only = replace(wiring, button=(replace(wiring.button[0], double_s=0.3),))
    buttons = Buttons(pins, only, clock, inbox.append)
    for level in (True, False, True, False):
        pin = pins.factory.pin(CONFIRM)
        pin.drive_low() if level else pin.drive_high()
        buttons.poll()
        clock.pass_by(0.06)
        buttons.poll()
    assert inbox.pressed == [Pressed("confirm.double", None)]
    buttons.close()


def test_two_buttons_pressed_together_are_two_presses_in_order(
    finger, pins, inbox, clock
):
    pins.factory.pin(CONFIRM).drive_low()
    pins.factory.pin(UNDO).drive_low()
    finger.pass_by(0.05)
    pins.factory.pin(UNDO).drive_high()
    finger.pass_by(0.01)
    pins.factory.pin(CONFIRM).drive_high()
    clock.pass_by(0.1)
    finger.pass_by(0.1)
    assert [sight.button for sight in inbox.pressed] == ["undo", "confirm"]


def test_a_burst_of_noise_is_counted_and_not_stored(finger, pins, buttons, inbox):
    pin = pins.factory.pin(CONFIRM)
    for _ in range(5_000):
        pin.drive_low()
        pin.drive_high()
    finger.pass_by(0.1)
    assert inbox == []
    gauge = buttons.gauges()[0]
    # What no finger makes is heard up to the edge that tells so; the rest is let go.
    assert gauge.lost == 10_000 - CHATTER_EDGES - MOST_EDGES
    assert gauge.glitches >= 1
    finger(CONFIRM)
    assert inbox.pressed == [Pressed("confirm", None)]


def test_a_press_whose_edge_was_lost_in_noise_still_counts(finger, pins, inbox):
    pin = pins.factory.pin(CONFIRM)
    for _ in range(CHATTER_EDGES):
        pin.drive_low()
        pin.drive_high()
    pin.drive_low()
    finger.pass_by(0.1)
    pin.drive_high()
    finger.pass_by(0.1)
    assert inbox.pressed == [Pressed("confirm", None)]


def test_a_contact_is_not_at_rest_while_edges_are_lost(finger, pins, inbox, clock):
    pin = pins.factory.pin(CONFIRM)
    pin.drive_low()
    finger.pass_by(0.008)
    for _ in range(CHATTER_EDGES):
        pin.drive_high()
        pin.drive_low()
    clock.pass_by(0.008)
    pin.drive_high()
    pin.drive_low()
    finger.pass_by(0.005)
    pin.drive_high()
    finger.pass_by(0.1)
    assert inbox == []


def test_an_edge_that_gpiozero_never_told_is_found_by_looking(finger, pins, inbox):
    pin = pins.factory.pin(CONFIRM)
    pin.edges = "none"
    pin.drive_low()
    finger.pass_by(MISSED_S + 0.02)
    pin.drive_high()
    finger.pass_by(MISSED_S + 0.05)
    assert inbox.pressed == [Pressed("confirm", None)]


def test_a_glitch_whose_end_is_told_late_is_no_press(
    pins, wiring, clock, inbox, monkeypatch
):
    monkeypatch.setattr(pins.factory, "ticks", clock, raising=False)
    buttons = Buttons(replace(pins, simulated=False), wiring, clock, inbox.append)
    pin = pins.factory.pin(CONFIRM)
    tell = pin.when_changed
    pin.edges = "none"
    pin.drive_low()
    tell(100.0, 0)
    clock.pass_by(0.004)
    buttons.poll()
    clock.pass_by(0.001)
    pin.drive_high()
    clock.pass_by(0.020)
    buttons.poll()
    tell(100.005, 1)
    clock.pass_by(0.1)
    buttons.poll()
    assert inbox == []
    assert buttons.gauges()[0].glitches == 1
    buttons.close()


def test_a_button_held_since_boot_is_ignored_until_it_was_let_go(
    pins, wiring, clock, inbox
):
    only = replace(wiring, button=wiring.button[:1])

    class HeldPin(pins.factory.pin_class):
        def _get_state(self):
            return False

    pins.factory.pin_class, plain = HeldPin, pins.factory.pin_class
    buttons = Buttons(pins, only, clock, inbox.append)
    pins.factory.pin_class = plain
    for _ in range(100):
        clock.pass_by(0.3)
        buttons.poll()
    assert inbox == []
    assert "held down all the time" in buttons.findings()[0].evidence
    buttons.close()


def test_a_stuck_button_is_found_while_it_is_stuck(finger, pins, buttons, inbox):
    pins.factory.pin(UNDO).drive_low()
    finger.pass_by(25.0)
    (found,) = buttons.findings()
    assert found.level is Level.WARN
    assert "button undo on GPIO6 (header pin 31) is held down" in found.evidence
    assert buttons.gauges()[1].stuck
    pins.factory.pin(UNDO).drive_high()
    finger.pass_by(0.1)
    assert buttons.findings() == ()


def test_a_chattering_button_is_found(finger, pins, buttons, clock):
    pin = pins.factory.pin(CONFIRM)
    for _ in range(200):
        for _ in range(8):
            pin.drive_low()
            pin.drive_high()
        clock.pass_by(0.002)
        buttons.poll()
    assert "chatters" in buttons.findings()[0].evidence


def test_a_taken_pin_is_named_and_the_other_buttons_work(
    pins, wiring, clock, inbox, buttons
):
    second = Buttons(pins, wiring, clock, inbox.append)
    found = second.findings()
    assert len(found) == len(wiring.button) + 1  # the knob, too
    assert "button confirm on GPIO5 (header pin 29) is left out" in found[0].evidence
    assert "already in use" in found[0].evidence
    assert buttons.findings() == ()
    second.close()


def test_a_pin_that_can_no_longer_be_read_does_not_silence_the_others(
    finger, pins, buttons, inbox, monkeypatch
):
    broken = pins.factory.pin(UNDO)

    def vanish():
        raise GPIOZeroError("chip gone")

    monkeypatch.setattr(broken, "_get_state", vanish)
    finger(CONFIRM)
    assert inbox.pressed == [Pressed("confirm", None)]
    (found,) = buttons.findings()
    assert "button undo on GPIO6 (header pin 31) is left out: chip gone." in str(found)


def test_a_simulated_press_is_heard_as_one(finger, buttons, inbox):
    buttons.simulate("seat", 3)
    finger.pass_by(0.06)
    assert inbox.pressed == [Pressed("seat", 3)]


def test_simulated_presses_of_one_button_follow_each_other(finger, buttons, inbox):
    for _ in range(5):
        buttons.simulate("confirm")
    buttons.simulate("undo", held_s=1.0)
    finger.pass_by(2.0)
    names = sorted(sight.button for sight in inbox.pressed)
    assert names == ["confirm"] * 5 + ["undo.long"]


def test_simulated_presses_that_wait_are_bounded_and_none_of_them_is_lost(
    finger, buttons, inbox
):
    # One in 0.12 s: the 42nd begins after 4.92 s, the 43rd would after 5.04.
    for _ in range(42):
        buttons.simulate("confirm")
    with pytest.raises(StillPressing, match="confirm is still being pressed"):
        buttons.simulate("confirm")
    buttons.simulate("undo")  # another finger

    finger.pass_by(6.0)

    names = [sight.button for sight in inbox.pressed]
    assert (names.count("confirm"), names.count("undo")) == (42, 1)
    buttons.simulate("confirm")


def test_a_button_that_is_not_there_cannot_be_simulated(buttons):
    with pytest.raises(NoSuchButton, match="no button 'seat 9'; there are confirm"):
        buttons.simulate("seat", 9)


def test_real_pins_cannot_be_pressed_by_the_program(pins, wiring, clock, inbox):
    buttons = Buttons(replace(pins, simulated=False), wiring, clock, inbox.append)
    with pytest.raises(NotSimulated):
        buttons.simulate("confirm")
    buttons.close()


def test_real_pins_date_an_edge_by_the_kernel_and_not_by_when_it_was_told(
    pins, wiring, clock, inbox, monkeypatch
):
    monkeypatch.setattr(pins.factory, "ticks", lambda: 50.0, raising=False)
    real = replace(pins, simulated=False)
    buttons = Buttons(real, wiring, clock, inbox.append)
    pin = pins.factory.pin(CONFIRM)
    pin.drive_low()
    tell = pin.when_changed
    clock.pass_by(0.2)
    tell(49.85, 0)
    tell(49.90, 1)
    pin.edges = "none"
    pin.drive_high()
    buttons.poll()
    assert [round(reading.taken_at, 3) for reading in inbox] == [100.135]
    buttons.close()


def test_the_listening_thread_hears_a_press_in_real_time(pins, wiring):
    heard: Queue[Reading] = Queue()
    buttons = Buttons(pins, wiring, monotonic, heard.put)
    buttons.start()
    buttons.simulate("confirm")
    assert heard.get(timeout=5.0).glimpses[0].sight == Pressed("confirm", None)
    buttons.close()


def test_closing_gives_the_pins_back(pins, wiring, clock, inbox):
    Buttons(pins, wiring, clock, inbox.append).close()
    again = Buttons(pins, wiring, clock, inbox.append)
    assert again.findings() == ()
    again.close()


@pytest.mark.parametrize("wired", range(3))
def test_any_trace_on_the_pin_is_one_reading_a_press(
    finger, pins, buttons, inbox, clock, wired, wiring
):
    pin = pins.factory.pin(wiring.button[wired].bcm)
    for at_s, closed in presses(Random(wired), 20, 101.0):
        finger.pass_by(at_s - clock.now_s)
        pin.drive_low() if closed else pin.drive_high()
    finger.pass_by(1.0)
    assert len(inbox) == 20


def test_noise_that_arrives_late_costs_no_press(finger, pins, inbox, clock):
    pin = pins.factory.pin(CONFIRM)
    for _, closed in noise(Random(0), 0.0, 20_001):
        pin.drive_low() if closed else pin.drive_high()
    finger.pass_by(0.2)
    pin.drive_high()
    finger.pass_by(0.2)
    assert inbox.pressed == [Pressed("confirm", None)]
