"""The guide says what pins.toml, bom.csv and the sizes of the parts say."""

import csv
import re
from math import hypot
from pathlib import Path

import click
import pytest

from companion.cli import commands
from companion.cli.first_start import RIG_NAME
from firmware.wiring import read_wiring, wiring_path
from hardware import draw_harness
from hardware.cad.made import read_made
from hardware.cad.sizes import cable_needed, lens_height, read_sizes, rod_length
from hardware.draw_wiring import POWER
from vision.mat.lens import CAMERAS
from vision.mat.mat import MAT_A3, MATS
from vision.mat.overlay import GRID_MM

HARDWARE = Path(__file__).parents[2] / "hardware"
GUIDE = (HARDWARE / "ASSEMBLY.md").read_text("utf-8")
SIZES = read_sizes()
WIRING = read_wiring(wiring_path())
BUILDS = ("camera", "buttons", "full")


@pytest.fixture(scope="module")
def bom():
    with (HARDWARE / "bom.csv").open(encoding="utf-8", newline="") as file:
        return {row["part"]: row for row in csv.DictReader(file)}


def rows(head):
    """Return the cells of the table that begins with *head*."""
    lines = iter(GUIDE.splitlines())
    for line in lines:
        if line.startswith(head):
            break
    next(lines)
    found = []
    for line in lines:
        if not line.startswith("|"):
            return found
        found.append([cell.strip() for cell in line.strip("|").split("|")])
    return found


def section(number):
    """Return the text of a step of the guide."""
    return GUIDE.partition(f"\n## {number}. ")[2].partition("\n## ")[0]


