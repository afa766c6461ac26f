"""The edge machine tells one event for each press, whatever the contact does."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.edges import (
    CHATTER_EDGES,
    GESTURES,
    ContactState,
    EventKind,
    PressTimes,
    deadline,
    hear,
    is_down,
    start,
    wait,
)
from tests.firmware.traces import Trace, bouncing, glitch, noise, presses, train

RULES = PressTimes()
DOUBLE = PressTimes(double_s=0.3)


def told(
    trace: Trace, rules: PressTimes = RULES, until_s: float = 1e6, closed: bool = False
) -> list[EventKind]:
    return [one.kind for one in play(trace, rules, until_s, closed)[1]]


def play(trace: Trace, rules: PressTimes, until_s: float, closed: bool = False):
    contact, heard = start(closed, 0.0), []
    for at_s, level in trace:
        contact, news = hear(contact, rules, level, at_s)
        heard += news
    contact, news = wait(contact, rules, until_s)
    return contact, heard + list(news)


def held(at_s: float, for_s: float) -> Trace:
    return [(at_s, True), (at_s + for_s, False)]


def gestures(heard: list[EventKind]) -> list[EventKind]:
    return [what for what in heard if what in GESTURES]


def test_a_clean_press_is_one_short_press():
    assert told(held(1.0, 0.05)) == [EventKind.SHORT]


def test_a_short_press_is_certain_35_ms_after_the_finger_leaves():
    contact, _ = hear(start(False, 0.0), RULES, True, 1.0)
    contact, _ = hear(contact, RULES, False, 1.05)
    assert deadline(contact, RULES) == pytest.approx(1.085)
    assert wait(contact, RULES, 1.084)[1] == ()
    assert [one.kind for one in wait(contact, RULES, 1.086)[1]] == [EventKind.SHORT]


@pytest.mark.parametrize("ms", [0.05, 1, 5, 9, 9.9])
def test_a_pulse_under_10_ms_is_a_glitch_and_counted(ms):
    contact, heard = play(held(1.0, ms / 1000), RULES, 5.0)
    assert heard == []
    assert contact.glitches == 1


def test_a_pulse_of_10_ms_is_a_press():
    assert told(held(1.0, 0.0101)) == [EventKind.SHORT]


def test_bounces_are_counted_apart_from_glitches():
    trace = train(Random(1), 1.0, True, 0.03) + train(Random(2), 1.2, False, 0.03)
    contact, heard = play(trace, RULES, 5.0)
    assert [one.kind for one in heard] == [EventKind.SHORT]
    assert contact.glitches == 0
    assert contact.bounces == (len(trace) - 2) // 2


def test_a_long_press_is_told_at_the_threshold_and_the_short_one_is_not():
    contact, _ = hear(start(False, 0.0), RULES, True, 1.0)
    assert deadline(contact, RULES) == pytest.approx(1.010)
    contact, heard = wait(contact, RULES, 1.81)
    assert [one.kind for one in heard] == [EventKind.LONG]
    assert heard[0].at_s == pytest.approx(1.8)
    contact, _ = hear(contact, RULES, False, 3.0)
    assert wait(contact, RULES, 4.0)[1] == ()


def test_a_bounce_of_the_release_does_not_make_a_short_press_long():
    trace = [(1.0, True), (1.79, False), (1.805, True), (1.806, False)]
    assert told(trace) == [EventKind.SHORT]


def test_two_quick_presses_are_one_double_press_where_one_is_waited_for():
    trace = held(1.0, 0.06) + held(1.16, 0.06)
    assert told(trace, DOUBLE) == [EventKind.DOUBLE]
    assert told(trace, RULES) == [EventKind.SHORT, EventKind.SHORT]


def test_a_single_press_is_told_when_no_second_one_came():
    contact, heard = play(held(1.0, 0.05), DOUBLE, 1.34)
    assert heard == []
    assert deadline(contact, DOUBLE) == pytest.approx(1.35)
    assert [one.kind for one in wait(contact, DOUBLE, 1.36)[1]] == [EventKind.SHORT]


def test_a_second_press_that_is_held_is_a_short_and_a_long_one():
    assert told(held(1.0, 0.05) + held(1.2, 1.5), DOUBLE) == [
        EventKind.SHORT,
        EventKind.LONG,
    ]


def test_a_second_press_after_the_window_stands_alone():
    assert told(held(1.0, 0.05) + held(1.5, 0.05), DOUBLE) == [
        EventKind.SHORT,
        EventKind.SHORT,
    ]


def test_a_stuck_button_is_told_once_and_again_when_it_is_free():
    contact, heard = play([(1.0, True)], RULES, 3600.0)
    assert [one.kind for one in heard] == [EventKind.LONG, EventKind.STUCK]
    assert heard[1].at_s == pytest.approx(21.0)
    contact, _ = hear(contact, RULES, False, 3600.0)
    assert [one.kind for one in wait(contact, RULES, 3601.0)[1]] == [EventKind.FREED]


def test_a_button_held_during_boot_is_ignored_until_it_was_let_go():
    assert told([(3.0, False)], closed=True) == []
    assert told([(3.0, False), *held(4.0, 0.05)], closed=True) == [EventKind.SHORT]


def test_a_button_stuck_since_boot_is_told():
    assert told([], until_s=60.0, closed=True) == [EventKind.STUCK]


def test_noise_of_10_khz_for_five_seconds_is_no_press_and_told_once():
    heard = told(noise(Random(0), 1.0, 100_000), until_s=6.5)
    assert heard == [EventKind.CHATTERING]


def test_a_noisy_button_is_told_calm_after_a_quiet_second():
    assert told(noise(Random(0), 1.0, CHATTER_EDGES)) == [
        EventKind.CHATTERING,
        EventKind.CALM,
    ]


def test_a_press_through_a_noisy_cable_still_counts():
    trace = noise(Random(0), 1.0, CHATTER_EDGES + 200)
    trace += bouncing(Random(1), trace[-1][0] + 0.05)
    assert gestures(told(trace)) == [EventKind.SHORT]


def test_a_button_that_presses_itself_is_muted_until_it_rests():
    trace = [edge for n in range(200) for edge in held(1.0 + n * 0.06, 0.02)]
    contact, heard = play(trace, RULES, trace[-1][0])
    names = [one.kind for one in heard]
    assert names.count(EventKind.SHORT) == 12
    assert names.count(EventKind.CHATTERING) == 1
    after = wait(contact, RULES, trace[-1][0] + 2.0)
    assert [one.kind for one in after[1]] == [EventKind.CALM]
    at_s = trace[-1][0] + 3.0
    contact, _ = hear(after[0], RULES, True, at_s)
    contact, _ = hear(contact, RULES, False, at_s + 0.05)
    assert [one.kind for one in wait(contact, RULES, at_s + 1)[1]] == [EventKind.SHORT]


def test_a_repeated_level_stands_for_lost_edges_and_settles_anew():
    contact, _ = hear(start(False, 0.0), RULES, True, 1.0)
    contact, _ = hear(contact, RULES, True, 1.009)
    assert deadline(contact, RULES) == pytest.approx(1.019)


def test_a_stamp_from_before_the_last_edge_does_not_turn_time_back():
    contact, _ = hear(start(False, 0.0), RULES, True, 1.0)
    contact, _ = hear(contact, RULES, False, 0.9)
    assert contact.since_s == 1.0


@given(st.randoms(use_true_random=False), st.integers(1, 12))
@settings(max_examples=60, deadline=None)
def test_every_press_of_any_trace_is_told_exactly_once(random, count):
    trace = presses(random, count, 1.0)
    assert gestures(told(trace)) == [EventKind.SHORT] * count


@given(st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_glitches_alone_are_never_a_press(random):
    trace: Trace = []
    for n in range(50):
        trace += glitch(random, 1.0 + n * random.uniform(0.05, 0.2) + n)
    contact, heard = play(trace, RULES, 1e6)
    assert heard == []
    assert contact.glitches == 50


@given(st.lists(st.floats(0.0, 0.2), max_size=200))
@settings(max_examples=200, deadline=None)
def test_any_edges_at_all_leave_a_button_that_works(gaps):
    contact, at_s, closed = start(False, 0.0), 0.0, False
    for gap in gaps:
        at_s, closed = at_s + gap, not closed
        contact, _ = hear(contact, RULES, closed, at_s)
    contact, _ = hear(contact, RULES, False, at_s + 0.01)
    contact, _ = wait(contact, RULES, at_s + 30.0)
    assert not is_down(contact)
    contact, _ = hear(contact, RULES, True, at_s + 31.0)
    contact, _ = hear(contact, RULES, False, at_s + 31.1)
    assert [one.kind for one in wait(contact, RULES, at_s + 32)[1]] == [EventKind.SHORT]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_10_000_presses_give_10_000_events(seed):
    assert gestures(told(presses(Random(seed), 10_000, 1.0), until_s=1e9)) == (
        [EventKind.SHORT] * 10_000
    )


@pytest.mark.slow
def test_two_buttons_pressed_together_10_000_times_do_not_disturb_each_other():
    seen: dict[str, list[EventKind]] = {"confirm": [], "undo": []}
    contacts: dict[str, ContactState] = {name: start(False, 0.0) for name in seen}
    edges = [
        (at_s, name, closed)
        for seed, name in enumerate(seen)
        for at_s, closed in presses(Random(seed), 5_000, 1.0)
    ]
    for at_s, name, closed in sorted(edges):
        contacts[name], news = hear(contacts[name], RULES, closed, at_s)
        seen[name] += [one.kind for one in news]
    for name, contact in contacts.items():
        seen[name] += [one.kind for one in wait(contact, RULES, 1e9)[1]]
    assert [gestures(heard) for heard in seen.values()] == [
        [EventKind.SHORT] * 5_000
    ] * 2
