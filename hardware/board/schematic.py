"""The table's own board for the Pi's header, as a circuit: ``pins.toml`` in code.

python hardware/board/schematic.py            checks its rules, writes board.net
python hardware/board/schematic.py --check    only says whether board.net is up to date

Needs SKiDL (``pip install --group board``), which brings the electrical rule check and
KiCad's netlist; KiCad opens board.net in its editor of printed circuit boards. Values
and the reckoning behind them are in ``electrics.py``. No board has been made of it yet.
"""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# All parts are described here; without these SKiDL warns that KiCad is not installed.
for _version in ("", 6, 7, 8, 9, 10):
    os.environ.setdefault(f"KICAD{_version}_SYMBOL_DIR", str(Path(__file__).parent))

import skidl
from skidl import KICAD8, SKIDL, Circuit, Net, Part, Pin

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from firmware.header import FIVE_VOLTS, GROUNDS, HEADER, THREE_VOLTS
from firmware.wiring import Wiring, read_wiring
from hardware.drawn_files import write_or_check
from hardware.electrics import (
    BASE_OHM,
    BLEED_OHM,
    BUTTON_OHM,
    BUZZER_OHM,
    CAPACITOR_UF,
    CAPACITOR_V,
    FUSE_HOLD_A,
    LED_OHM,
    SPI_OHM,
    STRIP_OHM,
)

NETLIST = HERE / "board.net"

RESISTOR = "Resistor_THT:R_Axial_DIN0207_L6.3mm_D2.5mm_P10.16mm_Horizontal"
PLUG = "Connector_JST:JST_XH_B{0}B-XH-A_1x{0:02d}_P2.50mm_Vertical"
SOCKET = "Connector_PinSocket_2.54mm:PinSocket_2x20_P2.54mm_Vertical"
PASSIVE, POWER, INPUT, OUTPUT, TRISTATE = (
    Pin.types.PASSIVE, Pin.types.PWRIN, Pin.types.INPUT, Pin.types.OUTPUT,
    Pin.types.TRISTATE,
)  # fmt: skip
BIDIRECTIONAL, SOURCE = Pin.types.BIDIR, Pin.types.PWROUT


