#!/bin/sh
# Makes a WLAN of the table's own, for a place without one: sudo hotspot.sh on|off.
# Phones that join it reach the table and nothing else. NetworkManager is what Raspberry
# Pi OS Bookworm and Trixie use.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
name=dragon-table-hotspot

need_root
case ${1-} in
  on)
    if ! nmcli --terse --fields NAME connection show | grep -qx "$name"; then
      # Nobody has to type more than once what can be read off the sticker.
      password=$(od -An -N5 -tx1 /dev/urandom | tr -d ' \n')
      nmcli --terse connection add type wifi ifname wlan0 con-name "$name" \
        autoconnect no ssid "Dragon Table" mode ap ipv4.method shared \
        wifi-sec.key-mgmt wpa-psk wifi-sec.psk "$password" > /dev/null
    fi
    nmcli --terse connection up "$name" > /dev/null
    password=$(nmcli --show-secrets --get-values 802-11-wireless-security.psk connection show "$name")
    say "join the WLAN 'Dragon Table' with $password, then open http://10.42.0.1:8000"
    ;;
  off)
    nmcli --terse connection down "$name" > /dev/null
    say "the WLAN of the table is off"
    ;;
  *)
    printf 'dragon-table: say hotspot.sh on or hotspot.sh off\n' >&2
    exit 2
    ;;
esac
