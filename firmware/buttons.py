"""The buttons and the knob of the table: presses and clicks become readings.

A gesture is part of the button's name: ``"confirm"`` for a short press,
``"confirm.long"`` and ``"confirm.double"`` for the others. A click of the knob to the
right is ``"next"``, one to the left ``"previous"``. Knows no game.
"""

import heapq
import logging
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from queue import Full
from threading import Event, Lock, Thread
from typing import TypeAlias

from companion.table import Glimpse, Reading, Seat
from firmware.contacts import ButtonContact, ButtonStats, Clock, NoteEdge
from firmware.edges import ContactEvent
from firmware.finding import Finding
from firmware.knob import KnobContact, open_knob
from firmware.pins import Pins, describe_left_out, open_part
from firmware.wiring import ButtonPin, KnobPins, Wiring

_log = logging.getLogger(__name__)

SIMULATED_HOLD_S = 0.02
"""Twice what a press needs, so that a simulated one is heard within 60 ms."""

MOST_AHEAD_S = 5.0
"""Simulated presses of one button wait for each other no longer: forty quick ones."""

_APART_S = 0.1  # a simulated finger is as quick as a real one, or it would be muted
_LOOK_S = 0.25  # how long a missed edge may go unnoticed
CLOSE_S = 2.0
"""A thread that a driver keeps for longer must not keep the program from ending."""

_PAUSE_S = 0.002  # gathers the edges of a burst, so that noise cannot eat a core

Contact: TypeAlias = ButtonContact | KnobContact


class NoSuchButton(LookupError):
    """No button of that name and seat is wired up."""


class NotSimulated(RuntimeError):
    """The pins are real: only a finger can press them."""


class StillPressing(Full):
    """So many presses of a simulated button wait that no more are taken."""