class Board:
    """The circuit while it is put together; nets are known by their names."""

    def __init__(self, wiring: Wiring) -> None:
        self.circuit = Circuit(name="dragon-table-board")
        # Else SKiDL leaves its files wherever it is run.
        self.circuit.no_files = True
        self._nets: dict[str, Net] = {}
        self._wiring = wiring
        self._header()
        for button in wiring.button:
            self._line(f"GPIO{button.bcm}", BUTTON_OHM, f"{_name(button.label)}_SW")
            self._plug(button.part, [f"{_name(button.label)}_SW", "GND"])
        for lamp in wiring.lamp:
            lit = f"{_name(lamp.name)}_LED"
            self._line(f"GPIO{lamp.bcm}", LED_OHM[lamp.led], lit)
            self._plug(lamp.part, [lit, "GND"])
        self._knob()
        self._buzzer()
        self._display()
        self._strip()

    def net(self, name: str) -> Net:
        """Return the net of that name, a new one the first time."""
        if name not in self._nets:
            self._nets[name] = Net(name, circuit=self.circuit)
        return self._nets[name]

    def place(
        self, ref: str, value: str, footprint: str, pins: dict[str, tuple[str, Any]]
    ) -> None:
        """Add a part; *pins* give each number its net ("" for none) and its kind."""
        part = Part(
            tool=SKIDL, name=re.sub(r"\d+$", "", ref), ref=ref, value=value,
            footprint=footprint, circuit=self.circuit, tag=ref,
            pins=[Pin(num=number, name=number, func=kind)
                  for number, (_, kind) in pins.items()],
        )  # fmt: skip
        for number, (net, _) in pins.items():
            if net:
                self.net(net).connect(part[number])
            else:
                part[number].do_erc = False

    def _next(self, prefix: str) -> str:
        taken = sum(
            re.sub(r"\d+$", "", part.ref) == prefix for part in self.circuit.parts
        )
        return f"{prefix}{taken + 1}"

    def _line(self, begin: str, ohm: int, end: str) -> None:
        pins = {"1": (begin, PASSIVE), "2": (end, PASSIVE)}
        self.place(self._next("R"), f"{ohm}", RESISTOR, pins)

    def _plug(self, what: str, nets: list[str]) -> None:
        pins = {str(n + 1): (net, PASSIVE) for n, net in enumerate(nets)}
        self.place(self._next("J"), what, PLUG.format(len(nets)), pins)

    def _header(self) -> None:
        """Add the Pi: of a voltage one pin is the source, or the others would fight."""
        gpios = {header: bcm for bcm, header in HEADER.items()}
        pins: dict[str, tuple[str, Any]] = {}
        for pin in range(1, 41):
            if pin in gpios:
                used = gpios[pin] in {bcm for _, bcm in _used(self._wiring)}
                pins[str(pin)] = (f"GPIO{gpios[pin]}" if used else "", BIDIRECTIONAL)
            elif pin in GROUNDS:
                pins[str(pin)] = ("GND", SOURCE if pin == min(GROUNDS) else PASSIVE)
            elif pin in THREE_VOLTS:
                pins[str(pin)] = ("3V3", SOURCE if pin == min(THREE_VOLTS) else PASSIVE)
            elif pin in FIVE_VOLTS:
                pins[str(pin)] = ("5V", SOURCE if pin == min(FIVE_VOLTS) else PASSIVE)
            else:
                pins[str(pin)] = ("", PASSIVE)  # a HAT's memory
        self.place("J1", "Raspberry Pi", SOCKET, pins)

    def _knob(self) -> None:
        if (knob := self._wiring.knob) is None:
            return
        for line in (knob.a, knob.b):
            self._line(f"GPIO{line.bcm}", BUTTON_OHM, _name(line.part))
        push = f"{_name(knob.push)}_SW"
        self._plug("knob", [_name(knob.a.part), _name(knob.b.part), push, "GND"])

    def _buzzer(self) -> None:
        if (buzzer := self._wiring.buzzer) is None:
            return
        self._line(f"GPIO{buzzer.bcm}", BASE_OHM, "BASE")
        self._line("3V3", BUZZER_OHM, "BUZZER_HIGH")
        self._line("BUZZER_HIGH", BLEED_OHM, "BUZZER_LOW")
        transistor = {"1": ("BUZZER_LOW", PASSIVE), "2": ("BASE", PASSIVE),
                      "3": ("GND", PASSIVE)}  # fmt: skip
        self.place("Q1", "BC337", "Package_TO_SOT_THT:TO-92_Inline_Wide", transistor)
        # Pin 1 is the cathode, where the ring is.
        diode = {"1": ("BUZZER_HIGH", PASSIVE), "2": ("BUZZER_LOW", PASSIVE)}
        self.place("D1", "1N4148", "Diode_THT:D_DO-35_SOD27_P7.62mm_Horizontal", diode)
        self._plug("buzzer", ["BUZZER_HIGH", "BUZZER_LOW"])

    def _display(self) -> None:
        if (bus := self._wiring.display) is not None:
            lines = [f"GPIO{bus.sda_bcm}", f"GPIO{bus.scl_bcm}"]
            self._plug("display", [*lines, "3V3", "GND"])

    def _strip(self) -> None:
        """Add fuse, level shifter and capacitors; unused gates are tied to ground."""
        if (strip := self._wiring.strip) is None:
            return
        self.place("F1", f"{FUSE_HOLD_A} A", "Fuse:Fuse_Bourns_MF-RHT050",
                   {"1": ("5V", PASSIVE), "2": ("5V_STRIP", PASSIVE)})  # fmt: skip
        self._line(f"GPIO{strip.mosi_bcm}", SPI_OHM, "DATA_IN")
        self._line(f"GPIO{strip.clock_bcm}", SPI_OHM, "CLOCK_IN")
        grounded = {str(pin): ("GND", INPUT) for pin in (1, 4, 9, 10, 12, 13)}
        self.place("U1", "74AHCT125", "Package_DIP:DIP-14_W7.62mm", grounded | {
            "2": ("DATA_IN", INPUT), "3": ("DATA_OUT", TRISTATE),
            "5": ("CLOCK_IN", INPUT), "6": ("CLOCK_OUT", TRISTATE),
            "8": ("", TRISTATE), "11": ("", TRISTATE),
            "7": ("GND", POWER), "14": ("5V_STRIP", POWER),
        })  # fmt: skip
        # Behind the fuse it is the same supply, which the rule check cannot know.
        self.net("5V_STRIP").drive = Pin.drives.POWER
        self._line("DATA_OUT", STRIP_OHM, "DATA")
        self._line("CLOCK_OUT", STRIP_OHM, "CLOCK")
        across = {"1": ("5V_STRIP", PASSIVE), "2": ("GND", PASSIVE)}
        large = "Capacitor_THT:CP_Radial_D8.0mm_P3.50mm"
        self.place("C1", f"{CAPACITOR_UF} uF, {CAPACITOR_V} V or more", large, across)
        small = "Capacitor_THT:C_Disc_D5.0mm_W2.5mm_P5.00mm"
        self.place("C2", "100 nF", small, dict(across))
        self._plug("LED strip", ["DATA", "CLOCK", "5V_STRIP", "GND"])