class TestTheParts:
    def test_every_printed_part_is_in_the_list_with_its_count(self):
        told = {name: (int(a4), int(a3)) for name, a4, a3 in rows("| part |")}

        one_each = {made.name: (1, 1) for made in read_made().part}
        sections = (SIZES.mast.sections["A4"], SIZES.mast.sections["A3"])
        # Deep boards and desk arms have parts of their own.
        others = {"extension": (0, 0), "plate": (0, 0)}
        in_boxes = {name for name, _, _ in rows("| box |")}
        one_each = {n: one for n, one in one_each.items() if n not in in_boxes}
        assert told == one_each | {"section": sections} | others

    def test_every_box_is_in_the_guide_as_often_as_it_is_built(self):
        seats = len(WIRING.seats)
        told = {name: (int(few), int(all_)) for name, few, all_ in rows("| box |")}
        assert told == {
            "console": (1, 1), "console-lid": (1, 1),
            "pod": (seats, seats), "pod-lid": (seats, seats),
        }  # fmt: skip

    def test_every_screw_is_in_the_parts_list_as_often_as_an_a3_mast_takes(self, bom):
        told = {name: (int(a4), int(a3)) for name, a4, a3, _ in rows("| screw |")}

        # Four more in each lid of console and pods.
        lids = dict.fromkeys(told, 0) | {"Screw M3 x 12, countersunk": 4 * 8}
        for name, (_, a3) in told.items():
            counts = [int(bom[name][build]) for build in BUILDS]
            assert counts == [a3, a3 + lids[name], a3 + lids[name]]
        assert sum(int(f) for n, _, f in rows("| box |") if n.endswith("-lid")) == 8
        kinds = ("Screw", "Wood screw", "Threaded rod", "Nut", "Washer")
        assert set(told) == {name for name in bom if name.startswith(kinds)}

    def test_a_rod_with_a_nut_at_each_end_goes_through_all_joints(self):
        told = {name: (int(a4), int(a3)) for name, a4, a3, _ in rows("| screw |")}
        assert told["Threaded rod M6, 1 m"] == told["Washer M6"] == (1, 1)
        assert told["Nut M6"] == (2, 2)
        # Two for the cradle, and no other across the mast.
        assert told["Screw M4 x 40 with nut"] == (2, 2)

        lengths = re.findall(r"(\d+) mm for (A\d)", section(4))
        assert {mat: int(long) for long, mat in lengths} == {
            mat: round(rod_length(SIZES, count))
            for mat, count in SIZES.mast.sections.items()
        }
        further = f"takes {SIZES.mast.section:.0f} mm more of the rod"
        assert further in " ".join(section(2).split())

    def test_screws_are_long_enough_and_not_too_long(self):
        mast, arm, head, tray = SIZES.mast, SIZES.arm, SIZES.head, SIZES.tray
        # Nuts are 3.2 mm (M4), 2.4 mm (M3) and 1.6 mm (M2) high: DIN 934.
        assert mast.outer + SIZES.cradle.size[2] + 3.2 <= 40
        slope = (arm.beam - arm.tip) / (SIZES.beam_end - mast.outer / 2)
        assert arm.tip + slope * max(arm.screws) + head.thick + 2.4 <= 16
        assert head.thick + head.boss + 1.0 + 1.6 <= 10
        assert tray.base < 12 < tray.base + tray.pilot_deep
        # Through the cover and the Pi's board of 1.4 mm, five or more into the cradle.
        in_cradle = 30 - SIZES.cover.tall - 1.4
        assert 5.0 <= in_cradle <= SIZES.cradle.boss + SIZES.cradle.size[2]
        # Arm and extension; extension and head.
        bar = SIZES.extension.thick
        told = section(5)
        assert "two M3 x 30" in told
        assert arm.tip + slope * max(arm.screws) + bar + 2.4 <= 30
        assert "two M3 x 20" in told
        assert bar + head.thick + 2.4 <= 20

    def test_the_plastic_of_the_parts_list_is_enough_for_solid_parts(self, bom):
        mast = {name: int(a3) for name, _, a3 in rows("| part |")}
        boxes = {name: int(full) for name, _, full in rows("| box |")}
        (spool,) = (name for name in bom if name.startswith("PLA"))
        kg = float(re.search(r"(\d+) kg", spool)[1])
        for build, counts in (("camera", mast), ("full", mast | boxes)):
            mm3 = sum(m.volume * counts.get(m.name, 0) for m in read_made().part)
            assert mm3 * 1.24e-6 < kg * int(bom[spool][build])  # 1.24 g/cm3

    def test_the_felt_of_the_parts_list_is_large_enough_and_as_thick(self, bom):
        wide, high = SIZES.tray.felt_size
        assert f"felt to {wide:.0f} x {high:.0f} mm" in section(3)

        (felt,) = (name for name in bom if name.startswith("Felt"))
        thick, across, along = map(float, re.findall(r"\d+", felt))
        assert thick == SIZES.tray.felt
        assert across >= wide
        assert along >= high

    def test_the_board_carries_foot_and_mat(self):
        boards = re.findall(r"(\d+) x (\d+) mm for (A\d)", GUIDE)
        boards += re.findall(r"(\d+) x (\d+) mm for (A3)", GUIDE)
        told = {mat: (int(wide), int(deep)) for wide, deep, mat in boards}

        for mat in MATS:
            behind = SIZES.foot.size[1] - SIZES.foot.front
            deep = behind + SIZES.arm.reach + mat.size_mm[1] / 2
            assert told[mat.name][0] >= mat.size_mm[0]
            assert told[mat.name][1] >= deep

    def test_heights_and_distances_are_those_of_the_sizes(self):
        told = " ".join(section(4).split())

        for mat in MATS:
            assert f"{lens_height(SIZES, mat):.0f} mm above an {mat.name} mat" in (
                told.replace("and 470 mm above", "470 mm above")
            )
        assert f"{SIZES.arm.reach:.0f} mm behind the middle of the mat" in told
        assert f"{SIZES.foot.front:.0f} mm from the mast's middle" in told
        bed = " x ".join(f"{side:.0f}" for side in SIZES.printer.bed)
        assert f"bed of {bed} mm" in section(2)

    def test_the_camera_cable_reaches(self, bom):
        (cable,) = (name for name in bom if name.startswith("Camera cable"))
        long = int(re.search(r"(\d+) mm", cable)[1])
        needed = round(cable_needed(SIZES), -1)

        assert needed + 20 <= long
        told = " ".join(section(6).split())
        assert f"is {long} mm long: {needed:.0f} mm of it" in told


