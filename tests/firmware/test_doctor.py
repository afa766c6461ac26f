"""The doctor tells pins, chips, groups, buttons and lamps, each with one remedy."""

import pytest
from gpiozero import Button
from gpiozero.pins.mock import MockFactory, MockPWMPin

from firmware.doctor import check_pins, describe_pins
from firmware.finding import Level
from firmware.pins import open_pins
from firmware.wiring import wiring_path

# As Linux lists the screen; a port, as it lists that of a Pi 3 or 4.
TTY0 = "tty0                 -WU (EC p  )    4:1\n"


@pytest.fixture
def board():
    return MockFactory(pin_class=MockPWMPin)


@pytest.fixture
def on_a_pi(tmp_path, pi_model, board):
    def look(
        groups=frozenset({"gpio"}),
        chips=("gpiochip0", "gpiochip10"),
        consoles=TTY0,
    ):
        devices = tmp_path / "dev"
        devices.mkdir()
        listed = tmp_path / "consoles"
        listed.write_text(consoles)
        for chip in chips:
            (devices / chip).touch()
        found = check_pins(
            wiring_path(),
            groups,
            devices,
            lambda: open_pins(model_path=pi_model, real_factory=lambda: board),
            consoles=listed,
        )
        return {one.id: one for one in found}

    return look


def test_a_pi_in_order_is_all_ok(on_a_pi):
    found = on_a_pi()
    assert {one.level for one in found.values()} == {Level.OK}
    parts = {"buttons", "lamps", "knob-wires"}
    assert set(found) == {"wiring", "pins", "chips", "groups"} | parts
    assert "through lgpio" in found["pins"].evidence
    assert "gpiochip0, gpiochip10" in found["chips"].evidence
    assert found["buttons"].evidence == "11 of 11 buttons opened."


@pytest.mark.parametrize("port", ["ttyS0", "ttyAMA0"])
def test_a_serial_console_on_the_pins_of_the_knob_is_told(on_a_pi, port):
    found = on_a_pi(consoles=f"{port:20} -W- (EC p  a)    4:64\n{TTY0}")
    assert found["console"].level is Level.WARN
    assert f"The serial console ({port})" in found["console"].evidence
    assert "do_serial_cons 1" in found["console"].remedy


def test_the_console_of_a_pi_5_is_on_a_plug_of_its_own(on_a_pi):
    found = on_a_pi(consoles=f"ttyAMA10             -W- (EC p  a)  204:74\n{TTY0}")
    assert "console" not in found


def test_a_pi_3_or_4_whose_serial_port_is_off_has_no_console(on_a_pi):
    # Its card says console=serial0, and the kernel was started with ttyS0 and no port.
    assert "console" not in on_a_pi(consoles=TTY0)


def test_a_pin_of_the_knob_that_is_held_is_named(on_a_pi, board):
    other = Button(15, pin_factory=board)
    found = on_a_pi()
    assert "knob B on GPIO15 (header pin 10) is left out" in found["pin-15"].evidence
    assert found["knob-wires"].evidence == "1 of 2 knob wires opened."
    other.close()


def test_a_user_without_the_group_is_told_the_command(on_a_pi):
    found = on_a_pi(groups=frozenset({"users"}))["groups"]
    assert found.level is Level.FAIL
    assert "usermod -aG gpio" in found.remedy


def test_a_board_without_chips_fails(on_a_pi):
    assert on_a_pi(chips=())["chips"].level is Level.FAIL


def test_a_pin_that_another_program_holds_is_named(on_a_pi, board):
    other = Button(6, pin_factory=board)
    found = on_a_pi()
    assert "button undo on GPIO6 (header pin 31) is left out" in found["pin-6"].evidence
    assert found["buttons"].level is Level.WARN
    assert found["buttons"].evidence == "10 of 11 buttons opened."
    other.close()


def test_simulated_pins_on_a_pi_fail(pi_model):
    found = describe_pins(open_pins(model_path=pi_model))
    assert found.level is Level.FAIL
    assert found.remedy.startswith("Run `sudo apt install python3-lgpio`")


def test_simulated_pins_on_a_laptop_are_ok(no_pi):
    found = check_pins(wiring_path(), open_=lambda: open_pins(model_path=no_pi))
    assert {one.level for one in found} == {Level.OK}
    assert "Simulated pins" in found[1].evidence
    # A simulated pin always opens, and so proves nothing.
    assert [one.evidence for one in found if "opened" in one.evidence] == []
    assert found[2].evidence == "Simulated: 11 buttons, none of them was looked at."


def test_simulated_buttons_on_a_pi_are_no_good_news(pi_model):
    found = {
        one.id: one
        for one in check_pins(
            wiring_path(), frozenset(), open_=lambda: open_pins(model_path=pi_model)
        )
    }
    assert {found[id_].level for id_ in ("buttons", "lamps")} == {Level.WARN}
    assert found["buttons"].evidence.startswith("Simulated")
    assert found["buttons"].remedy


def test_real_pins_that_are_not_there_on_a_laptop_are_a_warning(no_pi):
    assert describe_pins(open_pins("lgpio", no_pi)).level is Level.WARN


def test_the_pins_of_a_running_table_are_left_to_it(board, pi_model, tmp_path):
    table = Button(6, pin_factory=board)
    found = check_pins(
        wiring_path(),
        frozenset({"gpio"}),
        tmp_path,
        lambda: open_pins(model_path=pi_model, real_factory=lambda: board),
        table_runs=True,
        consoles=tmp_path / "consoles",
    )
    # How they are, the table itself is asked (tests/doctor/test_running_table.py).
    assert [one.id for one in found] == ["wiring", "pins", "chips", "groups"]
    table.close()


def test_a_broken_file_of_pins_is_one_finding(tmp_path, no_pi):
    (found,) = check_pins(tmp_path / "pins.toml")
    assert (found.id, found.level) == ("wiring", Level.FAIL)
    assert found.remedy


def test_looking_gives_every_pin_back(on_a_pi, board):
    on_a_pi()
    Button(6, pin_factory=board).close()


def test_the_system_is_asked_for_the_groups_of_the_user(tmp_path, pi_model, board):
    found = check_pins(
        wiring_path(),
        devices=tmp_path,
        open_=lambda: open_pins(model_path=pi_model, real_factory=lambda: board),
    )
    assert "groups" in {one.id for one in found}
