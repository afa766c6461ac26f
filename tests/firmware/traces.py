"""Draws what contacts of real buttons do: bounces, glitches, noise.

A trace is a list of (time in seconds, closed); what is expected of it is counted by the
one who draws it, never by the code under test.
"""

from collections.abc import Callable
from random import Random

Trace = list[tuple[float, bool]]


def train(random: Random, at_s: float, closed: bool, length_s: float) -> Trace:
    """Return an edge to *closed* that bounces for up to *length_s* and then holds."""
    trace = [(at_s, closed)]
    end_s = at_s + length_s
    while True:
        # A bounce lasts 50 us to 6 ms, less than any contact needs to settle.
        off_s = at_s + random.uniform(0.00005, 0.006)
        on_s = off_s + random.uniform(0.00005, 0.006)
        if on_s >= end_s:
            return trace
        trace += [(off_s, not closed), (on_s, closed)]
        at_s = on_s


def glitch(random: Random, at_s: float) -> Trace:
    return [(at_s, True), (at_s + random.uniform(0.001, 0.0095), False)]


def noise(random: Random, at_s: float, edges: int = 200) -> Trace:
    """Return a burst of 10 kHz: one edge every 50 microseconds."""
    return [(at_s + n * 0.00005, n % 2 == 0) for n in range(edges)]


def clean(random: Random, at_s: float) -> Trace:
    return [(at_s, True), (at_s + random.uniform(0.03, 0.7), False)]


def bouncing(random: Random, at_s: float) -> Trace:
    press = train(random, at_s, True, random.uniform(0.001, 0.030))
    held_s = press[-1][0] + random.uniform(0.02, 0.6)
    return press + train(random, held_s, False, random.uniform(0.001, 0.030))


def after_glitch(random: Random, at_s: float) -> Trace:
    return glitch(random, at_s) + bouncing(random, at_s + 0.06)


def after_noise(random: Random, at_s: float) -> Trace:
    return noise(random, at_s) + bouncing(random, at_s + 0.06)


SHAPES: tuple[Callable[[Random, float], Trace], ...] = (
    clean,
    bouncing,
    after_glitch,
    after_noise,
)
"""Each draws exactly one short press."""


def presses(random: Random, count: int, at_s: float) -> Trace:
    """Return *count* presses, none nearer to the one before than a finger can."""
    trace: Trace = []
    for _ in range(count):
        trace += random.choice(SHAPES)(random, at_s)
        at_s = trace[-1][0] + random.uniform(0.08, 0.4)
    return trace


Turns = list[tuple[float, int, bool]]
"""Rows of (time, contact of the knob, closed)."""

BOUNCE_S = 0.002
"""How long a knob's contact bounces at most. Source: Alps EC11 data sheet."""


def turned(
    random: Random, count: int, per_s: float, at_s: float, right: bool = True
) -> Turns:
    """Return *count* clicks of a knob that a hand turns evenly; every edge bounces."""
    first, second = (0, 1) if right else (1, 0)
    trace: Turns = []
    for quarter in range(4 * count):
        pin, closed = (first, second)[quarter % 2], quarter % 4 < 2
        edge_s = at_s + quarter / (4 * per_s)
        bounces = train(random, edge_s, closed, random.uniform(0.0, BOUNCE_S))
        trace += [(when_s, pin, level) for when_s, level in bounces]
    return trace
