"""We choose the pins ourselves, name them, and say so when they are not real."""

import sys
from types import ModuleType

import pytest
from gpiozero import Device, GPIOZeroError
from gpiozero.pins.mock import MockFactory, MockPWMPin

from firmware.finding import Finding, Level
from firmware.pins import open_part, open_pins


class LgpioError(Exception):
    """Like lgpio's own: neither a GPIOZeroError nor an OSError."""


@pytest.fixture
def lgpio_installed(monkeypatch):
    module = ModuleType("lgpio")
    module.error = LgpioError
    monkeypatch.setitem(sys.modules, "lgpio", module)


def test_a_computer_that_is_no_pi_gets_simulated_pins_without_a_fuss(no_pi):
    pins = open_pins(model_path=no_pi)
    assert (pins.name, pins.simulated, pins.on_a_pi) == ("simulated", True, False)
    assert pins.trouble is None


def test_a_pi_gets_its_own_pins(pi_model):
    factory = MockFactory(pin_class=MockPWMPin)
    pins = open_pins(model_path=pi_model, real_factory=lambda: factory)
    assert (pins.name, pins.simulated, pins.on_a_pi) == ("lgpio", False, True)
    assert pins.factory is factory
    assert pins.trouble is None


def test_a_pi_without_lgpio_is_in_trouble_and_told_the_remedy(pi_model):
    pins = open_pins(model_path=pi_model)
    assert pins.simulated
    assert "Raspberry Pi 5" in pins.trouble
    assert "apt install python3-lgpio" in pins.trouble


@pytest.mark.parametrize(
    "error", [GPIOZeroError("no"), ImportError("no"), OSError("no"), LgpioError("no")]
)
def test_whatever_the_pins_raise_leaves_a_table_that_runs(
    lgpio_installed, pi_model, error
):
    def fail():
        raise error

    pins = open_pins(model_path=pi_model, real_factory=fail)
    assert pins.simulated
    assert "(no)" in pins.trouble


def test_simulated_pins_that_were_asked_for_on_a_pi_are_trouble_too(pi_model):
    assert "no button or lamp works" in open_pins("mock", pi_model).trouble


def test_simulated_pins_that_were_asked_for_elsewhere_are_none(no_pi):
    assert open_pins("mock", no_pi).trouble is None


def test_real_pins_that_were_asked_for_elsewhere_are_trouble(no_pi):
    pins = open_pins("lgpio", no_pi)
    assert pins.simulated
    assert "this computer" in pins.trouble


def test_the_global_factory_of_gpiozero_is_left_alone(pi_model, no_pi):
    before = Device.pin_factory
    open_pins(model_path=no_pi)
    open_pins(model_path=pi_model)
    assert Device.pin_factory is before


def test_a_busy_pin_is_named_with_its_part_and_a_remedy(
    lgpio_installed, pi_model, wiring
):
    def busy():
        raise LgpioError("'GPIO busy'")

    pins = open_pins(model_path=pi_model, real_factory=MockFactory)
    found = open_part(pins, wiring.button[0], busy)
    assert isinstance(found, Finding)
    assert found.level is Level.FAIL
    assert "button confirm on GPIO5 (header pin 29)" in found.evidence
    assert "GPIO busy" in found.evidence
    assert "gpioinfo" in found.remedy


def test_our_own_mistakes_are_not_taken_for_a_busy_pin(pins, wiring):
    with pytest.raises(ZeroDivisionError):
        open_part(pins, wiring.lamp[0], lambda: 1 / 0)
