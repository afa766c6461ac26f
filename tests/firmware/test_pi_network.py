"""The table's own WLAN, and when it is made, below a scratch root."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from companion.dashboard.door.probes import PROBES
from companion.running.wifi import Wifi, WifiFiles
from tests.firmware.scratch_pi import SCRIPTS

ADDRESS_LINE = re.compile(r"^address=/([^/]+)/(\S+)$", re.MULTILINE)


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
