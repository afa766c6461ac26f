"""Draws ``harness.svg`` and the table of cables in the guides from ``pins.toml``.

python hardware/draw_harness.py            writes them
python hardware/draw_harness.py --check    only says whether they are up to date
"""

import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from firmware.header import FIVE_VOLTS, GROUNDS, THREE_VOLTS
from firmware.wiring import Wiring, read_wiring
from hardware.cable_words import say
from hardware.draw_wiring import WIRE, ohm, text
from hardware.drawn_files import write_or_check
from hardware.electrics import (
    BASE_OHM,
    BUTTON_OHM,
    CAPACITOR_UF,
    FUSE_HOLD_A,
    LED_OHM,
    SPI_OHM,
    STRIP_MM2,
    STRIP_OHM,
)

GUIDES = {
    "en": HERE / "ASSEMBLY.md", "fr": HERE / "ASSEMBLY.fr.md",
    "de": HERE / "ASSEMBLY.de.md",
}  # fmt: skip
BEGIN, END = "<!-- cables: begin -->", "<!-- cables: end -->"

WIDTH, TOP, ROW = 1160, 140, 27
PLUGS, WIRES, LENGTH, PART = 40, 210, 560, 670

KEPT = {"red": FIVE_VOLTS, "orange": THREE_VOLTS, "black": GROUNDS}
"""Colours that mean one voltage, and the header pins that have it."""


class HarnessWrong(ValueError):
    """Colours in ``pins.toml`` invite somebody to plug a wire where it does harm."""


class Lead(Struct, frozen=True):
    """One wire of a cable.

    *header* is its pin, None where it begins at the strip's board or at another piece
    of the strip; *name* is what is there.
    """

    header: int | None
    colour: str
    name: str


class Cable(Struct, frozen=True):
    """The wires that run to one part.

    Attributes:
        part: What it is called.
        leads: Its wires, the ground's last.
        long_mm: How long they are cut.
        before: What is soldered in between, "" for nothing.
        times: How many of it there are.
        mm2: Cross-section, None for the ribbon's.
    """

    part: str
    leads: tuple[Lead, ...]
    long_mm: int
    before: str = ""
    times: int = 1
    mm2: float | None = None

    @property
    def cut(self) -> str:
        """Return how it is cut: ``"900 mm"``, ``"6 x 500 mm"``."""
        times = "" if self.times == 1 else f"{self.times} x "
        return f"{times}{self.long_mm} mm"


def cables(wiring: Wiring) -> Iterator[Cable]:
    """Yield the cable of each part, in the order of ``pins.toml``."""
    long = wiring.harness
    assert long is not None, "pins.toml says how long the cables are"
    at_plug = f"{ohm(BUTTON_OHM)} at the plug"
    for button in wiring.button:
        leads = (_gpio(button.bcm, button.header, button.wire), _ground(button.ground))
        seat = long.panel_mm if button.seat is None else long.seat_mm
        yield Cable(button.part, leads, seat, at_plug)
    if knob := wiring.knob:
        leads = tuple(_gpio(one.bcm, one.header, one.wire) for one in (knob.a, knob.b))
        yield Cable(
            knob.part, (*leads, _ground(knob.ground)), long.panel_mm,
            f"{ohm(BUTTON_OHM)} at both plugs, push to button {knob.push}",
        )  # fmt: skip
    for lamp in wiring.lamp:
        leads = (_gpio(lamp.bcm, lamp.header, lamp.wire), _ground(lamp.ground))
        reach = long.mast_mm if lamp.tray else long.panel_mm
        yield Cable(
            lamp.part, leads, reach, f"{ohm(LED_OHM[lamp.led])} at the long leg"
        )
    if buzzer := wiring.buzzer:
        leads = (_gpio(buzzer.bcm, buzzer.header, buzzer.wire),)
        if buzzer.power is not None:
            leads += (Lead(buzzer.power, "orange", "3.3 V"),)
        yield Cable(
            buzzer.part, (*leads, _ground(buzzer.ground)), long.panel_mm,
            f"{ohm(BASE_OHM)} at the plug, transistor at the buzzer",
        )  # fmt: skip
    if display := wiring.display:
        leads = (
            _gpio(display.sda_bcm, display.sda_header, display.sda_wire),
            _gpio(display.scl_bcm, display.scl_header, display.scl_wire),
            Lead(display.power, "orange", "3.3 V"), _ground(display.ground),
        )  # fmt: skip
        yield Cable("display", leads, long.panel_mm)
    yield from _strip_cables(wiring)


