"""Installing, updating, going back, backing up and taking off, below a scratch root.

The scripts are the real ones; what would change this computer is a stub that notes how
it was called.
"""

import os
import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from companion.dashboard.door.probes import PROBES
from companion.running.wifi import Wifi, WifiFiles

ADDRESS_LINE = re.compile(r"^address=/([^/]+)/(\S+)$", re.MULTILINE)
SCRIPTS = Path(__file__).parents[2] / "firmware" / "pi"

STUBS = {
    "apt-get": "",
    "dpkg": "echo ${ARCHITECTURE-arm64}",
    "getent": "exit 2",
    "useradd": "",
    "userdel": "",
    "raspi-config": """
case $2 in
  get_wifi_country) printf "%s" "${COUNTRY-}" ;;
  do_wifi_country) [ -z "${NO_COUNTRY-}" ] ;;
esac""",
    "hostname": "echo ${HOST-raspberrypi}",
    "df": 'echo Avail; echo "${FREE_KB-9000000}"',
    "vcgencmd": 'echo "throttled=${THROTTLED-0x50000}"',
    "iw": 'printf "%s" "${PHONES-}"',
    "rfkill": "",
    "sleep": "",
    # Which level a pin has; a button that is held takes it to ground.
    "pinctrl": '[ "$1" != get ] || echo "$2: ip pu | ${LEVEL-hi} // GPIO$2 = input"',
    "systemctl": '[ "$1" != restart ] || [ -z "${BROKEN-}" ]',
    # A network comes after so many looks; the loopback is none.
    "nmcli": """
case "$*" in
  *get-values*) printf "%s\\n" "${PASSWORD-secret42}" ;;
  *STATE*)
    echo loopback:connected\\ \\(externally\\)
    echo look >> "$DESTDIR/looks"
    looks=$(wc -l < "$DESTDIR/looks")
    [ "$looks" -le "${AFTER-999}" ] || echo "${BY-wifi}:connected" ;;
esac""",
    # What it reads becomes the rules that hold; it deletes them by their name.
    "nft": """
case "$1" in
  -f) [ -z "${NO_NAT-}" ] && cat > "$DESTDIR/rules" ;;
  delete) [ -e "$DESTDIR/rules" ] && rm "$DESTDIR/rules" ;;
esac""",
    "lsblk": 'printf "%s" "${DISKS-}"',
    "mount": '[ -z "${UNREADABLE-}" ]',
    "umount": "",
    "mountpoint": '[ "$2" = "${STICK-}" ]',
    # Each update has a time of its own.
    "date": 'echo "${NOW-20260101-120000}"',
    # A venv in an instant, whose programs do what the test says.
    "python3": f"""
case "$*" in
  "-m venv"*)
    for made; do :; done
    mkdir -p "$made/bin"
    for program in pip python dragon-table; do
      printf '#!/bin/sh\\n[ %s != "${{FAILS-}}" ]\\n' $program > "$made/bin/$program"
      chmod +x "$made/bin/$program"
    done ;;
  *) exec {sys.executable} "$@" ;;
esac""",
}

# The card of a Pi, and a stick with one partition, as `lsblk --pairs` lists them.
CARD_AND_STICK = """\
NAME="/dev/mmcblk0p1" RM="0" TYPE="part" FSTYPE="vfat" MOUNTPOINT="/boot/firmware"
NAME="/dev/mmcblk0p2" RM="0" TYPE="part" FSTYPE="ext4" MOUNTPOINT="/"
NAME="/dev/sda" RM="1" TYPE="disk" FSTYPE="" MOUNTPOINT=""
NAME="/dev/sda1" RM="1" TYPE="part" FSTYPE="vfat" MOUNTPOINT=""
"""


