"""Lamps burn for what a cue names, and one that fails costs only itself."""

import warnings

import pytest
from gpiozero import GPIOZeroError, SPISoftwareFallback
from msgspec.structs import replace

from firmware.lights import (
    LAMP_LEVEL,
    SCENES,
    SEAT_BGR,
    STRIP_LEVEL,
    Lights,
    strip_frame,
)

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


def word(seat, led):
    """Return the 32 bits that a seat's LED should get."""
    lit = (0xE0 | STRIP_LEVEL, *SEAT_BGR)
    return bits(lit if led // 4 == seat else (0xE0, 0, 0, 0))


def bits(frame):
    return "".join(f"{byte:08b}" for byte in frame)


def shown(frame, led, clocks_late):
    """Return the word that an LED shows when a frame is over, None for the old one.

    Each LED passes data on half a clock late, so LED 5 sees it two and a half later. It
    knows the start by 32 zero bits and takes the word of its place after them. An
    APA102 shows it at once (*clocks_late* None); an SK9822 waits for 32 zero bits
    again, and so many clocks more.
    """
    seen = bits(frame)[: len(frame) * 8 - (led + 1) // 2]
    begin = seen.find("0" * 32) + 32 + 32 * led
    mine = seen[begin : begin + 32]
    if len(mine) < 32:
        return None
    if clocks_late is None:
        return mine
    after = seen.find("0" * 32, begin + 32)
    return mine if after >= 0 and after + 32 + clocks_late <= len(seen) else None


@pytest.mark.parametrize("clocks_late", [None, 1], ids=["APA102", "SK9822"])
@pytest.mark.parametrize("seats", [1, 2, 4, 7, 8, 16])
def test_either_chip_shows_a_frame_when_it_is_over(wiring, seats, clocks_late):
    strip = replace(wiring.strip, seats=seats)
    for seat in (None, 0, seats - 1):
        frame = strip_frame(strip, seat)
        for led in range(4 * seats):
            assert shown(frame, led, clocks_late) == word(seat, led)


def test_without_zeros_at_the_end_an_sk9822_would_still_show_the_seat_before(wiring):
    frame = strip_frame(wiring.strip, 6)
    # 4 zero bytes, 28 words, and the half clock of each LED: what an APA102 needs.
    before = frame[: 4 + 4 * 28 + 2]
    assert shown(before, 27, None) == word(6, 27)
    assert shown(before, 27, 1) is None


def test_a_frame_is_byte_for_byte_what_the_data_sheets_say(wiring):
    two = replace(wiring.strip, seats=2, leds_per_seat=1)
    # Start; dark; brightness 8 of 31, blue 0, green 60, red 90; 32 zero bits for the
    # SK9822, and a byte of clocks for two LEDs.
    lit = [0xE8, 0, 60, 90]
    end = [0, 0, 0, 0, 0]
    assert strip_frame(two, 1) == [0, 0, 0, 0, 0xE0, 0, 0, 0, *lit, *end]
    assert strip_frame(two, 0) == [0, 0, 0, 0, *lit, 0xE0, 0, 0, 0, *end]


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
