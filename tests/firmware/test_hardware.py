"""Pins, drawing and parts list cannot disagree."""

import csv
import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest
from msgspec.structs import replace

HARDWARE = Path(__file__).parents[2] / "hardware"
BUILDS = ("camera", "buttons", "full")


@pytest.fixture(scope="module")
def drawer() -> ModuleType:
    # hardware/ is no package: the drawing is a program.
    path = HARDWARE / "draw_wiring.py"
    spec = importlib.util.spec_from_file_location("draw_wiring", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def parts() -> list[dict[str, str]]:
    with (HARDWARE / "bom.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def signal_wires(wiring):
    knob = (wiring.knob.a, wiring.knob.b)
    return (*wiring.button, *wiring.lamp, wiring.buzzer, *knob)


def in_full_build(parts, name: str) -> int:
    return sum(int(one["full"]) for one in parts if one["part"].startswith(name))


def test_the_drawing_is_that_of_the_pins(drawer, wiring):
    drawn = (HARDWARE / "wiring.svg").read_text(encoding="utf-8")
    assert drawn == drawer.draw(wiring), "run python hardware/draw_wiring.py"


def test_every_wire_of_the_table_is_in_the_drawing(drawer, wiring):
    drawn = drawer.draw(wiring)
    for one in signal_wires(wiring):
        assert f"{one.part} · {one.wire}" in drawn


def test_a_table_without_a_knob_has_none_in_its_drawing(drawer, wiring):
    assert "knob" in drawer.draw(wiring).lower()
    assert "knob" not in drawer.draw(replace(wiring, knob=None)).lower()


def test_a_pin_that_moves_moves_in_the_drawing(drawer, wiring):
    moved = replace(wiring.lamp[0], wire="brown")
    changed = replace(wiring, lamp=(moved, *wiring.lamp[1:]))
    assert "lamp throw · brown" in drawer.draw(changed)


def test_every_wire_has_a_colour_of_the_ribbon(drawer, wiring):
    wires = {one.wire for one in signal_wires(wiring)}
    assert wires <= set(drawer.WIRE) - {"black"}


def test_the_full_build_has_as_many_parts_as_are_wired(parts, wiring):
    assert in_full_build(parts, "Push button") == len(wiring.button)
    assert in_full_build(parts, "LED 5 mm") == len(wiring.lamp)
    assert in_full_build(parts, "Piezo buzzer") == 1
    assert in_full_build(parts, "Rotary encoder") == 1
    assert in_full_build(parts, "OLED") == 1
    assert in_full_build(parts, "LED strip") == 1


def test_the_leds_have_the_colours_of_their_lamps(parts, wiring):
    for led in {lamp.led for lamp in wiring.lamp}:
        wanted = sum(lamp.led == led for lamp in wiring.lamp)
        assert in_full_build(parts, f"LED 5 mm, {led}") == wanted


def test_each_build_has_what_the_smaller_one_has(parts):
    for one in parts:
        counts = [int(one[build]) for build in BUILDS]
        assert counts == sorted(counts)
        assert int(one["count"]) == counts[-1] > 0
        assert float(one["eur_each"]) > 0
        assert one["alternative"]


def test_the_licence_names_every_file_and_folder():
    text = (HARDWARE / "LICENSE").read_text(encoding="utf-8")
    for path in HARDWARE.iterdir():
        if path.is_dir() and path.name != "__pycache__":
            assert f"{path.name}/" in text, path.name
        elif path.suffix in {".svg", ".md", ".csv", ".toml", ".html"}:
            assert path.name in text, path.name
    assert "programs that make them" in " ".join(text.split())


def test_every_price_has_the_month_in_which_it_was_estimated(parts):
    months = [one["priced"] for one in parts]
    assert all(re.fullmatch(r"20\d\d-(0[1-9]|1[0-2])", month) for month in months)
    readme = (HARDWARE / "README.md").read_text(encoding="utf-8")
    assert f"made from {min(months)} to {max(months)}" in readme


def test_the_readme_tells_what_each_build_costs(parts):
    readme = (HARDWARE / "README.md").read_text(encoding="utf-8")
    told = [int(price) for price in re.findall(r"about (\d+) €", readme)]
    costs = [
        round(sum(int(one[build]) * float(one["eur_each"]) for one in parts))
        for build in BUILDS
    ]
    assert told == costs