class Pi:
    """A scratch root with the system's commands as stubs."""

    def __init__(self, folder: Path) -> None:
        self.root, self.calls = folder / "root", folder / "calls"
        self.home = self.root / "opt/dragon-table"
        self.data = self.root / "var/lib/dragon-table"
        self.unit = self.root / "etc/systemd/system/dragon-table.service"
        self.watchdog = self.root / "etc/systemd/system.conf.d/dragon-table.conf"
        self.settings = self.root / "etc/default/dragon-table"
        self._bin = folder / "bin"
        self._bin.mkdir()
        for name, body in STUBS.items():
            stub = self._bin / name
            note = f'echo {name} "$@" >> {self.calls}'
            stub.write_text(f"#!/bin/sh\n{note}\n{body}\n")
            stub.chmod(0o755)
        (self.root / "etc").mkdir(parents=True)
        self.release("trixie")

    def release(self, name: str) -> None:
        (self.root / "etc/os-release").write_text(f"VERSION_CODENAME={name}\n")

    def run(self, script: str, *arguments: str, **changes: str):
        """Run a script; return how it ended."""
        self.calls.write_text("")
        environment = {
            "PATH": f"{self._bin}:{os.environ['PATH']}",
            "DESTDIR": str(self.root),
            **changes,
        }
        return subprocess.run(
            ["sh", str(SCRIPTS / f"{script}.sh"), *arguments],
            env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip

    def install_python(self, body: str) -> None:
        """Let the table's own Python do no more than *body*."""
        program = self.home / "venv/bin/python"
        program.parent.mkdir(parents=True)
        program.write_text(f"#!/bin/sh\n{body}\n")
        program.chmod(0o755)

    def called(self, words: str) -> bool:
        return words in self.calls.read_text()

    def in_use(self) -> str:
        return (self.home / "venv").readlink().name

    def play(self) -> None:
        """Leave a store with one game in it."""
        self.data.mkdir(parents=True, exist_ok=True)
        with sqlite3.connect(self.data / "table.sqlite3") as db:
            db.execute("CREATE TABLE IF NOT EXISTS games (id TEXT)")
            db.execute("INSERT INTO games VALUES ('g')")
        db.close()


@pytest.fixture
def pi(tmp_path):
    return Pi(tmp_path)


def stored(path: Path) -> int:
    db = sqlite3.connect(path)
    (games,) = db.execute("SELECT count(*) FROM games").fetchone()
    db.close()
    return games


@pytest.mark.parametrize("release", ["bookworm", "trixie"])
def test_a_fresh_pi_gets_program_service_and_settings(pi, release):
    pi.release(release)

    done = pi.run("install")

    assert done.returncode == 0, done.stderr
    assert pi.called("--no-install-recommends python3-venv python3-picamera2")
    assert pi.called("useradd --system --user-group")
    assert pi.called("--groups gpio,video,i2c,spi,audio dragon")
    # 0 is on, 1 is off: display and strip, and no serial port on the pins of the knob.
    for wish in ("do_i2c 0", "do_spi 0", "do_serial_cons 1", "do_serial_hw 1"):
        assert pi.called(f"raspi-config nonint {wish}")
    assert pi.called("systemctl restart dragon-table.service")
    # The unit starts what the link leads to.
    assert "ExecStart=/opt/dragon-table/venv/bin/dragon-table" in pi.unit.read_text()
    assert (pi.home / "venv/bin/dragon-table").exists()
    assert "DRAGON_TABLE_CAMERA=pi" in pi.settings.read_text()
    # It is read when systemd starts anew, and the service with it.
    assert "RuntimeWatchdogSec=14" in pi.watchdog.read_text()
    calls = pi.calls.read_text()
    assert calls.index("systemctl daemon-reexec") < calls.index("systemctl restart")


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


@pytest.mark.parametrize(
    ("host", "given"), [("raspberrypi", True), ("cave-du-dragon", False)]
)
def test_phones_find_it_as_dragon_unless_its_owner_named_it(pi, host, given):
    (pi.root / "etc/hostname").write_text("dragon\n" if given else f"{host}\n")

    done = pi.run("install", HOST=host)

    assert pi.called("raspi-config nonint do_hostname dragon") is given
    assert f"http://{'dragon' if given else host}.local:8000" in done.stdout


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ("LANG=de_DE.UTF-8\n", "de_DE.UTF-8"),
        ('LANG="fr_CA.UTF-8"\nLC_TIME=C\n', "fr_CA.UTF-8"),
        (None, "fr_FR.UTF-8"),
    ],
)
def test_the_small_display_speaks_what_the_system_does(pi, locale, language):
    # cloud-init and sudo start the script without LANG.
    if locale is not None:
        (pi.root / "etc/default").mkdir()
        (pi.root / "etc/default/locale").write_text(locale)

    pi.run("install")

    assert f"\nLANG={language}\n" in pi.settings.read_text()
    assert "DRAGON_TABLE_HOTSPOT=auto" in pi.settings.read_text()


