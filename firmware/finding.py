"""A finding: one line of evidence about the device, and one remedy.

Values only; nothing here looks at a pin. Sentences stand here in English, as a log has
them, and know the line by which a terminal says them in any language
(``companion/words/*/firmware.po``).
"""

from enum import StrEnum

from msgspec import Struct

from companion.table import Filling, Said


class Level(StrEnum):
    """How bad a finding is."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


class Finding(Struct, frozen=True, gc=False):
    """One thing that was checked; *remedy* is empty where there is nothing to do."""

    id: str
    level: Level
    evidence: str
    remedy: str = ""

    def __str__(self) -> str:
        return f"{self.evidence} {self.remedy}".rstrip()


def sentence(line: str, english: str, **values: Filling) -> Said:
    """Return an English sentence, filled with *values*, that knows its line."""
    said = Said(english.format(**values))
    said.line, said.values = f"firmware.{line}", values
    return said


def said_by(error: Exception) -> str:
    """Return what an error says, with its line if it knows one."""
    first = error.args[0] if error.args else ""
    return first if isinstance(first, Said) else str(error)


BUTTONS = ("confirm", "undo", "next", "help", "previous")
LAMPS = ("throw", "act", "ask", "refused", "dragon")
COLOURS = (
    "blue", "violet", "white", "brown", "green", "yellow", "grey", "amber", "red",
)  # fmt: skip
"""What words know; a name that an owner gave in pins.toml stands as it is."""

PARTS = {
    "knob": "knob", "knob A": "knob_a", "knob B": "knob_b", "LED strip": "strip",
    "strip": "strip",
    "buzzer": "buzzer", "loudspeaker": "loudspeaker", "display": "display",
    "display data (SDA)": "sda", "display clock (SCL)": "scl",
    "strip data (MOSI)": "mosi", "strip clock (SCLK)": "sclk",
}  # fmt: skip


def part_name(part: str) -> str:
    """Return a part of `firmware.wiring` by its name, such as ``"lamp ask"``."""
    kind, _, own = part.partition(" ")
    if part in PARTS:
        return sentence(f"part.{PARTS[part]}", part)
    if kind == "button":
        return sentence("part.button", "button {label}", label=button_name(own))
    if kind == "lamp":
        lamp = sentence(f"lamp.{own}", own) if own in LAMPS else own
        return sentence("part.lamp", "lamp {name}", name=lamp)
    return part


def button_name(label: str) -> str:
    """Return a button by its label, such as ``"undo"`` or ``"seat 3"``."""
    name, _, seat = label.partition(" ")
    if name == "seat" and seat:
        return sentence("button.seat", "seat {number}", number=seat)
    return sentence(f"button.{name}", name) if label in BUTTONS else label


def colour_name(colour: str) -> str:
    """Return what a wire or a light is coloured."""
    return sentence(f"colour.{colour}", colour) if colour in COLOURS else colour
