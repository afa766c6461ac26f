"""The knob tells one event for each click, whatever its contacts do."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.edges import CHATTER_EDGES, EventKind
from firmware.turning import CLICK_S, STUCK_S, deadline, hear, start, wait
from tests.firmware.traces import train

A, B = 0, 1
RIGHT, LEFT = (A, B), (B, A)


def click(at_s, order=RIGHT, quarter_s=0.02):
    """Return edges (time, contact, closed) of one clean click."""
    first, second = order
    edges = [(first, True), (second, True), (first, False), (second, False)]
    return [(at_s + n * quarter_s, *edge) for n, edge in enumerate(edges)]


def bouncing(random, at_s, order):
    """Return one click whose every edge bounces for up to 2 ms, EC11's limit."""
    quarter_s = random.uniform(0.0026, 0.060)
    trace = []
    for edge_s, contact, closed in click(at_s, order, quarter_s):
        length_s = random.uniform(0.0, 0.002)
        trace += [(t, contact, c) for t, c in train(random, edge_s, closed, length_s)]
    return trace


def both_hum(at_s, edges=40):
    """Return both wires picking up the same 10 kHz, one a little later."""
    rows = []
    for n in range(edges):
        for contact, late_s in ((A, 0.0), (B, 0.00001)):
            rows.append((at_s + n * 0.00005 + late_s, contact, n % 2 == 0))
    return rows


def half(at_s, order=RIGHT, quarter_s=0.02, closing=True):
    """Return edges of one clean click of a knob with two clicks a pulse."""
    return [(at_s + n * quarter_s, contact, closing) for n, contact in enumerate(order)]


def bouncing_half(random, at_s, order, closing):
    # Five turns a second of 20 clicks: 10 ms a click, 5 ms from edge to edge.
    quarter_s = random.uniform(0.005, 0.060)
    trace = []
    for edge_s, contact, closed in half(at_s, order, quarter_s, closing):
        length_s = random.uniform(0.0, 0.002)
        trace += [(t, contact, c) for t, c in train(random, edge_s, closed, length_s)]
    return trace


def play(trace, until_s=1e6, at=(False, False), clicks=1):
    turning, heard = start(*at, 0.0, clicks), []
    for at_s, contact, closed in sorted(trace, key=lambda edge: edge[0]):
        levels = [turning.a, turning.b]
        levels[contact] = closed
        turning, news = hear(turning, *levels, at_s)
        heard += news
    turning, news = wait(turning, until_s)
    return turning, heard + list(news)


def told(trace, **how):
    return [one.kind for one in play(trace, **how)[1]]


def test_a_first_then_b_is_a_click_to_the_right_and_b_first_one_to_the_left():
    assert told(click(1.0, RIGHT)) == [EventKind.RIGHT]
    assert told(click(1.0, LEFT)) == [EventKind.LEFT]


def test_a_click_is_certain_when_both_contacts_are_open_again():
    (one,) = play(click(1.0))[1]
    assert one.at_s == pytest.approx(1.06)


def test_half_a_turn_and_back_is_nothing():
    trace = [(1.0, A, True), (1.1, B, True), (1.2, B, False), (1.3, A, False)]
    turning, heard = play(trace)
    assert heard == []
    assert (turning.quarters, turning.slips) == (0, 0)


@pytest.mark.parametrize("seed", range(3))
def test_ten_thousand_bouncing_clicks_are_as_many_events_in_their_order(seed):
    random = Random(seed)
    trace, turned, at_s = [], [], 1.0
    for _ in range(10_000):
        order = random.choice((RIGHT, LEFT))
        turned.append(EventKind.RIGHT if order == RIGHT else EventKind.LEFT)
        if random.random() < 0.05:
            trace += both_hum(at_s)
            at_s += 0.01
        trace += bouncing(random, at_s, order)
        at_s = max(edge[0] for edge in trace[-40:]) + random.uniform(0.003, 0.05)

    assert told(trace) == turned


def test_a_quick_flick_of_a_whole_turn_is_twenty_clicks():
    # Five turns a second: 100 clicks a second, one in 10 ms.
    trace = [edge for n in range(20) for edge in click(1 + n * 0.01, RIGHT, 0.0025)]
    assert told(trace) == [EventKind.RIGHT] * 20


def test_noise_on_one_wire_is_no_click_and_in_the_end_told():
    hum = [(1.0 + n * 0.0001, A, n % 2 == 0) for n in range(CHATTER_EDGES + 100)]
    # Told once at its 1200th edge, and that it is over a second after the last.
    assert told(hum) == [EventKind.CHATTERING, EventKind.CALM]
    assert told(hum + click(5.0)) == [
        EventKind.CHATTERING,
        EventKind.CALM,
        EventKind.RIGHT,
    ]


def test_noise_on_both_wires_at_once_is_no_click_but_counted():
    turning, heard = play(both_hum(1.0))
    assert heard == []
    # 20 rounds of A, B, A, B, each of 60 us where a hand needs 4 ms.
    assert turning.glitches == 20
    assert CLICK_S > 60e-6