@pytest.mark.parametrize(
    ("release", "architecture", "words"),
    [
        ("bullseye", "arm64", "Bookworm and Trixie"),
        ("trixie", "armhf", "64-bit"),
    ],
)
def test_a_system_it_is_not_made_for_is_told_before_anything_is_done(
    pi, release, architecture, words
):
    pi.release(release)

    done = pi.run("install", ARCHITECTURE=architecture)

    assert done.returncode == 1
    assert words in done.stderr
    assert not pi.called("apt-get")


def test_an_update_keeps_games_settings_and_the_version_before(pi):
    pi.run("install", NOW="1")
    pi.settings.write_text("DRAGON_TABLE_CAMERA=0\n")
    pi.play()
    pi.run("install", NOW="2")
    pi.run("install", NOW="3")

    assert pi.in_use() == "3"
    assert sorted(one.name for one in (pi.home / "releases").iterdir()) == ["2", "3"]
    # All that is added is what it had not: a password for the table's own WLAN.
    camera, password = pi.settings.read_text().splitlines()
    assert camera == "DRAGON_TABLE_CAMERA=0"
    assert password.startswith("DRAGON_TABLE_HOTSPOT_PASSWORD=")
    assert stored(pi.data / "before-3/table.sqlite3") == 1


@pytest.mark.parametrize("fails", ["pip", "python", "dragon-table"])
def test_a_version_that_does_not_work_changes_nothing(pi, fails):
    pi.run("install", NOW="1")

    done = pi.run("install", NOW="2", FAILS=fails)

    assert done.returncode == 1
    assert "nothing was changed" in done.stderr
    assert pi.in_use() == "1"
    assert not (pi.home / "releases/2").exists()
    assert not pi.called("systemctl restart")


def test_a_version_that_does_not_start_gives_way_to_the_one_before(pi):
    pi.run("install", NOW="1")

    done = pi.run("install", NOW="2", BROKEN="yes")

    assert done.returncode == 1
    assert "went back to 1" in done.stderr
    assert pi.in_use() == "1"


def test_one_may_go_back_to_the_version_before_and_forth_again(pi):
    pi.run("install", NOW="1")
    assert pi.run("back").returncode == 1  # there is none

    pi.run("install", NOW="2")
    assert pi.run("back").returncode == 0
    assert pi.in_use() == "1"
    assert pi.called("systemctl restart")

    pi.run("back")
    assert pi.in_use() == "2"


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


