"""Draws ``harness.svg`` and the table of cables in ``ASSEMBLY.md`` from ``pins.toml``.

python hardware/draw_harness.py            writes both
python hardware/draw_harness.py --check    only says whether they are up to date
"""

import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from firmware.wiring import Wiring, read_wiring
from hardware.draw_wiring import WIRE, text

GUIDE = HERE / "ASSEMBLY.md"
BEGIN, END = "<!-- cables: begin -->", "<!-- cables: end -->"

WIDTH, TOP, ROW = 1060, 140, 27
PLUGS, WIRES, LENGTH, PART = 40, 210, 560, 660


class Lead(Struct, frozen=True):
    """One wire of a cable; *name* is what the header calls its pin."""

    header: int
    colour: str
    name: str


class Cable(Struct, frozen=True):
    """The wires that run to one part.

    Attributes:
        part: What it is called.
        leads: Its wires, the ground's last.
        long_mm: How long they are cut.
        before: What is soldered in between, "" for nothing.
    """

    part: str
    leads: tuple[Lead, ...]
    long_mm: int
    before: str = ""


def cables(wiring: Wiring) -> Iterator[Cable]:
    """Yield the cable of each part, in the order of ``pins.toml``."""
    long = wiring.harness
    assert long is not None, "pins.toml says how long the cables are"
    for button in wiring.button:
        leads = (_gpio(button.bcm, button.header, button.wire), _ground(button.ground))
        seat = long.panel_mm if button.seat is None else long.seat_mm
        yield Cable(button.part, leads, seat)
    if knob := wiring.knob:
        leads = tuple(_gpio(one.bcm, one.header, one.wire) for one in (knob.a, knob.b))
        yield Cable(
            knob.part, (*leads, _ground(knob.ground)), long.panel_mm,
            f"push beside button {knob.push}",
        )  # fmt: skip
    for lamp in wiring.lamp:
        leads = (_gpio(lamp.bcm, lamp.header, lamp.wire), _ground(lamp.ground))
        reach = long.mast_mm if lamp.tray else long.panel_mm
        yield Cable(lamp.part, leads, reach, "330 Ω at the long leg")
    if buzzer := wiring.buzzer:
        leads = (_gpio(buzzer.bcm, buzzer.header, buzzer.wire), _ground(buzzer.ground))
        yield Cable(buzzer.part, leads, long.panel_mm, "100 Ω")
    if display := wiring.display:
        leads = (
            _gpio(display.sda_bcm, display.sda_header, display.sda_wire),
            _gpio(display.scl_bcm, display.scl_header, display.scl_wire),
            Lead(display.power, "red", "3.3 V"), _ground(display.ground),
        )  # fmt: skip
        yield Cable("display", leads, long.panel_mm)
    if strip := wiring.strip:
        leads = (
            _gpio(strip.mosi_bcm, strip.mosi_header, strip.mosi_wire),
            _gpio(strip.clock_bcm, strip.clock_header, strip.clock_wire),
            Lead(strip.power, "red", "5 V"), _ground(strip.ground),
        )  # fmt: skip
        yield Cable(strip.part, leads, long.seat_mm, "74AHCT125 for data and clock")


def metres(wiring: Wiring) -> dict[str, float]:
    """Return how much wire of each colour the harness takes, m."""
    taken: defaultdict[str, float] = defaultdict(float)
    for cable in cables(wiring):
        for lead in cable.leads:
            taken[lead.colour] += cable.long_mm / 1000
    return dict(taken)


def table(wiring: Wiring) -> str:
    """Return the cables as a table in Markdown."""
    rows = ["| cable | wires: colour to header pin | cut | |", "|---|---|--:|---|"]
    for cable in cables(wiring):
        leads = ", ".join(
            f"{lead.colour} to {lead.header} ({lead.name})" for lead in cable.leads
        )
        rows.append(f"| {cable.part} | {leads} | {cable.long_mm} mm | {cable.before} |")
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
            "solder them together.",
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
        yield f'<rect x="{PLUGS}" y="{at - 9}" width="18" height="18" fill="#3b3b3b"/>'
        yield text(PLUGS + 28, at + 5, f"pin {lead.header} · {lead.name}", 13)
        yield _wire(at, lead.colour)
        yield text(WIRES + 150, at - 5, lead.colour, 11, fill="#666")
    yield text(LENGTH, middle, f"{cable.long_mm} mm", 13, fill="#444")
    yield text(PART, middle, cable.part, 16, font_weight="bold")
    yield text(PART + 160, middle, cable.before, 13, fill="#555")


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


def with_table(guide: str, wiring: Wiring) -> str:
    """Return the guide with its table of cables put right."""
    before, _, rest = guide.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{table(wiring)}\n{END}{after}"


def main() -> int:
    """Write both, or with ``--check`` only compare; return the exit code."""
    wiring = read_wiring(HERE / "pins.toml")
    guide = GUIDE.read_text(encoding="utf-8")
    made = {HERE / "harness.svg": draw(wiring), GUIDE: with_table(guide, wiring)}
    stale = []
    for path, content in made.items():
        if "--check" not in sys.argv:
            path.write_text(content, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != content:
            stale.append(path.name)
    if stale:
        again = f"run python hardware/{Path(__file__).name}"
        print(f"{', '.join(stale)} out of date; {again}", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
