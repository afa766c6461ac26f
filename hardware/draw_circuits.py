"""Draws ``circuits.svg``, the two small circuits that are soldered on perfboard.

python hardware/draw_circuits.py            writes hardware/circuits.svg
python hardware/draw_circuits.py --check    only says whether it is up to date

Pins come from ``pins.toml``, values from ``electrics.py``.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from firmware.wiring import BuzzerPin, StripPins, Wiring, read_wiring
from hardware.draw_wiring import WIRE, ohm, text
from hardware.drawn_files import write_or_check
from hardware.electrics import (
    BASE_OHM,
    BLEED_OHM,
    BUZZER_OHM,
    CAPACITOR_UF,
    FUSE_HOLD_A,
    SPI_OHM,
    STRIP_OHM,
)

TARGET = HERE / "circuits.svg"
WIDTH, HEIGHT = 1180, 560
INK = "#222222"


def line(*points: tuple[float, float], colour: str = "black") -> str:
    """Return a wire along *points* with a thin dark rim, so that a white one shows."""
    path = " ".join(f"{x},{y}" for x, y in points)
    return (
        f'<polyline points="{path}" stroke="#555" stroke-width="5"/>'
        f'<polyline points="{path}" stroke="{WIRE[colour]}" stroke-width="3"/>'
    )


def node(x: float, y: float) -> str:
    """Return the dot at which wires are joined; where there is none, they cross."""
    return f'<circle cx="{x}" cy="{y}" r="5" fill="{INK}"/>'


def block(x: float, y: float, words: str, upright: bool = False) -> str:
    """Return a resistor or a fuse with its value, *x*, *y* its middle."""
    wide, tall = (34, 62) if upright else (72, 30)
    rect = f'x="{x - wide / 2}" y="{y - tall / 2}" width="{wide}" height="{tall}"'
    if upright:
        label = text(x + 24, y + 5, words, 14)
    else:
        label = text(x, y + 5, words, 14, text_anchor="middle")
    return f'<rect {rect} rx="3" class="part"/>{label}'


def ground(x: float, y: float, words: str) -> Iterator[str]:
    """Yield the sign of ground and its pin."""
    for n, half in enumerate((18, 12, 6)):
        at = y + 6 * n
        yield f'<path d="M{x - half} {at}H{x + half}" stroke="{INK}" stroke-width="3"/>'
    yield text(x + 26, y + 12, words, 14)


def buzzer_circuit(buzzer: BuzzerPin) -> Iterator[str]:
    """Yield the buzzer on its transistor."""
    yield text(40, 60, "Buzzer", 20, font_weight="bold")
    yield text(60, 104, f"3.3 V, pin {buzzer.power}", 14)
    yield line((60, 125), (420, 125), colour="orange")
    yield block(190, 125, ohm(BUZZER_OHM))
    for x in (280, 350, 420):
        yield line((x, 125), (x, 265), colour="grey")
        yield node(x, 125) if x != 420 else ""
    yield line((280, 265), (420, 265), colour="grey")
    yield '<circle cx="280" cy="195" r="26" class="part"/>'
    yield text(280, 200, "piezo", 13, text_anchor="middle")
    yield text(262, 160, "+", 16, text_anchor="end")
    yield block(350, 195, ohm(BLEED_OHM), upright=True)
    yield '<path d="M402 215H438L420 180Z" class="part"/>'
    yield f'<path d="M402 178H438" stroke="{INK}" stroke-width="5"/>'
    yield text(446, 200, "1N4148", 13)
    yield text(446, 217, "ring up", 12, fill="#555")
    yield line((350, 265), (350, 320), colour="grey")
    yield node(350, 265)
    yield from transistor(350, 350)
    yield text(60, 337, f"GPIO{buzzer.bcm}, pin {buzzer.header}", 14)
    yield line((60, 350), (335, 350), colour=buzzer.wire)
    yield block(240, 350, ohm(BASE_OHM))
    yield line((350, 380), (350, 440))
    yield from ground(350, 442, f"ground, pin {buzzer.ground}")


def transistor(x: float, y: float) -> Iterator[str]:
    """Yield an NPN transistor: base left, collector up, emitter down."""
    yield f'<circle cx="{x}" cy="{y}" r="32" class="part"/>'
    ink = f'stroke="{INK}" stroke-width="3"'
    base, collector = f"M{x - 15} {y - 18}V{y + 18}", f"L{x} {y - 24}V{y - 32}"
    yield f'<path d="{base}M{x - 15} {y - 8}{collector}" {ink}/>'
    yield f'<path d="M{x - 15} {y + 8}L{x} {y + 24}V{y + 32}" {ink}/>'
    tip = f"M{x - 1} {y + 24}L{x - 10} {y + 21}L{x - 4} {y + 13}Z"
    yield f'<path d="{tip}" style="fill:{INK}"/>'
    yield text(x + 40, y - 12, "BC337", 14)
    yield text(x + 40, y + 8, "collector up, emitter down", 12, fill="#555")


def strip_circuit(strip: StripPins) -> Iterator[str]:
    """Yield fuse, level shifter and capacitors of the strip."""
    yield text(620, 60, "Strip's board", 20, font_weight="bold")
    yield text(620, 104, f"5 V, pin {strip.power}", 14)
    yield line((620, 125), (1140, 125), colour="red")
    yield block(725, 125, f"{FUSE_HOLD_A} A")
    yield text(1140, 104, "5 V, strip", 14, text_anchor="end")
    yield text(620, 447, f"ground, pin {strip.ground}", 14)
    yield line((620, 460), (1140, 460))
    yield text(1140, 447, "ground, strip", 14, text_anchor="end")
    yield line((870, 125), (870, 190), colour="red")
    yield node(870, 125)
    for x, words in ((800, "100 nF"), (1048, f"{CAPACITOR_UF} µF")):
        yield from capacitor(x, words, poled=x > 1000)
    data = f"GPIO{strip.mosi_bcm}, pin {strip.mosi_header}"
    clock = f"GPIO{strip.clock_bcm}, pin {strip.clock_header}"
    signals = (
        (240, strip.mosi_wire, data, "data"), (320, strip.clock_wire, clock, "clock"),
    )  # fmt: skip
    for (y, colour, begin, end), (into, out) in zip(
        signals, ((2, 3), (5, 6)), strict=True
    ):
        yield text(620, y - 22, begin, 14)
        yield line((620, y), (830, y), colour=colour)
        yield line((920, y), (1140, y), colour=colour)
        yield block(740, y, ohm(SPI_OHM))
        yield block(990, y, ohm(STRIP_OHM))
        yield text(1140, y - 13, f"{end}, strip", 14, text_anchor="end")
        yield text(838, y + 5, str(into), 13)
        yield text(912, y + 5, str(out), 13, text_anchor="end")
    yield line((870, 380), (870, 460))
    yield node(870, 460)
    yield (
        '<rect x="830" y="190" width="90" height="190" rx="6" fill="none" '
        f'stroke="{INK}" stroke-width="2"/>'
    )
    yield text(875, 282, "74AHCT125", 13, text_anchor="middle")
    yield text(875, 208, "14", 13, text_anchor="middle")
    yield text(875, 372, "7", 13, text_anchor="middle")
    yield text(882, 412, "also 1, 4, 9,", 12, fill="#555")
    yield text(882, 428, "10, 12 and 13", 12, fill="#555")


def capacitor(x: float, words: str, *, poled: bool) -> Iterator[str]:
    """Yield a capacitor between the two rails of the strip's board."""
    yield line((x, 125), (x, 392), colour="red")
    yield line((x, 404), (x, 460))
    yield node(x, 125)
    yield node(x, 460)
    for y in (392, 404):
        yield f'<path d="M{x - 18} {y}H{x + 18}" stroke="{INK}" stroke-width="4"/>'
    if poled:
        yield text(x + 24, 402, words, 13)
        yield text(x - 8, 384, "+", 16, text_anchor="end")
    else:
        yield text(x - 24, 402, words, 13, text_anchor="end")


def draw(wiring: Wiring) -> str:
    """Return the drawing as SVG; a circuit that the table lacks is left out."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" fill="#111">',
        "<title>The two circuits on perfboard</title>",
        "<!-- Drawn by hardware/draw_circuits.py; do not edit. -->",
        f"<style>path,polyline{{fill:none}}.part{{fill:#fff;stroke:{INK};"
        "stroke-width:2}</style>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fbfaf6"/>',
        text(40, 530, "Wires that meet in a dot are joined; others only cross."),
    ]
    if wiring.buzzer is not None:
        lines += buzzer_circuit(wiring.buzzer)
    if wiring.strip is not None:
        lines += strip_circuit(wiring.strip)
    return "\n".join([*(one for one in lines if one), "</svg>", ""])


def main() -> int:
    """Write the drawing, or with ``--check`` only compare; return the exit code."""
    return write_or_check({TARGET: draw(read_wiring(HERE / "pins.toml"))}, __file__)


if __name__ == "__main__":
    sys.exit(main())