class TestTheHarness:
    def test_drawing_and_table_are_those_of_the_pins(self):
        again = "run python hardware/draw_harness.py"
        drawn = (HARDWARE / "harness.svg").read_text("utf-8")
        assert drawn == draw_harness.draw(WIRING), again
        assert draw_harness.with_table(GUIDE, WIRING) == GUIDE, again

    def test_every_wire_of_the_wiring_is_in_a_cable(self):
        cables = {cable.part: cable for cable in draw_harness.cables(WIRING)}

        for one in (*WIRING.button, *WIRING.lamp):
            leads = [(lead.header, lead.colour) for lead in cables[one.part].leads]
            assert leads == [(one.header, one.wire), (one.ground, "black")]
        # Confirm, undo, next, help, seven seats, knob, five lamps, buzzer and display;
        # to the strip's board, from there to the strip, and from seat to seat.
        assert len(cables) == 11 + 1 + 5 + 2 + 3

    def test_the_parts_list_has_enough_wire_of_each_colour(self, bom):
        def metres(start):
            (name,) = (name for name in bom if name.startswith(start))
            return int(re.search(r"(\d+) m$", name)[1])

        taken = draw_harness.metres(WIRING)
        assert taken.pop("black") <= metres("Wire 0.25 mm2, black")
        assert max(taken.values()) <= metres("Ribbon cable")
        # 0.15 m to the board, 1.5 m to the first seat, six times 0.5 m between seats.
        strip = draw_harness.strip_metres(WIRING)
        assert strip == pytest.approx(4.65)
        assert strip <= metres("Cable 4 x 0.34 mm2")

    def test_cables_are_as_long_as_the_mast_wants(self):
        harness = WIRING.harness
        # Up to the lamp, 20.5 mm beyond the lens; down from the Pi and across the mat.
        assert harness.mast_mm >= cable_needed(SIZES) + SIZES.head.lamp_at
        down = SIZES.mast.section * 2 + SIZES.foot.size[2]
        across = SIZES.arm.reach + MAT_A3.size_mm[1] / 2
        assert harness.panel_mm >= down + across
        # The corner of a table of 1.2 m, from its middle.
        assert harness.seat_mm >= down + hypot(600, 600)

    def test_holes_are_as_wide_as_what_goes_in(self, bom):
        (button,) = (name for name in bom if name.startswith("Push button"))
        (wide,) = re.findall(r"(\d+) mm, momentary", button)
        assert f"holes of {wide} mm for the buttons, 5 mm for the lamps" in section(9)
        for hole in (SIZES.console.button, SIZES.pod.button):
            assert int(wide) < hole < int(wide) + 0.5
        assert 5.0 < SIZES.console.lamp < 5.5
        assert all("5 mm" in name for name in bom if name.startswith("LED 5"))
        assert 5.0 < SIZES.head.lamp < 5.5

    def test_pins_that_the_text_names_carry_what_it_says(self):
        told = " ".join(section(9).split())
        assert "pins 1, 17, 2 and 4: there are 3.3 V and 5 V" in told
        assert [POWER[pin] for pin in (1, 17, 2, 4)] == ["3.3 V"] * 2 + ["5 V"] * 2
        assert "Orange on 1 and 17, red on 2, nothing on 4." in told
        assert (WIRING.display.power, WIRING.buzzer.power) == (1, 17)
        assert WIRING.strip.power == 2
        assert f"lugs of button `{WIRING.knob.push}`" in section(10)

    def test_the_blocks_that_buttons_lacks_can_be_taken_out(self, bom, tmp_path):
        told = re.findall(r"`\[(\w+)\]`", section(8))
        blocks = re.split(r"\n(?=\[)", (HARDWARE / "pins.toml").read_text("utf-8"))
        left = [b for b in blocks if b.partition("]")[0].strip("[") not in told]
        path = tmp_path / "pins.toml"
        path.write_text("\n".join(left), "utf-8")
        wiring = read_wiring(path)

        # Three parts with a cable of their own are in the full build alone.
        assert (wiring.knob, wiring.display, wiring.strip) == (None, None, None)
        assert wiring.button == WIRING.button
        assert wiring.lamp == WIRING.lamp
        full = [
            n for n, row in bom.items() if (row["buttons"], row["full"]) == ("0", "1")
        ]
        for start in ("Rotary encoder", "OLED", "LED strip"):
            assert sum(name.startswith(start) for name in full) == 1

    def test_no_gpio_is_named_that_is_not_wired(self):
        wired = {
            lead.name for cable in draw_harness.cables(WIRING) for lead in cable.leads
        }
        assert set(re.findall(r"GPIO\d+", GUIDE)) <= wired

    def test_each_pod_has_a_plug_with_as_many_poles_as_its_cables_have_wires(self, bom):
        told = " ".join(section(8).split())
        poles = re.search(r"(\d) poles for the button, (\d) for the strip", told)
        button, strip = map(int, poles.groups())
        cables = {cable.part: cable for cable in draw_harness.cables(WIRING)}
        for one in WIRING.button:
            if one.seat is not None:
                assert len(cables[one.part].leads) == button
        for part in ("LED strip", "seat to seat"):
            (cable,) = (one for name, one in cables.items() if name.startswith(part))
            order = re.search(r"black; ((?:\w+, ){3}\w+)\.", told)[1].split(", ")
            assert {lead.colour for lead in cable.leads} == set(order)
            assert len(order) == strip
            # A bent contact joins neighbours: 5 V to ground, which the fuse survives.
            assert order.index("black") == order.index("red") + 1 == 1
        row = bom["Plugs JST SM of 2 and 4 poles with sockets, crimp set"]
        assert [row[build] for build in BUILDS] == ["0", "1", "1"]

    def test_the_strip_is_cut_into_as_many_pieces_as_seats(self, bom):
        words = {7: "seven", 4: "four"}
        strip = WIRING.strip
        pieces = f"{words[strip.seats]} pieces of {words[strip.leds_per_seat]} LEDs"
        assert pieces in section(10)
        # 30 a metre.
        assert strip.seats * strip.leds_per_seat <= 30
        assert any("30 per m, 1 m" in name for name in bom)


