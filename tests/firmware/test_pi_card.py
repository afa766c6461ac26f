"""The image that a card is written with, and the backup onto a stick."""

import re

import yaml

from tests.firmware.scratch_pi import SCRIPTS, stored

# The card of a Pi, and a stick with one partition, as `lsblk --pairs` lists them.
CARD_AND_STICK = """\
NAME="/dev/mmcblk0p1" RM="0" TYPE="part" FSTYPE="vfat" MOUNTPOINT="/boot/firmware"
NAME="/dev/mmcblk0p2" RM="0" TYPE="part" FSTYPE="ext4" MOUNTPOINT="/"
NAME="/dev/sda" RM="1" TYPE="disk" FSTYPE="" MOUNTPOINT=""
NAME="/dev/sda1" RM="1" TYPE="part" FSTYPE="vfat" MOUNTPOINT=""
"""


class TestImage:
    """In a system that does not run, nothing is started and nobody is asked."""

    def test_everything_is_in_it_and_nothing_is_started(self, pi):
        done = pi.run("install", "image")

        assert done.returncode == 0, done.stderr
        assert (pi.home / "venv/bin/dragon-table").exists()
        assert (pi.home / "network.sh").exists()
        assert pi.watchdog.exists()
        assert pi.called("systemctl enable --quiet dragon-table.service")
        for started in ("systemctl restart", "systemctl daemon", "raspi-config"):
            assert not pi.called(started)

    def test_its_boards_buses_are_switched_on_and_the_serial_port_off(self, pi):
        config = pi.root / "boot/firmware/config.txt"
        config.parent.mkdir(parents=True)
        config.write_text("arm_64bit=1\n")

        pi.run("install", "image")

        told = config.read_text().splitlines()
        assert told[0] == "arm_64bit=1"
        assert {"dtparam=i2c_arm=on", "dtparam=spi=on", "enable_uart=0"} <= set(told)
        # raspi-config loads it too, or there is no /dev/i2c-1.
        modules = pi.root / "etc/modules-load.d/dragon-table.conf"
        assert modules.read_text() == "i2c-dev\n"

    def test_the_password_of_its_own_wlan_is_told_last(self, pi):
        *_, last = pi.run("install", "image").stdout.splitlines()
        (own,) = re.findall(r"HOTSPOT_PASSWORD=(\w+)", pi.settings.read_text())
        assert last.endswith(own)

    def test_another_word_is_no_order(self, pi):
        done = pi.run("install", "card")
        assert done.returncode == 2
        assert not pi.called("apt-get")

    def test_the_recipe_has_what_the_installation_asks_for(self):
        layer = yaml.safe_load((SCRIPTS / "image/layer/dragon-table.yaml").read_text())
        (asked,) = re.findall(
            r"apt-get install -qy --no-install-recommends (.*?)\n\n",
            (SCRIPTS / "install.sh").read_text(), re.DOTALL,
        )  # fmt: skip
        packages = layer["mmdebstrap"]["packages"]
        assert packages == asked.replace("\\\n", " ").split()
        hooks = layer["mmdebstrap"]["customize-hooks"]
        assert any(hook.endswith("/firmware/pi/install.sh image") for hook in hooks)

    def test_the_recipe_names_its_layer_and_the_table(self):
        text = (SCRIPTS / "image/layer/dragon-table.yaml").read_text()
        config = yaml.safe_load(
            (SCRIPTS / "image/config/dragon-table.yaml").read_text()
        )
        (name,) = re.findall(r"^# X-Env-Layer-Name: (\S+)$", text, re.M)
        assert config["layer"][-1] == name
        assert config["device"]["hostname"] == "dragon"
        # The table's WLAN and its radio.
        assert {"network-manager", "wireless-regulatory"} <= set(config["layer"])


class TestBackup:
    def test_games_and_kits_are_copied_onto_the_stick(self, pi):
        pi.play()
        (pi.data / "kits/mine").mkdir(parents=True)
        (pi.data / "pictures/game-1").mkdir(parents=True)
        stick = pi.root / "media/pi/STICK"
        stick.mkdir(parents=True)

        done = pi.run("backup", STICK=str(stick), NOW="7")

        assert done.returncode == 0, done.stderr
        assert stored(stick / "dragon-table-7/table.sqlite3") == 1
        assert (stick / "dragon-table-7/kits/mine").is_dir()
        assert (stick / "dragon-table-7/pictures/game-1").is_dir()

    def test_a_stick_that_nothing_mounted_is_mounted_and_may_be_pulled(self, pi):
        pi.play()
        stick = pi.root / "run/dragon-table-stick"

        done = pi.run("backup", DISKS=CARD_AND_STICK, NOW="7")

        assert done.returncode == 0, done.stderr
        assert stored(stick / "dragon-table-7/table.sqlite3") == 1
        calls = pi.calls.read_text().splitlines()
        mounted = calls.index(f"mount -o nosuid,nodev,noexec /dev/sda1 {stick}")
        assert calls.index(f"umount {stick}") > mounted
        assert "dragon-table-7 on the stick; you may pull it" in done.stdout

    def test_a_stick_is_let_go_of_when_the_copy_fails(self, pi):
        pi.play()
        (pi.data / "table.sqlite3").write_text("no database")
        done = pi.run("backup", DISKS=CARD_AND_STICK)

        assert done.returncode != 0
        assert pi.called("umount")

    def test_only_a_stick_is_taken_for_one(self, pi):
        pi.play()
        card, *_ = CARD_AND_STICK.splitlines(keepends=True)
        for disks in (card, CARD_AND_STICK.replace('FSTYPE="vfat" M', 'FSTYPE="" M')):
            assert "plug one in" in pi.run("backup", DISKS=disks).stderr
            assert not pi.called("mount -o")

    def test_a_stick_that_cannot_be_read_is_named(self, pi):
        pi.play()
        done = pi.run("backup", DISKS=CARD_AND_STICK, UNREADABLE="1")

        assert done.returncode == 1
        assert "the stick /dev/sda1 cannot be read" in done.stderr

    def test_without_a_stick_or_games_it_says_so(self, pi):
        assert "no games" in pi.run("backup").stderr
        pi.play()
        assert "plug one in" in pi.run("backup").stderr

    def test_nothing_is_written_over(self, pi, tmp_path):
        pi.play()
        done = pi.run("backup", str(tmp_path))

        assert done.returncode == 1
        assert "is there already" in done.stderr
