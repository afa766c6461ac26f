"""What stands between the header and each part, so that no slip breaks the Pi.

Values and the reckoning behind them; draws nothing. A GPIO stands 3.3 V and gives 8 mA
as it is set at power-up (source: Raspberry Pi documentation, "GPIO pads control"). The
voltages of LEDs are assumed, from data sheets; nothing here has been measured.
"""

from collections import Counter
from collections.abc import Iterator
from types import MappingProxyType

from firmware.lights import SEAT_BGR, STRIP_LEVEL
from firmware.wiring import StripPins, Wiring

GPIO_V, GPIO_MA = 3.3, 8.0

FIVE_V = 5.25
"""The most that a supply of 5 V gives. Source: USB 2.0, 7.2.2."""

CLAMP_V = 0.6
"""A pin passes on to 3.3 V what exceeds it by the voltage of a diode."""

PIN_OHM = 30.0
"""About what a GPIO that gives 8 mA adds to its wire."""

BUTTON_OHM = 1_000
"""In front of each contact: a pin that a wrong program drives high gives 3.3 mA into a
pressed button, not a short circuit; a wire on 5 V pushes 1.4 mA into the pin."""

PULL_UP_OHM, LOW_V = 50_000, 0.8
"""The Pi's own pull-up, and below what a pin counts as low."""

SPI_OHM = 330
"""In front of the level shifter, whose next pins carry 5 V: a bridge of solder pushes
4.1 mA into the pin. With its 10 pF that is 3 ns, while a bit lasts 2 us."""

STRIP_OHM = 100
"""Behind the level shifter: about what a cable has, so that edges do not ring in it."""

LED_OHM: MappingProxyType[str, int] = MappingProxyType(
    {"red": 330, "amber": 330, "green": 100, "white": 100}
)
"""By colour: white and pure green ones need almost all of the 3.3 V themselves."""

LED_V: MappingProxyType[str, tuple[float, float]] = MappingProxyType(
    {"red": (1.7, 2.2), "amber": (1.8, 2.2), "green": (2.6, 3.0), "white": (2.6, 3.0)}
)
"""What an LED itself takes at 2 to 5 mA, least and most."""

BASE_OHM, BASE_V = 1_000, 0.7
"""Into the base of the buzzer's transistor (BC337 or 2N3904)."""

BUZZER_OHM = 100
"""In series with the buzzer: even a short circuit in it takes 33 mA."""

BLEED_OHM = 1_000
"""Across the buzzer: a piezo is a capacitor that nothing else discharges."""

FUSE_HOLD_A, FUSE_TRIP_A = 0.5, 1.0
"""Polyfuse in the strip's 5 V: what it lasts for ever, and what it breaks."""

CAPACITOR_UF, CAPACITOR_V = 470, 10
"""Across the strip's 5 V at its board: LEDs that light together do not pull it down."""

STRIP_MM2 = 0.34
"""AWG 22, which crimp contacts of 2.54 mm just take; warms by little at 3 A."""

COPPER_OHM_MM2_M = 0.0175

_LED_FULL_MA = 20.0  # each colour of an APA102 or SK9822 at its brightest


def led_ma(colour: str) -> tuple[float, float]:
    """Return the least and the most current of a lit lamp, mA."""
    ohm = LED_OHM[colour] + PIN_OHM
    least, most = ((GPIO_V - volts) / ohm * 1_000 for volts in LED_V[colour][::-1])
    return least, most


def strip_ma(strip: StripPins) -> tuple[float, float]:
    """Return what a strip takes: with one seat lit, and all of it white, mA.

    All of it is white only where a bad contact scrambles its data.
    """
    share = sum(SEAT_BGR) / 255 * STRIP_LEVEL / 31
    leds = strip.leds_per_seat * strip.seats
    idle = 1.0 * leds
    return idle + strip.leds_per_seat * share * _LED_FULL_MA, 3 * _LED_FULL_MA * leds


def resistors(wiring: Wiring) -> Counter[int]:
    """Return how many resistors of each value the wiring takes, by ohms."""
    return Counter(_resistors(wiring))


def _resistors(wiring: Wiring) -> Iterator[int]:
    yield from (BUTTON_OHM for _ in wiring.button)
    yield from (LED_OHM[lamp.led] for lamp in wiring.lamp)
    if wiring.knob is not None:
        yield from (BUTTON_OHM, BUTTON_OHM)
    if wiring.buzzer is not None:
        yield from (BASE_OHM, BUZZER_OHM, BLEED_OHM)
    if wiring.strip is not None:
        yield from (SPI_OHM, SPI_OHM, STRIP_OHM, STRIP_OHM)
