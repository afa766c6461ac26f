"""Looks at the pins as the running program finds them, and says what to do.

Opens each pin for a moment where nothing else holds it; presses and lights nothing.
"""

import grp
import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from gpiozero import InputDevice

from companion.table import Said
from firmware.finding import Finding, Level, said_by, sentence
from firmware.header import SERIAL
from firmware.pins import Part, Pins, open_part, open_pins
from firmware.wiring import Wiring, WiringError, read_wiring

DEVICES = Path("/dev")
CONSOLES = Path("/proc/consoles")
"""Consoles that the kernel really has. What it was started with says less: the card of
a Pi 3 or 4 names one on ttyS0 that is not there while its serial port is off
(``8250.nr_uarts=0``)."""

ON_HEADER = ("ttyS0", "ttyAMA0")
"""Serial ports on the header's pins; a Pi 5's own plug is ttyAMA10.

Source: Raspberry Pi documentation, "UART configuration".
"""
GROUP = "gpio"


def check_pins(
    wiring_file: Path,
    groups: frozenset[str] | None = None,
    devices: Path = DEVICES,
    open_: Callable[[], Pins] = open_pins,
    table_runs: bool = False,
    consoles: Path = CONSOLES,
) -> tuple[Finding, ...]:
    """Return findings about wiring, pins, chips, groups, buttons and lamps.

    Args:
        wiring_file: The file of pins.
        groups: Groups of the user, None to ask the system.
        devices: Folder of the chips, ``/dev``.
        open_: Opens the pins.
        table_runs: A running table holds the pins, so that each would be found busy:
            none is opened.
        consoles: Where the kernel lists its consoles.
    """
    try:
        wiring = read_wiring(wiring_file)
    except WiringError as error:
        return (broken_wiring(error),)
    pins = open_()
    try:
        serial = _on_header(consoles) if pins.on_a_pi else ()
        found = tuple(_check(wiring, wiring_file, pins, groups, devices, table_runs))
        return (*found, *_knob(wiring, pins, table_runs, serial))
    finally:
        pins.close()


def broken_wiring(error: WiringError) -> Finding:
    """Return that the file of pins cannot be used, and what to do."""
    return Finding(
        "wiring",
        Level.FAIL,
        sentence("wiring.bad", "{why}.", why=said_by(error)),
        sentence(
            "wiring.bad_do",
            "Correct that entry, or take pins.toml from the project again.",
        ),
    )


def describe_pins(pins: Pins) -> Finding:
    """Return which pins are in use; a failure where a Pi has simulated ones."""
    if pins.trouble is not None:
        level = Level.FAIL if pins.on_a_pi else Level.WARN
        return Finding("pins", level, *_what_to_do(pins.trouble))
    if pins.simulated:
        said = sentence("pins.simulated", "Simulated pins; this is no Raspberry Pi.")
        return Finding("pins", Level.OK, said)
    said = sentence(
        "pins.real", "The board's own pins, through {name}.", name=pins.name
    )
    return Finding("pins", Level.OK, said)


def _what_to_do(trouble: str) -> tuple[str, str]:
    """Return what is wrong with the pins, and the remedy that follows it."""
    if isinstance(trouble, Said):
        what, remedy = trouble.values["what"], trouble.values["remedy"]
        assert isinstance(what, str)
        assert isinstance(remedy, str)
        return what, remedy
    evidence, _, rest = trouble.partition(". ")
    return f"{evidence}.", rest


def _check(
    wiring: Wiring,
    wiring_file: Path,
    pins: Pins,
    groups: frozenset[str] | None,
    devices: Path,
    table_runs: bool,
) -> Iterator[Finding]:
    evidence = sentence(
        "wiring",
        "{path} wires {buttons} buttons ({seats} seats) and {lamps} lamps.",
        path=str(wiring_file),
        buttons=len(wiring.button),
        seats=len(wiring.seats),
        lamps=len(wiring.lamp),
    )
    yield Finding("wiring", Level.OK, evidence)
    yield describe_pins(pins)
    if pins.on_a_pi:
        yield _chips(devices)
        yield _groups(_own_groups() if groups is None else groups)
    if table_runs:
        return  # the running table reports them itself
    yield from _parts(pins, "buttons", wiring.button)
    yield from _parts(pins, "lamps", wiring.lamp)


