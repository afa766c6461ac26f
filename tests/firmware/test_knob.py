"""A hand turns the knob's simulated pins; the table hears next and previous."""

import pytest
from msgspec.structs import replace

from companion.table import Pressed
from firmware.buttons import Buttons, NoSuchButton
from firmware.contacts import MISSED_S
from firmware.edge_queue import MOST_EDGES
from firmware.edges import CHATTER_EDGES
from firmware.finding import Level
from firmware.turning import STUCK_S


@pytest.fixture
def heard():
    return []


@pytest.fixture
def buttons(pins, wiring, clock, heard):
    opened = Buttons(pins, wiring, clock, heard.append)
    yield opened
    opened.close()


@pytest.fixture
def lines(pins, wiring, buttons):
    return [pins.factory.pin(bcm) for bcm in (wiring.knob.a_bcm, wiring.knob.b_bcm)]


@pytest.fixture
def turn(lines, buttons, clock):
    def once(right=True, quarter_s=0.01):
        first, second = lines if right else lines[::-1]
        for move in (first.drive_low, second.drive_low, first.drive_high,
                     second.drive_high):  # fmt: skip
            move()
            buttons.poll()
            clock.pass_by(quarter_s)
        buttons.poll()

    return once


def pressed(heard):
    return [reading.glimpses[0].sight for reading in heard]


def test_right_is_next_and_left_is_previous(turn, heard):
    turn()
    turn(right=False)

    assert pressed(heard) == [Pressed("next", None), Pressed("previous", None)]
    assert {reading.source for reading in heard} == {"button"}


def test_pushing_it_is_pressing_confirm_as_both_share_a_pin(
    buttons, pins, wiring, clock, heard
):
    (confirm,) = (one for one in wiring.button if one.name == wiring.knob.push)
    pin = pins.factory.pin(confirm.bcm)
    pin.drive_low()
    buttons.poll()
    clock.pass_by(0.05)
    buttons.poll()
    pin.drive_high()
    buttons.poll()
    clock.pass_by(0.05)
    buttons.poll()

    assert pressed(heard) == [Pressed("confirm", None)]


def test_a_click_of_which_the_thread_hears_only_afterwards_is_still_one(
    lines, buttons, clock, heard
):
    a, b = lines
    for move in (a.drive_low, b.drive_low, a.drive_high, b.drive_high):
        move()
        clock.pass_by(0.01)
    buttons.poll()

    assert pressed(heard) == [Pressed("next", None)]


def test_of_a_burst_that_no_hand_makes_only_the_number_is_kept_and_the_knob_goes_on(
    lines, buttons, clock, heard, turn
):
    a, _ = lines
    for _ in range(CHATTER_EDGES):
        a.drive_low()
        a.drive_high()
        clock.pass_by(0.0001)
    buttons.poll()
    turn()

    assert pressed(heard) == [Pressed("next", None)]
    (gauge,) = (one for one in buttons.gauges() if one.button == "knob")
    # 2400 edges, heard 16 at a time where 32 wait. At the 1200th heard, the 75th
    # time, it chatters: the 16 that wait and 16 more are kept, the rest is let go.
    assert gauge.lost == 2 * CHATTER_EDGES - CHATTER_EDGES - MOST_EDGES
    assert gauge.presses == 1


def test_an_edge_that_was_never_told_is_found_at_the_pin(
    lines, buttons, pins, wiring, clock, heard
):
    a, b = lines
    a.drive_low()
    b.drive_low()
    a.drive_high()
    clock.pass_by(0.01)
    buttons.poll()
    told, b.when_changed = b.when_changed, None
    b.drive_high()
    b.when_changed = told
    buttons.poll()
    assert heard == []

    clock.pass_by(MISSED_S)
    buttons.poll()

    assert pressed(heard) == [Pressed("next", None)]


def test_a_knob_that_stays_between_two_clicks_is_a_finding(lines, buttons, clock):
    lines[0].drive_low()
    buttons.poll()
    clock.pass_by(STUCK_S + 0.1)
    buttons.poll()

    (finding,) = buttons.findings()
    assert finding.level is Level.WARN
    assert "GPIO14 and GPIO15 (header pins 8, 10)" in finding.evidence

    lines[0].drive_high()
    buttons.poll()
    assert buttons.findings() == ()


@pytest.mark.parametrize("taken", ["a", "b"])
def test_a_pin_that_is_taken_leaves_the_knob_out_and_both_pins_free(
    pins, wiring, clock, heard, taken
):
    line = getattr(wiring.knob, taken)
    other = pins.factory.pin(line.bcm)
    holder = replace(wiring.button[0], bcm=line.bcm, header=line.header)
    first = Buttons(
        pins, replace(wiring, button=(holder,), knob=None), clock, heard.append
    )
    second = Buttons(pins, replace(wiring, button=()), clock, heard.append)

    (finding,) = second.findings()
    assert f"{line.part} on GPIO{line.bcm}" in finding.evidence
    first.close()
    third = Buttons(pins, replace(wiring, button=()), clock, heard.append)
    assert third.findings() == ()
    assert other is pins.factory.pin(line.bcm)
    for each in (second, third):
        each.close()


def test_a_simulated_click_to_the_left_is_previous(buttons, clock, heard):
    buttons.simulate("previous")
    for _ in range(10):
        buttons.poll()
        clock.pass_by(0.005)

    assert pressed(heard) == [Pressed("previous", None)]


def test_a_knob_with_two_clicks_a_pulse_is_heard_at_each(pins, wiring, clock, heard):
    knob = replace(wiring.knob, clicks=2)
    buttons = Buttons(pins, replace(wiring, knob=knob), clock, heard.append)
    for _ in range(3):
        buttons.simulate("previous")
    for _ in range(80):
        buttons.poll()
        clock.pass_by(0.005)

    assert pressed(heard) == [Pressed("previous", None)] * 3
    assert buttons.findings() == ()
    buttons.close()


def test_a_table_without_a_knob_has_no_previous(pins, wiring, clock, heard):
    bare = Buttons(pins, replace(wiring, knob=None), clock, heard.append)

    with pytest.raises(NoSuchButton):
        bare.simulate("previous")
    assert len(bare.gauges()) == len(wiring.button)
    bare.close()
