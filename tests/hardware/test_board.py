"""The board joins what pins.toml wires, and no single slip on it reaches the Pi.

The committed netlist is read without SKiDL; whoever has that draws it anew.
"""

from collections import Counter
from heapq import heappop, heappush
from pathlib import Path

import pytest

from firmware.header import GROUNDS, HEADER
from firmware.wiring import gpio_uses, read_wiring, wiring_path
from hardware import electrics
from hardware.board.netlist import NoNetlist, read_netlist

BOARD = Path(__file__).parents[2] / "hardware" / "board"
NETLIST = read_netlist(BOARD / "board.net")
WIRING = read_wiring(wiring_path())

NO_LIMIT = float("inf")


def net_of(ref, pin):
    """Return the net that a pin is on, None where it is left free."""
    (*found,) = (
        name for name, nodes in NETLIST.nets.items() if (ref, str(pin)) in nodes
    )
    assert len(found) <= 1
    return found[0] if found else None


def ohms_of(ref):
    """Return what lies between a part's pins when it fails in the worst way."""
    if ref.startswith("R"):
        return float(NETLIST.parts[ref].value)
    if ref.startswith("C"):
        return NO_LIMIT  # direct current does not pass
    if ref == "J1":
        return NO_LIMIT  # the Pi: what it does is not the board's affair
    return 0.0  # LEDs, buttons and chips: conducting in every direction


def least_ohms(begin, end, without=frozenset()):
    """Return the least resistance on any way between two nets, whatever conducts.

    *without* are nets that no way may use: those that are a supply themselves.
    """
    reached, queue = {}, [(0.0, begin)]
    while queue:
        ohms, net = heappop(queue)
        if net in reached or (net in without and net != begin):
            continue
        reached[net] = ohms
        for ref, _ in NETLIST.nets[net]:
            if (through := ohms_of(ref)) == NO_LIMIT:
                continue
            for other, nodes in NETLIST.nets.items():
                if other not in reached and any(one == ref for one, _ in nodes):
                    heappush(queue, (ohms + through, other))
    return reached.get(end, NO_LIMIT)


class TestItIsTheWiring:
    def test_every_line_of_the_header_is_where_pins_toml_has_it(self):
        used = {header: f"GPIO{bcm}" for _, bcm, header in gpio_uses(WIRING)}
        for pin in range(1, 41):
            expected = used.get(pin)
            if pin in GROUNDS:
                expected = "GND"
            expected = {1: "3V3", 17: "3V3", 2: "5V", 4: "5V"}.get(pin, expected)
            assert net_of("J1", pin) == expected, pin
        # Eleven buttons, five lamps, buzzer, and two each of knob, display and strip.
        assert len(used) == 11 + 5 + 1 + 2 + 2 + 2
        assert set(used) <= set(HEADER.values())

    def test_every_part_of_the_table_has_a_plug(self):
        plugs = Counter(
            part.value for ref, part in NETLIST.parts.items() if ref.startswith("J")
        )
        wanted = [one.part for one in (*WIRING.button, *WIRING.lamp)]
        wanted += ["knob", "buzzer", "display", "LED strip", "Raspberry Pi"]
        assert plugs == Counter(wanted)

    def test_a_button_is_a_resistor_and_a_switch_to_ground(self):
        plugs = {part.value: ref for ref, part in NETLIST.parts.items()}
        for button in WIRING.button:
            switch = net_of(plugs[button.part], 1)
            assert net_of(plugs[button.part], 2) == "GND"
            (resistor,) = (
                ref for ref, _ in NETLIST.nets[switch] if ref.startswith("R")
            )
            assert float(NETLIST.parts[resistor].value) == electrics.BUTTON_OHM
            ends = {net_of(resistor, 1), net_of(resistor, 2)}
            assert ends == {switch, f"GPIO{button.bcm}"}
        # Pushing the knob is pressing that button: the same contact, behind its
        # resistor.
        assert net_of(plugs["knob"], 3) == net_of(plugs["button confirm"], 1)

    def test_it_has_the_resistors_of_the_reckoning(self):
        fitted = Counter(
            int(part.value) for ref, part in NETLIST.parts.items() if ref[0] == "R"
        )
        assert fitted == electrics.resistors(WIRING)

    def test_the_level_shifter_is_wired_as_the_guide_says(self):
        # Source: 74AHCT125 data sheet: 1 and 4 switch the first two gates on when low.
        pins = {pin: net_of("U1", pin) for pin in range(1, 15)}
        assert {pins[pin] for pin in (1, 4, 7, 9, 10, 12, 13)} == {"GND"}
        assert pins[14] == "5V_STRIP"
        assert (pins[2], pins[3]) == ("DATA_IN", "DATA_OUT")
        assert (pins[5], pins[6]) == ("CLOCK_IN", "CLOCK_OUT")
        assert pins[8] is pins[11] is None


