"""No slip with a wire breaks the Pi: colours, resistors, fuse, what they let pass."""

import csv
import re
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware.header import FIVE_VOLTS, GROUNDS, THREE_VOLTS
from firmware.wiring import read_wiring, wiring_path
from hardware import draw_circuits, draw_harness, electrics

HARDWARE = Path(__file__).parents[2] / "hardware"
WIRING = read_wiring(wiring_path())
BUTTONS = replace(WIRING, knob=None, display=None, strip=None)


@pytest.fixture(scope="module")
def bom():
    with (HARDWARE / "bom.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def plugs(wiring):
    """Return the colour on each header pin, as the harness has it."""
    leads = (lead for cable in draw_harness.cables(wiring) for lead in cable.leads)
    return {lead.header: lead.colour for lead in leads if lead.header is not None}


def with_colour(part, colour):
    """Return the wiring with the wire of one button in another colour."""
    buttons = tuple(
        replace(one, wire=colour) if one.label == part else one for one in WIRING.button
    )
    return replace(WIRING, button=buttons)


class TestColours:
    def test_red_is_for_5_volts_and_orange_for_3_and_black_for_ground_alone(self):
        worn = plugs(WIRING)

        assert {pin for pin, colour in worn.items() if colour == "red"} == {2}
        assert {pin for pin, colour in worn.items() if colour == "orange"} == {1, 17}
        black = {pin for pin, colour in worn.items() if colour == "black"}
        assert black <= GROUNDS
        assert not (FIVE_VOLTS | THREE_VOLTS | GROUNDS) & {
            pin for pin, colour in worn.items() if colour not in draw_harness.KEPT
        }

    def test_no_two_neighbours_on_the_header_have_one_colour(self):
        worn = plugs(WIRING)
        # Written out: 1 and 2 are side by side, 3 is below 1, 4 aslant of it.
        rows = [(worn.get(2 * r + 1), worn.get(2 * r + 2)) for r in range(20)]
        for (left, right), (below_left, below_right) in pairwise(rows):
            near = [(left, right), (left, below_left), (right, below_right)]
            near += [(left, below_right), (right, below_left)]
            assert all(one is None or one != other for one, other in near)

    def test_pins_around_a_pin_are_those_that_a_plug_may_slip_to(self):
        assert draw_harness.beside(1) == {2, 3, 4}
        assert draw_harness.beside(12) == {9, 10, 11, 13, 14}
        assert draw_harness.beside(40) == {37, 38, 39}

    @pytest.mark.parametrize(
        ("part", "colour", "fault"),
        [
            ("seat 1", "red", "only red goes to pins 2, 4"),
            ("seat 1", "orange", "only orange goes to pins 1, 17"),
            ("help", "black", "only black goes to pins 6, 9"),
            # Seat 1 is on pin 11, seat 2 below it on 13, seat 3 aslant of that on 12.
            ("seat 2", "grey", "on pin 11 and button seat 2 on pin 13"),
            ("seat 2", "yellow", "button seat 3 on pin 12 and button seat 2 on pin 13"),
            # Knob B, white on pin 10, is aslant of 11.
            ("seat 1", "white", "knob on pin 10 and button seat 1 on pin 11"),
        ],
    )
    def test_a_colour_that_misleads_is_named(self, part, colour, fault):
        faults = list(draw_harness.colour_faults(with_colour(part, colour)))
        assert any(fault in one for one in faults), faults

    def test_two_wires_of_a_cable_are_told_apart_at_its_far_end(self):
        for cable in draw_harness.cables(WIRING):
            colours = [lead.colour for lead in cable.leads]
            assert len(set(colours)) == len(colours), cable.part
        alike = replace(WIRING.display, scl_wire=WIRING.display.sda_wire)
        faults = list(draw_harness.colour_faults(replace(WIRING, display=alike)))
        assert "display has two wires of one colour" in faults

    def test_a_misleading_harness_is_not_drawn(self, tmp_path):
        assert draw_harness.harness_of(HARDWARE / "pins.toml") == WIRING
        pins = (HARDWARE / "pins.toml").read_text("utf-8")
        path = tmp_path / "pins.toml"
        path.write_text(pins.replace('wire = "grey"', 'wire = "red"', 1), "utf-8")

        with pytest.raises(draw_harness.HarnessWrong, match="choose another colour"):
            draw_harness.harness_of(path)


class TestCurrents:
    def test_a_lamp_is_bright_enough_and_asks_no_more_than_a_pin_gives(self):
        for lamp in WIRING.lamp:
            least, most = electrics.led_ma(lamp.led)
            assert least >= 2.0
            assert most <= electrics.GPIO_MA
        # White, at worst: 3.3 V less 3.0 V over 100 + 30 Ohm is 2.3 mA. Behind the
        # 330 Ohm of before it was 0.8 mA.
        assert electrics.led_ma("white")[0] == pytest.approx(2.31, abs=0.01)

    def test_a_button_shorts_no_pin(self):
        # 3.3 V over 1 kOhm.
        pressed_ma = electrics.GPIO_V / electrics.BUTTON_OHM * 1_000
        assert pressed_ma == pytest.approx(3.3)
        assert pressed_ma <= electrics.GPIO_MA

    @pytest.mark.parametrize(
        ("ohm", "ma"), [(electrics.BUTTON_OHM, 1.35), (electrics.SPI_OHM, 4.09)]
    )
    def test_5_volts_on_a_line_push_less_than_a_pin_gives_into_it(self, ohm, ma):
        # 5.25 V less 3.3 V less the 0.6 V of the pin's own diode.
        over = electrics.FIVE_V - electrics.GPIO_V - electrics.CLAMP_V
        assert over / ohm * 1_000 == pytest.approx(ma, abs=0.01)
        assert ma <= electrics.GPIO_MA

    def test_a_pressed_button_still_reads_low(self):
        # 3.3 V across 50 kOhm and 1 kOhm leaves 0.065 V at the pin.
        share = electrics.BUTTON_OHM / (electrics.BUTTON_OHM + electrics.PULL_UP_OHM)
        assert electrics.GPIO_V * share == pytest.approx(0.065, abs=0.001)
        assert electrics.GPIO_V * share < electrics.LOW_V / 10

    def test_the_buzzer_is_switched_by_little_current_and_takes_little(self):
        base_ma = (electrics.GPIO_V - electrics.BASE_V) / electrics.BASE_OHM * 1_000
        most_ma = electrics.GPIO_V / electrics.BUZZER_OHM * 1_000
        assert base_ma == pytest.approx(2.6)
        assert base_ma <= electrics.GPIO_MA
        # A BC337 amplifies 100 times and more; 13 times is enough for a shorted buzzer.
        assert most_ma == pytest.approx(33.0)
        assert most_ma / base_ma < 20

    def test_the_fuse_lasts_in_play_and_breaks_what_a_bad_contact_would_do(self):
        play, white = electrics.strip_ma(WIRING.strip)
        # 28 mA dark; four LEDs with 60 + 90 of 255 and 8 of 31, 20 mA each: 12 mA.
        assert play == pytest.approx(28 + 12.1, abs=0.1)
        assert play < electrics.FUSE_HOLD_A * 1_000 / 5
        assert white == 28 * 60 > electrics.FUSE_TRIP_A * 1_000

    def test_wires_of_the_strip_lose_little_of_what_the_fuse_lets_pass(self):
        strip = draw_harness.strip_metres(WIRING)
        ohm = 2 * strip * electrics.COPPER_OHM_MM2_M / electrics.STRIP_MM2
        # There and back 9.3 m: 0.48 Ohm.
        assert ohm == pytest.approx(0.48, abs=0.01)
        play, _ = electrics.strip_ma(WIRING.strip)
        assert ohm * play / 1_000 < 0.05


class TestThePartsList:
    @pytest.mark.parametrize(
        ("build", "wiring"), [("buttons", BUTTONS), ("full", WIRING)]
    )
    def test_it_has_each_resistor_as_often_as_it_is_wired(self, bom, build, wiring):
        names = {1_000: "Resistor 1 kohm", 330: "Resistor 330", 100: "Resistor 100"}
        wanted = electrics.resistors(wiring)
        assert set(wanted) == set(names)
        for ohm, name in names.items():
            (row,) = (row for row in bom if row["part"].startswith(name))
            assert int(row[build]) == wanted[ohm]

    @pytest.mark.parametrize(
        ("name", "buttons", "full"),
        [
            ("Transistor BC337", 1, 1),
            ("Diode 1N4148", 1, 1),
            (f"Polyfuse {electrics.FUSE_HOLD_A} A hold", 0, 1),
            (f"Capacitor {electrics.CAPACITOR_UF} uF", 0, 1),
            (f"Cable 4 x {electrics.STRIP_MM2} mm2", 0, 1),
        ],
    )
    def test_it_has_what_protects_the_pi(self, bom, name, buttons, full):
        (row,) = (row for row in bom if row["part"].startswith(name))
        assert (int(row["buttons"]), int(row["full"])) == (buttons, full)

    def test_the_capacitor_stands_more_than_5_volts(self, bom):
        (row,) = (row for row in bom if row["part"].startswith("Capacitor 470"))
        volts = int(row["part"].rpartition(",")[2].split()[0])
        assert volts >= electrics.CAPACITOR_V > electrics.FIVE_V


class TestTheDrawing:
    def test_it_is_that_of_pins_and_values(self):
        again = "run python hardware/draw_circuits.py"
        drawn = draw_circuits.TARGET.read_text("utf-8")
        assert drawn == draw_circuits.draw(WIRING), again

    def test_it_names_every_pin_and_value_of_the_two_circuits(self):
        drawn = draw_circuits.draw(WIRING)
        buzzer, strip = WIRING.buzzer, WIRING.strip
        told = re.findall(r">([^<>]+)</text>", drawn)
        for words in (
            f"3.3 V, pin {buzzer.power}", f"GPIO{buzzer.bcm}, pin {buzzer.header}",
            f"ground, pin {buzzer.ground}", f"5 V, pin {strip.power}",
            f"GPIO{strip.mosi_bcm}, pin {strip.mosi_header}",
            f"GPIO{strip.clock_bcm}, pin {strip.clock_header}",
            f"ground, pin {strip.ground}", "0.5 A", "470 µF", "100 nF", "1N4148",
        ):  # fmt: skip
            assert words in told
        # Base and bleed; buzzer and the strip's two lines; before the level shifter.
        assert [told.count(one) for one in ("1 kΩ", "100 Ω", "330 Ω")] == [2, 3, 2]

    def test_a_table_without_a_strip_has_one_circuit(self):
        drawn = draw_circuits.draw(BUTTONS)
        assert "74AHCT125" not in drawn
        assert "BC337" in drawn


class TestTheGuide:
    def test_resistors_of_the_boards_are_those_of_the_drawing(self):
        guide = (HARDWARE / "ASSEMBLY.md").read_text("utf-8")
        rows = {
            tuple(cell.strip() for cell in line.strip("|").split("|"))
            for line in guide.splitlines()
            if line.strip().startswith("|")
        }
        rows = {tuple(cell for cell in row if cell) for row in rows}
        ohms = {
            ("grey wire", "base"): electrics.BASE_OHM,
            ("orange wire (3.3 V)", "buzzer, +"): electrics.BUZZER_OHM,
            ("buzzer, +", "buzzer, -"): electrics.BLEED_OHM,
            ("green, from the Pi", "pin 2"): electrics.SPI_OHM,
            ("blue, from the Pi", "pin 5"): electrics.SPI_OHM,
            ("pin 3", "green, to the strip"): electrics.STRIP_OHM,
            ("pin 6", "blue, to the strip"): electrics.STRIP_OHM,
        }
        for (begin, end), ohm in ohms.items():
            through = f"{ohm // 1_000} kΩ" if ohm >= 1_000 else f"{ohm} Ω"
            assert any(row[-3:] == (begin, through, end) for row in rows), begin
