#!/bin/sh
# Says with the lamp `refused` why there is no page: run by systemd whenever the table, or
# its installation (lamp.sh install), ends by a failure, before it is tried again. So many
# flashes, twice:
#   2  the program ends by itself: see journalctl -u dragon-table
#   3  the card is full
#   4  the supply is too weak
#   5  there is no network, which the installation needs
# Nothing of the program is used, as it may be what fails; a table without lamps, or a
# system without `pinctrl`, stays dark.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"

[ "${SERVICE_RESULT-}" != success ] || exit 0
need_root

# The owner's wiring, else that of the version in use, else that of a prepared card.
lamp_pin() {
  for file in "$root/etc/dragon-table/pins.toml" \
    "$home"/venv/lib/python3*/site-packages/firmware/pins.toml \
    "$root/opt/dragon-table-source/hardware/pins.toml"; do
    [ ! -e "$file" ] || {
      sed -n '/^name = "refused"/,/^bcm = /s/^bcm = \([0-9]*\).*/\1/p' "$file" | head -n 1
      return
    }
  done
}

flashes() {
  free_kb=$(df --output=avail "${data%/*}" | tail -n 1)
  # Bit 0 of what the firmware says: too little voltage now.
  bits=$(vcgencmd get_throttled 2> /dev/null | sed -n 's/^throttled=\(0x[0-9a-f]*\)$/\1/p')
  if [ "$free_kb" -lt 20000 ]; then
    echo 3
  elif [ $((${bits:-0} & 1)) -ne 0 ]; then
    echo 4
  elif [ "${1-}" = install ] && ! has_network_now; then
    echo 5
  else
    echo 2
  fi
}

command -v pinctrl > /dev/null || exit 0
pin=$(lamp_pin)
[ -n "$pin" ] || exit 0
count=$(flashes "${1-}")
say "lamp 'refused': $count flashes"
for _ in 1 2; do
  n=0
  while [ "$n" -lt "$count" ]; do
    pinctrl set "$pin" op dh
    sleep 0.2
    pinctrl set "$pin" dl
    sleep 0.2
    n=$((n + 1))
  done
  sleep 0.8
done
pinctrl set "$pin" ip pd
