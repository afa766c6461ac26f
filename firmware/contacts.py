"""One button's pin: notes its edges and reads its level.

gpiozero calls from a thread of its own, so what it calls only notes the edge.
"""

from collections.abc import Callable
from typing import Protocol, TypeAlias

from gpiozero import InputDevice
from msgspec import Struct

from companion.table import Pressed, Seat
from firmware import edges
from firmware.edge_queue import EdgeQueue
from firmware.edges import ContactEvent, ContactStep, EventKind, PressTimes
from firmware.finding import Finding, Level, sentence
from firmware.pins import Part, Pins, at
from firmware.wiring import ButtonPin

Clock: TypeAlias = Callable[[], float]
"""Seconds on a monotonic clock."""

MISSED_S = 0.05
"""How long an edge may be on its way before it counts as missed.

gpiozero's thread passes one on within a millisecond, and on a Pi whose cores are busy
with pictures within some twenty.
"""

_OLDEST_S = 1.0  # an older stamp comes from another clock than ours

SUFFIX = {EventKind.SHORT: "", EventKind.LONG: ".long", EventKind.DOUBLE: ".double"}
"""What a gesture adds to the button's name."""


class ButtonStats(Struct, frozen=True, gc=False):
    """What the test page shows of one button; the numbers count since the start."""

    button: str
    seat: Seat | None
    bcm: int
    down: bool
    presses: int
    bounces: int
    glitches: int
    lost: int
    stuck: bool
    chattering: bool


class SimulatedPin(Protocol):
    """The world's side of a simulated pin: what a finger does to it."""

    def drive_low(self) -> None:
        """Connect the pin to ground: the button is pressed."""

    def drive_high(self) -> None:
        """Let the pull-up raise the pin: the button is let go."""


Move: TypeAlias = tuple[float, Callable[[], None]]
"""Something that a finger does to a simulated pin, and how long after it began, s."""


NoteEdge: TypeAlias = Callable[[str, bool, float], object]
"""Takes an edge: the button's label, whether its contact is closed, and when, s."""


