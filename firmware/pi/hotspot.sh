#!/bin/sh
# Makes a WLAN of the table's own, for a place without one: sudo hotspot.sh on|off. It
# needs to know the country, for its channels: `on FR` says it, else it is the system's.
# Phones that join it reach the table and nothing else. NetworkManager is what Raspberry
# Pi OS Bookworm and Trixie use. The big screen reads its name and password from a file
# that the next start of the Pi takes away, as it does the WLAN. What phones ask to find
# out whether they should stay goes to the table, which listens at port 8000.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
name=dragon-table-hotspot
told=$root/run/dragon-table-hotspot.json
page=http://10.42.0.1:8000

# Puts what it reads into a file that nobody but root and the table's user may read.
owned_by_the_table() {
  (umask 077 && cat > "$1.new")
  if [ -z "$root" ] && id -u dragon > /dev/null 2>&1; then chown dragon: "$1.new"; fi
  mv "$1.new" "$1"
}

# Phones ask at port 80, and whoever types the address without a port does too.
listen_at_port_80() {
  if ! command -v nft > /dev/null; then
    say "without nftables phones may leave this WLAN: apt install nftables"
    return
  fi
  forget_port_80
  if ! nft -f - <<'END'
table ip dragon_table {
  chain prerouting {
    type nat hook prerouting priority dstnat;
    iifname "wlan0" ip daddr 10.42.0.1 tcp dport 80 redirect to :8000
  }
}
END
  then
    # A WLAN that some phones leave is better than none.
    say "port 80 does not lead to the table: phones may leave this WLAN"
  fi
}

# Raspberry Pi OS blocks the radio until it knows the country.
free_the_radio() {
  if command -v raspi-config > /dev/null; then
    known=$(raspi-config nonint get_wifi_country 2> /dev/null || true)
    [ "$known" != 00 ] || known= # the world: no country
    country=${1:-$known}
    [ -n "$country" ] || country=$(language | sed -n 's/^[a-z]*_\([A-Z][A-Z]\).*/\1/p')
    [ -n "$country" ] || fail "the WLAN needs its country; say it: hotspot.sh on FR"
    [ "$country" = "$known" ] || raspi-config nonint do_wifi_country "$country" ||
      say "the country $country could not be set; phones may not see this WLAN"
  fi
  if command -v rfkill > /dev/null; then rfkill unblock wifi; fi
}

forget_port_80() { nft delete table ip dragon_table 2> /dev/null || true; }

need_root
case ${1-} in
  on)
    free_the_radio "${2-}"
    if ! nmcli --terse --fields NAME connection show | grep -qx "$name"; then
      # The one that stands on the table's sticker.
      password=$(own_password)
      if [ -z "$password" ]; then
        password=$(new_password)
        mkdir -p "$(dirname "$settings")"
        printf 'DRAGON_TABLE_HOTSPOT_PASSWORD=%s\n' "$password" >> "$settings"
        chmod 600 "$settings"
      fi
      # Not saved: on Trixie NetworkManager saves through netplan, which does not know all
      # that is set below. It is made anew after each start.
      nmcli --terse connection add save no type wifi ifname wlan0 con-name "$name" \
        autoconnect no ssid "Dragon Table" mode ap \
        ipv4.method shared ipv4.addresses 10.42.0.1/24 \
        wifi-sec.key-mgmt wpa-psk wifi-sec.psk "$password" > /dev/null
    fi
    # WPA2 alone, and frames of management unprotected (1 is off): what a Pi's chip offers
    # otherwise since Trixie, some phones cannot join. Source: raspberrypi/linux 7247.
    nmcli --terse connection modify --temporary "$name" wifi-sec.proto rsn wifi-sec.pairwise ccmp \
      wifi-sec.group ccmp wifi-sec.pmf 1
    mkdir -p "$(dirname "$stay")"
    cp "$here/phones-stay.conf" "$stay"
    listen_at_port_80
    nmcli --terse connection up "$name" > /dev/null
    password=$(nmcli --show-secrets --get-values 802-11-wireless-security.psk connection show "$name")
    mkdir -p "$(dirname "$told")"
    # Whoever changed the password may have used a quote or a backslash.
    printf '{"name": "Dragon Table", "password": "%s", "address": "%s"}\n' \
      "$(printf %s "$password" | sed 's/[\\"]/\\&/g')" "$page" | owned_by_the_table "$told"
    say "join the WLAN 'Dragon Table' with $password, then open $page"
    ;;
  off)
    rm -f "$told" "$stay"
    forget_port_80
    nmcli --terse connection down "$name" > /dev/null
    say "the WLAN of the table is off"
    ;;
  *)
    printf 'dragon-table: say hotspot.sh on or hotspot.sh off\n' >&2
    exit 2
    ;;
esac