class TestHotspot:
    def test_it_is_made_once_and_its_password_told(self, pi):
        done = pi.run("hotspot", "on", "FR")

        assert "join the WLAN 'Dragon Table' with secret42" in done.stdout
        assert pi.called("ipv4.method shared ipv4.addresses 10.42.0.1/24")
        assert pi.called("connection up dragon-table-hotspot")

    def test_its_password_is_the_one_of_the_sticker(self, pi):
        done = pi.run("install")
        kept = pi.settings.read_text()
        own = re.search(r"^DRAGON_TABLE_HOTSPOT_PASSWORD=(\w{10})$", kept, re.M)[1]
        assert f"put its password on a sticker, {own}" in done.stdout
        assert pi.settings.stat().st_mode & 0o777 == 0o600
        # An update keeps it.
        pi.run("install", NOW="2")
        assert pi.settings.read_text() == kept

        pi.run("hotspot", "on", "FR")
        assert pi.called(f"wifi-sec.psk {own}")

    def test_a_table_of_before_keeps_the_password_that_it_is_given_now(self, pi):
        # Its settings have none, and the WLAN is made anew after each start of the Pi.
        pi.run("hotspot", "on", "FR")
        (own,) = re.findall(r"^DRAGON_TABLE_HOTSPOT_PASSWORD=(\w{10})$",
                            pi.settings.read_text(), re.M)  # fmt: skip
        assert pi.called(f"wifi-sec.psk {own}")
        assert pi.settings.stat().st_mode & 0o777 == 0o600

        pi.run("hotspot", "on", "FR")
        assert pi.called(f"wifi-sec.psk {own}")

    def test_it_is_not_saved_where_netplan_would_keep_half_of_it(self, pi):
        pi.run("hotspot", "on", "FR")
        # Source: nmcli(1): "save no" and --temporary keep it in memory.
        assert pi.called("nmcli --terse connection add save no type wifi")
        assert pi.called("nmcli --terse connection modify --temporary dragon-table")

    def test_the_big_screen_may_read_it_while_it_is_on(self, pi):
        pi.run("hotspot", "on", "FR")
        told = pi.root / "run/dragon-table-hotspot.json"

        assert WifiFiles(Path("none"), told).read() == Wifi(
            "Dragon Table", "secret42", "http://10.42.0.1:8000"
        )
        assert told.stat().st_mode & 0o777 == 0o600

        pi.run("hotspot", "off")
        assert not told.exists()

    def test_a_password_with_a_quote_is_told_as_it_is(self, pi):
        pi.run("hotspot", "on", "FR", PASSWORD='se"cr\\et4')

        told = WifiFiles(Path("none"), pi.root / "run/dragon-table-hotspot.json")
        assert told.read().password == 'se"cr\\et4'

    def test_names_that_phones_probe_lead_to_the_table_while_it_is_on(self, pi):
        stay = pi.root / "etc/NetworkManager/dnsmasq-shared.d/dragon-table.conf"
        pi.run("hotspot", "on", "FR")

        led = dict(ADDRESS_LINE.findall(stay.read_text()))
        # Asked for another kind of address, the table says that there is none.
        assert set(re.findall(r"^local=/([^/]+)/$", stay.read_text(), re.M)) == set(led)
        rules = (pi.root / "rules").read_text()

        assert led.pop("dns.msftncsi.com") == "131.107.255.255"
        assert led.pop("dragon.local") == "10.42.0.1"
        assert set(led.values()) == {"10.42.0.1"}
        assert set(led) == {name for name, _ in PROBES}
        assert "ip daddr 10.42.0.1 tcp dport 80 redirect to :8000" in rules
        # The WLAN's name server reads the file as it starts.
        calls = pi.calls.read_text()
        assert calls.index("nft -f") < calls.index("connection up")

        pi.run("hotspot", "off")
        assert not stay.exists()
        assert not (pi.root / "rules").exists()

    def test_twice_on_leaves_one_redirect(self, pi):
        pi.run("hotspot", "on", "FR")
        pi.run("hotspot", "on", "FR")

        assert pi.called("nft delete table ip dragon_table")
        assert (pi.root / "rules").read_text().count("redirect") == 1

    def test_a_kernel_without_redirects_has_the_wlan_all_the_same(self, pi):
        done = pi.run("hotspot", "on", "FR", NO_NAT="1")

        assert done.returncode == 0, done.stderr
        assert pi.called("connection up")
        assert "phones may leave" in done.stdout

    def test_the_radio_is_freed_and_told_its_country_before_it_is_used(self, pi):
        pi.run("hotspot", "on", "FR")
        calls = pi.calls.read_text()
        country = calls.index("raspi-config nonint do_wifi_country FR")
        up = calls.index("nmcli --terse connection up")
        assert country < up
        assert calls.index("rfkill unblock wifi") < up

    @pytest.mark.parametrize(
        ("said", "known", "lang", "country"),
        [
            ((), "", "fr_FR.UTF-8", "FR"),
            ((), "", '"de_AT.UTF-8"', "AT"),
            ((), "CH", "fr_FR.UTF-8", None),  # it is set already
            (("BE",), "CH", "fr_FR.UTF-8", "BE"),
        ],
    )
    def test_the_country_is_that_of_the_language_where_nobody_said_one(
        self, pi, said, known, lang, country
    ):
        locale = pi.root / "etc/default/locale"
        locale.parent.mkdir()
        locale.write_text(f"LANG={lang}\n")

        done = pi.run("hotspot", "on", *said, COUNTRY=known)

        assert done.returncode == 0, done.stderr
        asked = re.findall(r"do_wifi_country (\w+)", pi.calls.read_text())
        assert asked == ([] if country is None else [country])

    def test_the_world_is_no_country(self, pi):
        pi.run("hotspot", "on", "FR", COUNTRY="00")
        assert pi.called("do_wifi_country FR")

    def test_a_country_that_cannot_be_set_does_not_keep_the_wlan_away(self, pi):
        done = pi.run("hotspot", "on", "FR", NO_COUNTRY="1")
        assert done.returncode == 0, done.stderr
        assert "FR could not be set" in done.stdout
        assert pi.called("connection up")

    def test_without_any_country_it_asks_for_one(self, pi):
        done = pi.run("hotspot", "on")
        assert done.returncode == 1
        assert "hotspot.sh on FR" in done.stderr
        assert not pi.called("connection up")

    def test_phones_are_offered_wpa2_alone_also_by_one_made_before(self, pi):
        pi.run("hotspot", "on", "FR")

        calls = pi.calls.read_text()
        # 1 is off. Source: NetworkManager, 802-11-wireless-security.pmf.
        for wish in ("proto rsn", "pairwise ccmp", "group ccmp", "pmf 1"):
            assert f"wifi-sec.{wish}" in calls
        assert calls.index("connection modify") < calls.index("connection up")

    def test_phones_that_know_no_mdns_find_the_table_by_its_name(self, pi):
        pi.run("hotspot", "on", "FR")
        told = (
            pi.root / "etc/NetworkManager/dnsmasq-shared.d/dragon-table.conf"
        ).read_text()
        assert "address=/dragon.local/10.42.0.1\n" in told
        assert "dhcp-option=114,urn:ietf:params:capport:unrestricted\n" in told

    def test_an_installed_table_makes_it_too(self, pi):
        pi.run("install")

        assert (pi.home / "phones-stay.conf").exists()

    def test_it_wants_to_know_on_or_off(self, pi):
        assert pi.run("hotspot").returncode == 2
        assert pi.run("hotspot", "off").returncode == 0


