"""Draws ``wiring.svg`` from ``pins.toml``: run it after every change of the pins.

python hardware/draw_wiring.py            writes hardware/wiring.svg
python hardware/draw_wiring.py --check    only says whether it is up to date
"""

import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from firmware.header import GROUNDS, HEADER
from firmware.wiring import Wiring, read_wiring
from hardware.drawn_files import write_or_check
from hardware.electrics import (
    BASE_OHM,
    BLEED_OHM,
    BUTTON_OHM,
    BUZZER_OHM,
    CAPACITOR_UF,
    FUSE_HOLD_A,
    LED_OHM,
    SPI_OHM,
    STRIP_OHM,
)

WIDTH, HEIGHT = 1180, 1090
TOP, ROW = 150, 31
LEFT_PIN, RIGHT_PIN = 572, 608
LEFT_END, RIGHT_END = 440, 740

# Colours of ribbon cable, a little darker than the plastic, so that they print.
WIRE = {
    "black": "#222222", "brown": "#7b4a24", "red": "#d42a2a", "orange": "#ec7a1c",
    "yellow": "#dcb400", "green": "#2b9348", "blue": "#2468c8", "violet": "#7d3cb5",
    "grey": "#868686", "white": "#f7f7f7",
}  # fmt: skip
POWER = {1: "3.3 V", 2: "5 V", 4: "5 V", 17: "3.3 V"}
GPIO = {header: bcm for bcm, header in HEADER.items()}


def labels(wiring: Wiring) -> dict[int, tuple[str, str]]:
    """Return what goes to each used pin of the header, and its wire's colour."""
    used: dict[int, tuple[str, str]] = {}
    for one in (*wiring.button, *wiring.lamp, wiring.buzzer):
        if one is not None:
            used[one.header] = (one.part, one.wire)
    if knob := wiring.knob:
        used.update({line.header: (line.part, line.wire) for line in (knob.a, knob.b)})
    if bus := wiring.display:
        used[bus.sda_header] = ("display SDA", bus.sda_wire)
        used[bus.scl_header] = ("display SCL", bus.scl_wire)
    if strip := wiring.strip:
        used[strip.mosi_header] = ("LED strip data", strip.mosi_wire)
        used[strip.clock_header] = ("LED strip clock", strip.clock_wire)
    used.update(_powered(wiring))
    for pin in sorted(GROUNDS):
        if sharers := list(grounded(wiring, pin)):
            used[pin] = (", ".join(sharers), "black")
    return used


def _powered(wiring: Wiring) -> Iterator[tuple[int, tuple[str, str]]]:
    """Yield the pins that feed a part: orange for 3.3 V, red for 5 V."""
    if wiring.display is not None:
        yield wiring.display.power, ("display power", "orange")
    if wiring.buzzer is not None and wiring.buzzer.power is not None:
        yield wiring.buzzer.power, ("buzzer power", "orange")
    if wiring.strip is not None:
        yield wiring.strip.power, ("LED strip power", "red")


def grounded(wiring: Wiring, pin: int) -> Iterator[str]:
    """Yield the short name of each part whose ground wire goes to *pin*."""
    for button in wiring.button:
        if button.ground == pin:
            yield button.label
    for lamp in wiring.lamp:
        if lamp.ground == pin:
            yield lamp.part
    for part, name in (
        (wiring.knob, "knob"), (wiring.buzzer, "buzzer"), (wiring.display, "display")
    ):  # fmt: skip
        if part is not None and part.ground == pin:
            yield name
    if wiring.strip is not None and wiring.strip.ground == pin:
        yield "LED strip"


def text(x: float, y: float, line: str, size: int = 15, **style: str) -> str:
    """Return one line of text; *style* are SVG attributes, ``_`` for ``-``."""
    more = "".join(
        f' {key.replace("_", "-")}="{value}"' for key, value in style.items()
    )
    return f'<text x="{x}" y="{y}" font-size="{size}"{more}>{escape(line)}</text>'


def wire(x: float, y: float, end: float, colour: str) -> str:
    """Return a horizontal wire with a thin dark rim, so that a white one shows."""
    path = f'd="M{x} {y}H{end}" stroke-linecap="round"'
    return (
        f'<path {path} stroke="#555" stroke-width="6"/>'
        f'<path {path} stroke="{WIRE[colour]}" stroke-width="4"/>'
    )


