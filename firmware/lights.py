"""The lamps of the table, one for each state, and a strip with some for each seat.

A lamp that fails is left out, as a finding; the game goes on. Knows no game.
"""

import logging
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, TypeAlias

from gpiozero import PWMLED, SPISoftwareFallback

from firmware.finding import Finding
from firmware.pins import Pins, describe_left_out, one_line, open_part
from firmware.wiring import LampPin, StripPins, Wiring

_log = logging.getLogger(__name__)

SCENES = {
    "throw": frozenset({"throw"}),
    "act": frozenset({"act"}),
    "ask": frozenset({"ask"}),
    "refused": frozenset({"refused"}),
    "dragon": frozenset({"dragon"}),
    "celebrate": frozenset({"throw", "act"}),
    "warn": frozenset({"ask", "refused"}),
    "alarm": frozenset({"refused", "dragon"}),
    "done": frozenset({"throw", "act", "dragon"}),
}
"""Which lamps burn for each light: what is awaited, what happened, how it ended.

No two are the same, and the lamps stand apart, so that no one needs to see colours.
"""

LAMP_LEVEL = 0.6
"""Share of the time that a lit lamp is on: full, a 5 mm LED dazzles at arm's length."""

SEAT_BGR = (0, 60, 90)
"""Amber, which nobody who sees little red or green takes for the red of a refusal."""

STRIP_LEVEL = 8
"""Of 31: four lamps at a seat then draw 12 mA, besides what dark ones take."""

_Wired: TypeAlias = LampPin | StripPins


class Lights:
    """Every lamp that could be opened."""

    def __init__(self, pins: Pins, wiring: Wiring) -> None:
        """Open the lamps and leave them dark; those that are taken are left out."""
        self._faults = pins.faults
        self._left_out: list[Finding] = []
        self._shown: dict[str, bool] = {}
        self._seat: int | None = None
        self._lamps: dict[str, tuple[LampPin, Any]] = {}
        self._strip: tuple[StripPins, Any] | None = None
        for wired in wiring.lamp:
            make = partial(PWMLED, wired.bcm, pin_factory=pins.factory)
            made = self._open(wired, pins, make)
            if made is not None:
                self._lamps[wired.name] = (wired, made)
        if (strip := wiring.strip) is not None:
            made = self._open(strip, pins, partial(_open_bus, pins))
            self._strip = None if made is None else (strip, made)

    def show(
        self, names: frozenset[str], seat: int | None = None, tray: bool = True
    ) -> None:
        """Light the lamps of *names* and of *seat*, and no others.

        Args:
            names: Lamps by their name in pins.toml; one that is not there is skipped.
            seat: Whose turn it is, None for nobody's.
            tray: False leaves alone every lamp that shines into the camera's tray.
        """
        for name, (wired, lamp) in tuple(self._lamps.items()):
            lit = name in names
            if (tray or not wired.tray) and self._shown.get(name, False) is not lit:
                self._shown[name] = lit
                level = LAMP_LEVEL if lit else 0.0
                self._write(wired, partial(setattr, lamp, "value", level))
        if self._strip is not None and seat != self._seat:
            wired_strip, device = self._strip
            if tray or not wired_strip.tray:
                self._seat = seat
                frame = strip_frame(wired_strip, seat)
                self._write(wired_strip, partial(device.transfer, frame))

    @property
    def strip_bus(self) -> Any | None:
        """Return what the strip hangs on, a :class:`SimulatedBus` where simulated."""
        return None if self._strip is None else self._strip[1]

    def findings(self) -> tuple[Finding, ...]:
        """Return the lamps that were left out and why."""
        return tuple(self._left_out)

    def close(self) -> None:
        """Darken everything and give the pins back."""
        self.show(frozenset())
        devices = [lamp for _, lamp in self._lamps.values()]
        if self._strip is not None:
            devices.append(self._strip[1])
        for device in devices:
            # A board that is gone must not keep the rest from closing.
            with suppress(*self._faults):
                device.close()

    def _open(self, wired: _Wired, pins: Pins, make: Callable[[], Any]) -> Any | None:
        made = open_part(pins, wired, make)
        if isinstance(made, Finding):
            self._leave_out(made)
            return None
        return made

    def _write(self, wired: _Wired, write: Callable[[], object]) -> None:
        try:
            write()
        except self._faults as error:
            if isinstance(wired, StripPins):
                self._strip = None
            else:
                del self._lamps[wired.name]
            self._leave_out(describe_left_out(wired, error))

    def _leave_out(self, found: Finding) -> None:
        _log.warning("%s", found)
        self._left_out.append(found)


class SimulatedBus:
    """Stands in for the SPI bus with simulated pins: keeps the last frame.

    gpiozero's own stand-in opens the global factory behind our back.
    """

    def __init__(self) -> None:
        self.frame: list[int] = []

    def transfer(self, frame: list[int]) -> None:
        """Keep *frame*."""
        self.frame = frame

    def close(self) -> None:
        """Forget nothing: a test may still look."""


class NoBus(OSError):
    """The SPI bus is not switched on."""


def strip_frame(strip: StripPins, seat: int | None) -> list[int]:
    """Return the bytes that light the lamps of *seat* and darken the others.

    The same for APA102 and SK9822, which differ in when they show what they got.

    Source: APA102 datasheet: 32 zero bits, then for each LED 0b111, five bits of
    brightness, blue, green, red; and at least half a clock for each LED at the end.
    An SK9822 shows it only one clock after the next 32 zero bits: without them the
    seat before stays lit until the next change. Source: cpldcpu, "SK9822 - a clone of
    the APA102".
    """
    leds = strip.leds_per_seat * strip.seats
    frame = [0, 0, 0, 0]
    for led in range(leds):
        lit = led // strip.leds_per_seat == seat
        frame += [0xE0 | STRIP_LEVEL, *SEAT_BGR] if lit else [0xE0, 0, 0, 0]
    return frame + [0, 0, 0, 0] + [0] * (leds // 16 + 1)


def _open_bus(pins: Pins) -> Any:
    if pins.simulated:
        return SimulatedBus()
    with warnings.catch_warnings():
        # Without the bus gpiozero would wiggle the pins itself, on its global factory.
        warnings.simplefilter("error", SPISoftwareFallback)
        try:
            return pins.factory.spi(port=0, device=0)
        except SPISoftwareFallback as warning:
            raise NoBus(
                f"{one_line(warning)}; switch SPI on with raspi-config"
            ) from warning