class TestLamp:
    """No page can say that there is no page."""

    @pytest.fixture
    def flashes(self, pi):
        wired = pi.root / "opt/dragon-table-source/hardware/pins.toml"
        wired.parent.mkdir(parents=True)
        shutil.copy(SCRIPTS.parents[1] / "hardware/pins.toml", wired)

        def count(*arguments, **changes):
            done = pi.run("lamp", *arguments, **changes)
            assert done.returncode == 0, done.stderr
            return pi.calls.read_text().count("pinctrl set 25 op dh\n") / 2

        return count

    @pytest.mark.parametrize(
        ("arguments", "changes", "times"),
        [
            ((), {}, 2),
            ((), {"FREE_KB": "19999"}, 3),
            # Bit 0 is now, bit 16 was since the start.
            ((), {"THROTTLED": "0x50005"}, 4),
            ((), {"THROTTLED": "error"}, 2),
            (("install",), {}, 5),
            (("install",), {"AFTER": "0"}, 2),
            (("install",), {"FREE_KB": "10"}, 3),
        ],
    )
    def test_a_failure_is_told_by_so_many_flashes_twice(
        self, flashes, arguments, changes, times
    ):
        assert flashes(*arguments, SERVICE_RESULT="exit-code", **changes) == times

    def test_the_lamp_is_dark_afterwards_and_left_to_the_program(self, pi, flashes):
        flashes(SERVICE_RESULT="watchdog")
        *_, last = [
            line for line in pi.calls.read_text().splitlines() if "pinctrl" in line
        ]
        assert last == "pinctrl set 25 ip pd"

    def test_it_takes_less_time_than_systemd_gives_it(self, pi, flashes):
        flashes("install", SERVICE_RESULT="exit-code")
        waited = re.findall(r"^sleep ([\d.]+)$", pi.calls.read_text(), re.M)
        # TimeoutStopSec of the service.
        assert sum(map(float, waited)) < 10 / 1.5

    def test_a_table_that_was_stopped_by_people_flashes_nothing(self, flashes):
        assert flashes(SERVICE_RESULT="success") == 0

    def test_the_owners_own_wiring_goes_before(self, pi, flashes):
        own = pi.root / "etc/dragon-table/pins.toml"
        own.parent.mkdir()
        own.write_text('[[lamp]]\nname = "act"\nbcm = 23\n')
        assert flashes(SERVICE_RESULT="exit-code") == 0
        own.write_text('[[lamp]]\nname = "refused"\nbcm = 24\n')
        flashes(SERVICE_RESULT="exit-code")
        assert pi.called("pinctrl set 24 op dh")

    def test_an_installed_table_has_it(self, pi):
        pi.run("install")
        assert (pi.home / "lamp.sh").exists()
        assert "/opt/dragon-table/lamp.sh" in pi.unit.read_text()


