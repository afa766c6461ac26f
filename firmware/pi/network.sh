#!/bin/sh
# Sees to a network that phones can join, at each start of the Pi: after a minute without
# any, or at once where somebody holds the button `undo` meanwhile, it makes the table's
# own WLAN. When nobody has joined that for ten minutes it looks again: after a power cut
# the router at home only takes longer than the Pi. Run by dragon-table-network.service;
# DRAGON_TABLE_HOTSPOT=never in /etc/default/dragon-table leaves all of it out.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"

need_root

# The button of the Pi is pulled up, as the table does it, and read twice: the kernel
# pulls most pins down while it starts. `pinctrl` reads a pin that a program has.
undo_is_held() {
  bcm=$("$home/venv/bin/python" -c '
from firmware.wiring import read_wiring, wiring_path
print(*(one.bcm for one in read_wiring(wiring_path()).button if one.label == "undo"))
' 2> /dev/null) || return 1
  [ -n "$bcm" ] && command -v pinctrl > /dev/null || return 1
  pinctrl set "$bcm" ip pu
  for _ in 1 2; do
    sleep 1
    pinctrl get "$bcm" | grep -q '| lo' || return 1
  done
}

has_network_within_a_minute() {
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
    if has_network_now; then return 0; fi
    sleep 5
  done
  return 1
}

phones() { iw dev wlan0 station dump 2> /dev/null | grep -c '^Station' || true; }

if [ "${DRAGON_TABLE_HOTSPOT-auto}" = never ]; then
  say "the table's own WLAN is switched off in $settings"
  exit 0
fi
if undo_is_held; then
  say "undo is held: making the table's own WLAN"
  exec sh "$here/hotspot.sh" on
fi
while ! has_network_within_a_minute; do
  say "no network for a minute: making the table's own WLAN"
  sh "$here/hotspot.sh" on
  sleep 600
  if [ "$(phones)" != 0 ]; then exit 0; fi
  say "nobody joined it: looking for a network again"
  sh "$here/hotspot.sh" off
done
say "there is a network"