def test_a_knob_between_two_clicks_is_stuck_after_20_s_and_free_again_at_rest():
    turning, heard = play([(1.0, A, True)], until_s=1.0 + STUCK_S)
    assert [one.kind for one in heard] == [EventKind.STUCK]
    assert deadline(turning) is None

    turning, news = hear(turning, False, False, 60.0)
    assert [one.kind for one in news] == [EventKind.FREED]


def test_a_resting_knob_waits_for_nothing():
    assert deadline(start(False, False, 1.0)) is None
    assert wait(start(False, False, 1.0), 1e9)[1] == ()


def test_a_lost_edge_in_the_middle_of_a_click_loses_no_click():
    trace = click(1.0)
    turning = start(False, False, 0.0)
    turning, _ = hear(turning, True, False, trace[0][0])
    turning, _ = hear(turning, False, True, trace[2][0])  # B's closing was never told
    turning, news = hear(turning, False, False, trace[3][0])
    assert [one.kind for one in news] == [EventKind.RIGHT]


def test_two_clicks_whose_rest_between_was_never_seen_are_two():
    turning = start(False, False, 0.0)
    levels = [(True, False), (True, True), (False, True), (True, False), (True, True),
              (False, True), (False, False)]  # fmt: skip
    heard = []
    for n, (a, b) in enumerate(levels):
        turning, news = hear(turning, a, b, 1.0 + n * 0.02)
        heard += news
    assert [one.kind for one in heard] == [EventKind.RIGHT, EventKind.RIGHT]


def test_both_contacts_closing_at_once_tell_no_direction():
    turning, _ = hear(start(False, False, 0.0), True, True, 1.0)
    turning, news = hear(turning, False, False, 1.1)
    assert news == ()
    assert turning.slips == 0


def test_a_program_that_starts_between_two_clicks_hears_the_next_one():
    # Three of four quarters are left to the right from A closed.
    rest = click(1.0)[1:]
    assert told(rest, at=(True, False)) == [EventKind.RIGHT]


@given(
    st.lists(st.tuples(st.booleans(), st.booleans(), st.floats(0.0, 0.5)), max_size=200)
)
def test_no_row_of_edges_makes_more_clicks_than_rounds(edges):
    turning, at_s, clicks, rests = start(False, False, 0.0), 0.0, 0, 0
    for a, b, after_s in edges:
        at_s += after_s
        turning, news = hear(turning, a, b, at_s)
        clicks += sum(one.kind in (EventKind.RIGHT, EventKind.LEFT) for one in news)
        rests += not (a or b)
        if not (a or b):
            assert turning.quarters == 0
    # A round needs two edges that are told and at most two that were lost.
    assert clicks <= len(edges) / 2


class TestTwoClicksAPulse:
    """A knob that rests with both contacts open and with both closed."""

    def test_half_a_round_is_a_click(self):
        there, on = half(1.0, RIGHT), half(2.0, RIGHT, closing=False)
        assert told(there + on, clicks=2) == [EventKind.RIGHT, EventKind.RIGHT]
        there, on = half(1.0, LEFT), half(2.0, LEFT, closing=False)
        assert told(there + on, clicks=2) == [EventKind.LEFT, EventKind.LEFT]

    def test_to_the_right_and_back_is_a_click_each_way(self):
        back = half(2.0, LEFT, closing=False)
        assert told(half(1.0) + back, clicks=2) == [EventKind.RIGHT, EventKind.LEFT]

    def test_a_quarter_and_back_is_nothing(self):
        trace = [(1.0, A, True), (1.1, A, False)]
        turning, heard = play(trace, clicks=2)
        assert heard == []
        assert turning.quarters == 0

    def test_ten_thousand_bouncing_clicks_are_as_many_events_in_their_order(self):
        random = Random(1)
        trace, turned, at_s, closing = [], [], 1.0, True
        for _ in range(10_000):
            order = random.choice((RIGHT, LEFT))
            turned.append(EventKind.RIGHT if order == RIGHT else EventKind.LEFT)
            if closing and random.random() < 0.05:
                trace += both_hum(at_s)
                at_s += 0.01
            trace += bouncing_half(random, at_s, order, closing)
            at_s = max(edge[0] for edge in trace[-40:]) + random.uniform(0.003, 0.05)
            closing = not closing

        assert told(trace, clicks=2) == turned

    def test_it_rests_with_both_closed_and_is_stuck_only_between(self):
        assert told(half(1.0), until_s=1.0 + 2 * STUCK_S, clicks=2) == [EventKind.RIGHT]
        only_a = [(1.0, A, True)]
        assert told(only_a, until_s=1.0 + STUCK_S, clicks=2) == [EventKind.STUCK]

    def test_from_where_the_program_starts_a_lone_quarter_tells_no_direction(self):
        turning, heard = play([(1.0, B, True)], at=(True, False), clicks=2)
        assert heard == []
        assert turning.slips == 1
