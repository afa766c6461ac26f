"""Checks, troubleshooting and what is to be tried say what the parts say."""

import re
from pathlib import Path

import pytest

from firmware.lights import LAMP_LEVEL
from firmware.trial import PARTS
from firmware.wiring import read_wiring, wiring_path
from hardware import electrics

HARDWARE = Path(__file__).parents[2] / "hardware"
GUIDE = (HARDWARE / "ASSEMBLY.md").read_text("utf-8")
TRY = (HARDWARE / "TRY.md").read_text("utf-8")
WIRING = read_wiring(wiring_path())


def step(number):
    return GUIDE.partition(f"\n## {number}. ")[2].partition("\n## ")[0]


def checks(number):
    """Return what a step's checks should come to, by what is measured."""
    _, _, told = step(number).partition("\nCheck")
    rows = [line.strip().strip("|").split("|") for line in told.splitlines()]
    return {row[0].strip(): row[1].strip() for row in rows if len(row) == 2}


def range_of(text):
    low, high = re.match(r"([\d.]+) to ([\d.]+) V", text).groups()
    return float(low), float(high)


class TestChecks:
    @pytest.mark.parametrize("number", range(3, 11))
    def test_every_step_that_joins_something_ends_with_one(self, number):
        if number != 6:  # what comes of the Pi is seen at its first start
            assert "\nCheck" in step(number)

    def test_every_kind_of_part_is_tried_when_it_was_built(self):
        tried = re.findall(r"`--hardware (\w+)`", step(9) + step(10))
        assert set(tried) == set(PARTS)
        assert len(tried) == len(PARTS)
        assert "--hardware buttons" in step(8)

    def test_a_button_shows_its_resistor(self):
        assert checks(8)["coloured and black plug of a button"] == (
            f"open; {electrics.BUTTON_OHM // 1_000} kΩ while it is pressed"
        )

    @pytest.mark.parametrize(
        ("row", "colours"),
        [
            ("across the resistor of a lit red or amber lamp", ("red", "amber")),
            ("across the resistor of a lit white or green lamp", ("white", "green")),
        ],
    )
    def test_a_lamp_has_the_voltage_that_its_resistor_gives(self, row, colours):
        low, high = range_of(checks(9)[row])
        for colour in colours:
            # A meter shows the mean of a lamp that is on for 0.6 of the time: for red
            # 3.06 mA x 330 Ohm x 0.6 is 0.61 V, for white 2.31 mA x 100 Ohm x 0.6 is
            # 0.14 V.
            volts = [
                ma / 1_000 * electrics.LED_OHM[colour] * LAMP_LEVEL
                for ma in electrics.led_ma(colour)
            ]
            assert low - 0.01 <= volts[0] <= volts[1] <= high + 0.01
        assert {lamp.led for lamp in WIRING.lamp} <= {"red", "amber", "white", "green"}

    def test_voltages_of_the_header_are_those_of_its_pins(self):
        assert range_of(checks(9)["pins 1 and 17, before anything is plugged"]) == (
            pytest.approx((electrics.GPIO_V - 0.1, electrics.GPIO_V + 0.1))
        )
        assert range_of(checks(9)["pins 2 and 4"]) == (4.75, electrics.FIVE_V)
        assert checks(10)["red of the strip to black, Pi on"] == "4.75 to 5.25 V"

    def test_the_strips_board_is_measured_by_its_resistors(self):
        told = checks(10)
        into = told["green plug to pin 2, blue plug to pin 5"]
        assert into == f"{electrics.SPI_OHM} Ω"
        out = told["pin 3 to green of the strip, pin 6 to blue"]
        assert out == f"{electrics.STRIP_OHM} Ω"


class TestTroubleshooting:
    def test_each_row_has_what_is_seen_why_and_what_to_do(self):
        _, _, told = GUIDE.partition("\n## When something does not work\n")
        rows = [
            [cell.strip() for cell in line.strip("|").split("|")]
            for line in told.splitlines()
            if line.startswith("| ")
        ]
        assert len(rows) > 20
        assert all(len(row) == 3 and all(row) for row in rows)

    def test_settings_that_it_names_are_there(self):
        assert "`clicks = 2` under `[knob]`" in GUIDE
        assert '`chip = "sh1106"` under `[display]`' in GUIDE
        assert "`address` under `[display]`" in GUIDE
        assert WIRING.knob.clicks == 1
        assert WIRING.display.chip == "ssd1306"
        assert f"shows {WIRING.display.address:x} or" in GUIDE


class TestWhatIsToBeTried:
    def test_each_has_a_step_and_what_is_expected(self):
        rows = re.findall(r"^\| (\d+) \| (.+) \| (.+) \|$", TRY, re.MULTILINE)
        assert [int(number) for number, _, _ in rows] == list(range(1, len(rows) + 1))
        assert len(rows) > 25

    def test_files_that_it_names_are_there(self):
        named = re.findall(r"`(?:sudo |sh )?(firmware/\S+?)`", TRY)
        assert named
        for name in named:
            assert (HARDWARE.parent / name).exists()
        scripts = re.findall(r"/opt/dragon-table/(\w+\.sh)", TRY)
        assert all(
            (HARDWARE.parent / "firmware/pi" / name).exists() for name in scripts
        )

    def test_the_readme_leads_to_it(self):
        assert "(TRY.md)" in (HARDWARE / "README.md").read_text("utf-8")


@pytest.mark.parametrize("name", sorted(one.name for one in HARDWARE.glob("*.md")))
def test_every_row_of_a_page_belongs_to_a_table(name):
    """After an empty line a table needs its head again, or rows are shown as text."""
    lines = (HARDWARE / name).read_text("utf-8").splitlines()
    for before, line, after in zip(["", *lines], lines, [*lines[1:], ""], strict=False):
        if line.startswith("|") and not before.startswith("|"):
            assert after.startswith("|--"), line
