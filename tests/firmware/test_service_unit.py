"""What systemd is told, and the unit that asks it to watch."""

import re
import shutil
import socket
import subprocess
from configparser import ConfigParser
from pathlib import Path

import pytest

from companion.cli.ending import SWITCH_OFF_NAME
from firmware.notify import notify

UNIT = Path(__file__).parents[2] / "firmware" / "systemd" / "dragon-table.service"


@pytest.fixture
def systemd(tmp_path):
    """Return the socket on which systemd listens."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(tmp_path / "notify"))
        listener.settimeout(5.0)
        yield listener


@pytest.fixture
def unit():
    class Repeating(dict):
        """Keeps every value of a key that systemd lets stand more than once."""

        def __setitem__(self, key, value):
            if key in self and isinstance(value, list):
                self[key].extend(value)
            else:
                super().__setitem__(key, value)

    parser = ConfigParser(strict=False, dict_type=Repeating, interpolation=None)
    parser.optionxform = str
    parser.read_string(UNIT.read_text(encoding="utf-8"))
    return parser


@pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed"
)
@pytest.mark.parametrize("name", ["network", "install"])
def test_systemd_finds_the_other_units_valid(tmp_path, name):
    text = (UNIT.parent / f"dragon-table-{name}.service").read_text()
    copy = tmp_path / f"dragon-table-{name}.service"
    copy.write_text(text)
    done = subprocess.run(
        ["systemd-analyze", "verify", str(copy)],
        check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Unknown" not in done.stderr


def test_systemd_is_told_on_its_socket(systemd):
    assert notify(systemd.getsockname(), "READY=1")
    assert systemd.recv(100) == b"READY=1"


def test_an_address_without_a_file_works_too():
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        # Given no name, the kernel makes one that is on no disk.
        listener.bind("")
        name = listener.getsockname().decode()
        assert notify("@" + name[1:], "WATCHDOG=1")
        assert listener.recv(100) == b"WATCHDOG=1"


@pytest.mark.parametrize("address", [None, "", "/no/such/socket"])
def test_without_systemd_nothing_is_sent_and_nothing_fails(address):
    assert not notify(address, "READY=1")


def test_a_systemd_that_does_not_listen_does_not_stop_the_game(systemd):
    sent = 0
    while notify(systemd.getsockname(), "WATCHDOG=1") and sent < 100_000:
        sent += 1
    assert sent < 100_000


def test_the_unit_waits_for_us_and_watches_us(unit):
    service = unit["Service"]
    assert service["Type"] == "notify"
    assert int(service["WatchdogSec"]) >= 10
    assert service["SupplementaryGroups"].split() == [
        "gpio",
        "video",
        "i2c",
        "spi",
        "audio",
    ]


def test_a_start_that_fails_is_tried_again_for_as_long_as_it_takes(unit):
    # 0 switches the limit off: after six failures it would stay down until somebody
    # logs in, though its cause is gone. Source: systemd.unit(5), StartLimitIntervalSec.
    assert unit["Unit"]["StartLimitIntervalSec"] == "0"
    assert "StartLimitBurst" not in unit["Unit"]
    service = unit["Service"]
    assert service["Restart"] == "on-failure"
    assert int(service["RestartSec"]) <= 2
    assert int(service["RestartMaxDelaySec"]) <= 60


def test_the_chips_watchdog_is_fed_in_the_time_that_it_can_wait():
    conf = ConfigParser()
    conf.optionxform = str
    conf.read(UNIT.parent / "watchdog.conf", encoding="utf-8")
    # A Pi's watchdog waits 15 s and a bit: 20 bits of 1/65536 s. Source: Linux,
    # drivers/watchdog/bcm2835_wdt.c.
    assert 10 <= int(conf["Manager"]["RuntimeWatchdogSec"]) < 2**20 / 65_536


@pytest.mark.parametrize(
    ("wished", "done"), [(True, "--no-block poweroff\n"), (False, "")]
)
def test_the_pi_goes_off_only_where_the_help_button_was_held(
    unit, tmp_path, wished, done
):
    # "+" is systemd's, and so are the quotes.
    off, _ = unit["Service"]["ExecStopPost"].splitlines()
    command = off.removeprefix("+/bin/sh -c ").strip("'")
    told = tmp_path / "told"
    fake = tmp_path / "systemctl"
    fake.write_text(f'#!/bin/sh\necho "$@" > {told}\n')
    fake.chmod(0o755)
    if wished:
        (tmp_path / SWITCH_OFF_NAME).touch()
    environment = {
        "PATH": f"{tmp_path}:/usr/bin:/bin",
        "STATE_DIRECTORY": str(tmp_path),
    }

    subprocess.run(["/bin/sh", "-c", command], env=environment, check=True)

    assert (told.read_text() if told.exists() else "") == done
    # The wish is used up, or the next stop would switch off too.
    assert not (tmp_path / SWITCH_OFF_NAME).exists()


@pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed"
)
def test_systemd_finds_the_unit_valid_and_well_closed(tmp_path):
    # The program that it starts is not installed here.
    text = re.sub(r"(?m)^ExecStart=\S+", "ExecStart=/bin/true", UNIT.read_text())
    copy = tmp_path / UNIT.name
    copy.write_text(text)

    def analyse(*words: str) -> subprocess.CompletedProcess[str]:
        argv = ["systemd-analyze", *words, str(copy)]
        return subprocess.run(argv, check=False, capture_output=True, text=True)

    verified = analyse("verify")
    assert verified.returncode == 0, verified.stderr
    judged = analyse("security", "--offline=true")
    exposure = re.search(r"exposure level for .*: ([\d.]+)", judged.stdout)
    assert exposure is not None, judged.stderr
    assert float(exposure[1]) <= 3.0