def _knob(
    wiring: Wiring, pins: Pins, table_runs: bool, serial: tuple[str, ...]
) -> Iterator[Finding]:
    """Yield whether the knob, where there is one, has its pins for itself."""
    if wiring.knob is None:
        return
    lines = (wiring.knob.a, wiring.knob.b)
    if serial and any(line.bcm in SERIAL for line in lines):
        yield Finding(
            "console",
            Level.WARN,
            sentence(
                "console",
                "The serial console ({port}) is on the knob's pins.",
                port=serial[0],
            ),
            sentence(
                "console_do",
                "Run `sudo raspi-config nonint do_serial_cons 1` and start the Pi "
                "again; a table without a knob can leave it.",
            ),
        )
    if not table_runs:
        yield from _parts(pins, "knob wires", lines)


def _on_header(consoles: Path) -> tuple[str, ...]:
    try:
        lines = consoles.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ()
    # "ttyS0                -W- (EC p  a)    4:64"; its name comes first.
    names = (line.partition(" ")[0] for line in lines)
    return tuple(name for name in names if name in ON_HEADER)


def _chips(devices: Path) -> Finding:
    chips = sorted(path.name for path in devices.glob("gpiochip*"))
    if not chips:
        return Finding(
            "chips",
            Level.FAIL,
            sentence("chips.none", "No gpiochip in {folder}.", folder=str(devices)),
            sentence("chips.none_do", "Update the system's kernel and start again."),
        )
    said = sentence("chips", "Chips: {names}.", names=", ".join(chips))
    return Finding("chips", Level.OK, said)


def _groups(groups: frozenset[str]) -> Finding:
    if GROUP in groups or "root" in groups:
        may = sentence("group", "The user may use the pins ({group}).", group=GROUP)
        return Finding("groups", Level.OK, may)
    return Finding(
        "groups",
        Level.FAIL,
        sentence("group.none", "The user is not in group {group}.", group=GROUP),
        sentence(
            "group.none_do",
            "Run `sudo usermod -aG {group} $USER` and log in again.",
            group=GROUP,
        ),
    )


def _own_groups() -> frozenset[str]:
    names = {
        entry.gr_name for entry in grp.getgrall() if entry.gr_gid in os.getgroups()
    }
    return frozenset(names | ({"root"} if os.geteuid() == 0 else set()))


def _parts(pins: Pins, kind: str, parts: tuple[Part, ...]) -> Iterator[Finding]:
    """Yield which of *parts* opened, one finding for each that did not."""
    opened = 0
    for wired in parts:
        make = partial(InputDevice, wired.bcm, pin_factory=pins.factory)
        found = open_part(pins, wired, make)
        if isinstance(found, Finding):
            yield found
        else:
            found.close()
            opened += 1
    name = sentence(f"kind.{kind.replace(' ', '_')}", kind)
    level = Level.OK if opened == len(parts) else Level.WARN
    evidence = sentence(
        "opened", "{opened} of {all} {kind} opened.",
        opened=opened, all=len(parts), kind=name,
    )  # fmt: skip
    remedy = (
        "" if level is Level.OK else sentence("opened_do", "See the pins named above.")
    )
    if pins.simulated:
        # A simulated pin always opens: that says nothing of wires.
        level = Level.WARN if pins.on_a_pi else level
        evidence = sentence(
            "unlooked", "Simulated: {all} {kind}, none of them was looked at.",
            all=len(parts), kind=name,
        )  # fmt: skip
        if pins.on_a_pi:
            remedy = sentence("unlooked_do", "See the pins above.")
    yield Finding(kind.replace(" ", "-"), level, evidence, remedy)
