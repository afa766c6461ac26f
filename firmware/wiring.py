"""The wiring of the table as ``hardware/pins.toml`` lays it down.

Reads and checks; opens no pin.
"""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from firmware.finding import button_name, part_name, sentence
from firmware.header import BUSES, FIVE_VOLTS, GROUNDS, HEADER, SERIAL, THREE_VOLTS

COMMON_BUTTONS = ("confirm", "undo", "next", "help")
"""Buttons that everybody shares; a table without one of them cannot be played."""

OPTIONAL_BUTTONS: tuple[str, ...] = ()
"""Buttons that everybody shares and a table may do without. A button that comes with a
newer program belongs here: a pins.toml of before does not name it and stays valid."""

MOST_SEATS = 7

OWN_FILE = Path("/etc/dragon-table/pins.toml")
"""The wiring of a table that differs from the guide's; no update touches it."""


class WiringError(ValueError):
    """The file of pins cannot be read or contradicts itself."""


class ButtonPin(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A button between a GPIO and ground; *seat* is None for those everybody shares."""

    name: str
    bcm: int
    header: int
    ground: int
    wire: str
    seat: int | None = None
    long_s: float = 0.8
    double_s: float | None = None

    @property
    def label(self) -> str:
        """Return the button's name for people: ``"undo"``, ``"seat 3"``."""
        return self.name if self.seat is None else f"{self.name} {self.seat}"

    @property
    def part(self) -> str:
        """Return what it is called beside other parts."""
        return f"button {self.label}"


class LinePin(Struct, frozen=True, gc=False):
    """One signal wire of a part that has several."""

    part: str
    bcm: int
    header: int
    wire: str


class KnobPins(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A rotary encoder: two contacts to ground.

    *push* names the button whose pin the contact below the shaft shares, so that
    pushing the knob is pressing that button. *clicks* is how many clicks it makes
    while both contacts close and open once: 1, or 2 for a knob whose clicks are twice
    its pulses.
    """

    a_bcm: int
    a_header: int
    a_wire: str
    b_bcm: int
    b_header: int
    b_wire: str
    ground: int
    push: str = "confirm"
    clicks: int = 1

    @property
    def label(self) -> str:
        """Return its name for people."""
        return "knob"

    @property
    def part(self) -> str:
        """Return what it is called beside other parts."""
        return "knob"

    @property
    def a(self) -> LinePin:
        """Return the wire of contact A, the one that closes first to the right."""
        return LinePin("knob A", self.a_bcm, self.a_header, self.a_wire)

    @property
    def b(self) -> LinePin:
        """Return the wire of contact B."""
        return LinePin("knob B", self.b_bcm, self.b_header, self.b_wire)


class LampPin(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """An LED from a GPIO to ground; *tray*: its light falls where the camera reads."""

    name: str
    bcm: int
    header: int
    ground: int
    wire: str
    led: str
    tray: bool = False

    @property
    def part(self) -> str:
        """Return what it is called beside other parts."""
        return f"lamp {self.name}"


class BuzzerPin(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A passive buzzer, switched by a transistor between 3.3 V and ground.

    *power* is its pin of 3.3 V; None where it hangs on the GPIO itself, as in a
    pins.toml of before.
    """

    bcm: int
    header: int
    ground: int
    wire: str
    power: int | None = None

    @property
    def part(self) -> str:
        """Return what it is called beside other parts."""
        return "buzzer"


class DisplayPins(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A small display of 128 x 64 dots on the I2C bus; *chip* is what drives it."""

    sda_bcm: int
    sda_header: int
    scl_bcm: int
    scl_header: int
    power: int
    ground: int
    address: int
    sda_wire: str
    scl_wire: str
    chip: Literal["ssd1306", "sh1106"] = "ssd1306"


class StripPins(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A strip of APA102 or SK9822 LEDs on the SPI bus, some for each seat."""

    mosi_bcm: int
    mosi_header: int
    clock_bcm: int
    clock_header: int
    power: int
    ground: int
    mosi_wire: str
    clock_wire: str
    leds_per_seat: int
    seats: int
    tray: bool = False

    @property
    def part(self) -> str:
        """Return what it is called beside other parts."""
        return "LED strip"

    @property
    def bcm(self) -> int:
        """Return the GPIO of its data."""
        return self.mosi_bcm

    @property
    def header(self) -> int:
        """Return the header pin of its data."""
        return self.mosi_header


class Harness(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """How long the cables are, mm; only the drawing of the harness asks."""

    panel_mm: int
    seat_mm: int
    mast_mm: int
    board_mm: int = 150
    between_seats_mm: int = 500


class Wiring(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Everything that is wired to the header."""

    button: tuple[ButtonPin, ...]
    lamp: tuple[LampPin, ...] = ()
    knob: KnobPins | None = None
    buzzer: BuzzerPin | None = None
    display: DisplayPins | None = None
    strip: StripPins | None = None
    harness: Harness | None = None

    @property
    def seats(self) -> tuple[int, ...]:
        """Return the seats that have a button of their own."""
        return tuple(pin.seat for pin in self.button if pin.seat is not None)


def wiring_path(package: Path = Path(__file__).parent, own: Path = OWN_FILE) -> Path:
    """Return where ``pins.toml`` lies.

    The owner's own file goes before all. An installed wheel carries a copy inside the
    package, which each update replaces; a checkout has the file in ``hardware/``.
    """
    if own.exists():
        return own
    packaged = package / "pins.toml"
    return packaged if packaged.exists() else package.parent / "hardware" / "pins.toml"


def read_wiring(path: Path) -> Wiring:
    """Return the wiring that the file at *path* describes.

    Raises:
        WiringError: The file is missing, is no TOML, has a wrong or unknown entry, or
            two parts share a pin. One line, naming the part and what to change.
    """
    try:
        tables: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        wiring = msgspec.convert(tables, Wiring)
    except OSError as error:
        said = sentence(
            "wiring.unreadable",
            "{path}: cannot be read ({why}); take hardware/pins.toml from the project",
            path=str(path), why=str(error.strerror),
        )  # fmt: skip
        raise WiringError(said) from error
    except msgspec.ValidationError as error:
        said = sentence(
            "wiring.entry", "{path}: {why}; compare hardware/pins.toml",
            path=str(path), why=str(error),
        )  # fmt: skip
        raise WiringError(said) from error
    except (ValueError, RecursionError) as error:
        said = sentence(
            "wiring.toml", "{path}: not valid TOML: {why}",
            path=str(path), why=str(error),
        )  # fmt: skip
        raise WiringError(said) from error
    faults = tuple(wiring_faults(wiring))
    if faults:
        said = sentence("wiring.fault", "{path}: {why}", path=str(path), why=faults[0])
        raise WiringError(said)
    return wiring


def gpio_uses(wiring: Wiring) -> Iterator[tuple[str, int, int]]:
    """Yield (part, GPIO, header pin) of every signal wire."""
    for one in (*wiring.button, *wiring.lamp, wiring.buzzer):
        if one is not None:
            yield one.part, one.bcm, one.header
    if knob := wiring.knob:
        for line in (knob.a, knob.b):
            yield line.part, line.bcm, line.header
    if bus := wiring.display:
        yield "display data (SDA)", bus.sda_bcm, bus.sda_header
        yield "display clock (SCL)", bus.scl_bcm, bus.scl_header
    if strip := wiring.strip:
        yield "strip data (MOSI)", strip.mosi_bcm, strip.mosi_header
        yield "strip clock (SCLK)", strip.clock_bcm, strip.clock_header


def wiring_faults(wiring: Wiring) -> Iterator[str]:
    """Yield everything that is wrong with *wiring*, each as one line with a remedy."""
    yield from _pin_faults(wiring)
    yield from _name_faults(wiring)
    if wiring.knob is not None and wiring.knob.push not in _shared_buttons():
        push, names = wiring.knob.push, ", ".join(_shared_buttons())
        yield sentence(
            "wiring.push", "the knob's push is wired to {push}; name one of {names}",
            push=push, names=names,
        )  # fmt: skip
    if wiring.knob is not None and wiring.knob.clicks not in (1, 2):
        yield sentence(
            "wiring.clicks", "the knob's clicks are {clicks} a pulse; set 1 or 2",
            clicks=wiring.knob.clicks,
        )  # fmt: skip
    grounded = (*wiring.button, *wiring.lamp, wiring.buzzer, wiring.display)
    for part in (*grounded, wiring.knob, wiring.strip):
        if part is not None and part.ground not in GROUNDS:
            allowed = ", ".join(map(str, sorted(GROUNDS)))
            yield sentence(
                "wiring.ground",
                "header pin {pin} is not a ground; take one of {allowed}",
                pin=part.ground, allowed=allowed,
            )  # fmt: skip
    yield from _power_faults(wiring)


def _power_faults(wiring: Wiring) -> Iterator[str]:
    """Yield whose power comes from a pin that would not feed it, or would break it."""
    display, buzzer, strip = wiring.display, wiring.buzzer, wiring.strip
    fed = (
        ("display", display and display.power, THREE_VOLTS, "3.3"),
        ("buzzer", buzzer and buzzer.power, THREE_VOLTS, "3.3"),
        ("strip", strip and strip.power, FIVE_VOLTS, "5"),
    )
    for part, pin, allowed, volts in fed:
        if isinstance(pin, int) and pin not in allowed:
            yield sentence(
                "wiring.power",
                "the {part}'s power is on header pin {pin}; it takes {volts} V, from "
                "one of the pins {allowed}",
                part=part_name(part), pin=pin, volts=volts,
                allowed=", ".join(map(str, sorted(allowed))),
            )  # fmt: skip


def _pin_faults(wiring: Wiring) -> Iterator[str]:
    taken: dict[int, str] = {}
    for part, bcm, header in gpio_uses(wiring):
        if HEADER.get(bcm) != header:
            reserved = sentence("wiring.reserved", "not on the header or reserved")
            yield sentence(
                "wiring.header",
                "{part}: GPIO{bcm} is header pin {found}, not {header}; correct one",
                part=part_name(part), bcm=bcm, found=HEADER.get(bcm, reserved),
                header=header,
            )  # fmt: skip
        if bcm in taken:
            yield sentence(
                "wiring.both",
                "{part} and {other} both use GPIO{bcm} (header pin {header}); give "
                "one of them another pin",
                part=part_name(part), other=part_name(taken[bcm]), bcm=bcm,
                header=header,
            )  # fmt: skip
        if bcm in BUSES - _free_for(part):
            yield sentence(
                "wiring.bus",
                "{part}: GPIO{bcm} belongs to I2C, SPI or serial; take another pin",
                part=part_name(part), bcm=bcm,
            )  # fmt: skip
        taken[bcm] = part


def _free_for(part: str) -> frozenset[int]:
    """Return which GPIOs of a bus *part* may use."""
    if part.startswith(("display", "strip")):
        return BUSES
    return SERIAL if part.startswith("knob") else frozenset()


def _shared_buttons() -> tuple[str, ...]:
    return (*COMMON_BUTTONS, *OPTIONAL_BUTTONS)


def _name_faults(wiring: Wiring) -> Iterator[str]:
    labels = [button.label for button in wiring.button]
    for name in COMMON_BUTTONS:
        if name not in labels:
            yield sentence(
                "wiring.missing",
                "button {name} is missing; add a [[button]] block for it",
                name=button_name(name),
            )
    for button in wiring.button:
        if (button.name == "seat") != (button.seat is not None):
            yield sentence(
                "wiring.seat",
                'button {label}: "seat" and only "seat" takes a seat number',
                label=button.label,
            )
        elif button.seat is None and button.name not in _shared_buttons():
            known = ", ".join(_shared_buttons())
            yield sentence(
                "wiring.unknown", "button {name} is unknown; use {known}",
                name=button.name, known=known,
            )  # fmt: skip
        elif button.seat is not None and not 0 <= button.seat < MOST_SEATS:
            yield sentence(
                "wiring.seats", "button {label}: seats are 0 to {most}",
                label=button.label, most=MOST_SEATS - 1,
            )  # fmt: skip
    names = [one.part for one in wiring.button] + [one.part for one in wiring.lamp]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield sentence(
            "wiring.twice", "{part} is there twice; remove one block",
            part=part_name(name),
        )  # fmt: skip