def pin_row(pin: int, used: dict[int, tuple[str, str]]) -> Iterator[str]:
    """Yield one pin of the header with its number, its name, its wire and its part."""
    left = pin % 2 == 1
    y = TOP + (pin - 1) // 2 * ROW
    x, end = (LEFT_PIN, LEFT_END) if left else (RIGHT_PIN, RIGHT_END)
    side = -1 if left else 1
    anchor = "end" if left else "start"
    name = f"GPIO{GPIO[pin]}" if pin in GPIO else POWER.get(pin, "ground")
    name = "HAT memory" if pin in (27, 28) else name
    if pin in used:
        part, colour = used[pin]
        yield wire(x + side * 12, y, end, colour)
        shown = f"{part} · {colour}" if name != "ground" else f"ground: {part}"
        yield text(end + side * 12, y + 5, shown, text_anchor=anchor)
    shape = f'x="{x - 11}" y="{y - 11}" width="22" height="22"'
    rounding = 3 if pin == 1 else 11  # pin 1 is the square one on the board
    fill = "#c9a227" if pin in used else "#e9e4d4"
    yield f'<rect {shape} rx="{rounding}" fill="{fill}" stroke="#333"/>'
    yield text(x, y + 4, str(pin), 11, text_anchor="middle")
    name_x = x + side * 26
    yield text(name_x, y - 5, name, 10, text_anchor=anchor, fill="#666")


def insets(push: str | None) -> Iterator[str]:
    """Yield how each kind of part sits between its pin and ground.

    *push* is the button that pushing the knob presses, None for a table without one.
    """
    kinds = (
        (
            "Button",
            (f"pin — {ohm(BUTTON_OHM)} — button — ground",),
            "The Pi itself pulls the pin up.",
        ),
        (
            "Lamp",
            ("pin — resistor — LED — ground", lamp_ohms()),
            "The LED's long leg to the resistor.",
        ),
        (
            "Buzzer",
            (
                f"3.3 V — {ohm(BUZZER_OHM)} — buzzer — collector",
                f"pin — {ohm(BASE_OHM)} — base;  emitter — ground",
            ),
            f"{ohm(BLEED_OHM)} and a diode across it, its ring to 3.3 V.",
        ),
        (
            "LED strip",
            (
                f"pins — {ohm(SPI_OHM)} — 74AHCT125 — {ohm(STRIP_OHM)} — strip",
                f"5 V — fuse {FUSE_HOLD_A} A — strip, and the chip's supply",
            ),
            f"{CAPACITOR_UF} µF from 5 V to ground, behind the fuse.",
        ),
    )
    if push is not None:
        chain = f"pins — {ohm(BUTTON_OHM)} — A and B — ground in the middle"
        kinds += (("Knob", (chain,), f"Push: in parallel with button {push}."),)
    for place, (kind, chains, note) in enumerate(kinds):
        x, y = 40 + place % 3 * 370, TOP + 20 * ROW + 30 + place // 3 * 132
        yield f'<rect x="{x}" y="{y}" width="355" height="118" rx="8" class="inset"/>'
        yield text(x + 14, y + 26, kind, 16, font_weight="bold")
        for line, chain in enumerate(chains):
            yield text(x + 14, y + 50 + line * 20, chain, 13)
        yield text(x + 14, y + 100, note, 12, fill="#555")


def ohm(ohms: int) -> str:
    """Return a resistance as it is printed: ``"330 Ω"``, ``"1 kΩ"``."""
    return f"{ohms // 1_000} kΩ" if ohms >= 1_000 else f"{ohms} Ω"


def lamp_ohms() -> str:
    """Return which resistor goes to which colour: ``"330 Ω (red, amber)"``."""
    by_ohm: dict[int, list[str]] = {}
    for colour, value in LED_OHM.items():
        by_ohm.setdefault(value, []).append(colour)
    return ", ".join(f"{ohm(v)} ({', '.join(c)})" for v, c in by_ohm.items())


def draw(wiring: Wiring) -> str:
    """Return the whole drawing as SVG."""
    used = labels(wiring)
    height = 20 * ROW + 12
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" fill="#111">',
        "<title>Wiring of the Dragon Table</title>",
        "<!-- Drawn by hardware/draw_wiring.py from pins.toml; do not edit. -->",
        "<style>path{fill:none}.inset{fill:#fff;stroke:#bbb}</style>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fbfaf6"/>',
        text(40, 50, "Dragon Table: what goes where on the 40-pin header", 26),
        text(40, 80, "Seen from above, USB sockets at the bottom; pin 1 is square."),
        text(
            40,
            103,
            "Switch the Pi off before you plug. The other ends of buttons, lamps and "
            "buzzer go to the ground that names them.",
        ),
        f'<rect x="{LEFT_PIN - 19}" y="{TOP - 22}" width="{RIGHT_PIN - LEFT_PIN + 38}" '
        f'height="{height}" rx="6" fill="#3b3b3b"/>',
    ]
    for pin in range(1, 41):
        lines += pin_row(pin, used)
    lines += insets(None if wiring.knob is None else wiring.knob.push)
    return "\n".join([*lines, "</svg>", ""])


def main() -> int:
    """Write the drawing, or with ``--check`` only compare; return the exit code."""
    drawing = draw(read_wiring(HERE / "pins.toml"))
    return write_or_check({HERE / "wiring.svg": drawing}, __file__)


if __name__ == "__main__":
    sys.exit(main())
