"""The doctor reads any Raspberry Pi from the files of its kernel."""

import pytest

from companion.doctor.computer import THROTTLED, examine_computer, power_bits
from companion.running.power import HOT, LOW
from firmware.finding import Level

TRIXIE = 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\nVERSION_CODENAME=trixie\n'
MODEL = "proc/device-tree/model"
HEAT = "sys/class/thermal/thermal_zone0/temp"
RELEASE = "etc/os-release"
SET = "run/systemd/timesync/synchronized"

GOOD_PI = {
    MODEL: "Raspberry Pi 5 Model B Rev 1.0\0",
    RELEASE: TRIXIE,
    THROTTLED: "0\n",
    HEAT: "51540\n",
    SET: "",
    "proc/asound/cards": " 0 [UACDemo ]: USB-Audio - UACDemoV1.0\n",
}


def found(root, **changes):
    """Return the findings of a Pi whose files are the good ones, but for *changes*."""
    for name, text in (GOOD_PI | changes).items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if text is not None:
            path.write_text(text)
    return {finding.id: finding for finding in examine_computer(root)}


def test_a_good_pi_has_nothing_to_remedy_but_its_voice(tmp_path):
    findings = found(tmp_path)

    # Whether aplay and espeak-ng are installed is this computer's affair.
    levels = {id_: one.level for id_, one in findings.items() if id_ != "sound"}
    assert set(levels.values()) == {Level.OK}
    assert findings["board"].evidence == "Raspberry Pi 5 Model B Rev 1.0."
    assert findings["temperature"].evidence == "52 °C."
    assert "USB-Audio" in findings["sound"].evidence


def test_the_loudspeaker_on_usb_is_named_where_hdmi_is_the_first_card(tmp_path):
    asound = tmp_path / "proc/asound"
    (asound / "card1/pcm0p").mkdir(parents=True)
    (asound / "card1/usbid").write_text("4c4a:4155\n")
    (asound / "card1/id").write_text("UACDemo\n")
    cards = " 0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0\n"
    cards += " 1 [UACDemo        ]: USB-Audio - UACDemoV1.0\n"

    findings = found(tmp_path, **{"proc/asound/cards": cards})

    assert "UACDemoV1.0" in findings["sound"].evidence


@pytest.mark.parametrize(
    ("bits", "level", "words"),
    [
        ("50005", Level.FAIL, "now"),
        ("50000", Level.WARN, "since it was started"),
        ("1", Level.FAIL, "voltage now"),
        ("e0008", Level.WARN, "hot now"),
        ("4", Level.WARN, "slowed down now"),
        ("2", Level.WARN, "slowed down now"),
        ("e0000", Level.WARN, "heat since it was started"),
        ("", Level.OK, "does not measure"),
    ],
)
def test_too_little_voltage_is_told_now_and_since_the_start(
    tmp_path, bits, level, words
):
    power = found(tmp_path, **{THROTTLED: bits})["power"]

    assert power.level is level
    assert words in power.evidence
    assert bool(power.remedy) == (level is not Level.OK)


@pytest.mark.parametrize(
    ("heat", "level"),
    [("69900", Level.OK), ("70000", Level.WARN), ("80000", Level.FAIL)],
)
def test_heat_is_told_before_the_pi_slows_down(tmp_path, heat, level):
    assert found(tmp_path, **{HEAT: heat})["temperature"].level is level


@pytest.mark.parametrize(
    ("changes", "id_"),
    [
        ({MODEL: "Raspberry Pi Zero 2 W Rev 1.0\0"}, "board"),
        ({RELEASE: TRIXIE.replace("trixie", "bullseye")}, "system"),
        ({"proc/asound/cards": "--- no soundcards ---\n"}, "sound"),
    ],
)
def test_what_will_not_do_is_warned_of_with_a_remedy(tmp_path, changes, id_):
    finding = found(tmp_path, **changes)[id_]

    assert finding.level is Level.WARN
    assert finding.remedy


def test_a_clock_that_nobody_set_is_told(tmp_path):
    changes = {SET: None}

    assert found(tmp_path, **changes)["clock"].level is Level.WARN


def test_a_computer_that_tells_nothing_is_no_pi_and_no_trouble(tmp_path):
    findings = {finding.id: finding for finding in examine_computer(tmp_path)}

    assert "No Raspberry Pi" in findings["board"].evidence
    assert findings["power"].level is findings["temperature"].level is Level.OK


def test_what_a_running_table_was_told_before_is_not_forgotten(tmp_path):
    found(tmp_path)  # nothing now, nothing before

    (power,) = (
        one for one in examine_computer(tmp_path, past=LOW) if one.id == "power"
    )

    assert power.level is Level.WARN
    assert "voltage since it was started" in power.evidence
    # Also where the doctor itself may not read it.
    (power,) = (
        one
        for one in examine_computer(tmp_path / "none", past=LOW)
        if one.id == "power"
    )
    assert power.level is Level.WARN


@pytest.mark.parametrize(
    ("files", "bits"),
    [
        ({}, None),
        ({THROTTLED: "8\n"}, HOT),
        # A Pi 5 has addresses in the names of its folders.
        ({"sys/devices/platform/soc@107c000000/soc@107c000000:firmware/get_throttled":
          "50005"}, 0x50005),
        ({"sys/class/hwmon/hwmon1/name": "rpi_volt\n",
          "sys/class/hwmon/hwmon1/in0_lcrit_alarm": "1\n"}, LOW),
        ({"sys/class/hwmon/hwmon1/name": "rpi_volt\n",
          "sys/class/hwmon/hwmon1/in0_lcrit_alarm": "0\n"}, 0),
        ({"sys/class/hwmon/hwmon0/name": "cpu_thermal\n"}, None),
        ({THROTTLED: "no number\n"}, None),
    ],
)  # fmt: skip
def test_the_supply_is_read_where_the_kernel_tells_it(tmp_path, files, bits):
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)

    assert power_bits(tmp_path) == bits
