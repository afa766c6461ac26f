"""Installing, updating, going back, failing and taking off, below a scratch root."""

import re
import shutil
import subprocess

import pytest

from tests.firmware.scratch_pi import SCRIPTS, stored


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
