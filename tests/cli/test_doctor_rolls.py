"""``doctor --rolls``: people tell, the camera reads, the doctor reckons."""

import io
import json
import threading
from importlib import import_module
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.cli.rolls import open_source, try_rolls, verdict
from companion.doctor.misreads import JudgedRoll
from companion.kits.next_step import RollVerdict
from firmware.finding import Finding, Level
from vision.camera.device import DeviceFacts, StampedPicture
from vision.camera.library import LibraryMissing
from vision.drawn.dice import draw_roll
from vision.mat.lens import nominal_lens
from vision.mat.mat import MAT_A4
from vision.mat.pose import Rig
from vision.mat.rig_file import save_rig
from vision.measure.mat_pictures import pose_looking_at

# By its name: the package shows the command, not the module.
DOCTOR = import_module("companion.cli.doctor")


pytestmark = pytest.mark.slow


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """Return a way to run the doctor while *typed* is typed."""
    monkeypatch.setattr(DOCTOR, "examine", lambda *_: iter(()))

    def once(*arguments, typed=""):
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        with pytest.raises(SystemExit) as ended:
            main(("doctor", "--data", str(tmp_path / "data"), *arguments))
        told = capsys.readouterr()
        return ended.value.code or 0, told.out, told.err

    return once


@pytest.fixture(scope="module")
def throws(tmp_path_factory):
    """A folder with a 1, a 2 and a 3, in this order."""
    folder = tmp_path_factory.mktemp("throws")
    for seed, face in enumerate("123"):
        picture = draw_roll((face,), seed, (540, 960))
        cv2.imwrite(str(folder / f"{seed}.png"), picture)
    return str(folder)


def of_rolls(out):
    return next(one for one in json.loads(out) if one["id"] == "rolls")


def test_three_rolls_that_are_told_truly_are_right(run, throws):
    code, out, err = run(
        "--rolls", "3", "--camera", throws, "--json", typed="1\n2\n3\n"
    )

    found = of_rolls(out)
    assert code == 0
    assert found["level"] == "ok"
    assert found["evidence"].startswith("3 rolls: 3 right, 0 asked, 0 wrong. ")
    # None of three: 1 - 0.05 ** (1 / 3) = 0.632.
    assert "in 100 rolls in this light, at most 63;" in found["evidence"]
    assert err.count("It shows (1 to 6)") == 3
    assert {"light", "focus"} <= {one["id"] for one in json.loads(out)}


def test_a_face_that_was_taken_wrongly_fails(run, throws):
    code, out, _ = run("--rolls", "3", "--camera", throws, "--json", typed="1\n2\n4\n")

    found = of_rolls(out)
    assert code == 1
    assert found["level"] == "fail"
    assert "2 right, 0 asked, 1 wrong. About 3" in found["evidence"]
    assert found["remedy"]


def test_what_is_no_face_is_asked_again(run, throws):
    _, out, err = run("--rolls", "1", "--camera", throws, "--json", typed="9\n\n1\n")

    assert of_rolls(out)["evidence"].startswith("1 rolls: 1 right")
    assert err.count("Roll 1 of 1") == 3


@pytest.mark.parametrize(
    ("typed", "count"), [("1\n2\n", 2), ("1\n2\n3\n4\n", 3)],
    ids=["the person stops", "the folder ends"],
)  # fmt: skip
def test_fewer_rolls_than_asked_for_are_reckoned_with_all_the_same(
    run, throws, typed, count
):
    _, out, _ = run("--rolls", "10", "--camera", throws, "--json", typed=typed)

    assert of_rolls(out)["evidence"].startswith(f"{count} rolls: {count} right")


def test_no_roll_at_all_is_a_warning(run, throws):
    code, out, _ = run("--rolls", "10", "--camera", throws, "--json")

    assert code == 0
    assert of_rolls(out)["evidence"] == "No die was rolled."


def test_a_camera_that_is_not_there_is_a_warning_with_what_to_do(run, tmp_path):
    code, out, _ = run("--rolls", "10", "--camera", str(tmp_path / "none"), "--json")

    assert code == 0
    assert of_rolls(out)["level"] == "warn"
    assert "is no folder" in of_rolls(out)["evidence"]
    assert "--camera" in of_rolls(out)["remedy"]


