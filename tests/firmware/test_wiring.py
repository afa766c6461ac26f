"""The file of pins is the only wiring, and one that contradicts itself is refused."""

from pathlib import Path

import pytest

from firmware.header import BUSES, HEADER, SERIAL
from firmware.wiring import (
    COMMON_BUTTONS,
    OPTIONAL_BUTTONS,
    OWN_FILE,
    WiringError,
    gpio_uses,
    read_wiring,
    wiring_path,
)


@pytest.fixture
def edited(tmp_path: Path):
    def edit(old: str, new: str) -> Path:
        text = wiring_path().read_text(encoding="utf-8")
        assert old in text
        path = tmp_path / "pins.toml"
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        return path

    return edit


def test_no_pin_of_the_table_is_used_twice(wiring):
    gpios = [bcm for _, bcm, _ in gpio_uses(wiring)]
    assert sorted(gpios) == sorted(set(gpios))


def test_every_gpio_has_its_own_pin_on_the_header(wiring):
    assert len(set(HEADER.values())) == len(HEADER)
    assert all(HEADER[bcm] == header for _, bcm, header in gpio_uses(wiring))


def test_buttons_and_lamps_leave_the_buses_free(wiring):
    ours = {one.bcm for one in (*wiring.button, *wiring.lamp, wiring.buzzer)}
    assert not ours & BUSES


def test_the_knob_takes_the_pins_of_the_serial_console_and_no_other_bus(wiring):
    assert {wiring.knob.a_bcm, wiring.knob.b_bcm} == SERIAL


def test_a_table_without_a_knob_is_a_table(edited):
    text = edited("[knob]", "[knob]").read_text(encoding="utf-8")
    block = text[text.index("[knob]") : text.index("# Lamps: an LED")]
    assert read_wiring(edited(block, "")).knob is None


def test_a_file_of_before_the_transistor_stays_valid(edited):
    assert read_wiring(edited("power = 17  # 3.3 V\n", "")).buzzer.power is None
    assert read_wiring(edited('chip = "ssd1306"', "")).display.chip == "ssd1306"
    wiring = read_wiring(edited("board_mm = 150\nbetween_seats_mm = 500\n", ""))
    assert wiring.harness.panel_mm == 900


def test_a_knob_makes_one_click_or_two_in_a_pulse(edited):
    assert read_wiring(edited("clicks = 1", "clicks = 2")).knob.clicks == 2
    with pytest.raises(WiringError, match="set 1 or 2"):
        read_wiring(edited("clicks = 1", "clicks = 4"))


def test_lamps_and_buzzer_are_dark_while_the_pi_starts(wiring):
    # GPIO0 to 8 are pulled high at power-up. Source: BCM2835 ARM Peripherals, p. 102.
    assert all(one.bcm > 8 for one in (*wiring.lamp, wiring.buzzer))


def test_the_table_has_its_common_buttons_and_some_for_seats(wiring):
    shared = {button.name for button in wiring.button if button.seat is None}
    assert set(COMMON_BUTTONS) <= shared <= {*COMMON_BUTTONS, *OPTIONAL_BUTTONS}
    # In the order of the seats, the first of them all there; no pin is left for more.
    assert wiring.seats == tuple(range(len(wiring.seats)))
    assert len(wiring.button) == 11


def test_a_button_that_comes_later_makes_no_file_of_before_invalid(edited, monkeypatch):
    later = (*OPTIONAL_BUTTONS, "again")
    monkeypatch.setattr("firmware.wiring.OPTIONAL_BUTTONS", later)
    # On the pin of the last seat, which gives way.
    before = read_wiring(wiring_path())
    last = f'name = "seat"\nseat = {before.seats[-1]}\n'
    after = read_wiring(edited(last, 'name = "again"\n'))

    assert after.seats == before.seats[:-1]
    assert "again" in {button.name for button in after.button}


def test_switching_off_takes_two_seconds(wiring):
    (help_button,) = [button for button in wiring.button if button.name == "help"]
    assert help_button.long_s >= 2.0


def test_an_installed_package_finds_its_own_copy(tmp_path):
    (tmp_path / "firmware").mkdir()
    packaged = tmp_path / "firmware" / "pins.toml"
    packaged.write_text("")
    none = tmp_path / "no such file"
    assert wiring_path(tmp_path / "firmware", none) == packaged
    packaged.unlink()
    in_checkout = tmp_path / "hardware" / "pins.toml"
    assert wiring_path(tmp_path / "firmware", none) == in_checkout


def test_the_owners_own_file_goes_before_the_one_that_updates_replace(tmp_path):
    own = tmp_path / "etc" / "pins.toml"
    own.parent.mkdir()
    own.write_text("")
    packaged = tmp_path / "pins.toml"
    packaged.write_text("")

    assert wiring_path(tmp_path, own) == own
    own.unlink()
    assert wiring_path(tmp_path, own) == packaged
    assert Path("/etc/dragon-table/pins.toml") == OWN_FILE


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("bcm = 6\nheader = 31", "bcm = 5\nheader = 29", "both use GPIO5"),
        ("bcm = 5\nheader = 29", "bcm = 2\nheader = 3", "belongs to I2C"),
        ("bcm = 5\nheader = 29", "bcm = 5\nheader = 31", "is header pin 29, not 31"),
        ("bcm = 5\nheader = 29", "bcm = 1\nheader = 28", "reserved"),
        ("ground = 30", "ground = 29", "is not a ground"),
        ("power = 1 ", "power = 2 ", "the display's power is on header pin 2; it take"),
        (
            "power = 17",
            "power = 4",
            "the buzzer's power is on header pin 4; it takes 3",
        ),
        (
            "power = 2 ",
            "power = 1 ",
            "the strip's power is on header pin 1; it takes 5",
        ),
        ('chip = "ssd1306"', 'chip = "ssd1331"', "Invalid enum value 'ssd1331'"),
        ('name = "confirm"', 'name = "confrim"', "button confirm is missing"),
        ('name = "throw"', 'name = "act"', "lamp act is there twice"),
        ('name = "seat"\nseat = 0', 'name = "seat"', "takes a seat number"),
        ("seat = 6", "seat = 7", "seats are 0 to 6"),
        ("a_bcm = 14\na_header = 8", "a_bcm = 8\na_header = 24", "belongs to I2C"),
        ('push = "confirm"', 'push = "seat 0"', "the knob's push is wired to seat 0"),
        ("seat = 6", "seat = 5", "button seat 5 is there twice"),
        ("bcm = 5", 'bcm = "five"', "Expected `int`"),
        ("bcm = 5", "bcn = 5", "bcn"),
        ("bcm = 5", "bcm = ", "not valid TOML"),
        ("bcm = 5", f"bcm = {'[' * 5_000}", "not valid TOML"),
        ("bcm = 5", f"bcm = {'9' * 5_000}", "not valid TOML"),
    ],
)
def test_a_wrong_entry_is_one_line_that_names_it(edited, old, new, fault):
    path = edited(old, new)
    with pytest.raises(WiringError) as caught:
        read_wiring(path)
    assert fault in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_one_line_that_says_where_to_get_one(tmp_path):
    with pytest.raises(WiringError, match="from the project"):
        read_wiring(tmp_path / "pins.toml")