class TestNothingGetsDamaged:
    def test_5_volts_go_into_the_fuse_and_nowhere_else(self):
        assert NETLIST.nets["5V"] == {("J1", "2"), ("J1", "4"), ("F1", "1")}
        behind = {ref for ref, _ in NETLIST.nets["5V_STRIP"]}
        strip = {
            ref for ref, part in NETLIST.parts.items() if part.value == "LED strip"
        }
        assert behind == {"F1", "U1", "C1", "C2"} | strip

    @pytest.mark.parametrize(
        "net", sorted(name for name in NETLIST.nets if name.startswith("GPIO"))
    )
    def test_whatever_conducts_no_pin_is_nearer_to_5_volts_than_its_resistor(self, net):
        supplies = frozenset({"GND", "3V3"})
        ohms = least_ohms("5V", net, without=supplies)
        assert ohms >= electrics.SPI_OHM

    @pytest.mark.parametrize(
        "net", sorted(name for name in NETLIST.nets if name.startswith("GPIO"))
    )
    def test_whatever_conducts_no_pin_is_shorted_to_ground(self, net):
        # The display's two lines go to its plug: I2C only ever pulls them low.
        bus = {f"GPIO{WIRING.display.sda_bcm}", f"GPIO{WIRING.display.scl_bcm}"}
        ohms = least_ohms(net, "GND", without=frozenset({"3V3", "5V"}))
        least = 0.0 if net in bus else min(electrics.LED_OHM.values())
        assert ohms >= least

    def test_a_shorted_buzzer_and_transistor_leave_3_volts_standing(self):
        # 100 Ohm: 33 mA.
        supplies = frozenset({"5V"})
        display = {
            ref for ref, part in NETLIST.parts.items() if part.value == "display"
        }
        ways = {ref for ref, _ in NETLIST.nets["3V3"]} - display - {"J1"}
        assert {NETLIST.parts[ref].value for ref in ways} == {f"{electrics.BUZZER_OHM}"}
        assert least_ohms("BUZZER_HIGH", "GND", without=supplies) == 0.0

    def test_the_diode_blocks_and_the_capacitor_has_its_pole(self):
        # Pin 1 is the cathode of a diode and the + of a capacitor.
        assert (net_of("D1", 1), net_of("D1", 2)) == ("BUZZER_HIGH", "BUZZER_LOW")
        assert (net_of("C1", 1), net_of("C1", 2)) == ("5V_STRIP", "GND")
        # A BC337 has collector, base, emitter.
        nets = tuple(net_of("Q1", pin) for pin in (1, 2, 3))
        assert nets == ("BUZZER_LOW", "BASE", "GND")


class TestTheFile:
    def test_a_file_that_is_none_is_told_in_one_line(self, tmp_path):
        path = tmp_path / "board.net"
        for text in ("", "(export", "(export))", "(export (components))"):
            path.write_text(text)
            with pytest.raises(NoNetlist) as told:
                read_netlist(path)
            assert str(path) in str(told.value)
            assert "\n" not in str(told.value)

    def test_nothing_of_the_computer_that_drew_it_is_in_it(self):
        text = (BOARD / "board.net").read_text("utf-8")
        assert "SKiDL Line" not in text
        assert "/home" not in text
        assert "/tmp" not in text

    @pytest.mark.slow
    def test_whoever_has_skidl_draws_the_same_and_breaks_no_rule(self):
        pytest.importorskip("skidl", reason="needs `pip install --group board`")
        from hardware.board import schematic

        board = schematic.draw(WIRING)
        assert schematic.faults(board) == (0, 0)
        assert schematic.netlist(board) == (BOARD / "board.net").read_text("utf-8")

    @pytest.mark.slow
    def test_the_rule_check_finds_what_is_wrong(self):
        pytest.importorskip("skidl", reason="needs `pip install --group board`")
        from hardware.board import schematic

        board = schematic.draw(WIRING)
        fights = {
            "1": ("DATA_IN", schematic.OUTPUT),
            "2": ("DATA_OUT", schematic.OUTPUT),
        }
        board.place("U2", "another chip", "", fights)
        assert sum(schematic.faults(board)) > 0