class TestNetwork:
    def test_with_a_network_nothing_is_made(self, pi):
        for by in ("wifi", "ethernet"):
            done = pi.run("network", AFTER="0", BY=by)
            assert done.returncode == 0, done.stderr
            assert "there is a network" in done.stdout
            assert not pi.called("connection up")

    def test_a_network_that_takes_less_than_a_minute_is_waited_for(self, pi):
        pi.run("network", AFTER="11")
        assert not pi.called("connection up")
        # Eleven times in vain, five seconds each.
        assert pi.calls.read_text().count("sleep 5\n") == 11

    def test_after_a_minute_without_any_phones_get_the_tables_own(self, pi):
        done = pi.run("network", COUNTRY="FR", PHONES="Station 1a:2b (on wlan0)\n")

        assert done.returncode == 0, done.stderr
        assert pi.calls.read_text().count("sleep 5\n") == 12
        assert pi.called("connection up dragon-table-hotspot")
        # Somebody joined: it stays.
        assert not pi.called("connection down")

    def test_a_router_that_comes_up_late_is_found_where_nobody_joined(self, pi):
        done = pi.run("network", COUNTRY="FR", AFTER="14")

        assert done.returncode == 0, done.stderr
        calls = pi.calls.read_text()
        assert calls.index("connection up") < calls.index("sleep 600")
        assert calls.index("sleep 600") < calls.index("connection down")
        assert "there is a network" in done.stdout

    def test_whoever_holds_undo_meanwhile_gets_it_at_once(self, pi):
        held = {"COUNTRY": "FR", "AFTER": "0", "LEVEL": "lo"}
        # Without an installed table nobody knows where the button is.
        pi.run("network", **held)
        assert not pi.called("connection up")
        pi.install_python("echo 6")

        pi.run("network", **held)

        # Pulled up first: the kernel pulls that pin down.
        calls = pi.calls.read_text()
        assert calls.index("pinctrl set 6 ip pu") < calls.index("pinctrl get 6")
        assert pi.called("connection up dragon-table-hotspot")
        assert pi.run("network", **(held | {"LEVEL": "hi"})).returncode == 0
        assert not pi.called("connection up")

    def test_the_pin_of_undo_is_that_of_the_wiring(self, tmp_path):
        text = (SCRIPTS / "network.sh").read_text()
        asked = re.search(r"-c '\n(.*?)\n' 2>", text, re.DOTALL)[1]
        told = subprocess.run(
            [sys.executable, "-c", asked], cwd=SCRIPTS.parents[1],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert told.stdout == "6\n"

    def test_an_owner_may_do_without(self, pi):
        pi.run("network", DRAGON_TABLE_HOTSPOT="never")
        assert not pi.called("connection up")
        assert not pi.called("nmcli")

    def test_it_is_run_at_each_start_of_an_installed_table(self, pi):
        pi.run("install")
        unit = pi.unit.with_name("dragon-table-network.service").read_text()
        assert "ExecStart=/bin/sh /opt/dragon-table/network.sh\n" in unit
        assert (pi.home / "network.sh").exists()
        assert pi.called("dragon-table-network.service")


@pytest.mark.parametrize(("purge", "left"), [((), True), (("--purge",), False)])
def test_taken_off_nothing_stays_but_the_games_unless_they_are_to_go(pi, purge, left):
    pi.run("install")
    pi.play()
    own = pi.root / "etc/dragon-table/pins.toml"
    own.parent.mkdir()
    own.touch()

    done = pi.run("uninstall", *purge)

    assert done.returncode == 0, done.stderr
    assert pi.called("systemctl disable --now --quiet dragon-table.service")
    assert not pi.home.exists()
    assert not pi.unit.exists()
    assert not pi.settings.exists()
    assert not pi.watchdog.exists()
    assert not pi.unit.with_name("dragon-table-network.service").exists()
    assert pi.data.exists() == left
    assert own.exists() == left


def test_without_root_nothing_is_done():
    for script in ("install", "back", "backup", "uninstall"):
        lines = (SCRIPTS / f"{script}.sh").read_text().splitlines()
        orders = [line for line in lines if line and not line.startswith("#")]

        # Before it, only variables are set.
        assert orders[: orders.index("need_root")][0] == "set -eu"
        assert all(
            line.startswith(("set ", "here=", "project=", ". "))
            for line in orders[: orders.index("need_root")]
        )


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="no shellcheck here")
def test_shellcheck_finds_nothing():
    scripts = sorted(map(str, SCRIPTS.glob("*.sh")))
    argv = ["shellcheck", "--external-sources", f"--source-path={SCRIPTS}", *scripts]
    checked = subprocess.run(argv, capture_output=True, text=True, check=False)

    assert checked.stdout == ""