def _strip_cables(wiring: Wiring) -> Iterator[Cable]:
    """Yield the three kinds of cable of the strip: to its board, to it, and in it."""
    strip, long = wiring.strip, wiring.harness
    if strip is None or long is None:
        return
    yield Cable(
        "strip board",
        (
            _gpio(strip.mosi_bcm, strip.mosi_header, strip.mosi_wire),
            _gpio(strip.clock_bcm, strip.clock_header, strip.clock_wire),
            Lead(strip.power, "red", "5 V"), _ground(strip.ground),
        ),
        long.board_mm,
        f"{ohm(SPI_OHM)} in data and clock, fuse {FUSE_HOLD_A} A in 5 V",
        mm2=STRIP_MM2,
    )  # fmt: skip

    def leads(where: str) -> tuple[Lead, ...]:
        signals = ((strip.mosi_wire, "data"), (strip.clock_wire, "clock"))
        return tuple(
            Lead(None, colour, f"{where}: {what}")
            for colour, what in (*signals, ("red", "5 V"), ("black", "ground"))
        )

    yield Cable(
        strip.part, leads("board"), long.seat_mm,
        f"{ohm(STRIP_OHM)} in data and clock, {CAPACITOR_UF} µF", mm2=STRIP_MM2,
    )  # fmt: skip
    yield Cable(
        "seat to seat", leads("piece"), long.between_seats_mm,
        "along the arrows", times=strip.seats - 1, mm2=STRIP_MM2,
    )  # fmt: skip


def colour_faults(wiring: Wiring) -> Iterator[str]:
    """Yield each colour by which a wire could be taken for another one."""
    plugs: dict[int, tuple[str, str]] = {}
    for cable in cables(wiring):
        colours = [lead.colour for lead in cable.leads]
        if len(set(colours)) < len(colours):
            yield f"{cable.part} has two wires of one colour"
        for lead in cable.leads:
            if lead.header is not None:
                yield from _voltage_faults(cable, lead.header, lead.colour)
                plugs[lead.header] = (cable.part, lead.colour)
    for pin, (part, colour) in sorted(plugs.items()):
        for other in sorted(beside(pin)):
            if other > pin and plugs.get(other, ("", ""))[1] == colour:
                yield (
                    f"{part} on pin {pin} and {plugs[other][0]} on pin {other} beside "
                    f"it are both {colour}"
                )


def _voltage_faults(cable: Cable, header: int, colour: str) -> Iterator[str]:
    for kept, pins in KEPT.items():
        if (colour == kept) != (header in pins):
            yield f"{cable.part} on pin {header} is {colour}; only {kept} goes to " + (
                f"pins {', '.join(map(str, sorted(pins)))}"
            )


def beside(pin: int) -> frozenset[int]:
    """Return the header pins around *pin*, aslant ones too."""
    row, column = divmod(pin - 1, 2)
    around = ((row + down, across) for down in (-1, 0, 1) for across in (0, 1))
    return frozenset(
        2 * r + c + 1 for r, c in around if 0 <= r < 20 and (r, c) != (row, column)
    )


def metres(wiring: Wiring) -> dict[str, float]:
    """Return how much ribbon and black wire of each colour the harness takes, m."""
    taken: defaultdict[str, float] = defaultdict(float)
    for cable in cables(wiring):
        if cable.mm2 is None:
            for lead in cable.leads:
                taken[lead.colour] += cable.times * cable.long_mm / 1000
    return dict(taken)


def strip_metres(wiring: Wiring) -> float:
    """Return how much cable of four thicker wires the strip takes, m."""
    strip = [cable for cable in cables(wiring) if cable.mm2 is not None]
    return sum(cable.times * cable.long_mm / 1000 for cable in strip)


def table(wiring: Wiring, language: str = "en") -> str:
    """Return the cables as a table in Markdown."""
    heads = (
        say(one, language) for one in ("cable", "wires: colour to header pin", "cut")
    )
    rows = [f"| {' | '.join(heads)} | |", "|---|---|--:|---|"]
    for cable in cables(wiring):
        leads = ", ".join(
            f"{lead.colour} to {lead.name}"
            if lead.header is None
            else f"{lead.colour} to {lead.header} ({lead.name})"
            for lead in cable.leads
        )
        part = cable.part if cable.mm2 is None else f"{cable.part} ({cable.mm2} mm²)"
        leads, before = say(leads, language), say(cable.before, language)
        rows.append(f"| {part} | {leads} | {cable.cut} | {before} |")
    return "\n".join(rows)


