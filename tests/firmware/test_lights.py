"""Lamps burn for what a cue names, and one that fails costs only itself."""

import warnings

import pytest
from gpiozero import GPIOZeroError, SPISoftwareFallback
from msgspec.structs import replace

from firmware.lights import LAMP_LEVEL, SCENES, SEAT_BGR, Lights, strip_frame

THROW, ACT, DRAGON = 22, 23, 12


@pytest.fixture
def lights(pins, wiring):
    opened = Lights(pins, wiring)
    yield opened
    opened.close()


@pytest.fixture
def lit(pins, wiring):
    def names() -> set[str]:
        return {one.name for one in wiring.lamp if pins.factory.pin(one.bcm).state}

    return names


def test_all_lamps_are_dark_at_first(lights, lit):
    assert lit() == set()


@pytest.mark.parametrize("scene", SCENES)
def test_every_scene_lights_its_own_lamps_and_no_other(lights, lit, scene):
    lights.show(frozenset({"ask"}))
    lights.show(SCENES[scene])
    assert lit() == SCENES[scene]


def test_every_lamp_of_a_scene_is_wired(wiring):
    wired = {lamp.name for lamp in wiring.lamp}
    assert frozenset().union(*SCENES.values()) == wired


def test_a_lit_lamp_is_dimmed_so_that_it_does_not_dazzle(lights, pins):
    lights.show(frozenset({"throw"}))
    assert pins.factory.pin(THROW).state == LAMP_LEVEL


def test_a_lamp_that_is_not_there_is_skipped(lights, lit):
    lights.show(frozenset({"throw", "no such lamp"}))
    assert lit() == {"throw"}


def test_lamps_that_shine_into_the_tray_can_be_left_alone(lights, lit):
    lights.show(frozenset({"dragon", "act"}), tray=False)
    assert lit() == {"act"}
    lights.show(frozenset({"dragon"}))
    lights.show(frozenset({"act"}), tray=False)
    assert lit() == {"act", "dragon"}


def test_a_lamp_that_fails_costs_only_itself(lights, lit, pins, monkeypatch):
    def fail(value):
        raise GPIOZeroError("no more")

    monkeypatch.setattr(pins.factory.pin(THROW), "_set_state", fail)
    lights.show(frozenset({"throw", "act"}))
    lights.show(frozenset({"throw", "ask"}))
    assert lit() == {"ask"}
    (found,) = lights.findings()
    assert "lamp throw on GPIO22 (header pin 15) is left out: no more." in str(found)


def test_a_lamp_whose_pin_is_taken_is_left_out_and_named(pins, wiring, lights, lit):
    second = Lights(pins, wiring)
    assert len(second.findings()) == len(wiring.lamp)
    second.show(frozenset({"throw"}))
    assert lit() == set()


def test_the_strip_is_sent_the_seat_whose_turn_it_is_once(lights, wiring):
    lights.show(frozenset(), seat=2)
    assert lights.strip_bus.frame == strip_frame(wiring.strip, 2)
    lights.strip_bus.frame = []
    lights.show(frozenset({"ask"}), seat=2)
    assert lights.strip_bus.frame == []
    lights.show(frozenset(), seat=None)
    assert lights.strip_bus.frame == strip_frame(wiring.strip, None)


def test_the_strip_rests_while_the_camera_reads(lights):
    lights.show(frozenset(), seat=2, tray=False)
    assert lights.strip_bus.frame == []


def test_a_pi_sends_to_the_strip_over_its_bus(pins, wiring, monkeypatch):
    sent = []

    class Bus:
        transfer = staticmethod(sent.append)

        def close(self):
            sent.append("closed")

    monkeypatch.setattr(pins.factory, "spi", lambda port, device: Bus())
    lights = Lights(replace(pins, simulated=False), wiring)
    lights.show(frozenset(), seat=1)
    lights.close()
    frames = [strip_frame(wiring.strip, 1), strip_frame(wiring.strip, None)]
    assert sent == [*frames, "closed"]


def test_a_pi_whose_bus_is_switched_off_is_told_so(pins, wiring, monkeypatch, lit):
    def fall_back(port, device):
        warnings.warn(SPISoftwareFallback("no /dev/spidev0.0"), stacklevel=1)

    monkeypatch.setattr(pins.factory, "spi", fall_back)
    lights = Lights(replace(pins, simulated=False), wiring)
    (found,) = lights.findings()
    assert "LED strip on GPIO10 (header pin 19) is left out" in found.evidence
    assert "switch SPI on with raspi-config" in found.evidence
    lights.show(frozenset({"ask"}), seat=1)
    assert lit() == {"ask"}
    lights.close()


def test_a_strip_that_fails_leaves_the_lamps(lights, lit, monkeypatch):
    def fail(frame):
        raise OSError("bus gone")

    monkeypatch.setattr(lights.strip_bus, "transfer", fail)
    lights.show(frozenset({"ask"}), seat=1)
    lights.show(frozenset({"act"}), seat=2)
    assert lit() == {"act"}
    assert "bus gone" in str(lights.findings()[0])


def test_a_frame_lights_the_four_leds_of_a_seat_and_ends_with_enough_clocks(wiring):
    frame = strip_frame(wiring.strip, 6)
    leds = [tuple(frame[4 + 4 * n : 8 + 4 * n]) for n in range(28)]
    assert frame[:4] == [0, 0, 0, 0]
    assert all(led == (0xE0, 0, 0, 0) for led in leds[:24])
    assert all(led[0] > 0xE0 and led[1:] == SEAT_BGR for led in leds[24:])
    assert len(frame[4 + 4 * 28 :]) * 8 * 2 >= 28


def test_closing_darkens_everything(pins, wiring, lit):
    lights = Lights(pins, wiring)
    lights.show(frozenset({"throw"}), seat=1)
    lights.close()
    assert lit() == set()


def test_a_board_that_is_gone_does_not_keep_the_rest_from_closing(
    pins, wiring, monkeypatch
):
    def gone(*_):
        raise GPIOZeroError("chip gone")

    lights = Lights(pins, wiring)
    monkeypatch.setattr(pins.factory.pin(THROW), "close", gone)
    lights.close()
    again = Lights(pins, wiring)
    assert again.findings() == ()
    again.close()
    monkeypatch.undo()