class ButtonContact:
    """A button on a pin and what its contact has done until now."""

    def __init__(
        self,
        pins: Pins,
        wired: ButtonPin,
        clock: Clock,
        wake: Callable[[], None],
        note_edge: NoteEdge,
    ) -> None:
        """Open the pin.

        *note_edge* takes each edge that is heard, for whoever wants to hear it again.

        Raises:
            Exception: One of ``pins.faults``, where the pin cannot be had.
        """
        self.wired = wired
        self.times = PressTimes(long_s=wired.long_s, double_s=wired.double_s)
        self._note_edge = note_edge
        self._lost_known = 0
        self._amiss_since_s: float | None = None
        self._queue = EdgeQueue(self._hear, lambda: self.contact.chattering)
        self._pins, self._clock, self._wake = pins, clock, wake
        # Not gpiozero's Button: that adds a thread for each hold and no edge times.
        self._device = InputDevice(wired.bcm, pull_up=True, pin_factory=pins.factory)
        self.contact = edges.start(self.closed(), clock())
        self._device.pin.edges = "both"
        self._device.pin.when_changed = self._note

    def closed(self) -> bool:
        """Return whether the contact is closed at this moment."""
        return bool(self._device.is_active)

    @property
    def parts(self) -> tuple[Part, ...]:
        """Return what sits on its pin."""
        return (self.wired,)

    def is_called(self, button: str, seat: Seat | None) -> bool:
        """Tell whether this is the button of that name and seat."""
        return (self.wired.name, self.wired.seat) == (button, seat)

    def sight(self, what: EventKind) -> Pressed | None:
        """Return the sight that a gesture is to the table, None where it is none."""
        if what not in SUFFIX:
            return None
        return Pressed(self.wired.name + SUFFIX[what], self.wired.seat)

    def moves(self, _button: str, held_s: float) -> tuple[Move, ...]:
        """Return the moves of a finger that presses it; only with simulated pins."""
        pin: SimulatedPin = self._device.pin
        return (0.0, pin.drive_low), (held_s, pin.drive_high)

    def listen(self, now_s: float) -> tuple[ContactEvent, ...]:
        """Return what became certain up to *now_s*."""
        with self._queue.lock:
            events = self._queue.drain()
            level = self.closed()
            if self._is_unheard(level, now_s):
                events += self._hear(now_s, 0, level)
            if self._amiss_since_s is None:
                events += self._take(edges.wait(self.contact, self.times, now_s))
        return events

    def deadline(self) -> float | None:
        """Return when to listen again though no edge is noted, None for never."""
        if self._amiss_since_s is not None:
            return self._amiss_since_s + MISSED_S
        return edges.deadline(self.contact, self.times)

    def close(self) -> None:
        """Give the pin back."""
        # lgpio would go on reporting edges of a pin that is merely closed.
        self._device.pin.when_changed = None
        self._device.close()

    def gauge(self, presses: int) -> ButtonStats:
        """Return the state of this button and the number of its *presses*."""
        contact = self.contact
        return ButtonStats(
            button=self.wired.name,
            seat=self.wired.seat,
            bcm=self.wired.bcm,
            down=edges.is_down(contact),
            presses=presses,
            bounces=contact.bounces,
            glitches=contact.glitches + contact.pulses,
            lost=self._queue.lost,
            stuck=contact.stuck,
            chattering=contact.chattering,
        )

    def fault(self) -> Finding | None:
        """Return what is wrong with this button at present."""
        wired = self.wired
        where = at(wired)
        if self.contact.stuck:
            evidence: str = sentence(
                "held", "{at} is held down all the time.", at=where
            )
            remedy: str = sentence(
                "held_do", "Free the button, or look for its two wires touching."
            )
        elif self.contact.chattering:
            evidence, remedy = chatters(where)
        else:
            return None
        return Finding(f"button-{wired.bcm}", Level.WARN, evidence, remedy)

    def _hear(self, at_s: float, _pin: int, closed: bool) -> tuple[ContactEvent, ...]:
        self._note_edge(self.wired.label, closed, at_s)
        return self._take(edges.hear(self.contact, self.times, closed, at_s))

    def _take(self, step: ContactStep) -> tuple[ContactEvent, ...]:
        self.contact, events = step
        return events

    def _is_unheard(self, level: bool, now_s: float) -> bool:
        """Return whether the pin did something for which no edge will come.

        A level that differs from the last edge means that an edge is on its way; time
        stands still for this button until it comes, or else a glitch whose end is late
        would pass for a press.
        """
        lost = self._queue.lost != self._lost_known
        self._lost_known = self._queue.lost
        if level is self.contact.closed:
            self._amiss_since_s = None
            return lost
        if self._amiss_since_s is None:
            self._amiss_since_s = now_s
        if not lost and now_s < self._amiss_since_s + MISSED_S:
            return False
        self._amiss_since_s = None
        return True

    def _note(self, ticks: float, level: int) -> None:
        self._queue.note(self._clock() - age_s(self._pins, ticks), 0, not level)
        self._wake()


def chatters(where: str) -> tuple[str, str]:
    """Return that what is at *where* chatters, and what to do."""
    evidence = sentence("chatters", "{at} chatters.", at=where)
    remedy = sentence(
        "chatters_do",
        "Press its plugs home; keep the cable short and away from mains.",
    )
    return evidence, remedy


def age_s(pins: Pins, ticks: float) -> float:
    """Return how long ago the kernel saw the edge that is reported now, s."""
    if pins.simulated:
        return 0.0
    factory = pins.factory
    found_s = float(factory.ticks_diff(factory.ticks(), ticks))
    return found_s if 0.0 <= found_s <= _OLDEST_S else 0.0
