"""The knob's two pins: notes their edges in one row, and reads their levels.

gpiozero calls from a thread of its own, so what it calls only notes the edge.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from gpiozero import InputDevice

from companion.table import Pressed, Seat
from firmware import turning
from firmware.contacts import MISSED_S, ButtonStats, Clock, Move, age_s, chatters
from firmware.edge_queue import EdgeQueue
from firmware.edges import ContactEvent, EventKind
from firmware.finding import Finding, Level, sentence
from firmware.pins import Part, Pins, open_part
from firmware.wiring import KnobPins, LinePin

BUTTONS = {EventKind.RIGHT: "next", EventKind.LEFT: "previous"}
"""What a click is to the table."""

Levels = tuple[bool, bool]
"""Whether contacts A and B are closed."""


def open_knob(
    pins: Pins, wired: KnobPins, clock: Clock, wake: Callable[[], None]
) -> "KnobContact | Finding":
    """Return the knob, or which of its pins cannot be had and why."""

    def open_line(line: LinePin) -> InputDevice:
        return InputDevice(line.bcm, pull_up=True, pin_factory=pins.factory)

    a = open_part(pins, wired.a, partial(open_line, wired.a))
    if isinstance(a, Finding):
        return a
    b = open_part(pins, wired.b, partial(open_line, wired.b))
    if isinstance(b, Finding):
        a.close()
        return b
    return KnobContact(pins, wired, (a, b), clock, wake)


class KnobContact:
    """A rotary encoder on two pins and what it has done until now."""

    def __init__(
        self,
        pins: Pins,
        wired: KnobPins,
        devices: tuple[InputDevice, InputDevice],
        clock: Clock,
        wake: Callable[[], None],
    ) -> None:
        """Listen to both pins, which `open_knob` opened."""
        self.wired = wired
        self._lost_known = 0
        self._amiss_since_s: float | None = None
        self._queue = EdgeQueue(self._turn, lambda: self.turning.chattering, pins=2)
        self._pins, self._clock, self._wake = pins, clock, wake
        self._devices = devices
        self.turning = turning.start(*self.closed(), clock(), wired.clicks)
        # gpiozero keeps only weak references to what it calls.
        self._notes = tuple(partial(self._note, number) for number in range(2))
        for device, note in zip(devices, self._notes, strict=True):
            device.pin.edges = "both"
            device.pin.when_changed = note

    @property
    def parts(self) -> tuple[Part, ...]:
        """Return what sits on its pins."""
        return self.wired.a, self.wired.b

    def closed(self) -> Levels:
        """Return which contacts are closed at this moment."""
        a, b = (bool(device.is_active) for device in self._devices)
        return a, b

    def is_called(self, button: str, seat: Seat | None) -> bool:
        """Tell whether a click of the knob goes by that name."""
        return seat is None and button in BUTTONS.values()

    def sight(self, what: EventKind) -> Pressed | None:
        """Return the sight that a click is to the table, None where it is none."""
        return Pressed(BUTTONS[what], None) if what in BUTTONS else None

    def moves(self, button: str, held_s: float) -> tuple[Move, ...]:
        """Return the moves of a hand that turns it; only with simulated pins."""
        a, b = (device.pin for device in self._devices)
        first, second = (a, b) if button == BUTTONS[EventKind.RIGHT] else (b, a)
        if self.wired.clicks == 2:
            quarters: tuple[Callable[[], None], ...] = (
                partial(_turn_over, first),
                partial(_turn_over, second),
            )
        else:
            quarters = (
                first.drive_low,
                second.drive_low,
                first.drive_high,
                second.drive_high,
            )
        step_s = held_s / len(quarters)
        return tuple((n * step_s, move) for n, move in enumerate(quarters))

    def listen(self, now_s: float) -> tuple[ContactEvent, ...]:
        """Return what became certain up to *now_s*."""
        with self._queue.lock:
            events = self._queue.drain()
            levels = self.closed()
            if self._is_unheard(levels, now_s):
                events += self._hear(levels, now_s)
            if self._amiss_since_s is None:
                self.turning, news = turning.wait(self.turning, now_s)
                events += news
        return events

    def deadline(self) -> float | None:
        """Return when to listen again though no edge is noted, None for never."""
        if self._amiss_since_s is not None:
            return self._amiss_since_s + MISSED_S
        return turning.deadline(self.turning)

    def close(self) -> None:
        """Give the pins back."""
        for device in self._devices:
            # lgpio would go on reporting edges of a pin that is merely closed.
            device.pin.when_changed = None
            device.close()

    def gauge(self, presses: int) -> ButtonStats:
        """Return the state of the knob and the number of its clicks."""
        return ButtonStats(
            button=self.wired.label,
            seat=None,
            bcm=self.wired.a_bcm,
            down=turning.is_between(self.turning),
            presses=presses,
            bounces=self.turning.slips,
            glitches=self.turning.glitches,
            lost=self._queue.lost,
            stuck=self.turning.stuck,
            chattering=self.turning.chattering,
        )

    def fault(self) -> Finding | None:
        """Return what is wrong with the knob at present."""
        a, b = self.wired.a, self.wired.b
        where = sentence(
            "knob.at",
            "knob on GPIO{a} and GPIO{b} (header pins {a_header}, {b_header})",
            a=a.bcm,
            b=b.bcm,
            a_header=a.header,
            b_header=b.header,
        )
        if self.turning.stuck:
            evidence: str = sentence(
                "knob.between", "{at} rests between two clicks.", at=where
            )
            remedy: str = sentence(
                "knob.between_do",
                "Turn it to the next click, or look for its wires touching.",
            )
        elif self.turning.chattering:
            evidence, remedy = chatters(where)
        else:
            return None
        return Finding("knob", Level.WARN, evidence, remedy)

    def _turn(self, at_s: float, pin: int, closed: bool) -> tuple[ContactEvent, ...]:
        levels = [self.turning.a, self.turning.b]
        levels[pin] = closed
        return self._hear((levels[0], levels[1]), at_s)

    def _hear(self, levels: Levels, at_s: float) -> tuple[ContactEvent, ...]:
        self.turning, events = turning.hear(self.turning, *levels, at_s)
        return events

    def _is_unheard(self, levels: Levels, now_s: float) -> bool:
        """Return whether the pins did something for which no edge will come."""
        lost = self._queue.lost != self._lost_known
        self._lost_known = self._queue.lost
        if levels == (self.turning.a, self.turning.b):
            self._amiss_since_s = None
            return False
        if self._amiss_since_s is None:
            self._amiss_since_s = now_s
        if not lost and now_s < self._amiss_since_s + MISSED_S:
            return False
        self._amiss_since_s = None
        return True

    def _note(self, number: int, ticks: float, level: int) -> None:
        self._queue.note(self._clock() - age_s(self._pins, ticks), number, not level)
        self._wake()


def _turn_over(pin: Any) -> None:
    """Close a simulated contact that is open, open one that is closed."""
    if pin.state:
        pin.drive_low()
    else:
        pin.drive_high()
