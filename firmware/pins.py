"""Which pins the program uses: those of this Pi, or simulated ones, and says which.

Never sets gpiozero's global factory: every device is handed the factory opened here.
"""

import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from tempfile import gettempdir
from typing import Any, Literal, Protocol, TypeAlias, TypeVar

from gpiozero import GPIOZeroError
from gpiozero.pins.mock import MockFactory, MockPWMPin
from msgspec import Struct

from firmware.finding import Finding, Level, part_name, sentence

Kind: TypeAlias = Literal["auto", "lgpio", "mock"]
Device = TypeVar("Device")

MODEL_PATH = Path("/proc/device-tree/model")
"""Where the kernel of a Raspberry Pi says what it runs on."""

_REMEDY = sentence(
    "pins.closed_do",
    "Run `sudo apt install python3-lgpio`, make the venv with --system-site-packages, "
    "and see that the user is in group gpio.",
)


class Pins(Struct, frozen=True):
    """The pins in use.

    *trouble* is None or one sentence with its remedy, to be shown in red: somebody who
    presses a real button on a Pi with simulated pins would wait for ever.
    *faults* are the exceptions that a device on these pins may raise.
    """

    factory: Any
    name: str
    simulated: bool
    on_a_pi: bool
    trouble: str | None
    faults: tuple[type[Exception], ...]

    def close(self) -> None:
        """Give every pin back."""
        self.factory.close()


def open_pins(
    kind: Kind = "auto",
    model_path: Path = MODEL_PATH,
    real_factory: Callable[[], Any] | None = None,
) -> Pins:
    """Return the pins to use.

    gpiozero's own choice tries four back ends and may end with one that silently does
    nothing (gpiozero issue 1229, pibooth issue 676), so we choose: lgpio on a Pi,
    simulated pins elsewhere.

    Args:
        kind: ``"auto"``, or ``"lgpio"`` or ``"mock"`` to insist.
        model_path: File that names the board on a Pi and is missing elsewhere.
        real_factory: Opens the pins of this board; None for lgpio's.
    """
    model = _read_model(model_path)
    on_a_pi = "Raspberry Pi" in model
    if kind == "mock":
        what = sentence(
            "pins.asked",
            "Simulated pins were asked for on a Pi: no button or lamp works.",
        )
        remedy = sentence(
            "pins.asked_do", "Start without the pins option to use the real ones."
        )
        return _simulated_pins(on_a_pi, _trouble(what, remedy) if on_a_pi else None)
    if kind == "auto" and not on_a_pi:
        return _simulated_pins(on_a_pi, None)
    try:
        factory = (real_factory or _lgpio_factory)()
    except _known_faults() as error:
        what = sentence(
            "pins.closed",
            "The pins of {board} cannot be opened ({why}).",
            board=model or sentence("pins.computer", "this computer"),
            why=one_line(error),
        )
        return _simulated_pins(on_a_pi, _trouble(what, _REMEDY))
    return Pins(factory, "lgpio", False, on_a_pi, None, _known_faults())


def _trouble(what: str, remedy: str) -> str:
    return sentence("pins.trouble", "{what} {remedy}", what=what, remedy=remedy)


class Part(Protocol):
    """A thing on one GPIO; *part* is its name for people."""

    @property
    def part(self) -> str:
        """Return what it is called: ``"button undo"``."""

    @property
    def bcm(self) -> int:
        """Return its GPIO."""

    @property
    def header(self) -> int:
        """Return its pin on the header."""


def open_part(pins: Pins, wired: Part, make: Callable[[], Device]) -> Device | Finding:
    """Return the device that *make* opens, or what stands in its way.

    The table goes on without a part whose pin is taken, and says which and why.
    """
    try:
        return make()
    except pins.faults as error:
        return describe_left_out(wired, error)


def describe_left_out(wired: Part, error: Exception) -> Finding:
    """Return the finding that the table goes on without a part, and what to do."""
    busy = "busy" in str(error) or "in use" in str(error)
    return Finding(
        id=f"pin-{wired.bcm}",
        level=Level.FAIL,
        evidence=sentence(
            "left_out", "{at} is left out: {why}.", at=at(wired), why=one_line(error)
        ),
        remedy=sentence(
            "busy_do",
            "End what else uses GPIO{bcm} (`gpioinfo` names it), or move the wire and "
            "change pins.toml.",
            bcm=wired.bcm,
        )
        if busy
        else sentence(
            "plug_do", "Check its wire and plug, then start the table again."
        ),
    )


def at(wired: Part) -> str:
    """Return what a part is called and where it is."""
    return sentence(
        "at",
        "{part} on GPIO{bcm} (header pin {header})",
        part=part_name(wired.part),
        bcm=wired.bcm,
        header=wired.header,
    )


def one_line(error: BaseException) -> str:
    """Return what *error* says, on one line and never empty."""
    return " ".join(str(error).split()).rstrip(".") or type(error).__name__


def _read_model(path: Path) -> str:
    try:
        # The device tree ends its strings with a NUL.
        return path.read_text(encoding="utf-8", errors="replace").strip("\0\n ")
    except OSError:
        return ""


def _lgpio_factory() -> Any:
    # lgpio makes a pipe in the working directory and does not load where it may not
    # write. Source: gpiozero issue 1106.
    os.environ.setdefault("LG_WD", gettempdir())
    from gpiozero.pins.lgpio import LGPIOFactory

    return LGPIOFactory()


def _simulated_pins(on_a_pi: bool, trouble: str | None) -> Pins:
    factory = MockFactory(pin_class=MockPWMPin)
    return Pins(factory, "simulated", True, on_a_pi, trouble, _known_faults())


def _known_faults() -> tuple[type[Exception], ...]:
    """Return what opening or using a pin may raise.

    lgpio's own error is neither a GPIOZeroError nor an OSError, and it is the one that
    says "GPIO busy".
    """
    common = (GPIOZeroError, ImportError, OSError)
    try:
        return (*common, import_module("lgpio").error)
    except (ImportError, OSError):
        return common