class Buttons:
    """Every button that could be opened, the knob, and the thread that listens."""

    def __init__(
        self,
        pins: Pins,
        wiring: Wiring,
        clock: Clock,
        hear: Callable[[Reading], None],
        note_edge: NoteEdge = lambda *_: None,
    ) -> None:
        """Open the pins of all buttons; those that are taken become findings.

        Args:
            pins: Where the buttons are.
            wiring: Which button is on which pin.
            clock: Seconds on the clock that readings are dated by.
            hear: Takes each press, from the listening thread; must not raise or wait.
            note_edge: Takes each edge of a button that is heard: its label, whether the
                contact is closed, and when. Clicks of a knob are not among them.
        """
        self._pins, self._clock, self._hear = pins, clock, hear
        self._note_edge = note_edge
        self._woken, self._stopped = Event(), Event()
        self._lock = Lock()
        self._thread: Thread | None = None
        self._fingers: list[tuple[float, int, Callable[[], None]]] = []
        self._free_s: dict[str, float] = {}
        self._order = count()
        self._presses: dict[str, int] = {}
        self._contacts: list[Contact] = []
        self._left_out: list[Finding] = []
        knob = () if wiring.knob is None else (wiring.knob,)
        for wired in (*wiring.button, *knob):
            contact = self._open(wired)
            if isinstance(contact, Finding):
                _log.warning("%s", contact)
                self._left_out.append(contact)
            else:
                self._contacts.append(contact)

    def start(self) -> None:
        """Listen from now on in a thread of its own."""
        self._thread = Thread(target=self._run, name="buttons", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening and give the pins back."""
        self._stopped.set()
        self._woken.set()
        if self._thread is not None:
            self._thread.join(CLOSE_S)
        with self._lock:  # no finger is on its way to a pin that is gone
            for contact in self._contacts:
                # A board that is gone must not keep the rest from closing.
                with suppress(*self._pins.faults):
                    contact.close()

    @property
    def wired(self) -> tuple[ButtonPin, ...]:
        """Return the buttons that could be opened; a knob is none."""
        contacts = [one for one in self._contacts if isinstance(one, ButtonContact)]
        return tuple(contact.wired for contact in contacts)

    def poll(self) -> float | None:
        """Hand on every press that is certain by now; return when to look again.

        Called by the listening thread, and by tests instead of it.
        """
        with self._lock:
            now_s = self._clock()
            self._move_fingers(now_s)
            heard = [
                (event.at_s, next(self._order), contact, event)
                for contact in tuple(self._contacts)
                for event in self._listen(contact, now_s)
            ]
            dues = [contact.deadline() for contact in self._contacts]
            dues += [at_s for at_s, *_ in self._fingers]
        for _, _, contact, event in sorted(heard):
            self._tell(contact, event)
        return min((due for due in dues if due is not None), default=None)

    def simulate(
        self, button: str, seat: Seat | None = None, held_s: float = SIMULATED_HOLD_S
    ) -> None:
        """Press a simulated button as a finger would, for *held_s* seconds.

        Returns at once. A press of a button that is still being pressed comes after.
        ``"previous"`` is a click of the knob to the left.

        Raises:
            NoSuchButton: There is no such button, its pin was taken, or all are closed.
            NotSimulated: The pins are real.
            StillPressing: Too many presses of this button wait already.
        """
        if not self._pins.simulated:
            raise NotSimulated("the pins are real; press the button itself")
        with self._lock:
            if self._stopped.is_set():
                raise NoSuchButton("the buttons are closed, as the table ends")
            contact = self._find(button, seat)
            now_s = self._clock()
            begin_s = max(now_s, self._free_s.get(contact.wired.label, 0.0))
            if begin_s - now_s > MOST_AHEAD_S:
                raise StillPressing(f"{button} is still being pressed; wait a moment")
            self._free_s[contact.wired.label] = begin_s + held_s + _APART_S
            for after_s, move in contact.moves(button, held_s):
                due = (begin_s + after_s, next(self._order), move)
                heapq.heappush(self._fingers, due)
        self._woken.set()

    def gauges(self) -> tuple[ButtonStats, ...]:
        """Return what each button is doing, for the page that tests them."""
        return tuple(
            one.gauge(self._presses.get(one.wired.label, 0)) for one in self._contacts
        )

    def findings(self) -> tuple[Finding, ...]:
        """Return what is wrong with the buttons now: left out, stuck, chattering."""
        faults = (contact.fault() for contact in self._contacts)
        return (*self._left_out, *(fault for fault in faults if fault is not None))

    def _open(self, wired: ButtonPin | KnobPins) -> Contact | Finding:
        if isinstance(wired, KnobPins):
            return open_knob(self._pins, wired, self._clock, self._woken.set)
        return open_part(
            self._pins,
            wired,
            lambda: ButtonContact(
                self._pins, wired, self._clock, self._woken.set, self._note_edge
            ),
        )

    def _find(self, button: str, seat: Seat | None) -> Contact:
        for contact in self._contacts:
            if contact.is_called(button, seat):
                return contact
        labels = ", ".join(contact.wired.label for contact in self._contacts)
        wanted = button if seat is None else f"{button} {seat}"
        raise NoSuchButton(f"no button {wanted!r}; there are {labels}")

    def _move_fingers(self, now_s: float) -> None:
        while self._fingers and self._fingers[0][0] <= now_s:
            _, _, move = heapq.heappop(self._fingers)
            move()

    def _listen(self, contact: Contact, now_s: float) -> tuple[ContactEvent, ...]:
        try:
            return contact.listen(now_s)
        except self._pins.faults as error:
            # A pin that can no longer be read is left out, and the others go on.
            self._contacts.remove(contact)
            lost = describe_left_out(contact.parts[0], error)
            self._left_out.append(lost)
            _log.warning("%s", lost)
            return ()

    def _tell(self, contact: Contact, event: ContactEvent) -> None:
        label, sight = contact.wired.label, contact.sight(event.kind)
        if sight is None:
            _log.warning("%s: %s", contact.wired.part, event.kind)
            return
        self._presses[label] = self._presses.get(label, 0) + 1
        self._hear(
            Reading((Glimpse(sight, 1.0),), taken_at=event.at_s, source="button")
        )

    def _run(self) -> None:
        while not self._stopped.is_set():
            self._woken.clear()
            due = self.poll()
            left_s = _LOOK_S if due is None else due - self._clock()
            self._woken.wait(min(_LOOK_S, max(0.0, left_s)))
            self._stopped.wait(_PAUSE_S)
