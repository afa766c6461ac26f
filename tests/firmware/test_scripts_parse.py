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
    "hostname": str, "timezone": str, "locale": str, "ssh_pwauth": bool, "users": list,
    "package_update": bool, "packages": list, "runcmd": list,
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

    def test_ends_with_the_installation_that_the_makefile_has(self, card):
        copy, make = card["runcmd"]
        assert make == "make -C /opt/dragon-table-source pi-install"
        assert copy.split()[-1] == "/opt/dragon-table-source"
        assert re.search(
            r"^pi-install:", (PROJECT / "Makefile").read_text(), re.MULTILINE
        )
        assert "make" in card["packages"]

    def test_its_user_may_do_what_the_service_may(self, card):
        unit = configparser.ConfigParser(strict=False, interpolation=None)
        unit.optionxform = str
        unit.read(FIRMWARE / "systemd" / "dragon-table.service", encoding="utf-8")
        groups = set(unit["Service"]["SupplementaryGroups"].split())

        (user,) = card["users"]
        assert groups < set(user["groups"])

    def test_lets_nobody_in_by_a_password(self, card):
        (user,) = card["users"]
        assert card["ssh_pwauth"] is False
        assert not {"passwd", "plain_text_passwd", "hashed_passwd"} & set(user)

    def test_its_name_is_the_one_that_phones_open(self, card):
        guide = (PROJECT / "hardware" / "ASSEMBLY.md").read_text("utf-8")
        assert f"http://{card['hostname']}.local:8000" in guide
