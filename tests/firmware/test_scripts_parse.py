"""No script that a maker runs has a slip of syntax, and the card's file is read whole.

cloud-init tells of a slip in its file in a log that nobody sees, on a Pi that nobody
can log in to.
"""

import configparser
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

PROJECT = Path(__file__).parents[2]
FIRMWARE = PROJECT / "firmware"
SCRIPTS = sorted([*FIRMWARE.glob("pi/*.sh"), *PROJECT.glob("tests/**/*.sh")])
CARD = FIRMWARE / "pi" / "cloud-init.yaml"

# Those that the card uses. Source: cloud-init documentation, "Module reference".
KNOWN = {
    "hostname": str, "manage_etc_hosts": bool, "timezone": str, "locale": str,
    "ssh_pwauth": bool, "users": list, "runcmd": list,
}  # fmt: skip


@pytest.fixture(scope="module")
def card():
    return yaml.safe_load(CARD.read_text("utf-8"))


def shells(path):
    """Return the shells of this computer that may run a script: sh is one of many."""
    is_bash = path.read_text("utf-8").startswith("#!/bin/bash")
    names = ("bash",) if is_bash else ("sh", "dash", "bash")
    return [name for name in names if shutil.which(name)]


def test_there_are_scripts_to_parse():
    assert {"install.sh", "back.sh", "hotspot.sh"} <= {path.name for path in SCRIPTS}


@pytest.mark.parametrize(
    ("shell", "path"),
    [(shell, path) for path in SCRIPTS for shell in shells(path)],
    ids=lambda one: one if isinstance(one, str) else one.name,
)
def test_a_script_is_read_without_complaint(shell, path):
    read = subprocess.run(
        [shell, "-n", str(path)], capture_output=True, text=True, check=False
    )
    assert (read.returncode, read.stderr) == (0, "")


@pytest.mark.parametrize(
    "path", sorted(FIRMWARE.glob("pi/*.sh")), ids=lambda path: path.name
)
def test_a_script_of_the_pi_stops_at_the_first_thing_that_fails(path):
    text = path.read_text("utf-8")
    if not text.startswith("#!"):
        return  # read in by the others
    assert re.search(r"^set -eu", text, re.MULTILINE), "set -eu is missing"


def test_a_slip_of_syntax_would_be_noticed(tmp_path):
    slip = tmp_path / "slip.sh"
    slip.write_text("if true; then\n  echo\n")

    for shell in shells(slip):
        read = subprocess.run(
            [shell, "-n", str(slip)], capture_output=True, check=False
        )
        assert read.returncode != 0


class TestTheCard:
    def test_begins_with_the_line_that_makes_it_cloud_init(self):
        # Without it the file is taken for a script, and nothing happens.
        assert CARD.read_text("utf-8").startswith("#cloud-config\n")

    def test_has_only_entries_that_cloud_init_knows_of_the_right_kind(self, card):
        assert {key: type(value) for key, value in card.items()} == KNOWN

    def test_commands_are_lines_that_a_shell_can_read(self, card):
        assert all(isinstance(line, str) for line in card["runcmd"])
        script = "\n".join(card["runcmd"])
        read = subprocess.run(["sh", "-n"], input=script, text=True, check=False)
        assert read.returncode == 0

    def test_ends_with_a_unit_that_installs_until_it_has(self, card):
        *before, enable, start = card["runcmd"]
        unit = FIRMWARE / "systemd" / "dragon-table-install.service"
        assert f"/opt/dragon-table-source/firmware/systemd/{unit.name}" in before[-2]
        assert enable == f"systemctl enable {unit.name}"
        # Not waited for: without a network it takes until there is one.
        assert start == f"systemctl start --no-block {unit.name}"
        parsed = configparser.ConfigParser(interpolation=None)
        parsed.optionxform = str
        parsed.read(unit, encoding="utf-8")
        assert parsed["Service"]["Restart"] == "on-failure"
        assert parsed["Unit"]["StartLimitIntervalSec"] == "0"
        # What the scripts make when they are done.
        assert parsed["Unit"]["ConditionPathExists"] == "!/opt/dragon-table/venv"
        script = parsed["Service"]["ExecStart"].split()[-1]
        assert (PROJECT / script.removeprefix("/opt/dragon-table-source/")).exists()

    def test_nothing_that_it_does_needs_a_network(self, card):
        # The card of a place without one must come up; only the unit may wait.
        assert not {"packages", "package_update", "package_upgrade"} & set(card)
        assert not any("apt" in line.split() for line in card["runcmd"])

    def test_its_user_may_do_what_the_service_may(self, card):
        unit = configparser.ConfigParser(strict=False, interpolation=None)
        unit.optionxform = str
        unit.read(FIRMWARE / "systemd" / "dragon-table.service", encoding="utf-8")
        groups = set(unit["Service"]["SupplementaryGroups"].split())

        (user,) = card["users"]
        assert groups < set(user["groups"])

    def test_as_it_stands_it_lets_nobody_in(self, card):
        (user,) = card["users"]
        # No hash is "!", so that no password fits.
        assert user["passwd"] == "!"
        assert user["ssh_authorized_keys"] == []
        assert not {"plain_text_passwd", "hashed_passwd"} & set(user)

    def test_its_name_is_the_one_that_phones_open(self, card):
        guide = (PROJECT / "hardware" / "ASSEMBLY.md").read_text("utf-8")
        assert f"http://{card['hostname']}.local:8000" in guide