def draw(wiring: Wiring) -> str:
    """Return the drawing as SVG: a row for each wire, its plug on the left."""
    rows = list(cables(wiring))
    height = TOP + sum(len(cable.leads) * ROW + 12 for cable in rows) + 20
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        'font-family="sans-serif" fill="#111">',
        "<title>Harness of the Dragon Table</title>",
        "<!-- Drawn by hardware/draw_harness.py from pins.toml; do not edit. -->",
        "<style>path{fill:none}</style>",
        f'<rect width="{WIDTH}" height="{height}" fill="#fbfaf6"/>',
        text(PLUGS, 50, "Dragon Table: the harness, cable by cable", 26),
        text(PLUGS, 80, "Left: the plug on the Pi's header. Right: the part."),
        text(
            PLUGS, 103, "Black wires that go to the same pin share one plug: twist and "
            "solder them together. Red is 5 V, orange 3.3 V, black ground.",
        ),
    ]  # fmt: skip
    y = TOP
    for number, cable in enumerate(rows):
        tall = len(cable.leads) * ROW + 12
        fill = "#f3f0e6" if number % 2 else "#fbfaf6"
        lines.append(
            f'<rect x="20" y="{y}" width="{WIDTH - 40}" height="{tall}" fill="{fill}"/>'
        )
        lines += _row(cable, y + 6 + ROW / 2)
        y += tall
    return "\n".join([*lines, "</svg>", ""])


def _row(cable: Cable, y: float) -> Iterator[str]:
    middle = y + (len(cable.leads) - 1) * ROW / 2 + 5
    for place, lead in enumerate(cable.leads):
        at = y + place * ROW
        if lead.header is not None:
            box = f'x="{PLUGS}" y="{at - 9}" width="18" height="18"'
            yield f'<rect {box} fill="#3b3b3b"/>'
        plug = lead.name if lead.header is None else f"pin {lead.header} · {lead.name}"
        yield text(PLUGS + 28, at + 5, plug, 13)
        yield _wire(at, lead.colour)
        yield text(WIRES + 150, at - 5, lead.colour, 11, fill="#666")
    yield text(LENGTH, middle, cable.cut, 13, fill="#444")
    yield text(PART, middle, cable.part, 16, font_weight="bold")
    if cable.mm2 is not None:
        yield text(PART, middle + 18, f"{cable.mm2} mm² each", 11, fill="#666")
    yield text(PART + 150, middle, cable.before, 13, fill="#555")


def _wire(y: float, colour: str) -> str:
    path = f'd="M{WIRES} {y}H{LENGTH - 18}" stroke-linecap="round"'
    return (
        f'<path {path} stroke="#555" stroke-width="6"/>'
        f'<path {path} stroke="{WIRE[colour]}" stroke-width="4"/>'
    )


def _gpio(bcm: int, header: int, colour: str) -> Lead:
    return Lead(header, colour, f"GPIO{bcm}")


def _ground(header: int) -> Lead:
    return Lead(header, "black", "ground")


def harness_of(path: Path) -> Wiring:
    """Return the wiring in a file.

    Raises:
        HarnessWrong: A wire could be taken for another one.
        WiringError: As `read_wiring`.
    """
    wiring = read_wiring(path)
    if faults := tuple(colour_faults(wiring)):
        raise HarnessWrong(f"{path}: {faults[0]}; choose another colour")
    return wiring


def with_table(guide: str, wiring: Wiring, language: str = "en") -> str:
    """Return the guide with its table of cables put right."""
    before, _, rest = guide.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{table(wiring, language)}\n{END}{after}"


def main() -> int:
    """Write all, or with ``--check`` only compare; return the exit code."""
    wiring = harness_of(HERE / "pins.toml")
    made = {HERE / "harness.svg": draw(wiring)}
    for language, path in GUIDES.items():
        made[path] = with_table(path.read_text(encoding="utf-8"), wiring, language)
    return write_or_check(made, __file__)


if __name__ == "__main__":
    sys.exit(main())