def test_one_part_is_all_that_is_spoken_of(run):
    _, out, _ = run("--hardware", "buttons", "--json")
    # Here the pins are simulated, and no roll is asked for.
    assert [one["id"] for one in json.loads(out)] == ["trial"]


def test_a_part_that_nobody_knows_is_named(run):
    code, _, err = run("--hardware", "wings")
    assert code == 2
    assert "'wings' is not one of" in err


def test_hardware_ends_with_ten_rolls_even_where_pins_are_simulated(run, throws):
    _, out, err = run("--hardware", "--camera", throws, "--json", typed="1\n2\n3\n")

    assert [one["id"] for one in json.loads(out)][-4:] == [
        "trial", "rolls", "light", "focus",
    ]  # fmt: skip
    assert "Roll 1 of 10" in err


def test_without_it_nobody_is_asked_anything(run):
    _, _, err = run("--json")
    assert err == ""


def test_without_a_running_table_one_picture_tells_of_light_and_focus(run, throws):
    _, out, err = run("--camera", throws, "--json")

    found = {one["id"]: one for one in json.loads(out)}
    assert {"light", "focus"} <= set(found)
    assert "burnt out" in found["light"]["evidence"]
    assert err == ""


def test_a_camera_that_gives_no_picture_is_a_warning(run, tmp_path):
    _, out, _ = run("--camera", str(tmp_path / "none"), "--json")

    (found,) = (one for one in json.loads(out) if one["id"] == "picture")
    assert found["level"] == "warn"
    assert "--camera" in found["remedy"]


@pytest.mark.parametrize("rolls", [(), ("--rolls", "10")])
def test_a_driver_that_breaks_in_its_own_way_hides_nothing_else(
    run, monkeypatch, rolls
):
    def broken(*_):
        raise TypeError("an integer is required")

    monkeypatch.setattr(DOCTOR, "open_source", broken)

    _, out, err = run("--camera", "0", *rolls, "--json")

    found = {one["id"]: one for one in json.loads(out)}
    told = found["rolls" if rolls else "picture"]
    assert "an integer is required" in told["evidence"]
    assert {"wiring", "pins"} <= set(found)
    assert "Traceback" not in err


def test_the_first_webcam_looks_where_no_camera_module_can(tmp_path):
    def broken():
        raise LibraryMissing("it does not load", "do this", installed=True)

    def library(*found):
        info = SimpleNamespace(global_camera_info=lambda: list(found))
        return lambda: SimpleNamespace(Picamera2=info)

    usb = {"Model": "C270", "Id": "/base/scb/pcie/usb@0,0-1.3:1.0-046d:0825"}
    module = {"Model": "imx708", "Id": "/base/soc/i2c0mux/i2c@1/imx708@1a"}

    assert DOCTOR.camera_at(broken, lambda: ()) is None
    assert DOCTOR.camera_at(broken, lambda: ("2", "10")) == "2"
    assert DOCTOR.camera_at(library(usb), lambda: ("0",)) == "0"
    assert DOCTOR.camera_at(library(usb, module), lambda: ("0",)) == "pi"


def test_a_running_table_keeps_its_camera(run, monkeypatch):
    running = Finding("port", Level.OK, "Dragon Table answers on port 8000.")
    monkeypatch.setattr(DOCTOR, "examine", lambda *_: iter((running,)))

    code, out, err = run("--rolls", "10")

    assert (code, out) == (2, "")
    assert "systemctl stop dragon-table" in err


class Camera:
    """A live camera whose first pictures after a roll are from before it."""

    def __init__(self):
        self.shots = 0
        self.closed = False

    def shoot(self):
        self.shots += 1
        return StampedPicture(np.full((2, 2, 3), self.shots, np.uint8), None)

    def facts(self):
        return DeviceFacts("MJPG, 1280x720, 30 pictures a second")

    def close(self):
        self.closed = True


