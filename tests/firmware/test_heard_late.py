"""A Pi whose cores are busy listens late, and no click and no press is lost by it."""

from collections import Counter
from random import Random

import pytest

from firmware.buttons import Buttons
from firmware.edge_queue import MOST_EDGES
from tests.firmware.traces import noise, train, turned

CLICKS = 100
LATE_S = (0.01, 0.1, 0.3, 1.0)
"""How often the thread gets to listen, from as usual to a core that vision has."""


@pytest.fixture
def heard():
    return Counter()


@pytest.fixture
def buttons(pins, wiring, clock, heard):
    def hear(reading):
        heard[reading.glimpses[0].sight.button] += 1

    opened = Buttons(pins, wiring, clock, hear)
    yield opened
    opened.close()


@pytest.fixture
def play(buttons, pins, clock):
    """Return a way to let contacts do something while somebody listens now and then."""

    def edges(trace, lines, every_s):
        next_s = clock.now_s + every_s
        for at_s, line, closed in trace:
            while next_s <= at_s:
                clock.now_s = next_s
                buttons.poll()
                next_s += every_s
            clock.now_s = at_s
            pin = pins.factory.pin(lines[line])
            pin.drive_low() if closed else pin.drive_high()
        for _ in range(2):
            clock.pass_by(max(every_s, 0.1))
            buttons.poll()

    return edges


def lost_of_a_knob(play, heard, wiring, clock, per_s, every_s):
    heard.clear()
    lines = wiring.knob.a_bcm, wiring.knob.b_bcm
    random = Random(int(per_s * 1000 + every_s * 1000))
    for right in (True, False):
        play(turned(random, CLICKS, per_s, clock() + 0.1, right), lines, every_s)
    assert set(heard) <= {"next", "previous"}
    return CLICKS - heard["next"], CLICKS - heard["previous"]


@pytest.mark.parametrize(
    ("per_s", "every_s"), [(33, 0.01), (3, 0.3), (33, 0.3), (60, 0.3)]
)
def test_no_click_of_a_hundred_each_way_is_lost(
    play, heard, wiring, clock, per_s, every_s
):
    assert lost_of_a_knob(play, heard, wiring, clock, per_s, every_s) == (0, 0)


@pytest.mark.long
@pytest.mark.parametrize("every_s", LATE_S)
def test_no_click_is_lost_at_any_speed(
    play, heard, wiring, clock, every_s, record_property
):
    speeds = range(1, 61)
    for per_s in speeds:
        lost = lost_of_a_knob(play, heard, wiring, clock, per_s, every_s)
        assert lost == (0, 0), f"at {per_s} clicks a second"
    record_property(
        "figures",
        f"{2 * CLICKS * len(speeds)} clicks at 1 to 60 a second, heard every "
        f"{every_s} s: 0 lost",
    )


@pytest.mark.parametrize("every_s", LATE_S[1:])
def test_no_press_of_a_bouncing_button_is_lost(play, heard, clock, every_s):
    random, trace, at_s = Random(7), [], clock() + 0.1
    for _ in range(50):
        # Four presses a second, of a worn button: 30 ms of bounces at each end.
        trace += train(random, at_s, True, 0.030)
        trace += train(random, at_s + 0.1, False, 0.030)
        at_s += 0.25
    # What is one second of it must be more than is kept, or this proves nothing.
    assert len(trace) > 4 * MOST_EDGES

    play([(when_s, 0, closed) for when_s, closed in trace], [5], every_s)

    assert heard == {"confirm": 50}


def test_a_click_after_noise_that_nobody_heard_in_time_is_still_one(
    play, heard, wiring, clock
):
    lines = wiring.knob.a_bcm, wiring.knob.b_bcm
    hum = [(at_s, 0, closed) for at_s, closed in noise(Random(0), clock() + 0.1, 4000)]
    click = turned(Random(1), 1, 20, hum[-1][0] + 2.0)

    play(hum + click, lines, every_s=1.0)

    assert heard == {"next": 1}