def faults(board: Board) -> tuple[int, int]:
    """Return how many errors and warnings the electrical rule check finds."""
    board.circuit.ERC()
    return skidl.erc_logger.error.count, skidl.erc_logger.warning.count


def netlist(board: Board) -> str:
    """Return KiCad's netlist, without what changes from run to run."""
    text = board.circuit.generate_netlist(tool=KICAD8)
    text = re.sub(
        r'\s*\(field\s*\(name "SKiDL [^"]*"\)[^()]*(?:\([^()]*\)[^()]*)*\)', "", text
    )
    text = re.sub(r'\(date "[^"]*"\)', '(date "")', text)
    text = re.sub(r'\(source "[^"]*"\)', '(source "hardware/board/schematic.py")', text)
    text = re.sub(r'\s*\(tstamps "[0-9a-f-]{36}"\)', "", text)
    return text.rstrip("\n") + "\n"


def _name(words: str) -> str:
    return words.upper().replace(" ", "_")


def _used(wiring: Wiring) -> Iterator[tuple[str, int]]:
    """Yield (part, GPIO) of every line of the header that something is on."""
    for one in (*wiring.button, *wiring.lamp, wiring.buzzer):
        if one is not None:
            yield one.part, one.bcm
    if wiring.knob is not None:
        yield from ((line.part, line.bcm) for line in (wiring.knob.a, wiring.knob.b))
    if wiring.display is not None:
        yield from (("SDA", wiring.display.sda_bcm), ("SCL", wiring.display.scl_bcm))
    if wiring.strip is not None:
        yield from (("MOSI", wiring.strip.mosi_bcm), ("SCLK", wiring.strip.clock_bcm))


def draw(wiring: Wiring) -> Board:
    """Return the board of a wiring."""
    return Board(wiring)


def main() -> int:
    """Check the rules and write the netlist, or only compare; return the exit code."""
    board = draw(read_wiring(HERE.parent / "pins.toml"))
    errors, warnings = faults(board)
    if errors or warnings:
        print(
            f"{errors} errors, {warnings} warnings of the rule check", file=sys.stderr
        )
        return 1
    return write_or_check({NETLIST: netlist(board)}, __file__)


if __name__ == "__main__":
    sys.exit(main())