def test_a_live_camera_warms_up_lets_old_pictures_pass_and_is_closed(monkeypatch):
    camera = Camera()
    monkeypatch.setattr("companion.cli.rolls.device", lambda *_: lambda: camera)

    with open_source("0") as shots:
        one, other = shots()

    # 15 to warm up, 4 from the driver's buffers, then the two of a stillness.
    assert (one[0, 0, 0], other[0, 0, 0]) == (20, 21)
    assert camera.closed


@pytest.mark.parametrize("rolls", [(), ("--rolls", "1")], ids=["a look", "rolls"])
@pytest.mark.parametrize(
    ("kept", "focus_mm"),
    [("a rig", pytest.approx(470.3)), ("no rig", None), ("nothing", None)],
)
def test_the_lens_is_focused_by_the_height_that_was_calibrated(
    run, monkeypatch, tmp_path, rolls, kept, focus_mm
):
    (tmp_path / "data").mkdir()
    if kept == "a rig":
        lens = nominal_lens("module3wide", (1296, 2304))
        rig = Rig(lens, pose_looking_at((148.5, 105.0), 470.3), MAT_A4, (), 0.0)
        save_rig(rig, tmp_path / "data" / "rig.json")
    elif kept == "no rig":
        (tmp_path / "data" / "rig.json").write_bytes(b"{")
    asked = []

    def device(camera, pictures_a_second, height_mm):
        asked.append((camera, height_mm))
        return Camera

    monkeypatch.setattr("companion.cli.rolls.device", device)

    run("--camera", "pi", *rolls, "--json", typed="")

    assert asked == [("pi", focus_mm)]


def test_a_camera_that_is_pulled_meanwhile_is_a_warning(run, monkeypatch):
    class Pulled(Camera):
        def shoot(self):
            if self.shots == 15:
                raise OSError("no such device")
            return super().shoot()

    monkeypatch.setattr("companion.cli.rolls.device", lambda *_: Pulled)

    code, out, _ = run("--rolls", "10", "--camera", "0", "--json", typed="1\n")

    assert code == 0
    assert of_rolls(out)["evidence"] == "No roll was read: no such device."


def test_a_live_camera_tells_its_mode_and_whether_red_comes_out_red(run, monkeypatch):
    monkeypatch.setattr("companion.cli.rolls.device", lambda *_: Camera)

    _, out, _ = run("--camera", "0", "--json")

    found = {one["id"]: one for one in json.loads(out)}
    assert found["mode"]["evidence"] == "MJPG, 1280x720, 30 pictures a second."
    # A picture of one grey, without a mat: nothing tells.
    assert found["colours"]["level"] == "warn"
    assert found["colours"]["evidence"].startswith("Not known")


def test_a_driver_that_hangs_does_not_keep_the_doctor(run, monkeypatch):
    ends = threading.Event()

    class Hanging(Camera):
        def shoot(self):
            ends.wait(10)
            raise OSError("the test is over")

    monkeypatch.setattr("companion.cli.rolls.device", lambda *_: Hanging)
    monkeypatch.setattr(DOCTOR, "LIMIT_S", 0.05)

    _, out, _ = run("--camera", "0", "--json")
    ends.set()

    (found,) = (one for one in json.loads(out) if one["id"] == "picture")
    assert "did not answer" in found["evidence"]
    assert found["remedy"]


def test_many_questions_are_a_warning_and_no_failure():
    right, asked = (
        JudgedRoll(RollVerdict.RIGHT, 0.0),
        JudgedRoll(RollVerdict.ASKED, 0.0),
    )

    assert verdict([right] * 7 + [asked] * 3).level is Level.OK
    found = verdict([right] * 6 + [asked] * 4)
    assert found.level is Level.WARN
    assert "Less than 1 misread in 100 rolls" in found.evidence
    assert "about 40 of 100 are asked" in found.evidence


def test_people_say_what_it_shows_before_they_hear_what_was_read(throws):
    heard = []

    def ask(question):
        heard.append("asked")
        return "1"

    with open_source(throws) as shots:
        list(try_rolls(1, shots, ask, heard.append))

    assert heard == ["asked", "  right"]