class TestTheGuide:
    def test_the_three_builds_are_those_of_the_parts_list(self):
        assert [row[0] for row in rows("| build |")] == list(BUILDS)
        steps = [int(n) for n in re.findall(r"^## (\d+)\. ", GUIDE, re.MULTILINE)]
        assert steps == list(range(1, 12))
        for _, told, _ in rows("| build |"):
            assert {int(n) for n in re.findall(r"\d+", told)} <= set(steps)

    def test_every_picture_and_file_that_it_names_is_there(self):
        for name in re.findall(r"\]\(([^)]+)\)", GUIDE):
            assert (HARDWARE / name).exists(), name
        for name in re.findall(r"`((?:sheets|cad|firmware)/[^`]+)`", GUIDE):
            where = HARDWARE.parent if name.startswith("firmware") else HARDWARE
            assert (where / name).exists(), name

    def test_every_step_that_builds_something_has_a_picture(self):
        # The eleventh tries what the others have built.
        for number in range(1, 11):
            assert re.findall(r"!\[[^]]+\]\([^)]+\)", section(number)), number

    def test_every_picture_of_the_steps_is_shown(self):
        shown = set(re.findall(r"\(steps/(\w+)\.png\)", GUIDE))
        assert shown == {path.stem for path in (HARDWARE / "steps").iterdir()}

    def test_the_commands_that_it_gives_exist(self):
        given = re.findall(r"dragon-table (\w+)((?: --[\w-]+(?: \w+)?)+)", GUIDE)
        assert {name for name, _ in given} == {"calibrate", "doctor"}
        for name, options in given:
            known = commands.commands[name]
            assert isinstance(known, click.Command)
            flags = {flag for each in known.params for flag in each.opts}
            assert set(re.findall(r"--[\w-]+", options)) <= flags
        assert SIZES.camera.lens in CAMERAS
        assert f"--lens {SIZES.camera.lens}" in GUIDE

    def test_what_is_calibrated_is_what_the_table_plays_by(self):
        told = " ".join(section(7).replace("\\\n", " ").split())
        unit = HARDWARE.parent / "firmware/systemd/dragon-table.service"
        # systemd makes the folder that the table is given as --data.
        assert "StateDirectory=dragon-table\n" in unit.read_text("utf-8")
        assert f"--save /var/lib/dragon-table/{RIG_NAME}" in told
        assert "sudo -u dragon" in told  # or the table could not replace the file
        (command,) = re.findall(r"dragon-table calibrate ([^`]+?) ```", told)
        known = commands.commands["calibrate"]
        flags = {flag for each in known.params for flag in each.opts}
        assert set(re.findall(r"--[\w-]+", command)) <= flags
        assert "--overlay" in flags
        assert f"the grid of {GRID_MM:.0f} mm" in told

    def test_the_test_plan_ends_with_the_test_of_the_hardware(self):
        counts = f"{len(WIRING.button)} buttons, the knob, {len(WIRING.lamp)} lamps"
        told = " ".join(section(11).split())
        assert f"each of {counts}, the strip, the buzzer and the display" in told
        assert "`doctor --rolls 10` in place of the last line" in told
        last = section(11).rpartition("```\n")[0].rpartition("```")[2]
        assert "dragon-table doctor --hardware" in last

    def test_a_pin_that_moves_makes_drawing_and_guide_stale(
        self, monkeypatch, tmp_path, capsys
    ):
        pins = (HARDWARE / "pins.toml").read_text("utf-8")
        (tmp_path / "pins.toml").write_text(pins.replace("900", "800"), "utf-8")
        guide = tmp_path / "ASSEMBLY.md"
        guide.write_text(GUIDE, "utf-8")
        monkeypatch.setattr(draw_harness, "HERE", tmp_path)
        monkeypatch.setattr(draw_harness, "GUIDES", {"en": guide})
        monkeypatch.setattr("sys.argv", ["draw_harness.py", "--check"])
        assert draw_harness.main() == 1
        assert "harness.svg, ASSEMBLY.md" in capsys.readouterr().err

        monkeypatch.setattr("sys.argv", ["draw_harness.py"])
        assert draw_harness.main() == 0
        assert "800 mm" in guide.read_text("utf-8")
        monkeypatch.setattr("sys.argv", ["draw_harness.py", "--check"])
        assert draw_harness.main() == 0
